"""The solids in `hardware/solids`: the printable ones are closed, and as large as their sources say."""

import re
import struct
import zipfile
from io import BytesIO
from itertools import combinations
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.boards import catalog
from companion.plugins.drawing import bill_of_materials
from companion.plugins.drawing.template import SCREW_HOLE_DIAMETER_MM, build_template, format_svg
from hardware.pcb.boardfile import read as read_board
from hardware.solids import make

SOLIDS = Path(__file__).parents[1] / "hardware" / "solids"


def sizes(*names):
    """The numbers that OpenSCAD sources give names to."""
    found = {}
    for name in names:
        text = (SOLIDS / f"{name}.scad").read_text("utf-8")
        found |= {key: float(value) for key, value in re.findall(r"^(\w+) = ([\d.]+);", text, re.MULTILINE)}
    return found


def triangles(name):
    data = (SOLIDS / f"{name}.stl").read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    return [struct.unpack_from("<9f", data, 84 + 50 * n + 12) for n in range(count)]


def box(faces):
    """Width, depth and height."""
    return tuple(max(f[i] for f in faces for i in range(k, 9, 3)) - min(f[i] for f in faces for i in range(k, 9, 3))
                 for k in range(3))  # fmt: skip


def volume(faces):
    total = 0.0
    for ax, ay, az, bx, by, bz, cx, cy, cz in faces:
        total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return total / 6


NAMES = ["peg", "jig", "wood", "frame", "foot", "spacer", "pico"]


@pytest.mark.parametrize("name", NAMES)
def test_a_solid_is_closed(name):
    edges = {}
    for face in triangles(name):
        corners = [face[0:3], face[3:6], face[6:9]]
        for n in range(3):
            edge = (corners[n], corners[(n + 1) % 3])
            edges[edge] = edges.get(edge, 0) + 1
    assert all(edges.get((b, a), 0) == count for (a, b), count in edges.items())


def test_the_peg_has_its_length_and_magnet():
    own = sizes("sizes", "peg")
    faces = triangles("peg")
    assert box(faces)[2] == pytest.approx(own["length"] + own["grip"], abs=0.01)
    set_back = own["gap"] - own["die"] - own["floor_"] - own["air"]
    assert set_back == pytest.approx(0.85)
    depth = set_back + own["magnet_length"] + 0.2
    pocket = [face for face in faces if all(abs(z - depth) < 0.01 for z in face[2::3])]
    across = max(x for face in pocket for x in face[0::3]) - min(x for face in pocket for x in face[0::3])
    assert across == pytest.approx(own["magnet"] + own["fit"], abs=0.02)
    assert own["shaft"] < own["hole"]
    assert (own["shaft"] - across) / 2 > 0.4  # a wall that a printer can make


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_two_pegs_in_neighbouring_holes_do_not_touch(name):
    collar = sizes("sizes", "peg")["collar"]
    assert collar == pytest.approx(box(triangles("peg"))[0], abs=0.05)
    places = [(hole.x_mm, hole.y_mm) for hole in catalog.load_board(name).holes]
    assert min(dist(a, b) for a, b in combinations(places, 2)) > collar + 0.2


def test_the_jig_has_five_pins():
    own = sizes("sizes", "jig")
    set_back = own["gap"] - own["die"] - own["floor_"] - own["air"]
    heights = {round(z, 2) for face in triangles("jig") for z in face[2::3] if 0 < z < 4}
    assert heights == {round(set_back + (n - 2) * own["step"], 2) for n in range(5)}
    assert box(triangles("jig"))[:2] == (5 * own["pitch"], 12)


