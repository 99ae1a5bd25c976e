"""The clock's edge along a chain: the Pico, its resistor, and for each tile a ribbon, a track and inputs. Pure."""

from math import ceil
from typing import NamedTuple

PICO_OHM = 40.0
"""Output of an RP2040 at its default strength, about 3.3 V minus 0.5 V at 12 mA."""
PICO_RISE_NS = 3.0
SERIES_OHM = 100.0
INPUT_PF = 10.0
"""Largest input capacitance of a 74HCS165 in most data sheets of the family; 5 is usual."""
RIBBON_OHM, RIBBON_NS_PER_M = 110.0, 5.0
TRACK_OHM, TRACK_NS_PER_M = 75.0, 6.0
FIRST_RIBBON_M, RIBBON_M, TRACK_M = 0.30, 0.05, 0.05
"""From the Pico, from tile to tile, and along a tile."""
COPPER_OHM_PER_M = 2.5
"""Of a track of 0.2 mm; a ribbon's wire has 0.2."""
STEP_M = 0.05
SUPPLY_V = 3.3
LOW_V, HIGH_V = 0.8, 2.0
"""Between these the edge must rise once, as measurement 3 of the guide says."""


class ClockEdge(NamedTuple):
    """The rise from LOW_V to HIGH_V in nanoseconds, and the deepest dip on the way in volts."""

    rise_ns: float
    dip_v: float


def build_circuit(tiles: int, registers_per_tile: int, series_ohm: float = SERIES_OHM, head_pf: float = 0) -> list[str]:
    """Return the lines of a chain of tiles. `tile0` is the clock behind the resistor, `last` that at the last tile.

    `head_pf` is a capacitor from `tile0` to ground.

    Ribbons and tracks are ladders of steps that are short against the edge, with their resistance.
    """
    lines = [
        f"vclk drive 0 pulse(0 {SUPPLY_V} 20n {PICO_RISE_NS}n {PICO_RISE_NS}n 2u 4u)",
        f"rout drive pico {PICO_OHM}",
    ]
    at = _add_line(lines, "pico", "first", FIRST_RIBBON_M, RIBBON_OHM, RIBBON_NS_PER_M)
    lines.append(f"rseries {at} tile0 {series_ohm}")
    if head_pf:
        lines.append(f"chead tile0 0 {head_pf:g}p")
    at = "tile0"
    for n in range(tiles):
        at = _add_line(lines, at, f"track{n}", TRACK_M, TRACK_OHM, TRACK_NS_PER_M)
        lines.append(f"cin{n} {at} 0 {registers_per_tile * INPUT_PF:g}p")
        if n < tiles - 1:
            at = _add_line(lines, at, f"ribbon{n}", RIBBON_M, RIBBON_OHM, RIBBON_NS_PER_M)
    return [*lines, f"rlast {at} last 1e-3", "clast last 0 1e-15"]


def _add_line(lines: list[str], start: str, name: str, long_m: float, ohm: float, ns_per_m: float) -> str:
    """Add a line as a ladder of steps of at most STEP_M. Return its far end."""
    steps = ceil(long_m / STEP_M)
    delay = long_m * ns_per_m / steps
    for n in range(steps):
        middle, end = f"{name}m{n}", f"{name}e{n}"
        lines.append(f"l{name}x{n} {start} {middle} {delay * ohm:g}n")
        lines.append(f"r{name}x{n} {middle} {end} {long_m * COPPER_OHM_PER_M / steps:g}")
        lines.append(f"c{name}x{n} {end} 0 {1000 * delay / ohm:g}p")
        start = end
    return start


def find_edge(samples: list[tuple[float, float]]) -> ClockEdge:
    """Return the rise of a recorded edge: pairs of seconds and volts, in the order of time.

    It ends where the voltage stays above HIGH_V. A dip is a fall below a voltage that was reached before.
    """
    first = next(n for n, (_, volts) in enumerate(samples) if volts > LOW_V)
    last = max(n for n, (_, volts) in enumerate(samples) if volts <= HIGH_V) + 1
    reached, dip = 0.0, 0.0
    for _, volts in samples[first : last + 1]:
        reached = max(reached, volts)
        dip = max(dip, reached - volts)
    return ClockEdge(1e9 * (samples[last][0] - samples[first][0]), dip)
