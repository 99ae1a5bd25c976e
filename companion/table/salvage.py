"""A damaged journal: the file is kept under a dated name, and what can be read of it goes on in a new one.

A game is read up to its first entry that is missing or changed: what came after it cannot be made again by the rules.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.table import ledger
from companion.table.ledger import Reached, link

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
        ledger.prepare(fresh, new)
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
            reached = ledger.append(fresh, reached, [row[1:-1]])


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
                f"SELECT {ledger.ROW}, hash FROM entry WHERE id BETWEEN ? AND ? ORDER BY id", (first, end)
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
