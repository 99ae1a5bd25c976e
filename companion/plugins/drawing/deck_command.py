"""`companion deck`: print labels for the cards, for a reader of printed codes."""

from pathlib import Path

import click

from companion.plugins.drawing import card_labels, output
from companion.plugins.drawing.template import PAPER_SIZES_MM


@click.group()
def deck() -> None:
    """Make a deck of cards for a card reader."""


@deck.command("labels")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The folder to write to; created if missing."
)
@click.option("--paper", type=click.Choice(list(PAPER_SIZES_MM)), default="a4", help="The paper of the label sheets.")
@click.option(
    "--code",
    type=click.Choice(list(card_labels.CODE_DRAWERS)),
    default="datamatrix",
    help="The kind of code on a label.",
)
def print_labels(out: Path, paper: str, code: str) -> None:
    """Print a label for each of the 52 cards: deck-labels.pdf."""
    output.require_libraries("reportlab", "ppf-datamatrix")
    for path in output.write_files(out, {"deck-labels.pdf": card_labels.card_labels_pdf(paper, code)}):
        click.echo(path)
