"""`companion referee`: the rules of one game, a line for a line."""

import sys
from typing import Any

import click

from companion.addons import bring_packs
from companion.commands.output import OPTION_HELP, say
from companion.protocol.json_codec import answer
from companion.rules.engine import History
from companion.settings import read_pairs
from companion.table.setup import settle


@click.command()
@click.option("--game", "key", default="six-card", help="The game's key.")
@click.option("--seats", type=int, help="How many play (2; shuffle: 1).")
@click.option("--dealer", type=int)
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
def referee(key: str, seats: int | None, dealer: int | None, pairs: tuple[str, ...]) -> None:
    """Answer each move on standard input, a JSON object a line, with one line."""
    bring_packs()
    game, setup = settle(key, seats, dealer, read_pairs(pairs, "An option"))
    past: History[Any] = History(game.start(setup))
    for line in sys.stdin.buffer:
        past, reply = answer(game, past, line)
        say(reply)
