"""Checks a drawn board without KiCad: against the wiring map, by our electrical rules, and for shorts and breaks."""

from collections.abc import Iterator, Mapping, Sequence
from math import dist

from hardware.pcb import chain, copper, electric, fitting
from hardware.pcb.boardfile import Drawn
from hardware.pcb.cells import LIGHT_BESIDE, frames
from hardware.pcb.circuit import Placed, circuit, is_fitted
from hardware.pcb.laying import Given
from hardware.pcb.shapes import Point

WITHIN_MM = 0.06
"""The board file gives places to a hundredth of a millimetre; so far off a part may lie."""


def complaints(drawn: Drawn, given: Given) -> list[str]:
    """A sentence for each thing that is wrong; none on a sound board."""
    return [*of_the_circuit(drawn, given), *copper.complaints(drawn)]


def of_the_circuit(drawn: Drawn, given: Given) -> list[str]:
    """The same without a look at the copper itself, which takes seconds."""
    return [*_parts(drawn, circuit(given.pattern)), *_map(drawn, given), *electric.complaints(drawn)]


def _parts(drawn: Drawn, expected: Mapping[str, Placed]) -> Iterator[str]:
    for ref in sorted(expected.keys() - drawn.parts.keys()):
        yield f"{ref} ({expected[ref].kind.value}) is missing."
    for ref, part in drawn.parts.items():
        if not is_fitted(ref):
            continue
        if ref not in expected:
            yield f"{ref} ({part.value}) is too many."
            continue
        wanted = expected[ref]
        if (part.value, part.footprint) != (wanted.kind.value, wanted.kind.footprint.split(":")[1]):
            yield f"{ref} is {part.value} on {part.footprint}, not {wanted.kind.value} on {wanted.kind.footprint}."
        for pin in wanted.kind.pins:
            is_on, should = part.pins.get(pin, ""), wanted.nets.get(pin, "")
            if is_on != should:
                yield f"{ref} pin {pin} is on {is_on or 'nothing'}, not on {should or 'nothing'}."


def _map(drawn: Drawn, given: Given) -> Iterator[str]:
    """The map that the copper makes, against that of the board file."""
    places = dict(given.places)
    told = list(given.pattern.wires) + ([given.pattern.end] if given.pattern.end is not None else [])
    told += [None] * (-len(given.pattern.wires) % 8)
    read: list[str | int | None] = []
    for each in chain.inputs(drawn):
        read.append(chain.nearest(each, places, WITHIN_MM) if isinstance(each, tuple) else each)
    wanted = [0 if each is None else each for each in told]
    for bit, (is_so, should) in enumerate(zip(read, wanted, strict=False)):
        if is_so != should:
            yield f"Bit {bit} of the chain tells {is_so}, not {should}."
    if len(read) != len(wanted):
        yield f"The chain has {len(read)} bits, not {len(wanted)}."
    beside = {
        hole: frame.spot(LIGHT_BESIDE, 0)
        for lane in given.lanes
        for hole, frame in zip(lane, frames([places[hole] for hole in lane]), strict=True)
    }
    beside |= given.pips
    strip = [chain.nearest(at, beside, WITHIN_MM) for at in chain.lights(drawn)]
    if strip != list(given.pattern.lights):
        first = next(
            (n for n, pair in enumerate(zip(strip, given.pattern.lights, strict=False)) if pair[0] != pair[1]),
            len(strip),
        )
        yield f"The pixels' line is wrong from pixel {first} on: it has {len(strip)} of {len(given.pattern.lights)}."


def congruent(one: Sequence[Point], other: Sequence[Point], within: float = 0.1) -> bool:
    """Whether two tiles' places lie alike: one laid upon the other by a turn, without being turned over."""
    return all(dist(a, b) <= within for a, b in zip(fitting.laid(one, one, other), other, strict=True))


def landmarks(given: Given) -> dict[str, Point]:
    """Where a tile's holes and lights lie, by input and pixel. A lane of one hole tells nothing of its light."""
    wires, lights = given.pattern.wires, given.pattern.lights
    found = {f"input {wires.index(hole)}": at for hole, at in given.places.items()}
    for lane in given.lanes:
        if len(lane) > 1:
            run = frames([given.places[hole] for hole in lane])
            found |= {
                f"pixel {lights.index(hole)}": its.spot(LIGHT_BESIDE, 0) for hole, its in zip(lane, run, strict=True)
            }
    return found
