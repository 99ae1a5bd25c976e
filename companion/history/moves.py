"""The move history of each game in the journal: its accepted moves that were not undone, with their results.

A game is replayed once by the rules; later calls only apply new entries. The lines are kept in a temporary SQLite
database on disk, since a long game would need much memory.
"""

import json
import sqlite3
import threading
import weakref
from collections import OrderedDict
from typing import Any, NamedTuple

from companion.common.errors import CompanionError, JournalError
from companion.i18n import dump_message, load_message
from companion.i18n.catalog import MessageCatalog
from companion.journal.journal import Journal, StoredEntry
from companion.protocol.json_codec import dump_json, read_move
from companion.rules import seat_names
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.players import PlayerProfiles
from companion.table.resume import (
    BATCH_ENTRIES,
    CHECKPOINT_INTERVAL,
    GameSource,
    load_from_checkpoint,
    parse_plan,
    release_history,
)
from companion.table.setup import TablePlan
from companion.table.state import TableCore, apply_entry, create_core

_MAX_CACHED_GAMES = 8
"""Maximum number of games whose replayed state is cached."""

MAX_MOVES_PER_PAGE = 10_000
"""Maximum number of moves in one answer, more than any evening has."""

_COUNT_QUERY = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move' AND id <= ?"
NTH_MOVE_QUERY = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id LIMIT 1 OFFSET ?"

_CREATE_LINES = "CREATE TABLE line (game INTEGER, n INTEGER, text TEXT, said TEXT, PRIMARY KEY (game, n)) WITHOUT ROWID"


class GameMoves:
    """The moves of one game as far as it was replayed. Its lines are in `lines`, a database, by move number.

    `move_count` is the number of moves made. `skipped_moves` is the number before the first line, because a long game
    is replayed from a checkpoint.
    """

    def __init__(self, journal: Journal, game: int, lines: sqlite3.Connection, number: int = 0) -> None:
        """Prepare to list the moves after `number`. Raises CompanionError if the rules cannot replay the game."""
        first = create_core(parse_plan(journal.load_plan(game) or {}), Settings())
        self._source = GameSource(journal, game, first)
        self._game, self._lines = game, lines
        self._lines.execute("DELETE FROM line WHERE game = ?", (game,))
        after = journal.query(NTH_MOVE_QUERY, game, number) if number else []
        self._core, self._newest = load_from_checkpoint(self._source, after[0][0]) if after else (first, 0)
        self._checkpoint_entry = self._newest
        self.skipped_moves = self.move_count = journal.query(_COUNT_QUERY, game, self._newest)[0][0]

    @property
    def plan(self) -> TablePlan:
        return self._core.plan

    def update(self) -> None:
        """Apply the entries that were written since the last call."""
        while batch := self._source.journal.read_entries(self._game, self._newest, BATCH_ENTRIES):
            for stored in batch:
                self._apply_entry(stored)

    def _apply_entry(self, stored: StoredEntry) -> None:
        entry, before = stored.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = apply_entry(before, entry, move)
        self.move_count += move is not None
        if isinstance(move, Undo):
            last = "SELECT max(n) FROM line WHERE game = ?1"
            self._lines.execute(f"DELETE FROM line WHERE game = ?1 AND n = ({last})", (self._game,))
        elif move is not None:
            said = (core.last_move or {})["said"]
            row = (
                self._game,
                self.move_count,
                dump_json(_move_json(self.move_count, stored, core)),
                dump_json([dump_message(sentence) for sentence in said]),
            )
            self._lines.execute("INSERT INTO line VALUES (?, ?, ?, ?)", row)
        self._newest = stored.id
        if stored.id - self._checkpoint_entry >= CHECKPOINT_INTERVAL and core.past.parent_or_loader is not None:
            self._core, self._checkpoint_entry = release_history(core, self._source, stored.id), stored.id


def _move_json(number: int, stored: StoredEntry, core: TableCore) -> dict[str, Any]:
    last = core.last_move or {}
    return {
        "n": number, "ms": stored.ms, "by": stored.entry.by, "move": last["move"], "awards": last["awards"],
        "scores": list(core.past.state.scores), "say": last["said"],
    }  # fmt: skip


class MoveHistory:
    """The move history of a journal's games. For any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._games: OrderedDict[int, GameMoves] = OrderedDict()
        # without a name, SQLite uses a temporary file and deletes it
        self._lines = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._lines.close)
        self._lines.execute(_CREATE_LINES)

    def read_page(self, game: int, number: int, language: MessageCatalog | None = None) -> "HistoryPage | None":
        """Return the moves of a game after `number`, at most `MAX_MOVES_PER_PAGE`; None for an unknown game.

        `language` is the catalogue of their sentences, None for English. Raises JournalError if the game cannot be
        read or replayed.
        """
        with self._lock:
            if self._journal.load_plan(game) is None:
                return None
            try:
                found = self._load_game_moves(game, number)
                found.update()
            except JournalError:
                raise
            except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise JournalError(
                    "The moves of game {game} cannot be read: {error}", game=game, error=error
                ) from error
            start = max(number, found.move_count - MAX_MOVES_PER_PAGE)
            sql = "SELECT text, said FROM line WHERE game = ? AND n > ? ORDER BY n"
            lines = self._lines.execute(sql, (game, start)).fetchall()
            personalize = _LinePersonalizer(
                players.load_players(self._journal.read_game_column(game, "players")), found.plan, language
            )
            return HistoryPage([personalize(text, said) for text, said in lines], start > number)

    def _load_game_moves(self, game: int, number: int) -> GameMoves:
        """Return the moves of a game from `number` on, or its newest `MAX_MOVES_PER_PAGE`, from the cache or new."""
        found = self._games.pop(game, None)
        if found is None or found.skipped_moves > max(number, found.move_count - MAX_MOVES_PER_PAGE):
            moves = self._journal.query(_COUNT_QUERY, game, self._journal.last_entry_id)[0][0]
            found = GameMoves(self._journal, game, self._lines, max(number, moves - MAX_MOVES_PER_PAGE))
        self._games[game] = found
        if len(self._games) > _MAX_CACHED_GAMES:
            self._games.popitem(last=False)
        return found


class HistoryPage(NamedTuple):
    """Moves as JSON texts. `is_cut` says that earlier moves of the requested range were left out."""

    moves: list[str]
    is_cut: bool


class _LinePersonalizer:
    """Inserts players' names into a stored line and translates its sentences, which are its last field."""

    def __init__(self, profiles: PlayerProfiles, plan: TablePlan, language: MessageCatalog | None) -> None:
        self._old = seat_names(plan.setup.seats, plan.sides)
        self._new = [player.name for player in players.seat_players(profiles, plan.setup.seats, plan.sides)]
        self._language = language

    def __call__(self, line: str, said: str) -> str:
        if self._language is None and self._new == list(self._old):
            return line
        sentences = [
            players.replace_names(load_message(sentence), self._old, self._new) for sentence in json.loads(said)
        ]
        texts = self._language.translate_value(sentences) if self._language else sentences
        head, mark, _ = line.rpartition('"say":')
        return f"{head}{mark}{dump_json(texts)}}}"
