"""Where everything lies on each pattern: outline, registers, ribbons, supplies. Millimetres of the board file. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, cos, degrees, sin
from typing import Any

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import SUPPLY_3V3, SUPPLY_5V, WIDE_3V3, WIDE_5V, Frame, Spot, frames, parts, supply, track, via
from hardware.pcb.circuit import FIRST_PULL, Pattern
from hardware.pcb.parts import WIRES
from hardware.pcb.shapes import Point, turned


@dataclass(frozen=True)
class Layout:
    """A pattern on its board: a spot for each part, copper that is laid before the search, the outline."""

    spots: dict[str, Spot]
    copper: list[Copper]
    edge: list[Point]
    screws: list[Point] = field(default_factory=list)
    small_screws: bool = False
    words: list[tuple[str, Point, bool]] = field(default_factory=list)
    """What is printed: text, middle, and whether above."""


@dataclass(frozen=True)
class Given:
    """What a pattern's layout is made from: holes in the direction of play, lane by lane."""

    pattern: Pattern
    places: Mapping[str, Point]
    lanes: Sequence[Sequence[str]]


def given(told: Mapping[str, Any]) -> Given:
    """What hardware/pcb/given.py tells of a pattern, as a value."""
    pattern = Pattern(told["name"], tuple(told["wires"]), tuple(told["lights"]), told["head"], told["end"])
    return Given(pattern, {hole: (x, y) for hole, (x, y) in told["places"].items()}, told["lanes"])


def _cells(given: Given, found: Mapping[str, Frame]) -> dict[str, Spot]:
    wires = [wire for wire in given.pattern.wires if isinstance(wire, str)]
    order = {hole: n for n, hole in enumerate(given.pattern.lights)}
    spots: dict[str, Spot] = {}
    for lane in given.lanes:
        for k, hole in enumerate(lane):
            a, b = (hole, lane[k + 1]) if k + 1 < len(lane) else (lane[k - 1], hole)
            names = f"S{wires.index(hole) + 1}", f"D{order[hole] + 1}"
            caps = f"C{wires.index(hole) + 1}", f"C{len(wires) + order[hole] + 1}"
            spots |= parts(
                found[hole], *names, caps, f"R{FIRST_PULL + wires.index(hole) + 1}", with_play=order[a] < order[b]
            )
    return spots


def _frames(given: Given) -> dict[str, Frame]:
    return {
        hole: frame
        for lane in given.lanes
        for hole, frame in zip(lane, frames([given.places[hole] for hole in lane]), strict=True)
    }


def _chip(n: int, at: Point, turn: float, cap: str) -> dict[str, Spot]:
    """A register and its capacitor beside pin 16."""
    dx, dy = turned((2.9, -3.6), turn)
    return {f"U{n}": Spot(at, turn), cap: Spot((at[0] + dx, at[1] + dy), turn)}


