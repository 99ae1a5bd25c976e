"""A copy of the journal while the table runs: of one moment, checked, one file that can be put in its place."""

import os
import re
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from companion.common.errors import JournalError
from companion.journal import schema
from companion.journal.schema import Damaged

_DATED = re.compile(r"journal-\d{8}-\d{6}\.sqlite3")


def backup(journal: Path, to: Path, most: int) -> Path:
    """Copy the journal to a file that is not there yet, or under a dated name into a folder. Gives the file.

    A folder keeps its `most` newest dated copies. Raises JournalError.
    """
    folder = to if to.is_dir() else None
    into = folder / f"journal-{datetime.now():%Y%m%d-%H%M%S}.sqlite3" if folder else to
    if into.exists():
        raise JournalError(f"There is a file {into} already: name another.")
    if not journal.is_file():
        raise JournalError(f"There is no journal {journal}: name it with --journal.")
    part = into.with_name(into.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _copy(journal, part)
        part.rename(into)
        if folder:
            for old in sorted(each for each in folder.iterdir() if _DATED.fullmatch(each.name))[:-most]:
                old.unlink()
    except (sqlite3.Error, Damaged, OSError) as error:
        raise JournalError(f"The journal {journal} could not be copied to {into}: {error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return into


def _copy(journal: Path, part: Path) -> None:
    """The copy is marked as whole, for it has no seal beside it; it is on the disk when this returns."""
    with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=rw", uri=True, timeout=10)) as db:
        db.execute("VACUUM INTO ?", (str(part),))
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        schema.prepare(copy, journal)
        copy.execute("UPDATE whole SET entry = (SELECT coalesce(max(id), 0) FROM entry)")
        schema.check(copy)
    with part.open("rb+") as file:
        os.fsync(file.fileno())
