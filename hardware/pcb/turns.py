"""Where everything lies on the patterns of a turn: three lanes of five holes round an arc. Millimetres. Pure."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, radians, sin, sqrt

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import SUPPLY_3V3, SUPPLY_5V, Spot, track, via
from hardware.pcb.laying import Given, Layout, cap_numbers, chip, frames_of, pins_5v, spots_of_holes, up_and_down
from hardware.pcb.shapes import Point

THREE, FIVE = 216, 234
"""The angles at which the supplies of a quarter go from lane to lane, in degrees: between two of its holes."""


def half(given: Given) -> Layout:
    """Three lanes of five holes round half a turn; registers within it, ribbons in the corners outside."""
    found = frames_of(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = lanes[0][2].at[0], lanes[0][2].at[1] - 36
    first, after = cap_numbers(given)
    right, left, feed = (x + 26.84, y + 33), (x - 36.96, y + 33), (x + 37.2, y + 22)

    def spoke(angle: float, radius: float) -> Point:
        return x + radius * cos(radians(angle)), y + radius * sin(radians(angle))

    copper = up_and_down(lanes)
    copper.append(track((spoke(72, 31.1), spoke(72, 15.1)), 0.8, "5V", "B.Cu"))
    copper += [via(spoke(72, radius - SUPPLY_5V), "5V") for radius in (36, 28, 20)]
    copper.append(track((spoke(108, 38.1), spoke(108, 22.1)), 0.4, "3V3", "B.Cu"))
    for radius in (38.1, 30.1, 22.1):
        copper += [via(spoke(108, radius), "3V3"), track((spoke(108, radius), spoke(108, radius + 0.25)), 0.3, "3V3")]
    for angle, plug in ((36, right), (144, left)):
        copper += [track((plug, spoke(angle, 31.1)), 1.0, "5V", "B.Cu"), via(spoke(angle, 31.1), "5V")]
    copper += [track((each, (each[0], each[1] + 2.54)), 1.0, "5V") for each in (left, right)]
    copper.append(track((right, feed), 1.0, "5V"))
    spots = spots_of_holes(given, found) | {
        "J1": Spot((x + 37, y + 35.54), 90, top=False),
        "J2": Spot((x - 26.8, y + 35.54), 90, top=False),
        "J3": Spot(feed, 90, top=False),
        **chip(1, (x + 5.6, y + 5.6), 0, f"C{first}"),
        **chip(2, (x - 5.6, y + 5.6), 0, f"C{first + 1}"),
        f"C{after}": Spot((x, y + 10.8), 0),
        "R5": Spot((x - 31, y + 30), 0),
    }
    edge = [(x - 39.4, y + 0.2), (x + 39.4, y + 0.2), (x + 39.4, y + 39.4), (x - 39.4, y + 39.4)]
    words = [
        ("half, 1", (x - 34, y + 26), True),
        ("J1 Pico", (x + 32, y + 38.2), False),
        ("J2 onward", (x - 32, y + 38.2), False),
        ("J3 5V", (x + 32.6, y + 20), False),
    ]
    return Layout(spots, copper, edge, [(x - 36, y + 22), (x + 36.6, y + 29)], small_screws=True, words=words)


def quarter(given: Given) -> Layout:
    """Half of the classic board's upper turn. Its inner corner leaves room for the tile at the end of the race."""
    plugs = _Plugs(
        first=Spot((-28.04, -2.4), 180, top=False),
        onward=Spot((-2.2, -25.5), 90, top=False),
        feed=Spot((-50, -55.8), 0, top=False),
        wide=((-28.04, -12.56), (-32.04, -14.35)),
        within=(-12.36, -28.04),
        bulk=(-55, -51.5),
        pull=(-8, -31),
        words=((-27.2, -15), (-8, -30.8), (-51, -53), (-31.5, -56)),
    )
    notch = [(-0.1, -23.5), (-23.5, -23.5), (-23.5, -0.1)]
    return _quarter(given, 56, plugs, notch, ((-53, -44), (-43, -53)))


