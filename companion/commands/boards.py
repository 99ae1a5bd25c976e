"""`companion boards`: the boards there are."""

import json

import click

from companion.board.shape import layout


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def boards(ctx: click.Context, *, as_json: bool) -> None:
    """List the boards there are."""
    if ctx.invoked_subcommand is None:
        names = layout.names()
        click.echo(json.dumps(names) if as_json else "\n".join(names))


@boards.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def show(name: str, *, as_json: bool) -> None:
    """Show one board: its holes, tracks and routes."""
    board = layout.load(name)
    click.echo(json.dumps(layout.board_json(board)) if as_json else layout.describe(board))
