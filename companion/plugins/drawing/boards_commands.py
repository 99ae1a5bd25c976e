"""`companion boards template|parts|wiring`: draw the files from which to build a board."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.boards import catalog
from companion.boards.board import Board
from companion.plugins.drawing import bill_of_materials, output, wiring_diagram
from companion.plugins.drawing.template import PAPER_SIZES_MM


def _drawing_command(draw: Callable[[Board, str], dict[str, bytes]]) -> Any:
    """Create a subcommand that writes files named after a board and prints their paths."""

    @click.command(draw.__name__.strip("_"), help=draw.__doc__)
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
def template(board: Board, paper: str) -> dict[str, bytes]:
    """Draw a 1:1 template for drilling, engraving and cutting: NAME-template.pdf, .svg and .dxf."""
    output.require_libraries("reportlab", "ezdxf")
    from companion.plugins.drawing import formats, template  # these need optional packages

    laid = template.build_template(board)
    return {
        "template.pdf": formats.template_pdf(laid, paper),
        "template.svg": formats.template_svg(laid),
        "template.dxf": formats.template_dxf(laid),
    }


@_drawing_command
def parts(board: Board, _: str) -> dict[str, bytes]:
    """List the parts to buy and make: NAME-parts.csv, with prices in NAME-prices.csv."""
    rows = bill_of_materials.list_parts(board)
    return {
        "parts.csv": wiring_diagram.format_csv(bill_of_materials.COLUMNS, rows),
        "prices.csv": wiring_diagram.format_csv(bill_of_materials.PRICE_COLUMNS, bill_of_materials.add_sum(rows)),
    }


@_drawing_command
def wiring(board: Board, _: str) -> dict[str, bytes]:
    """List the bit and pixel of each hole: NAME-wiring.csv and NAME-wiring.svg."""
    return {
        "wiring.csv": wiring_diagram.format_csv(wiring_diagram.COLUMNS, wiring_diagram.wiring_rows(board)),
        "wiring.svg": wiring_diagram.wiring_svg(board),
    }
