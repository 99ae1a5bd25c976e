"""`companion replay`: an export played again by the rules."""

from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import click

from companion.addons import bring_packs
from companion.common.errors import JournalError
from companion.journal.journal import Journal
from companion.table import players
from companion.table.export import replay as played


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--journal", type=click.Path(path_type=Path), help="Keep the table in a new journal, this file.")
def replay(file: BinaryIO, journal: Path | None) -> None:
    """Play FILE, an export in JSON lines, again by the rules, and print its entries. `-` is standard input."""
    if journal and journal.exists():
        raise JournalError(f"There is a file {journal} already: name another.")
    bring_packs()
    core, entries = played(file, click.echo)
    if journal:
        with closing(Journal(journal)) as new:
            new.begin(core.plan.given, players.dump(core.people))
            new.write(tuple(entries))
