"""What tracks are to be found on a board whose parts are placed: a task for each pad that is not joined yet. Pure."""

from collections.abc import Iterable, Iterator

from hardware.pcb.boardfile import BOTH, Copper, Drawn
from hardware.pcb.router import TRACK, VIA, Router, Task, Way, grid, touching
from hardware.pcb.shapes import Shape, apart, from_point

FIRST = {"5V": 0, "3V3": 0, "GND": 1}
"""Supplies have the shortest ways and no choice: they go first, then all others, the shortest first."""

Group = list[Copper]


class Joining:
    """Finds the tracks of a board whose parts are placed, and looks for more when it is told to."""

    def __init__(self, drawn: Drawn) -> None:
        names = sorted({each.net for each in (*drawn.pads, *drawn.tracks) if each.net})
        numbers = {name: n for n, name in enumerate(names, 1)}
        edge = [Shape(ends, 0.0) for ends in drawn.edge]
        bare = [hole for part in drawn.parts.values() for hole in part.drilled]
        self._router = Router(grid(edge, (*drawn.pads, *drawn.tracks), bare, numbers), numbers)
        self._tasks: list[Task] = []
        self.more(_tasks(drawn))

    def more(self, tasks: list[Task]) -> None:
        """Finds ways for these too, and for those that they push aside. Raises NoWayError."""
        self._tasks += tasks
        self._router.run(self._tasks)

    def copper(self) -> list[Copper]:
        """The tracks and vias found so far."""
        return [piece for task in self._tasks if task.way for piece in _pieces(task.net, task.way)]


def _pieces(net: str, way: Way) -> Iterator[Copper]:
    for layer, a, b in way.tracks():
        yield Copper(Shape((a, b), TRACK / 2), (layer,), net, "track")
    for at in way.vias():
        yield Copper(Shape((at,), VIA / 2), BOTH, net, "via")


def pruned(copper: Iterable[Copper], given: Iterable[Copper]) -> list[Copper]:
    """Without thin tracks that lie in a wide given one of their net from end to end: KiCad calls them loose ends."""
    wide = [each for each in given if each.owner == "track" and each.shape.radius > TRACK]

    def needed(each: Copper) -> bool:
        return each.owner == "via" or each.shape.radius > TRACK or not any(
            each.net == other.net and each.layers == other.layers
            and all(from_point(end, other.shape) < -0.05 for end in each.shape.points)
            for other in wide
        )  # fmt: skip

    return [each for each in copper if needed(each)]


def _tasks(drawn: Drawn) -> list[Task]:
    nets: dict[str, list[Copper]] = {}
    for each in (*drawn.pads, *drawn.tracks):
        if each.net:
            nets.setdefault(each.net, []).append(each)
    found: list[tuple[int, float, Task]] = []
    for net, copper in nets.items():
        groups = _groups(copper)
        if net == "GND":  # each pad above goes down to the area of ground; pads with a hole are in it
            found += [(1, 0.0, Task(net, touching(g[0]), None)) for g in groups if "B.Cu" not in g[0].layers]
        else:
            found += [(FIRST.get(net, 2), far, task) for far, task in _tree(net, groups)]
    return [task for _, _, task in sorted(found, key=lambda each: each[:2])]


def _tree(net: str, groups: list[Group]) -> list[tuple[float, Task]]:
    """The net's pieces joined one after the other, always that which is nearest to what is joined."""
    groups.sort(key=len, reverse=True)
    if net in FIRST:  # all go to the tracks that run along, which are the largest piece
        return [(0.0, Task(net, _points(each), _points(groups[0]))) for each in groups[1:]]
    joined, rest = [groups[0]], groups[1:]
    found = []
    while rest:
        far, k, n = min((_gap(a, b), k, n) for k, a in enumerate(rest) for n, b in enumerate(joined))
        new = rest.pop(k)
        found.append((far, Task(net, _points(new), _points(joined[n]))))
        joined.append(new)
    return found


def _points(group: Group) -> frozenset[tuple[int, int, int]]:
    return frozenset().union(*(touching(each) for each in group))


def _gap(one: Group, other: Group) -> float:
    ends = [(p, q) for a in one for b in other for p in a.shape.points[:2] for q in b.shape.points[:2]]
    return min(abs(p[0] - q[0]) + abs(p[1] - q[1]) for p, q in ends)


def _groups(copper: list[Copper]) -> list[Group]:
    """Pieces that touch already: pads that stand alone, and tracks that were given with the pads under them."""
    groups: list[Group] = []
    for each in copper:
        near = [g for g in groups if any(_touch(each, other) for other in g)]
        groups = [g for g in groups if g not in near] + [[each, *(c for g in near for c in g)]]
    return groups


def _touch(a: Copper, b: Copper) -> bool:
    if "track" not in (a.owner, b.owner) or not set(a.layers) & set(b.layers):
        return False
    (l1, t1, r1, b1), (l2, t2, r2, b2) = a.shape.box(), b.shape.box()
    return l1 < r2 and l2 < r1 and t1 < b2 and t2 < b1 and apart(a.shape, b.shape) < -0.02
