"""The journal: every accepted move, durable before anyone is told. SQLite, WAL, synchronous=FULL.

State is the fold of a game's moves. Cards of an unfinished crib lie beside them, and where the pegs were last known
to stand is a column of the game, rewritten: it is a reading, not a move. One transaction a change.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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


class Entry(NamedTuple):
    """One line: `kind` is "move" (a JSON move), "card" (a card that lies) or "uncard" (the newest is taken up)."""

    kind: str
    by: str
    body: Any


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
    """An open journal file. Not for two programs at once; calls come under the table's lock."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. Raises JournalError with a sentence that names it."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            self._game = self._db.execute("SELECT max(id) FROM game").fetchone()[0]
            self.moves: int = self._db.execute("SELECT count(*) FROM entry WHERE kind = 'move'").fetchone()[0]
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"The journal {path} cannot be used: {error}.") from error

    def last_game(self) -> Kept | None:
        """The game to resume, or None in a new journal. Raises JournalError."""
        if self._game is None:
            return None
        try:
            plan, pegs = self._db.execute("SELECT plan, pegs FROM game WHERE id = ?", (self._game,)).fetchone()
            rows = self._db.execute("SELECT kind, by, body FROM entry WHERE game = ? ORDER BY id", (self._game,))
            entries = tuple(Entry(kind, by, json.loads(body)) for kind, by, body in rows)
            return Kept(json.loads(plan), json.loads(pegs) if pegs else None, entries)
        except (sqlite3.Error, ValueError) as error:
            raise unreadable(self._path, error) from error

    def begin(self, plan: Mapping[str, Any]) -> None:
        """A new game begins; the ones before it stay in the file."""
        with self._transaction():
            self._game = self._db.execute("INSERT INTO game (plan) VALUES (?)", (json.dumps(plan),)).lastrowid

    def write(self, entries: tuple[Entry, ...], pegs: Any = None) -> None:
        """Commit the entries, and the pegs' placement if it has changed. Durable when it returns."""
        if not entries and pegs is None:
            return
        with self._transaction():
            self._db.executemany(
                "INSERT INTO entry (game, kind, by, body) VALUES (?, ?, ?, ?)",
                [(self._game, e.kind, e.by, json.dumps(e.body)) for e in entries],
            )
            if pegs is not None:
                self._db.execute("UPDATE game SET pegs = ? WHERE id = ?", (json.dumps(pegs), self._game))
        self.moves += sum(e.kind == "move" for e in entries)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._db.close()

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
