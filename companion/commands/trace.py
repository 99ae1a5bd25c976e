"""`companion trace`: run the table without hardware on recorded inputs."""

from typing import BinaryIO

import click

from companion.addons import register_addons
from companion.protocol.json_output import print_json
from companion.table.recording import run_recording as run


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def trace(file: BinaryIO) -> None:
    """Run the table without hardware on recorded inputs: FILE, or standard input."""
    register_addons()
    run(file, print_json)
