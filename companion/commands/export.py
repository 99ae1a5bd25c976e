"""`companion export`: a table of the journal as text, also while it is played at."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import click

from companion.addons import bring_packs
from companion.common.errors import JournalError
from companion.common.paths import data_home
from companion.journal.backup import backup
from companion.journal.journal import Journal
from companion.table.export import as_csv, jsonl

_FORMS: Mapping[str, Callable[[Journal, int], Iterator[str]]] = {"jsonl": jsonl, "csv": as_csv}


@click.command()
@click.option("--table", type=click.IntRange(1, 2**62), help="The number of the table; without it the one that is on.")
@click.option("--format", "form", type=click.Choice(list(_FORMS)), default="jsonl", help="JSON lines, or CSV (jsonl).")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
def export(table: int | None, form: str, journal: Path | None) -> None:
    """Write a table of the journal to standard output, also while it is played at."""
    bring_packs()
    with tempfile.TemporaryDirectory() as folder:
        copy = backup(journal or data_home() / "journal.sqlite3", Path(folder) / "journal.sqlite3", 1)
        with closing(Journal(copy)) as copied:
            game = table or copied.game
            if game is None or copied.plan(game) is None:
                raise JournalError(
                    f"There is no table {table} in this journal." if table else "No table was ever played."
                )
            for text in _FORMS[form](copied, game):
                click.echo(text, nl=False)
