"""Where the pegs of 'Round the Bases belong, and what is said of those that do not stand there. Pure.

The game's view says who runs and what is scored; the board's tracks and numbers say which hole that is. The comparing
is the board's (`companion.board.markers.marks`).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.board.markers.marks import Kind, Markers, Shift, Wanted, shifts
from companion.board.paint.lights import RUN_MS
from companion.board.shape.lanes import bits_of, holes_of
from companion.board.shape.layout import Board, Hole
from companion.errors import BoardError
from companion.rules.spaces import LEG
from companion.snapshot import Advice, Mark, Marker

RUNNERS = 4
"""Runner pegs on the board."""
PEGS = 5
"""Pegs of each side, for its scales and runs."""
SIDES = ("red", "blue")
"""How the tracks of a side begin."""
REACHED_MS = 1200
"""So long it stays where it has come."""

_BASES = {6: "first base", 12: "second base", 18: "third base", 24: "home plate"}
_BOXES = ("runners", *(f"{side}-pegs" for side in SIDES))
_NUMBERS: Mapping[str, range] = {
    "bases": range(1, 24), "batter": range(1), "runners": range(1, RUNNERS + 1), "outs": range(4), "innings": range(10),
    **{f"{side}-{box}": range(1, 2) for side in SIDES for box in ("units", "runs")},
    **{f"{side}-tens": range(10, 11) for side in SIDES}, **{f"{side}-pegs": range(1, PEGS + 1) for side in SIDES},
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
        Kind("runner", field | home, sum(runners), home, RUNNERS - len(runners)),
        Kind("outs", holes.all("outs"), holes.one("outs", view["outs"])),
        Kind("innings", holes.all("innings"), holes.one("innings", min(done, 9))),
    ]
    for side, points, runs in zip(SIDES, _on_scales(view), view["scores"], strict=True):
        units, tens, ran, box = (f"{side}-{each}" for each in ("units", "tens", "runs", "pegs"))
        stand = holes.sum_of(units, points % 10) + holes.sum_of(tens, points - points % 10) + holes.sum_of(ran, runs)
        stand = stand[:PEGS]
        area = holes.all(units) | holes.all(tens) | holes.all(ran) | holes.all(box)
        found.append(Kind(side, area, sum(stand), holes.all(box), PEGS - len(stand)))
    return tuple(found)


def resting(board: Board, view: Mapping[str, Any]) -> int:
    """The holes that hold a peg when every peg is where it belongs, the spare ones in the first holes of their box."""
    taken = 0
    for kind in wanted(board, view):
        box = [hole.bit for hole in board.holes if kind.box >> hole.bit & 1]
        taken |= kind.holes | bits_of(box[: kind.spare])
    return taken


def standing(markers: Markers) -> tuple[Marker, ...]:
    """Where pegs are known to stand, right or wrong."""
    holes = (markers.board.holes[bit] for bit in holes_of(markers.taken or 0))
    return tuple(Marker(hole.id, hole.seat) for hole in holes)


def runs(board: Board, plays: Sequence[Mapping[str, Any]], from_ms: int) -> tuple[Mark, ...]:
    """The lights that run as the runners did: to the base that was reached; half the way and no further for an out."""
    found = []
    for play in plays:
        out = play["result"] == "out"
        spaces = range(play["from"] * LEG + 1, play["to"] * LEG + 1)
        way = tuple(f"bases-{space}" for space in spaces if f"bases-{space}" in board.by_id)
        way = way[: len(way) // 2] if out else way
        if not way:  # safe where he stood
            continue
        until_ms = from_ms + len(way) * RUN_MS + REACHED_MS
        found.append(Mark("out" if out else "run", way[-1], until_ms, from_ms, way))
    return tuple(found)


def home(board: Board) -> int:
    """The hole of home plate, or the last before it: the light of a game that is won runs round the bases."""
    return max((hole for hole in board.holes if hole.track == "bases"), key=lambda hole: hole.number).bit


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
    holes = markers.board.holes
    seat = SIDES.index(shift.kind) if shift.kind in SIDES else None
    who = names[seat] if seat is not None else f"{shift.kind.capitalize()} peg"
    lift, place = (None if bit is None else holes[bit].id for bit in (shift.lift, shift.place))
    start, goal = (None if bit is None else _where(holes[bit], shift.kind, names) for bit in (shift.lift, shift.place))
    here, there = (f"{'on' if where in _BASES.values() else 'in'} {where}" for where in (start, goal))
    if shift.place is None:
        return Advice("take_off", None, f"No peg belongs {here}.", hole=lift, lift=lift)
    if not markers.started:
        say = f"{who}: one {there}." if lift is None else f"{who}: the one {here} starts {there}."
        return Advice("set_up", seat, say, lift=lift, place=place)
    if shift.lift is None:
        say = "missing" if shift.wrong else "to be put"
        kind = "put_back" if shift.wrong else "peg_back" if holes[shift.place].track in _BOXES else "peg_forward"
        return Advice(kind, seat, f"{who}: one is {say} {there}.", place=place)
    if shift.wrong:
        say = f"{who}: the one {here} belongs {there}."
        return Advice("put_back", seat, say, hole=lift, lift=lift, place=place)
    kind = "peg_back" if _goes_back(holes[shift.lift], holes[shift.place]) else "peg_forward"
    return Advice(kind, seat, f"{who}: from {start} to {goal}.", lift=lift, place=place)


def _goes_back(lift: Hole, place: Hole) -> bool:
    """Whether a peg goes into its box, or down its row."""
    if place.track in _BOXES:
        return True
    return place.track == lift.track and place.number < lift.number


def _where(hole: Hole, kind: str, names: Sequence[str]) -> str:
    """A hole as players name it; with its side, where the peg is none of that side's."""
    side, _, box = hole.track.rpartition("-")
    if box == "bases":
        return _BASES.get(hole.number, f"space {hole.number}")
    if box in ("outs", "innings"):
        hole_name = str(hole.number) if hole.number else "the neutral hole"
        return hole_name if box == kind else f"{hole_name} of the {box}"
    if box in ("batter", "runners"):
        return f"the {box}' box" if box == "runners" else "the batter's box"
    whose = "the" if side == kind or side not in SIDES else f"{names[SIDES.index(side)]}'s"
    if box == "pegs":
        return f"{whose} box"
    return f"{hole.number} of {whose} {'runs' if box == 'runs' else 'scale'}"
