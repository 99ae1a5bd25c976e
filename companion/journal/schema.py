"""The journal's file: its tables, its version, and the chain of hashes that shows what is missing or changed.

Each entry has a hash of itself and the one before. Every 1,000 entries a block has a digest of all of them, so that
SQLite and one hash check a long journal at a start, not a loop. docs/reference/journal.md has the tables.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import JournalError

APPLICATION = 0x43524942
"""`application_id` of the file: "CRIB"."""
VERSION = 3
"""`user_version` of the file. Version 1 had neither number, and no hashes; 2 could not tell which game is on."""
BLOCK = 1000
"""So many entries, at least, have a digest in common."""

_V1 = (
    """CREATE TABLE game (id INTEGER PRIMARY KEY, begun TEXT DEFAULT CURRENT_TIMESTAMP,
                          plan TEXT NOT NULL, pegs TEXT)""",
    """CREATE TABLE entry (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, at TEXT
                           DEFAULT CURRENT_TIMESTAMP, kind TEXT NOT NULL, by TEXT NOT NULL, body TEXT NOT NULL)""",
    "CREATE INDEX entry_of_game ON entry (game, id)",
)
_V2 = (
    "ALTER TABLE game ADD COLUMN hash TEXT",
    "ALTER TABLE entry ADD COLUMN hash TEXT",
    "CREATE TABLE block (last INTEGER PRIMARY KEY, moves INTEGER NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE checkpoint (entry INTEGER PRIMARY KEY, game INTEGER NOT NULL, body BLOB NOT NULL)",
    "CREATE INDEX checkpoint_of_game ON checkpoint (game, entry)",
    "CREATE TABLE whole (entry INTEGER NOT NULL)",
)
_V3 = (
    "ALTER TABLE game ADD COLUMN players TEXT",
    "CREATE TABLE present (game INTEGER NOT NULL)",
)
ROW = "id, game, at, kind, by, body"
_LINE = " || char(31) || ".join(["id", "game", "at", "kind", "by", "body", "hash"])


class Damaged(Exception):
    """The file is not as it was written. The message says what is wrong."""


class Reached(NamedTuple):
    """How far a journal goes: its last entry and that one's hash, the last block, all its moves, its last game."""

    last: int = 0
    hash: str = ""
    block: int = 0
    digest: str = ""
    moves: int = 0
    game: int = 0


def link(before: str, row: Iterable[object]) -> str:
    """The hash of an entry (`id, game, at, kind, by, body`) that follows the one with the hash `before`."""
    return hashlib.sha256("\x1f".join((before, *map(str, row))).encode()).hexdigest()[:32]


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file, bring those of an older one up to date. Raises JournalError for another's."""
    application, version = (db.execute(f"PRAGMA {each}").fetchone()[0] for each in ("application_id", "user_version"))
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    unmarked = application == 0 and version == 0 and tables in (set(), {"game", "entry"})
    if application != APPLICATION and not unmarked:
        raise JournalError(f"The file {path} is another program's: name another journal with --journal.")
    if version > VERSION:
        raise JournalError(
            f"The journal {path} was written by a newer companion (its version is {version}, this program knows "
            f"{VERSION}): update the companion, or name another journal with --journal."
        )
    if version < VERSION:
        db.execute("BEGIN IMMEDIATE")
        if unmarked:
            for each in (() if tables else _V1) + _V2:
                db.execute(each)
            chain(db)
            db.execute("INSERT INTO whole SELECT coalesce(max(id), 0) FROM entry")
            db.execute(f"PRAGMA application_id = {APPLICATION}")
        for each in _V3:
            db.execute(each)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")


def chain(db: sqlite3.Connection) -> None:
    """Write the hashes of a file that has none."""
    games = db.execute("SELECT id, begun, plan FROM game").fetchall()
    db.executemany("UPDATE game SET hash = ? WHERE id = ?", [(link("", game), game[0]) for game in games])
    reached = Reached()
    while rows := db.execute(
        f"SELECT {ROW} FROM entry WHERE id > ? ORDER BY id LIMIT 1000", (reached.last,)
    ).fetchall():
        before, hashes = reached.hash, []
        for row in rows:
            before = link(before, row)
            hashes.append((before, row[0]))
        db.executemany("UPDATE entry SET hash = ? WHERE id = ?", hashes)
        moves = reached.moves + sum(row[3] == "move" for row in rows)
        reached = close_block(db, reached._replace(last=rows[-1][0], hash=before, moves=moves))


