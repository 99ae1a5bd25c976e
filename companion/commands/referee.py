"""`companion referee`: apply the rules of one game to moves on standard input."""

import sys
from typing import Any

import click

from companion.addons import register_addons
from companion.protocol.json_codec import answer_referee_line
from companion.protocol.json_output import OPTION_HELP, print_json
from companion.rules.engine import History
from companion.settings import parse_pairs
from companion.table.setup import settle_setup


@click.command()
@click.option("--game", "key", default="six-card", help="The game's key.")
@click.option("--seats", type=int, help="Number of players (2; shuffle: 1).")
@click.option("--dealer", type=int)
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
def referee(key: str, seats: int | None, dealer: int | None, pairs: tuple[str, ...]) -> None:
    """Answer each line of standard input, a move as a JSON object, with one line."""
    register_addons()
    game, setup = settle_setup(key, seats, dealer, parse_pairs(pairs, "An option"))
    past: History[Any] = History(game.start(setup))
    for line in sys.stdin.buffer:
        past, reply = answer_referee_line(game, past, line)
        print_json(reply)
