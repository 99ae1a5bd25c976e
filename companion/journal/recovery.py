"""Open a journal: check it, compare it with its seal, salvage it if it is damaged, report what is missing; back it up.

A damaged file is kept under a dated name, and its readable games are copied to a new journal. A game is copied up to
its first missing or changed entry, because the rules cannot replay what follows. A backup of a running table is one
consistent, checked file that can replace the journal.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.common.errors import JournalError
from companion.common.files import put_file_in_place
from companion.i18n import format_message, gettext_noop
from companion.journal import schema
from companion.journal.schema import DamagedJournal, JournalExtent, Seal, hash_entry

_READ_ERRORS = (sqlite3.Error, UnicodeDecodeError, TypeError, ValueError, OverflowError)
_MAX_ENTRIES = 1 << 40
"""Upper limit for entry ids; a greater one is damage."""


def salvage_journal(path: Path, expected: int) -> Path:
    """Replace a damaged journal by an intact one with its readable games. Return the path of the damaged copy.

    `expected` is the known number of entries, 0 if unknown. Raises OSError.
    """
    copy = copy_damaged_file(path)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    schema.make_private(new)
    with closing(sqlite3.connect(new, isolation_level=None)) as fresh:
        schema.create_or_migrate(fresh, new)
        fresh.execute("BEGIN IMMEDIATE")
        with closing(sqlite3.connect(path, isolation_level=None)) as old:
            old.text_factory = bytes
            _copy_readable_games(old, fresh, expected)
        fresh.execute("COMMIT")
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    put_file_in_place(new, path)  # after the old WAL has gone: SQLite would mix it into the new file
    return copy


def copy_damaged_file(path: Path) -> Path:
    """Copy the damaged file and its WAL under a name with the time, and return its path."""
    stem, number = f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S}", 1
    copy = path.with_name(stem)
    while copy.exists():
        number += 1
        copy = path.with_name(f"{stem}-{number}")
    _copy_privately(path, copy)
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        _copy_privately(wal, copy.with_name(copy.name + "-wal"))
    return copy


def _copy_privately(path: Path, to: Path) -> None:
    schema.make_private(to)
    shutil.copyfile(path, to)


def _copy_readable_games(old: sqlite3.Connection, fresh: sqlite3.Connection, expected: int) -> None:
    games = _read_intact_games(old)
    for game, (begun, plan, pegs) in sorted(games.items()):
        found = hash_entry("", (game, begun, plan))
        values = (game, begun, plan, pegs, found)
        fresh.execute("INSERT INTO game (id, begun, plan, pegs, hash) VALUES (?, ?, ?, ?, ?)", values)
    for game in games:
        with suppress(*_READ_ERRORS):
            (players,) = old.execute("SELECT players FROM game WHERE id = ?", (game,)).fetchone()
            fresh.execute("UPDATE game SET players = ? WHERE id = ?", (players and players.decode(), game))
    with suppress(*_READ_ERRORS):
        (present,) = old.execute("SELECT max(game) FROM present").fetchone()
        fresh.execute("INSERT INTO present SELECT id FROM game WHERE id = ?", (present,))
    extent, number = JournalExtent(), 0
    previous: tuple[Any, ...] | None = None
    games_ended: set[Any] = set()
    games_seen: set[Any] = set()
    for number, row in _read_entries(old, max(expected, _find_last_entry(old))):
        follows = (previous is None and number == 1) or (previous is not None and previous[0] == number - 1)
        is_intact = follows and row[-1] == hash_entry(previous[-1] if previous else "", row[:-1])
        if not is_intact:
            games_ended |= games_seen | {row[1]}
        games_seen.add(row[1])
        previous = row
        if row[1] in games and row[1] not in games_ended:
            extent = schema.append_entries(fresh, extent, [row[1:-1]])


def _read_intact_games(old: sqlite3.Connection) -> dict[int, tuple[str, str, str | None]]:
    """Return the games whose row matches its hash: begin, plan and pegs by id."""
    found = {}
    try:
        ids = [game for (game,) in old.execute("SELECT id FROM game ORDER BY id")]
    except _READ_ERRORS:
        ids = list(range(1, 1000))
    for game in ids:
        try:
            row = old.execute("SELECT begun, plan, hash, pegs FROM game WHERE id = ?", (game,)).fetchone()
            begun, plan, stored_hash = (part.decode() for part in row[:3])
            if stored_hash == hash_entry("", (game, begun, plan)):
                found[game] = (begun, plan, row[3].decode(errors="replace") if row[3] else None)
        except (*_READ_ERRORS, AttributeError):
            continue
    return found


def _find_last_entry(old: sqlite3.Connection) -> int:
    try:
        last = old.execute("SELECT max(id) FROM entry").fetchone()[0]
        return last if isinstance(last, int) and 0 < last < _MAX_ENTRIES else 0
    except _READ_ERRORS:
        return 0


def _read_entries(old: sqlite3.Connection, last: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield every readable entry in order. Around an unreadable page, ranges are halved down to single entries."""
    ranges = [(at, min(at + 499, last)) for at in range(1, last + 1, 500)][::-1]
    while ranges:
        first, end = ranges.pop()
        try:
            rows = old.execute(
                f"SELECT {schema.ENTRY_COLUMNS}, hash FROM entry WHERE id BETWEEN ? AND ? ORDER BY id", (first, end)
            ).fetchall()
        except _READ_ERRORS:
            if first < end:
                middle = (first + end) // 2
                ranges += [(middle + 1, end), (first, middle)]
            continue
        for row in rows:
            try:
                yield row[0], (*row[:2], *(part.decode() for part in row[2:]))
            except (*_READ_ERRORS, AttributeError):
                continue


