"""What can be amiss with pegs: one table, a row a kind. Each row says its sentence, when it is told, and the way back.

`notice` and `ask` name the time, counted from the last change of the holes involved, from which a kind is advised
about and asked about. All of them as players see them:
docs/explanation/reading-pegs.md#what-is-seen-lit-said-and-how-one-gets-back. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.boards.board import holes_of
from companion.common.constants import IMPOSSIBLE, MOST, SEAT_NAMES
from companion.common.snapshot import AdviceKind, Choice
from companion.i18n import Sentence, listed, phrase, say, say_many
from companion.pegs.interpretation import Meaning, Misread
from companion.pegs.sensor_trust import Believed

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


class Case:
    """A trouble on the board as it is believed to be, in players' words.

    `gone`: the homes that should hold a peg and do not; before a game, and on the way to a new one, the start holes.
    """

    def __init__(self, believed: Believed, trouble: Trouble) -> None:
        facts, (kind, seat, holes), found = believed.facts, trouble.key, trouble.meaning
        self.believed, self.kind, self.seat, self.holes = believed, kind, seat, holes
        self.points = found.points if found is not None else 0
        self.due = None if seat is None else facts.due(seat)
        self.names = [name(believed, each) for each in trouble.seats]
        others = [d.seat for d in facts.dues if d.seat != seat and d.points == self.points]
        self.other = name(believed, others[0]) if others else None
        if facts.stands is None or kind == "homewards":
            self.gone = holes_of(facts.ground.start & ~believed.taken)
        else:
            self.gone = tuple([h for s in trouble.seats for h in believed.gone[s] if not believed.taken >> h & 1])
        self._to = found.to if found is not None else -1

    def say(self, sentence: str) -> Sentence:
        """A sentence of the table with its words filled in."""
        owed = self.due.points if self.due is not None and self.due.points > 0 else 0
        return say(
            sentence,
            name=self.names[0],
            names=listed(self.names),
            points=self.points,
            ago=say_many("{n} point", "{n} points", self.points),
            hole=where(self.believed, self.holes[0]) if self.holes else "",
            to=where(self.believed, self._to),
            owed=say_many(", and {n} is due", ", and {n} are due", owed) if owed else "",
            pegged=owed + (self.points if self.kind == "over" else -self.points),
            due=owed,
            but=self._but(),
            never=say("the game is won") if self.believed.facts.won else say("no hand scores that"),
            unsure=unsure(self.names),
        )

    def _but(self) -> Sentence:
        if self.other is None:
            return say("and nothing is due")
        return say_many("but {other}'s {n} is due", "but {other}'s {n} are due", self.points, other=self.other)

    def adjusted(self, sentence: str, points: int) -> Choice:
        """The choice to put the seat's score right by so many points."""
        return Choice(self.say(sentence), {"type": "adjust", "seat": self.seat, "points": points})


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A row of the table. `advice` is the kind of its advice (docs/reference/http.md).

    `choices` are likely answers, the likeliest first; a move of None is answered by peg alone. `rests`: all its pegs
    rest in holes, so that the board can be taken as it stands.
    """

    say: str
    notice: Wait
    ask: Wait
    advice: AdviceKind = "put_back"
    choices: Callable[[Case], Iterable[Choice]] = lambda _: ()
    rests: bool = True


def _undo_or_less(case: Case) -> Iterable[Choice]:
    yield Choice(say("Undo the last move."), {"type": "undo"})  # which need not have been this seat's
    yield case.adjusted(phrase("Take {points} from {name}'s score."), -case.points)


def _less_where_nothing_is_due(case: Case) -> Iterable[Choice]:
    if case.due is None:
        yield case.adjusted(phrase("Take {points} from {name}'s score."), -case.points)


def _more(case: Case) -> Iterable[Choice]:
    yield case.adjusted(phrase("Give {name} {points}."), case.points)


def _more_all_the_same(case: Case) -> Iterable[Choice]:
    yield case.adjusted(phrase("Give {name} {points} all the same."), case.points)


def _same_number(case: Case) -> Iterable[Choice]:
    """A peg on the wrong track was perhaps meant for the same number on its own."""
    facts = case.believed.facts
    if case.seat is None or facts.stands is None or not facts.claims:
        return
    lane, front = facts.ground.lanes[case.seat], facts.stands[case.seat].front_points
    points = min(facts.ground.board.holes[case.holes[0]].number, lane.target) - front
    if 0 < points <= MOST and points not in IMPOSSIBLE:
        move = {"type": "peg", "seat": case.seat, "points": points}
        yield Choice(say("{name} pegs {points}, to {to}.", name=case.names[0], points=points, to=front + points), move)


ANOMALIES: dict[Kind, Anomaly] = {
    "over": Anomaly(phrase("{name} pegged {pegged}, the count is {due}"), "quiet", "never", "over_pegged"),
    "under": Anomaly(phrase("{name} pegged {pegged}, the count is {due}"), "quiet", "never", "under_pegged"),
    "early": Anomaly(phrase("{name} pegged {points}, {but}."), "quiet", "doubt", choices=_more),
    "back": Anomaly(
        phrase("{name}'s pegs are back where they were {ago} ago."), "quiet", "doubt", choices=_undo_or_less
    ),
    "impossible": Anomaly(phrase("{name} pegged {points}, and {never}."), "quiet", "doubt", choices=_more_all_the_same),
    "home": Anomaly(
        phrase("{name}'s pegs are back at the start: put the other pegs back too for a new game."), "quiet", "doubt"
    ),
    "behind": Anomaly(
        phrase("{name}'s peg is behind its front peg, in {to}{owed}."),
        "quiet", "doubt", choices=_less_where_nothing_is_due,
    ),
    "odd": Anomaly(phrase("{name}'s pegs stand where no move puts them{owed}."), "quiet", "doubt"),
    "out": Anomaly(phrase("A peg of {name}'s is out: it belongs in {hole}."), "missing", "missing", rests=False),
    "both_out": Anomaly(phrase("Both of {name}'s pegs are out."), "doubt", "missing", rests=False),
    "wrong_track": Anomaly(
        phrase("A peg of {name}'s may be on the wrong track, in {hole}."), "quiet", "doubt", "wrong_track", _same_number
    ),
    "wrong_peg": Anomaly(
        phrase("Another player's peg may be in {hole}, where {name}'s was due."), "quiet", "doubt", "wrong_peg"
    ),
    "whose": Anomaly(phrase("{unsure}"), "quiet", "doubt", "ask"),
    "row": Anomaly(
        phrase("Pegs of {names} were gone at one instant: put them back, or a row of sensors has failed."),
        "missing", "missing", rests=False,
    ),
    "scattered": Anomaly(
        phrase("The pegs are not where they were: put them back where the lights show."), "doubt", "doubt"
    ),
    "empty": Anomaly(phrase("All the pegs are out, or the board is not being read."), "doubt", "missing", rests=False),
    "set_up": Anomaly(phrase("The pegs are not all in their start holes."), "at once", "doubt"),
    "homewards": Anomaly(
        phrase("The game is won: for a new one, put two pegs of each player in the start holes."), "set up", "set up"
    ),
}  # fmt: skip
"""Everything that can be amiss."""


def sentence(case: Case) -> str:
    """What is amiss."""
    if case.kind == "wrong_track" and case.seat is None:
        return case.say(phrase("Nobody's peg belongs in {hole}."))
    return case.say(ANOMALIES[case.kind].say)


def name(believed: Believed, seat: int) -> Sentence:
    """What a seat is called, after the colour of its pegs. It keeps its colour when others have left the race."""
    return SEAT_NAMES[believed.facts.ground.lanes[seat].route.seat]


def where(believed: Believed, hole: int) -> Sentence:
    """A hole as players name it.

    On a lane that seats share, each counts from another start: no number is said, and the hole is lit.
    """
    found = believed.facts.ground.board.holes[hole]
    if found.number <= 0:
        return start_of(found.track, shared=found.seat is None)
    if found.seat is None:
        return say("the lit hole")
    return say("{track} {number}", track=say(found.track.capitalize()), number=found.number)


def start_of(track: str, *, shared: bool) -> Sentence:
    """A pair of start holes as players name it: "Red's start", "the start at the upper left corner"."""
    if not shared:
        return say("{name}'s start", name=say(track.capitalize()))
    return say(_STARTS[track]) if track in _STARTS else say("the start at the {track}", track=track)


_STARTS = {
    "circle-left": phrase("the start left of the circle"),
    "circle-right": phrase("the start right of the circle"),
    "upper-left": phrase("the start at the upper left corner"),
    "upper-right": phrase("the start at the upper right corner"),
    "lower-left": phrase("the start at the lower left corner"),
    "lower-right": phrase("the start at the lower right corner"),
}


def unsure(names: Sequence[str]) -> Sentence:
    """Says that the holes do not tell where one seat's peg is, or which of several seats' pegs is whose."""
    if len(names) == 1:
        return say("{name}'s peg may be in one of several holes, and nothing tells in which.", name=names[0])
    if len(names) == 2:
        return say("{names} both moved, and the holes do not tell whose peg is whose.", names=listed(names))
    return say("{names} all moved, and the holes do not tell whose peg is whose.", names=listed(names))
