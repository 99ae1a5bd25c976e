"""Finds ways for the tracks on two layers: a search on a grid, one net after the other. Pure; it takes minutes.

A point of the grid is free, or so near to a piece of copper that only that net's own tracks may pass. A net without
a way may push through others' tracks at a price; those are then taken up and looked for again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise

from hardware.pcb.boardfile import BOTH, Copper
from hardware.pcb.shapes import Point, Shape, cells

STEP = 0.2
TRACK = 0.2
CLEAR = 0.2
RULE = 0.15
"""Tracks keep CLEAR apart, at a corner of the grid a little less; no maker is asked for less than RULE."""
VIA, DRILL = 0.6, 0.3
EDGE = 0.35
BETWEEN_DRILLS = 0.25

LAYER_COST = (1.0, 1.15)
"""The lower layer is dearer: ground is to stay whole there."""
VIA_COST = 14.0
BEND_COST = 0.25
PUSH_COST = 12.0
AGAIN_COST = 10.0
"""A place that was fought over is dearer each time, until one of the nets goes round."""

NOBODY = -1
Cell = tuple[int, int, int]
"""Layer (0 above, 1 below), column, row."""


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

    def vias(self) -> Iterator[Point]:
        """Where it changes the layer, in millimetres."""
        for a, b in pairwise(self.cells):
            if a[0] != b[0]:
                yield a[1] * STEP, a[2] * STEP


@dataclass
class Task:
    """Join some copper of a net to the rest of it. `ends` are its own points, `net` its name."""

    net: str
    ends: frozenset[Cell]
    goals: frozenset[Cell] | None
    """None: any place for a via will do, the area of ground below is the goal."""
    way: Way | None = None
    tries: int = 0


@dataclass
class Grid:
    """What may pass where. Nets are numbers here."""

    box: tuple[int, int, int, int]
    """Left, top, right and bottom of the board."""
    fixed: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]
    """By layer and point: the only net that may lay a track there, or NOBODY."""
    holes: dict[tuple[int, int], int]
    """By point: the only net that may make a via there."""
    laid: dict[Cell, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    drilled: dict[tuple[int, int], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    dear: dict[Cell, float] = field(default_factory=lambda: defaultdict(float))


def _claim(where: dict[tuple[int, int], int], points: Iterable[tuple[int, int]], net: int) -> None:
    for point in points:
        where[point] = net if where.get(point, net) == net else NOBODY


def grid(edge: Iterable[Shape], copper: Iterable[Copper], bare: Iterable[Shape], nets: dict[str, int]) -> Grid:
    """The empty board. `edge` is its outline, `copper` is on it already, `bare` are holes without copper."""
    outline = list(edge)
    ends = [p for each in outline for p in each.points]
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    made = Grid((int(min(xs) / STEP), int(min(ys) / STEP), int(max(xs) / STEP), int(max(ys) / STEP)), ({}, {}), {})
    for each in outline:
        for layer in (0, 1):
            _claim(made.fixed[layer], cells(each, EDGE + TRACK / 2, STEP), NOBODY)
        _claim(made.holes, cells(each, EDGE + VIA / 2, STEP), NOBODY)
    for each in copper:
        net = nets.get(each.net, NOBODY) if each.net else NOBODY
        near = list(cells(each.shape, CLEAR + TRACK / 2 + 0.01, STEP))
        for layer, name in enumerate(BOTH):
            if name in each.layers:
                _claim(made.fixed[layer], near, net)
        _claim(made.holes, cells(each.shape, CLEAR + VIA / 2 + 0.01, STEP), net)
        if each.owner != "track":
            _claim(made.holes, cells(each.shape, VIA / 2 + 0.05, STEP), NOBODY)
    for hole in bare:
        for layer in (0, 1):
            _claim(made.fixed[layer], cells(hole, CLEAR + TRACK / 2 + 0.1, STEP), NOBODY)
        _claim(made.holes, cells(hole, CLEAR + VIA / 2 + 0.1, STEP), NOBODY)
    return made


def touching(copper: Copper) -> frozenset[Cell]:
    """The points at which a track joins this copper: the middle of a pad, a track wherever it is."""
    if copper.owner == "track":
        points = [*cells(copper.shape, -0.05, STEP)]
    else:
        xs, ys = zip(*copper.shape.points, strict=True)
        points = [*cells(Shape(((sum(xs) / len(xs), sum(ys) / len(ys)),), 0.0), 0.75 * STEP, STEP)]
    return frozenset((layer, i, j) for layer, name in enumerate(BOTH) if name in copper.layers for i, j in points)


_AROUND = [(dx, dy, (dx * dx + dy * dy) ** 0.5) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Router:
    """Lays the tracks of all tasks."""

    def __init__(self, board: Grid, names: dict[str, int]) -> None:
        self.board = board
        self.names = names
        self._near_track = [*cells(Shape(((0.0, 0.0),), TRACK / 2), CLEAR + TRACK / 2 + 0.001, STEP)]
        self._near_via = [*cells(Shape(((0.0, 0.0),), VIA / 2), CLEAR + TRACK / 2 + 0.001, STEP)]
        self._via_off_track = [*cells(Shape(((0.0, 0.0),), TRACK / 2), CLEAR + VIA / 2 + 0.001, STEP)]
        self._via_off_via = [*cells(Shape(((0.0, 0.0),), VIA / 2), CLEAR + VIA / 2 + 0.001, STEP)]
        self._drills_apart = [*cells(Shape(((0.0, 0.0),), DRILL / 2), BETWEEN_DRILLS + DRILL / 2 + 0.01, STEP)]

    def run(self, tasks: list[Task]) -> None:
        """Finds a way for every task that has none, or raises NoWayError."""
        waiting = [task for task in tasks if task.way is None][::-1]
        while waiting:
            task = waiting.pop()
            task.tries += 1
            if task.tries > 100:
                raise NoWayError(task.net)
            found = self._search(task, push=False) or self._search(task, push=True)
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
            for cell in found.cells:
                self.board.dear[cell] += AGAIN_COST if pushed else 0.0

    def _in_the_way(self, way: Way, net: int) -> set[int]:
        board, found = self.board, set()
        for cell in way.cells:
            found |= set(board.laid.get(cell, ()))
        for x, y in way.vias():
            found |= set(board.drilled.get((round(x / STEP), round(y / STEP)), ()))
        return found - {net, NOBODY}

    def _meets(self, other: Way, way: Way) -> bool:
        claimed = set(self._claims(other, tracks=True))
        if any(cell in claimed for cell in way.cells):
            return True
        drills = set(self._claims(other, tracks=False))
        return any((0, round(x / STEP), round(y / STEP)) in drills for x, y in way.vias())

    def _claims(self, way: Way, *, tracks: bool) -> Iterator[Cell]:
        """The points that a way takes from others' tracks, or from others' vias."""
        for layer, i, j in way.cells:
            for di, dj in self._near_track if tracks else self._via_off_track:
                yield (layer if tracks else 0), i + di, j + dj
        for x, y in way.vias():
            i, j = round(x / STEP), round(y / STEP)
            for di, dj in self._near_via if tracks else self._via_off_via:
                for layer in (0, 1) if tracks else (0,):
                    yield layer, i + di, j + dj

    def _mark(self, task: Task, by: int) -> None:
        assert task.way
        net = self.names[task.net]
        for cell in set(self._claims(task.way, tracks=True)):
            _count(self.board.laid[cell], net, by)
        for _, i, j in set(self._claims(task.way, tracks=False)):
            _count(self.board.drilled[i, j], net, by)
        for x, y in task.way.vias():
            for di, dj in self._drills_apart:
                _count(self.board.drilled[round(x / STEP) + di, round(y / STEP) + dj], NOBODY, by)

    def _search(self, task: Task, *, push: bool) -> Way | None:  # noqa: PLR0912, PLR0915  one loop that runs millions of times
        board, net = self.board, self.names[task.net]
        goals = task.goals
        box = None
        if goals is not None:
            box = (
                min(c[1] for c in goals),
                min(c[2] for c in goals),
                max(c[1] for c in goals),
                max(c[2] for c in goals),
            )
        leftmost, top, right, bottom = board.box

        def left(i: int, j: int) -> float:
            if box is None:
                return 0.0
            dx = box[0] - i if i < box[0] else (i - box[2] if i > box[2] else 0)
            dy = box[1] - j if j < box[1] else (j - box[3] if j > box[3] else 0)
            return dx + dy - 0.586 * min(dx, dy)

        cost: dict[Cell, float] = dict.fromkeys(task.ends, 0.0)
        came: dict[Cell, Cell] = {}
        heap = [(left(c[1], c[2]), c) for c in sorted(task.ends)]
        heap.sort()
        done: set[Cell] = set()
        laid, fixed, drilled, holes, dear = board.laid, board.fixed, board.drilled, board.holes, board.dear
        while heap:
            _, here = heappop(heap)
            if here in done:
                continue
            done.add(here)
            layer, i, j = here
            if goals is not None:
                if here in goals and here not in task.ends:
                    return _back(came, here)
            elif layer == 1:
                return _back(came, here)
            so_far = cost[here]
            before = came.get(here)
            di0, dj0 = (i - before[1], j - before[2]) if before else (0, 0)
            for di, dj, length in _AROUND:
                x, y = i + di, j + dj
                if not (leftmost <= x <= right and top <= y <= bottom):
                    continue
                only = fixed[layer].get((x, y), net)
                if only != net:
                    continue
                there = (layer, x, y)
                if there in done:
                    continue
                new = so_far + length * LAYER_COST[layer]
                if (di, dj) != (di0, dj0):
                    new += BEND_COST
                others = laid.get(there)
                if others and any(o != net for o in others):
                    if not push:
                        continue
                    new += PUSH_COST + dear[there]
                if new < cost.get(there, 1e9):
                    cost[there] = new
                    came[there] = here
                    heappush(heap, (new + left(x, y), there))
            there = (1 - layer, i, j)
            if there in done:
                continue
            if holes.get((i, j), net) != net or fixed[1 - layer].get((i, j), net) != net:
                continue
            new = so_far + VIA_COST
            others = drilled.get((i, j))
            if others and any(o != net for o in others):
                if not push or NOBODY in others:
                    continue
                new += 2 * PUSH_COST + dear[there]
            if new < cost.get(there, 1e9):
                cost[there] = new
                came[there] = here
                heappush(heap, (new + left(i, j), there))
        return None


def _count(owners: dict[int, int], net: int, by: int) -> None:
    owners[net] = owners.get(net, 0) + by
    if owners[net] <= 0:
        del owners[net]


def _back(came: dict[Cell, Cell], last: Cell) -> Way:
    found = [last]
    while found[-1] in came:
        found.append(came[found[-1]])
    return Way(found[::-1])
