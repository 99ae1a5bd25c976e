"""`companion flash`: copy the firmware to a Pico."""

import click

from companion.boards import catalog


@click.command()
@click.argument("board")
@click.option("--port", help="The Pico's port, such as /dev/ttyACM0 (the only connected Pico).")
def flash(board: str, port: str | None) -> None:
    """Copy the firmware and the board's board.json to a Pico, and start it.

    BOARD is a board's name (companion boards lists them) or a board file. The Pico needs MicroPython. Stop a companion
    that uses the board first.
    """
    from companion.devices import flash as flashing  # noqa: PLC0415 - slow, and needless for an unknown board

    layout = catalog.load_board(board)
    flashing.flash_board(port or flashing.find_port(), catalog.describe_for_firmware(layout), click.echo)
