"""The table as a value: what is known now, and what each thing that happens makes of it. Pure; time is an argument.

A card, a button, a peg or a phone happens; `Core` and what to keep and to tell come out. `companion.table.table`
wraps it in a lock and a journal, `companion.table.trace` runs it on recordings: the same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from companion.board import pegs
from companion.board.events import Event, Pegged, Undone
from companion.board.pegs import Watch
from companion.codec import plain, write_move
from companion.errors import BadCard, CompanionError, IllegalMove
from companion.rules.cards import Card, card
from companion.rules.engine import Award, History, advance
from companion.rules.moves import Adjust, Claim, Go, Move, Peg, Undo
from companion.settings import Settings
from companion.snapshot import Device, Mark, Notice
from companion.table import meant, referee
from companion.table.journal import Entry
from companion.table.plan import Plan

RIGHT_MS = 1500
"""How long a peg that was set right is lit green."""
WON_MS = 8000
"""How long the winner's lane celebrates."""
NOTICES = 5
"""So many notices stay in a snapshot."""


class Seen(NamedTuple):
    """The last sighting of a reader: a card left on it counts once, from the last sighting."""

    code: str
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """All that is known of one table. `lying` are the cards of an unfinished crib, hand or lay."""

    plan: Plan
    settings: Settings
    past: History[Any]
    watch: Watch
    lying: tuple[Card, ...] = ()
    last: Mapping[str, Any] | None = None
    awards: tuple[Award, ...] = ()
    seen: Mapping[int | None, Seen] = field(default_factory=dict)
    devices: Mapping[str, Device] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    noticed: int = 0
    marks: tuple[Mark, ...] = ()
    dues: tuple[pegs.PegDue, ...] = ()


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


def begin(plan: Plan, settings: Settings, stands: tuple[pegs.Stand, ...] | None = None) -> Core:
    """A table before its first move; `stands` where the pegs already stand on the board."""
    watch = pegs.start(
        plan.board,
        plan.routes,
        plan.target,
        pegs.Settings(settings.quiet_ms, settings.doubt_ms, settings.missing_ms),
        claims=plan.game.key == "pegs-only",
        stands=stands,
    )
    return Core(plan=plan, settings=settings, past=History(plan.game.start(plan.setup)), watch=watch)


def fold(core: Core, entry: Entry, move: Move | None) -> Core:
    """The table after an entry of the journal (`move` is its body, read): no pegs, no times, nothing told."""
    if entry.kind == "card":
        return replace(core, lying=(*core.lying, card(entry.body)))
    if entry.kind == "uncard":
        return replace(core, lying=core.lying[:-1])
    assert move is not None
    return _ruled(core, move, entry.by)


def moved(core: Core, move: Move, by: str, now_ms: int) -> Happened:
    """A move is made. Raises IllegalMove, with nothing changed."""
    if isinstance(move, Undo) and core.lying:
        return Happened(replace(core, lying=core.lying[:-1]), (Entry("uncard", by, None),))
    after = _ruled(core, move, by)
    done = Happened(after, (Entry("move", by, write_move(move)),), after.awards)
    if by != "board" and isinstance(move, Adjust | Peg | Claim | Undo) and core.watch.question is not None:
        watch, events = pegs.adopt(after.watch, now_ms, _scores(after))
        done = done.then(_heard(replace(after, watch=watch), events, now_ms))
    return done.then(_settled(_with_win(core, done.core, now_ms), now_ms))


def put_card(core: Core, found: Card, by: str, now_ms: int, reader: int | None = None) -> Happened:
    """A card is shown: by a reader or by a tap. Raises IllegalMove where it can be nothing now."""
    first = Happened(core)
    turn = core.plan.game.view(core.past.state).get("turn")
    if reader is not None and core.past.state.phase == "play" and turn not in (None, reader):
        first = _implied_go(core, turn, by, now_ms)
    core = first.core
    move = core.plan.game.scan(core.past.state, core.lying, found)
    if move is None:
        kept = replace(core, lying=(*core.lying, found))
        return first.then(Happened(kept, (Entry("card", by, str(found)),)))
    return first.then(moved(core, move, by, now_ms))


def _implied_go(core: Core, turn: int, by: str, now_ms: int) -> Happened:
    """The other seat's reader shows a card: the seat whose turn it was has said go, where that is possible."""
    try:
        return moved(core, Go(turn), by, now_ms)
    except IllegalMove:
        return Happened(core)


def scanned(core: Core, code: str, reader: int | None, now_ms: int) -> Happened:
    """A reader sees a code. What cannot be taken is a notice; the card that stays on the reader is nothing new."""
    seen = core.seen.get(reader)
    same = seen is not None and seen.code == code and now_ms - seen.ms < core.settings.repeat_ms
    core = replace(core, seen={**core.seen, reader: Seen(code, now_ms)})
    if same:
        return Happened(core)
    try:
        return put_card(core, card(code), "cards", now_ms, reader)
    except (IllegalMove, BadCard) as error:
        return refused(core, "cards", error)


