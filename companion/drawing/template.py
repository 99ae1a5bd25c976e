"""What the template of a board shows, in layers: what is drilled, engraved and cut. Pure; millimetres, y downwards.

The holes lie where the board file puts them: a drawing's numbers are the board's own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot

from companion.boards.board import Board, Hole
from companion.boards.geometry import Point
from companion.boards.light_positions import lights

HOLE_MM = 3.2
"""For pegs of 3.0: docs/reference/building.md#the-wood."""
LIGHT_HOLE_MM = 2.0
EDGE_MM = 9
"""From the outermost holes to the edge of the wood."""
CHECK_MM = 100
CHECK_SAYS = "100 mm: measure this line before you drill"
TEXT_MM = 2.5
ROOM_MM = 2.7
"""A number is at least this far from the centres of holes and lights."""

LAYERS = ("drill", "lights", "engrave", "cut", "check")
"""`lights` are holes too, for boards whose lights shine through the wood; `check` is no part of the board."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A hole to be drilled."""

    name: str
    at: Point
    across: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Label:
    """A text, centred at its place."""

    at: Point
    text: str
    height: float = TEXT_MM


Mark = Ring | Stroke | Label


@dataclass(frozen=True)
class Plan:
    """A template. `corner` and `far` bound the wood."""

    name: str
    corner: Point
    far: Point
    layers: dict[str, tuple[Mark, ...]]

    @property
    def frame(self) -> tuple[Point, Point]:
        """What a sheet must show: the wood, and the check line below it."""
        wide = max(self.far.x, self.corner.x + CHECK_MM)
        return Point(self.corner.x - 5, self.corner.y - 5), Point(wide + 5, self.far.y + 20)


def plan(board: Board) -> Plan:
    """The template of a board."""
    beside = lights(board)
    pips = [pip for group in (*board.dice, board.display) for pip in group]
    xs = [hole.x_mm for hole in board.holes] + [pip.x_mm for pip in pips]
    ys = [hole.y_mm for hole in board.holes] + [pip.y_mm for pip in pips]
    corner, far = Point(min(xs) - EDGE_MM, min(ys) - EDGE_MM), Point(max(xs) + EDGE_MM, max(ys) + EDGE_MM)
    shining = [Ring(hole, at, LIGHT_HOLE_MM) for hole, at in beside.items()]
    shining += [Ring("", Point(pip.x_mm, pip.y_mm), LIGHT_HOLE_MM) for pip in pips]
    layers: dict[str, tuple[Mark, ...]] = {
        "drill": tuple(Ring(hole.id, Point(hole.x_mm, hole.y_mm), HOLE_MM) for hole in board.holes),
        "lights": tuple(shining),
        "engrave": tuple(label for label in _numbers(board, beside) if _within(label, corner, far)),
        "cut": _box(corner, far),
        "check": check(Point(corner.x, far.y + 8)),
    }
    return Plan(board.name, corner, far, layers)


def check(at: Point) -> tuple[Mark, ...]:
    """A line of 100 mm from here to the right, with its ends and what it is for."""
    end = Point(at.x + CHECK_MM, at.y)
    ticks = (Stroke(Point(x, at.y - 2), Point(x, at.y + 2)) for x in (at.x, end.x))
    return Stroke(at, end), *ticks, Label(Point(at.x + CHECK_MM / 2, at.y + 4), CHECK_SAYS)


def _box(corner: Point, far: Point) -> tuple[Stroke, ...]:
    ends = [corner, Point(far.x, corner.y), far, Point(corner.x, far.y), corner]
    return tuple(Stroke(a, b) for a, b in pairwise(ends))


def _numbers(board: Board, beside: Mapping[str, Point]) -> Iterable[Label]:
    """Every fifth hole of a long track and every one of a short track has its number, if it has room for it."""
    count = {hole.track: sum(o.track == hole.track for o in board.holes) for hole in board.holes}
    taken = [Point(hole.x_mm, hole.y_mm) for hole in board.holes] + list(beside.values())
    for hole in board.holes:
        text = _text(hole, count[hole.track])
        spot = _spot(board, hole, beside, text)
        steps = [Point(spot.x + step, spot.y) for step in _spread(text)]
        if text and all(hypot(step.x - o.x, step.y - o.y) >= ROOM_MM for step in steps for o in taken):
            taken += steps
            yield Label(spot, text)


def _within(label: Label, corner: Point, far: Point) -> bool:
    half = _spread(label.text)[2] + 1
    return corner.x < label.at.x - half and label.at.x + half < far.x and corner.y + 1 < label.at.y < far.y - 1


def _text(hole: Hole, of: int) -> str:
    if "-start-" in hole.id:
        return hole.track if hole.number < 0 else ""
    return str(hole.number) if of < 12 or hole.number % 5 == 0 else ""


def _spread(text: str) -> list[float]:
    """Places along a text, from its middle."""
    half = 0.3 * TEXT_MM * max(len(text) - 1, 0)
    return [-half, 0, half]


def _spot(board: Board, hole: Hole, beside: Mapping[str, Point], text: str) -> Point:
    """Across from the hole's light; the name of a lane is behind the farther of its start holes."""
    away = beside[hole.id]
    if "-start-" in hole.id:
        nearer = board.by_id[f"{hole.track}-start-1"]
        away = Point(nearer.x_mm, nearer.y_mm)
    dx, dy = hole.x_mm - away.x, hole.y_mm - away.y
    far = hypot(dx, dy) or 1
    reach = 3.5 + _spread(text)[2] * abs(dx) / far
    return Point(hole.x_mm + reach * dx / far, hole.y_mm + reach * dy / far)


PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 10
FOOT_MM = 28
"""Below the drawing there is room for a check line and a word."""
REACH_MM = 4
"""What begins on a sheet is drawn so far beyond its marks."""


@dataclass(frozen=True)
class Sheet:
    """A sheet: the part of the template between `corner` and `far`, where its four marks lie, and its place."""

    corner: Point
    far: Point
    column: int
    row: int

    def shows(self, mark: Mark) -> bool:
        """Whether a hole or a text is this sheet's. Lines are drawn on every sheet that they cross."""
        if isinstance(mark, Ring | Label):
            return self.corner.x <= mark.at.x < self.far.x and self.corner.y <= mark.at.y < self.far.y
        return True


def sheets(plan: Plan, paper: str) -> Iterator[Sheet]:
    """The sheets, row by row. They share their edges: marks of neighbours lie on one another."""
    wide, high = PAPERS[paper]
    wide, high = wide - 2 * MARGIN_MM, high - MARGIN_MM - FOOT_MM
    left, top = plan.corner.x - 1, plan.corner.y - 1
    columns, rows = ceil((plan.far.x + 1 - left) / wide), ceil((plan.far.y + 1 - top) / high)
    for row in range(rows):
        for column in range(columns):
            corner = Point(left + column * wide, top + row * high)
            yield Sheet(corner, Point(corner.x + wide, corner.y + high), column + 1, row + 1)
