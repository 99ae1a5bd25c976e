"""`companion export`: write a table of the journal as text, also while it is played."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import click

from companion.addons import register_addons
from companion.common.errors import JournalError
from companion.common.paths import data_home
from companion.journal.backup import backup_journal
from companion.journal.journal import Journal
from companion.table.export import export_csv, export_jsonl

_FORMATS: Mapping[str, Callable[[Journal, int], Iterator[str]]] = {"jsonl": export_jsonl, "csv": export_csv}


@click.command()
@click.option("--table", type=click.IntRange(1, 2**62), help="The number of the table (the current one).")
@click.option(
    "--format", "form", type=click.Choice(list(_FORMATS)), default="jsonl", help="JSON lines, or CSV (jsonl)."
)
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
def export(table: int | None, form: str, journal: Path | None) -> None:
    """Write a table of the journal to standard output, also while it is played."""
    register_addons()
    with tempfile.TemporaryDirectory() as folder:
        copy = backup_journal(journal or data_home() / "journal.sqlite3", Path(folder) / "journal.sqlite3", 1)
        with closing(Journal(copy)) as copied:
            game = table or copied.game_id
            if game is None or copied.load_plan(game) is None:
                raise JournalError(f"This journal has no table {table}." if table else "This journal has no table yet.")
            for text in _FORMATS[form](copied, game):
                click.echo(text, nl=False)
