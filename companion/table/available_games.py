"""What can be played: every game with its seats, options and boards, and whether the attached board is one of them.

Pure but for the boards, which are read once.
"""

from functools import cache
from itertools import product
from typing import Any

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.rules import game as game_by_key
from companion.rules import games, settle_options
from companion.rules.engine import Game
from companion.settings import Settings
from companion.table.setup import default_board, plan
from companion.table.state import begin


def offer(attached: str | None = None) -> list[dict[str, Any]]:
    """Every game, ready for JSON: docs/reference/cli.md#companion-games.

    `attached` is the board that real sensors read, as `Plan.board_name`; None where any board will do.
    """
    return [_offered(game, attached) for game in games()]


def _offered(game: Game[Any], attached: str | None) -> dict[str, Any]:
    why = None if attached is None else _why_not(game, attached)
    return {
        "key": game.key,
        "title": game.title,
        "say": game.say,
        "seats": list(game.seats),
        "boards": list(_boards(game.key)),
        "playable": why is None,
        "why": why,
        "options": [
            {"key": key, "values": list(values), "default": values[0], "say": game.says.get(key, "")}
            for key, values in game.options.items()
        ],
    }


@cache
def _boards(key: str) -> tuple[str, ...]:
    """The boards on which a game can be played, that of its defaults first."""
    game = game_by_key(key)
    found = [name for name in catalog.names() if _why_not(game, name) is None]
    first = default_board(game, settle_options(game, {}))
    return tuple(sorted(found, key=lambda name: (name != first, name)))


def _why_not(game: Game[Any], board: str) -> str | None:
    """Why it cannot be played on this board: None if it can, with some number of seats and to some target."""
    why = ""
    for seats, target in product(game.seats, game.options.get("target", ("",))):
        try:
            begin(plan(game.key, seats, None, {"target": target} if target else {}, board), Settings())
        except BoardError as error:
            why = why or str(error)
        else:
            return None
    return why
