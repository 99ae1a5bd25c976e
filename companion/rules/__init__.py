"""The rules of all games. Pure: no time, no randomness, no devices.

Comments that mention a rule refer to the pages of the games in docs/reference/games.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.common.constants import suggest_nearest
from companion.common.errors import SettingsError
from companion.rules import cribbage, pegs_only, pursuit, shuffle
from companion.rules.baseball import game as baseball_game
from companion.rules.engine import Award, Game, History, Setup, Step, advance, apply, seat_names
from companion.rules.sackson import game as sackson_game

__all__ = [
    "GAMES",
    "Award",
    "Game",
    "History",
    "Setup",
    "Step",
    "advance",
    "all_games",
    "apply",
    "begin_game",
    "complete_options",
    "complete_setup",
    "find_game",
    "register_games",
    "seat_names",
]

GAMES: tuple[Game[Any], ...] = (
    cribbage.SIX_CARD,
    cribbage.FIVE_CARD,
    pursuit.GAME,
    baseball_game.GAME,
    sackson_game.GAME,
    shuffle.GAME,
    pegs_only.GAME,
)
"""The games that come with the companion."""
_addon_games: tuple[Game[Any], ...] = ()


def all_games() -> tuple[Game[Any], ...]:
    """Return all games: `GAMES`, then those of add-ons."""
    return GAMES + _addon_games


def register_games(others: Iterable[Game[Any]]) -> None:
    """Set the games of add-ons; replaces those registered before. Call it once, before the first game begins."""
    global _addon_games  # noqa: PLW0603 - one program has one list of games
    _addon_games = tuple(others)


def find_game(key: str) -> Game[Any]:
    """Return the game with this key. Raises SettingsError, which names the nearest key."""
    for game in all_games():
        if game.key == key:
            return game
    raise SettingsError("Unknown game: {near}.", near=suggest_nearest(key, [g.key for g in all_games()]))


def complete_options(game: Game[Any], given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of the game, given or default. Raises SettingsError, which names the nearest value."""
    for key, value in given.items():
        if not game.options:
            raise SettingsError("{title} has no options.", title=game.title)
        if key not in game.options:
            raise SettingsError(
                "{title} has no option {key}: {near}.",
                title=game.title,
                key=key[:40],
                near=suggest_nearest(key, game.options),
            )
        allowed = game.options[key]
        if value not in allowed:
            raise SettingsError(
                "The option {key} cannot be {value}: {near}.",
                key=key,
                value=value[:40],
                near=suggest_nearest(value, allowed),
            )
    return {key: given.get(key, allowed[0]) for key, allowed in game.options.items()}


def complete_setup(game: Game[Any], setup: Setup) -> Setup:
    """Return the setup with every option. Raises SettingsError for a seat number, dealer or option not allowed."""
    if setup.seats not in game.seats:
        allowed = ", ".join(map(str, game.seats))
        raise SettingsError(
            "Seats for {title}: {allowed}, not {seats}.", title=game.title, allowed=allowed, seats=setup.seats
        )
    if setup.dealer is not None and not 0 <= setup.dealer < setup.seats:
        raise SettingsError(
            "Seat {dealer} cannot deal: the seats are 0 to {last}.", dealer=setup.dealer, last=setup.seats - 1
        )
    return replace(setup, options=complete_options(game, setup.options))


def begin_game(game: Game[Any], setup: Setup) -> History[Any]:
    """Return the history of a new game, before its first move. Raises SettingsError for an invalid setup."""
    return History(game.start(complete_setup(game, setup)))
