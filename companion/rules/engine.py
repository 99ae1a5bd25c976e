"""A game is a table: phase → kind of move → function. The same table refuses moves, draws buttons and reads journals.

Pure: a function takes a frozen state and a move and gives a `Step`; refusing is raising `IllegalMove` before
anything has changed. Undo is the past itself: `History` is a chain of states, shared, never copied. What a move
answers is told in docs/reference/cli.md#companion-referee, how far `undo` reaches in docs/reference/moves.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from companion.common.constants import SEAT_NAMES
from companion.common.errors import IllegalMove
from companion.i18n import Sentence, phrase, say
from companion.rules.cards import Card
from companion.rules.moves import Adjust, Correct, Move, TakeBoard, Undo


def seat_names(seats: int, sides: int) -> tuple[str, ...]:
    """What the seats are called: by colour, and partners after the side whose pegs they share."""
    own = SEAT_NAMES[:sides]
    return own + tuple(say("{name}'s partner", name=name) for name in own)[: seats - sides]


@dataclass(frozen=True, slots=True)
class Award:
    """Points earned and why. `points` may be negative (a penalty, an adjustment)."""

    seat: int
    points: int
    reason: str
    cards: tuple[Card, ...] = ()


PUT_RIGHT = ("adjust", "correct")
"""The reasons of awards that were not counted: they put a score right, and no back peg moves for them in pursuit."""


class State(Protocol):
    """What every game's state has."""

    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def scores(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def winner(self) -> int | None: ...  # noqa: D102


S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """A move's whole result. `notes` are fields of this one answer only, such as `reneges`."""

    state: S
    awards: tuple[Award, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the first move. `dealer` is None where dice decide; once settled `options` hold every key.

    `board` is the path of an owner's board file, empty for a shipped board: a game may have rules there. `spaces` are
    those rules themselves, where they came without their file.
    """

    seats: int = 2
    dealer: int | None = 0
    options: Mapping[str, str] = field(default_factory=dict)
    board: str = ""
    spaces: Mapping[str, Any] = field(default_factory=dict)


ENDLESS = 10**12
"""The target of a game that no score wins."""


class Racing(NamedTuple):
    """Who races now. `alive`: the seats still in the match, None where nobody is ever knocked out.

    `loops`: how many loops of the match a knock-out has ended. `fallen`: the seats knocked out just now; until the
    next loop begins the scores of the old one stand.
    """

    alive: tuple[int, ...] | None = None
    loops: int = 0
    fallen: tuple[int, ...] = ()


class Kind(NamedTuple):
    """Marker pegs of one kind: one belongs in each hole of `at`, and `spare` more lie anywhere on the track `box`.

    A hole is named by its track and number. `tracks` are all the tracks on which such a peg ever stands. `side` says
    whose the pegs are, None where they are nobody's.
    """

    name: str
    tracks: tuple[str, ...]
    at: tuple[tuple[str, int], ...]
    box: str = ""
    spare: int = 0
    side: int | None = None


class Way(NamedTuple):
    """A light runs through these numbers of a track, as somebody ran there; halfway only where they were out."""

    track: str
    numbers: range
    out: bool = False


class Spot(NamedTuple):
    """A hole as players say it: `at` is "in" or "on", `name` is "the batter's box"."""

    at: str
    name: str


Numbers = Mapping[str, tuple[int, ...]]
"""The numbers of a board's holes, rising, by track."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking(Generic[S]):
    """What the pegs of a game mark that is no race: the game names tracks and numbers, the table compares.

    `holes`: the numbers of the holes that a board must have at least, by track. `kinds(state, numbers)`: where every
    peg belongs now, on a board with these numbers. `ways(state)`: where somebody ran in the last move, to be lit.
    `spot(track, number, kind)`: what players call a hole when a peg of this kind is in it. `round`: the track round
    which a light runs when the game is won.
    """

    holes: Mapping[str, Sequence[int]]
    kinds: Callable[[S, Numbers], tuple[Kind, ...]]
    ways: Callable[[S], tuple[Way, ...]] = lambda _: ()
    spot: Callable[[str, int, str], Spot] = lambda track, number, _: Spot(
        "in", say("{number} of the {track}", number=number, track=track)
    )
    round: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """One game. `options`: allowed values by key, the first the default. `seats`: allowed numbers, the default first.

    `say` is the game in a sentence, and `says` tells by key what each option decides, for somebody who chooses one.

    `target` is the score that wins where no option says it (`ENDLESS`: none does), `board` the board where none is
    named: else it is classic, or classic-61 for 61. `rolls_for_deal`: dice say who begins where no dealer is named.
    `pegs` says what the pegs are: they `race`, and confirm what the rules know; they are the `score`, and moving one is
    a move; they `mark` what `marking` says; or there are `none`, and the score is lit. `lap` is what each player brings
    to a loop that grows smaller with them, in holes; `racing(state)` says who is left on it.

    `view(state)` gives the public fields of docs/reference/http.md (cards as `Card`, never the hidden truth).
    `scan(state, lying, card)` says what a scanned card is now: a move, or None where it joins the `lying` cards
    of an unfinished crib, hand or lay. It raises IllegalMove where the card can be nothing.
    `claimants(state)` are the seats that may claim points now, where the players count.
    `dealt(state)` is how many cards each seat is dealt, by seat; none where no hands are dealt.
    `correct(game, past, move)` counts the present deal anew where a card was read wrong; None in a game without cards.
    """

    key: str
    title: str
    seats: tuple[int, ...]
    options: Mapping[str, tuple[str, ...]]
    say: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    target: int = 121
    board: str = ""
    rolls_for_deal: bool = False
    pegs: Literal["race", "score", "mark", "none"] = "race"
    lap: int = 0
    start: Callable[[Setup], S]
    table: Mapping[str, Mapping[type[Move], Callable[[S, Any], Step[S]]]]
    view: Callable[[S], dict[str, Any]]
    scan: Callable[[S, tuple[Card, ...], Card], Move | None]
    sides: Callable[[int], int] = lambda seats: 2 if seats == 4 else seats
    claimants: Callable[[S], tuple[int, ...]] = lambda _: ()
    racing: Callable[[S], Racing] = lambda _: Racing()
    marking: Marking[S] | None = None
    dealt: Callable[[S], tuple[int, ...]] = lambda _: ()
    correct: "Callable[[Game[S], History[S], Correct], Step[S]] | None" = None


def apply(game: Game[S], state: S, move: Move) -> Step[S]:
    """The step that `move` makes from `state`. Raises IllegalMove; the state is never changed."""
    rule = game.table.get(state.phase, {}).get(type(move))
    if rule is None:
        raise IllegalMove(_refusal(game, state, move))
    return rule(state, move) if type(move) is not Adjust else _adjusted(rule, state, move)


class History(NamedTuple, Generic[S]):
    """A state and the history before it; the chain back to the very start.

    `move` led here from `before`, with these `awards` and `notes`; None at the start. A long history is not all kept:
    `led` may be a function that finds what came before, the same each time it is asked.
    """

    state: S
    led: "History[S] | Callable[[], History[S]] | None" = None
    move: Move | None = None
    awards: tuple[Award, ...] = ()
    notes: Mapping[str, Any] = {}

    @property
    def before(self) -> "History[S] | None":
        """The history without the last move; None at the start."""
        return self.led() if callable(self.led) else self.led


def advance(game: Game[S], past: History[S], move: Move) -> tuple[History[S], Step[S]]:
    """As `apply`, on a history, where undo and correct too are moves. Raises IllegalMove."""
    if isinstance(move, Undo):
        if past.before is None:
            raise IllegalMove("There is nothing left to undo.")
        return past.before, Step(past.before.state)
    if isinstance(move, Correct) and game.correct is not None:
        step = game.correct(game, past, move)
    else:
        step = apply(game, past.state, move)
    return History(step.state, past, move, step.awards, step.notes), step


PHASES = {
    "cut": phrase("the starter is to be cut"),
    "play": phrase("the play goes on"),
    "show": phrase("the hands are being shown"),
    "crib": phrase("the crib is to be turned up"),
    "claim": phrase("a claim is awaited"),
    "between": phrase("the hand is over"),
    "over": phrase("the game is over"),
    "roll": phrase("the dice are to be rolled"),
    "take": phrase("chips are to be taken"),
    "exchange": phrase("markers are to be exchanged"),
    "return": phrase("a chip is to be returned"),
    "lay": phrase("the cards are to be laid out"),
    "swap": phrase("cards are being swapped"),
    "place": phrase("a card is to be placed"),
}
"""Every phase of every game, and what is said of it where a move is refused."""


KINDS = {kind: kind for kind in (
    phrase("starter"), phrase("play"), phrase("go"), phrase("crib"), phrase("hand"), phrase("claim"),
    phrase("muggins"), phrase("misdeal"), phrase("adjust"), phrase("correct"), phrase("undo"), phrase("next"),
    phrase("roll"), phrase("steal"), phrase("take"), phrase("exchange"), phrase("return"), phrase("lay"),
    phrase("swap"), phrase("place"), phrase("peg"),
)}  # fmt: skip
"""Every kind of move but `board`, as a refusal calls it."""


def _adjusted(rule: Callable[[S, Adjust], Step[S]], state: S, move: Adjust) -> Step[S]:
    """All parts of an adjustment, or none; `rule`, the game's own, makes one of them and gives one award."""
    given: dict[int, Award] = {}
    for part in move.parts:
        if part.points == 0:
            raise IllegalMove("An adjustment of 0 points would change nothing.")
        step = rule(state, Adjust(part.seat, part.points))
        side = part.seat % len(state.scores)
        if side in given:
            raise IllegalMove("One adjustment puts each score right once: add the points together.")
        state, (given[side],) = step.state, step.awards
    return Step(state, tuple(given.values()))


def _refusal(game: Game[S], state: S, move: Move) -> Sentence:
    if isinstance(move, TakeBoard):
        return say("There are no pegs here to take as they stand.")
    if not any(type(move) in row for row in game.table.values()):
        return say("{game} knows no {kind}.", game=game.title, kind=say(KINDS.get(move.kind, move.kind)))
    return say("No {kind} now: {phase}.", kind=say(KINDS.get(move.kind, move.kind)), phase=say(PHASES[state.phase]))


T = TypeVar("T")


def put(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The row with another value in one place."""
    return (*row[:place], value, *row[place + 1 :])


def plus(row: tuple[int, ...], place: int, points: int) -> tuple[int, ...]:
    """The row with so many points more, or fewer, in one place."""
    return put(row, place, row[place] + points)
