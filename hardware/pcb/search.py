"""A grid of points on two layers, who may pass where, and the cheapest way over it. Pure. Here minutes are spent.

A point is one number: counted along the rows of the upper layer, then along those of the lower one. Costs are
hundredths of a step.
"""

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush

LAYER_COST = (100, 115)
"""The lower layer is dearer: ground is to stay whole there."""
DIAGONAL_COST = (141, 163)
VIA_COST = 1400
BEND_COST = 25
PUSH_COST = 1200

NOBODY = -1
SEVERAL = -2
BORDER = 6
"""So many points lie round the board: no way leaves it, but the room that a way takes may."""

Cell = tuple[int, int, int]
"""Layer (0 above, 1 below), column, row."""

_FAR = 1 << 60
_BITS = 32
"""A cost and a point are one number in the heap, the point in its lower bits."""


class Owners:
    """Which nets keep others off a point, and how many of their tracks or vias do so."""

    def __init__(self, size: int) -> None:
        self.one = [0] * size
        """By point: 0 where it is free, its net, or SEVERAL. What the search looks at."""
        self._counts: dict[int, dict[int, int]] = {}

    def owners(self, point: int) -> Collection[int]:
        """The nets at a point."""
        return self._counts.get(point, ())

    def count(self, point: int, net: int, by: int) -> None:
        """So many more (or fewer) of a net at a point."""
        counts = self._counts.setdefault(point, {})
        counts[net] = counts.get(net, 0) + by
        if counts[net] <= 0:
            del counts[net]
        self.one[point] = SEVERAL if len(counts) > 1 else next(iter(counts), 0)


class Field:
    """What may pass where. Nets are numbers from 1."""

    def __init__(self, left: int, top: int, right: int, bottom: int) -> None:
        self._left, self._top = left - BORDER, top - BORDER
        self.width = right - left + 2 * BORDER
        self.size = self.width * (bottom - top + 2 * BORDER)
        """Points of one layer."""
        self.fixed = [0] * (2 * self.size)
        """By point: the only net that may lay a track there, NOBODY, or 0."""
        self.holes = [0] * self.size
        """The same for vias."""
        self.tracks, self.drills = Owners(2 * self.size), Owners(self.size)
        """What was laid so far keeps others' tracks, and others' vias, off these points."""
        self.dear = [0] * (2 * self.size)

    def index(self, cell: Cell) -> int:
        """The point's number."""
        return cell[0] * self.size + (cell[2] - self._top) * self.width + cell[1] - self._left

    def cell(self, point: int) -> Cell:
        """The point with this number."""
        layer, place = divmod(point, self.size)
        row, column = divmod(place, self.width)
        return layer, column + self._left, row + self._top

    def claim(self, layer: int, points: Iterable[tuple[int, int]], net: int) -> None:
        """Keeps all other nets' tracks off these points."""
        for i, j in points:
            at = self.index((layer, i, j))
            self.fixed[at] = net if self.fixed[at] in (0, net) else NOBODY

    def claim_drills(self, points: Iterable[tuple[int, int]], net: int) -> None:
        """Keeps all other nets' vias off these points."""
        for i, j in points:
            at = self.index((0, i, j))
            self.holes[at] = net if self.holes[at] in (0, net) else NOBODY


def search(board: Field, net: int, starts: set[int], goals: set[int] | None, *, push: bool) -> list[int] | None:  # noqa: PLR0912  one loop that runs millions of times
    """The points of the cheapest way of a net from `starts` to `goals`, or to the lower layer where that is None.

    `push`: it may cross other nets' tracks at a price.
    """
    width, size, fixed, holes, dear = board.width, board.size, board.fixed, board.holes, board.dear
    tracks, drills = board.tracks.one, board.drills.one
    to_x, to_y = _left_to_go(board, goals)
    around = [
        [(dy * width + dx, dx, dy, (DIAGONAL_COST if dx and dy else LAYER_COST)[layer])
         for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
        for layer in (0, 1)
    ]  # fmt: skip
    cost = [_FAR] * (2 * size)
    came = dict.fromkeys(starts, -1)
    done = bytearray(2 * size)
    heap = []
    for start in starts:
        taken = tracks[start] not in (0, net)
        if taken and not push:
            continue
        cost[start] = PUSH_COST + dear[start] if taken else 0
        y, x = divmod(start % size, width)
        heap.append((cost[start] + _left(to_x[x], to_y[y])) << _BITS | start)
    heapify(heap)
    while heap:
        here = heappop(heap) & ((1 << _BITS) - 1)
        if done[here]:
            continue
        done[here] = 1
        if (here >= size) if goals is None else (here in goals and here not in starts):
            return _back(came, here)
        layer, place = divmod(here, size)
        y, x = divmod(place, width)
        so_far, ahead = cost[here], here - came[here]
        for off, dx, dy, length in around[layer]:
            there = here + off
            if done[there] or fixed[there] not in (0, net):
                continue
            new = so_far + length if off == ahead else so_far + length + BEND_COST
            if tracks[there] not in (0, net):
                if not push:
                    continue
                new += PUSH_COST + dear[there]
            if new < cost[there]:
                cost[there], came[there] = new, here
                a, b = to_x[x + dx], to_y[y + dy]
                heappush(heap, (new + (100 * a + 41 * b if a > b else 41 * a + 100 * b)) << _BITS | there)
        there = place if layer else place + size
        if done[there] or holes[place] not in (0, net) or fixed[there] not in (0, net):
            continue
        new = so_far + VIA_COST
        if drills[place] not in (0, net):
            if not push or NOBODY in board.drills.owners(place):
                continue
            new += 2 * PUSH_COST + dear[there]
        if new < cost[there]:
            cost[there], came[there] = new, here
            heappush(heap, (new + _left(to_x[x], to_y[y])) << _BITS | there)
    return None


def _left(a: int, b: int) -> int:
    """The least that is still to be paid for so many columns and rows."""
    return 100 * a + 41 * b if a > b else 41 * a + 100 * b


def _left_to_go(board: Field, goals: set[int] | None) -> tuple[list[int], list[int]]:
    """How many steps it is from each column, and from each row, to those in which the goals lie."""
    columns, rows = board.width, board.size // board.width
    if goals is None:
        return [0] * columns, [0] * rows
    xs, ys = {goal % board.width for goal in goals}, {goal % board.size // board.width for goal in goals}
    return (
        [max(min(xs) - x, x - max(xs), 0) for x in range(columns)],
        [max(min(ys) - y, y - max(ys), 0) for y in range(rows)],
    )


def _back(came: dict[int, int], last: int) -> list[int]:
    found = [last]
    while came[found[-1]] >= 0:
        found.append(came[found[-1]])
    return found[::-1]
