"""`companion replay`: replay an export by the rules."""

from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import click

from companion.addons import register_addons
from companion.common.errors import JournalError
from companion.journal.journal import Journal
from companion.table import players
from companion.table.export import replay_export as played


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--journal", type=click.Path(path_type=Path), help="Save the table in a new journal, this file.")
def replay(file: BinaryIO, journal: Path | None) -> None:
    """Replay FILE, an export in JSON lines, by the rules, and print its entries. `-` is standard input."""
    if journal and journal.exists():
        raise JournalError(f"The file {journal} already exists. Pass another.")
    register_addons()
    core, entries = played(file, click.echo)
    if journal:
        with closing(Journal(journal)) as new:
            new.begin_game(core.plan.journal_json, players.dump_players(core.players))
            new.write(tuple(entries))