def test_the_wood_has_fifteen_holes():
    own = sizes("sizes", "wood")
    width, depth, height = 4 * 7 + 12, 2 * 8 + 12, own["wood_thick"] + own["floor_"]
    assert box(triangles("wood")) == pytest.approx((width, depth, height))
    pocket = (width - 4) * (depth - 4) * own["floor_"]
    hole = 24 / 2 * (own["hole"] / 2) ** 2 * 0.258819 * own["wood_thick"]  # a prism of 24 sides: sin 15°
    assert volume(triangles("wood")) == pytest.approx(width * depth * height - pocket - 15 * hole, rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_triangles_in_another_order_give_equal_bytes(name):
    stored = (SOLIDS / f"{name}.stl").read_bytes()
    entries = [stored[at : at + 50] for at in range(84, len(stored), 50)]
    turned = [each[:12] + each[24:48] + each[12:24] + each[48:] for each in reversed(entries)]
    assert turned != entries
    assert make.sort_stl(stored[:84] + b"".join(turned)) == stored


@pytest.mark.parametrize("name", NAMES)
def test_the_3mf_has_the_stls_triangles(name):
    stored = (SOLIDS / f"{name}.3mf").read_bytes()
    faces = triangles(name)
    assert make.format_3mf([(face[0:3], face[3:6], face[6:9]) for face in faces]) == stored
    with zipfile.ZipFile(BytesIO(stored)) as archive:
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    space = {"m": "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"}
    corners = [tuple(float(each.get(axis)) for axis in "xyz") for each in model.iterfind(".//m:vertex", space)]
    read = [[corners[int(each.get(v))] for v in ("v1", "v2", "v3")] for each in model.iterfind(".//m:triangle", space)]
    assert model.get("unit") == "millimeter"
    assert [sum(face, ()) for face in read] == [pytest.approx(face, abs=1e-3) for face in faces]


def test_the_spacers_keep_the_gap():
    own = sizes("sizes")
    assert box(triangles("spacer"))[2] == pytest.approx(own["package"] + own["air"], abs=0.001)
    above_die = own["package"] + own["air"] + own["floor_"] - (own["package"] - own["die"])
    assert above_die + 0.85 == pytest.approx(own["gap"])  # 0.85: the jig sets the magnet back


def screw_places(board):
    """Where a circuit board has holes for screws, to a hundredth of a millimetre."""
    return {(round(part.at[0], 2), round(part.at[1], 2)) for ref, part in board.parts.items() if ref[0] == "H"}


def test_the_frame_carries_loops_circuit_board():
    own = sizes("sizes", "frame")
    assert box(triangles("frame")) == pytest.approx((own["width"], own["depth"], own["frame_high"]), abs=0.01)
    board = read_board((SOLIDS.parent / "pcb/boards/loop/loop.kicad_pcb").read_text("utf-8"))
    xs, ys = ([end[axis] for line in board.edge for end in line] for axis in (0, 1))
    assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((own["width"], own["depth"]))
    screws = {(x - min(xs), y - min(ys)) for x, y in screw_places(board)}
    near, far = own["corner"], (own["width"] - own["corner"], own["depth"] - own["corner"])
    assert {(near, near), (near, far[1]), (far[0], near), far} < screws
    needed = own["nut_below"] + own["nut_thick"] + 3  # nut, and the screw's end
    assert needed < own["frame_high"] - sizes("foot")["stub_high"]


def test_the_frame_has_slots_for_loops_cables():
    """The board's y points down, the frame's up: the Pico's USB plug is at the upper edge."""
    own = sizes("sizes", "frame")
    board = read_board((SOLIDS.parent / "pcb/boards/loop/loop.kicad_pcb").read_text("utf-8"))
    left = min(end[0] for line in board.edge for end in line)
    places = {pad.owner: pad.shape.points[0] for pad in board.pads if pad.owner[0] == "J"}
    middle = (places["J4.1"][0] + places["J5.1"][0]) / 2 - left
    assert places["J4.1"][1] < places["J4.20"][1]
    assert middle == pytest.approx(own["usb_x"], abs=1)
    terminals = sorted(
        sum(x for x, _ in pad.shape.points) / len(pad.shape.points) - left
        for pad in board.pads
        if pad.owner in ("J3.1", "J3.2")
    )
    assert terminals[0] - 4 < own["supply_x"] < terminals[1] + 4
    roofs = {  # corners of the slots' roofs in the outer side of a wall
        (round(x, 2), round(y, 2), round(z, 2))
        for face in triangles("frame")
        for x, y, z in (face[0:3], face[3:6], face[6:9])
        if round(y, 2) in (0, own["depth"]) and 0 < z < own["frame_high"] - own["nut_below"] - 0.5
    }
    assert {(x, y) for x, y, z in roofs if z == 11.99} == {(own["usb_x"] + d, own["depth"]) for d in (-8, 8)}
    assert {(x, y) for x, y, z in roofs if z == 7.99} == {(own["supply_x"] + d, 0) for d in (-4, 4)}
    corners = {tuple(face[n : n + 3]) for face in triangles("frame") for n in (0, 3, 6)}
    right = {round(y, 2) for x, y, z in corners if round(x, 2) == own["width"] and round(z, 2) == 7.99}
    assert right == {own["panel_y"] + d for d in (-5, 5)}


def test_the_template_drills_loops_screws():
    marks = build_template(catalog.load_board("loop-60")).layers["screws"]
    board = read_board((SOLIDS.parent / "pcb/boards/loop/loop.kicad_pcb").read_text("utf-8"))
    holes = screw_places(board)
    assert {tuple(mark.at) for mark in marks} == holes
    assert all(mark.diameter == SCREW_HOLE_DIAMETER_MM == sizes("sizes")["screw"] for mark in marks)


def test_the_screws_hold_the_whole_stack():
    own = make.read_sizes("sizes")
    frame = sizes("frame")
    stack = own["wood_thick"] + own["floor_"] + own["spacer"] + own["board_thick"]
    page = (SOLIDS.parents[1] / "docs/build/7-wood.md").read_text("utf-8")
    corner, middle = (int(length) for length in re.findall(r"screws M3 × (\d+)", page))
    assert corner == make.SCREW_LENGTH_MM
    for wood in (-1, 0.2):
        assert stack + wood + frame["nut_below"] + own["nut_thick"] < corner < stack + wood + own["frame_high"] - 6
        assert stack + wood + own["nut_thick"] < middle


def test_the_section_is_drawn_from_the_sizes():
    assert format_svg(make.draw_section()) == (SOLIDS / "section.svg").read_bytes()
    for text in ("wood, 10 mm (+ 0.2, - 1)", "spacer, 1.24 mm", "2.62 mm below the magnet"):
        assert text in (SOLIDS / "section.svg").read_text("utf-8")


def test_the_woods_thickness_is_always_the_same():
    told = {
        page: re.findall(r"10\smm,?\s\(?\+\s0\.2,?\s(?:and\s)?−\s1", (SOLIDS.parents[1] / page).read_text("utf-8"))
        for page in ("docs/build/7-wood.md", "docs/build/1-parts.md", "docs/reference/building.md")
    }
    assert all(told.values()), told
    (row,) = (row for row in bill_of_materials.list_parts(catalog.load_board("loop-60")) if row["part"] == "wood")
    assert row["value"] == "10 mm + 0.2 - 1"
    assert sizes("sizes")["wood_thick"] == 10 == sizes("peg")["length"]
