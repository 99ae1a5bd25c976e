"""The journal: every accepted move, durable before anyone is told. SQLite, WAL, synchronous=FULL.

State is the fold of a game's moves. Cards of an unfinished crib lie beside them, and where the pegs were last known
to stand is a column of the game, rewritten: it is a reading, not a move. One transaction a change. What is missing or
changed is found at the start (`companion.journal.schema`, `companion.journal.schema`) and told.
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
from companion.journal.recovery import Watched, found, opened, take_out
from companion.journal.schema import Reached


class Entry(NamedTuple):
    """One line: `kind` is "move" (a JSON move), "card" (a card that lies) or "uncard" (the newest is taken up).

    "ask" are the moves that another table, which keeps the order, is asked for from now on; an empty list ends it.
    """

    kind: str
    by: str
    body: Any


class Written(NamedTuple):
    """An entry that is in the file: `id` rises, `ms` is when it was committed, in Unix time, `hash` its own."""

    id: int
    ms: int
    entry: Entry
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """The last game of a journal, as it was kept: `pegs` is a reading that may be missing."""

    game: int
    plan: Mapping[str, Any]
    pegs: Any
    people: Any
    journal: "Journal"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All its entries, read anew."""
        return tuple(each.entry for each in self.journal.written(self.game))


def unreadable(journal: Path, error: Exception) -> JournalError:
    """What is said of a game that is damaged, or that these rules do not know."""
    return JournalError(f"The journal {journal.name} holds a game that cannot be read ({error}): --new begins another.")


