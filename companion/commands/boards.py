"""Commands for boards: list them, show one, copy the firmware to its Pico."""

import json

import click

from companion.addons import register_addons
from companion.boards import catalog
from companion.cli import PluginGroup


@click.group(cls=PluginGroup, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="The names as JSON.")
@click.pass_context
def boards(ctx: click.Context, *, as_json: bool) -> None:
    """List all boards, show one, or draw the files from which to build it."""
    register_addons()
    if ctx.invoked_subcommand is None:
        names = catalog.list_board_names()
        click.echo(json.dumps(names) if as_json else "\n".join(names))


@boards.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="As JSON, like GET /api/board.")
def show(name: str, *, as_json: bool) -> None:
    """Show the holes, tracks and routes of a board."""
    board = catalog.load_board(name)
    click.echo(json.dumps(catalog.encode_board(board)) if as_json else catalog.describe_board(board))


@click.command()
@click.argument("board")
@click.option("--port", help="The Pico's port, such as /dev/ttyACM0 (the only connected Pico).")
def flash(board: str, port: str | None) -> None:
    """Copy the firmware and the board's board.json to a Pico, and start it.

    BOARD is a board's name (companion boards lists them) or a board file. The Pico needs MicroPython. Stop a companion
    that uses the board first.
    """
    from companion.devices import flash as flashing  # slow, and needless for an unknown board

    layout = catalog.load_board(board)
    flashing.flash_board(port or flashing.find_port(), catalog.describe_for_firmware(layout), click.echo)
