"""The database of the archive: SQLite or PostgreSQL, with the same statements for both.

A transaction is durable when its block ends. Errors of either driver are raised as DatabaseError.
"""

import os
import re
import socket
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.common.errors import BadMove, CompanionError, SettingsError
from companion.common.files import make_private_folder, put_file_in_place
from companion.common.process import missing_extra
from companion.i18n import gettext_noop
from companion.journal.schema import make_private

Rows = list[tuple[Any, ...]]

_SCHEMA = Path(__file__).with_name("schema.sql").read_text("utf-8")
MAX_INTEGER = 2**63 - 1
"""Largest number that fits a column."""
MAX_WAIT_S = 10.0
"""Time in s after which a statement is aborted if other transactions wait for it."""
_SLOW_FAILURE_S = 1.0
"""After a failed attempt to connect that took longer, in s, others fail at once for as long."""
_ADDED_COLUMNS = (
    ("result", "game", "TEXT"),
    ("playoff", "game", "TEXT"),
    ("playoff", "winner", "TEXT"),
    ("scorecard", "is_locked", "INTEGER"),
)
"""Columns that a database of an earlier version does not have: table, name and type."""


_NOT_AVAILABLE = gettext_noop("The archive's database is not available. Try again later.")
_SOCKET_OPTIONS: Mapping[str, Any] = {
    "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}  # fmt: skip
"""Options of PostgreSQL's library that end a connection to a server that is cut off, in s and ms."""


_WRITE = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class DatabaseError(CompanionError, OSError):
    """The database cannot be reached or written at present."""


class StatementRunner:
    """Runs statements within a transaction. Values are marked by `?`."""

    def __init__(self, cursor: Any, placeholder: str, on_statement: Callable[[], None]) -> None:
        self._cursor, self._placeholder, self._on_statement = cursor, placeholder, on_statement
        self.written: set[str] = set()
        """The tables that have been written."""

    def __call__(self, query: str, *values: object) -> Rows:
        """Run a statement; return its rows. Raises BadMove for a value that not every database can store."""
        if any(isinstance(value, int) and abs(value) > MAX_INTEGER for value in values):
            raise BadMove("A number is too large.")
        if any(isinstance(value, str) and "\0" in value for value in values):
            raise BadMove("A name must not contain control characters or line breaks.")
        self._prepare(query)
        self._cursor.execute(query.replace("?", self._placeholder), values)
        return list(self._cursor.fetchall()) if self._cursor.description else []

    def run_many(self, query: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Run a statement for each row of values, without waiting for PostgreSQL row by row."""
        if rows:
            self._prepare(query)
            self._cursor.executemany(query.replace("?", self._placeholder), rows)

    def next_id(self, table: str) -> int:
        ((number,),) = self(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
        return int(number)

    def _prepare(self, query: str) -> None:
        self._on_statement()
        if write := _WRITE.match(query):
            self.written.add(write[1])

    def add_missing_column(self, table: str, name: str, kind: str) -> None:
        self._cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        if name not in [column[0] for column in self._cursor.description]:
            self._cursor.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


class Database:
    """A connection that is opened again after an error. Any thread may call it; transactions wait for each other."""

    def __init__(self, url: str) -> None:
        """Open `sqlite:///FILE` or `postgresql://…`. Raises SettingsError for another URL, or DatabaseError."""
        self._open, self._error, self._placeholder = _parse_url(url)
        self._lock = threading.RLock()
        self._connection: Any = None
        self._busy_since_s = self._retry_at_s = 0.0
        self._versions: Counter[str] = Counter()
        with self.transaction() as run_sql:
            for statement in _SCHEMA.strip().removesuffix(";").split(";\n"):
                run_sql(statement)
            for column in _ADDED_COLUMNS:
                run_sql.add_missing_column(*column)

    def query(self, query: str, *values: object) -> Rows:
        """Run a statement in a transaction of its own; return its rows."""
        with self.transaction() as run_sql:
            return run_sql(query, *values)

    def table_version(self, table: str) -> int:
        """Return a number that changes whenever this program has changed the table."""
        return self._versions[table]

    @contextmanager
    def transaction(self) -> Iterator[StatementRunner]:
        """Run statements of a `with` block, all or none. Raises DatabaseError."""
        self._wait_for_turn()
        try:
            self._note_statement()
            if self._connection is None:
                self._connection = self._connect()
            cursor = self._connection.cursor()
            run_sql = StatementRunner(cursor, self._placeholder, self._note_statement)
            yield run_sql
            self._note_statement()
            self._connection.commit()
            self._versions.update(run_sql.written)
        except self._error as error:
            self._disconnect()
            raise DatabaseError(_NOT_AVAILABLE) from error
        except BaseException:
            self._disconnect()
            raise
        finally:
            self._lock.release()

    def _wait_for_turn(self) -> None:
        """Acquire the lock. Raises DatabaseError, and cuts the connection, if the present statement takes too long.

        A server that was stopped, or is cut off, does not end its statements with an error.
        """
        wait_s = MAX_WAIT_S
        while not self._lock.acquire(timeout=wait_s):
            wait_s = self._busy_since_s + MAX_WAIT_S - time.monotonic()
            if wait_s <= 0:
                self._cut_connection()
                raise DatabaseError(_NOT_AVAILABLE)

    def _note_statement(self) -> None:
        self._busy_since_s = time.monotonic()

    def _connect(self) -> Any:
        if self._busy_since_s < self._retry_at_s:
            raise DatabaseError(_NOT_AVAILABLE)
        try:
            return self._open()
        except self._error:
            if time.monotonic() - self._busy_since_s > _SLOW_FAILURE_S:
                self._retry_at_s = time.monotonic() + _SLOW_FAILURE_S
            raise

    def _cut_connection(self) -> None:
        """Let the statement that another thread waits for end with an error. SQLite needs no server."""
        connection = self._connection
        if connection is not None and hasattr(connection, "fileno"):
            with suppress(OSError, self._error), socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection. May be called twice."""
        with self._lock:
            self._disconnect()

    def _disconnect(self) -> None:
        """Close the connection and abort its transaction. The next transaction opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(self._error):
                connection.close()


def sqlite_path(url: str) -> Path | None:
    """Return the file of a store in SQLite, None for another URL."""
    scheme, _, rest = url.partition("://")
    return Path(rest[1:]) if scheme == "sqlite" and rest.startswith("/") and rest != "/" else None


def _parse_url(url: str) -> tuple[Callable[[], Any], type[Exception], str]:
    """Return a function that opens a connection, the error class of the driver, and its placeholder for values."""
    path = sqlite_path(url)
    if path is not None:

        def open_sqlite() -> sqlite3.Connection:
            try:
                file = path.resolve()
                make_private_folder(file.parent)
                make_private(file)
                for rest in (file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm")):
                    if rest.exists():  # SQLite gives new ones the rights of the database
                        make_private(rest)
            except OSError as error:
                raise sqlite3.OperationalError(str(error)) from error
            db = sqlite3.connect(path, check_same_thread=False, timeout=5)
            try:
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("PRAGMA synchronous=FULL")
            except BaseException:
                db.close()
                raise
            return db

        return open_sqlite, sqlite3.Error, "?"
    if url.startswith(("postgresql://", "postgres://")):
        try:
            import psycopg  # noqa: PLC0415 - SQLite needs none
        except ImportError as error:
            raise SettingsError(missing_extra("club")) from error
        return lambda: psycopg.connect(url, **_SOCKET_OPTIONS), psycopg.Error, "%s"
    raise SettingsError("Write the store as sqlite:///FILE or postgresql://USER@HOST/NAME.")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def backup_database(url: str, to: Path) -> Path:
    """Copy the database to a new file; return its path. Raises SettingsError for another kind of store.

    The copy is complete and checked, or there is none. Raises DatabaseError.
    """
    path = sqlite_path(url)
    if path is None:
        raise SettingsError("Only a store in SQLite is copied. For PostgreSQL, use pg_dump.")
    if to.exists():
        raise DatabaseError("The file {file} already exists. Choose another name.", file=str(to))
    if not path.is_file():
        raise DatabaseError("There is no store {file}. Choose it with --store.", file=str(path))
    part = to.with_name(to.name + ".part")
    try:
        part.unlink(missing_ok=True)
        make_private(part)
        with closing(sqlite3.connect(path, timeout=10)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=1000)
            copy.execute("PRAGMA journal_mode=DELETE")
            problems = [row[0] for row in copy.execute("PRAGMA integrity_check")]
            copy.execute("SELECT count(*) FROM move")
        if problems != ["ok"]:
            raise sqlite3.DatabaseError(problems[0])
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        put_file_in_place(part, to)
    except (sqlite3.Error, OSError) as error:
        raise DatabaseError("The store could not be copied: {why}.", why=str(error)) from error
    finally:
        part.unlink(missing_ok=True)
    return to
