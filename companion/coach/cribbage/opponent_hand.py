"""Estimate the opponent's hand: all hands that fit what was seen, weighted as a good player would hold them. Pure.

A good player keeps some hands more often than others (`CribbageTables.keep_rates`), seldom plays another card than the
rollout policy, and says go only when no card fits.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import HAND_NUMBERS, HANDS, RANK_BITS, RANK_VALUES, PlayState, Ranks, state_after
from companion.coach.cribbage.rollout import NO_CARD, choose_rank
from companion.rules.play import MAX_COUNT

_WAYS_TO_HOLD = tuple(tuple(1 if n == 0 else 0 if n > have else (1, have, have * (have - 1) // 2, 4, 1)[n]
              for n in range(5)) for have in range(5))  # fmt: skip
EXPECTED_PLAY_CHANCE = 0.5
"""Probability that the opponent plays the card of the rollout policy because of it, and not at random: two of three
cards of the expert are those of the policy."""

WeightedHand = tuple[Ranks, Ranks, float]
"""The whole hand, the cards that are left of it, and its weight."""


class OpponentDecision(NamedTuple):
    """What the opponent did on a turn: a rank, or None for go."""

    at: PlayState
    others: int
    rank: int | None
    cards_played: int
    """Number of cards that the opponent had played before."""


def weigh_hands(
    played: Ranks, unseen: Sequence[int], game_tables: tables.CribbageTables, who: int
) -> list[WeightedHand]:
    """Return every hand that contains the ranks `played`, with its weight if `unseen` cards of each rank are left."""
    ways_left = [ways for left in unseen for ways in _WAYS_TO_HOLD[left]]
    found = []
    for hand, rest, rate, parts in _hands_containing(played, game_tables, who):
        weight = rate
        for part in parts:
            weight *= ways_left[part]
        if weight:
            found.append((hand, rest, weight))
    return found


@lru_cache(maxsize=128)
def _hands_containing(
    played: Ranks, game_tables: tables.CribbageTables, who: int
) -> list[tuple[Ranks, Ranks, float, tuple[int, ...]]]:
    """Return the hands with these ranks: hand, rest, rate at which it is kept, and its ranks with their counts."""
    found = []
    for rest, number in _numbers_with(played, game_tables.hand_size - len(played)).items():
        hand = HANDS[number]  # one object for equal hands: copies would take megabytes
        rate = game_tables.keep_rates[who][game_tables.hand_index[hand]]
        if rate:
            found.append((hand, rest, rate, _rank_counts(hand)))
    return found


@cache
def _rank_counts(hand: Ranks) -> tuple[int, ...]:
    """Return the ranks of the hand with their counts: five times the rank, plus the count."""
    return tuple(5 * rank + hand.count(rank) for rank in sorted(set(hand)))


def weigh_by_decisions(
    held: Sequence[WeightedHand], decisions: Sequence[OpponentDecision], played: Sequence[int]
) -> list[WeightedHand]:
    """Return the hands with weights adjusted for the opponent's decisions.

    `played` are the opponent's cards in order.
    """
    if not decisions or not held:
        return list(held)
    size = len(held[0][1])
    steps = [
        (at.number, others, rank_played, _numbers_with(tuple(sorted(played[cards_played:])), size), _fitting_ranks(at))
        for at, others, rank_played, cards_played in decisions
    ]
    found = []
    for whole, rest, start in held:
        weight = start
        for at, others, rank_played, numbers, fits in steps:
            hand = numbers[rest]
            chosen = choose_rank(at, hand, others)
            if (rank_played is None) != (chosen == NO_CARD):
                weight = 0.0
                break
            if rank_played is not None:
                expected = EXPECTED_PLAY_CHANCE if chosen == rank_played else 0
                weight *= (1 - EXPECTED_PLAY_CHANCE) / (RANK_BITS[hand] & fits).bit_count() + expected
        if weight:
            found.append((whole, rest, weight))
    return found


@cache
def _numbers_with(cards: Ranks, size: int) -> dict[Ranks, int]:
    """Return, for each `size` cards, the number of the hand of these and `cards`."""
    return {
        rest: HAND_NUMBERS[tuple(sorted((*cards, *rest)))] for rest in combinations_with_replacement(range(13), size)
    }


def _fitting_ranks(at: PlayState) -> int:
    return sum(1 << rank for rank, value in enumerate(RANK_VALUES) if at.count + value <= MAX_COUNT)


def sample_hands(held: Sequence[WeightedHand], most: int) -> list[WeightedHand]:
    """Return at most `most` hands that represent all, at even steps through the sum of weights."""
    if len(held) <= most:
        return list(held)
    sums = list(accumulate([weight for _, _, weight in held]))
    step = sums[-1] / most
    shares = Counter(bisect_left(sums, (n + 0.5) * step) for n in range(most))
    return [(*held[place][:2], step * times) for place, times in shares.items()]


class _LineState(NamedTuple):
    """Position in the search for the line of play."""

    own: int
    other: int
    turn: int
    series: Ranks
    gone: tuple[bool, bool]
    last: int


def reconstruct_decisions(
    own: Sequence[int], other: Sequence[int], kept: Sequence[int], series: Ranks, gone: tuple[bool, bool], leader: int
) -> list[OpponentDecision]:
    """Return the opponent's decisions so far, in order, goes included, as the cards on the table imply them.

    :param own: ranks that the player played, in order.
    :param other: ranks that the opponent played, in order.
    :param kept: the player's whole hand.
    :param leader: who led, 0 for the player.
    """
    done = (tuple(own), tuple(other))
    start = _LineState(0, 0, leader, (), (False, False), leader)
    found = _search_line_of_play(start, done, tuple(kept), len(kept), (series, gone))
    if found is None:  # no line of play fits, but a go still counts
        found = [OpponentDecision(state_after(series), 1, None, len(other))] if gone[1] else []
    return found


def _search_line_of_play(  # noqa: PLR0911 - each return is another way that the play may have gone
    now: _LineState, played: tuple[Ranks, Ranks], kept: Ranks, size: int, end: tuple[Ranks, tuple[bool, bool]]
) -> list[OpponentDecision] | None:
    counts = (now.own, now.other)
    able = [counts[seat] < size and not now.gone[seat] for seat in (0, 1)]
    if now.turn == 0 and counts == (len(played[0]), len(played[1])) and (now.series, now.gone) == end and able[0]:
        return []
    if not able[now.turn]:
        if able[1 - now.turn]:
            return _search_line_of_play(now._replace(turn=1 - now.turn), played, kept, size, end)
        if counts == (size, size) or not now.series:
            return None
        return _search_line_of_play(
            _LineState(*counts, 1 - now.last, (), (False, False), now.last), played, kept, size, end
        )
    count = sum(RANK_VALUES[rank] for rank in now.series)
    at = state_after(now.series)
    others = 0 if now.gone[1 - now.turn] else size - counts[1 - now.turn]
    done = counts[now.turn]
    if done < len(played[now.turn]):
        rank = played[now.turn][done]
        if count + RANK_VALUES[rank] <= MAX_COUNT:
            after = (counts[0] + (now.turn == 0), counts[1] + (now.turn == 1))
            full = count + RANK_VALUES[rank] == MAX_COUNT
            then = _LineState(*after, 1 - now.turn, () if full else (*now.series, rank),
                         (False, False) if full else now.gone, now.turn)  # fmt: skip
            found = _search_line_of_play(then, played, kept, size, end)
            if found is not None:
                return found if now.turn == 0 else [OpponentDecision(at, others, rank, done), *found]
    if count <= MAX_COUNT - 10 or (now.turn == 0 and _has_fitting_card(kept, played[0][:done], count)):
        return None
    gone = (now.gone[0] or now.turn == 0, now.gone[1] or now.turn == 1)
    found = _search_line_of_play(now._replace(turn=1 - now.turn, gone=gone), played, kept, size, end)
    if found is None:
        return None
    return found if now.turn == 0 else [OpponentDecision(at, others, None, done), *found]


def _has_fitting_card(kept: Ranks, played: Ranks, count: int) -> bool:
    left = list(kept)
    for rank in played:
        left.remove(rank)
    return any(count + RANK_VALUES[rank] <= MAX_COUNT for rank in left)
