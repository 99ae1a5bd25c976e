"""What a layout is, and what all layouts share: cells of holes, registers, supplies along and across lanes. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import SUPPLY_3V3, SUPPLY_5V, WIDE_3V3, WIDE_5V, Frame, Spot, frames, parts, supply, track, via
from hardware.pcb.circuit import FIRST_PULL, Pattern
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
    fiducials: list[Point] = field(default_factory=list)


@dataclass(frozen=True)
class Given:
    """What a pattern's layout is made from: holes in the direction of play, lane by lane."""

    pattern: Pattern
    places: Mapping[str, Point]
    lanes: Sequence[Sequence[str]]
    pips: Mapping[str, Point] = field(default_factory=dict)
    """The lights without a hole: those of dice."""


def given(told: Mapping[str, Any]) -> Given:
    """What hardware/pcb/given.py tells of a pattern, as a value."""
    pattern = Pattern(told["name"], tuple(told["wires"]), tuple(told["lights"]), told["head"], told["end"])
    places, pips = ({name: (x, y) for name, (x, y) in told[kind].items()} for kind in ("places", "pips"))
    return Given(pattern, places, told["lanes"], pips)


def frames_of(given: Given) -> dict[str, Frame]:
    """Each hole's place, and to which side its light lies."""
    return {
        hole: frame
        for lane in given.lanes
        for hole, frame in zip(lane, frames([given.places[hole] for hole in lane]), strict=True)
    }


def spots_of_holes(given: Given, found: Mapping[str, Frame]) -> dict[str, Spot]:
    """Where the sensor, light, capacitors and pull-up of each hole lie."""
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


def spots_of_pips(given: Given) -> dict[str, Spot]:
    """Where the lights without a hole lie, and their capacitors."""
    spots: dict[str, Spot] = {}
    for n, name in enumerate(given.pattern.lights, 1):
        if name in given.pips:
            x, y = given.pips[name]
            spots |= {f"D{n}": Spot((x, y), 0), f"C{len(given.places) + n}": Spot((x + 1.2, y - 2), 180)}
    return spots


def chip(n: int, at: Point, turn: float, cap: str) -> dict[str, Spot]:
    """A register and its capacitor beside pin 16."""
    dx, dy = turned((2.9, -3.6), turn)
    return {f"U{n}": Spot(at, turn), cap: Spot((at[0] + dx, at[1] + dy), turn)}


def beside_pin_1(spot: Spot) -> Point:
    """Where the dot of a chip's pin 1 is printed."""
    dx, dy = turned((-4.3, -2.3), spot.turn)
    return spot.at[0] + dx, spot.at[1] + dy


def pins_5v(plug: Spot) -> tuple[Point, Point]:
    """Where the two 5 V pins of a ribbon's plug lie, which sits below."""
    nine, ten = (turned(pin, -plug.turn) for pin in ((0, 10.16), (-2.54, 10.16)))
    return (plug.at[0] + nine[0], plug.at[1] + nine[1]), (plug.at[0] + ten[0], plug.at[1] + ten[1])


def cap_numbers(given: Given) -> tuple[int, int]:
    """The numbers of the first register's capacitor and of the one after the last register's."""
    first = 1 + len([w for w in given.pattern.wires if isinstance(w, str)]) + len(given.pattern.lights)
    return first, first + -(-len(given.pattern.wires) // 8)


def up_and_down(lanes: Sequence[Sequence[Frame]]) -> list[Copper]:
    """The supplies along lanes whose strip of lights runs up, down and up: a light's capacitor lies behind it."""
    copper = []
    for n, lane in enumerate(lanes):
        behind = -2.5 if n % 2 else 2.5
        copper += supply(lane, SUPPLY_5V, WIDE_5V, "5V", before=behind, after=-behind)
        copper += supply(lane, SUPPLY_3V3, WIDE_3V3, "3V3", before=1.5, after=1.5)
    return copper


def across(xs: Sequence[float], y: float, aside: float, width: float, net: str) -> list[Copper]:
    """A supply from lane to lane on the lower side, with a via beside each lane's own."""
    found = [track(((xs[0] + aside, y), (xs[-1] + aside, y)), width, net, "B.Cu")]
    for x in xs:
        found.append(via((x + aside, y), net))
        if aside:
            found.append(track(((x, y), (x + aside, y)), 0.3, net))
    return found