def append(db: sqlite3.Connection, reached: Reached, rows: Iterable[tuple[Any, ...]]) -> Reached:
    """Write entries (`game, at, kind, by, body`) behind the last; how far the journal then goes. In a transaction."""
    last, before, moves, new = reached.last, reached.hash, reached.moves, []
    for row in rows:
        last += 1
        before = link(before, (last, *row))
        new.append((last, *row, before))
        moves += row[2] == "move"
    db.executemany(f"INSERT INTO entry ({ROW}, hash) VALUES (?, ?, ?, ?, ?, ?, ?)", new)
    return close_block(db, reached._replace(last=last, hash=before, moves=moves))


def close_block(db: sqlite3.Connection, reached: Reached) -> Reached:
    """End a block, where it has become long enough."""
    if reached.last - reached.block < BLOCK:
        return reached
    found = digest(db, reached, reached.last, reached.moves)
    db.execute("INSERT INTO block VALUES (?, ?, ?)", (reached.last, reached.moves, found))
    return reached._replace(block=reached.last, digest=found)


def digest(db: sqlite3.Connection, before: Reached, last: int, moves: int) -> str:
    """The digest of a block that ends with the entry `last`; so many moves are in the journal up to there."""
    rows = f"SELECT {_LINE} AS line FROM entry WHERE id > ? AND id <= ? ORDER BY id"
    (text,) = db.execute(
        f"SELECT CAST(group_concat(line, char(30)) AS BLOB) FROM ({rows})", (before.block, last)
    ).fetchone()
    return hashlib.sha256(f"{before.digest} {moves} ".encode() + (text or b"")).hexdigest()[:32]


def check(db: sqlite3.Connection) -> Reached:
    """How far a journal goes of which every byte that matters is as it was written. Raises Damaged, or of SQLite."""
    (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        raise Damaged(said)
    game = 0
    for game, begun, plan, found in db.execute("SELECT id, begun, plan, hash FROM game ORDER BY id"):
        if found != link("", (game, begun, plan)):
            raise Damaged(f"game {game} has changed")
    reached = Reached(game=game)
    for last, moves, found in db.execute("SELECT last, moves, digest FROM block ORDER BY last").fetchall():
        if digest(db, reached, last, moves) != found:
            raise Damaged(f"the entries up to {last} have changed")
        reached = reached._replace(block=last, digest=found, last=last, moves=moves)
    if reached.block:
        (before,) = db.execute("SELECT hash FROM entry WHERE id = ?", (reached.block,)).fetchone()
        reached = reached._replace(hash=before)
    for *row, found in db.execute(f"SELECT {ROW}, hash FROM entry WHERE id > ? ORDER BY id", (reached.block,)):
        if found != link(reached.hash, row):
            raise Damaged(f"entry {row[0]} has changed")
        moves = reached.moves + (row[3] == "move")
        reached = reached._replace(last=row[0], hash=found, moves=moves)
    games, played = (db.execute(q).fetchone()[0] for q in ("SELECT count(*) FROM game", "SELECT max(game) FROM entry"))
    if games != game or (played or 0) > game:
        raise Damaged("a game is missing")
    return reached


_LENGTH = 96


class Seal(NamedTuple):
    """What was promised last. `strict`: whatever the journal has beyond it was refused."""

    last: int
    hash: str
    game: int
    moves: int
    strict: bool


def path_of(journal: Path) -> Path:
    """Where a journal's seal lies."""
    return journal.with_name(journal.name + "-seal")


def read(journal: Path) -> Seal | None:
    """The seal of a journal; None where there is none, or none that can be read."""
    try:
        last, found, game, moves, strict = path_of(journal).read_text("ascii").split()
        return Seal(int(last), found.strip("-"), int(game), int(moves), strict == "strict")
    except (OSError, ValueError):
        return None


class Sealing:
    """The seal of a journal that is open."""

    def __init__(self, journal: Path) -> None:
        self._file = os.open(path_of(journal), os.O_RDWR | os.O_CREAT, 0o644)

    def write(self, reached: Reached, *, strict: bool = False) -> None:
        """Tell how far the journal goes. Raises OSError."""
        words = (reached.last, reached.hash or "-", reached.game, reached.moves, "strict" if strict else "open")
        os.pwrite(self._file, " ".join(map(str, words)).ljust(_LENGTH - 1).encode() + b"\n", 0)

    def close(self) -> None:
        """Close the file. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
