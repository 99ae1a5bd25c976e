"""How a journal is opened: checked, salvaged where it is damaged, compared with its seal; what is missing is said."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.common.errors import JournalError
from companion.i18n import phrase, say
from companion.journal import schema
from companion.journal.schema import Damaged, Reached, Seal, link

_FAULTS = (sqlite3.Error, UnicodeDecodeError, TypeError, ValueError, OverflowError)
_MOST = 1 << 40
"""No journal has so many entries: a greater number is damage."""


def salvage(path: Path, expected: int) -> Path:
    """Put a journal that is whole in the place of a damaged one. Gives where the damaged one is kept.

    `expected` is how many entries there were, as far as is known. Raises OSError.
    """
    kept = copied(path)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as fresh:
        schema.prepare(fresh, new)
        fresh.execute("BEGIN IMMEDIATE")
        with closing(sqlite3.connect(path, isolation_level=None)) as old:
            old.text_factory = bytes
            _take_over(old, fresh, expected)
        fresh.execute("COMMIT")
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    new.replace(path)  # after the old WAL has gone: SQLite would mix it into the new file
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or a power cut might bring the damaged file back, beside the new one's WAL
    finally:
        os.close(folder)
    return kept


def copied(path: Path) -> Path:
    """The damaged file and its WAL under a name with the time."""
    stem, number = f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S}", 1
    kept = path.with_name(stem)
    while kept.exists():
        number += 1
        kept = path.with_name(f"{stem}-{number}")
    shutil.copyfile(path, kept)
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        shutil.copyfile(wal, kept.with_name(kept.name + "-wal"))
    return kept


def _take_over(old: sqlite3.Connection, fresh: sqlite3.Connection, expected: int) -> None:
    games = _games(old)
    for game, (begun, plan, pegs) in sorted(games.items()):
        found = link("", (game, begun, plan))
        values = (game, begun, plan, pegs, found)
        fresh.execute("INSERT INTO game (id, begun, plan, pegs, hash) VALUES (?, ?, ?, ?, ?)", values)
    for game in games:
        with suppress(*_FAULTS):
            (players,) = old.execute("SELECT players FROM game WHERE id = ?", (game,)).fetchone()
            fresh.execute("UPDATE game SET players = ? WHERE id = ?", (players and players.decode(), game))
    with suppress(*_FAULTS):
        (on,) = old.execute("SELECT max(game) FROM present").fetchone()
        fresh.execute("INSERT INTO present SELECT id FROM game WHERE id = ?", (on,))
    reached, number = Reached(), 0
    before: tuple[Any, ...] | None = None
    ended: set[Any] = set()
    seen: set[Any] = set()
    for number, row in _rows(old, max(expected, _last(old))):
        follows = (before is None and number == 1) or (before is not None and before[0] == number - 1)
        whole = follows and row[-1] == link(before[-1] if before else "", row[:-1])
        if not whole:
            ended |= seen | {row[1]}
        seen.add(row[1])
        before = row
        if row[1] in games and row[1] not in ended:
            reached = schema.append(fresh, reached, [row[1:-1]])


def _games(old: sqlite3.Connection) -> dict[int, tuple[str, str, str | None]]:
    """The games whose plan is as it was written."""
    found = {}
    try:
        ids = [each for (each,) in old.execute("SELECT id FROM game ORDER BY id")]
    except _FAULTS:
        ids = list(range(1, 1000))
    for each in ids:
        try:
            row = old.execute("SELECT begun, plan, hash, pegs FROM game WHERE id = ?", (each,)).fetchone()
            begun, plan, said = (part.decode() for part in row[:3])
            if said == link("", (each, begun, plan)):
                found[each] = (begun, plan, row[3].decode(errors="replace") if row[3] else None)
        except (*_FAULTS, AttributeError):
            continue
    return found


def _last(old: sqlite3.Connection) -> int:
    try:
        last = old.execute("SELECT max(id) FROM entry").fetchone()[0]
        return last if isinstance(last, int) and 0 < last < _MOST else 0
    except _FAULTS:
        return 0


def _rows(old: sqlite3.Connection, last: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Every entry that can be read at all, in order: where a page cannot, its neighbours are asked for one by one."""
    asked = [(at, min(at + 499, last)) for at in range(1, last + 1, 500)][::-1]
    while asked:
        first, end = asked.pop()
        try:
            rows = old.execute(
                f"SELECT {schema.ROW}, hash FROM entry WHERE id BETWEEN ? AND ? ORDER BY id", (first, end)
            ).fetchall()
        except _FAULTS:
            if first < end:
                middle = (first + end) // 2
                asked += [(middle + 1, end), (first, middle)]
            continue
        for row in rows:
            try:
                yield row[0], (*row[:2], *(part.decode() for part in row[2:]))
            except (*_FAULTS, AttributeError):
                continue


_MAGIC = b"SQLite format 3\0"
_OUTSIDE = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOLFS,
}  # fmt: skip
"""Errors that say nothing of what is in the file."""

CACHE_KIB = 256
"""What a connection keeps of the file in memory: a move needs its last pages only, and the journal grows for years."""


