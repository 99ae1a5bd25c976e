"""The journal: every accepted move, durable before anyone is told. SQLite, WAL, synchronous=FULL.

State is the fold of a game's moves. Cards of an unfinished crib lie beside them, and where the pegs were last known
to stand is a column of the game, rewritten: it is a reading, not a move. One transaction a change.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from companion.errors import JournalError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (id INTEGER PRIMARY KEY, begun TEXT DEFAULT CURRENT_TIMESTAMP,
                                 plan TEXT NOT NULL, pegs TEXT);
CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, at TEXT
                                  DEFAULT CURRENT_TIMESTAMP, kind TEXT NOT NULL, by TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS entry_of_game ON entry (game, id);
"""


_NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
"""UTC, to the millisecond. Rows of earlier programs have whole seconds."""


class Entry(NamedTuple):
    """One line: `kind` is "move" (a JSON move), "card" (a card that lies) or "uncard" (the newest is taken up)."""

    kind: str
    by: str
    body: Any


class Written(NamedTuple):
    """An entry that is in the file: `id` rises, `ms` is when it was committed, in Unix time."""

    id: int
    ms: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Kept:
    """The last game of a journal, as it was kept."""

    plan: Mapping[str, Any]
    pegs: Any
    entries: tuple[Entry, ...]


def unreadable(journal: Path, error: Exception) -> JournalError:
    """What is said of a game that is damaged, or that these rules do not know."""
    return JournalError(f"The journal {journal.name} holds a game that cannot be read ({error}): --new begins another.")


class Journal:
    """An open journal file, not for two programs at once.

    `plan` and `written` may be called by any thread, also while a move is committed; all others under the table's lock.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the file. Raises JournalError with a sentence that names it."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(path)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            self.game: int | None = self._db.execute("SELECT max(id) FROM game").fetchone()[0]
            self.moves: int = self._db.execute("SELECT count(*) FROM entry WHERE kind = 'move'").fetchone()[0]
            self._reader = _opened(path)  # sees what is committed, and nothing before
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"The journal {path} cannot be used: {error}.") from error
        self._reading = threading.Lock()

    def last_game(self) -> Kept | None:
        """The game to resume, or None in a new journal. Raises JournalError."""
        if self.game is None:
            return None
        (pegs,) = self._read("SELECT pegs FROM game WHERE id = ?", self.game)[0]
        plan = self.plan(self.game)
        assert plan is not None
        entries = tuple(each.entry for each in self.written(self.game))
        try:
            return Kept(plan, json.loads(pegs) if pegs else None, entries)
        except ValueError as error:
            raise unreadable(self._path, error) from error

    def plan(self, game: int) -> Mapping[str, Any] | None:
        """The plan of a game, None where the journal has no such game. Raises JournalError."""
        rows = self._read("SELECT plan FROM game WHERE id = ?", game)
        try:
            plan: Mapping[str, Any] | None = json.loads(rows[0][0]) if rows else None
        except ValueError as error:
            raise unreadable(self._path, error) from error
        return plan

    def written(self, game: int, after: int = 0) -> tuple[Written, ...]:
        """The entries of a game in order; those after the entry with this id. Raises JournalError."""
        rows = self._read("SELECT id, at, kind, by, body FROM entry WHERE game = ? AND id > ? ORDER BY id", game, after)
        try:
            return tuple(Written(n, _ms(at), Entry(kind, by, json.loads(body))) for n, at, kind, by, body in rows)
        except ValueError as error:
            raise unreadable(self._path, error) from error

    def begin(self, plan: Mapping[str, Any]) -> None:
        """A new game begins; the ones before it stay in the file."""
        with self._transaction():
            self.game = self._db.execute("INSERT INTO game (plan) VALUES (?)", (json.dumps(plan),)).lastrowid

    def write(self, entries: tuple[Entry, ...], pegs: Any = None) -> None:
        """Commit the entries, and the pegs' placement if it has changed. Durable when it returns."""
        if not entries and pegs is None:
            return
        with self._transaction():
            self._db.executemany(
                f"INSERT INTO entry (game, at, kind, by, body) VALUES (?, {_NOW}, ?, ?, ?)",
                [(self.game, e.kind, e.by, json.dumps(e.body)) for e in entries],
            )
            if pegs is not None:
                self._db.execute("UPDATE game SET pegs = ? WHERE id = ?", (json.dumps(pegs), self.game))
        self.moves += sum(e.kind == "move" for e in entries)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._db.close()
        with self._reading:
            self._reader.close()

    def _read(self, query: str, *values: int) -> list[tuple[Any, ...]]:
        try:
            with self._reading:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise unreadable(self._path, error) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self._path.name} could not be written: {error}.") from error
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)


def _ms(at: str) -> int:
    """Unix time of a row."""
    return round(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() * 1000)
