"""What OpenSCAD does not do: sorted STL files, 3MF files without random ids, and the section, from the same sizes.

`python -m hardware.solids.make` reads the STL files and `sizes.scad` beside it.
"""

import re
import struct
import zipfile
from io import BytesIO
from pathlib import Path

from companion.boards.geometry import Point
from companion.plugins.drawing.template import Element, add_element, add_text, create_svg, format_svg

FOLDER = Path(__file__).parent
EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of each file in a 3MF archive, the earliest that the format allows."""

CONTENT_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
)
RELATIONSHIPS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="model" '
    'Target="/3D/3dmodel.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
)
MODEL = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
    '<resources><object id="1" type="model"><mesh>\n'
    "<vertices>{vertices}</vertices>\n<triangles>{triangles}</triangles>\n"
    '</mesh></object></resources><build><item objectid="1"/></build></model>\n'
)

Corner = tuple[float, float, float]


def read_sizes(name: str) -> dict[str, float]:
    """Return the numbers that an OpenSCAD source gives names to, and those that `sizes.scad` computes from them."""
    text = (FOLDER / f"{name}.scad").read_text("utf-8")
    found = {key: float(value) for key, value in re.findall(r"^(\w+) = ([\d.]+);", text, re.MULTILINE)}
    if name == "sizes":
        found["set_back"] = found["gap"] - found["die"] - found["floor_"] - found["air"]
        found["spacer"] = found["package"] + found["air"]
    return found


def read_triangles(stl: bytes) -> list[tuple[Corner, Corner, Corner]]:
    """Return the triangles of a binary STL file."""
    (count,) = struct.unpack_from("<I", stl, 80)
    faces = (struct.unpack_from("<9f", stl, 84 + 50 * n + 12) for n in range(count))
    return [(face[0:3], face[3:6], face[6:9]) for face in faces]


def sort_stl(stl: bytes) -> bytes:
    """Return a binary STL file with its triangles in order: OpenSCAD writes them in another order each time."""
    head, faces = stl[:84], []
    (count,) = struct.unpack_from("<I", stl, 80)
    for n in range(count):
        normal, corners = stl[84 + 50 * n : 96 + 50 * n], stl[96 + 50 * n : 132 + 50 * n]
        first = min((0, 12, 24), key=lambda at: struct.unpack_from("<3f", corners, at))
        faces.append(normal + corners[first:] + corners[:first] + b"\0\0")
    return head + b"".join(sorted(faces, key=lambda face: struct.unpack_from("<9f", face, 12)))


def format_3mf(triangles: list[tuple[Corner, Corner, Corner]]) -> bytes:
    """Return a 3MF file of one object. The same triangles give the same bytes."""
    numbers: dict[Corner, int] = {}
    corners = [[numbers.setdefault(corner, len(numbers)) for corner in face] for face in triangles]
    vertices = "".join(f'<vertex x="{x:g}" y="{y:g}" z="{z:g}"/>' for x, y, z in numbers)
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in corners)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in (
            ("[Content_Types].xml", CONTENT_TYPES),
            ("_rels/.rels", RELATIONSHIPS),
            ("3D/3dmodel.model", MODEL.format(vertices=vertices, triangles=faces)),
        ):
            entry = zipfile.ZipInfo(name, EARLIEST_DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


# The section.

WIDTH_MM, TOP_MM, BOTTOM_MM = 118.0, -17.0, 43.0
SCREW_X, HOLE_X, PICO_X = 12.0, 30.0, 47.0
LABEL_X = 66.0
SCREW_LENGTH_MM = 25.0
SOCKET_HIGH_MM, PINS_HIGH_MM, PICO_HIGH_MM, USB_HIGH_MM = 8.5, 2.5, 1.0, 2.7


def draw_section() -> Element:
    """Return the section through a hole, a screw and the Pico, not to scale along the board."""
    own, peg, frame, foot = (read_sizes(name) for name in ("sizes", "peg", "frame", "foot"))
    wood, floor = own["wood_thick"], own["wood_thick"] + own["floor_"]
    board = floor + own["spacer"]
    under = board + own["board_thick"]
    ground = under + own["frame_high"]
    drawing = create_svg(Point(0, TOP_MM), Point(WIDTH_MM, BOTTOM_MM), scale=2)
    drawing.set("font-family", "sans-serif")
    add_element(drawing, "rect", x=0, y=TOP_MM, width=WIDTH_MM, height=BOTTOM_MM - TOP_MM, fill="#ffffff")

    def block(x: float, y: float, wide: float, high: float, fill: str) -> None:
        add_element(
            drawing, "rect", x=f"{x:g}", y=f"{y:g}", width=f"{wide:g}", height=f"{high:g}", fill=fill, stroke="#333",
            stroke_width=0.15,
        )  # fmt: skip

    def shape(points: list[tuple[float, float]], fill: str) -> None:
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        add_element(drawing, "polygon", points=corners, fill=fill, stroke="#333", stroke_width=0.15)

    right = 60.0
    block(2, 0, right, wood, "#e3c28b")
    block(2, wood, right, own["floor_"], "#dbe9f5")
    block(6, board, right - 4, own["board_thick"], "#3f8f57")
    block(HOLE_X - own["hole"] / 2, 0, own["hole"], wood, "#ffffff")
    block(HOLE_X + 3.45 - 1, 0, 2, wood, "#fff6c9")
    block(6, under, frame["wall"], own["frame_high"], "#9aa7b5")
    block(SCREW_X - 2.5, under, 8, own["frame_high"], "#b6c1cc")
    block(SCREW_X - own["nut"] / 2, under + frame["nut_below"], own["nut"],
          own["frame_high"] - frame["nut_below"], "#ffffff")  # fmt: skip
    block(SCREW_X - own["nut"] / 2, under + frame["nut_below"], own["nut"], own["nut_thick"], "#777777")
    for side in (-1, 1):
        block(SCREW_X + side * 2.6 - 0.9, floor, 1.8, own["spacer"], "#d08a4e")
    block(SCREW_X - 1.5, 0, 3, SCREW_LENGTH_MM, "#555555")
    shape([(SCREW_X - 3, 0), (SCREW_X + 3, 0), (SCREW_X + 1.5, 1.7), (SCREW_X - 1.5, 1.7)], "#555555")
    block(SCREW_X - 2.8, ground - foot["stub_high"], 5.6, foot["stub_high"], "#444444")
    block(SCREW_X - foot["foot"] / 2, ground, foot["foot"], foot["foot_high"], "#444444")
    shaft, collar = own["shaft"] / 2, peg["collar"] / 2
    shape(
        [(HOLE_X - shaft, wood), (HOLE_X + shaft, wood), (HOLE_X + shaft, wood - peg["length"]),
         (HOLE_X + collar, wood - peg["length"] - 2), (HOLE_X + 2, wood - peg["length"] - peg["grip"]),
         (HOLE_X - 2, wood - peg["length"] - peg["grip"]), (HOLE_X - collar, wood - peg["length"] - 2),
         (HOLE_X - shaft, wood - peg["length"])], "#d9534f",
    )  # fmt: skip
    magnet = wood - own["set_back"]
    block(HOLE_X - 1, magnet - own["magnet_length"], 2, own["magnet_length"], "#222222")
    block(HOLE_X - 1, magnet, 2, own["set_back"], "#ffffff")
    block(HOLE_X - 1.5, board - own["package"], 3, own["package"], "#222222")
    die = board - own["package"] + own["die"]
    add_element(
        drawing, "line", x1=HOLE_X - 1.2, y1=f"{die:g}", x2=HOLE_X + 1.2, y2=f"{die:g}", stroke="#ff3b3b",
        stroke_width=0.2,
    )  # fmt: skip
    block(HOLE_X + 3.45 - 1, board - 0.8, 2, 0.8, "#f7f7f7")
    pico = under + SOCKET_HIGH_MM + PINS_HIGH_MM
    for side in (-1, 1):
        block(PICO_X + side * 8.89 - 1.25, under, 2.5, SOCKET_HIGH_MM, "#222222")
        block(PICO_X + side * 8.89 - 1.25, under + SOCKET_HIGH_MM, 2.5, PINS_HIGH_MM, "#222222")
    block(PICO_X - 10.5, pico, 21, PICO_HIGH_MM, "#2e7d46")
    block(PICO_X - 4, pico + PICO_HIGH_MM, 8, USB_HIGH_MM, "#aaaaaa")

    labels = (
        (HOLE_X + 2, -10.0, "peg, printed"),
        (HOLE_X, magnet - 1.5, f"magnet, set back {own['set_back']:.2f} mm"),
        (58, wood / 2, f"wood, {wood:g} mm (+ 0.2, - 1)"),
        (58, wood + own["floor_"] / 2, f"opal sheet, {own['floor_']:.1f} mm"),
        (HOLE_X + 1.2, die, f"die of the switch: {own['gap']:.2f} mm below the magnet"),
        (HOLE_X + 4, board - 0.4, "light, below its hole of 2 mm"),
        (SCREW_X + 3.4, floor + own["spacer"] / 2, f"spacer, {own['spacer']:.2f} mm"),
        (58, board + own["board_thick"] / 2, f"circuit board, {own['board_thick']:g} mm"),
        (PICO_X + 10, pico + 0.5, "Pico in its sockets, USB at the back"),
        (
            SCREW_X + own["nut"] / 2,
            under + frame["nut_below"] + 1.2,
            f"screw M3 x {SCREW_LENGTH_MM:g}, countersunk, and nut",
        ),
        (SCREW_X + 5, under + 16, f"frame, {own['frame_high']:g} mm"),
        (SCREW_X + 6, ground + 2, "foot, pressed into the frame"),
    )
    for n, (x, y, text) in enumerate(labels):
        level = TOP_MM + 5 + 4.4 * n
        leader = f"{x:g},{y:g} {LABEL_X - 2:g},{level:g} {LABEL_X - 0.7:g},{level:g}"
        add_element(drawing, "polyline", points=leader, fill="none", stroke="#0b4a8f", stroke_width=0.15)
        add_element(drawing, "circle", cx=f"{x:g}", cy=f"{y:g}", r=0.35, fill="#0b4a8f")
        add_text(drawing, text, LABEL_X, level + 0.8, font_size=2.3)
    return drawing


def main() -> None:
    """Sort each STL file, write its 3MF file, and the section."""
    for path in sorted(FOLDER.glob("*.stl")):
        path.write_bytes(sort_stl(path.read_bytes()))
        path.with_suffix(".3mf").write_bytes(format_3mf(read_triangles(path.read_bytes())))
    (FOLDER / "section.svg").write_bytes(format_svg(draw_section()))


if __name__ == "__main__":
    main()
