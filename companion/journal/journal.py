"""The journal: every accepted move, durable before it is published. SQLite, WAL, synchronous=FULL.

The state of a game is computed from its entries. The last known peg positions are a column of the game that is
overwritten, because they are a sensor reading and not a move. Each change is one transaction. Missing or changed
entries are detected and reported when the journal opens (`companion.journal.recovery`).
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import JournalError
from companion.journal import schema
from companion.journal.recovery import JournalFileWatch, open_connection, open_journal, remove_refused_entries
from companion.journal.schema import JournalExtent


class JournalEntry(NamedTuple):
    """One entry of a game. `kind` says what `body` is.

    - "move": a move as JSON
    - "card": a new pending card of an unfinished crib, hand or layout
    - "uncard": the newest pending card is taken back
    - "ask": the moves now requested from the host of a remote game; an empty list withdraws the request
    """

    kind: str
    by: str
    body: Any


class StoredEntry(NamedTuple):
    """An entry in the file: its ascending `id`, its commit time `ms` in Unix milliseconds, and its hash."""

    id: int
    ms: int
    entry: JournalEntry
    hash: str = ""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as the journal stores it. `pegs` are the last known peg positions, None if they are missing."""

    game: int
    plan: Mapping[str, Any]
    pegs: Any
    players: Any
    journal: "Journal"

    @property
    def entries(self) -> tuple[JournalEntry, ...]:
        """All entries of the game, read from the file."""
        return tuple(stored.entry for stored in self.journal.read_entries(self.game))


def unreadable_game_error(journal: Path, error: Exception) -> JournalError:
    """Return the error for a game that is damaged or unknown to the rules."""
    return JournalError(
        f"The journal {journal.name} has a game that cannot be read ({error}). Begin another with --new."
    )