def pressed(core: Core, button: str, now_ms: int) -> Happened:
    """A button is pressed: `undo`, `go:N` or `dice`."""
    buttons = {"undo": Undo(), **{f"go:{seat}": Go(seat) for seat in range(core.plan.setup.seats)}}
    if button not in buttons:
        why = "No dice are due now." if button == "dice" else "There is no such button on this table."
        return refused(core, "buttons", IllegalMove(why))
    try:
        return moved(core, buttons[button], "buttons", now_ms)
    except IllegalMove as error:
        return refused(core, "buttons", error)


def refused(core: Core, source: str, error: CompanionError) -> Happened:
    """Nothing has changed, and everybody may read why."""
    notice = Notice(core.noticed + 1, "refused", source, str(error))
    notices = (*core.notices, notice)[-NOTICES:]
    return Happened(replace(core, notices=notices, noticed=notice.id), (), (Refused(notice.say),))


def levels(core: Core, bits: int, now_ms: int) -> Happened:
    """The sensors report all holes."""
    watch, events = pegs.see(core.watch, bits, now_ms)
    if watch is core.watch:
        return Happened(core)
    heard = _heard(replace(core, watch=watch), events, now_ms)
    return heard.then(_settled(heard.core, now_ms))


def ticked(core: Core, now_ms: int) -> Happened:
    """Time has passed: what falls due by `now_ms` is concluded."""
    watch, events = pegs.tick(core.watch, now_ms)
    heard = _heard(replace(core, watch=watch), events, now_ms)
    return heard.then(_settled(heard.core, now_ms))


def deadline(core: Core) -> int | None:
    """When `ticked` would next conclude something. Nothing while the sensors are away: their holes are not known."""
    sensors = core.devices.get("sensors")
    return pegs.deadline(core.watch) if sensors is None or sensors.ok else None


def device(core: Core, name: str, *, ok: bool, say: str, url: str = "") -> Happened:
    """A device is lost or found."""
    known = core.devices.get(name)
    state = Device(known.url if known else url, ok, say)
    told = () if known is not None and known.ok == ok else (DeviceTold("found" if ok else "lost", name),)
    return Happened(replace(core, devices={**core.devices, name: state}), (), told)


def _ruled(core: Core, move: Move, by: str) -> Core:
    past, step = advance(core.plan.game, core.past, move)
    last = {"move": write_move(move), "by": by, "awards": plain(step.awards), **plain(dict(step.notes))}
    lying = core.lying if isinstance(move, Adjust) else ()
    return replace(core, past=past, lying=lying, last=last, awards=step.awards)


def _scores(core: Core) -> tuple[int, ...]:
    scores: tuple[int, ...] = core.past.state.scores
    return scores


def _with_win(before: Core, after: Core, now_ms: int) -> Core:
    winner = after.past.state.winner
    if winner is None or before.past.state.winner is not None or after.watch.stands is None:
        return after
    hole = after.plan.routes[winner].hole(_scores(after)[winner], after.plan.target)
    mark = Mark("won", after.plan.board.holes[hole].id, now_ms + WON_MS)
    return replace(after, marks=(*after.marks, mark))


def _settled(core: Core, now_ms: int) -> Happened:
    """Rules and pegs compared anew until nothing more follows; the watcher learns what is due."""
    done = Happened(core)
    for _ in range(8):  # each round pegs something that was due: it ends
        found = referee.dues(done.core.watch, _scores(done.core), core.plan.routes, core.plan.target)
        counting = frozenset(seat % core.plan.sides for seat in core.plan.game.claimants(done.core.past.state))
        if found == done.core.dues and counting == done.core.watch.counting:
            break
        watch, events = pegs.expect(done.core.watch, found, now_ms, counting)
        done = done.then(_heard(replace(done.core, watch=watch, dues=found), events, now_ms))
    return done._replace(core=_without_old_marks(done.core, now_ms))


def _without_old_marks(core: Core, now_ms: int) -> Core:
    marks = tuple(m for m in core.marks if m.until_ms > now_ms)
    return core if len(marks) == len(core.marks) else replace(core, marks=marks)


def _heard(core: Core, events: tuple[Event, ...], now_ms: int) -> Happened:
    """What the watcher concluded becomes a move, where it is one; everywhere a light."""
    done = Happened(core)
    for event in events:
        done = done.then(Happened(done.core, (), (event,)))
        if isinstance(event, Pegged | Undone):
            hole = core.plan.board.holes[event.to].id
            marks = (*done.core.marks, Mark("right", hole, now_ms + RIGHT_MS))
            done = done._replace(core=replace(done.core, marks=marks))
        for move in meant.moves(core.plan, done.core.past, done.core.watch, event):
            done = done.then(_pegged_move(done.core, move, now_ms))
    return done


def _pegged_move(core: Core, move: Move, now_ms: int) -> Happened:
    try:
        after = _ruled(core, move, "board")
    except IllegalMove as error:
        return refused(core, "board", error)
    made = Happened(after, (Entry("move", "board", write_move(move)),), after.awards)
    return made._replace(core=_with_win(core, after, now_ms))
