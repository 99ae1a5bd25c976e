"""`companion flash`: the board's program, put on a Pico."""

import click

from companion.boards import catalog
from companion.boards.wiring import board_file


@click.command()
@click.argument("board")
@click.option("--port", help="The Pico's port, such as /dev/ttyACM0; without it the one Pico that is plugged in.")
def flash(board: str, port: str | None) -> None:
    """Put the board's program and its board.json on a Pico.

    BOARD is a board's name (companion boards lists them) or a board file. The Pico needs MicroPython on it. What runs
    there is asked to end, and started again in its new version; a companion that plays with it must be stopped first.
    """
    from companion.devices import flash as flashing  # noqa: PLC0415 - a board that does not exist is said at once

    made = catalog.load(board)
    wired = board_file(made.name, [hole.id for hole in made.holes], made.wiring)
    flashing.flash(port or flashing.find_port(), wired, click.echo)
