"""A duplicate night: all tables play the same deals, so that luck cancels. Pure.

The deals of a night follow from one secret seed. Its SHA-256 is shown before the first deal and the seed after the
last, so that everybody can check that no deal was chosen. The pack of a deal lies, like that of the daily deal, in the
order of a SHA-256: of `SEED ROUND DEAL CARD`. Players are ranked by the difference between their own spread and the
mean of all who held the same cards.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from companion.common.constants import CARDS_DEALT
from companion.rules.cards import PACK, Card


class DuplicateDeal(NamedTuple):
    """A deal: the cards of the seat that dealt first in the game, of the other seat, and the starter."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    starter: Card


class DuplicateResult(NamedTuple):
    """The result of a game: `one` dealt first and won by `spread`, or lost if it is negative."""

    round: int
    one: str
    two: str
    spread: int


class DuplicateRow(NamedTuple):
    """The standing of a player: the sum of the differences to the mean, and the number of games. Keys of the API."""

    rank: int
    player: str
    difference: float
    games: int


def commit_seed(seed: str) -> str:
    """Return what is shown of a seed before the night."""
    return sha256(seed.encode("ascii")).hexdigest()


def deal_duplicate(seed: str, at: int, deal: int) -> DuplicateDeal:
    """Return a deal of a round, both from 1. The seat that dealt first in the game has the first hand."""
    size = CARDS_DEALT["six-card"]
    pack = sorted(PACK, key=lambda card: sha256(f"{seed} {at} {deal} {card}".encode("ascii")).digest())
    first, second = tuple(sorted(pack[:size])), tuple(sorted(pack[size : 2 * size]))
    return DuplicateDeal((first, second), pack[2 * size])


def rank_duplicate(results: Iterable[DuplicateResult]) -> list[DuplicateRow]:
    """Return the ranking: each game counts by its difference to the mean of its round, for the same seat."""
    by_round: dict[int, list[DuplicateResult]] = {}
    for result in results:
        by_round.setdefault(result.round, []).append(result)
    sums: dict[str, list[float]] = {}
    for played in by_round.values():
        mean = sum(each.spread for each in played) / len(played)
        for each in played:
            for player, difference in ((each.one, each.spread - mean), (each.two, mean - each.spread)):
                total = sums.setdefault(player, [0.0, 0])
                total[0] += difference
                total[1] += 1
    order = sorted(((round(total, 1), player, int(games)) for player, (total, games) in sums.items()),
                   key=lambda each: (-each[0], each[1]))  # fmt: skip
    return [
        DuplicateRow(1 + sum(other[0] > total for other in order), player, total, games)
        for total, player, games in order
    ]
