"""The template read back from its files: 100 mm are 100 mm, and every hole is in its place, once."""

import re
import xml.etree.ElementTree as ET
from io import BytesIO, StringIO
from math import hypot

import ezdxf
import pytest
from pypdf import PdfReader

from companion.boards import catalog
from companion.plugins.drawing.formats import template_dxf, template_pdf, template_svg
from companion.plugins.drawing.template import HOLE_DIAMETER_MM, LAYERS, PAPER_SIZES_MM, build_template

MM = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?[\d.]+"
CIRCLE = re.compile(rf"n\s({NUMBER} {NUMBER} m\s(?:(?:{NUMBER} ){{6}}c\s){{4}})S")


def extract_shapes(page):
    """Return lines and circles of a page in millimetres, from its content stream."""
    text = page.get_contents().get_data().decode("latin-1")
    lines = re.findall(rf"n ({NUMBER}) ({NUMBER}) m ({NUMBER}) ({NUMBER}) l S", text)
    circles = [[float(n) * MM for n in re.findall(NUMBER, found)] for found in CIRCLE.findall(text)]
    return [tuple(float(n) * MM for n in line) for line in lines], circles


def circle_sizes(circles):
    """Yield centre and diameter of each circle."""
    for numbers in circles:
        xs, ys = numbers[0::2], numbers[1::2]
        yield (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs)


def nearest(board, x, y):
    """Return the hole at this place, with a tolerance of 0.005 mm."""
    hole = min(board.holes, key=lambda hole: hypot(hole.x_mm - x, hole.y_mm - y))
    assert hypot(hole.x_mm - x, hole.y_mm - y) < 0.005
    return hole.id


@pytest.mark.parametrize("paper", PAPER_SIZES_MM)
@pytest.mark.parametrize("name", catalog.list_board_names())
def test_each_page_has_check_line_and_whole_holes(name, paper):
    board = catalog.load_board(name)
    laid = build_template(board)
    pages = PdfReader(BytesIO(template_pdf(laid, paper))).pages
    holes = 0
    for n, page in enumerate(pages):
        lines, circles = extract_shapes(page)
        lengths = [hypot(c - a, d - b) for a, b, c, d in lines]
        assert sum(abs(length - 100) < 0.005 for length in lengths) == 1
        wide, high = (float(side) * MM for side in (page.mediabox.width, page.mediabox.height))
        found = [ring for ring in circle_sizes(circles) if abs(ring[2] - HOLE_DIAMETER_MM) < 0.01]
        edge = HOLE_DIAMETER_MM / 2
        assert all(edge < x < wide - edge and edge < y < high - edge for x, y, _ in found)
        if n < len(pages) - 1:
            assert (wide, high) == pytest.approx(PAPER_SIZES_MM[paper], abs=0.01)
            assert sum(abs(across - 4) < 0.01 for *_, across in circle_sizes(circles)) == 4  # marks
            holes += len(found)
        else:
            left, top = laid.frame[0]
            ids = [nearest(board, x + left, high - y + top) for x, y, _ in found]
            assert sorted(ids) == sorted(board.by_id)
    assert holes == len(board.holes)


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_the_svg_has_every_hole_at_its_place(name):
    board = catalog.load_board(name)
    root = ET.fromstring(template_svg(build_template(board)))
    box = [float(n) for n in root.get("viewBox").split()]
    assert (root.get("width"), root.get("height")) == (f"{box[2]:g}mm", f"{box[3]:g}mm")  # a unit is a millimetre
    layers = {group.get("id"): group for group in root.iter(f"{SVG}g")}
    assert tuple(layers) == LAYERS
    drill = {c.get("id"): (float(c.get("cx")), float(c.get("cy"))) for c in layers["drill"].iter(f"{SVG}circle")}
    assert drill == {hole.id: (hole.x_mm, hole.y_mm) for hole in board.holes}
    assert all(float(c.get("r")) == HOLE_DIAMETER_MM / 2 for c in layers["drill"])
    check = layers["check"].find(f"{SVG}line")
    assert float(check.get("x2")) - float(check.get("x1")) == pytest.approx(100)
    assert len(list(layers["cut"].iter(f"{SVG}line"))) == 4


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_the_dxf_is_in_millimetres_and_not_mirrored(name):
    board = catalog.load_board(name)
    laid = build_template(board)
    drawing = ezdxf.read(StringIO(template_dxf(laid).decode()))
    assert not drawing.audit().errors
    assert drawing.units == ezdxf.units.MM
    space = drawing.modelspace()
    drilled = [circle.dxf for circle in space.query('CIRCLE[layer=="drill"]')]
    assert all(circle.radius == HOLE_DIAMETER_MM / 2 for circle in drilled)
    places = sorted((round(c.center.x, 2), round(laid.far.y - c.center.y, 2)) for c in drilled)
    assert places == sorted((hole.x_mm, hole.y_mm) for hole in board.holes)
    lengths = [line.dxf.start.distance(line.dxf.end) for line in space.query('LINE[layer=="check"]')]
    assert max(lengths) == pytest.approx(100)


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_no_hole_of_the_wood_breaks_into_another(name):
    laid = build_template(catalog.load_board(name))
    holes = [*laid.layers["drill"], *laid.layers["lights"], *laid.layers["screws"]]
    for n, one in enumerate(holes):
        for other in holes[n + 1 :]:
            apart = hypot(one.at.x - other.at.x, one.at.y - other.at.y)
            assert apart > (one.diameter + other.diameter) / 2 + 0.5, (one.name, other.name)
        assert laid.corner.x + 3 < one.at.x < laid.far.x - 3
        assert laid.corner.y + 3 < one.at.y < laid.far.y - 3
