"""From the wiring map to a circuit: which pin of which part is on which net. Pure.

A pattern is one circuit board: a sensor and a light for each of its holes, registers, and what feeds them. Numbers
within it follow the chain: S1 is the hole that is clocked in first, D1 the first light of its strip.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.pcb.parts import (
    BULK,
    CLAMP,
    FEED,
    FIDUCIAL,
    GUARD,
    INPUTS,
    INTO,
    KEYED_RIBBON,
    LARGE,
    LIGHT,
    LONG_SERIES,
    PANEL,
    PANEL_WIRES,
    PICO_PINS,
    POWER,
    PULL,
    REGISTER,
    RIBBON,
    SCREW,
    SENSOR,
    SERIES,
    SHIFTER,
    SMALL,
    SMALL_SCREW,
    SOCKET,
    WIRE_PINS,
    WIRES,
    Kind,
)

FIRST_PULL = 10
"""R11 pulls up the output of S1, R12 that of S2, and so on."""

WITH_PICO = ("loop",)
"""Patterns that carry the Pico in sockets, and protect their 5 V input."""
PICO_ROW_PINS = 20
LONG_CHAIN_HEADS = ("end", "first-pair")
"""Patterns at which chains of 14 to 26 boards begin: their clock has a larger resistor."""


@dataclass(frozen=True)
class Pattern:
    """What the wiring map says of one circuit board."""

    name: str
    wires: tuple[str | int | None, ...]
    """For each input, that which is clocked in first first: a hole, a level (1 is what a peg gives), or nothing."""
    lights: tuple[str, ...]
    """The holes in the order of the strip of pixels."""
    head: bool
    """Whether the Pico is plugged in here: then the level of the pixels' line is raised, and BITS pulled up."""
    end: int | None
    """The level at the serial input of the last register; None where another board follows."""


@dataclass(frozen=True)
class Placed:
    """A part of the circuit: its kind, its nets by pin, and what it belongs to (a hole, a chip, or "")."""

    ref: str
    kind: Kind
    nets: dict[str, str]
    of: str = ""


def circuit(pattern: Pattern) -> dict[str, Placed]:
    """All parts of a pattern by their names."""
    parts = [*_holes(pattern), *_registers(pattern), *_edges(pattern)]
    return {each.ref: each for each in parts}


def _holes(pattern: Pattern) -> Iterator[Placed]:
    holes = [wire for wire in pattern.wires if isinstance(wire, str)]
    for n, hole in enumerate(holes, 1):
        yield Placed(f"S{n}", SENSOR, {"1": "3V3", "2": f"hole {hole}", "3": "GND"}, hole)
        yield Placed(f"C{n}", SMALL, {"1": "3V3", "2": "GND"}, f"S{n}")
        yield Placed(f"R{FIRST_PULL + n}", PULL, {"1": "3V3", "2": f"hole {hole}"}, f"S{n}")
    last = len(pattern.lights)
    for n, hole in enumerate(pattern.lights, 1):
        out = f"pixel {n + 1}" if n < last else ("" if pattern.end is not None else "PIXELS ON")
        yield Placed(f"D{n}", LIGHT, {"1": out, "2": "GND", "3": f"pixel {n}", "4": "5V"}, hole)
        yield Placed(f"C{len(holes) + n}", SMALL, {"1": "5V", "2": "GND"}, f"D{n}")


def _level(wire: str | int | None) -> str:
    """The net of an input: a sensor gives 0 V at a peg, so the level 1 is ground; a gap is as no peg."""
    return f"hole {wire}" if isinstance(wire, str) else ("GND" if wire == 1 else "3V3")


