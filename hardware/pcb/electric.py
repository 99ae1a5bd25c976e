"""The electrical rules of our own: what KiCad's check of copper cannot know. Pure; reads a drawn board."""

from collections.abc import Iterator
from math import dist

from hardware.pcb.boardfile import Drawn, Part
from hardware.pcb.parts import BY_VALUE, FROM_PICO, KEYED_RIBBON, RIBBON, WIRES

SUPPLIES = ("3V3", "5V", "GND")
NEAR_MM = 5.5
"""So near to its chip a capacitor must lie."""


def complaints(drawn: Drawn) -> Iterator[str]:
    """A sentence for each rule that is broken."""
    for part in drawn.parts.values():
        if part.value not in BY_VALUE:
            yield f"{part.ref} is {part.value}, which is no part of ours."
    yield from _supplies(drawn)
    yield from _outputs(drawn)
    yield from _inputs(drawn)
    yield from _capacitors(drawn)


def _pins(part: Part) -> Iterator[tuple[str, str, str, str]]:
    """Number, name, sort and net of each pin."""
    if part.value in BY_VALUE:
        for pin, (name, sort) in BY_VALUE[part.value].pins.items():
            yield pin, name, sort, part.pins.get(pin, "")


def _supplies(drawn: Drawn) -> Iterator[str]:
    for part in drawn.parts.values():
        for pin, name, sort, net in _pins(part):
            wanted = "GND" if name == "GND" else BY_VALUE[part.value].supply
            if sort == "supply" and net != wanted:
                yield f"{part.ref} pin {pin} ({name}) is on {net or 'nothing'}, not on {wanted}."


def _outputs(drawn: Drawn) -> Iterator[str]:
    drives: dict[str, list[str]] = {}
    for part in drawn.parts.values():
        for pin, name, sort, net in _pins(part):
            if sort == "out" and net:
                drives.setdefault(net, []).append(f"{part.ref} pin {pin} ({name})")
    for net, those in sorted(drives.items()):
        if net in SUPPLIES:
            yield f"{those[0]} is an output on {net}."
        elif len(those) > 1:
            yield f"{' and '.join(those)} are outputs on one net, {net}."


def _driven(drawn: Drawn) -> set[str]:
    """The nets that something drives: a supply, an output, a wire of the ribbon; through a resistor too."""
    driven = set(SUPPLIES)
    for part in drawn.parts.values():
        driven |= {net for _, _, sort, net in _pins(part) if sort == "out"}
        if part.value in (RIBBON.value, KEYED_RIBBON.value):
            gives = FROM_PICO if part.ref == "J1" else ("BITS",)
            driven |= {part.pins[str(n)] for n, wire in enumerate(WIRES, 1) if wire in gives}
    resistors = [tuple(part.pins.values()) for part in drawn.parts.values() if part.ref.startswith("R")]
    for _ in resistors:
        driven |= {b for a, b in resistors if a in driven} | {a for a, b in resistors if b in driven}
    return driven - {""}


def _inputs(drawn: Drawn) -> Iterator[str]:
    driven = _driven(drawn)
    for part in drawn.parts.values():
        for pin, name, sort, net in _pins(part):
            if sort == "in" and net not in driven:
                yield f"{part.ref} pin {pin} ({name}) is an input that nothing drives."
    pulled = {
        net
        for part in drawn.parts.values()
        if part.value == "10k" and "3V3" in part.pins.values()
        for net in part.pins.values()
    }
    for part in drawn.parts.values():
        if part.value == "DRV5032AJ" and part.pins.get("2", "") not in pulled:
            yield f"{part.ref} has an open drain and no pull-up."


def _capacitors(drawn: Drawn) -> Iterator[str]:
    """A capacitor counts for one chip, the nearest on its supply."""
    chips = [part for part in drawn.parts.values() if part.value in BY_VALUE and BY_VALUE[part.value].supply]
    served = set()
    for cap in (part for part in drawn.parts.values() if part.value == "100nF"):
        near = sorted(
            (dist(cap.at, chip.at), chip.ref)
            for chip in chips
            if set(cap.pins.values()) == {BY_VALUE[chip.value].supply, "GND"}
        )
        served |= {ref for far, ref in near[:1] if far <= NEAR_MM}
    for chip in chips:
        if chip.ref not in served:
            yield f"{chip.ref} has no capacitor from {BY_VALUE[chip.value].supply} to ground beside it."
