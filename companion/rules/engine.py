"""The game engine: a game is a table from phase and kind of move to a function. Buttons and journals use it too.

Pure: such a function takes a frozen state and a move and returns a `Step`; it refuses a move by raising `IllegalMove`
before anything changes. `History` is a linked list of states that share their past, so undo drops the last node. For
the answer to a move see docs/reference/cli.md#companion-referee; for the reach of `undo` docs/reference/moves.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, overload

from companion.common.constants import SEAT_NAMES
from companion.common.errors import IllegalMove
from companion.i18n import Message, format_message, gettext_noop
from companion.rules.cards import Card
from companion.rules.moves import Adjust, Correct, Infringement, Move, Rule, TakeBoard, Undo


@dataclass(frozen=True, slots=True)
class Option(Sequence[str]):
    """The values of an option, the default first.

    :param name: its name for players, such as "Muggins".
    :param description: what it decides, in a sentence.
    :param value_names: the name of each value, by value.
    :param has_unclear_values: whether pages show the name of the option before that of the value, as in "Hints: off".
    """

    name: str
    description: str
    value_names: Mapping[str, str]
    has_unclear_values: bool = False

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return tuple(self.value_names)[index]

    def __len__(self) -> int:
        return len(self.value_names)


def target_option(*targets: str) -> Option:
    """Return the option `target` with these points, the default first."""
    names = {"121": format_message("first to 121"), "61": format_message("first to 61")}
    value_names = {target: names.get(target, target) for target in targets}
    return Option(format_message("Play to"), format_message("How many points win the game."), value_names)


COUNTING_OPTIONS = {
    "counting": Option(
        format_message("Counting"),
        format_message("The companion counts every card and hand, or the players count and peg for themselves."),
        {"auto": format_message("the phone counts"), "manual": format_message("the players count")},
    ),
    "muggins": Option(
        format_message("Muggins"),
        format_message("Whether you may take points that your opponent missed."),
        {"off": format_message("no muggins"), "on": format_message("muggins")},
    ),
    "overclaim": Option(
        format_message("Over-claims"),
        format_message("What the opponent gets when you claim too much: nothing, two points or the difference."),
        {
            "correct": format_message("corrected"),
            "two": format_message("opponent gets 2"),
            "excess": format_message("opponent gets the difference"),
        },
        has_unclear_values=True,
    ),
    "policy": Option(
        format_message("Penalties"),
        format_message(
            "In a tournament, reneging and falsely claiming the game cost points, and the companion rules on mistakes."
        ),
        {"friendly": format_message("friendly"), "tournament": format_message("tournament")},
    ),
}
"""The options of every game that supports manual counting."""

CRIBBAGE_OPTIONS = COUNTING_OPTIONS | {
    "first_deal": Option(
        format_message("Next dealer"),
        format_message("Who deals first in the next game of two players."),
        {"loser": format_message("loser"), "winner": format_message("winner")},
        has_unclear_values=True,
    ),
    "game_points": Option(
        format_message("Game, skunk, double skunk"),
        format_message("What a game, a skunk and a double skunk are worth."),
        {"1,2,4": format_message("1, 2, 4 games"), "2,3,3": format_message("2, 3, 3 games")},
        has_unclear_values=True,
    ),
    "hints": Option(
        format_message("Hints"),
        format_message("Whether you may ask the coach for hints and missed points during the game."),
        {"off": format_message("no hints"), "on": format_message("hints")},
    ),
}
"""The options of six-card and five-card cribbage besides `target`."""


def seat_names(seats: int, sides: int) -> tuple[str, ...]:
    """Return the seats' names: the colours of the pegs, and for partners the name of the side they play with."""
    own = SEAT_NAMES[:sides]
    return own + tuple(format_message("{name}'s partner", name=name) for name in own)[: seats - sides]


@dataclass(frozen=True, slots=True)
class Award:
    """Points for a seat, the reason and the scoring cards. `points` may be negative (a penalty, an adjustment)."""

    seat: int
    points: int
    reason: str
    cards: tuple[Card, ...] = ()


CORRECTION_REASONS = ("adjust", "correct")
"""Reasons of awards that correct a score instead of counting cards. In pursuit they do not move the back peg."""


