"""What ngspice finds for the stored boards."""

from hardware.pcb.boardfile import Drawn
from hardware.pcb.parts import LIGHT
from hardware.spice import clock, supply
from hardware.spice.clock import ClockEdge
from hardware.spice.run import record_voltage, run_ngspice

LIMIT_MA = 2000
"""Default of `limit_ma`, the current of all lights of a board together."""
FULL_LIGHT_MA = 60
LOOP_CHAIN = 1, 8
"""Tiles of `loop-60`, and registers on each."""
LONGEST_CHAIN = 26, 2
"""The same of `classic`."""
LONG_CHAIN_OHM = 470
"""R1 of the boards at which long chains begin."""
SMOOTH_OHM, SMOOTH_PF = 220, 1000
"""What the guide has soldered instead if the edge still dips: R1, and from there to ground."""
HYSTERESIS_V = 0.3
"""Least hysteresis of a 74HCS165 at 3.3 V, between its data sheet's 0.2 V at 2 V and 0.4 V at 4.5 V."""
STEP_S, END_S = 1e-9, 1.2e-6


def find_lowest_voltage(drawn: Drawn) -> tuple[str, float]:
    """Return the light with the lowest voltage and this voltage, if all lights are lit evenly within the limit.

    A light draws at most FULL_LIGHT_MA, also on a tile with few of them.
    """
    count = sum(part.value == LIGHT.value for part in drawn.parts.values())
    return _find_lowest(*supply.build_circuit(drawn, min(FULL_LIGHT_MA, LIMIT_MA / count)))


def find_lowest_voltage_of_feed(drawn: Drawn, tiles: int, lights_in_all: int) -> tuple[str, float]:
    """Return the same for the last of several tiles on one pair of wires, all lights of the whole board being lit."""
    own = sum(part.value == LIGHT.value for part in drawn.parts.values())
    light_ma = LIMIT_MA / lights_in_all
    elsewhere = (lights_in_all - own * tiles) * light_ma
    return _find_lowest(*supply.build_circuit(drawn, light_ma, tiles_before=tiles - 1, elsewhere_ma=elsewhere))


def _find_lowest(lines: list[str], lights: list[str]) -> tuple[str, float]:
    asked = [f"let volts_{ref} = v(p_{ref})-v(g_{ref})\nprint volts_{ref}" for ref in lights]
    found = run_ngspice(["drop of 5 V", *lines, ".control", "op", *asked, ".endc", ".end"])
    volts = {ref: found[f"volts_{ref}".lower()] for ref in lights}
    lowest = min(volts, key=lambda ref: volts[ref])
    return lowest, volts[lowest]


def find_clock_edge(
    tiles: int, registers_per_tile: int, series_ohm: float = clock.SERIES_OHM, head_pf: float = 0, node: str = "last"
) -> ClockEdge:
    """Return the rise of the clock at a node of a chain of tiles, by default at its last registers."""
    lines = clock.build_circuit(tiles, registers_per_tile, series_ohm, head_pf)
    return clock.find_edge(record_voltage(lines, node, STEP_S, END_S))
