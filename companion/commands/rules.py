"""Commands that ask the rules and the coach: score a hand, advise, referee moves, list the games.

Each imports only what it needs, so that `score` answers at once.
"""

import gc
import sys
from typing import Any

import click

from companion.addons import register_addons
from companion.commands import OPTION_HELP
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import BadCard, CompanionError
from companion.protocol.json_codec import answer_referee_line, parse_json, print_json, to_json_value
from companion.rules import cards as pack
from companion.rules import narration, scoring
from companion.rules.engine import History
from companion.settings import parse_pairs


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


@click.command()
@click.option("--level", type=click.Choice(SKILL_LEVELS), default=SKILL_LEVELS[-1], help="Skill level (expert).")
@click.option("--seed", type=int, default=0, help="Random seed for the errors of novice and club (0).")
def advise(level: str, seed: int) -> None:
    """Answer each line of standard input, a question as a JSON object, with one line."""
    from companion.coach.advise import answer_question

    gc.disable()  # the caches have no cycles, and a collection would delay an answer by 0.1 s
    for line in sys.stdin.buffer:
        try:
            answer = answer_question(parse_json(line), level, seed)
        except CompanionError as refusal:
            answer = {"ok": False, "error": str(refusal)}
        print_json(answer)


@click.command()
@click.option("--game", "key", default="six-card", help="The game's key.")
@click.option("--seats", type=int, help="Number of players (2; shuffle: 1).")
@click.option("--dealer", type=int, help="The seat of the first dealer (0; bases: by dice).")
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
def referee(key: str, seats: int | None, dealer: int | None, pairs: tuple[str, ...]) -> None:
    """Answer each line of standard input, a move as a JSON object, with one line."""
    from companion.table.setup import settle_setup

    register_addons()
    game, setup = settle_setup(key, seats, dealer, parse_pairs(pairs, "An option"))
    past: History[Any] = History(game.start(setup))
    for line in sys.stdin.buffer:
        past, reply = answer_referee_line(game, past, line)
        print_json(reply)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, like GET /api/games.")
def games(*, as_json: bool) -> None:
    """List all games with their seats, boards and options."""
    from companion.table.available_games import list_available_games

    register_addons()
    offered = list_available_games()
    if as_json:
        print_json({"games": offered})
    else:
        click.echo("\n\n".join(_describe_game(game) for game in offered))


def _describe_game(game: dict[str, Any]) -> str:
    lines = (
        [f"{game['key']}: {game['title']}", f"  {game['say']}"] if game["say"] else [f"{game['key']}: {game['title']}"]
    )
    lines += [f"  --seats {' or '.join(map(str, game['seats']))}", f"  --board {', '.join(game['boards'])}"]
    for option in game["options"]:
        values = "|".join(option["values"])
        lines.append(f"  --option {option['key']}={values}")
        lines += [f"      {option['say']}"] if option["say"] else []
    return "\n".join(lines)
