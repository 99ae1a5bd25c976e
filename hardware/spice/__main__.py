"""The command `python -m hardware.spice`: print the lowest 5 V of each board, and edges of the clock."""

from pathlib import Path

from hardware.pcb.boardfile import read
from hardware.spice.measure import (
    LONG_CHAIN_OHM,
    LONGEST_CHAIN,
    LOOP_CHAIN,
    SMOOTH_OHM,
    SMOOTH_PF,
    find_clock_edge,
    find_lowest_voltage,
)

BOARDS = Path(__file__).parents[1] / "pcb" / "boards"


def main() -> None:
    """Print a line for each board, and one for each clock."""
    for folder in sorted(BOARDS.iterdir()):
        drawn = read((folder / f"{folder.name}.kicad_pcb").read_text("utf-8"))
        light, volts = find_lowest_voltage(drawn)
        print(f"{folder.name}: {volts:.2f} V at {light}, the lowest")
    for text, edge in (
        ("loop-60", find_clock_edge(*LOOP_CHAIN)),
        ("classic, 100 ohm", find_clock_edge(*LONGEST_CHAIN)),
        ("classic, 470 ohm, as drawn", find_clock_edge(*LONGEST_CHAIN, LONG_CHAIN_OHM)),
        ("classic, 220 ohm and 1 nF", find_clock_edge(*LONGEST_CHAIN, SMOOTH_OHM, SMOOTH_PF)),
    ):
        print(f"clock of {text}: 0.8 to 2.0 V in {edge.rise_ns:.0f} ns, deepest dip {edge.dip_v:.2f} V")


if __name__ == "__main__":
    main()
