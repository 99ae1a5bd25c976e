"""The file format of the journal: tables, version, the hash chain that reveals missing or changed entries, the seal.

Each entry has a hash of itself and of the previous hash. At least every 1,000 entries, a block stores a digest of all
its entries, so that a long journal is checked by SQLite and one hash per block instead of a Python loop. The tables are
described in docs/reference/journal.md.

The seal is a small file beside the journal that stores its extent, because SQLite drops a damaged or missing end
silently. It is synced when it is created, and written after each commit without fsync: after a power cut it may lag
behind the journal, but it is never ahead of it.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import JournalError
from companion.common.files import write_private_file

APPLICATION_ID = 0x43524942
"""`application_id` of the file: "CRIB"."""
SCHEMA_VERSION = 3
"""`user_version` of the file. Version 1 had neither number nor hashes; version 2 did not store the present game."""
MIN_BLOCK_ENTRIES = 1000
"""Minimum number of entries that share a digest."""

_TABLES_V1 = (
    """CREATE TABLE game (id INTEGER PRIMARY KEY, begun TEXT DEFAULT CURRENT_TIMESTAMP,
                          plan TEXT NOT NULL, pegs TEXT)""",
    """CREATE TABLE entry (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, at TEXT
                           DEFAULT CURRENT_TIMESTAMP, kind TEXT NOT NULL, by TEXT NOT NULL, body TEXT NOT NULL)""",
    "CREATE INDEX entry_of_game ON entry (game, id)",
)
_CHANGES_V2 = (
    "ALTER TABLE game ADD COLUMN hash TEXT",
    "ALTER TABLE entry ADD COLUMN hash TEXT",
    "CREATE TABLE block (last INTEGER PRIMARY KEY, moves INTEGER NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE checkpoint (entry INTEGER PRIMARY KEY, game INTEGER NOT NULL, body BLOB NOT NULL)",
    "CREATE INDEX checkpoint_of_game ON checkpoint (game, entry)",
    "CREATE TABLE whole (entry INTEGER NOT NULL)",
)
_CHANGES_V3 = ("ALTER TABLE game ADD COLUMN players TEXT", "CREATE TABLE present (game INTEGER NOT NULL)")
ENTRY_COLUMNS = "id, game, at, kind, by, body"
_HASHED_COLUMNS = " || char(31) || ".join(["id", "game", "at", "kind", "by", "body", "hash"])


class DamagedJournal(Exception):
    """The file differs from what was written. The message says how."""


class JournalExtent(NamedTuple):
    """The extent of a journal: its last entry and its hash, the last block and its digest, all moves, the last game."""

    last: int = 0
    hash: str = ""
    block: int = 0
    digest: str = ""
    moves: int = 0
    game: int = 0


def hash_entry(previous: str, row: Iterable[object]) -> str:
    """Return the hash of an entry (`id, game, at, kind, by, body`) that follows the one with the hash `previous`."""
    return hashlib.sha256("\x1f".join((previous, *map(str, row))).encode()).hexdigest()[:32]


def create_or_migrate(db: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new file or migrate an older one.

    Raises JournalError for a file of another program or of a newer version.
    """
    application, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    is_unmarked = application == 0 and version == 0 and tables in (set(), {"game", "entry"})
    if application != APPLICATION_ID and not is_unmarked:
        raise JournalError(f"The file {path} belongs to another program. Choose another journal with --journal.")
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"The journal {path} was written by a newer companion (its version is {version}, this program knows "
            f"{SCHEMA_VERSION}). Update the companion, or choose another journal with --journal."
        )
    if version < SCHEMA_VERSION:
        db.execute("BEGIN IMMEDIATE")
        if is_unmarked:
            for change in (() if tables else _TABLES_V1) + _CHANGES_V2:
                db.execute(change)
            write_hash_chain(db)
            db.execute("INSERT INTO whole SELECT coalesce(max(id), 0) FROM entry")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for change in _CHANGES_V3:
            db.execute(change)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")


def write_hash_chain(db: sqlite3.Connection) -> None:
    """Write the hashes of a file of version 1, which has none."""
    games = db.execute("SELECT id, begun, plan FROM game").fetchall()
    db.executemany("UPDATE game SET hash = ? WHERE id = ?", [(hash_entry("", game), game[0]) for game in games])
    extent = JournalExtent()
    while rows := db.execute(
        f"SELECT {ENTRY_COLUMNS} FROM entry WHERE id > ? ORDER BY id LIMIT 1000", (extent.last,)
    ).fetchall():
        previous, hashes = extent.hash, []
        for row in rows:
            previous = hash_entry(previous, row)
            hashes.append((previous, row[0]))
        db.executemany("UPDATE entry SET hash = ? WHERE id = ?", hashes)
        moves = extent.moves + sum(row[3] == "move" for row in rows)
        extent = close_block(db, extent._replace(last=rows[-1][0], hash=previous, moves=moves))


def append_entries(db: sqlite3.Connection, extent: JournalExtent, rows: Iterable[tuple[Any, ...]]) -> JournalExtent:
    """Append entries (`game, at, kind, by, body`) and return the new extent. Call it in a transaction."""
    last, previous, moves, new = extent.last, extent.hash, extent.moves, []
    for row in rows:
        last += 1
        previous = hash_entry(previous, (last, *row))
        new.append((last, *row, previous))
        moves += row[2] == "move"
    db.executemany(f"INSERT INTO entry ({ENTRY_COLUMNS}, hash) VALUES (?, ?, ?, ?, ?, ?, ?)", new)
    return close_block(db, extent._replace(last=last, hash=previous, moves=moves))