_SQLITE_MAGIC = b"SQLite format 3\0"
_ENVIRONMENT_ERRORS = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOLFS,
}  # fmt: skip
"""SQLite errors of the environment, which do not mean that the file is damaged."""

CACHE_KIB = 256
"""Page cache of a connection in KiB. A move needs only the last pages, and the journal grows for years."""


def open_connection(path: Path, *, is_checked: bool = True) -> sqlite3.Connection:
    """Open a connection. Unless `is_checked`, first make sure that the file is a journal, and migrate it."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)
    try:
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        if not is_checked:
            schema.create_or_migrate(db, path)
        db.execute("PRAGMA journal_mode=WAL")
    except BaseException:
        with suppress(sqlite3.Error):
            db.close()
        raise
    return db


def open_journal(path: Path) -> tuple[sqlite3.Connection, JournalExtent, str | None]:
    """Open the journal. Return its connection, its extent, and a sentence about damage or None.

    Raises JournalError, sqlite3.Error or OSError.
    """
    for end in ("", "-wal", "-shm"):
        if not end or path.with_name(path.name + end).exists():
            schema.make_private(path.with_name(path.name + end))
    seal = schema.read_seal(path)
    try:
        db, extent = _open_checked(path)
        if seal and path.stat().st_size and (extent.last < seal.last or extent.game < seal.game):
            copy = copy_damaged_file(path)  # together with its WAL, which SQLite removes when the file is used again
            db.close()  # copying the file has dropped SQLite's locks
            return *_open_checked(path), _describe_missing_moves(path, extent, seal, copy)
        return db, *_compare_with_seal(path, db, extent, seal)
    except (sqlite3.Error, DamagedJournal, UnicodeDecodeError, TypeError, ValueError) as error:
        if isinstance(error, JournalError) or _is_environment_error(error):
            raise
        if not _has_sqlite_header(path):
            raise _unusable_journal_error(path, seal, error) from error
        return _open_salvaged(path, seal, error)


def remove_refused_entries(db: sqlite3.Connection, extent: JournalExtent) -> None:
    """Remove all entries beyond the promised extent, because they were refused. Raises sqlite3.Error."""
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM entry WHERE id > ?", (extent.last,))
    db.execute("DELETE FROM game WHERE id > ?", (extent.game,))
    db.execute("DELETE FROM block WHERE last > ?", (extent.last,))
    db.execute("DELETE FROM checkpoint WHERE entry > ?", (extent.last,))
    (last,) = db.execute("SELECT hash FROM entry WHERE id = ?", (extent.last,)).fetchone() or ("",)
    db.execute("COMMIT")
    (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if last != extent.hash or busy:
        raise sqlite3.OperationalError("the file does not end with the promised entry")


def _open_checked(path: Path) -> tuple[sqlite3.Connection, JournalExtent]:
    db = open_connection(path, is_checked=False)
    try:
        return db, schema.check_integrity(db)
    except BaseException:
        with suppress(sqlite3.Error):
            db.close()
        raise


def _compare_with_seal(
    path: Path, db: sqlite3.Connection, extent: JournalExtent, seal: Seal | None
) -> tuple[JournalExtent, str | None]:
    """Compare the journal with its seal. Return its extent, and a sentence about damage or None."""
    if seal is None:
        (marked,) = db.execute("SELECT max(entry) FROM whole").fetchone()
        return extent, None if marked == extent.last else format_message(_SEAL_MISSING, name=path.name)
    if extent.last < seal.last or extent.game < seal.game:
        return extent, _describe_missing_moves(path, extent, seal)
    (last,) = db.execute("SELECT hash FROM entry WHERE id = ?", (seal.last,)).fetchone() or ("",)
    if last != seal.hash:
        return extent, format_message("The journal {name} was replaced or changed since the last game.", name=path.name)
    if seal.strict and (extent.last > seal.last or extent.game > seal.game):
        remove_refused_entries(db, JournalExtent(seal.last, seal.hash, game=seal.game))
        extent = schema.check_integrity(db)
    return extent, None


_SEAL_MISSING = gettext_noop(
    "The seal of the journal {name} is missing, so moves that are missing at its end cannot be detected."
)


def _describe_missing_moves(path: Path, extent: JournalExtent, seal: Seal | None, copy: Path | None = None) -> str:
    where = format_message(" The damaged file is kept as {name}.", name=copy.name) if copy else ""
    words = {"name": path.name, "where": where}
    if seal is None or seal.was_empty:
        return format_message("The journal {name} was damaged: some moves are missing.{where}", **words)
    if seal.moves != extent.moves:
        lost = max(seal.moves - extent.moves, 0)
        pattern = gettext_noop("The journal {name} was damaged: {lost} of {all} moves are missing.{where}")
        return format_message(pattern, **words, lost=lost, all=seal.moves)
    if seal.game == extent.game:
        return format_message("The journal {name} was damaged: no moves are missing.{where}", **words)
    return format_message("The journal {name} was damaged: a game is missing.{where}", **words)


def _open_salvaged(path: Path, seal: Seal | None, error: Exception) -> tuple[sqlite3.Connection, JournalExtent, str]:
    copy = salvage_journal(path, seal.last if seal else 0)
    try:
        db, extent = _open_checked(path)
    except (sqlite3.Error, DamagedJournal) as second_error:
        raise JournalError(f"The journal {path} is damaged and cannot be repaired: {second_error}.") from error
    return db, extent, _describe_missing_moves(path, extent, seal, copy)


def _is_environment_error(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (
        code & 0xFF in _ENVIRONMENT_ERRORS
        or (code & 0xFF == sqlite3.SQLITE_IOERR and code != sqlite3.SQLITE_IOERR_SHORT_READ)
    )


def _has_sqlite_header(path: Path) -> bool:
    """Return whether the file begins as an SQLite file. Call it only while SQLite has it closed, to keep its locks."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def _unusable_journal_error(path: Path, seal: Seal | None, error: Exception) -> JournalError:
    if seal is None:
        return JournalError(f"The journal {path} cannot be used: {error}.")
    return JournalError(
        f"The journal {path} is damaged beyond repair ({error}). Put a backup in its place, "
        f"or move it away to begin a new one."
    )


