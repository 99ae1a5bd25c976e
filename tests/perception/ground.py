"""The boards of the stories and the track of each player. It does not import a peg reader."""

from dataclasses import dataclass
from functools import cache, cached_property

from companion.boards import catalog
from companion.boards.board import Route


@dataclass(frozen=True)
class Ground:
    """A board with a number of players, in a game to `target` points."""

    board: str
    seats: int
    target: int = 121

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        return _board(self.board).routes[self.seats]

    @cached_property
    def holes(self) -> int:
        return len(_board(self.board).holes)

    @property
    def starts(self) -> list[int]:
        return [hole for route in self.routes for hole in route.start]

    @cached_property
    def is_shared(self) -> bool:
        return bool(set(self.routes[0].way) & set(self.routes[1].way))

    @cached_property
    def ways(self) -> list[list[int]]:
        """Return for each seat the hole of every score from 0 on; the last element is the rear start hole, score -1."""
        scores = (*range(self.target + 1), -1)
        return [[route.hole_at(points, self.target) for points in scores] for route in self.routes]

    def hole(self, seat: int, points: int) -> int:
        """Return the hole of a seat's peg with this score. -1 and 0 are the start holes."""
        way = self.ways[seat]
        return way[points] if points <= self.target else self.routes[seat].hole_at(points, self.target)

    def points(self, seat: int, hole: int) -> list[int]:
        """Return all scores of a hole, one for each lap."""
        return self._points[seat].get(hole, [])

    @cached_property
    def _points(self) -> list[dict[int, list[int]]]:
        """Return for each seat the scores of every hole on its track."""
        found: list[dict[int, list[int]]] = [{} for _ in self.ways]
        for of, way in zip(found, self.ways, strict=True):
            for points in range(-1, self.target + 1):
                of.setdefault(way[points], []).append(points)
        return found


_board = cache(catalog.load_board)
