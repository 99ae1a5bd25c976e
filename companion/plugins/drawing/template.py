"""Drilling template of a board in layers, and its division into sheets of paper. Pure; millimetres, y downwards.

The coordinates are those of the board file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from math import ceil, hypot
from xml.etree import ElementTree

from companion.boards.board import Board, Hole
from companion.boards.geometry import Point, compute_light_positions

HOLE_DIAMETER_MM = 3.2
"""For pegs of 3.0 mm: docs/reference/building.md#the-wood."""
LIGHT_HOLE_DIAMETER_MM = 2.0
SCREW_HOLE_DIAMETER_MM = 3.4
"""For screws M3."""
EDGE_MARGIN_MM = 9
"""From the outermost holes to the edge of the wood."""
CHECK_LINE_MM = 100
CHECK_TEXT = "100 mm: measure this line before you drill"
TEXT_HEIGHT_MM = 2.5
MIN_LABEL_CLEARANCE_MM = 2.7
"""Minimum distance of a number from the centres of holes and lights."""

LAYERS = ("drill", "lights", "screws", "engrave", "cut", "check")
"""`lights` are holes for boards whose lights shine through the wood; `check` is not part of the board."""


@dataclass(frozen=True, slots=True)
class CircleMark:
    """A hole to drill."""

    name: str
    at: Point
    diameter: float


@dataclass(frozen=True, slots=True)
class LineMark:
    """A line."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class TextMark:
    """A text, centred at `at`."""

    at: Point
    text: str
    height: float = TEXT_HEIGHT_MM


TemplateMark = CircleMark | LineMark | TextMark


@dataclass(frozen=True)
class DrillingTemplate:
    """A drilling template. `corner` and `far` bound the wood."""

    name: str
    corner: Point
    far: Point
    layers: dict[str, tuple[TemplateMark, ...]]

    @property
    def frame(self) -> tuple[Point, Point]:
        """Corners of the area that a drawing must show: the wood, and the check line below it."""
        width = max(self.far.x, self.corner.x + CHECK_LINE_MM)
        return Point(self.corner.x - 5, self.corner.y - 5), Point(width + 5, self.far.y + 20)


def build_template(board: Board) -> DrillingTemplate:
    light_positions = compute_light_positions(board)
    pips = [pip for group in (*board.dice, board.display) for pip in group]
    xs = [hole.x_mm for hole in board.holes] + [pip.x_mm for pip in pips]
    ys = [hole.y_mm for hole in board.holes] + [pip.y_mm for pip in pips]
    corner, far = (
        Point(min(xs) - EDGE_MARGIN_MM, min(ys) - EDGE_MARGIN_MM),
        Point(max(xs) + EDGE_MARGIN_MM, max(ys) + EDGE_MARGIN_MM),
    )
    light_marks = [CircleMark(hole, at, LIGHT_HOLE_DIAMETER_MM) for hole, at in light_positions.items()]
    light_marks += [CircleMark("", Point(pip.x_mm, pip.y_mm), LIGHT_HOLE_DIAMETER_MM) for pip in pips]
    layers: dict[str, tuple[TemplateMark, ...]] = {
        "drill": tuple(CircleMark(hole.id, Point(hole.x_mm, hole.y_mm), HOLE_DIAMETER_MM) for hole in board.holes),
        "lights": tuple(light_marks),
        "screws": tuple(CircleMark("", at, SCREW_HOLE_DIAMETER_MM) for at in board.screws),
        "engrave": tuple(label for label in _number_labels(board, light_positions) if _is_inside(label, corner, far)),
        "cut": _outline_strokes(corner, far),
        "check": check_line(Point(corner.x, far.y + 8)),
    }
    return DrillingTemplate(board.name, corner, far, layers)


def check_line(at: Point) -> tuple[TemplateMark, ...]:
    """Return a line of 100 mm to the right of `at`, with its end ticks and a text."""
    end = Point(at.x + CHECK_LINE_MM, at.y)
    ticks = (LineMark(Point(x, at.y - 2), Point(x, at.y + 2)) for x in (at.x, end.x))
    return LineMark(at, end), *ticks, TextMark(Point(at.x + CHECK_LINE_MM / 2, at.y + 4), CHECK_TEXT)


def _outline_strokes(corner: Point, far: Point) -> tuple[LineMark, ...]:
    ends = [corner, Point(far.x, corner.y), far, Point(corner.x, far.y), corner]
    return tuple(LineMark(a, b) for a, b in pairwise(ends))


def _number_labels(board: Board, light_positions: Mapping[str, Point]) -> Iterable[TextMark]:
    """Yield the labels of holes: every fifth of a long track and all of a short track, where there is room."""
    count = {hole.track: sum(o.track == hole.track for o in board.holes) for hole in board.holes}
    taken = [Point(hole.x_mm, hole.y_mm) for hole in board.holes] + list(light_positions.values())
    for hole in board.holes:
        text = _hole_text(hole, count[hole.track])
        position = _label_position(board, hole, light_positions, text)
        steps = [Point(position.x + step, position.y) for step in _text_offsets(text)]
        if text and all(hypot(step.x - o.x, step.y - o.y) >= MIN_LABEL_CLEARANCE_MM for step in steps for o in taken):
            taken += steps
            yield TextMark(position, text)


def _is_inside(label: TextMark, corner: Point, far: Point) -> bool:
    half = _text_offsets(label.text)[2] + 1
    return corner.x < label.at.x - half and label.at.x + half < far.x and corner.y + 1 < label.at.y < far.y - 1


def _hole_text(hole: Hole, track_holes: int) -> str:
    if "-start-" in hole.id:
        return hole.track if hole.number < 0 else ""
    return str(hole.number) if track_holes < 12 or hole.number % 5 == 0 else ""


def _text_offsets(text: str) -> list[float]:
    """Return three x offsets along a text from its centre."""
    half = 0.3 * TEXT_HEIGHT_MM * max(len(text) - 1, 0)
    return [-half, 0, half]


def _label_position(board: Board, hole: Hole, light_positions: Mapping[str, Point], text: str) -> Point:
    """Return the position opposite the hole's light. The name of a lane is behind the farther of its start holes."""
    away = light_positions[hole.id]
    if "-start-" in hole.id:
        nearer = board.by_id[f"{hole.track}-start-1"]
        away = Point(nearer.x_mm, nearer.y_mm)
    dx, dy = hole.x_mm - away.x, hole.y_mm - away.y
    far = hypot(dx, dy) or 1
    reach = 3.5 + _text_offsets(text)[2] * abs(dx) / far
    return Point(hole.x_mm + reach * dx / far, hole.y_mm + reach * dy / far)