class Journal:
    """An open journal file, for one program at a time.

    Methods that only read, and `trouble`, may be called from any thread, even during a commit. Call all others under
    the table's lock.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises JournalError with a sentence that names it.

        `damage` says what is missing, or is None; `remark` says what was put right without a loss, or is empty.
        """
        self._path = path.resolve()
        self._reader_lock = threading.Lock()
        self._write_fault = ""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            seal = schema.read_seal(self._path)
            self._db, self._extent, self.damage = open_journal(self._path)
            self.remark = self._describe_empty_seal() if seal and seal.was_empty and not self.damage else ""
            self._reader = open_connection(self._path)  # sees only committed data
            self._seal = schema.SealWriter(self._path, self._extent)
            self._file_watch = JournalFileWatch(self._path)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"The journal {path} cannot be used: {error}.") from error
        self.game_id: int | None = self._find_current_game()
        self._checkpoint: int = self.query("SELECT coalesce(max(entry), 0) FROM checkpoint")[0][0]

    @property
    def move_count(self) -> int:
        """Number of moves of all games."""
        return self._extent.moves

    @property
    def trouble(self) -> str | None:
        """Why moves cannot be written, or which were missing at the start, as a sentence; None if all is well."""
        return self._file_watch.describe_loss() or self._write_fault or self.damage

    @property
    def entries_since_checkpoint(self) -> int:
        """Number of entries written since the last checkpoint."""
        return self._extent.last - self._checkpoint

    @property
    def last_entry_id(self) -> int:
        return self._extent.last

    def last_game(self) -> SavedGame | None:
        """Return the game to resume; None in a new journal. Raises JournalError."""
        return None if self.game_id is None else self.load_game(self.game_id)

    def load_game(self, game: int) -> SavedGame:
        """Return a stored game. Raises JournalError."""
        if (plan := self.load_plan(game)) is None:
            raise unreadable_game_error(self._path, ValueError("it has no plan"))
        return SavedGame(game, plan, self.read_game_column(game, "pegs"), self.read_game_column(game, "players"), self)

    def read_game_column(self, game: int, column: str) -> Any:
        """Return the JSON value of a column of a game, `pegs` or `players`; None if it is missing or damaged."""
        with suppress(JournalError, ValueError, TypeError):
            (text,) = self.query(f"SELECT {column} FROM game WHERE id = ?", game)[0]
            return json.loads(text) if text else None
        return None

    def load_plan(self, game: int) -> Mapping[str, Any] | None:
        """Return the plan of a game; None for an unknown game. Raises JournalError."""
        rows = self.query("SELECT plan FROM game WHERE id = ?", game)
        try:
            plan: Mapping[str, Any] | None = json.loads(rows[0][0]) if rows else None
        except ValueError as error:
            raise unreadable_game_error(self._path, error) from error
        return plan

    def read_entries(self, game: int, after: int = 0, most: int = -1) -> tuple[StoredEntry, ...]:
        """Return the entries of a game after the entry `after`, at most `most` (−1 for all). Raises JournalError."""
        sql = "SELECT id, at, hash, kind, by, body FROM entry WHERE game = ? AND id > ? ORDER BY id LIMIT ?"
        rows = self.query(sql, game, after, most)
        try:
            return tuple(
                StoredEntry(n, _parse_unix_ms(at), JournalEntry(kind, by, json.loads(body)), hash_)
                for n, at, hash_, kind, by, body in rows
            )
        except (ValueError, TypeError) as error:
            raise unreadable_game_error(self._path, error) from error

    def find_last_move(self, game: int) -> int:
        """Return the id of the last move of a game, 0 before the first. Raises JournalError."""
        sql = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id DESC LIMIT 1"
        return next((row[0] for row in self.query(sql, game)), 0)

    def load_checkpoint(self, game: int, before: int) -> tuple[int, bytes] | None:
        """Return the entry id and body of the last checkpoint before the entry `before`. Raises JournalError."""
        sql = "SELECT entry, body FROM checkpoint WHERE game = ? AND entry < ? ORDER BY entry DESC LIMIT 1"
        return next(((entry, body) for entry, body in self.query(sql, game, before)), None)

    def begin_game(self, plan: Mapping[str, Any], players: Any = None) -> None:
        """Begin a new game with these players, ready for JSON. Raises JournalError."""
        row = (self._extent.game + 1, _format_now(), json.dumps(plan))
        with self._transaction() as db:
            db.execute(
                "INSERT INTO game (id, begun, plan, hash) VALUES (?, ?, ?, ?)", (*row, schema.hash_entry("", row))
            )
            _set_current_game(db, row[0])
            _update_players(db, row[0], players)
            after = self._extent._replace(game=row[0])
        self._seal_commit(after)
        self.game_id = row[0]

    def save_players(self, players: Any) -> None:
        """Store the players of the present game, ready for JSON. Raises JournalError."""
        with self._transaction() as db:
            _update_players(db, self.game_id or 0, players)

    def switch_game(self, game: int) -> None:
        """Make an unfinished game the present one, also after a restart. Raises JournalError."""
        with self._transaction() as db:
            _set_current_game(db, game)
        self.game_id = game

    def write(self, entries: tuple[JournalEntry, ...], pegs: Any = None) -> None:
        """Commit the entries, and the peg positions if given. Durable at return. Raises JournalError."""
        if not entries and pegs is None:
            return
        rows = [(self.game_id, _format_now(), entry.kind, entry.by, json.dumps(entry.body)) for entry in entries]
        after = self._extent
        with self._transaction() as db:
            if rows:
                after = schema.append_entries(db, after, rows)
            if pegs is not None:
                db.execute("UPDATE game SET pegs = ? WHERE id = ?", (json.dumps(pegs), self.game_id))
        self._seal_commit(after)

    def save_checkpoint(self, game: int, entry: int, body: bytes) -> None:
        """Store a checkpoint, the state of a game after this entry. Raises JournalError."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?)", (entry, game, body))
        self._checkpoint = max(entry, self._checkpoint)

    def delete_checkpoints(self, game: int) -> None:
        """Delete the checkpoints of a game, because the rules have changed. Raises JournalError."""
        with self._transaction() as db:
            db.execute("DELETE FROM checkpoint WHERE game = ?", (game,))

    def check_file(self) -> None:
        """Raise JournalError if the file was removed or replaced. Call it every few seconds."""
        if fault := self._file_watch.describe_loss():
            raise JournalError(fault)

    def close(self) -> None:
        """Close the file. May be called twice."""
        with suppress(JournalError, sqlite3.Error), self._transaction() as db:
            db.execute("UPDATE whole SET entry = ?", (self._extent.last,))
        with self._reader_lock:
            self._reader.close()
        self._db.close()
        self._seal.close()

    def _describe_empty_seal(self) -> str:
        return (
            f"The seal of the journal {self._path.name} was empty, as a power cut soon after its creation leaves it. "
            f"It is written again. The journal is intact and has {self._extent.moves} moves."
        )

    def _seal_commit(self, after: JournalExtent) -> None:
        """Record a durable commit in memory and in the seal file."""
        self._extent = after
        with suppress(OSError):  # the seal then lags behind the journal, as after a power cut
            self._seal.write(after)

    def _find_current_game(self) -> int | None:
        """Return the present game: the one switched to last, or else the last one begun."""
        (current,) = self.query("SELECT max(game) FROM present JOIN game ON game.id = present.game")[0]
        return current or self._extent.game or None

    def query(self, query: str, *values: int) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises JournalError."""
        try:
            with self._reader_lock:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            if self._write_fault:
                raise JournalError(self._write_fault) from error
            raise unreadable_game_error(self._path, error) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction. After a disk error its outcome is unknown, so the next one first reopens the file."""
        self.check_file()
        try:
            if self._write_fault:
                self._reopen_file()
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._write_error(error) from error
        try:
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
            if last != self._extent.last:
                raise JournalError(
                    f"Another program has written to the journal {self._path.name}. Restart this program."
                )
            yield self._db
            self._db.execute("COMMIT")
            self.check_file()
        except sqlite3.Error as error:
            raise self._quarantine_writes(error) from error
        finally:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _write_error(self, error: Exception) -> JournalError:
        if _is_read_only(error):
            return JournalError(
                "The journal {name} is read-only, so moves cannot be saved. Make its disk writable.",
                name=self._path.name,
            )
        return JournalError(f"The journal {self._path.name} could not be written: {error}.")

    def _quarantine_writes(self, error: sqlite3.Error) -> JournalError:
        """Treat all entries beyond the last promised one as refused, also after a restart. Return what to report.

        Of a disk that has become read-only, only opening the file says so.
        """
        fault = self._write_error(error)
        self._write_fault = str(fault)
        with suppress(OSError):
            self._seal.write(self._extent, strict=True)
        try:
            self._reopen_file()
        except sqlite3.Error as opening_error:
            if _is_read_only(opening_error):
                fault = self._write_error(opening_error)
                self._write_fault = str(fault)
        return fault

    def _reopen_file(self) -> None:
        """Reopen the file and remove refused entries. Raises sqlite3.Error, after which writing stays blocked."""
        if fault := self._file_watch.describe_loss():
            raise sqlite3.OperationalError(fault)
        with self._reader_lock:
            self._reader.close()
            self._db.close()
            self._db = open_connection(self._path)
            remove_refused_entries(self._db, self._extent)
            self._reader = open_connection(self._path)
        self._file_watch = JournalFileWatch(self._path)
        with suppress(OSError):
            self._seal.write(self._extent)
        self._write_fault = ""


def _is_read_only(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY  # 0xFF: without the extended code


def _set_current_game(db: sqlite3.Connection, game: int) -> None:
    db.execute("DELETE FROM present")
    db.execute("INSERT INTO present VALUES (?)", (game,))


def _update_players(db: sqlite3.Connection, game: int, players: Any) -> None:
    db.execute("UPDATE game SET players = ? WHERE id = ?", (json.dumps(players) if players else None, game))


def _format_now() -> str:
    """Return the time in UTC, to the millisecond. Rows of earlier programs have whole seconds."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"[:-3]


def _parse_unix_ms(at: str) -> int:
    return round(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() * 1000)
