"""The boards that stories are played on, with so many players: which hole is whose way. No watcher is imported here."""

from dataclasses import dataclass
from functools import cache, cached_property

from companion.boards import catalog
from companion.boards.catalog import Route


@dataclass(frozen=True)
class Ground:
    """A board with so many players on it, in a game to `target`."""

    board: str
    seats: int
    target: int = 121

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """Each seat's way."""
        return _board(self.board).routes[self.seats]

    @cached_property
    def holes(self) -> int:
        """So many holes has the board."""
        return len(_board(self.board).holes)

    @property
    def starts(self) -> list[int]:
        """The start holes of all seats."""
        return [hole for route in self.routes for hole in route.start]

    @cached_property
    def shared(self) -> bool:
        """All pegs go over the same holes."""
        return bool(set(self.routes[0].way) & set(self.routes[1].way))

    @cached_property
    def ways(self) -> list[list[int]]:
        """For each seat the hole of every score from 0 on, the start's farther hole last: score -1 has it."""
        scores = (*range(self.target + 1), -1)
        return [[route.hole_at(points, self.target) for points in scores] for route in self.routes]

    def hole(self, seat: int, points: int) -> int:
        """Where a peg of the seat stands with so many points: -1 and 0 are the start."""
        way = self.ways[seat]
        return way[points] if points <= self.target else self.routes[seat].hole_at(points, self.target)

    def points(self, seat: int, hole: int) -> list[int]:
        """All the points that a hole stands for, on every lap."""
        return self._points[seat].get(hole, [])

    @cached_property
    def _points(self) -> list[dict[int, list[int]]]:
        """For each seat the points of every hole on its way."""
        found: list[dict[int, list[int]]] = [{} for _ in self.ways]
        for of, way in zip(found, self.ways, strict=True):
            for points in range(-1, self.target + 1):
                of.setdefault(way[points], []).append(points)
        return found


_board = cache(catalog.load_board)
