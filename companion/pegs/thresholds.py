"""All thresholds of the peg reader: times in milliseconds and counts of level changes. Pure.

The owner of a table can change `PegTimings`; the constants describe hands and sensors. They were measured:
docs/explanation/reading-pegs.md#the-pace-of-hands.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PegTimings:
    """How long pegs must rest before the reader acts, in ms.

    `quiet_ms`: rest before a change is read. `doubt_ms`: rest before the players are asked about pegs that cannot be
    interpreted, and of a peg in a hole that flickered before the peg was lifted. `missing_ms`: time that a peg may be
    out before the players are asked about it.
    """

    quiet_ms: int = 400
    doubt_ms: int = 1500
    missing_ms: int = 10_000


LONG_AGO_MS = -(10**15)
"""A time before every report. Negated, it is a time that never comes."""

# Hands.
BOUNCE_MS = 120
"""Changes of a hole within this time after a first change are contact bounce; together they count as one change."""
MIN_ACT_REST_MS = 200
"""Minimum rest of a peg, before the other peg of its seat is lifted, that makes its move complete."""
GREEN_AFTER_MS = 70
"""Time after which the light of a due's hole with a peg turns green. The move is read only after `quiet_ms`."""
COUNTING_EXTRA_MS = 400
"""Additional rest for a peg that touched other holes on its way: its hand may still be counting."""
SLOW_HAND_EXTRA_MS = 300
"""Margin on top of the touch that is to be expected of a hand, judging by the present act and the previous ones."""
MAX_TOUCH_MS = 900
"""Maximum duration of a touch. A peg that stays longer rests."""
CLAIM_REST_MS = 1200
"""Rest of a claim where the players count, longer than any touch. No player needs to know a claim earlier."""
REACTION_MS = 200
"""Time within which no hand answers a light: a peg that was lifted before is a claim, whatever has become due since."""
PACE_SAMPLE_ACTS = 3
"""Number of previous acts from which the pace of a hand is estimated."""
SIMULTANEOUS_MS = 1000
"""Pegs that all leave within this time fell or were not sensed; hands take longer to lift them."""

# Sensors.
SENSOR_LAG_MS = 200
"""Maximum difference between sensors: a peg's old hole may seem to empty this long after its new hole fills."""
REPORT_INTERVAL_MS = 1000
"""Interval at which the board reports all levels, even if none has changed."""
OVERRULE_SENSOR_MS = 3000
"""A sensor that contradicts the pegs is overruled after this time.

A stray, that is a taken hole that belongs to no seat, is quarantined. A peg that is due in a quarantined hole counts
as placed; the time counts from when it was lifted or touched another hole.
"""

# Quarantine: how many changes of a hole, bounce excluded, within FLAPPING_WINDOW_MS show that its sensor fails.
FLAPPING_WINDOW_MS = 8000
"""Window in which the changes of a hole are counted."""
FAULTY_FLIPS = 8
"""Minimum number of changes that show a fault, at a hole where no hand can be at work."""
FAULTY_HOME_FLIPS = 12
"""The same at a peg's home, where a peg may be taken out and put back, or knocked.

This many within half the window show a fault where a hand may be counting, because no hand is that fast.
"""
CALM_SENSOR_MS = 1000
"""A sensor works again when it has not changed for this long and for twice its longest pause."""
CHANGES_REMEMBERED = 24
"""Number of changes that are remembered of each hole."""
STEADY_RELEASE_MS = 60_000
"""A quarantined hole is trusted again when it has not changed for this long.

The history of a hole may be dropped when it has not changed for twice as long.
"""

# Questions.
SET_UP_REMINDER_MS = 20_000
"""The players are asked to complete the set-up this long after the pegs of the first seat were set up.

After a won game: this long after the last peg was taken to the start.
"""
