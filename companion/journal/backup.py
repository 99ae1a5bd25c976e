"""Back up the journal while the table runs: one consistent, checked file that can replace the journal."""

import os
import re
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from companion.common.errors import JournalError
from companion.journal import schema
from companion.journal.schema import DamagedJournal

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
        part.rename(into)
        if folder:
            for old in sorted(each for each in folder.iterdir() if _DATED_NAME.fullmatch(each.name))[:-most]:
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
