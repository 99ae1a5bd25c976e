"""Files for the assembly house JLCPCB, written from a stored board without KiCad: `python -m hardware.pcb.fab FOLDER…`.

The house's rules for both lists: https://jlcpcb.com/help/article/advice-for-bom-and-cpl-files-preparation (2026-01-19).
"""

import csv
import io
import re
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from companion.plugins.drawing.bill_of_materials import find_lcsc_number
from hardware.pcb.boardfile import Drawn, Part, read
from hardware.pcb.interactive_bom import format_page
from hardware.pcb.papers import describe_status, format_csv
from hardware.pcb.parts import BY_VALUE, CLAMP

BOM_COLUMNS = ("Comment", "Designator", "Footprint", "JLCPCB Part #")
CPL_COLUMNS = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
MAX_DESIGNATORS_PER_ROW = 200
ROTATIONS = Path(__file__).with_name("jlcpcb-rotations.csv")
EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of each file in an archive, the earliest that the format allows."""

DATES = (
    re.compile(rb"^(?:%|; #@! )TF\.CreationDate,.*\n", re.MULTILINE),
    re.compile(rb" date [^*\n]*(?=\*?$)", re.MULTILINE),
)

README = """\
{name}: files for JLCPCB, or for another house that reads the same format.
{status}

{name}-gerbers.zip   the bare board
{name}-bom.csv       the parts that the house fits, all from above
{name}-cpl.csv       where it fits them
{name}-pin-1.svg     pin 1 of each part with a direction: compare it with the preview before you pay

An empty "JLCPCB Part #" is a number that is not confirmed: search for the Comment in the house's catalogue.
"""


class HouseFootprint(NamedTuple):
    """What the house calls a footprint, and the degrees that it adds to KiCad's angle."""

    package: str
    add_degrees: float


@cache
def load_house_footprints() -> dict[str, HouseFootprint]:
    """Return the footprints that the house fits, by their names in KiCad."""
    with ROTATIONS.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return {row["footprint"]: HouseFootprint(row["package"], float(row["add_degrees"])) for row in rows}


def list_fitted_parts(drawn: Drawn) -> list[Part]:
    """Return the parts that the house fits: those from above with a footprint of its table, in natural order."""
    fitted = [part for part in drawn.parts.values() if part.top and footprint_name(part) in load_house_footprints()]
    return sorted(fitted, key=lambda part: (part.ref[0], int(part.ref[1:])))


def footprint_name(part: Part) -> str:
    """Return the name of the footprint without its library."""
    return part.footprint.split(":")[-1]


def format_bom(drawn: Drawn) -> str:
    """Return the house's list of parts as CSV."""
    alike: dict[str, list[Part]] = {}
    for part in list_fitted_parts(drawn):
        alike.setdefault(part.value, []).append(part)
    rows = []
    for value, parts in alike.items():
        mpn = BY_VALUE[value].number
        comment = mpn if mpn.startswith(value) else f"{value} {mpn}"
        package = load_house_footprints()[footprint_name(parts[0])].package
        rows += [
            (comment, ",".join(part.ref for part in parts[n : n + MAX_DESIGNATORS_PER_ROW]), package,
             find_lcsc_number(mpn))
            for n in range(0, len(parts), MAX_DESIGNATORS_PER_ROW)
        ]  # fmt: skip
    return format_csv(BOM_COLUMNS, rows)


def format_placements(drawn: Drawn) -> str:
    """Return where the house fits each part as CSV: millimetres, y upwards as in the Gerber files, its own angles."""
    rows = [
        (part.ref, f"{part.at[0]:.3f}", f"{-part.at[1]:.3f}", "Top",
         f"{(part.turn + load_house_footprints()[footprint_name(part)].add_degrees) % 360:.2f}")
        for part in list_fitted_parts(drawn)
    ]  # fmt: skip
    return format_csv(CPL_COLUMNS, rows)


def pack_gerbers(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of the Gerber and drill files without dates: the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(files.items()):
            if not name.endswith((".gbr", ".drl")):
                continue
            entry = zipfile.ZipInfo(name, EARLIEST_DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, remove_dates(data), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def remove_dates(data: bytes) -> bytes:
    """Return a Gerber or drill file without the time at which KiCad wrote it."""
    for date in DATES:
        data = date.sub(b"", data)
    return data


def draw_pin_1(name: str, drawn: Drawn) -> str:
    """Return a picture of the board from above as SVG: the pads of each part with a direction, pin 1 in red."""
    shown = {part.ref: part for part in list_fitted_parts(drawn) if len(part.pins) > 2 or part.value == CLAMP.value}
    points = [end for line in drawn.edge for end in line]
    left, top = (min(point[axis] for point in points) - 3 for axis in (0, 1))
    wide, high = (max(point[axis] for point in points) + 3 - (left, top)[axis] for axis in (0, 1))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.1f} {top - 6:.1f} {wide:.1f} {high + 6:.1f}" '
        f'width="{8 * wide:.0f}" font-family="sans-serif" font-size="1.6" text-anchor="middle">',
        f"<title>{name}: pin 1 of each part that has a direction</title>",
        "<style>.edge{stroke:#222;stroke-width:.2}.pad{fill:#bbb;stroke:#bbb}.one{fill:#d00;stroke:#d00}"
        "polygon{stroke-linejoin:round}</style>",
        f'<rect x="{left:.1f}" y="{top - 6:.1f}" width="{wide:.1f}" height="{high + 6:.1f}" fill="#fff"/>',
        f'<text x="{left + wide / 2:.1f}" y="{top - 2:.1f}" font-size="3">{name} from above. Pin 1 is red.</text>',
        *(f'<line class="edge" x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"/>' for a, b in drawn.edge),
    ]
    for pad in drawn.pads:
        ref, pin = pad.owner.split(".", 1)
        if ref in shown:
            corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in pad.shape.points)
            mark = "one" if pin == "1" else "pad"
            lines.append(f'<polygon class="{mark}" stroke-width="{2 * pad.shape.radius:.2f}" points="{corners}"/>')
    for ref, part in shown.items():
        size, (x, y) = 1.4 if ref[0] == "U" else 0.8, part.at
        lines.append(f'<text x="{x:.2f}" y="{y + 0.4:.2f}" font-size="{size}">{ref}</text>')
    return "\n".join([*lines, "</svg>", ""])


def write_fab_files(folder: Path) -> None:
    """Write lists, picture and note of a board into its folder `fab`, and the page of its parts beside the board."""
    name, fab = folder.name, folder / "fab"
    drawn = read((folder / f"{name}.kicad_pcb").read_text("utf-8"))
    fab.mkdir(exist_ok=True)
    for suffix, text in (
        ("bom.csv", format_bom(drawn)),
        ("cpl.csv", format_placements(drawn)),
        ("pin-1.svg", draw_pin_1(name, drawn)),
    ):
        (fab / f"{name}-{suffix}").write_text(text, "utf-8")
    bill = (folder / f"{name}-bom.csv").read_text("utf-8")
    (folder / f"{name}-bom.html").write_text(format_page(name, drawn, bill), "utf-8")
    (fab / "README.txt").write_text(README.format(name=name, status=describe_status(name)), "utf-8")


def main() -> None:
    """Write the files of each board that is named."""
    for folder in map(Path, sys.argv[1:]):
        write_fab_files(folder)


if __name__ == "__main__":
    main()