def short_quarter(given: Given) -> Layout:
    """Half of the short board's turn. Within the arcs is room for a register."""
    plugs = _Plugs(
        first=Spot((-12.36, -4.74), 270, top=False),
        onward=Spot((-2.2, -18.7), 0, top=False),
        feed=Spot((-36, -41.8), 0, top=False),
        wide=((-2.2, -4.74), (-2.2, -8.54), (-4.74, -8.54)),
        within=(-4.74, -8.54),
        bulk=(-31.5, -42),
        pull=(-8.2, -17),
        words=((-9.6, -6.9), (-11.2, -14.2), (-36, -39.4), (-36.5, -44.2)),
    )
    return _quarter(given, 42, plugs, [(-0.1, -0.1)], ((-41, -31), (-9.8, -9.8)))


@dataclass(frozen=True)
class _Plugs:
    """What lies within a quarter's arcs, from their middle: plugs, the wide 5 V between them, what belongs to them."""

    first: Spot
    onward: Spot
    feed: Spot
    wide: tuple[Point, ...]
    within: Point
    """Where the 5 V of the lanes meets the plugs'."""
    bulk: Point
    pull: Point
    words: tuple[Point, Point, Point, Point]
    """Where the plugs' names stand below, and the board's above."""


def _quarter(given: Given, radius: float, plugs: _Plugs, notch: list[Point], registers: tuple[Point, Point]) -> Layout:
    """Three lanes of five holes round a quarter turn, from the left upwards; 5 V comes in at the corner outside."""
    found = frames_of(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = (at + radius / sqrt(2) for at in lanes[0][2].at)
    first, after = cap_numbers(given)

    def at(point: Point) -> Point:
        return x + point[0], y + point[1]

    copper = up_and_down(lanes) + _spokes((x, y), radius, at(plugs.within))
    copper += [track((at(a), at(b)), 1.0, "5V") for a, b in pairwise(plugs.wide)]
    copper.append(track((at(plugs.feed.at), at(_spoke(FIVE, radius - SUPPLY_5V))), 1.0, "5V", "B.Cu"))
    ribbons = {name: replace(plug, at=at(plug.at)) for name, plug in (("J1", plugs.first), ("J2", plugs.onward))}
    copper += [track(pins_5v(plug), 1.0, "5V") for plug in ribbons.values()]
    spots = (
        spots_of_holes(given, found)
        | ribbons
        | {
            "J3": replace(plugs.feed, at=at(plugs.feed.at)),
            **chip(1, at(registers[0]), 0, f"C{first}"),
            **chip(2, at(registers[1]), 0, f"C{first + 1}"),
            f"C{after}": Spot(at(plugs.bulk), 0),
            "R5": Spot(at(plugs.pull), 0),
        }
    )
    far = -radius - 3.4
    edge = [at(corner) for corner in ((far, -0.1), (far, far), (-0.1, far), *notch)]
    screws = [at((far + 1.9, 0.4 * far)), at((0.4 * far, far + 1.9))]
    names = ("J1 Pico", "J2 onward", "J3 5V", f"{given.pattern.name}, 1")
    words = [(name, at(place), n == 3) for n, (name, place) in enumerate(zip(names, plugs.words, strict=True))]
    return Layout(spots, copper, edge, screws, small_screws=True, words=words)


def _spoke(angle: float, far: float) -> Point:
    return far * cos(radians(angle)), far * sin(radians(angle))


def _spokes(middle: Point, radius: float, within: Point) -> list[Copper]:
    """The supplies from lane to lane, on the lower side between two holes; 5 V goes on to a place within the arcs."""

    def at(angle: float, far: float) -> Point:
        x, y = _spoke(angle, far)
        return middle[0] + x, middle[1] + y

    inner = radius - 16
    copper = [
        track((within, at(FIVE, inner - SUPPLY_5V)), 1.0, "5V", "B.Cu"),
        track((at(FIVE, inner - SUPPLY_5V), at(FIVE, radius - SUPPLY_5V)), 0.8, "5V", "B.Cu"),
        track((at(THREE, inner + 2.1), at(THREE, radius + 2.1)), 0.4, "3V3", "B.Cu"),
    ]
    for lane in (inner, radius - 8, radius):
        beside, its = at(THREE, lane + 2.1), at(THREE, lane - SUPPLY_3V3)
        copper += [via(at(FIVE, lane - SUPPLY_5V), "5V"), via(beside, "3V3"), track((beside, its), 0.3, "3V3")]
    return copper
