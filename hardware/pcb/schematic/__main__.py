"""The command `python -m hardware.pcb.schematic FOLDER…`."""

import sys
from pathlib import Path

from companion.plugins.drawing.template import format_svg
from hardware.pcb.given import all_told
from hardware.pcb.laying import given
from hardware.pcb.schematic.pdf import format_pdf
from hardware.pcb.schematic.sheets import draw_sheets


def write_schematic(folder: Path) -> None:
    """Write the schematic of a board's folder: a PDF file, and an SVG file for each sheet."""
    name = folder.name
    told = next(each for each in all_told() if each["name"] == name)
    sheets = draw_sheets(given(told).pattern)
    into = folder / "schematic"
    into.mkdir(parents=True, exist_ok=True)
    for old in into.iterdir():
        old.unlink()
    (into / f"{name}.pdf").write_bytes(format_pdf(f"{name}, schematic", sheets))
    for n, sheet in enumerate(sheets, 1):
        (into / f"{name}-{n}-{sheet.title.replace(' ', '-')}.svg").write_bytes(format_svg(sheet.drawing))


def main() -> None:
    """Write the schematic of each board that is named."""
    for folder in map(Path, sys.argv[1:]):
        write_schematic(folder)


if __name__ == "__main__":
    main()
