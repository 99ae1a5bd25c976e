"""Restore a table from the journal, replaying only the entries since the last checkpoint.

A checkpoint is the state of a game after an entry. It only saves time: at a start, the last one is recomputed from the
one before it. If the result differs, or the rules have changed, the whole game is replayed. The history before a
checkpoint is replayed when an undo needs it.
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
from companion.journal.journal import Journal, SavedGame
from companion.protocol.json_codec import read_move
from companion.rules import GAMES
from companion.rules.engine import History
from companion.settings import Settings
from companion.table import players
from companion.table.setup import PLAIN_PEGS, ComputerPlayer, RemoteTable, TablePlan, create_plan
from companion.table.state import TableCore, apply_entry, create_core, restore_pegs

CHECKPOINT_INTERVAL = 1000
"""Minimum number of entries between two checkpoints."""
BATCH_ENTRIES = 1000
"""Number of entries that are read at once."""


class Checkpoint(NamedTuple):
    """The state of a game after an entry, with its last move only. `has_history` says that there are earlier moves."""

    state: Any
    has_history: bool
    move: Any
    awards: Any
    notes: Any
    recent_awards: Any
    pending_cards: Any


class GameSource(NamedTuple):
    """A game of a journal. `first` is its state before the first move."""

    journal: Journal
    game: int
    first: TableCore


def parse_plan(given: Any) -> TablePlan:
    """Parse the plan of a game from the journal.

    Raises CompanionError, or LookupError, TypeError, ValueError or AttributeError for another shape.
    """
    plan = create_plan(*(given[key] for key in ("game", "seats", "dealer", "options", "board")))
    return replace(
        plan,
        remote_table=parse_remote_table(given),
        is_plain=given.get("pegs") == PLAIN_PEGS,
        against=parse_computer_player(given.get("against")),
    )


def parse_computer_player(given: Any) -> ComputerPlayer | None:
    """Parse the companion's seat of a plan; None if only people play. Raises as `parse_plan`."""
    return None if given is None else ComputerPlayer(int(given["seat"]), str(given["level"]))


def parse_remote_table(given: Any) -> RemoteTable | None:
    """Parse the other table of a remote game from a plan; None for a local game."""
    last_move = given.get("afar") if isinstance(given, Mapping) else None
    if not isinstance(last_move, Mapping):
        return None
    return RemoteTable(
        str(last_move.get("board")), is_host=last_move.get("is_host") is True, run=str(last_move.get("run", ""))
    )


def resume_game(saved: SavedGame, settings: Settings) -> TableCore:
    """Return the state of a saved game. Raises as `parse_plan`, also for an invalid move."""
    first = replace(create_core(parse_plan(saved.plan), settings), players=players.load_players(saved.players))
    source = GameSource(saved.journal, saved.game, first)
    last_move = source.journal.find_last_move(source.game)
    if not _is_checkpoint_valid(source, last_move):
        source.journal.delete_checkpoints(source.game)
    core, at = load_from_checkpoint(source, last_move)
    core = _apply_entries(source, core, at, source.journal.last_entry_id, described=last_move, keep_checkpoints=True)
    try:
        return restore_pegs(core, saved.pegs)
    except (CompanionError, LookupError, TypeError, ValueError, AttributeError):
        return core  # peg positions may be lost: the sensors will report them


def load_core(journal: Journal, game: int) -> TableCore:
    """Return the state of a game of the journal without its pegs. Raises as `resume_game`; writes nothing."""
    source = GameSource(journal, game, create_core(parse_plan(journal.load_plan(game)), Settings()))
    core, at = load_from_checkpoint(source, journal.last_entry_id + 1)
    return _apply_entries(source, core, at, journal.last_entry_id)


def count_deals_since(journal: Journal, game: int, entry: int) -> int:
    """Return the number of deals that began after this entry, undone ones included. Raises as `resume_game`."""
    source = GameSource(journal, game, create_core(parse_plan(journal.load_plan(game)), Settings()))
    core, at = load_from_checkpoint(source, entry + 1)
    core = _apply_entries(source, core, at, entry)
    return _apply_entries(source, core, entry, journal.last_entry_id).deal_count - core.deal_count


def checkpoint_if_due(core: TableCore, journal: Journal) -> TableCore:
    """Write a checkpoint if one is due. Return the state, then with its older history released to the journal."""
    if journal.game_id is None or journal.entries_since_checkpoint < CHECKPOINT_INTERVAL or core.plan.game not in GAMES:
        return core
    with suppress(JournalError):  # the next move reports the fault
        journal.save_checkpoint(journal.game_id, journal.last_entry_id, _dump_checkpoint(core))
        if core.past.parent_or_loader is not None:
            return release_history(
                core, GameSource(journal, journal.game_id, create_core(core.plan, core.settings)), journal.last_entry_id
            )
    return core


