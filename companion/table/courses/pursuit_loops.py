"""Loops that shrink (pursuit): what a knock-out leaves on the board, and the way to the next loop and back. Pure.

The watcher knows those who race by their place among them. Pegs of a loop that is over are no matter of the watcher:
until they are lifted it is not shown their holes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.boards.board import bits_of, holes_of
from companion.boards.catalog import Board, Route
from companion.common.errors import BoardError
from companion.common.snapshot import Advice
from companion.i18n import say
from companion.pegs import reader as pegs
from companion.pegs.problems import start_of
from companion.pegs.reader import Watch
from companion.table.setup import Plan

KEPT = 8
"""So many loops that are over are remembered, for undo."""


class Left(NamedTuple):
    """A peg of a loop that is over, or of one that was undone, not lifted yet."""

    seat: int
    hole: int


class Ended(NamedTuple):
    """A loop that is over: its number, who raced, and what `pegs.dump` kept of it. Undo may lead back to it."""

    number: int
    seats: tuple[int, ...]
    pegs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loop:
    """Who races now, by their place; the pegs `left` of other loops; the loops that have `ended`, oldest first.

    Where nobody is ever knocked out it stays as it began: all sides race, and their places are their seats.
    """

    seats: tuple[int, ...]
    number: int = 0
    left: tuple[Left, ...] = ()
    ended: tuple[Ended, ...] = ()

    @property
    def hidden(self) -> int:
        """The holes that the watcher is not shown, as bits."""
        return bits_of(peg.hole for peg in self.left)

    def without(self, gone: int) -> "Loop":
        """The loop once the pegs that were left in these holes (bits) have been lifted."""
        left = tuple(peg for peg in self.left if not gone >> peg.hole & 1)
        return Loop(self.seats, self.number, left, self.ended)

    def dump(self) -> list[Any]:
        """What a restart must know, ready for JSON; `restored` reads it."""
        return [self.number, self.left, self.ended]


def check(plan: Plan) -> None:
    """Raise BoardError for a board without a loop for every number of players, from all of them down to two."""
    side = plan.game.lap
    for seats in range(2, plan.setup.seats + 1):
        routes = plan.board.routes.get(seats, ())
        laps = {len(route.way) for route in routes if route.loop and len(set(route.way)) == len(route.way)}
        if len(routes) != seats or laps != {side * seats} or routes[1].way[0] != routes[0].way[side]:
            raise BoardError(
                "The board {board_name} has no loop of {word} holes for {seats} players.",
                board_name=plan.board_name,
                word=side * seats,
                seats=seats,
            )


def ways(plan: Plan, seats: tuple[int, ...]) -> tuple[Route, ...]:
    """The ways of those who race: with fewer of them those of a smaller loop, each with the seat that goes there."""
    if len(seats) == plan.sides:
        return plan.routes
    routes = plan.board.routes[len(seats)]
    return tuple(replace(route, seat=seat) for seat, route in zip(seats, routes, strict=True))


def restored(seats: tuple[int, ...], saved: Sequence[Any]) -> Loop:
    """The loop that `Loop.dump` kept."""
    number, left, ended = saved
    return Loop(
        seats,
        number,
        tuple(Left(*peg) for peg in left),
        tuple(Ended(ended_number, tuple(raced), kept) for ended_number, raced, kept in ended),
    )


def followed(
    loop: Loop, old: Watch, fresh: Watch, seats: tuple[int, ...], number: int, bits: int
) -> tuple[Loop, Watch]:
    """The loop with this number and its watch: the next one after a knock-out, an earlier one after an undo.

    `fresh` watches the ways of `seats` and has seen nothing yet. `bits` are all the holes that hold a peg.
    """
    stands = zip(loop.seats, old.stands or (), strict=False)
    standing = {hole: seat for seat, stand in stands for hole in (stand.back, stand.front)}
    if number > loop.number:
        starts = dict(zip(seats, (lane.route.start for lane in fresh.ground.lanes), strict=True))
        found = (*loop.left, *(Left(seat, hole) for hole, seat in standing.items()))
        left = tuple(p for p in found if bits >> p.hole & 1 and p.hole not in starts.get(p.seat, ()))
        ended = (*loop.ended, Ended(loop.number, loop.seats, pegs.dump(old)))[-KEPT:]
        return Loop(seats, number, left, ended), fresh
    back = next((ended for ended in loop.ended if (ended.number, ended.seats) == (number, seats)), None)
    if back is not None:
        fresh = pegs.restore(fresh, back.pegs)
    owners = {hole: seat for seat, one in zip(loop.seats, old.ground.lanes, strict=True) for hole in one.route.start}
    owners |= standing | {peg.hole: peg.seat for peg in loop.left}
    left = tuple(Left(owners[hole], hole) for hole in holes_of(bits & ~fresh.homes) if hole in owners)
    return Loop(seats, number, left, tuple(ended for ended in loop.ended if ended.number < number)), fresh


def advice(
    board: Board, loop: Loop, watch: Watch, alive: Sequence[int], winner: int | None, names: Sequence[str]
) -> tuple[Advice, ...]:
    """Which pegs come off the board, and where those of the living start the next loop."""
    lying = {seat: [board.holes[peg.hole].id for peg in loop.left if peg.seat == seat] for seat in range(len(names))}
    ways: list[Advice] = []
    if watch.stands is None and winner is None:
        ways = list(_set_up(board, loop, watch, names, lying))
    return (*_take_off(alive, winner, names, lying), *ways)


def _set_up(
    board: Board, loop: Loop, watch: Watch, names: Sequence[str], lying: Mapping[int, list[str]]
) -> Iterator[Advice]:
    """Both pegs of everybody left go to the start of the next loop, to a hole once no old peg stands there."""
    for seat, lane in zip(loop.seats, watch.ground.lanes, strict=True):
        for hole in lane.route.start:
            if not watch.taken >> hole & 1:
                lift, place = lying[seat].pop() if lying[seat] else None, board.holes[hole]
                start = start_of(place.track, shared=place.seat is None)
                told = say("{name}: both pegs to {start}.", name=names[seat], start=start)
                if not loop.hidden >> hole & 1:
                    yield Advice("set_up", seat, told, lift=lift, place=place.id)


def _take_off(
    alive: Sequence[int], winner: int | None, names: Sequence[str], lying: Mapping[int, list[str]]
) -> Iterator[Advice]:
    """Pegs that have no place on this loop. The winner's may stay where they won."""
    for seat, holes in lying.items():
        if seat in alive:
            told = say("{name}: this peg stood there on another loop.", name=names[seat])
        else:
            told = say("{name} is out: take this peg off the board.", name=names[seat])
        for hole in () if seat == winner else holes:
            yield Advice("take_off", seat, told, hole=hole, lift=hole)
