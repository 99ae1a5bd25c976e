"""Where an archive keeps what it has: a SQLite file, or PostgreSQL. The same few statements for both.

A change is one transaction, durable when it returns. What cannot be kept raises StoreError, and is tried anew later.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError, SettingsError

Rows = list[tuple[Any, ...]]

_CREATE_TABLES = (
    """CREATE TABLE IF NOT EXISTS board (club TEXT, board TEXT, is_online INTEGER NOT NULL, run TEXT NOT NULL,
       PRIMARY KEY (club, board))""",
    """CREATE TABLE IF NOT EXISTS run (club TEXT, board TEXT, run TEXT, game TEXT NOT NULL, players TEXT NOT NULL,
       told BIGINT NOT NULL, moves BIGINT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (club, board, run))""",
    """CREATE TABLE IF NOT EXISTS move (club TEXT, board TEXT, run TEXT, n BIGINT, ms BIGINT NOT NULL,
       body TEXT NOT NULL, PRIMARY KEY (club, board, run, n))""",
    """CREATE TABLE IF NOT EXISTS won (id BIGINT PRIMARY KEY, club TEXT NOT NULL, board TEXT NOT NULL,
       run TEXT NOT NULL, n BIGINT NOT NULL, ms BIGINT NOT NULL, result TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS won_of_run ON won (club, board, run, n)",
    """CREATE TABLE IF NOT EXISTS refused (club TEXT, board TEXT, run TEXT, n BIGINT, why TEXT, ms BIGINT NOT NULL,
       PRIMARY KEY (club, board, run, n, why))""",
    """CREATE TABLE IF NOT EXISTS event (id BIGINT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,
       rounds BIGINT NOT NULL, ms BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS entrant (event BIGINT, player TEXT, since BIGINT NOT NULL,
       PRIMARY KEY (event, player))""",
    """CREATE TABLE IF NOT EXISTS pairing (event BIGINT, round BIGINT, number BIGINT, one TEXT NOT NULL, two TEXT,
       ms BIGINT NOT NULL, PRIMARY KEY (event, round, number))""",
    """CREATE TABLE IF NOT EXISTS result (id BIGINT PRIMARY KEY, event BIGINT NOT NULL, round BIGINT NOT NULL,
       number BIGINT NOT NULL, winner TEXT, is_skunk INTEGER NOT NULL, spread BIGINT NOT NULL, said_by TEXT NOT NULL,
       ms BIGINT NOT NULL)""",
)


class DatabaseError(CompanionError, OSError):
    """The store cannot be reached or written now."""


class StatementRunner:
    """Runs statements, with `?` for each value."""

    def __init__(self, cursor: Any, mark: str) -> None:
        self._cursor, self._mark = cursor, mark

    def __call__(self, query: str, *values: object) -> Rows:
        """The rows that a statement gives."""
        self._cursor.execute(query.replace("?", self._mark), values)
        return list(self._cursor.fetchall()) if self._cursor.description else []

    def run_many(self, query: str, every: Sequence[tuple[object, ...]]) -> None:
        """The same statement for many rows of values, in one go: PostgreSQL is not waited for row by row."""
        if every:
            self._cursor.executemany(query.replace("?", self._mark), every)


class Database:
    """For any thread; one change at a time."""

    def __init__(self, url: str) -> None:
        """`sqlite:///FILE` or `postgresql://…`. Raises SettingsError for another, StoreError where it is not there."""
        self._open, self._fault, self._mark = _parse_url(url)
        self._lock = threading.RLock()
        self._db: Any = None
        with self.transaction() as ask:
            for each in _CREATE_TABLES:
                ask(each)

    def query(self, query: str, *values: object) -> Rows:
        """The rows that a query gives."""
        with self.transaction() as ask:
            return ask(query, *values)

    @contextmanager
    def transaction(self) -> Iterator[StatementRunner]:
        """Some statements, all or none. Raises StoreError."""
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._open()
                cursor = self._db.cursor()
                yield StatementRunner(cursor, self._mark)
                self._db.commit()
            except self._fault as error:
                self._disconnect()
                raise DatabaseError("The store of the archive cannot be reached or written now.") from error
            except BaseException:
                self._disconnect()
                raise

    def close(self) -> None:
        """Close it. May be called twice."""
        with self._lock:
            self._disconnect()

    def _disconnect(self) -> None:
        """Let go of the connection, and of a change that is not done; the next opens another."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(self._fault):
                db.close()


def _parse_url(url: str) -> tuple[Callable[[], Any], type[Exception], str]:
    """What opens a connection, what it raises, and what stands for a value in a statement."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest != "/":
        path = Path(rest[1:])

        def open_sqlite() -> sqlite3.Connection:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise sqlite3.OperationalError(str(error)) from error
            db = sqlite3.connect(path, check_same_thread=False, timeout=5)
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            return db

        return open_sqlite, sqlite3.Error, "?"
    if scheme in ("postgresql", "postgres"):
        try:
            import psycopg  # noqa: PLC0415 - SQLite needs none
        except ImportError as error:
            raise SettingsError(
                "PostgreSQL needs the extra [club]: type pip install '.[club]' in the checkout."
            ) from error
        return lambda: psycopg.connect(url, connect_timeout=5), psycopg.Error, "%s"
    raise SettingsError("A store is written sqlite:///FILE or postgresql://USER@HOST/NAME.")
