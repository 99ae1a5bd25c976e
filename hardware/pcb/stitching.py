"""Joins a filled area that tracks have cut to pieces: by vias where it goes on below, else by tracks. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, cos, dist, pi, sin

from hardware.pcb.boardfile import BOTH, Copper, Drawn
from hardware.pcb.cells import via
from hardware.pcb.copper import TOUCH, Area, joined
from hardware.pcb.router import BETWEEN_DRILLS, DRILL, STEP, VIA, Cell, Task, touching
from hardware.pcb.shapes import Point, Shape, from_point

ROOM = VIA / 2 + 0.05
_RIM = [(ROOM * cos(k * pi / 6), ROOM * sin(k * pi / 6)) for k in range(12)]

Piece = tuple[int, Area, tuple[float, float, float, float]]
"""Number of the piece, a filled area of it, and its box."""


def stitches(drawn: Drawn, net: str) -> list[Copper]:
    """A via for each two pieces of the net that lie above one another and are not joined yet."""
    areas = _areas(drawn, net)
    drills = [each.shape.points[0] for each in drawn.tracks if each.owner == "via"]
    one_with: dict[int, int] = {}

    def whole(n: int) -> int:
        while n in one_with:
            n = one_with[n]
        return n

    found: list[Copper] = []
    for at in _places(drawn):
        above, below = (_piece(at, areas[layer]) for layer in BOTH)
        if above is None or below is None or whole(above) == whole(below):
            continue
        if all(dist(at, other) > DRILL + BETWEEN_DRILLS for other in drills):
            one_with[whole(above)] = whole(below)
            found.append(via(at, net))
            drills.append(at)
    return found


def bridges(drawn: Drawn, net: str, stitched: Sequence[Copper]) -> list[Task]:
    """Tracks to be found: from the pads and vias of each piece of the net to those of its largest.

    Vias that are `stitched` do not count: the next round may set them elsewhere.
    """
    it = joined(drawn)
    passing = {_rounded(each) for each in stitched}
    points: dict[int, set[Cell]] = defaultdict(set)
    for each, number in it.pieces:
        if each.net == net and each.owner not in ("track", "filled area") and _rounded(each) not in passing:
            points[it.root(number)] |= touching(each)
    largest = max(points, key=lambda number: len(points[number]))
    whole = frozenset(points.pop(largest))
    return [Task(net, frozenset(its), whole) for _, its in sorted(points.items())]


def without_loose_ends(drawn: Drawn, net: str, copper: Sequence[Copper]) -> list[Copper]:
    """The copper without tracks of the net that end nowhere: a via that they came for was set elsewhere since."""
    pads = [pad for pad in drawn.pads if pad.net == net]
    kept = list(copper)
    while True:
        own = [*pads, *(each for each in kept if each.net == net)]
        loose = [each for each in kept if each.net == net and each.owner == "track" and not _held(each, own)]
        if not loose:
            return kept
        kept = [each for each in kept if each not in loose]


def _held(track: Copper, own: Sequence[Copper]) -> bool:
    """Whether both ends lie on other copper of the net. Its areas do not count: to KiCad such an end is loose."""
    others = [each.shape for each in own if each is not track and track.layers[0] in each.layers]
    return all(any(from_point(end, shape) < TOUCH for shape in others) for end in track.shape.points)


def _rounded(via: Copper) -> Point:
    x, y = via.shape.points[0]
    return round(x, 2), round(y, 2)


def _areas(drawn: Drawn, net: str) -> dict[str, list[Piece]]:
    """The net's filled areas on each layer, each with the number of the piece it belongs to."""
    root = joined(drawn).root
    first = len(drawn.pads) + len(drawn.tracks)
    found: dict[str, list[Piece]] = {layer: [] for layer in BOTH}
    for k, (layer, name, points) in enumerate(drawn.fills):
        if name == net:
            found[layer].append((root(first + k), Area(points), Shape(points, 0.0).box()))
    return found


def _places(drawn: Drawn) -> Iterator[Point]:
    xs, ys = zip(*(end for line in drawn.edge for end in line), strict=True)
    columns, rows = ([n * STEP for n in range(ceil(min(of) / STEP), ceil(max(of) / STEP))] for of in (xs, ys))
    yield from product(columns, rows)


def _piece(at: Point, areas: list[Piece]) -> int | None:
    """The piece in which a via has room at this place."""
    for number, area, (left, top, right, bottom) in areas:
        if (
            left < at[0] < right and top < at[1] < bottom and area.holds(at)
            and all(area.holds((at[0] + dx, at[1] + dy)) for dx, dy in _RIM)
        ):  # fmt: skip
            return number
    return None
