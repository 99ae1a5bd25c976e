"""`companion score`: count a hand in the words of players."""

import click

from companion.common.errors import BadCard
from companion.protocol.json_codec import to_json_value
from companion.protocol.json_output import print_json
from companion.rules import cards as pack
from companion.rules import narration, scoring


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--starter", required=True, help="The starter, such as 5D.")
@click.option("--crib", is_flag=True, help="The cards are the crib: a flush needs all five.")
@click.option("--five-card", is_flag=True, help="A hand of three (five-card cribbage).")
@click.option("--json", "as_json", is_flag=True, help="The items as JSON.")
def score(cards: tuple[str, ...], starter: str, *, crib: bool, five_card: bool, as_json: bool) -> None:
    """Count a hand: CARDS with the starter."""
    hand, (starter_card, *more) = pack.parse_typed_cards(" ".join(cards)), pack.parse_typed_cards(starter) or (None,)
    if starter_card is None or more:
        raise BadCard("The starter must be one card, such as 5D.")
    items = scoring.itemize_hand(hand, starter_card, crib=crib, is_five_card=five_card)
    if as_json:
        print_json({"total": scoring.sum_points(items), "items": to_json_value(items)})
    else:
        click.echo(narration.describe_count(items).capitalize() + ".")
