"""Paces of hands for a whole evening."""

from typing import NamedTuple

from tests.perception.model import Span


class Pace(NamedTuple):
    """The pace of hands: time in ms between two actions, in the air and of a touch, and the probability of touches.

    The shortest pause is 200 ms, as seen by the slowest sensors.
    """

    pause: Span
    air: Span
    touch: Span
    touches: float


PACES = {
    "quick": Pace((235, 500), (120, 500), (40, 200), 0.2),
    "usual": Pace((600, 2500), (200, 1200), (60, 350), 0.4),
    "slow": Pace((1000, 3000), (300, 1500), (150, 700), 0.7),
    "counting": Pace((1300, 3000), (200, 1500), (300, 900), 0.9),
}
