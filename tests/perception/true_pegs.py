"""The true places of all pegs of an evening, and the next place by the rules. It does not use a peg reader."""

from random import Random
from typing import NamedTuple

from companion.boards.board import Lane, build_race_board
from companion.table.courses.pursuit_loops import routes_for_seats
from companion.table.setup import TablePlan


class PegMove(NamedTuple):
    """A peg that is carried from one hole to another. None stands for a place beside the board."""

    lift: int | None
    put: int | None


class TruePegs:
    """Both pegs of every side, back and front, in points and in holes.

    `owed` are points without a peg, because neither their hole nor a start hole of the side was free.
    """

    def __init__(self, plan: TablePlan) -> None:
        self.plan = plan
        self.begin_race(tuple(range(plan.sides)))

    def begin_race(self, sides: tuple[int, ...]) -> None:
        """Let these sides race from the start; on a smaller loop if others are out."""
        routes = routes_for_seats(self.plan, sides) if self.plan.game.holes_per_player else self.plan.routes
        lanes = build_race_board(self.plan.board, routes, self.plan.target).lanes
        self.lanes: dict[int, Lane] = dict(zip(sides, lanes, strict=True))
        self.points = {side: [-1, 0] for side in sides}
        self.holes = {
            side: [lane.start_placement.back, lane.start_placement.front] for side, lane in self.lanes.items()
        }
        self.owed = dict.fromkeys(sides, 0)

    @property
    def fronts(self) -> list[int]:
        return [front for _, front in self.points.values()]

    def hole(self, side: int, points: int) -> int:
        return self.lanes[side].hole_at(min(points, self.plan.target))

    @property
    def occupied_holes(self) -> set[int]:
        return {hole for two in self.holes.values() for hole in two}

    def next_move(self, side: int, points: int) -> PegMove | None:
        """Return how a side pegs these points and those it owes; None if nothing can be moved.

        If the hole is taken, the peg waits in a free start hole of its side, from where it moves next.
        """
        start, (back, front) = self.lanes[side].route.start, self.holes[side]
        now, goal = self.points[side][1], self._goal(side, points)
        if goal == now:
            return None
        lift = front if now > 0 and front in start and self.hole(side, now) != front else back
        put = self.hole(side, goal)
        if put in self.occupied_holes - {lift}:
            free = [hole for hole in start if hole not in (back, front)]
            return PegMove(lift, free[0]) if free else None
        return PegMove(lift, put)

    def make_move(self, side: int, points: int, move: PegMove | None) -> None:
        """Peg the points with this move. Without a move they are owed."""
        goal = self._goal(side, points)
        if move is None or move.put is None:
            self.owed[side] = goal - self.points[side][1]
            return
        kept = self.holes[side].index(move.lift) ^ 1
        self.points[side] = [self.points[side][kept], goal]
        self.holes[side] = [self.holes[side][kept], move.put]
        self.owed[side] = 0

    def _goal(self, side: int, points: int) -> int:
        return min(self.points[side][1] + self.owed[side] + points, self.plan.target)

    def begin_next_loop(self, sides: tuple[int, ...], rng: Random) -> list[PegMove]:
        """Let these sides race on the next loop. Return the moves of their pegs to the start and of all others off it.

        Pegs are carried one by one to free start holes, or all are taken off the board before.
        """
        old, moves = self.holes, list[PegMove]()
        self.begin_race(sides)
        taken = {hole for two in old.values() for hole in two}
        is_direct = rng.random() < 0.5
        for side, two in old.items():
            starts = set(self.holes.get(side, ()))
            for hole in two:
                free = sorted(starts - taken) if is_direct else []
                if hole in starts:
                    continue
                moves.append(PegMove(hole, free[0] if free else None))
                taken = taken - {hole} | set(free[:1])
        for side in sides:
            moves += [PegMove(None, hole) for hole in self.holes[side] if hole not in taken]
        return moves
