"""`companion deck`: labels for the cards, for a reader of printed codes."""

from pathlib import Path

import click

from companion.drawing import card_labels, output
from companion.drawing.template import PAPERS


@click.group()
def deck() -> None:
    """Make a deck of cards that a reader knows."""


@deck.command("labels")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to; it is made.")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", help="The paper of the label sheets.")
@click.option(
    "--code", type=click.Choice(list(card_labels.CODES)), default="datamatrix", help="What is printed on a label."
)
def print_labels(out: Path, paper: str, code: str) -> None:
    """Print a label for each of the 52 cards: deck-labels.pdf."""
    output.need("reportlab", "ppf-datamatrix")
    for path in output.write(out, {"deck-labels.pdf": card_labels.labels_pdf(paper, code)}):
        click.echo(path)
