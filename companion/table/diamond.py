"""Where the pegs of 'Round the Bases belong, and what is said of those that do not stand there. Pure.

The game's view says who runs and what is scored; the board's tracks and numbers say which hole that is. The comparing
is the board's (`companion.board.markers`).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.board.layout import Board
from companion.board.markers import Kind, Markers, Shift, Wanted, shifts
from companion.errors import BoardError
from companion.snapshot import Advice

RUNNERS = 4
"""Runner pegs on the board."""
PEGS = 5
"""Pegs of each side, for its scales and runs."""
SIDES = ("red", "blue")
"""How the tracks of a side begin."""

_BASES = {6: "first base", 12: "second base", 18: "third base"}
_NUMBERS: Mapping[str, range] = {
    "bases": range(1, 24), "batter": range(1), "runners": range(1, RUNNERS + 1), "outs": range(4), "innings": range(10),
    **{f"{side}-{box}": range(1, 2) for side in SIDES for box in ("units", "runs", "pegs")},
    **{f"{side}-tens": range(10, 11) for side in SIDES},
}  # fmt: skip
"""By track, the holes that a board of this game must have at least."""


def check(board: Board) -> None:
    """Raise BoardError for a board that lacks something the game needs."""
    there = {(hole.track, hole.number) for hole in board.holes}
    missing = next((t for t, numbers in _NUMBERS.items() if any((t, n) not in there for n in numbers)), None)
    if missing:
        raise BoardError(f"The board {board.name} has no whole track {missing}: 'Round the Bases needs one.")


def wanted(board: Board, view: Mapping[str, Any]) -> Wanted:
    """Where every peg belongs, the game being as `view` says."""
    holes = _Holes(board)
    runners = [holes.one("bases", space) if space else holes.one("batter", 0) for space in view["runners"]]
    field = holes.all("bases") | holes.all("batter")
    home = holes.all("runners")
    done = view["inning"] - (view["phase"] != "over")
    found = [
        Kind("runner", field | home, sum(runners), home, max(0, RUNNERS - len(runners))),
        Kind("outs", holes.all("outs"), holes.one("outs", view["outs"])),
        Kind("innings", holes.all("innings"), holes.one("innings", min(done, 9))),
    ]
    for side, points, runs in zip(SIDES, _on_scales(view), view["scores"], strict=True):
        units, tens, ran, box = (f"{side}-{each}" for each in ("units", "tens", "runs", "pegs"))
        stand = holes.sum_of(units, points % 10) + holes.sum_of(tens, points - points % 10) + holes.sum_of(ran, runs)
        area = holes.all(units) | holes.all(tens) | holes.all(ran) | holes.all(box)
        found.append(Kind(side, area, sum(stand), holes.all(box), max(0, PEGS - len(stand))))
    return tuple(found)


def resting(board: Board, view: Mapping[str, Any]) -> int:
    """The holes that hold a peg when every peg is where it belongs, the spare ones in the first holes of their box."""
    taken = 0
    for kind in wanted(board, view):
        box = [hole.bit for hole in board.holes if kind.box >> hole.bit & 1]
        taken |= kind.holes | sum(1 << bit for bit in box[: kind.spare])
    return taken


def advice(markers: Markers, names: Sequence[str]) -> tuple[Advice, ...]:
    """Which pegs are to be moved, in the players' words."""
    return tuple(_advised(markers, shift, names) for shift in shifts(markers))


def _on_scales(view: Mapping[str, Any]) -> Sequence[int]:
    """The points on the scales: their pegs go back to the box before the next hand."""
    points: Sequence[int] = view["points"]
    return (0,) * len(points) if view["phase"] == "cut" else points


class _Holes:
    """A board's holes by track and number."""

    def __init__(self, board: Board) -> None:
        self._tracks: dict[str, dict[int, int]] = {}
        for hole in board.holes:
            self._tracks.setdefault(hole.track, {})[hole.number] = 1 << hole.bit

    def one(self, track: str, number: int) -> int:
        """The hole of this number, as a bit."""
        return self._tracks[track][number]

    def all(self, track: str) -> int:
        """The holes of a track."""
        return sum(self._tracks[track].values())

    def sum_of(self, track: str, value: int) -> list[int]:
        """The fewest holes whose numbers add up to the value, or come nearest below it."""
        numbers = self._tracks[track]
        return [numbers[n] for n in _addends(tuple(numbers), value)]


@lru_cache
def _addends(numbers: tuple[int, ...], value: int) -> tuple[int, ...]:
    every = [some for size in range(len(numbers) + 1) for some in combinations(sorted(numbers, reverse=True), size)]
    return max((some for some in every if sum(some) <= value), key=lambda some: (sum(some), -len(some)))


def _advised(markers: Markers, shift: Shift, names: Sequence[str]) -> Advice:
    board = markers.board
    seat = SIDES.index(shift.kind) if shift.kind in SIDES else None
    who = names[seat] if seat is not None else f"{shift.kind.capitalize()} peg"
    lift, place = (None if bit is None else board.holes[bit].id for bit in (shift.lift, shift.place))
    where = [None if bit is None else _where(board, bit) for bit in (shift.lift, shift.place)]
    if place is None:
        return Advice("take_off", None, f"No peg belongs {_in(where[0])}.", hole=lift, lift=lift)
    if lift is None:
        kind = "peg_forward" if markers.started else "set_up"
        return Advice(kind, seat, f"{who}: one {_in(where[1])}.", place=place)
    if shift.wrong:
        say = f"{who}: the one {_in(where[0])} belongs {_in(where[1])}."
        return Advice("put_back", seat, say, hole=lift, lift=lift, place=place)
    kind = "peg_back" if place.startswith(("runners", "red-pegs", "blue-pegs")) else "peg_forward"
    return Advice(kind, seat, f"{who}: from {where[0]} to {where[1]}.", lift=lift, place=place)


def _in(where: str | None) -> str:
    return f"in {where}"


def _where(board: Board, bit: int) -> str:
    """A hole as players name it."""
    hole = board.holes[bit]
    track = hole.track.rpartition("-")[2]
    if track == "bases":
        return _BASES.get(hole.number, f"space {hole.number}")
    if track in ("outs", "innings"):
        return f"{track} {hole.number}" if hole.number else "its neutral hole"
    return {
        "batter": "the batter's box",
        "runners": "the runners box",
        "units": f"{hole.number} of the scale",
        "tens": f"{hole.number} of the scale",
        "runs": f"{hole.number} of the runs",
        "pegs": "the pegs box",
    }.get(track, hole.id)
