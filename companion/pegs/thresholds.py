"""Every time by which pegs are read, in milliseconds, and the numbers of changes that go with them. Pure.

The settings of a table (`Settings`) can be changed by its owner; the rest says how hands and sensors are. What was
measured of hands is in docs/explanation/reading-pegs.md#the-pace-of-hands.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How long pegs must rest before anything follows, in ms.

    `quiet_ms`: before a change is read. `doubt_ms`: before a person is asked about pegs that fit no story.
    `missing_ms`: how long a peg may be out before a person is asked about it.
    """

    quiet_ms: int = 400
    doubt_ms: int = 1500
    missing_ms: int = 10_000


NEVER = -(10**15)
"""A time before anything was seen."""

# How hands are.
BOUNCE_MS = 120
"""Changes of one hole within this time after a first one are its contact's chatter: all count as one change."""
BEGUN_MS = 200
"""A peg that rested this long before the same seat's other peg was lifted has made a move of its own."""
GREEN_MS = 150
"""A peg turns green after this long in its due's own hole; it is believed only after `quiet_ms`."""
COUNTING_MS = 400
"""A peg that touched other holes on its way must rest this much longer: its hand may still be counting."""
SLOW_TOUCH_MS = 300
"""A hand that touches holes for longer than this counts slowly."""
SLOWER_MS = 300
"""A slow hand's peg must rest for the longest touch that the hand has just made, and this much more."""
UNSURE_MS = 100
"""It must also rest for twice the longest touch of each of the hand's last moves, and this much more."""
LONGEST_TOUCH_MS = 900
"""No hand touches a hole for longer than this while it counts."""
SLOWEST_MS = 1200
"""No hand is waited for longer than this, however slowly it counts."""
PACE_ACTS = 3
"""The pace of a hand is taken from this many of its last moves."""
AT_ONCE_MS = 1000
"""Pegs that all leave within this time fell, or were not seen: hands take longer to lift them."""

# How sensors are.
LATE_MS = 200
"""A moved peg's old hole may seem to empty at most this much later than its new hole fills: sensors differ."""
REPORT_MS = 1000
"""All levels are reported at least this often."""
FLICKER_MS = 1500
"""A peg must rest this long in a hole that changed by itself before the peg was lifted."""
UNSEEN_MS = 3000
"""A peg due in a hole whose sensor never rests is taken to be there this long after it was lifted.

Or this long after it last touched another hole.
"""
FORGET_MS = 120_000
"""A hole's changes may be forgotten once it has not changed for this long."""

# When a sensor is not believed: how often its hole changes, chatter aside, within FLAPPING_MS.
FLAPPING_MS = 8000
"""Changes longer ago than this are no flapping."""
FLIPS = 8
"""This many changes of a hole where no hand can be are its sensor's fault."""
HOME_FLIPS = 16
"""This many changes of a home are its sensor's fault: fewer may be a peg taken out and put back, or knocked."""
CALM_MS = 1000
"""A sensor has stopped failing when it has not changed for this long, and for twice its longest pause."""
RATTLES, RATTLING_MS = 12, 4000
"""Twelve changes of a hole within four seconds are too many for any hand."""
TAPS = 20
"""This many changes of a hole where a hand may be are its sensor's fault: fewer may be a hand that looks for it."""
KEPT = 24
"""This many of a hole's latest changes are remembered."""
STRAY_MS = 3000
"""A taken hole that is nobody's for this long has a stuck sensor, or a peg that plays no part."""
STEADY_MS = 60_000
"""A hole that has not changed for this long is believed again."""

# When a person is asked.
SET_UP_MS = 20_000
"""The other seats' pegs are asked about this long after the first seat was set up.

After a won game: this long after the last peg was taken to the start.
"""