class Journal:
    """An open journal file, not for two programs at once.

    All that only reads, and `trouble`, may be called by any thread, also while a move is committed; all others under
    the table's lock.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the file. Raises JournalError with a sentence that names it."""
        self._path = path.resolve()
        self._reading = threading.Lock()
        self._doubted = ""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db, self._reached, self.damage = found(self._path)
            self._reader = opened(self._path)  # sees what is committed, and nothing before
            self._seal = schema.Sealing(self._path)
            self._seal.write(self._reached)
            self._watched = Watched(self._path)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"The journal {path} cannot be used: {error}.") from error
        self.game: int | None = self._on()
        self._checkpoint: int = self.read("SELECT coalesce(max(entry), 0) FROM checkpoint")[0][0]

    @property
    def moves(self) -> int:
        """All the moves of all games."""
        return self._reached.moves

    @property
    def trouble(self) -> str | None:
        """A sentence for everybody, where moves cannot be kept now, or were found to be missing at the start."""
        return self._watched.gone() or self._doubted or self.damage

    @property
    def since_checkpoint(self) -> int:
        """So many entries were written since the last checkpoint."""
        return self._reached.last - self._checkpoint

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self._reached.last

    def last_game(self) -> Kept | None:
        """The game to resume, or None in a new journal. Raises JournalError."""
        return None if self.game is None else self.kept(self.game)

    def kept(self, game: int) -> Kept:
        """A game as it was kept. Raises JournalError."""
        if (plan := self.plan(game)) is None:
            raise unreadable(self._path, ValueError("it has no plan"))
        return Kept(game, plan, self.noted(game, "pegs"), self.noted(game, "players"), self)

    def noted(self, game: int, column: str) -> Any:
        """What is no move, and may be missing: the board is asked again, and people choose their names again."""
        with suppress(JournalError, ValueError, TypeError):
            (text,) = self.read(f"SELECT {column} FROM game WHERE id = ?", game)[0]
            return json.loads(text) if text else None
        return None

    def plan(self, game: int) -> Mapping[str, Any] | None:
        """The plan of a game, None where the journal has no such game. Raises JournalError."""
        rows = self.read("SELECT plan FROM game WHERE id = ?", game)
        try:
            plan: Mapping[str, Any] | None = json.loads(rows[0][0]) if rows else None
        except ValueError as error:
            raise unreadable(self._path, error) from error
        return plan

    def written(self, game: int, after: int = 0, most: int = -1) -> tuple[Written, ...]:
        """The entries of a game in order; those after the entry with this id, `most` of them. Raises JournalError."""
        asked = "SELECT id, at, hash, kind, by, body FROM entry WHERE game = ? AND id > ? ORDER BY id LIMIT ?"
        rows = self.read(asked, game, after, most)
        try:
            return tuple(
                Written(n, _ms(at), Entry(kind, by, json.loads(body)), has) for n, at, has, kind, by, body in rows
            )
        except (ValueError, TypeError) as error:
            raise unreadable(self._path, error) from error

    def last_move(self, game: int) -> int:
        """The id of the last move of a game, 0 where there is none. Raises JournalError."""
        asked = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id DESC LIMIT 1"
        return next((row[0] for row in self.read(asked, game)), 0)

    def checkpoint(self, game: int, before: int) -> tuple[int, bytes] | None:
        """The last checkpoint of a game at an entry before this one, and the entry. Raises JournalError."""
        asked = "SELECT entry, body FROM checkpoint WHERE game = ? AND entry < ? ORDER BY entry DESC LIMIT 1"
        return next(((entry, body) for entry, body in self.read(asked, game, before)), None)

    def begin(self, plan: Mapping[str, Any], people: Any = None) -> None:
        """A new game begins, played by these people; the ones before it stay in the file."""
        row = (self._reached.game + 1, _now(), json.dumps(plan))
        with self._transaction() as db:
            db.execute("INSERT INTO game (id, begun, plan, hash) VALUES (?, ?, ?, ?)", (*row, schema.link("", row)))
            _turn_to(db, row[0])
            _seat(db, row[0], people)
            after = self._reached._replace(game=row[0])
        self._promise(after)
        self.game = row[0]

    def seat(self, people: Any) -> None:
        """Keep who plays the present game, ready for JSON. Raises JournalError."""
        with self._transaction() as db:
            _seat(db, self.game or 0, people)

    def turn_to(self, game: int) -> None:
        """A game that was laid aside is on again, also after a restart. Raises JournalError."""
        with self._transaction() as db:
            _turn_to(db, game)
        self.game = game

    def write(self, entries: tuple[Entry, ...], pegs: Any = None) -> None:
        """Commit the entries, and the pegs' placement if it has changed. Durable when it returns."""
        if not entries and pegs is None:
            return
        rows = [(self.game, _now(), entry.kind, entry.by, json.dumps(entry.body)) for entry in entries]
        after = self._reached
        with self._transaction() as db:
            if rows:
                after = schema.append(db, after, rows)
            if pegs is not None:
                db.execute("UPDATE game SET pegs = ? WHERE id = ?", (json.dumps(pegs), self.game))
        self._promise(after)

    def keep(self, game: int, entry: int, body: bytes) -> None:
        """Keep a checkpoint of a game: how it stood after this entry. Raises JournalError."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?)", (entry, game, body))
        self._checkpoint = max(entry, self._checkpoint)

    def forget(self, game: int) -> None:
        """The checkpoints of a game are of no use to these rules. Raises JournalError."""
        with self._transaction() as db:
            db.execute("DELETE FROM checkpoint WHERE game = ?", (game,))

    def watch(self) -> None:
        """Raise JournalError where the file was removed or replaced: ask every few seconds."""
        if said := self._watched.gone():
            raise JournalError(said)

    def close(self) -> None:
        """Close the file. May be called twice."""
        with suppress(JournalError, sqlite3.Error), self._transaction() as db:
            db.execute("UPDATE whole SET entry = ?", (self._reached.last,))
        with self._reading:
            self._reader.close()
        self._db.close()
        self._seal.close()

    def _promise(self, after: Reached) -> None:
        """The change is durable; nothing else knows of it yet."""
        self._reached = after
        with suppress(OSError):  # it is then behind the journal, as after a power cut
            self._seal.write(after)

    def _on(self) -> int | None:
        """The game that is on: the one turned to last, or the last that has begun."""
        (turned,) = self.read("SELECT max(game) FROM present JOIN game ON game.id = present.game")[0]
        return turned or self._reached.game or None

    def read(self, query: str, *values: int) -> list[tuple[Any, ...]]:
        """The rows that a query of the file gives. Raises JournalError."""
        try:
            with self._reading:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            if self._doubted:
                raise JournalError(self._doubted) from error
            raise unreadable(self._path, error) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing. After an error of the disk nobody knows which: then the file is first read back."""
        self.watch()
        try:
            if self._doubted:
                self._read_back()
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._unwritten(error) from error
        try:
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
            if last != self._reached.last:
                raise JournalError(f"Another program has written to the journal {self._path.name}: start again.")
            yield self._db
            self._db.execute("COMMIT")
            self.watch()
        except sqlite3.Error as error:
            self._doubt(str(self._unwritten(error)))
            raise self._unwritten(error) from error
        finally:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _unwritten(self, error: Exception) -> JournalError:
        return JournalError(f"The journal {self._path.name} could not be written: {error}.")

    def _doubt(self, said: str) -> None:
        """Whatever is in the file beyond what was promised has been refused, also after a restart."""
        self._doubted = said
        with suppress(OSError):
            self._seal.write(self._reached, strict=True)
        with suppress(sqlite3.Error):
            self._read_back()

    def _read_back(self) -> None:
        """Close the file, open it, and take out what was refused. Raises what SQLite raises: then the doubt stays."""
        if said := self._watched.gone():
            raise sqlite3.OperationalError(said)
        with self._reading:
            self._reader.close()
            self._db.close()
            self._db = opened(self._path)
            take_out(self._db, self._reached)
            self._reader = opened(self._path)
        self._watched = Watched(self._path)
        with suppress(OSError):
            self._seal.write(self._reached)
        self._doubted = ""


def _turn_to(db: sqlite3.Connection, game: int) -> None:
    db.execute("DELETE FROM present")
    db.execute("INSERT INTO present VALUES (?)", (game,))


def _seat(db: sqlite3.Connection, game: int, people: Any) -> None:
    db.execute("UPDATE game SET players = ? WHERE id = ?", (json.dumps(people) if people else None, game))


def _now() -> str:
    """UTC, to the millisecond. Rows of earlier programs have whole seconds."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"[:-3]


def _ms(at: str) -> int:
    """Unix time of a row."""
    return round(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() * 1000)
