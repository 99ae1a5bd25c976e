"""`companion boards`: list and show boards, and draw the files from which to build them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.addons import register_addons
from companion.boards import catalog
from companion.boards.board import Board
from companion.drawing import bill_of_materials, output, wiring_diagram
from companion.drawing.template import PAPER_SIZES_MM


@click.group(invoke_without_command=True)
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


def _drawing_command(draw: Callable[[Board, str], dict[str, bytes]]) -> Any:
    """Create a subcommand that writes files named after a board and prints their paths."""

    @boards.command(draw.__name__.strip("_"), help=draw.__doc__)
    @click.argument("name")
    @click.option(
        "--out", required=True, type=click.Path(path_type=Path), help="The folder to write to; created if missing."
    )
    @click.option(
        "--paper", type=click.Choice(list(PAPER_SIZES_MM)), default="a4", help="The paper of a template's sheets."
    )
    def command(name: str, out: Path, paper: str) -> None:
        board = catalog.load_board(name)
        for path in output.write_files(out, {f"{board.name}-{end}": data for end, data in draw(board, paper).items()}):
            click.echo(path)

    return command


@_drawing_command
def _template(board: Board, paper: str) -> dict[str, bytes]:
    """Draw a 1:1 template for drilling, engraving and cutting: NAME-template.pdf, .svg and .dxf."""
    output.require_libraries("reportlab", "ezdxf")
    from companion.drawing import formats, template  # noqa: PLC0415  # these need optional packages

    laid = template.build_template(board)
    return {
        "template.pdf": formats.template_pdf(laid, paper),
        "template.svg": formats.template_svg(laid),
        "template.dxf": formats.template_dxf(laid),
    }


@_drawing_command
def _parts(board: Board, _: str) -> dict[str, bytes]:
    """List the parts to buy and make: NAME-parts.csv, with prices in NAME-prices.csv."""
    rows = bill_of_materials.list_parts(board)
    return {
        "parts.csv": wiring_diagram.format_csv(bill_of_materials.COLUMNS, rows),
        "prices.csv": wiring_diagram.format_csv(bill_of_materials.PRICE_COLUMNS, bill_of_materials.add_sum(rows)),
    }


@_drawing_command
def _wiring(board: Board, _: str) -> dict[str, bytes]:
    """List the bit and pixel of each hole: NAME-wiring.csv and NAME-wiring.svg."""
    return {
        "wiring.csv": wiring_diagram.format_csv(wiring_diagram.COLUMNS, wiring_diagram.wiring_rows(board)),
        "wiring.svg": wiring_diagram.wiring_svg(board),
    }
