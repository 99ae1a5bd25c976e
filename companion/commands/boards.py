"""`companion boards`: the boards there are, and what a maker builds them from."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.addons import bring_packs
from companion.boards import catalog
from companion.boards.board import Board
from companion.drawing import bill_of_materials, output, wiring_diagram
from companion.drawing.template import PAPERS


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def boards(ctx: click.Context, *, as_json: bool) -> None:
    """List the boards there are; show one; draw what it is built from."""
    bring_packs()
    if ctx.invoked_subcommand is None:
        names = catalog.names()
        click.echo(json.dumps(names) if as_json else "\n".join(names))


@boards.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def show(name: str, *, as_json: bool) -> None:
    """Show one board: its holes, tracks and routes."""
    board = catalog.load(name)
    click.echo(json.dumps(catalog.board_json(board)) if as_json else catalog.describe(board))


def _drawn(draw: Callable[[Board, str], dict[str, bytes]]) -> Any:
    """A command that writes files about a board, named after it, and says which."""

    @boards.command(draw.__name__.strip("_"), help=draw.__doc__)
    @click.argument("name")
    @click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to; it is made.")
    @click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", help="The paper of a template's sheets.")
    def command(name: str, out: Path, paper: str) -> None:
        board = catalog.load(name)
        for path in output.write(out, {f"{board.name}-{end}": data for end, data in draw(board, paper).items()}):
            click.echo(path)

    return command


@_drawn
def _template(board: Board, paper: str) -> dict[str, bytes]:
    """Draw where to drill, engrave and cut, at 1:1: NAME-template.pdf, .svg and .dxf."""
    output.need("reportlab", "svgwrite", "ezdxf")
    from companion.drawing import formats, template  # noqa: PLC0415  # only they need libraries

    laid = template.plan(board)
    return {
        "template.pdf": formats.template_pdf(laid, paper),
        "template.svg": formats.template_svg(laid),
        "template.dxf": formats.template_dxf(laid),
    }


@_drawn
def _parts(board: Board, _: str) -> dict[str, bytes]:
    """List what to buy and make: NAME-parts.csv."""
    return {"parts.csv": wiring_diagram.as_csv(bill_of_materials.COLUMNS, bill_of_materials.rows(board))}


@_drawn
def _wiring(board: Board, _: str) -> dict[str, bytes]:
    """Tell which hole is which bit and pixel: NAME-wiring.csv and NAME-wiring.svg."""
    output.need("svgwrite")
    return {
        "wiring.csv": wiring_diagram.as_csv(wiring_diagram.COLUMNS, wiring_diagram.rows(board)),
        "wiring.svg": wiring_diagram.wiring_svg(board),
    }
