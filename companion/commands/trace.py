"""`companion trace`: the whole table without hardware, on recorded inputs."""

from typing import BinaryIO

import click

from companion.commands.bringing import bring_packs
from companion.commands.saying import say
from companion.table.trace import trace as run


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def trace(file: BinaryIO) -> None:
    """Run the whole table without hardware on recorded inputs: FILE, or standard input."""
    bring_packs()
    run(file, say)
