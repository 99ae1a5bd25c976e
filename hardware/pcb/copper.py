"""Shorts and breaks of a drawn board, found without KiCad. Pure.

Every pad, track, via and filled area is a shape on a layer. Two of one net that touch are joined; two of different nets
must keep RULE apart.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from hardware.pcb.boardfile import Copper, Drawn
from hardware.pcb.router import RULE
from hardware.pcb.shapes import Point, Shape, apart

BUCKET = 2.0
TOUCH = 0.001
AREA = "filled area"


class Area:
    """A filled area; answers quickly whether a point lies in it."""

    def __init__(self, outline: tuple[Point, ...]) -> None:
        self._rows: dict[int, list[tuple[Point, Point]]] = defaultdict(list)
        for a, b in pairwise((*outline, outline[0])):
            for row in range(int(min(a[1], b[1]) // BUCKET), int(max(a[1], b[1]) // BUCKET) + 1):
                self._rows[row].append((a, b))

    def holds(self, p: Point) -> bool:
        """Whether the point is inside."""
        within = False
        for a, b in self._rows.get(int(p[1] // BUCKET), ()):
            if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]:
                within = not within
        return within


def _pieces(drawn: Drawn) -> list[tuple[Copper, int]]:
    """All copper with the number of the piece it is; a filled area's edges are one piece."""
    found = [(each, n) for n, each in enumerate((*drawn.pads, *drawn.tracks))]
    for n, (layer, net, outline) in enumerate(drawn.fills, len(found)):
        found += [(Copper(Shape(edge, 0.0), (layer,), net, AREA), n) for edge in pairwise((*outline, outline[0]))]
    return found


def _neighbours(pieces: list[tuple[Copper, int]]) -> Iterator[tuple[Copper, int, Copper, int]]:
    """Pairs of which one at least is no edge of an area, and between whose boxes is less than RULE."""
    boxes = [each.shape.box(RULE / 2) for each, _ in pieces]
    buckets: dict[tuple[str, int, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for k, (each, _) in enumerate(pieces):
        left, top, right, bottom = boxes[k]
        for layer in each.layers:
            for i in range(int(left // BUCKET), int(right // BUCKET) + 1):
                for j in range(int(top // BUCKET), int(bottom // BUCKET) + 1):
                    buckets[layer, i, j][each.owner == AREA].append(k)
    seen: set[tuple[int, int]] = set()
    for solid, edges_of_areas in buckets.values():
        for n, k in enumerate(solid):
            left, top, right, bottom = boxes[k]
            for other in chain(solid[n + 1 :], edges_of_areas):
                its = boxes[other]
                if left < its[2] and its[0] < right and top < its[3] and its[1] < bottom and (k, other) not in seen:
                    seen.add((k, other))
                    yield *pieces[k], *pieces[other]


@dataclass(frozen=True)
class Joined:
    """All copper with the number of each; what touches has one `root`. Pads come first, then tracks, then areas."""

    pieces: list[tuple[Copper, int]]
    root: Callable[[int], int]
    faults: list[str]
    """A sentence for each short and each gap that is too narrow."""


def complaints(drawn: Drawn) -> list[str]:
    """A sentence for each short, each gap that is too narrow, and each net that is in pieces."""
    it = joined(drawn)
    return [*it.faults, *_breaks(it.pieces, it.root)]


def joined(drawn: Drawn) -> Joined:
    """Which copper touches which."""
    pieces = _pieces(drawn)
    one_with: dict[int, int] = {}

    def root(n: int) -> int:
        while one_with.get(n, n) != n:
            n = one_with[n]
        return n

    found = set()
    for a, m, b, n in _neighbours(pieces):
        if a.net == b.net and a.net:
            if root(m) != root(n) and apart(a.shape, b.shape) < TOUCH:
                one_with[root(m)] = root(n)
        elif apart(a.shape, b.shape) < RULE - TOUCH:
            found.add(f"{_said(a)} and {_said(b)} are less than {RULE} mm apart.")
    for m, n, short in _in_areas(drawn):
        if short:
            found.add(short)
        else:
            one_with[root(m)] = root(n)
    return Joined(pieces, root, sorted(found))


def _in_areas(drawn: Drawn) -> Iterator[tuple[int, int, str]]:
    """Copper that lies wholly in an area, with the number of both; a sentence where it should not."""
    copper = [*drawn.pads, *drawn.tracks]
    areas = [(layer, net, Shape(outline, 0.0).box(), Area(outline)) for layer, net, outline in drawn.fills]
    for n, each in enumerate(copper):
        x, y = each.shape.points[0]
        for k, (layer, net, (left, top, right, bottom), area) in enumerate(areas):
            if layer in each.layers and left < x < right and top < y < bottom and area.holds((x, y)):
                yield n, len(copper) + k, "" if net == each.net else f"{_said(each)} lies in an area of {net}."


def _breaks(pieces: list[tuple[Copper, int]], root: Callable[[int], int]) -> Iterator[str]:
    nets: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each, n in pieces:
        if each.net and each.owner not in ("track", "via", AREA):
            nets[each.net][root(n)].append(each.owner)
    for net, those in sorted(nets.items()):
        if len(those) > 1:
            alone = sorted(those.values(), key=len)
            yield f"The net {net} is in {len(those)} pieces: {alone[0][0]} does not reach {alone[-1][0]}."


def _said(each: Copper) -> str:
    return f"{each.owner} ({each.net or 'no net'})"
