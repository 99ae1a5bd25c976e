"""The table as a value: what is known now. Pure.

`companion.table.inputs` makes of it what a move, a card or a button makes, `companion.table.pegging` what the pegs
make. `companion.table.table` wraps both in a lock and a journal, `companion.table.trace` runs them on recordings: the
same code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from companion.board.events import Event
from companion.board.frozen import with_fields
from companion.board.markers import marks
from companion.board.markers.marks import Markers
from companion.board.race import pegs
from companion.board.race.pegs import Watch
from companion.codec import plain, write_move
from companion.errors import CompanionError
from companion.rules import telling
from companion.rules.cards import Card, card
from companion.rules.engine import Award, History, advance, seat_names
from companion.rules.moves import Adjust, Move, Undo
from companion.settings import Settings
from companion.snapshot import Device, Dice, Mark, Notice
from companion.table import diamond, loops
from companion.table.journal import Entry
from companion.table.loops import Loop
from companion.table.plan import Plan

NOTICES = 5
"""So many notices stay in a snapshot."""


class Seen(NamedTuple):
    """The last sighting of a reader: a card left on it counts once, from the last sighting."""

    code: str
    ms: int


@dataclass(frozen=True, kw_only=True)
class Core:
    """All that is known of one table. `lying` are the cards of an unfinished crib, hand or lay.

    `awards` are the last move's, `owed` all since their side's pegs stood at its score.

    `markers` are the pegs of a game that is no race; then `watch` watches none.
    """

    plan: Plan
    settings: Settings
    past: History[Any]
    loop: Loop
    watch: Watch
    lying: tuple[Card, ...] = ()
    last: Mapping[str, Any] | None = None
    awards: tuple[Award, ...] = ()
    owed: tuple[Award, ...] = ()
    seen: Mapping[int | None, Seen] = field(default_factory=dict)
    devices: Mapping[str, Device] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    noticed: int = 0
    marks: tuple[Mark, ...] = ()
    dues: tuple[pegs.PegDue, ...] = ()
    markers: Markers | None = None
    dice: Dice | None = None

    def but(self, **changes: Any) -> "Core":
        """This table with some fields changed."""
        return with_fields(self, changes)


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
    """A table before its first move."""
    past = History(plan.game.start(plan.setup))
    loop = loops.begin(plan, past.state)
    watch = loops.watch(plan, settings, loop.seats)
    known = None
    if plan.has_markers:
        known = marks.start(plan.board, settings.quiet_ms, diamond.wanted(plan.board, plan.game.view(past.state)))
    return Core(plan=plan, settings=settings, past=past, loop=loop, watch=watch, markers=known)


def placed(core: Core, stands: tuple[pegs.Stand, ...]) -> Core:
    """A folded table, begun mid-game with its pegs there."""
    loop = replace(loops.begin(core.plan, core.past.state), earned=core.loop.earned)
    return core.but(loop=loop, watch=loops.watch(core.plan, core.settings, loop.seats, stands))


def resumed(core: Core, saved: Mapping[str, Any] | None) -> Core:
    """A folded table, with its pegs where they were last known (`loops.dump`)."""
    if core.markers is not None:
        known, started = (None, False) if saved is None else (int(saved["taken"], 16), saved["started"] is True)
        wanted = diamond.wanted(core.plan.board, core.plan.game.view(core.past.state))
        markers = marks.start(core.plan.board, core.settings.quiet_ms, wanted, known, started=started)
        return core.but(markers=markers)
    loop, watch = loops.restore(core.plan, core.settings, core.past.state, core.loop, saved)
    return core.but(loop=loop, watch=watch)


def standing(core: Core) -> object:
    """Where the pegs are known to stand: while this is equal, `dump` is."""
    if core.markers is not None:
        return None if core.markers.whole is None else (core.markers.whole, core.markers.started)
    return (core.watch.stands, core.loop) if core.watch.stands is not None or core.loop.number else None


def dump(core: Core) -> dict[str, Any]:
    """What a restart must know of the board, ready for JSON; `resumed` reads it."""
    if core.markers is not None:
        return {"taken": f"{core.markers.whole or 0:x}", "started": core.markers.started}
    return loops.dump(core.loop, core.watch)


def resting(core: Core) -> int:
    """The holes, as bits, in which the pegs stand: where they were last known, else at the start."""
    if core.markers is not None:
        view, known = core.plan.game.view(core.past.state), core.markers.whole
        return diamond.resting(core.plan.board, view) if known is None else known
    return loops.resting(core.loop, core.watch)


def fold(core: Core, entry: Entry, move: Move | None) -> Core:
    """The table after an entry of the journal (`move` is its body, read): no pegs, no times, nothing told."""
    if entry.kind == "card":
        return core.but(lying=(*core.lying, card(entry.body)))
    if entry.kind == "uncard":
        return core.but(lying=core.lying[:-1])
    assert move is not None
    return ruled(core, move, entry.by)


def ruled(core: Core, move: Move, by: str) -> Core:
    """The table after a move by the rules alone. Raises IllegalMove."""
    past, step = advance(core.plan.game, core.past, move)
    names = seat_names(core.plan.setup.seats, core.plan.sides)
    told = {**step.notes, **telling.told(core.past, past, names)}
    last = {"move": write_move(move), "by": by, "awards": plain(step.awards), **plain(told)}
    lying = core.lying if isinstance(move, Adjust) else ()
    owed = () if isinstance(move, Adjust | Undo) else core.owed + step.awards
    loop = loops.scored(core.plan, core.loop, step.awards)
    return core.but(past=past, lying=lying, last=last, awards=step.awards, owed=owed, loop=loop)


def refused(core: Core, source: str, error: CompanionError) -> Happened:
    """Nothing has changed, and everybody may read why."""
    notice = Notice(core.noticed + 1, "refused", source, str(error))
    notices = (*core.notices, notice)[-NOTICES:]
    return Happened(core.but(notices=notices, noticed=notice.id), (), (Refused(notice.say),))