def _registers(pattern: Pattern) -> Iterator[Placed]:
    count = -(-len(pattern.wires) // 8)
    for k in range(count):
        eight = [*pattern.wires[8 * k : 8 * k + 8], *[None] * 8][:8]
        nets = {INPUTS[name]: _level(wire) for name, wire in zip("HGFEDCBA", eight, strict=True)}
        further = _level(pattern.end) if pattern.end is not None else "BITS ON"
        nets |= {
            "1": "LOAD", "2": "CLK", "7": "", "8": "GND", "9": f"bits {k}" if k else "BITS",
            "10": f"bits {k + 1}" if k + 1 < count else further, "15": "GND", "16": "3V3",
        }  # fmt: skip
        yield Placed(f"U{k + 1}", REGISTER, nets)
        yield Placed(f"C{_caps(pattern) + k + 1}", SMALL, {"1": "3V3", "2": "GND"}, f"U{k + 1}")


def _caps(pattern: Pattern) -> int:
    return len([wire for wire in pattern.wires if isinstance(wire, str)]) + len(pattern.lights)


def _edges(pattern: Pattern) -> Iterator[Placed]:
    """Ribbons, supply, and on the head what meets the Pico."""
    cap = _caps(pattern) + -(-len(pattern.wires) // 8)
    near = {"CLK": "CLK IN", "LOAD": "LOAD IN", "PIXELS": "PIXELS IN"} if pattern.head else {"PIXELS": "pixel 1"}
    with_pico = pattern.name in WITH_PICO
    yield Placed(
        "J1", KEYED_RIBBON if with_pico else RIBBON, {str(n): near.get(wire, wire) for n, wire in enumerate(WIRES, 1)}
    )
    if pattern.end is None:
        far = {"BITS": "BITS ON", "PIXELS": "PIXELS ON"}
        yield Placed("J2", RIBBON, {str(n): far.get(wire, wire) for n, wire in enumerate(WIRES, 1)})
        yield Placed("R5", PULL, {"1": "BITS ON", "2": "3V3"})
    feed = "5V IN" if with_pico else "5V"
    yield Placed("J3", FEED if pattern.end is None else POWER, {"1": feed, "2": "GND"})
    if with_pico:
        yield from _pico_and_protection(near)
    yield Placed(f"C{cap + 1}", LARGE, {"1": "5V", "2": "GND"})
    if not pattern.head:
        return
    yield Placed(f"C{cap + 2}", BULK, {"1": "5V", "2": "GND"})
    yield Placed(f"C{cap + 3}", SMALL, {"1": "5V", "2": "GND"}, "U90")
    yield Placed("R1", LONG_SERIES if pattern.name in LONG_CHAIN_HEADS else SERIES, {"1": "CLK IN", "2": "CLK"})
    yield Placed("R2", SERIES, {"1": "LOAD IN", "2": "LOAD"})
    yield Placed("R3", INTO, {"1": "pixels raised", "2": "pixel 1"})
    yield Placed("R4", PULL, {"1": "BITS", "2": "3V3"})
    off = {pin: net for n in (4, 10, 13) for pin, net in ((str(n), "5V"),)}
    yield Placed("U90", SHIFTER, off | {
        "1": "GND", "2": "PIXELS IN", "3": "pixels raised", "5": "GND", "6": "", "7": "GND",
        "8": "", "9": "GND", "11": "", "12": "GND", "14": "5V",
    })  # fmt: skip


def _pico_and_protection(near: Mapping[str, str]) -> Iterator[Placed]:
    """Sockets for the Pico, the header of its panel, and what guards the 5 V input."""
    wires = {WIRE_PINS[wire]: near.get(wire, wire) for wire in WIRE_PINS}
    panel = {name: name for name in PANEL_WIRES}  # VBUS stays open: the supply must not feed the computer
    nets = {pin: (wires | panel).get(name, "") for pin, name in enumerate(PICO_PINS, 1)}
    rows = ("J4", range(1, PICO_ROW_PINS + 1)), ("J5", range(2 * PICO_ROW_PINS, PICO_ROW_PINS, -1))
    for ref, row in rows:
        yield Placed(ref, SOCKET, {str(n): nets.get(pin, "") for n, pin in enumerate(row, 1)})
    yield Placed("J6", PANEL, {str(n): wire for n, wire in enumerate(PANEL_WIRES, 1)})
    yield Placed("Q1", GUARD, {"1": "GND", "2": "5V", "3": "5V IN"})
    yield Placed("Z1", CLAMP, {"1": "5V", "2": "GND"})  # behind Q1: a reversed supply must not run through it
    yield Placed("R6", PULL, {"1": near["PIXELS"], "2": "GND"})  # without a Pico the pixels stay dark


def screws(count: int, *, small: bool) -> list[Placed]:
    """So many holes for screws."""
    return [Placed(f"H{n}", SMALL_SCREW if small else SCREW, {}) for n in range(1, count + 1)]


def fiducials(count: int) -> list[Placed]:
    """So many marks by which the house's machine finds the board."""
    return [Placed(f"F{n}", FIDUCIAL, {}) for n in range(1, count + 1)]


def is_fitted(ref: str) -> bool:
    """Whether this is a part, and not a hole for a screw or a mark."""
    return not ref.startswith(("H", "F"))
