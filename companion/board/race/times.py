"""Every time by which pegs are read, in milliseconds, and the numbers of changes that go with them. Pure.

The settings of a table (`Settings`) can be changed by its owner; the rest says how hands and sensors are. What was
measured of them is in docs/explanation/reading-pegs.md.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """A change rests `quiet_ms` before it is read; odd pegs are asked about after `doubt_ms`, one out `missing_ms`."""

    quiet_ms: int = 400
    doubt_ms: int = 1500
    missing_ms: int = 10_000


NEVER = -(10**15)
"""Before anything was seen."""

# How hands are.
BOUNCE_MS = 120
"""Changes of one hole this soon after a first one are its contact's chatter: they count as one."""
BEGUN_MS = 200
"""A peg that rested so long before the same side's other peg was lifted is a move of its own."""
GREEN_MS = 150
"""A peg that has been in its due's own hole so long is lit green; it is believed after `quiet_ms`."""
COUNTING_MS = 400
"""A peg that touched other holes on its way is believed so much later: its hand may still be counting."""
SLOW_TOUCH_MS = 300
"""A hand that touches holes for longer than this counts slowly."""
SLOWER_MS = 300
"""A slow hand's peg must rest so much longer than that hand has just touched a hole."""
UNSURE_MS = 100
"""It must rest twice as long as that hand touched holes in its last moves, and so much longer."""
LONGEST_TOUCH_MS = 900
"""No hand touches a hole for longer than this while it counts."""
SLOWEST_MS = 1200
"""No hand is waited for longer than this, however slowly it counts."""
PACE_ACTS = 3
"""The pace of a hand is that of its last so many moves."""
AT_ONCE_MS = 1000
"""Within this a board that is knocked over, or whose cable goes, loses its pegs; hands that lift them take longer."""

# How sensors are.
LATE_MS = 200
"""A hole can hold a peg whose old hole emptied this much later than the new one filled: sensors differ, no more."""
REPORT_MS = 1000
"""All levels are reported at least this often."""
FLICKER_MS = 1500
"""A hole that changed of its own before the peg was lifted is believed to hold it only after this long."""
UNSEEN_MS = 3000
"""So long after it was lifted, or last touched another hole, a peg rests where it is due, if that sensor never does."""
FORGET_MS = 120_000
"""A change longer ago than this says nothing any more."""

# When a sensor is not believed: how often its hole changes, chatter aside, within FLAPPING_MS.
FLAPPING_MS = 8000
"""Changes longer ago than this are no flapping."""
FLIPS = 8
"""So many changes are a sensor's where no hand is."""
HOME_FLIPS = 16
"""A peg in its hole may be taken out and put back, or knocked; this often it is the sensor."""
CALM_MS = 1000
"""A sensor that came and went and has not for so long, nor for twice its longest pause, has stopped."""
RATTLES, RATTLING_MS = 12, 4000
"""So many changes within so short a time are no hand's, wherever it is at work."""
TAPS = 20
"""A hand that looks for its hole may touch it, but not so often."""
KEPT = 24
"""So many changes of one hole are remembered."""
STRAY_MS = 3000
"""A hole taken this long that is nobody's is a sensor stuck, or a peg that plays no part."""
STEADY_MS = 60_000
"""A hole that has behaved this long is believed again."""

# When a person is asked.
SET_UP_MS = 20_000
"""One seat may be set up, or its pegs taken home after a game, this long before the others are asked about."""
