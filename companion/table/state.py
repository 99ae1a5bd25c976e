"""The table as a value: how moves, pegs and time change it, and what a snapshot tells of it. Pure.

`companion.table.inputs` adds what phones, cards, buttons and devices do. `companion.table.table` wraps all of it in a
lock and a journal, `companion.table.recording` runs it on recordings: the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.common.errors import BadMove, CompanionError, IllegalMove
from companion.common.frozen import replace
from companion.common.snapshot import Device, Dice, Mark, Notice, Snapshot
from companion.journal.journal import Entry
from companion.pegs.events import Event
from companion.protocol.json_codec import plain, write_move
from companion.rules.cards import Card, card
from companion.rules.engine import Award, History, Step, advance
from companion.rules.moves import Adjust, Correct, Misdeal, Move, Next, Starter, Undo
from companion.rules.narration import describe_last_move as said
from companion.settings import Settings
from companion.table import dice
from companion.table import players as people
from companion.table.courses import markers, race, unsensed
from companion.table.courses.course import Counted, Course, Heard
from companion.table.players import People
from companion.table.setup import Plan

COURSES = {"race": race.begin, "score": race.begin, "mark": markers.begin, "none": unsensed.begin_lit_score}
"""How the course of a game begins, by what its pegs are (`Game.pegs`)."""
UNSEEN = {
    "race": unsensed.begin_unsensed,
    "score": unsensed.begin_unsensed,
    "mark": unsensed.begin_marks,
    "none": unsensed.begin_lit_score,
}
"""The same on a board that nobody reads."""

NOTICES = 5
"""So many notices stay in a snapshot."""
COUNTED = 64
"""So many moves are remembered with what they earned: more than a hand has, for a side may peg all of it at once."""
ROUNDS = 10
"""Pegs that were due are pegged, and more may follow from that. So often it never goes on."""
RIGHT_MS = 1500
"""A peg that was set right is lit green for so long."""
WON_MS = 8000
"""A game that is won celebrates in lights for so long."""


class Seen(NamedTuple):
    """The last sighting of a reader: a card left on it counts once, from the last sighting."""

    code: str
    ms: int


@dataclass(frozen=True, kw_only=True)
class Core:
    """All that is known of one table.

    `past` is the game, move by move; `course` its pegs. `lying` are the cards of an unfinished crib, hand or lay, and
    `waiting` the moves (`by` and `move`, as JSON) that the table which keeps the order has been asked for.
    `last` is the last move, as a snapshot tells it. `counted` is what the last moves earned, one tuple a move, newest
    last. `deals` counts the deals begun since the table was opened. `marks` are light effects that end by themselves,
    and `dice` what was rolled. `people` are who plays: all sentences here call them as the rules do, and a snapshot
    calls them by their names. `remark` is what a guest has to say (`companion.table.table`).
    """

    plan: Plan
    settings: Settings
    past: History[Any]
    course: Course
    lying: tuple[Card, ...] = ()
    waiting: tuple[Mapping[str, Any], ...] = ()
    last: Mapping[str, Any] | None = None
    counted: Counted = ()
    seen: Mapping[int | None, Seen] = field(default_factory=dict)
    devices: Mapping[str, Device] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    noticed: int = 0
    marks: tuple[Mark, ...] = ()
    dice: Dice | None = None
    deals: int = 0
    people: People = ()
    remark: str = ""

    def called(self, text: str) -> str:
        """A sentence with people's names."""
        return people.sentences([text], self.people, self.plan.setup.seats, self.plan.sides)[0]


class Refused(NamedTuple):
    """Something that was not taken, and why."""

    say: str


class DeviceTold(NamedTuple):
    """A device was `lost` or `found`."""

    event: str
    device: str


Told = Event | Award | Refused | DeviceTold


class Happened(NamedTuple):
    """What one input made: the table after it, what the journal keeps, what is told (for traces and recordings)."""

    core: Core
    entries: tuple[Entry, ...] = ()
    told: tuple[Told, ...] = ()

    def then(self, later: "Happened") -> "Happened":
        """This, and what `later` made of it."""
        return Happened(later.core, self.entries + later.entries, self.told + later.told)


def begin(plan: Plan, settings: Settings) -> Core:
    """A table before its first move. Raises BoardError for a board on which the game cannot be played."""
    past = History(plan.game.start(plan.setup))
    courses = COURSES if settings.reads_pegs else UNSEEN
    course = courses[plan.game.pegs](plan, settings, past.state)
    return Core(plan=plan, settings=settings, past=past, course=course)


