"""From the journal to the table: a game is folded from its last checkpoint on, and its past when somebody asks for it.

A checkpoint is how a game stood after an entry. It only saves time: the last one is made once more from the one before
it, and where these rules come to something else, or the rules have changed, all is folded from the start.
"""

import hashlib
import io
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import companion.rules
from companion.common.errors import CompanionError, JournalError
from companion.journal.journal import Journal, Kept
from companion.protocol.json_codec import read_move
from companion.rules import GAMES
from companion.rules.engine import History
from companion.settings import Settings
from companion.table import players
from companion.table.setup import Afar, Plan, plan
from companion.table.state import Core, begin, fold, with_pegs

EVERY = 1000
"""So many entries lie, at least, between two checkpoints."""
BATCH = 1000
"""So many entries are read at once."""


class Stand(NamedTuple):
    """How a game stands after an entry; of its past only the last move, and whether there is more."""

    state: Any
    is_begun: bool
    move: Any
    awards: Any
    notes: Any
    counted: Any
    lying: Any


class Source(NamedTuple):
    """A game of a journal; `first` is its table before the first move."""

    journal: Journal
    game: int
    first: Core


def planned(given: Any) -> Plan:
    """The plan of a game, as the journal has it. Raises CompanionError, or what Python raises for another shape."""
    made = plan(*(given[key] for key in ("game", "seats", "dealer", "options", "board")))
    return replace(made, afar=far_of(given))


def far_of(given: Any) -> Afar | None:
    """With whom, far away, the game of this plan is played; None at a table alone."""
    told = given.get("afar") if isinstance(given, Mapping) else None
    if not isinstance(told, Mapping):
        return None
    return Afar(str(told.get("board")), is_host=told.get("is_host") is True, run=str(told.get("run", "")))


def resumed(kept: Kept, settings: Settings) -> Core:
    """The table as the journal has it. Raises CompanionError, or what Python raises for what is no plan or move."""
    first = replace(begin(planned(kept.plan), settings), people=players.load(kept.people))
    source = Source(kept.journal, kept.game, first)
    told = source.journal.last_move(source.game)
    if not _is_right(source, told):
        source.journal.forget(source.game)
    core, at = from_checkpoint(source, told)
    core = _folded(source, core, at, source.journal.last, told=told, keep=True)
    try:
        return with_pegs(core, kept.pegs)
    except (CompanionError, LookupError, TypeError, ValueError, AttributeError):
        return core  # a reading is no fact: the pegs are looked for anew


def stood(journal: Journal, game: int) -> Core:
    """How a game of the journal stands, without its pegs. Raises as `resumed`; writes nothing."""
    source = Source(journal, game, begin(planned(journal.plan(game)), Settings()))
    core, at = from_checkpoint(source, journal.last + 1)
    return _folded(source, core, at, journal.last)


def checkpointed(core: Core, journal: Journal) -> Core:
    """The table of a journal just written to: now and then it leaves its past to the journal."""
    if journal.game is None or journal.since_checkpoint < EVERY or core.plan.game not in GAMES:
        return core
    with suppress(JournalError):  # the next move will tell
        journal.keep(journal.game, journal.last, _dump(core))
        if core.past.led is not None:
            return cut(core, Source(journal, journal.game, begin(core.plan, core.settings)), journal.last)
    return core


def _folded(source: Source, core: Core, at: int, upto: int, *, told: int = 0, keep: bool = False) -> Core:
    """A game from how it stood after the entry `at` to the entry `upto`; `told` is the move that is told.

    With `keep` checkpoints are written on the way.
    """
    kept, keep = at, keep and core.plan.game in GAMES  # of a pack's rules nobody knows when they change
    while batch := source.journal.written(source.game, at, BATCH):
        for written in batch:
            if written.id > upto:
                return core
            entry, at = written.entry, written.id
            move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
            core = fold(core, entry, move, telling=at == told)
            if keep and at - kept >= EVERY:
                source.journal.keep(source.game, at, _dump(core))
                core, kept = (core if core.past.led is None else cut(core, source, at)), at
    return core


def from_checkpoint(source: Source, before: int) -> tuple[Core, int]:
    """How the game stood at its last checkpoint before this entry, and at which; else its start and 0."""
    while (found := source.journal.checkpoint(source.game, before)) is not None:
        before = found[0]
        if (stand := _load(found[1])) is not None:
            past = History(stand.state, None, stand.move, stand.awards, stand.notes)
            core = replace(source.first, past=past, counted=stand.counted, lying=stand.lying)
            return (cut(core, source, before) if stand.is_begun else core), before
    return source.first, 0


def _is_right(source: Source, before: int) -> bool:
    """Whether the last checkpoint before this entry is what these rules make of the one before."""
    core, at = from_checkpoint(source, before)
    newest = source.journal.checkpoint(source.game, before)
    if newest is None or newest[0] != at:
        return newest is None
    again, earlier = from_checkpoint(source, at)
    try:
        return _stand(_folded(source, again, earlier, at)) == _stand(core)
    except CompanionError:
        return False


def cut(core: Core, source: Source, at: int) -> Core:
    """A table after the entry `at` that has let go of its past: an undo folds it anew from the checkpoint before.

    Not for one at its start.
    """

    @cache
    def earlier() -> Any:
        found, after = from_checkpoint(source, at)
        return _folded(source, found, after, at).past.before

    return replace(core, past=core.past._replace(led=earlier))


def _stand(core: Core) -> Stand:
    past = core.past
    return Stand(past.state, past.led is not None, past.move, past.awards, past.notes, core.counted, core.lying)


def _dump(core: Core) -> bytes:
    body = pickle.dumps(tuple(_stand(core)), 5)
    return _mark(body) + body


def _load(body: bytes) -> Stand | None:
    """None for a checkpoint that other rules have made, or that is damaged."""
    mark, rest = body[:_MARK], body[_MARK:]
    return Stand(*_Reader(io.BytesIO(rest)).load()) if mark == _mark(rest) else None


_MARK = 16


def _mark(body: bytes) -> bytes:
    """A hash of the checkpoint and of the rules that made it."""
    return hashlib.sha256(_rules() + body).digest()[:_MARK]


@cache
def _rules() -> bytes:
    """The rules themselves, every module: they may change without a number that does."""
    folder = Path(companion.rules.__file__).parent
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))).digest()


class _Reader(pickle.Unpickler):
    """Reads values of the rules and nothing else, whatever the file says."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith("companion.rules"):
            raise pickle.UnpicklingError
        return super().find_class(module, name)
