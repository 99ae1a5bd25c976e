"""What can be amiss with pegs: one table, a row a kind. Each row says its sentence, what lights the way back, and when.

`notice` and `ask` name the time, counted from the last change of the holes involved, from which a kind is advised
about and asked about. Every question about resting pegs ends with the choice to take the board as it stands. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.board.race.believe import Believed
from companion.board.race.classify import IMPOSSIBLE, MOST, Meaning, Misread
from companion.board.race.times import SET_UP_MS, Settings
from companion.board.shape.lanes import PegDue, holes_of
from companion.snapshot import Choice

NAMES = ("Red", "Blue", "Green", "Yellow", "White")
"""What a seat is called, after the colour of its pegs. A route says whose it is."""

Kind = (
    Misread
    | Literal["out", "both_out", "wrong_track", "wrong_peg", "whose", "row"]
    | Literal["scattered", "empty", "set_up", "homewards"]
)
"""The kinds of what can be amiss: a seat's resting pegs misread, pegs missing or misplaced, the whole board."""
Wait = Literal["at once", "quiet", "doubt", "missing", "set up", "never"]


class Key(NamedTuple):
    """One situation: it is noticed once and asked about once. `seat` is None where it is nobody's alone."""

    kind: Kind
    seat: int | None
    holes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Pegs that fit no one story. `seats` are concerned; `ask_ms` is None where advice is enough.

    From `notice_ms` on it is advised about, from `ask_ms` on a person is asked. `places` are the likely stories:
    in each, where the pegs of each of the seats rest.
    """

    key: Key
    seats: tuple[int, ...]
    notice_ms: int
    ask_ms: int | None
    meaning: Meaning | None = None
    places: tuple[tuple[frozenset[int], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A trouble with what is believed of the board: what the sentences of the table need."""

    believed: Believed
    trouble: Trouble

    @property
    def name(self) -> str:
        """The seat concerned, by the colour of its lane's pegs: on a loop that others have left it keeps its own."""
        return name(self.believed, self.trouble.key.seat or 0)

    @property
    def points(self) -> int:
        """So many points the pegs show."""
        return self.trouble.meaning.points if self.trouble.meaning is not None else 0

    @property
    def due(self) -> PegDue | None:
        """What is due of the seat concerned."""
        seat = self.trouble.key.seat
        return None if seat is None else self.believed.facts.due(seat)

    @property
    def owed(self) -> str:
        """What else is due of the seat concerned, as the end of a sentence."""
        due = self.due
        return f", and {_are(due.points)} due" if due is not None and due.points > 0 else ""

    @property
    def others(self) -> tuple[str, ...]:
        """Those of the other seats of whom just these points are due."""
        facts, seat = self.believed.facts, self.trouble.key.seat
        return tuple(name(self.believed, d.seat) for d in facts.dues if d.seat != seat and d.points == self.points)

    @property
    def hole(self) -> str:
        """The first hole that it is about, as players name it."""
        return where(self.believed, self.trouble.key.holes[0])

    @property
    def gone(self) -> tuple[int, ...]:
        """The homes of the seats concerned that are empty; where all go home, the empty start holes."""
        believed = self.believed
        if believed.facts.stands is None or self.trouble.key.kind == "homewards":
            return holes_of(believed.facts.ground.start & ~believed.taken)
        return tuple(h for s in self.trouble.seats for h in believed.gone[s] if not believed.taken >> h & 1)


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A row of the table. `say` is its sentence, `advice` the kind of its advice (docs/reference/http.md).

    `choices` are likely answers, the likeliest first; a move of None is answered by peg alone. `rests`: all its pegs
    rest in holes, so that the board can be taken as it stands.
    """

    say: Callable[[Case], str]
    notice: Wait
    ask: Wait
    advice: Callable[[Case], str] = lambda _: "put_back"
    choices: Callable[[Case], Iterable[Choice]] = lambda _: ()
    rests: bool = True


def wait_ms(wait: Wait, settings: Settings) -> int | None:
    """How long this wait is; None for ever."""
    return {
        "at once": 0, "quiet": settings.quiet_ms, "doubt": settings.doubt_ms, "missing": settings.missing_ms,
        "set up": SET_UP_MS, "never": None,
    }[wait]  # fmt: skip


def name(believed: Believed, seat: int) -> str:
    """What a seat is called."""
    return NAMES[believed.facts.ground.lanes[seat].route.seat]


def where(believed: Believed, hole: int) -> str:
    """A hole as players name it. On a lane that seats share everybody counts from another start: there it is lit."""
    found = believed.facts.ground.board.holes[hole]
    if found.number <= 0:
        return start_of(found.track, shared=found.seat is None)
    return "the lit hole" if found.seat is None else f"{found.track.capitalize()} {found.number}"


def start_of(track: str, *, shared: bool) -> str:
    """A pair of start holes as players name it: "Red's start", "the start at the upper left corner"."""
    part, _, end = track.rpartition("-")
    if not shared:
        return f"{track.capitalize()}'s start"
    if part == "circle":
        return f"the start {end} of the circle"
    return f"the start at the {part} {end} corner" if part else f"the start at the {track}"


def unsure(names: Sequence[str]) -> str:
    """One seat's or several seats' pegs, and the holes do not tell which is where."""
    if len(names) == 1:
        return f"{names[0]}'s peg may be in one of several holes, and nothing tells in which."
    who = f"{', '.join(names[:-1])} and {names[-1]} {'both' if len(names) == 2 else 'all'} moved"
    return f"{who}, and the holes do not tell whose peg is whose."


def _names(case: Case) -> list[str]:
    return [name(case.believed, seat) for seat in case.trouble.seats]


def _are(points: int) -> str:
    return f"{points} {'is' if points == 1 else 'are'}"


def _early(case: Case) -> str:
    but = f"but {case.others[0]}'s {_are(case.points)} due" if case.others else "and nothing is due"
    return f"{case.name} pegged {case.points}, {but}."


def _impossible(case: Case) -> str:
    never = "the game is won" if case.believed.facts.won else "no hand scores that"
    return f"{case.name} pegged {case.points}, and {never}."


def _misplaced(case: Case) -> str:
    if case.trouble.key.seat is None:
        return f"Nobody's peg belongs in {case.hole}."
    return f"A peg of {case.name}'s may be on the wrong track, in {case.hole}."


def _back(case: Case) -> str:
    points = "1 point" if case.points == 1 else f"{case.points} points"
    return f"{case.name}'s pegs are back where they were {points} ago."


def _counted(case: Case) -> str:
    assert case.due is not None
    by = case.points if case.trouble.key.kind == "over" else -case.points
    return f"{case.name} pegged {case.due.points + by}, the count is {case.due.points}"


def _adjusted(case: Case, say: str, points: int) -> Choice:
    return Choice(say, {"type": "adjust", "seat": case.trouble.key.seat, "points": points})


def _undo_or_less(case: Case) -> Iterable[Choice]:
    yield Choice("Undo the last move.", {"type": "undo"})  # which need not have been this seat's
    yield _less(case)


def _less(case: Case) -> Choice:
    return _adjusted(case, f"Take {case.points} from {case.name}'s score.", -case.points)


def _more(case: Case) -> Iterable[Choice]:
    same = " all the same" if case.trouble.key.kind == "impossible" else ""
    yield _adjusted(case, f"Give {case.name} {case.points}{same}.", case.points)


def _less_where_nothing_is_due(case: Case) -> Iterable[Choice]:
    if case.due is None:
        yield _less(case)


def _same_number(case: Case) -> Iterable[Choice]:
    """A peg on the wrong track was perhaps meant for the same number on its own."""
    facts, seat = case.believed.facts, case.trouble.key.seat
    if seat is None or facts.stands is None or not facts.claims:
        return
    lane, front = facts.ground.lanes[seat], facts.stands[seat].front_points
    points = min(facts.ground.board.holes[case.trouble.key.holes[0]].number, lane.target) - front
    if 0 < points <= MOST and points not in IMPOSSIBLE:
        move = {"type": "peg", "seat": seat, "points": points}
        yield Choice(f"{case.name} pegs {points}, to {front + points}.", move)


ANOMALIES: dict[Kind, Anomaly] = {
    "over": Anomaly(_counted, "quiet", "never", lambda _: "over_pegged"),
    "under": Anomaly(_counted, "quiet", "never", lambda _: "under_pegged"),
    "early": Anomaly(
        _early, "quiet", "doubt", lambda case: "other_pegged" if case.others else "put_back", choices=_more
    ),
    "back": Anomaly(_back, "quiet", "doubt", choices=_undo_or_less),
    "impossible": Anomaly(_impossible, "quiet", "doubt", choices=_more),
    "home": Anomaly(
        lambda case: f"{case.name}'s pegs are back at the start: put the other pegs back too for a new game.",
        "quiet", "doubt",
    ),
    "behind": Anomaly(
        lambda case: (
            f"{case.name}'s peg is behind its front peg, in "
            f"{where(case.believed, case.trouble.meaning.to if case.trouble.meaning else -1)}{case.owed}."
        ),
        "quiet", "doubt", choices=_less_where_nothing_is_due,
    ),
    "odd": Anomaly(
        lambda case: f"{case.name}'s pegs stand where no move puts them{case.owed}.", "quiet", "doubt",
    ),
    "out": Anomaly(
        lambda case: f"A peg of {case.name}'s is out: it belongs in {case.hole}.", "missing", "missing", rests=False
    ),
    "both_out": Anomaly(lambda case: f"Both of {case.name}'s pegs are out.", "doubt", "missing", rests=False),
    "wrong_track": Anomaly(_misplaced, "quiet", "doubt", lambda _: "wrong_track", choices=_same_number),
    "wrong_peg": Anomaly(
        lambda case: f"Another player's peg may be in {case.hole}, where {case.name}'s was due.",
        "quiet", "doubt", lambda _: "wrong_peg",
    ),
    "whose": Anomaly(lambda case: unsure(_names(case)), "quiet", "doubt", lambda _: "ask"),
    "row": Anomaly(
        lambda case: (
            f"Pegs of {' and '.join(_names(case))} were gone at one instant: put them back, or a row of sensors has "
            "failed."
        ),
        "missing", "missing", rests=False,
    ),
    "scattered": Anomaly(
        lambda _: "The pegs are not where they were: put them back where the lights show.", "doubt", "doubt"
    ),
    "empty": Anomaly(
        lambda _: "All the pegs are out, or the board is not being read.", "doubt", "missing", rests=False
    ),
    "set_up": Anomaly(lambda _: "The pegs are not all in their start holes.", "at once", "doubt"),
    "homewards": Anomaly(
        lambda _: "The game is won: for a new one, put two pegs of each player in the start holes.", "set up", "set up"
    ),
}  # fmt: skip
"""Everything that can be amiss."""
