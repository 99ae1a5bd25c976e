"""How a template is laid over sheets of paper: each hole is whole on one of them. Pure; millimetres, y downwards."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from companion.board.shape.geometry import Point
from companion.drawing.plan import Label, Mark, Plan, Ring

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
