"""`companion boards template|parts|wiring` and `companion deck`: draw the files from which to build a board.

They are written into the given folder, each file completely or not at all.
"""

import shlex
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from companion.boards import catalog
from companion.boards.board import Board
from companion.common.errors import CompanionError
from companion.common.files import write_private_file
from companion.plugins.drawing import bill_of_materials, card_labels, wiring_diagram
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
        for path in write_files(out, {f"{board.name}-{end}": data for end, data in draw(board, paper).items()}):
            click.echo(path)

    return command


@_drawing_command
def template(board: Board, paper: str) -> dict[str, bytes]:
    """Draw a 1:1 template for drilling, engraving and cutting: NAME-template.pdf, .svg and .dxf."""
    require_libraries("reportlab", "ezdxf")
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


@click.group()
def deck() -> None:
    """Make a deck of cards for a card reader."""


@deck.command("labels")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The folder to write to; created if missing."
)
@click.option("--paper", type=click.Choice(list(PAPER_SIZES_MM)), default="a4", help="The paper of the label sheets.")
@click.option("--code", type=click.Choice(list(card_labels.CODE_DRAWERS)), default="datamatrix",
              help="The kind of code on a label.")  # fmt: skip
def print_labels(out: Path, paper: str, code: str) -> None:
    """Print a label for each of the 52 cards: deck-labels.pdf."""
    require_libraries("reportlab", "ppf-datamatrix")
    for path in write_files(out, {"deck-labels.pdf": card_labels.card_labels_pdf(paper, code)}):
        click.echo(path)


MODULES_BY_PACKAGE = {"reportlab": "reportlab", "ezdxf": "ezdxf", "ppf-datamatrix": "ppf.datamatrix"}
"""Module name by package name."""


class DrawingError(CompanionError, OSError):
    """A drawing cannot be made or written."""


def require_libraries(*libraries: str) -> None:
    """Raise DrawingError with the pip command if one of these libraries is missing."""
    missing = [name for name in libraries if not _is_installed(MODULES_BY_PACKAGE[name])]
    if missing:
        raise DrawingError(
            "A library is missing. Install it first: " + shlex.join([sys.executable, "-m", "pip", "install", *missing])
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing
        return False


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files by name into a folder, which is created if necessary. Existing files and links are replaced."""
    path = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            path = folder / name
            write_private_file(path, data, 0o666)
    except (FileExistsError, NotADirectoryError):
        raise DrawingError(f"{path} cannot be written: it is a file, not a folder.") from None
    except OSError as error:
        raise DrawingError(f"{path} cannot be written: {error.strerror}.") from None
    return [folder / name for name in files]