def fold(core: Core, entry: Entry, move: Move | None, *, telling: bool = True) -> Core:
    """The table after an entry of the journal (`move` is its body, read): no pegs, no times. Raises CompanionError.

    Where another move follows, nobody needs to be told what this one did (`telling` is false).
    """
    if entry.kind == "card":
        return replace(core, lying=(*core.lying, card(entry.body)))
    if entry.kind == "uncard":
        return replace(core, lying=core.lying[:-1])
    if entry.kind == "ask":
        return replace(core, waiting=tuple(entry.body))
    if move is None:
        raise BadMove("an entry is no move and no card, but {kind}", kind=str(entry.kind)[:20])
    return _after(core, move, entry.by, *_taken(core, move), telling=telling)


def _taken(core: Core, move: Move) -> tuple[History[Any], Step[Any]]:
    """As `advance`. Earlier programs took adjustments of 0 points, each a move that can be undone."""
    if isinstance(move, Adjust) and not all(part.points for part in move.parts):
        parts = [part for part in move.parts if part.points]
        if not parts:
            awards = (Award(move.seat, 0, "adjust"),)
            return History(core.past.state, core.past, move, awards), Step(core.past.state, awards)
        move = Adjust(parts[0].seat, parts[0].points, tuple(parts[1:]))
    return advance(core.plan.game, core.past, move)


def with_pegs(core: Core, saved: Mapping[str, Any] | None) -> Core:
    """A folded table, with its pegs where `Course.dump` last knew them. Raises BadMove."""
    return replace(core, course=core.course.restore(core.past, saved))


def ruled(core: Core, move: Move, by: str) -> Core:
    """The table after a move by the rules alone. Raises IllegalMove."""
    return _after(core, move, by, *advance(core.plan.game, core.past, move))


def _after(core: Core, move: Move, by: str, past: History[Any], step: Step[Any], *, telling: bool = True) -> Core:
    last = None
    if telling:
        told = {**step.notes, **said(core.past, past, core.plan.names)}
        last = {"move": write_move(move), "by": by, "awards": plain(step.awards), **plain(told)}
    lying = core.lying if isinstance(move, Adjust) or _stays(core, past, move) else ()
    counted = core.counted[:-1] if isinstance(move, Undo) else (*core.counted, step.awards)[-COUNTED:]
    deals = core.deals + _deals_anew(core, past, move)
    is_asked = bool(core.waiting) and dict(core.waiting[0]) == {"by": by, "move": write_move(move)}
    waiting = core.waiting[1:] if is_asked else ()  # another move came first: what was asked for meant another table
    return replace(core, past=past, lying=lying, waiting=waiting, last=last, counted=counted, deals=deals)


def _deals_anew(core: Core, after: History[Any], move: Move) -> bool:
    """Whether cards are dealt anew: for the next hand, and after a misdeal or a starter that voids the hand."""
    voids = core.past.state.phase == "between" or after.state.phase == "cut"
    return isinstance(move, Next | Misdeal) or (isinstance(move, Starter) and voids)


def _stays(core: Core, after: History[Any], move: Move) -> bool:
    """Whether the cards that lie still do: they are no part of the deal that is counted again."""
    return isinstance(move, Correct) and after.state.phase == core.past.state.phase


def made(core: Core, move: Move, by: str, now_ms: int) -> Happened:
    """A move is made and journaled, and lights tell of it; the pegs do not know of it yet. Raises IllegalMove."""
    after = ruled(core, move, by)
    before, state = core.past.state, after.past.state
    thrown = dice.after(core.dice, core.plan.game.view(before), move, now_ms, tumble=by == "buttons")
    from_ms = now_ms if thrown is None else max(now_ms, thrown.stop_ms)  # nothing tells earlier how dice will fall
    new = () if isinstance(move, Undo) else after.course.runs(state, from_ms)
    marks = tuple(mark for mark in core.marks if _goes_on(mark, move, state, new)) + new
    if state.winner is not None and before.winner is None:
        goal = after.course.goal(state)
        if goal is not None:
            marks += (Mark("won", core.plan.board.holes[goal].id, from_ms + WON_MS, from_ms),)
    after = replace(after, dice=thrown, marks=marks)
    awards = () if isinstance(move, Undo) else tuple(after.counted[-1])
    return Happened(after, (Entry("move", by, write_move(move)),), awards)


def _goes_on(mark: Mark, move: Move, state: Any, new: tuple[Mark, ...]) -> bool:
    """Whether a light goes on after a move: a celebration while the game is won, a run until undone or followed."""
    if mark.kind == "right":
        return True
    if mark.kind == "place":
        return not isinstance(move, Undo)
    return state.winner is not None if mark.kind == "won" else not (new or isinstance(move, Undo))


def levels(core: Core, bits: int, now_ms: int) -> Happened:
    """The sensors report the level of every hole."""
    return _read(core, core.course.see(bits, now_ms), now_ms)