def opened(path: Path, *, is_checked: bool = True) -> sqlite3.Connection:
    """A connection to the file; one that is not checked yet may be anybody's, and is left as it is."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)
    try:
        db.execute("PRAGMA synchronous=FULL")
        db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        if not is_checked:
            schema.prepare(db, path)
        db.execute("PRAGMA journal_mode=WAL")
    except BaseException:
        with suppress(sqlite3.Error):
            db.close()
        raise
    return db


def found(path: Path) -> tuple[sqlite3.Connection, Reached, str | None]:
    """The journal at this path, how far it goes, and what is to be said of damage. Raises JournalError, OSError."""
    sealed = schema.read(path)
    try:
        db, reached = _checked(path)
        if sealed and path.stat().st_size and (reached.last < sealed.last or reached.game < sealed.game):
            kept = copied(path)  # with what there is of its WAL, which goes when the file goes on
            db.close()  # copying has let go of SQLite's locks
            return *_checked(path), _missing(path, reached, sealed, kept)
        return db, *_compared(path, db, reached, sealed)
    except (sqlite3.Error, Damaged, UnicodeDecodeError, TypeError, ValueError) as error:
        if isinstance(error, JournalError) or _is_outside(error):
            raise
        if not _begins_as_one(path):
            raise _no_journal(path, sealed, error) from error
        return _salvaged(path, sealed, error)


def take_out(db: sqlite3.Connection, reached: Reached) -> None:
    """Whatever goes beyond what was promised was refused: it is taken out. Raises sqlite3.Error if that fails."""
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM entry WHERE id > ?", (reached.last,))
    db.execute("DELETE FROM game WHERE id > ?", (reached.game,))
    db.execute("DELETE FROM block WHERE last > ?", (reached.last,))
    db.execute("DELETE FROM checkpoint WHERE entry > ?", (reached.last,))
    (last,) = db.execute("SELECT hash FROM entry WHERE id = ?", (reached.last,)).fetchone() or ("",)
    db.execute("COMMIT")
    (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if last != reached.hash or busy:
        raise sqlite3.OperationalError("what is in the file is not what was promised")


def _checked(path: Path) -> tuple[sqlite3.Connection, Reached]:
    db = opened(path, is_checked=False)
    try:
        return db, schema.check(db)
    except BaseException:
        with suppress(sqlite3.Error):
            db.close()
        raise


def _compared(path: Path, db: sqlite3.Connection, reached: Reached, sealed: Seal | None) -> tuple[Reached, str | None]:
    """With what was promised last."""
    if sealed is None:
        (marked,) = db.execute("SELECT max(entry) FROM whole").fetchone()
        return reached, None if marked == reached.last else say(_UNSURE, name=path.name)
    if reached.last < sealed.last or reached.game < sealed.game:
        return reached, _missing(path, reached, sealed)
    (last,) = db.execute("SELECT hash FROM entry WHERE id = ?", (sealed.last,)).fetchone() or ("",)
    if last != sealed.hash:
        return reached, say(
            "The journal {name} is not the one played with last: it was exchanged or changed.", name=path.name
        )
    if sealed.strict and (reached.last > sealed.last or reached.game > sealed.game):
        take_out(db, Reached(sealed.last, sealed.hash, game=sealed.game))
        reached = schema.check(db)
    return reached, None


_UNSURE = phrase("The seal of the journal {name} is missing: whether its last moves are there, nobody can tell.")


def _missing(path: Path, reached: Reached, sealed: Seal | None, kept: Path | None = None) -> str:
    where = say(" The damaged file is kept as {name}.", name=kept.name) if kept else ""
    words = {"name": path.name, "where": where}
    if sealed is None:
        return say("The journal {name} was damaged: some moves are missing.{where}", **words)
    if sealed.moves != reached.moves:
        lost = max(sealed.moves - reached.moves, 0)
        pattern = phrase("The journal {name} was damaged: {lost} of {all} moves are missing.{where}")
        return say(pattern, **words, lost=lost, all=sealed.moves)
    if sealed.game == reached.game:
        return say("The journal {name} was damaged: no moves are missing.{where}", **words)
    return say("The journal {name} was damaged: a game is missing.{where}", **words)


def _salvaged(path: Path, sealed: Seal | None, error: Exception) -> tuple[sqlite3.Connection, Reached, str]:
    kept = salvage(path, sealed.last if sealed else 0)
    try:
        db, reached = _checked(path)
    except (sqlite3.Error, Damaged) as again:
        raise JournalError(f"The journal {path} is damaged and cannot be put right: {again}.") from error
    return db, reached, _missing(path, reached, sealed, kept)


def _is_outside(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (
        code & 0xFF in _OUTSIDE or (code & 0xFF == sqlite3.SQLITE_IOERR and code != sqlite3.SQLITE_IOERR_SHORT_READ)
    )


def _begins_as_one(path: Path) -> bool:
    """Whether SQLite would read it. The file is not open now: closing it would let go of SQLite's locks."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _no_journal(path: Path, sealed: Seal | None, error: Exception) -> JournalError:
    if sealed is None:
        return JournalError(f"The journal {path} cannot be used: {error}.")
    return JournalError(
        f"The journal {path} is damaged beyond reading ({error}): put a backup in its place, "
        f"or move it away to begin a new one."
    )


class Watched:
    """Whether an open journal still is the file that its name leads to. The WAL counts: moves lie there first."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wal = path.with_name(path.name + "-wal")
        self._are = self._now()

    def gone(self) -> str | None:
        """What is to be said where the file was removed or replaced. For any thread."""
        if self._now() == self._are:
            return None
        name = self._path.name
        return say(
            "The journal {name} was removed or replaced while the table runs: nothing is kept. Start again.", name=name
        )

    def _now(self) -> list[tuple[int, int] | None]:
        there: list[tuple[int, int] | None] = []
        for path in (self._path, self._wal):
            try:
                there.append(((found := path.stat()).st_dev, found.st_ino))
            except OSError:
                there.append(None)
        return there