def close_block(db: sqlite3.Connection, extent: JournalExtent) -> JournalExtent:
    """Close the present block if it is long enough, and return the new extent."""
    if extent.last - extent.block < MIN_BLOCK_ENTRIES:
        return extent
    found = compute_block_digest(db, extent, extent.last, extent.moves)
    db.execute("INSERT INTO block VALUES (?, ?, ?)", (extent.last, extent.moves, found))
    return extent._replace(block=extent.last, digest=found)


def compute_block_digest(db: sqlite3.Connection, previous: JournalExtent, last: int, moves: int) -> str:
    """Return the digest of a block that ends with the entry `last`. `moves` counts all moves up to there."""
    rows = f"SELECT {_HASHED_COLUMNS} AS line FROM entry WHERE id > ? AND id <= ? ORDER BY id"
    (text,) = db.execute(
        f"SELECT CAST(group_concat(line, char(30)) AS BLOB) FROM ({rows})", (previous.block, last)
    ).fetchone()
    return hashlib.sha256(f"{previous.digest} {moves} ".encode() + (text or b"")).hexdigest()[:32]


def check_integrity(db: sqlite3.Connection) -> JournalExtent:
    """Check every hash of the journal and return its extent. Raises DamagedJournal or sqlite3.Error."""
    (result,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise DamagedJournal(result)
    game = 0
    for game, begun, plan, found in db.execute("SELECT id, begun, plan, hash FROM game ORDER BY id"):
        if found != hash_entry("", (game, begun, plan)):
            raise DamagedJournal(f"game {game} has changed")
    extent = JournalExtent(game=game)
    for last, moves, found in db.execute("SELECT last, moves, digest FROM block ORDER BY last").fetchall():
        if compute_block_digest(db, extent, last, moves) != found:
            raise DamagedJournal(f"the entries up to {last} have changed")
        extent = extent._replace(block=last, digest=found, last=last, moves=moves)
    if extent.block:
        (previous,) = db.execute("SELECT hash FROM entry WHERE id = ?", (extent.block,)).fetchone()
        extent = extent._replace(hash=previous)
    for *row, found in db.execute(f"SELECT {ENTRY_COLUMNS}, hash FROM entry WHERE id > ? ORDER BY id", (extent.block,)):
        if found != hash_entry(extent.hash, row):
            raise DamagedJournal(f"entry {row[0]} has changed")
        moves = extent.moves + (row[3] == "move")
        extent = extent._replace(last=row[0], hash=found, moves=moves)
    games, played = (db.execute(q).fetchone()[0] for q in ("SELECT count(*) FROM game", "SELECT max(game) FROM entry"))
    if games != game or (played or 0) > game:
        raise DamagedJournal("a game is missing")
    return extent


def make_private(path: Path) -> None:
    """Create a file that only its owner may read, or take the rights of others from an existing one. Raises OSError.

    SQLite gives a WAL the rights of its database. Rights of another user's file are left as they are.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        path.chmod(0o600)  # whatever the umask
    except FileExistsError:  # is not opened, because closing it would drop SQLite's locks
        if path.is_file() and path.stat().st_mode & 0o077:
            with suppress(PermissionError):
                path.chmod(0o600)


_SEAL_BYTES = 96


class Seal(NamedTuple):
    """The extent that was promised last; that of a new journal by default. With `strict`, what is beyond was refused.

    `was_empty` is true for a file without content, which a power cut leaves of a seal that was not synced.
    """

    last: int = 0
    hash: str = ""
    game: int = 0
    moves: int = 0
    strict: bool = False
    was_empty: bool = False


def seal_path(journal: Path) -> Path:
    return journal.with_name(journal.name + "-seal")


def read_seal(journal: Path) -> Seal | None:
    """Return the seal of a journal; None if it is missing or unreadable."""
    try:
        text = seal_path(journal).read_text("ascii")
        if not text.strip("\0"):
            return Seal(was_empty=True)
        last, found, game, moves, strict = text.split()
        return Seal(int(last), found.strip("-"), int(game), int(moves), strict == "strict")
    except (OSError, ValueError):
        return None


def _format_seal(extent: JournalExtent, *, strict: bool = False) -> str:
    words = (extent.last, extent.hash or "-", extent.game, extent.moves, "strict" if strict else "open")
    return " ".join(map(str, words)).ljust(_SEAL_BYTES - 1) + "\n"


class SealWriter:
    """Writes the seal of an open journal."""

    def __init__(self, journal: Path, extent: JournalExtent) -> None:
        """Write the extent of the journal. A new seal is on the disk when this returns. Raises OSError."""
        path = seal_path(journal)
        make_private(path)
        if path.stat().st_size != _SEAL_BYTES:
            write_private_file(path, _format_seal(extent))
        self._file = os.open(path, os.O_RDWR)
        self.write(extent)

    def write(self, extent: JournalExtent, *, strict: bool = False) -> None:
        """Write the extent of the journal. Raises OSError."""
        os.pwrite(self._file, _format_seal(extent, strict=strict).encode(), 0)

    def close(self) -> None:
        """Close the file. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