def _cap_names(given: Given) -> tuple[int, int]:
    """The numbers of the first register's capacitor and of the one after the last register's."""
    first = 1 + len([w for w in given.pattern.wires if isinstance(w, str)]) + len(given.pattern.lights)
    return first, first + -(-len(given.pattern.wires) // 8)


def loop(given: Given) -> Layout:
    """One ring of 60 and two pairs of start holes; registers within the ring, the Pico's ribbon in the middle."""
    found = _frames(given)
    lane = max(given.lanes, key=len)
    ring = [found[hole] for hole in lane]
    middle = (sum(f.at[0] for f in ring) / len(ring), sum(f.at[1] for f in ring) / len(ring))
    copper = [*supply([*ring, ring[0]], 5.4, 1.6, "5V"), *supply([*ring, ring[0]], SUPPLY_3V3, 0.5, "3V3")]
    spots = _cells(given, found)
    first, after = _cap_names(given)
    wires = given.pattern.wires
    for n in range(len(wires) // 8):
        angles = [
            atan2(given.places[w][1] - middle[1], given.places[w][0] - middle[0])
            for w in wires[8 * n : 8 * n + 8]
            if isinstance(w, str) and w in lane
        ]
        angle = atan2(sum(map(sin, angles)), sum(map(cos, angles)))
        at = (round(middle[0] + 46 * cos(angle), 1), round(middle[1] + 46 * sin(angle), 1))
        spots |= _chip(n + 1, at, -90 * round((degrees(angle) + 90) / 90) % 360, f"C{first + n}")
    x, y = middle
    spots |= {
        "J1": Spot((x + 1.27, y - 10), 0, top=False),
        "J3": Spot((x, y + 52), 0, top=False),
        f"C{after}": Spot((x + 3.5, y + 24), 0),
        f"C{after + 1}": Spot((x + 4, y + 34), 180, top=False),
        "U90": Spot((x + 14, y - 4), 0),
        f"C{after + 2}": Spot((x + 17, y - 7.6), 0),
        "R1": Spot((x + 6, y - 10), 0),
        "R2": Spot((x + 6, y - 7), 0),
        "R3": Spot((x + 8, y - 1), 180),
        "R4": Spot((x - 6, y - 7), 180),
    }
    copper += [
        track(((x - 1.27, y + 0.16), (x + 1.27, y + 0.16)), 1.6, "5V"),
        track(((x, y + 0.16), (x, y + 62.6)), 1.6, "5V"),
        track(((x, y + 34), (x + 4, y + 34)), 1.6, "5V"),
        track(((x, y + 24), (x + 2.5, y + 24)), 1.0, "5V"),
    ]
    left, top, right, bottom = x - 90, y - 75, x + 90, y + 75
    edge = [(left + 4, top), (right - 4, top), (right, top + 4), (right, bottom - 4)]
    edge += [(right - 4, bottom), (left + 4, bottom), (left, bottom - 4), (left, top + 4)]
    screws = [(left + 6, top + 6), (right - 6, top + 6), (right - 6, bottom - 6), (left + 6, bottom - 6)]
    words = [
        ("cribbage loop-60, 1", (x, y - 30), True),
        ("5V", (x, y + 47), False),
        ("GND", (x - 5.08, y + 47), False),
        *_wires((x + 6.6, y - 10), (x - 6.6, y - 10), (0, 2.54), top=False),
    ]
    return Layout(spots, copper, edge, [*screws, (x - 30, y), (x + 30, y + 8)], words=words)


def _wires(odd: Point, even: Point, step: Point, *, top: bool) -> list[tuple[str, Point, bool]]:
    """The names of a ribbon's wires beside its pins, those with odd numbers on one side."""
    return [
        (wire, ((odd, even)[n % 2][0] + n // 2 * step[0], (odd, even)[n % 2][1] + n // 2 * step[1]), top)
        for n, wire in enumerate(WIRES)
    ]


def straight(given: Given) -> Layout:
    """Three lanes of five holes, the race going up the page; registers and ribbons in a strip to their right."""
    found = _frames(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = lanes[0][0].at
    spots = _cells(given, found)
    first, after = _cap_names(given)
    copper = _up_and_down(lanes)
    copper += _across([lane[0].at[0] + SUPPLY_5V for lane in lanes], y - 3.5, 0.0, 0.6, "5V")
    copper += _across([lane[0].at[0] + SUPPLY_3V3 for lane in lanes], y - 17.5, 0.25, 0.4, "3V3")
    bus, plug = x + 16 + SUPPLY_5V, x + 23.94
    copper += [track(((bus, y + d), (plug, y + d)), 1.0, "5V") for d in (0.5, -25.96)]
    copper += [track(((plug, y + d), (plug, y + d - 2.54)), 1.0, "5V") for d in (0.5, -25.96)]
    copper.append(track(((bus, y - 25.5), (bus, y - 25.96)), WIDE_5V, "5V"))
    copper += [track(((bus, y - 14), (x + 23.3, y - 14)), 0.7, "5V")]
    spots |= {
        "J1": Spot((x + 34.1, y + 0.5), 90, top=False),
        "J2": Spot((x + 34.1, y - 25.96), 90, top=False),
        "J3": Spot((x + 23.3, y - 14), 90, top=False),
        **_chip(1, (x + 29, y - 8), 0, f"C{first}"),
        **_chip(2, (x + 29, y - 19.5), 0, f"C{first + 1}"),
        f"C{after}": Spot((x + 26, y - 3.9), 0),
        "R5": Spot((x + 26.5, y - 23.9), 0),
    }
    left, top, right, bottom = x - 3.5, y - 31.4, x + 35.9, y + 3.4
    words = [
        ("straight, 1", (x + 29.2, y - 13.9), True),
        ("to the Pico", (x + 29, y + 2.7), False),
        ("onward", (x + 29, y - 30.7), False),
        ("5V", (x + 26, y - 14), False),
    ]
    edge = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return Layout(spots, copper, edge, [(x + 34.2, y - 14.4)], small_screws=True, words=words)


def end(given: Given) -> Layout:
    """Two rows of three holes and what meets the Pico; where the race ends the same parts do no harm."""
    found = _frames(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = lanes[0][0].at
    spots = _cells(given, found)
    first, after = _cap_names(given)
    copper = _up_and_down(lanes)
    copper += _across([lane[0].at[0] + SUPPLY_5V for lane in lanes], y - 3.6, 0.0, 0.6, "5V")
    copper += _across([lane[0].at[0] + SUPPLY_3V3 for lane in lanes], y - 4.6, 0.25, 0.4, "3V3")
    bus, plug = x + 16 + SUPPLY_5V, x + 23.94
    feed, narrow, corner, bulk = (x + 19.5, y - 13), (bus, y - 10.5), (x + 11.5, y - 13), (x + 11.5, y - 15)
    copper += [track(((bus, y - 5.5), narrow), WIDE_5V, "5V"), track(((bus, y + 0.5), (plug, y + 0.5)), 1.0, "5V")]
    ways = ((narrow, feed), (feed, (plug, y - 14.46)), (feed, corner), (corner, bulk))
    copper += [track(way, 1.0, "5V") for way in ways]
    copper += [track(((plug, y + d), (plug, y + d - 2.54)), 1.0, "5V") for d in (0.5, -14.46)]
    spots |= {
        "J1": Spot((x + 34.1, y + 0.5), 90, top=False),
        "J2": Spot((x + 34.1, y - 14.46), 90, top=False),
        "J3": Spot(feed, 90, top=False),
        **_chip(1, (x + 27.5, y - 8), 0, f"C{first}"),
        f"C{after}": Spot((x + 15.5, y - 18), 0),
        f"C{after + 1}": Spot(bulk, 180, top=False),
        "U90": Spot((x + 3, y - 15.8), 0),
        f"C{after + 2}": Spot((x + 7.7, y - 17.5), 90),
        "R1": Spot((x + 31.5, y - 4.2), 0),
        "R2": Spot((x + 27.8, y - 4.2), 0),
        "R3": Spot((x - 2, y - 15.5), 90),
        "R4": Spot((x + 24.4, y - 4.2), 0),
        "R5": Spot((x + 24.2, y - 12.2), 0),
    }
    left, top, right, bottom = x - 3.5, y - 19.8, x + 35.9, y + 3.4
    edge = [(left, top), (right, top), (right, bottom), (left, bottom)]
    words = [
        ("end, 1", (x + 10.8, y - 18.9), True),
        ("Pico", (x + 29, y + 2.7), False),
        ("onward", (x + 29, y - 11.9), False),
        ("5V", (x + 22.3, y - 11.2), False),
    ]
    return Layout(spots, copper, edge, [(x + 34, y - 8.6)], small_screws=True, words=words)


def _up_and_down(lanes: Sequence[Sequence[Frame]]) -> list[Copper]:
    """The supplies along lanes whose strip of lights runs up, down and up: a light's capacitor lies behind it."""
    copper = []
    for n, lane in enumerate(lanes):
        behind = -2.5 if n % 2 else 2.5
        copper += supply(lane, SUPPLY_5V, WIDE_5V, "5V", before=behind, after=-behind)
        copper += supply(lane, SUPPLY_3V3, WIDE_3V3, "3V3", before=1.5, after=1.5)
    return copper


def _across(xs: Sequence[float], y: float, aside: float, width: float, net: str) -> list[Copper]:
    """A supply from lane to lane on the lower side, with a via beside each lane's own."""
    found = [track(((xs[0] + aside, y), (xs[-1] + aside, y)), width, net, "B.Cu")]
    for x in xs:
        found.append(via((x + aside, y), net))
        if aside:
            found.append(track(((x, y), (x + aside, y)), 0.3, net))
    return found


LAYOUTS = {"loop": loop, "straight": straight, "end": end}