def _apply_entries(
    source: GameSource, core: TableCore, after: int, last: int, *, described: int = 0, keep_checkpoints: bool = False
) -> TableCore:
    """Apply the entries after the entry `after` up to `last`. Only the move `described` fills in `last_move`.

    With `keep_checkpoints`, checkpoints are written on the way.
    """
    keep_checkpoints &= core.plan.game in GAMES  # changes in an add-on's rules cannot be detected
    saved = after
    while batch := source.journal.read_entries(source.game, after, BATCH_ENTRIES):
        for written in batch:
            if written.id > last:
                return core
            entry, after = written.entry, written.id
            move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
            core = apply_entry(core, entry, move, describe=after == described)
            if keep_checkpoints and after - saved >= CHECKPOINT_INTERVAL:
                source.journal.save_checkpoint(source.game, after, _dump_checkpoint(core))
                saved = after
                if core.past.parent_or_loader is not None:
                    core = release_history(core, source, after)
    return core


def load_from_checkpoint(source: GameSource, before: int) -> tuple[TableCore, int]:
    """Return the state at the last valid checkpoint before this entry, and its entry; else the start and 0."""
    while (found := source.journal.load_checkpoint(source.game, before)) is not None:
        before = found[0]
        if (checkpoint := _load_checkpoint(found[1])) is not None:
            past = History(checkpoint.state, None, checkpoint.move, checkpoint.awards, checkpoint.notes)
            core = replace(
                source.first, past=past, recent_awards=checkpoint.recent_awards, pending_cards=checkpoint.pending_cards
            )
            return (release_history(core, source, before) if checkpoint.has_history else core), before
    return source.first, 0


def _is_checkpoint_valid(source: GameSource, before: int) -> bool:
    """Return whether replaying from the second last checkpoint before this entry leads to the last one."""
    core, at = load_from_checkpoint(source, before)
    newest = source.journal.load_checkpoint(source.game, before)
    if newest is None or newest[0] != at:
        return newest is None
    again, earlier = load_from_checkpoint(source, at)
    try:
        return _create_checkpoint(_apply_entries(source, again, earlier, at)) == _create_checkpoint(core)
    except CompanionError:
        return False


def release_history(core: TableCore, source: GameSource, at: int) -> TableCore:
    """Return the state after the entry `at` without its history, which is replayed from a checkpoint for an undo.

    Not for a state before the first move.
    """

    @cache
    def earlier() -> Any:
        found, after = load_from_checkpoint(source, at)
        return _apply_entries(source, found, after, at).past.parent

    return replace(core, past=core.past._replace(parent_or_loader=earlier))


def _create_checkpoint(core: TableCore) -> Checkpoint:
    past = core.past
    return Checkpoint(
        past.state,
        past.parent_or_loader is not None,
        past.move,
        past.awards,
        past.notes,
        core.recent_awards,
        core.pending_cards,
    )


def _dump_checkpoint(core: TableCore) -> bytes:
    body = pickle.dumps(tuple(_create_checkpoint(core)), 5)
    return _compute_checkpoint_digest(body) + body


def _load_checkpoint(body: bytes) -> Checkpoint | None:
    """Load a checkpoint; None if it is damaged or was made by other rules."""
    digest, rest = body[:_DIGEST_BYTES], body[_DIGEST_BYTES:]
    return Checkpoint(*_RulesUnpickler(io.BytesIO(rest)).load()) if digest == _compute_checkpoint_digest(rest) else None


_DIGEST_BYTES = 16


def _compute_checkpoint_digest(body: bytes) -> bytes:
    """Return a hash of the checkpoint and of the rules that made it."""
    return hashlib.sha256(_compute_rules_digest() + body).digest()[:_DIGEST_BYTES]


@cache
def _compute_rules_digest() -> bytes:
    """Return a hash of all modules and data of the rules, which may change without a new version number."""
    folder = Path(companion.rules.__file__).parent
    paths = sorted((*folder.rglob("*.py"), *folder.rglob("*.toml")))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).digest()


class _RulesUnpickler(pickle.Unpickler):
    """Unpickles only classes of the rules, since the file is untrusted."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith("companion.rules"):
            raise pickle.UnpicklingError
        return super().find_class(module, name)