class GameState(Protocol):
    """What every game's state provides."""

    @property
    def phase(self) -> str: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def winner(self) -> int | None: ...


S = TypeVar("S", bound=GameState)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of a move. `notes` are fields of this one answer only, such as `reneges`."""

    state: S
    awards: tuple[Award, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is chosen before the first move.

    `dealer` is None if dice decide. `options` holds every key after `complete_setup`. `board` is the path of a custom
    board file, empty for a shipped board; a game may have rules in it. `spaces` are such rules given without their
    file.
    """

    seats: int = 2
    dealer: int | None = 0
    options: Mapping[str, str] = field(default_factory=dict)
    board: str = ""
    spaces: Mapping[str, Any] = field(default_factory=dict)


NO_TARGET = 10**12
"""The target of a game that is not won by a score."""


class RaceStatus(NamedTuple):
    """The seats that race now.

    `alive`: the seats still in the match; None in a game without knock-outs. `loops`: the number of loops of the match
    that ended with a knock-out. `knocked_out`: the seats just knocked out; their scores stand until the next loop
    begins.
    """

    alive: tuple[int, ...] | None = None
    loops: int = 0
    knocked_out: tuple[int, ...] = ()


class MarkerKind(NamedTuple):
    """The marker pegs of one kind: one in each of `holes`, and `spare` more anywhere on the track `box`.

    A hole is a track and a number. `tracks` are all tracks where such a peg may stand. `side` is the side that owns the
    pegs; None if they belong to no side.
    """

    name: str
    tracks: tuple[str, ...]
    holes: tuple[tuple[str, int], ...]
    box: str = ""
    spare: int = 0
    side: int | None = None


class LightRun(NamedTuple):
    """A light that runs along these numbers of a track, for a runner's move; only halfway if `is_out`."""

    track: str
    numbers: range
    is_out: bool = False


class HoleName(NamedTuple):
    """A hole as players name it: `preposition` is "in" or "on", `name` is "the batter's box"."""

    preposition: str
    name: str


