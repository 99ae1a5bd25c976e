"""Commands for journals and recordings: backup, export, replay, trace."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import click

from companion.addons import register_addons
from companion.common.errors import JournalError
from companion.common.paths import config_home, data_home
from companion.journal.journal import Journal
from companion.journal.recovery import backup_journal
from companion.protocol.json_codec import print_json
from companion.settings import read_settings_or_default
from companion.table import players
from companion.table.export import export_csv, export_jsonl, replay_export
from companion.table.recording import run_recording


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def backup(file: Path, journal: Path | None, config: Path | None) -> None:
    """Copy the journal to FILE, also while a table runs. If FILE is a folder, the copy gets a dated name."""
    settings = read_settings_or_default(config or config_home() / "companion.toml")
    click.echo(backup_journal(journal or data_home() / "journal.sqlite3", file, settings.backups))


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


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--journal", type=click.Path(path_type=Path), help="Save the table in a new journal, this file.")
def replay(file: BinaryIO, journal: Path | None) -> None:
    """Replay FILE, an export in JSON lines, by the rules, and print its entries. `-` is standard input."""
    if journal and journal.exists():
        raise JournalError(f"The file {journal} already exists. Pass another.")
    register_addons()
    core, entries = replay_export(file, click.echo)
    if journal:
        with closing(Journal(journal)) as new:
            new.begin_game(core.plan.journal_json, players.dump_players(core.players))
            new.write(tuple(entries))


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def trace(file: BinaryIO) -> None:
    """Run the table without hardware on recorded inputs: FILE, or standard input."""
    register_addons()
    run_recording(file, print_json)
