"""The solids in `hardware/solids`: the printable ones are closed, and as large as their sources say."""

import re
import struct
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from companion.boards import catalog

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


@pytest.mark.parametrize("name", ["peg", "jig", "wood"])
def test_a_solid_is_closed(name):
    edges = {}
    for face in triangles(name):
        corners = [face[0:3], face[3:6], face[6:9]]
        for n in range(3):
            edge = (corners[n], corners[(n + 1) % 3])
            edges[edge] = edges.get(edge, 0) + 1
    assert all(edges.get((b, a), 0) == count for (a, b), count in edges.items())


def test_the_peg_is_as_long_as_its_source_says_and_takes_its_magnet():
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


def test_the_jig_has_five_pins_about_the_set_back():
    own = sizes("sizes", "jig")
    set_back = own["gap"] - own["die"] - own["floor_"] - own["air"]
    heights = {round(z, 2) for face in triangles("jig") for z in face[2::3] if 0 < z < 4}
    assert heights == {round(set_back + (n - 2) * own["step"], 2) for n in range(5)}
    assert box(triangles("jig"))[:2] == (5 * own["pitch"], 12)


def test_the_piece_of_wood_has_fifteen_holes_through_it():
    own = sizes("sizes", "wood")
    width, depth, height = 4 * 7 + 12, 2 * 8 + 12, own["thick"] + own["floor_"]
    assert box(triangles("wood")) == pytest.approx((width, depth, height))
    pocket = (width - 4) * (depth - 4) * own["floor_"]
    hole = 24 / 2 * (own["hole"] / 2) ** 2 * 0.258819 * own["thick"]  # a prism of 24 sides: sin 15°
    assert volume(triangles("wood")) == pytest.approx(width * depth * height - pocket - 15 * hole, rel=1e-3)
