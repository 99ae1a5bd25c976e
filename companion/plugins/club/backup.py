"""Copies the archive's SQLite database while the archive runs. The file alone lacks the moves that are in its WAL."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.common.errors import SettingsError
from companion.journal.schema import make_private
from companion.plugins.club.database import DatabaseError, sqlite_path


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
        part.rename(to)
    except (sqlite3.Error, OSError) as error:
        raise DatabaseError("The store could not be copied: {why}.", why=str(error)) from error
    finally:
        part.unlink(missing_ok=True)
    return to
