"""`companion trace`: the whole table without hardware, on recorded inputs."""

from typing import BinaryIO

import click

from companion.addons import bring_packs
from companion.commands.output import say
from companion.table.recording import trace as run


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def trace(file: BinaryIO) -> None:
    """Run the whole table without hardware on recorded inputs: FILE, or standard input."""
    bring_packs()
    run(file, say)