class JournalFileWatch:
    """Detects that an open journal or its WAL was removed or replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wal = path.with_name(path.name + "-wal")
        self._file_ids = self._read_file_ids()

    def describe_loss(self) -> str | None:
        """Return a sentence if the file was removed or replaced, else None. For any thread."""
        if self._read_file_ids() == self._file_ids:
            return None
        name = self._path.name
        return format_message(
            "The journal {name} was removed or replaced while the program was running, so moves are not saved. "
            "Restart the program.",
            name=name,
        )

    def _read_file_ids(self) -> list[tuple[int, int] | None]:
        ids: list[tuple[int, int] | None] = []
        for path in (self._path, self._wal):
            try:
                ids.append(((found := path.stat()).st_dev, found.st_ino))
            except OSError:
                ids.append(None)
        return ids


_DATED_NAME = re.compile(r"journal-\d{8}-\d{6}\.sqlite3")


def backup_journal(journal: Path, to: Path, most: int) -> Path:
    """Copy the journal to a new file, or under a dated name into a folder. Return the path of the copy.

    A folder keeps its `most` newest dated copies. Raises JournalError.
    """
    folder = to if to.is_dir() else None
    into = folder / f"journal-{datetime.now():%Y%m%d-%H%M%S}.sqlite3" if folder else to
    if into.exists():
        raise JournalError(f"The file {into} already exists. Choose another name.")
    if not journal.is_file():
        raise JournalError(f"There is no journal {journal}. Choose it with --journal.")
    part = into.with_name(into.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _copy_journal(journal, part)
        put_file_in_place(part, into)
        if folder:
            for old in sorted(copy for copy in folder.iterdir() if _DATED_NAME.fullmatch(copy.name))[:-most]:
                old.unlink()
    except (sqlite3.Error, DamagedJournal, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise JournalError(f"The journal {journal} could not be copied to {into}: {reason}.") from error
    finally:
        part.unlink(missing_ok=True)
    return into


def _copy_journal(journal: Path, part: Path) -> None:
    """Copy the journal durably. The copy is marked as complete in its `whole` table, because it has no seal file."""
    with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=rw", uri=True, timeout=10)) as db:
        schema.make_private(part)
        db.execute("VACUUM INTO ?", (str(part),))
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        schema.create_or_migrate(copy, journal)
        copy.execute("UPDATE whole SET entry = (SELECT coalesce(max(id), 0) FROM entry)")
        schema.check_integrity(copy)
    with part.open("rb+") as file:
        os.fsync(file.fileno())