HoleNumbers = Mapping[str, tuple[int, ...]]
"""The numbers of a board's holes in ascending order, by track."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerLayout(Generic[S]):
    """The pegs of a game that mark something other than a race. The table compares them with the board.

    `holes`: the hole numbers that a board must have, by track. `marker_kinds(state, numbers)`: where each peg belongs
    on a board with these numbers. `light_runs(state)`: the runs to show for the last move. `hole_name(track, number,
    kind)`: the name of a hole that holds a peg of this kind. `victory_track`: the track of the light that celebrates
    the win.
    """

    holes: Mapping[str, Sequence[int]]
    marker_kinds: Callable[[S, HoleNumbers], tuple[MarkerKind, ...]]
    light_runs: Callable[[S], tuple[LightRun, ...]] = lambda _: ()
    hole_name: Callable[[str, int, str], HoleName] = lambda track, number, _: HoleName(
        "in", format_message("{number} of the {track}", number=number, track=track)
    )
    victory_track: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """One game. `options`: by key, each an `Option` or its values alone, the default first; `option_descriptions`
    explains the latter. `seats`: the allowed numbers, the default first. `description` is the game in a sentence.

    `target` is the winning score if no option sets it (`NO_TARGET`: no score wins). `board` is the default board;
    empty: classic, or classic-61 for a target of 61. `rolls_for_deal`: dice decide who begins if no dealer is given.
    `peg_role`: the pegs `race` and confirm the scores of the rules; they are the `score`, and moving one is a move;
    they `mark` what `marker_layout` says; or there are `none`, and lights show the score. `holes_per_player` is each
    player's share of a shrinking loop; `race_status(state)` says who is still on it.

    `view(state)` returns the public fields of docs/reference/http.md (cards as `Card`, never hidden ones).
    `interpret_scan(state, lying, card)` returns the move that a scanned card makes, or None while it joins the cards
    `lying` (of an incomplete crib, hand or layout). `find_claimants(state, points=None)` are the seats that may claim,
    likeliest first for a claim of `points`,
    `count_cards_dealt(state)` the cards dealt to each seat in this deal. `recount(game, past, move)` counts the present
    deal again with a corrected card; None in a game without cards. `judge(game, past, seen)` returns the ruling
    on the last move, or None; `seen` is as in `Rule`. `find_refused_move(past, move)` returns the infringement that a
    refused move is, `list_calls(game, past, caller)` what players can call the judge for: rule, text and move.
    """

    key: str
    title: str
    seats: tuple[int, ...]
    options: Mapping[str, Sequence[str]]
    description: str = ""
    option_descriptions: Mapping[str, str] = field(default_factory=dict)
    target: int = 121
    board: str = ""
    rolls_for_deal: bool = False
    peg_role: Literal["race", "score", "mark", "none"] = "race"
    holes_per_player: int = 0
    start: Callable[[Setup], S]
    moves_by_phase: Mapping[str, Mapping[type[Move], Callable[[S, Any], Step[S]]]]
    view: Callable[[S], dict[str, Any]]
    interpret_scan: Callable[[S, tuple[Card, ...], Card], Move | None]
    count_sides: Callable[[int], int] = lambda seats: 2 if seats == 4 else seats
    find_claimants: Callable[..., tuple[int, ...]] = lambda *_: ()
    race_status: Callable[[S], RaceStatus] = lambda _: RaceStatus()
    marker_layout: MarkerLayout[S] | None = None
    count_cards_dealt: Callable[[S], tuple[int, ...]] = lambda _: ()
    recount: "Callable[[Game[S], History[S], Correct], Step[S]] | None" = None
    judge: "Callable[[Game[S], History[S], str], Ruling[S] | None]" = lambda *_: None
    find_refused_move: "Callable[[History[S], Move], Infringement | None]" = lambda *_: None
    list_calls: "Callable[[Game[S], History[S], int | None], Iterable[JudgeCall]]" = lambda *_: ()

    def find_option(self, key: str) -> Option:
        """Return an option with its words. One that is given as values alone has no names of its own."""
        option = self.options[key]
        if isinstance(option, Option):
            return option
        if key == "target":
            return target_option(*option)
        description = self.option_descriptions.get(key, "")
        return Option(key.replace("_", " "), description, {value: value for value in option})


JudgeCall = tuple[str, Message, Infringement]
"""What players can call the judge for: the number of the rule, its text and the move."""


class Ruling(NamedTuple, Generic[S]):
    """What the tournament rules say of the last move: docs/reference/rulings.md.

    `rule` is the number of the rule, `side` the side that broke it, `say` the sentence for the players. `moves` carry
    the ruling out. `waived` is the state if the ruling is waived; None if that changes nothing. `accepted` is the state
    if it is accepted and no moves can carry it out; None if they can.
    """

    rule: str
    side: int
    say: Message
    moves: tuple[Move, ...] = ()
    waived: S | None = None
    accepted: S | None = None


def apply(game: Game[S], state: S, move: Move) -> Step[S]:
    """Return the step that `move` makes from `state`, which stays unchanged. Raises IllegalMove."""
    rule = game.moves_by_phase.get(state.phase, {}).get(type(move))
    if rule is None:
        raise IllegalMove(_refusal_message(game, state, move))
    return rule(state, move) if type(move) is not Adjust else _apply_adjustment(rule, state, move)


class History(NamedTuple, Generic[S]):
    """A state and the history before it, back to the start of the game.

    `move` led from `parent` to this state, with these `awards` and `notes`; None at the start. To save memory,
    `parent_or_loader` may be a function that loads the previous history; it must always return the same one.
    """

    state: S
    parent_or_loader: "History[S] | Callable[[], History[S]] | None" = None
    move: Move | None = None
    awards: tuple[Award, ...] = ()
    notes: Mapping[str, Any] = {}

    @property
    def parent(self) -> "History[S] | None":
        """The history without the last move; None at the start."""
        return self.parent_or_loader() if callable(self.parent_or_loader) else self.parent_or_loader


def advance(game: Game[S], past: History[S], move: Move) -> tuple[History[S], Step[S]]:
    """Apply a move to a history; unlike `apply`, it also handles undo, correct and rulings. Raises IllegalMove."""
    if isinstance(move, Undo):
        if past.parent is None:
            raise IllegalMove("There is nothing left to undo.")
        return past.parent, Step(past.parent.state)
    if isinstance(move, Correct) and game.recount is not None:
        step = game.recount(game, past, move)
    elif isinstance(move, Rule):
        step = _answer_ruling(game, past, move)
    elif isinstance(move, Infringement):
        step = _call_judge(game, past, move)
    else:
        step = apply(game, past.state, move)
    return History(step.state, past, move, step.awards, step.notes), step


def _call_judge(game: Game[S], past: History[S], move: Infringement) -> Step[S]:
    """Return the step of an infringement, which changes nothing until its ruling is accepted. Raises IllegalMove."""
    if game.judge(game, History(past.state, past, move), "") is None:
        raise IllegalMove("There is nothing of that kind to rule on now.")
    return Step(past.state)


def _answer_ruling(game: Game[S], past: History[S], move: Rule) -> Step[S]:
    """Carry out or waive the ruling on the last move. The awards are the changes of the scores."""
    ruling = game.judge(game, past, move.seen)
    if ruling is None:
        raise IllegalMove("There is no ruling to answer.")
    state = past.state
    if move.accept:
        done = past
        for ruled in ruling.moves:
            done, _ = advance(game, done, ruled)
        state = done.state if ruling.accepted is None else ruling.accepted
    elif ruling.waived is not None:
        state = ruling.waived
    changes = enumerate(after - before for before, after in zip(past.state.scores, state.scores, strict=True))
    return Step(state, tuple(Award(side, points, "adjust") for side, points in changes if points))


PHASE_DESCRIPTIONS = {
    "cut": gettext_noop("Cut the starter first."),
    "play": gettext_noop("The play is still on."),
    "show": gettext_noop("Show the hands first."),
    "crib": gettext_noop("Turn up the crib first."),
    "claim": gettext_noop("A claim is needed first."),
    "between": gettext_noop("The hand is over."),
    "over": gettext_noop("The game is over."),
    "roll": gettext_noop("Roll the dice first."),
    "take": gettext_noop("Take chips first."),
    "exchange": gettext_noop("Exchange two tiles first."),
    "return": gettext_noop("Return a chip first."),
    "lay": gettext_noop("Finish the layout first."),
    "swap": gettext_noop("All sixteen cards are on the table."),
    "place": gettext_noop("Place a card first."),
}
"""Each phase of each game, as the reason why a move is refused."""


MOVE_NAMES = (
    gettext_noop("starter"), gettext_noop("play"), gettext_noop("go"), gettext_noop("crib"), gettext_noop("hand"),
    gettext_noop("claim"), gettext_noop("muggins"), gettext_noop("misdeal"), gettext_noop("adjust"),
    gettext_noop("correct"), gettext_noop("rule"), gettext_noop("infringement"), gettext_noop("undo"),
    gettext_noop("count_crib"),
    gettext_noop("next"), gettext_noop("roll"), gettext_noop("steal"), gettext_noop("take"), gettext_noop("exchange"),
    gettext_noop("return"), gettext_noop("lay"), gettext_noop("swap"), gettext_noop("place"), gettext_noop("peg"),
)  # fmt: skip
"""Each `Move.kind`, for translation: a refusal names it. `take_board` has a refusal of its own."""


def _apply_adjustment(rule: Callable[[S, Adjust], Step[S]], state: S, move: Adjust) -> Step[S]:
    """Apply all parts of an adjustment or none; the game's `rule` applies one part and returns one award."""
    awards: dict[int, Award] = {}
    for part in move.parts:
        if part.points == 0:
            raise IllegalMove("An adjustment of 0 points would change nothing.")
        step = rule(state, Adjust(part.seat, part.points))
        side = part.seat % len(state.scores)
        if side in awards:
            raise IllegalMove("An adjustment changes each score once: add the points together.")
        state, (awards[side],) = step.state, step.awards
    return Step(state, tuple(awards.values()))


def _refusal_message(game: Game[S], state: S, move: Move) -> Message:
    if isinstance(move, TakeBoard):
        return format_message("This game has no pegs to accept.")
    if not any(type(move) in row for row in game.moves_by_phase.values()):
        return format_message("{game} has no {kind}.", game=game.title, kind=format_message(move.kind))
    return format_message(PHASE_DESCRIPTIONS[state.phase])


T = TypeVar("T")


def replace_at(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])


def add_at(row: tuple[int, ...], place: int, points: int) -> tuple[int, ...]:
    return replace_at(row, place, row[place] + points)
