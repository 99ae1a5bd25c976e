"""The rules: which games there are, and how a move makes the next state. Pure: no time, no chance, no devices.

The rules that a comment names are those on the games' pages, docs/reference/games.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.common.constants import near
from companion.common.errors import SettingsError
from companion.rules import cribbage, pegs_only, pursuit, shuffle
from companion.rules.baseball import game as bases
from companion.rules.engine import Award, Game, History, Setup, Step, advance, apply, seat_names
from companion.rules.sackson import game as swap

__all__ = [
    "GAMES", "Award", "Game", "History", "Setup", "Step",
    "advance", "apply", "begin", "bring", "game", "games", "seat_names", "settle_options", "settled",
]  # fmt: skip

GAMES: tuple[Game[Any], ...] = (
    cribbage.SIX_CARD,
    cribbage.FIVE_CARD,
    pursuit.GAME,
    bases.GAME,
    swap.GAME,
    shuffle.GAME,
    pegs_only.GAME,
)
"""Every game that comes with the companion."""
_brought: tuple[Game[Any], ...] = ()


def games() -> tuple[Game[Any], ...]:
    """Every game there is: those of `GAMES`, then those that packs have brought."""
    return GAMES + _brought


def bring(others: Iterable[Game[Any]]) -> None:
    """Games of packs, from now on; those brought before are gone. To be called once, before anything is played."""
    global _brought  # noqa: PLW0603 - one program has one list of games
    _brought = tuple(others)


def game(key: str) -> Game[Any]:
    """The game with this key. Raises SettingsError, naming the nearest."""
    for each in games():
        if each.key == key:
            return each
    raise SettingsError("There is no game of that name: {near}.", near=near(key, [g.key for g in games()]))


def settle_options(game: Game[Any], given: Mapping[str, str]) -> dict[str, str]:
    """Every option of the game, as given or its default. Raises SettingsError, naming the nearest."""
    for key, value in given.items():
        if not game.options:
            raise SettingsError("{title} has no options.", title=game.title)
        if key not in game.options:
            raise SettingsError(
                "{title} has no option {key}: {near}.", title=game.title, key=key[:40], near=near(key, game.options)
            )
        allowed = game.options[key]
        if value not in allowed:
            raise SettingsError(
                "The option {key} cannot be {value}: {near}.", key=key, value=value[:40], near=near(value, allowed)
            )
    return {key: given.get(key, allowed[0]) for key, allowed in game.options.items()}


def settled(game: Game[Any], setup: Setup) -> Setup:
    """The setup with every option. Raises SettingsError for one the game does not know."""
    if setup.seats not in game.seats:
        allowed = [str(n) for n in game.seats]
        told = f"{', '.join(allowed[:-1])} or {allowed[-1]}" if allowed[1:] else allowed[0]
        seats = "seat" if game.seats == (1,) else "seats"
        raise SettingsError(
            "{title} is for {told} {seats}, not {seats2}.", title=game.title, told=told, seats=seats, seats2=setup.seats
        )
    if setup.dealer is not None and not 0 <= setup.dealer < setup.seats:
        raise SettingsError(
            "There is no seat {dealer} to deal: the seats are 0 to {word}.", dealer=setup.dealer, word=setup.seats - 1
        )
    return replace(setup, options=settle_options(game, setup.options))


def begin(game: Game[Any], setup: Setup) -> History[Any]:
    """The history of a game before its first move. Raises SettingsError for a setup the game does not know."""
    return History(game.start(settled(game, setup)))
