"""`companion boards`: list and show boards, and draw the files from which to build them."""

import json

import click

from companion.addons import register_addons
from companion.boards import catalog
from companion.commands.groups import PluginGroup


@click.group(cls=PluginGroup, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def boards(ctx: click.Context, *, as_json: bool) -> None:
    """List all boards, show one, or draw the files from which to build it."""
    register_addons()
    if ctx.invoked_subcommand is None:
        names = catalog.list_board_names()
        click.echo(json.dumps(names) if as_json else "\n".join(names))


@boards.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def show(name: str, *, as_json: bool) -> None:
    """Show the holes, tracks and routes of a board."""
    board = catalog.load_board(name)
    click.echo(json.dumps(catalog.encode_board(board)) if as_json else catalog.describe_board(board))
