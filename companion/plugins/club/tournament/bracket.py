"""The bracket of the playoffs: seeds, byes and matches. Pure.

Source: rule 13.2 of the American Cribbage Congress (cribbage.org): the bracket has the next power of two of places, the
highest qualifiers have byes, and the second round is complete.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.common.errors import IllegalMove

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
        total = 2 * len(places) + 1
        places = [each for n, seed in enumerate(places)
                  for each in ((total - seed, seed) if n % 2 else (seed, total - seed))]  # fmt: skip
    return places


def build_bracket(
    seeds: Sequence[str], best_of: Sequence[int], results: Mapping[tuple[int, int], Wins]
) -> list[list[PlayoffMatch]]:
    """Return the matches of all rounds with what is known of them.

    :param seeds: the qualifiers, the highest first.
    :param best_of: the games of a match by round; the last number counts for all later rounds.
    :param results: the games won in a match, by round and number, both from 1.
    """
    places = seed_places(_bracket_size(len(seeds)))
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


def _bracket_size(qualifiers: int) -> int:
    return 1 << max(1, (qualifiers - 1).bit_length())
