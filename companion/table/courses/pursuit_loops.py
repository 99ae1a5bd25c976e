"""The shrinking loops of pursuit: pegs left after a knock-out, and the switch to the next loop and back. Pure.

The peg reader numbers the racing seats from 0. Holes that hold pegs of an ended loop are hidden from it until these
pegs are lifted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.boards.board import Board, Route, bits_of, holes_of
from companion.common.errors import BoardError
from companion.common.snapshot import Advice
from companion.i18n import format_message
from companion.pegs import reader
from companion.pegs.problems import start_name
from companion.pegs.reader import PegReader
from companion.table.setup import TablePlan

MAX_ENDED_LOOPS = 8
"""Number of ended loops that are remembered for undo."""


class LeftPeg(NamedTuple):
    """A peg of an ended or undone loop that has not been lifted yet."""

    seat: int
    hole: int


class EndedLoop(NamedTuple):
    """An ended loop, to which undo may lead back: its number, its racing seats, and its dump of the peg reader."""

    number: int
    seats: tuple[int, ...]
    reader_dump: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RaceLoop:
    """The racing seats, the pegs left from other loops, and the ended loops, oldest first.

    A racer's index in `seats` is its number for the peg reader. In games without knock-outs all sides race for ever,
    so that index and seat are equal.
    """

    seats: tuple[int, ...]
    number: int = 0
    left_pegs: tuple[LeftPeg, ...] = ()
    ended_loops: tuple[EndedLoop, ...] = ()

    @property
    def hidden_bits(self) -> int:
        """Holes that are hidden from the peg reader, as bits."""
        return bits_of(peg.hole for peg in self.left_pegs)

    def remove_lifted(self, lifted: int) -> "RaceLoop":
        """Return the loop after the left pegs in these holes (bits) have been lifted."""
        left = tuple(peg for peg in self.left_pegs if not lifted >> peg.hole & 1)
        return RaceLoop(self.seats, self.number, left, self.ended_loops)

    def dump(self) -> list[Any]:
        """Return what a restart needs, ready for JSON; `load_loop` reads it."""
        return [self.number, self.left_pegs, self.ended_loops]


def check_loops(plan: TablePlan) -> None:
    """Raise BoardError if the board lacks a loop for any number of players from all of them down to two."""
    side = plan.game.holes_per_player
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


def routes_for_seats(plan: TablePlan, seats: tuple[int, ...]) -> tuple[Route, ...]:
    """Return the routes of the racing seats. Fewer seats race on a smaller loop of the board."""
    if len(seats) == plan.sides:
        return plan.routes
    routes = plan.board.routes[len(seats)]
    return tuple(replace(route, seat=seat) for seat, route in zip(seats, routes, strict=True))


def load_loop(seats: tuple[int, ...], saved: Sequence[Any]) -> RaceLoop:
    """Load the loop from a `RaceLoop.dump`."""
    number, left, ended = saved
    return RaceLoop(
        seats,
        number,
        tuple(LeftPeg(*peg) for peg in left),
        tuple(EndedLoop(ended_number, tuple(raced), dump) for ended_number, raced, dump in ended),
    )


def switch_loop(
    loop: RaceLoop, old: PegReader, fresh: PegReader, seats: tuple[int, ...], number: int, bits: int
) -> tuple[RaceLoop, PegReader]:
    """Return the loop of this number and its peg reader: the next after a knock-out, an earlier one after an undo.

    `fresh` is a new peg reader for the routes of `seats`. `bits` are all occupied holes.
    """
    placements = zip(loop.seats, old.placements or (), strict=False)
    standing = {hole: seat for seat, placement in placements for hole in (placement.back, placement.front)}
    if number > loop.number:
        starts = dict(zip(seats, (lane.route.start for lane in fresh.facts.race_board.lanes), strict=True))
        found = (*loop.left_pegs, *(LeftPeg(seat, hole) for hole, seat in standing.items()))
        left = tuple(p for p in found if bits >> p.hole & 1 and p.hole not in starts.get(p.seat, ()))
        ended = (*loop.ended_loops, EndedLoop(loop.number, loop.seats, reader.dump_reader(old)))[-MAX_ENDED_LOOPS:]
        return RaceLoop(seats, number, left, ended), fresh
    back = next((ended for ended in loop.ended_loops if (ended.number, ended.seats) == (number, seats)), None)
    if back is not None:
        fresh = reader.restore_reader(fresh, back.reader_dump)
    owners = {
        hole: seat for seat, one in zip(loop.seats, old.facts.race_board.lanes, strict=True) for hole in one.route.start
    }
    owners |= standing | {peg.hole: peg.seat for peg in loop.left_pegs}
    left = tuple(LeftPeg(owners[hole], hole) for hole in holes_of(bits & ~fresh.home_bits) if hole in owners)
    return RaceLoop(seats, number, left, tuple(ended for ended in loop.ended_loops if ended.number < number)), fresh


def build_advice(
    board: Board, loop: RaceLoop, peg_reader: PegReader, alive: Sequence[int], winner: int | None, names: Sequence[str]
) -> tuple[Advice, ...]:
    """Return which pegs come off the board, and where the remaining players start the next loop."""
    left_holes = {
        seat: [board.holes[peg.hole].id for peg in loop.left_pegs if peg.seat == seat] for seat in range(len(names))
    }
    set_up: list[Advice] = []
    if peg_reader.placements is None and winner is None:
        set_up = list(_set_up_advice(board, loop, peg_reader, names, left_holes))
    return (*_take_off_advice(alive, winner, names, left_holes), *set_up)


def _set_up_advice(
    board: Board, loop: RaceLoop, peg_reader: PegReader, names: Sequence[str], left_holes: Mapping[int, list[str]]
) -> Iterator[Advice]:
    """Yield advice to put both pegs of each racing seat to the start, into holes that hold no left peg any more."""
    for seat, lane in zip(loop.seats, peg_reader.facts.race_board.lanes, strict=True):
        for hole in lane.route.start:
            if not peg_reader.taken_bits >> hole & 1:
                lift, place = left_holes[seat].pop() if left_holes[seat] else None, board.holes[hole]
                start = start_name(place.track, shared=place.seat is None)
                sentence = format_message("{name}: both pegs to {start}.", name=names[seat], start=start)
                if not loop.hidden_bits >> hole & 1:
                    yield Advice("set_up", seat, sentence, lift=lift, place=place.id)


def _take_off_advice(
    alive: Sequence[int], winner: int | None, names: Sequence[str], left_holes: Mapping[int, list[str]]
) -> Iterator[Advice]:
    """Yield advice to take pegs of other loops off the board. The winner's may stay where they won."""
    for seat, holes in left_holes.items():
        if seat in alive:
            sentence = format_message(
                "{name}: take this peg off the board; it is left over from another loop.", name=names[seat]
            )
        else:
            sentence = format_message("{name} is out: take this peg off the board.", name=names[seat])
        for hole in () if seat == winner else holes:
            yield Advice("take_off", seat, sentence, hole=hole, lift=hole)
