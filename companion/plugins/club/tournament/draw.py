"""The games of a qualifying round, the bracket of the playoffs, and the deals of a duplicate night. Pure.

In a qualifying round everybody meets different opponents and deals first in every other game. The bracket follows
rule 13.2 of the American Cribbage Congress (cribbage.org): it has the next power of two of places, the highest
qualifiers have byes, and the second round is complete.

In a duplicate night all tables play the same deals, so that luck cancels. They follow from one secret seed. Its
SHA-256 is shown before the first deal and the seed after the last, so that everybody can check that no deal was
chosen. The pack of a deal lies, like that of the daily deal, in the order of a SHA-256: of `SEED ROUND DEAL CARD`.
Players are ranked by the difference between their own spread and the mean of all who held the same cards.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from companion.common.constants import CARDS_DEALT
from companion.common.errors import IllegalMove
from companion.plugins.club.pairing import circle_rounds
from companion.rules.cards import PACK, Card


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
        ordered = [(one, two) if one is not None else (two, None) for one, two in pairs]
        ordered.sort(key=lambda pair: pair[1] is None)  # the bye has the last number and no table
        drawn += [DrawnGame(at, number, str(one), two) for number, (one, two) in enumerate(ordered, 1)]
    return drawn


def fill_byes(player: str, games: Iterable[DrawnGame], begun: Container[int]) -> list[DrawnGame]:
    """Return a game of this player in place of a bye of each round that is not in `begun`, if there is one.

    Opponents whom the player has met are left out. The player deals first in every other game.
    """
    games = [*games]
    met = {opponent for game in games if game.two and player in game[2:] for opponent in game[2:]}
    filled: list[DrawnGame] = []
    for game in games:
        if game.two or game.one in met or game.round in begun or (filled and filled[-1].round == game.round):
            continue
        met.add(game.one)
        pair = (player, game.one) if len(filled) % 2 else (game.one, player)
        filled.append(DrawnGame(game.round, game.number, *pair))
    return filled


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


Wins = tuple[int, int]


class PlayoffMatch(NamedTuple):
    """A match. A player is None until known; `is_bye` if there is only one. `wins` are games. Keys of the API."""

    round: int
    number: int
    one: str | None
    two: str | None
    best_of: int
    wins: Wins
    winner: str | None
    is_bye: bool


def seed_places(size: int) -> list[int]:
    """Return the seeds from top to foot of the bracket, as in the chart of rule 13.2. `size` is a power of 2."""
    places = [1]
    while len(places) < size:
        pairs = [(seed, 2 * len(places) + 1 - seed) for seed in places]
        places = [seed for n, pair in enumerate(pairs) for seed in (pair[::-1] if n % 2 else pair)]
    return places


def build_bracket(
    seeds: Sequence[str], best_of: Sequence[int], results: Mapping[tuple[int, int], Wins]
) -> list[list[PlayoffMatch]]:
    """Return the matches of all rounds with what is known of them.

    :param seeds: the qualifiers, the highest first.
    :param best_of: the games of a match by round; the last number counts for all later rounds.
    :param results: the games won in a match, by round and number, both from 1.
    """
    places = seed_places(1 << max(1, (len(seeds) - 1).bit_length()))
    there: list[str | None] = [seeds[seed - 1] if seed <= len(seeds) else None for seed in places]
    rounds: list[list[PlayoffMatch]] = []
    while len(there) > 1:
        at = len(rounds) + 1
        games = best_of[min(at, len(best_of)) - 1]
        row = []
        for number, (one, two) in enumerate(zip(there[::2], there[1::2], strict=True), 1):
            wins, is_bye = results.get((at, number), (0, 0)), at == 1 and (one is None or two is None)
            ahead = one if wins[0] > games // 2 else two if wins[1] > games // 2 else None
            row.append(PlayoffMatch(at, number, one, two, games, wins, (one or two) if is_bye else ahead, is_bye))
        rounds.append(row)
        there = [match.winner for match in row]
    return rounds


def check_match_result(rounds: Sequence[Sequence[PlayoffMatch]], at: int, number: int, wins: Wins) -> None:
    """Raise IllegalMove unless this may be the result of the match; (0, 0) removes it."""
    if not (1 <= at <= len(rounds) and 1 <= number <= len(rounds[at - 1])):
        raise IllegalMove("There is no such match.")
    match = rounds[at - 1][number - 1]
    if match.one is None or match.two is None:
        raise IllegalMove("The players of this match are not known yet, or it is a bye.")
    needed = match.best_of // 2 + 1
    if max(wins) > needed or min(wins) < 0 or wins == (needed, needed):
        raise IllegalMove("Best of {games}: the winner has {needed} games, the other fewer.",
                          games=match.best_of, needed=needed)  # fmt: skip
    later = rounds[at][(number - 1) // 2] if at < len(rounds) else None
    winner = match.one if wins[0] == needed else match.two if wins[1] == needed else None
    if later is not None and later.wins != (0, 0) and winner != match.winner:
        raise IllegalMove("The next match of this winner has a result already. Remove that one first.")


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
        mean = sum(result.spread for result in played) / len(played)
        for result in played:
            for player, difference in ((result.one, result.spread - mean), (result.two, mean - result.spread)):
                total = sums.setdefault(player, [0.0, 0])
                total[0] += difference
                total[1] += 1
    order = sorted(((round(total, 1), player, int(games)) for player, (total, games) in sums.items()),
                   key=lambda each: (-each[0], each[1]))  # fmt: skip
    return [
        DuplicateRow(1 + sum(row[0] > total for row in order), player, total, games) for total, player, games in order
    ]
