"""`companion backup`: copy the journal, also while a table runs."""

from pathlib import Path

import click

from companion.common.paths import config_home, data_home
from companion.journal.backup import backup_journal as copy
from companion.settings import read_settings_or_default


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def backup(file: Path, journal: Path | None, config: Path | None) -> None:
    """Copy the journal to FILE, also while a table runs. If FILE is a folder, the copy gets a dated name."""
    settings = read_settings_or_default(config or config_home() / "companion.toml")
    click.echo(copy(journal or data_home() / "journal.sqlite3", file, settings.backups))
