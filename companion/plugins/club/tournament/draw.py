"""The games of a qualifying round: everybody meets different opponents and deals first in every other game. Pure."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.common.errors import IllegalMove
from companion.plugins.club.pairing import circle_rounds


class DrawnGame(NamedTuple):
    """A game of the qualifying round. `one` deals first; `two` is None for a bye. `number` counts from 1 in a round."""

    round: int
    number: int
    one: str
    two: str | None


def draw_qualifying_round(players: Sequence[str], games: int) -> list[DrawnGame]:
    """Return the games of all rounds, without repeated opponents. With an odd number one player a round has a bye.

    If there are enough players, one half keeps its tables and the other moves up one table after each round; both
    halves deal first in turn. No player has two byes. Otherwise the rounds are those of the circle method, in which the
    first deals of a player differ from the others by one at most. Raises IllegalMove if no such rounds exist.
    """
    if len(players) < 2 or not 1 <= games <= len(players) - 1 + len(players) % 2:
        raise IllegalMove("{players} players can play at most {most} games against different opponents.",
                          players=len(players), most=max(0, len(players) - 1 + len(players) % 2))  # fmt: skip
    rounds = _draw_halves(players, games) if games <= len(players) // 2 else _draw_circle(players, games)
    drawn = []
    for at, pairs in enumerate(rounds, 1):
        found = [(one, two) if one is not None else (two, None) for one, two in pairs]
        found.sort(key=lambda pair: pair[1] is None)  # the bye has the last number and no table
        drawn += [DrawnGame(at, number, str(one), two) for number, (one, two) in enumerate(found, 1)]
    return drawn


def fill_byes(player: str, games: Iterable[DrawnGame], begun: Container[int]) -> list[DrawnGame]:
    """Return a game of this player in place of a bye of each round that is not in `begun`, if there is one.

    Opponents whom the player has met are left out. The player deals first in every other game.
    """
    games = [*games]
    met = {each for game in games if game.two and player in game[2:] for each in game[2:]}
    found: list[DrawnGame] = []
    for game in games:
        if game.two or game.one in met or game.round in begun or (found and found[-1].round == game.round):
            continue
        met.add(game.one)
        pair = (player, game.one) if len(found) % 2 else (game.one, player)
        found.append(DrawnGame(game.round, game.number, *pair))
    return found


def find_table(number: int, tables: int) -> tuple[int, int]:
    """Return the table of a game and its sitting, both from 1. With fewer tables than games a round has sittings."""
    sitting, table = divmod(number - 1, tables)
    return table + 1, sitting + 1


Pairs = list[tuple[str | None, str | None]]


def _draw_halves(players: Sequence[str], games: int) -> Iterator[Pairs]:
    half = len(players) - len(players) // 2
    staying, moving = players[:half], [*players[half:], None][:half]
    for at in range(games):
        pairs = [(one, moving[(n + at) % half]) for n, one in enumerate(staying)]
        yield [(two, one) for one, two in pairs] if at % 2 else [*pairs]


def _draw_circle(players: Sequence[str], games: int) -> Iterator[Pairs]:
    seats = ["", *players] if len(players) % 2 else players  # the place that stays is the bye
    for at, pairs in zip(range(games), circle_rounds(seats), strict=False):
        yield [(two or None, one or None) if (n or at) % 2 else (one or None, two or None)
               for n, (one, two) in enumerate(pairs)]  # fmt: skip