PAPER_SIZES_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of each paper."""
PAPER_MARGIN_MM = 10
FOOTER_MM = 28
"""Room below the drawing for the check line and a text."""
SHEET_OVERLAP_MM = 4
"""Marks are drawn this far beyond the alignment marks of a sheet."""


@dataclass(frozen=True)
class PaperSheet:
    """Part of the template between `corner` and `far`, where the alignment marks are; its column and row from 1."""

    corner: Point
    far: Point
    column: int
    row: int

    def owns_mark(self, mark: TemplateMark) -> bool:
        """Return whether to draw a mark on this sheet: a hole or text on one sheet, a line on every sheet."""
        if isinstance(mark, CircleMark | TextMark):
            return self.corner.x <= mark.at.x < self.far.x and self.corner.y <= mark.at.y < self.far.y
        return True


def tile_template(template: DrillingTemplate, paper: str) -> Iterator[PaperSheet]:
    """Yield the sheets row by row. They share edges, so the marks of neighbours coincide."""
    width, height = PAPER_SIZES_MM[paper]
    width, height = width - 2 * PAPER_MARGIN_MM, height - PAPER_MARGIN_MM - FOOTER_MM
    left, top = template.corner.x - 1, template.corner.y - 1
    columns, rows = ceil((template.far.x + 1 - left) / width), ceil((template.far.y + 1 - top) / height)
    for row in range(rows):
        for column in range(columns):
            corner = Point(left + column * width, top + row * height)
            yield PaperSheet(corner, Point(corner.x + width, corner.y + height), column + 1, row + 1)


Element = ElementTree.Element


def create_svg(corner: Point, far: Point, scale: float = 1) -> Element:
    """Return an empty drawing of the area between two corners in millimetres, enlarged by `scale`."""
    width, height = far.x - corner.x, far.y - corner.y
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "xmlns:inkscape": "http://www.inkscape.org/namespaces/inkscape",
        "width": f"{scale * width:g}mm",
        "height": f"{scale * height:g}mm",
        "viewBox": f"{corner.x:g} {corner.y:g} {width:g} {height:g}",
    }
    return ElementTree.Element("svg", attributes)


def add_element(parent: Element, tag: str, text: str | None = None, **attributes: object) -> Element:
    """Add an element to `parent` and return it. An underscore in an attribute's name stands for a hyphen."""
    element = ElementTree.SubElement(
        parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    )
    element.text = text
    return element


def add_circle(parent: Element, at: Point, diameter: float, **attributes: object) -> Element:
    return add_element(parent, "circle", None, cx=at.x, cy=at.y, r=diameter / 2, **attributes)


def add_text(parent: Element, text: str, x: float, y: float, **attributes: object) -> Element:
    return add_element(parent, "text", text, x=x, y=y, **attributes)


def format_svg(drawing: Element) -> bytes:
    ElementTree.indent(drawing, " ")
    written = BytesIO()
    ElementTree.ElementTree(drawing).write(written, encoding="utf-8", xml_declaration=True)
    return written.getvalue() + b"\n"
