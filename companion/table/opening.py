"""How a journal is opened: checked, salvaged where it is damaged, compared with its seal; what is missing is said."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from companion.errors import JournalError
from companion.table import ledger, salvage, seal
from companion.table.ledger import Damaged, Reached
from companion.table.seal import Seal
from companion.words import phrase, say

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
            ledger.prepare(db, path)
        db.execute("PRAGMA journal_mode=WAL")
    except BaseException:
        with suppress(sqlite3.Error):
            db.close()
        raise
    return db


def found(path: Path) -> tuple[sqlite3.Connection, Reached, str | None]:
    """The journal at this path, how far it goes, and what is to be said of damage. Raises JournalError, OSError."""
    sealed = seal.read(path)
    try:
        db, reached = _checked(path)
        if sealed and path.stat().st_size and (reached.last < sealed.last or reached.game < sealed.game):
            kept = salvage.copied(path)  # with what there is of its WAL, which goes when the file goes on
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
        return db, ledger.check(db)
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
        reached = ledger.check(db)
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
    kept = salvage.salvage(path, sealed.last if sealed else 0)
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
