"""`companion score`: a hand, counted as players say it."""

import click

from companion.commands.output import say
from companion.common.errors import BadCard
from companion.protocol.json_codec import plain
from companion.rules import cards as pack
from companion.rules import narration, scoring


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--starter", required=True, help="The starter, such as 5D.")
@click.option("--crib", is_flag=True, help="The cards are the crib: a flush needs all five.")
@click.option("--five-card", is_flag=True, help="A hand of three (five-card cribbage).")
@click.option("--json", "as_json", is_flag=True, help="The items as JSON.")
def score(cards: tuple[str, ...], starter: str, *, crib: bool, five_card: bool, as_json: bool) -> None:
    """Count a hand: the CARDS with the starter."""
    held, (cut, *more) = pack.typed(" ".join(cards)), pack.typed(starter) or (None,)
    if cut is None or more:
        raise BadCard("The starter is one card, such as 5D.")
    items = scoring.items(held, cut, crib=crib, five=five_card)
    if as_json:
        say({"total": scoring.total(items), "items": plain(items)})
    else:
        click.echo(narration.count(items).capitalize() + ".")
