"""The available games with their seats, options and boards, and whether the attached board suits them.

Pure, except that board files are read once and cached.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.i18n.messages import Message, MessagePattern
from companion.rules import all_games, complete_options
from companion.rules import find_game as game_by_key
from companion.rules.engine import Game
from companion.settings import Settings
from companion.table.setup import create_plan, default_board
from companion.table.state import create_core


def list_available_games(attached: str | None = None) -> list[dict[str, Any]]:
    """Return a JSON object for every game (docs/reference/cli.md#companion-games).

    `attached` is the board that real sensors read, as `TablePlan.board_name`; None if any board can be used.
    """
    return [_describe_game(game, attached) for game in all_games()]


def _describe_game(game: Game[Any], attached: str | None) -> dict[str, Any]:
    why = None if attached is None else _reason_not_playable(game, attached)
    return {
        "key": game.key,
        "title": game.title,
        "say": game.description,
        "seats": list(game.seats),
        "boards": list(_find_playable_boards(game.key)),
        "board_titles": dict(_find_playable_boards(game.key)),
        "playable": why is None,
        "why": why,
        "options": [
            {"key": key, "values": list(values), "default": values[0], "say": game.find_option(key).description}
            for key, values in game.options.items()
        ],
    }


@cache
def _find_playable_boards(key: str) -> Mapping[str, str]:
    """Return the boards on which a game can be played, its default board first: the title of each by its name."""
    game = game_by_key(key)
    found = [name for name in catalog.list_board_names() if _reason_not_playable(game, name) is None]
    first = default_board(game, complete_options(game, {}))
    names = sorted(found, key=lambda name: (name != first, name))
    return {name: Message(MessagePattern(catalog.load_board(name).title), {}) for name in names}


def _reason_not_playable(game: Game[Any], board: str) -> str | None:
    """Return why the game cannot be played on this board; None if it can, with any number of seats and any target."""
    why = ""
    for seats, target in product(game.seats, game.options.get("target", ("",))):
        try:
            create_core(create_plan(game.key, seats, None, {"target": target} if target else {}, board), Settings())
        except BoardError as error:
            why = why or str(error)
        else:
            return None
    return why
