"""Where the parts of a hole lie: sensor under it, light beside it, capacitors, and the supplies that run along. Pure.

Each hole has a frame of its own: `v` points to the light, to the right of the direction of play; `u` is a quarter turn
clockwise from it, which is against the direction of play.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, degrees, dist, hypot, pi, sin

from companion.boards.geometry import compute_headings
from hardware.pcb.boardfile import BOTH, Copper
from hardware.pcb.router import VIA
from hardware.pcb.shapes import Point, Shape

LIGHT_BESIDE = 3.45
"""Millimetres from a peg hole's centre to that of its light, which wants a hole of its own in the wood."""

SUPPLY_5V, SUPPLY_3V3 = 4.9, -2.35
"""Where the supplies run, in `v`: beyond the lights, and on the sensors' other side. Lanes are 8 mm apart."""
WIDE_5V, WIDE_3V3 = 0.7, 0.3

SHORTEST = 0.05
"""Places are told to a hundredth of a millimetre; what is nearer than this is one place."""


@dataclass(frozen=True)
class Frame:
    """A hole's place and the direction of its light."""

    at: Point
    out: float
    """The angle of `v`, in radians, clockwise from the right."""

    def spot(self, v: float, u: float) -> Point:
        """A place beside the hole in the board's own millimetres."""
        c, s = cos(self.out), sin(self.out)
        return self.at[0] + v * c - u * s, self.at[1] + v * s + u * c

    def turn(self, more: float = 0.0) -> float:
        """KiCad's angle of a part whose right side looks along `v`, and `more` beyond it."""
        return (more - degrees(self.out)) % 360


@dataclass(frozen=True)
class Spot:
    """Where a part lies: its centre, KiCad's angle, and whether it is fitted from above."""

    at: Point
    turn: float
    top: bool = True


def frames(run: Sequence[Point]) -> list[Frame]:
    """Frames of holes that follow one another in the direction of play; that of a lone hole is to the right."""
    return [Frame(here, way + pi / 2) for here, way in zip(run, compute_headings(run), strict=True)]


def parts(
    frame: Frame, sensor: str, light: str, caps: tuple[str, str], pull: str, *, with_play: bool
) -> dict[str, Spot]:
    """Sensor, light and their capacitors. `with_play`: the strip of pixels runs in the direction of play here."""
    found = {
        sensor: Spot(frame.at, frame.turn()),
        caps[0]: Spot(frame.spot(-0.5, -2.55), frame.turn()),
        pull: Spot(frame.spot(-0.85, 2.65), frame.turn()),
    }
    side = 1 if with_play else -1
    found[light] = Spot(frame.spot(LIGHT_BESIDE, 0), frame.turn(-90 * side))
    found[caps[1]] = Spot(frame.spot(4.1, 2.5 * side), frame.turn(180))
    return found


def _between(a: Frame, b: Frame, v: float) -> list[Point]:
    """The line at `v` from one hole to the next, in steps of 6 degrees at most where the lane bends."""
    bend = (b.out - a.out + pi) % (2 * pi) - pi
    steps = max(1, round(abs(bend) / 0.1))
    start, end = a.spot(v, 0), b.spot(v, 0)
    if steps == 1:
        return [start, end]
    radius = hypot(end[0] - start[0], end[1] - start[1]) / (2 * sin(abs(bend) / 2))
    inward = a.out if _turns_to(a, b) else a.out + pi
    centre = (start[0] + radius * cos(inward), start[1] + radius * sin(inward))
    return [
        (centre[0] - radius * cos(inward + bend * k / steps), centre[1] - radius * sin(inward + bend * k / steps))
        for k in range(steps + 1)
    ]


def _turns_to(a: Frame, b: Frame) -> bool:
    """Whether the lane bends to the side of its lights."""
    return (b.at[0] - a.at[0]) * cos(a.out) + (b.at[1] - a.at[1]) * sin(a.out) > 0


def supply(
    run: Sequence[Frame], v: float, width: float, net: str, *, before: float = 0.0, after: float = 0.0
) -> list[Copper]:
    """A supply along the holes, from so many millimetres before the first to so many after the last (or less)."""
    points = []
    for a, b in itertools.pairwise(run):
        points += _between(a, b, v)
    points = [p for p in points if dist(p, run[0].spot(v, 0)) >= -before and dist(p, run[-1].spot(v, 0)) >= -after]
    corners = [run[0].spot(v, before)]
    for point in (*points, run[-1].spot(v, -after)):
        if dist(point, corners[-1]) > SHORTEST:
            corners.append(point)
    return [track(ends, width, net) for ends in itertools.pairwise(corners)]


def via(at: Point, net: str) -> Copper:
    """A plated hole from one side to the other."""
    return Copper(Shape((at,), VIA / 2), BOTH, net, "via")


def track(ends: tuple[Point, Point], width: float, net: str, layer: str = "F.Cu") -> Copper:
    """A straight piece of copper."""
    return Copper(Shape(ends, width / 2), (layer,), net, "track")