def ticked(core: Core, now_ms: int) -> Happened:
    """Time has passed: what falls due by `now_ms` is concluded."""
    return _read(core, core.course.tick(now_ms), now_ms)


def acted(core: Core, now_ms: int) -> Happened:
    """A card is put to the reader or a button pressed: pegs that have rested are believed before that counts."""
    return _read(core, core.course.act(now_ms), now_ms)


def deadline(core: Core) -> int | None:
    """When `ticked` would next conclude something. Never while the sensors are away."""
    sensors = core.devices.get("sensors")
    return core.course.deadline() if sensors is None or sensors.ok else None


def anew(core: Core, now_ms: int) -> Happened:
    """The pegs read anew from where they were last known, as after a restart."""
    return settled(with_pegs(core, core.course.dump()), now_ms)


def with_settings(core: Core, settings: Settings, now_ms: int) -> Happened:
    """Other settings hold from now on; the pegs are read anew with them."""
    course = begin(core.plan, settings).course.restore(core.past, core.course.dump())
    return settled(replace(core, settings=settings, course=course), now_ms)


def heard(core: Core, seen: Heard, now_ms: int) -> Happened:
    """What was concluded of the pegs becomes a move, where it is one; where a peg is right now, a light."""
    right = tuple(Mark("right", core.plan.board.holes[hole].id, now_ms + RIGHT_MS) for hole in seen.right)
    done = Happened(replace(core, course=seen.course, marks=core.marks + right))
    for told, event in enumerate(seen.events, 1):
        done = done.then(Happened(done.core, (), (event,)))
        for move in done.core.course.moves(event, done.core.past, seen.events[told:]):
            done = done.then(_by_pegs(done.core, move, now_ms))
    return done


def _by_pegs(core: Core, move: Move, now_ms: int) -> Happened:
    """Pegs have made a move; the rules may refuse it."""
    try:
        return made(core, move, "board", now_ms)
    except IllegalMove as error:
        return refused(core, "board", error)


def settled(core: Core, now_ms: int) -> Happened:
    """Rules and pegs compared anew, until nothing more follows. Lights that have ended go out."""
    done = Happened(core)
    for _ in range(ROUNDS):
        course = done.core.course
        seen = course.expect(done.core.past, done.core.counted, now_ms)
        if seen.course is course:
            break
        done = done.then(heard(done.core, seen, now_ms))
    marks = tuple(mark for mark in done.core.marks if mark.until_ms > now_ms)
    return done if len(marks) == len(done.core.marks) else done._replace(core=replace(done.core, marks=marks))


def _read(core: Core, seen: Heard, now_ms: int) -> Happened:
    done = Happened(core) if seen.course is core.course else heard(core, seen, now_ms)
    return done.then(settled(done.core, now_ms))


def refused(core: Core, source: str, error: CompanionError) -> Happened:
    """Nothing has changed, and everybody may read why."""
    notice = Notice(core.noticed + 1, "refused", source, str(error))
    notices = (*core.notices, notice)[-NOTICES:]
    return Happened(replace(core, notices=notices, noticed=notice.id), (), (Refused(notice.say),))


def snapshot(core: Core, *, number: int, run: str, moves: int) -> Snapshot:
    """The snapshot `number` of this run."""
    told = Snapshot(
        number=number,
        run=run,
        moves=moves,
        settings=core.settings.public(),
        view=view(core),
        last=core.last,
        advice=core.course.advice(),
        devices=core.devices,
        notices=core.notices,
        marks=core.marks,
        dice=core.dice,
        remark=core.remark,
        **core.plan.told,
        **core.course.pegs()._asdict(),
    )
    return people.shown(told, core.people) if core.people else told


def view(core: Core) -> dict[str, object]:
    """The game's own fields; for the page the dealer is asked in `cut`, `crib` and `between`, nobody in `over`."""
    state = core.past.state
    shown: dict[str, object] = plain(core.plan.game.view(state))
    if "turn" in shown and state.phase in ("cut", "crib", "between", "over"):
        shown["turn"] = None if state.phase == "over" else shown.get("dealer")
    if fallen := core.plan.game.racing(state).fallen:
        shown["knocked_out"] = sorted(fallen)
    if core.lying:
        shown["crib" if state.phase == "crib" else "lying"] = plain(core.lying)
    return shown


def shown_cards(core: Core) -> frozenset[Card]:
    """The cards of the present deal that lie open, of an unfinished crib or hand too."""
    told = core.plan.game.view(core.past.state)
    rows = (told.get("played", ()), told.get("hands", ()), (told.get("crib", ()), core.lying, (told.get("starter"),)))
    return frozenset(card for some in rows for row in some for card in row if card is not None)
