"""Finds ways for the tracks on two layers: a search on a grid, one net after the other. Pure; it takes minutes.

A point of the grid is free, or so near to a piece of copper that only that net's own tracks may pass. A net without
a way may push through others' tracks at a price; those are then taken up and looked for again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from hardware.pcb.boardfile import BOTH, Copper
from hardware.pcb.search import NOBODY, Cell, Field, search
from hardware.pcb.shapes import Point, Shape, cells

STEP = 0.2
TRACK = 0.2
CLEAR = 0.2
RULE = 0.15
"""Tracks keep CLEAR apart, at a corner of the grid a little less; no maker is asked for less than RULE."""
VIA, DRILL = 0.6, 0.3
EDGE = 0.35
BETWEEN_DRILLS = 0.25

AGAIN_COST = 1000
"""A place that was fought over is dearer each time, until one of the nets goes round."""


class NoWayError(RuntimeError):
    """A net for which no way was found."""


@dataclass
class Way:
    """A net's track from here to there: the points of the grid that it passes."""

    cells: list[Cell]

    def tracks(self) -> Iterator[tuple[str, Point, Point]]:
        """Straight pieces: layer and ends, in millimetres."""
        for layer, group in self._on_layers():
            corners = [group[0]]
            for before, here, after in zip(group, group[1:], group[2:], strict=False):
                if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
                    corners.append(here)
            corners.append(group[-1])
            for a, b in pairwise(corners):
                if a != b:
                    yield BOTH[layer], (a[0] * STEP, a[1] * STEP), (b[0] * STEP, b[1] * STEP)

    def _on_layers(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        start = 0
        for n in range(1, len(self.cells) + 1):
            if n == len(self.cells) or self.cells[n][0] != self.cells[start][0]:
                yield self.cells[start][0], [cell[1:] for cell in self.cells[start:n]]
                start = n

    def bored(self) -> Iterator[tuple[int, int]]:
        """Where it changes the layer: column and row."""
        return (a[1:] for a, b in pairwise(self.cells) if a[0] != b[0])

    def vias(self) -> Iterator[Point]:
        """The same in millimetres."""
        return ((i * STEP, j * STEP) for i, j in self.bored())


@dataclass
class Task:
    """Join some copper of a net to the rest of it. `ends` are its own points, `net` its name."""

    net: str
    ends: frozenset[Cell]
    goals: frozenset[Cell] | None
    """None: any place for a via will do, the area of ground below is the goal."""
    way: Way | None = None
    tries: int = 0


def grid(edge: Iterable[Shape], copper: Iterable[Copper], bare: Iterable[Shape], nets: dict[str, int]) -> Field:
    """The empty board. `edge` is its outline, `copper` is on it already, `bare` are holes without copper."""
    outline = list(edge)
    ends = [p for each in outline for p in each.points]
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    made = Field(*(round(at / STEP) for at in (min(xs), min(ys), max(xs), max(ys))))
    for each in outline:
        for layer in (0, 1):
            made.claim(layer, cells(each, EDGE + TRACK / 2, STEP), NOBODY)
        made.claim_drills(cells(each, EDGE + VIA / 2, STEP), NOBODY)
    for each in copper:
        net = nets.get(each.net, NOBODY) if each.net else NOBODY
        near = list(cells(each.shape, CLEAR + TRACK / 2 + 0.01, STEP))
        for layer, name in enumerate(BOTH):
            if name in each.layers:
                made.claim(layer, near, net)
        made.claim_drills(cells(each.shape, CLEAR + VIA / 2 + 0.01, STEP), net)
        if each.owner != "track":
            made.claim_drills(cells(each.shape, VIA / 2 + 0.05, STEP), NOBODY)
    for hole in bare:
        for layer in (0, 1):
            made.claim(layer, cells(hole, CLEAR + TRACK / 2 + 0.1, STEP), NOBODY)
        made.claim_drills(cells(hole, CLEAR + VIA / 2 + 0.1, STEP), NOBODY)
    return made


def touching(copper: Copper) -> frozenset[Cell]:
    """The points at which a track joins this copper: the middle of a pad, a track wherever it is."""
    if copper.owner == "track":
        points = [*cells(copper.shape, -0.05, STEP)]
    else:
        xs, ys = zip(*copper.shape.points, strict=True)
        points = [*cells(Shape(((sum(xs) / len(xs), sum(ys) / len(ys)),), 0.0), 0.75 * STEP, STEP)]
    return frozenset((layer, i, j) for layer, name in enumerate(BOTH) if name in copper.layers for i, j in points)


class Router:
    """Lays the tracks of all tasks."""

    def __init__(self, board: Field, names: dict[str, int]) -> None:
        self.board = board
        self.names = names

        def around(radius: float, free: float) -> list[int]:
            disc = Shape(((0.0, 0.0),), radius)
            return [j * board.width + i for i, j in cells(disc, free + 0.001, STEP)]

        self._near_track = around(TRACK / 2, CLEAR + TRACK / 2)
        self._near_via = around(VIA / 2, CLEAR + TRACK / 2)
        self._via_off_track = around(TRACK / 2, CLEAR + VIA / 2)
        self._via_off_via = around(VIA / 2, CLEAR + VIA / 2)
        self._drills_apart = around(DRILL / 2, BETWEEN_DRILLS + DRILL / 2 + 0.009)

    def run(self, tasks: list[Task]) -> None:
        """Finds a way for every task that has none, or raises NoWayError."""
        waiting = [task for task in tasks if task.way is None][::-1]
        while waiting:
            task = waiting.pop()
            task.tries += 1
            if task.tries > 100:
                raise NoWayError(task.net)
            found = self._way(task, push=False) or self._way(task, push=True)
            if found is None:
                raise NoWayError(f"{task.net}: shut in")
            pushed = self._in_the_way(found, self.names[task.net])
            for other in tasks:
                if other.way and self.names[other.net] in pushed and self._meets(other.way, found):
                    self._mark(other, -1)
                    other.way = None
                    waiting.insert(0, other)
            task.way = found
            self._mark(task, +1)
            if pushed:
                for point in self._points(found):
                    self.board.dear[point] += AGAIN_COST

    def _way(self, task: Task, *, push: bool) -> Way | None:
        board = self.board
        starts = {board.index(cell) for cell in task.ends}
        goals = None if task.goals is None else {board.index(cell) for cell in task.goals}
        found = search(board, self.names[task.net], starts, goals, push=push)
        return Way([board.cell(point) for point in found]) if found else None

    def _points(self, way: Way) -> list[int]:
        return [self.board.index(cell) for cell in way.cells]

    def _drills(self, way: Way) -> list[int]:
        return [self.board.index((0, i, j)) for i, j in way.bored()]

    def _in_the_way(self, way: Way, net: int) -> set[int]:
        tracks, drills = self.board.tracks, self.board.drills
        found = {owner for point in self._points(way) for owner in tracks.owners(point)}
        found |= {owner for point in self._drills(way) for owner in drills.owners(point)}
        return found - {net, NOBODY}

    def _meets(self, other: Way, way: Way) -> bool:
        claimed = self._off_tracks(other)
        return not claimed.isdisjoint(self._points(way)) or not self._off_drills(other).isdisjoint(self._drills(way))

    def _off_tracks(self, way: Way) -> set[int]:
        """The points that a way takes from others' tracks."""
        size = self.board.size
        found = {point + off for point in self._points(way) for off in self._near_track}
        below = {point + off for point in self._drills(way) for off in self._near_via}
        return found | below | {point + size for point in below}

    def _off_drills(self, way: Way) -> set[int]:
        """The points that a way takes from others' vias."""
        size = self.board.size
        found = {point % size + off for point in self._points(way) for off in self._via_off_track}
        return found | {point + off for point in self._drills(way) for off in self._via_off_via}

    def _mark(self, task: Task, by: int) -> None:
        assert task.way
        net = self.names[task.net]
        for point in self._off_tracks(task.way):
            self.board.tracks.count(point, net, by)
        for point in self._off_drills(task.way):
            self.board.drills.count(point, net, by)
        for point in self._drills(task.way):
            for off in self._drills_apart:
                self.board.drills.count(point + off, NOBODY, by)
