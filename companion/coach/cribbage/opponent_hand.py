"""What the other player may hold: all hands that fit what was seen, each as likely as a good player makes it. Pure.

A good player keeps some fours more gladly than others (`book.keeps`), seldom plays against the quick player's
judgement, and says go only when nothing fits.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from companion.coach.cribbage import tables
from companion.coach.cribbage.play_states import Place, reached
from companion.coach.cribbage.ranks import VALUES, Ranks
from companion.coach.cribbage.rollout import choose
from companion.rules.play import LIMIT

_WAYS = tuple(tuple(1 if n == 0 else 0 if n > have else (1, have, have * (have - 1) // 2, 4, 1)[n]
              for n in range(5)) for have in range(5))  # fmt: skip
AS_EXPECTED = 0.8
"""How often a card is the one that the quick player would have played."""

Held = tuple[Ranks, Ranks, float]
"""The whole hand, what is left of it, and its weight."""


class Decision(NamedTuple):
    """What the other did with his turn: a rank, or None for go."""

    at: Place
    others: int
    done: int | None
    before: int
    """How many cards he had played."""


def weigh(played: Ranks, unseen: Sequence[int], known: tables.Book, who: int) -> list[Held]:
    """Every hand with these ranks in it, and its weight where `unseen` cards of each rank are left for it."""
    often = [ways for left in unseen for ways in _WAYS[left]]
    found = []
    for hand, rest, gladly, parts in _holding(played, known, who):
        weight = gladly
        for part in parts:
            weight *= often[part]
        if weight:
            found.append((hand, rest, weight))
    return found


@lru_cache(maxsize=1000)
def _holding(played: Ranks, known: tables.Book, who: int) -> list[tuple[Ranks, Ranks, float, tuple[int, ...]]]:
    """Hands with these ranks in them, what is left of each, how gladly it is kept, and its ranks and their numbers."""
    found = []
    for rest in combinations_with_replacement(range(13), known.size - len(played)):
        hand = tuple(sorted((*played, *rest)))
        gladly = known.keeps[who][known.place_of[hand]] if hand in known.place_of else 0.0
        if gladly:
            found.append((hand, rest, gladly, tuple(5 * rank + hand.count(rank) for rank in sorted(set(hand)))))
    return found


def judge(held: Sequence[Held], decisions: Sequence[Decision], played: Sequence[int]) -> list[Held]:
    """The weights after what the other did, `played` being his cards in order."""
    if not decisions:
        return list(held)
    found = []
    for four, rest, start in held:
        weight = start
        for at, others, done, before in decisions:
            hand = tuple(sorted((*rest, *played[before:])))
            chosen = at.chosen[others].get(hand)
            if chosen is None:
                chosen = choose(at, hand, others)
            if done is None:
                if chosen:
                    weight = 0.0
                    break
                continue
            if not chosen:
                weight = 0.0
                break
            left = list(hand)
            left.remove(done)
            fitting = sum(at.count + VALUES[rank] <= LIMIT for rank in set(hand))
            weight *= (1 - AS_EXPECTED) / fitting + (AS_EXPECTED if chosen[2] == tuple(left) else 0)
        if weight:
            found.append((four, rest, weight))
    return found


def sample(held: Sequence[Held], most: int) -> list[Held]:
    """At most so many hands that stand for all: at even steps through all their weights."""
    if len(held) <= most:
        return list(held)
    sums = list(accumulate([weight for _, _, weight in held]))
    step = sums[-1] / most
    shares = Counter(bisect_left(sums, (n + 0.5) * step) for n in range(most))
    return [(*held[place][:2], step * times) for place, times in shares.items()]


class _Turn(NamedTuple):
    own: int
    other: int
    turn: int
    series: Ranks
    gone: tuple[bool, bool]
    last: int


def retell(
    own: Sequence[int], other: Sequence[int], kept: Sequence[int], series: Ranks, gone: tuple[bool, bool], leader: int
) -> list[Decision]:
    """What the other decided so far, in order: the way of the play that these cards tell, goes included.

    `own`, `other`: the ranks played, in order; `kept`: one's whole hand; `leader`: who led, 0 oneself.
    """
    done = (tuple(own), tuple(other))
    start = _Turn(0, 0, leader, (), (False, False), leader)
    found = _retell(start, done, tuple(kept), len(kept), (series, gone))
    if found is None:  # no way fits; but a go is a go
        found = [Decision(reached(series), 1, None, len(other))] if gone[1] else []
    return found


def _retell(  # noqa: PLR0911 - each return is another way that the play may have gone
    now: _Turn, played: tuple[Ranks, Ranks], kept: Ranks, size: int, end: tuple[Ranks, tuple[bool, bool]]
) -> list[Decision] | None:
    counts = (now.own, now.other)
    able = [counts[seat] < size and not now.gone[seat] for seat in (0, 1)]
    if now.turn == 0 and counts == (len(played[0]), len(played[1])) and (now.series, now.gone) == end and able[0]:
        return []
    if not able[now.turn]:
        if able[1 - now.turn]:
            return _retell(now._replace(turn=1 - now.turn), played, kept, size, end)
        if counts == (size, size) or not now.series:
            return None
        return _retell(_Turn(*counts, 1 - now.last, (), (False, False), now.last), played, kept, size, end)
    count = sum(VALUES[rank] for rank in now.series)
    at = reached(now.series)
    others = 0 if now.gone[1 - now.turn] else size - counts[1 - now.turn]
    done = counts[now.turn]
    if done < len(played[now.turn]):
        rank = played[now.turn][done]
        if count + VALUES[rank] <= LIMIT:
            after = (counts[0] + (now.turn == 0), counts[1] + (now.turn == 1))
            full = count + VALUES[rank] == LIMIT
            then = _Turn(*after, 1 - now.turn, () if full else (*now.series, rank),
                         (False, False) if full else now.gone, now.turn)  # fmt: skip
            found = _retell(then, played, kept, size, end)
            if found is not None:
                return found if now.turn == 0 else [Decision(at, others, rank, done), *found]
    if count <= LIMIT - 10 or (now.turn == 0 and _fits(kept, played[0][:done], count)):
        return None
    gone = (now.gone[0] or now.turn == 0, now.gone[1] or now.turn == 1)
    found = _retell(now._replace(turn=1 - now.turn, gone=gone), played, kept, size, end)
    if found is None:
        return None
    return found if now.turn == 0 else [Decision(at, others, None, done), *found]


def _fits(kept: Ranks, played: Ranks, count: int) -> bool:
    left = list(kept)
    for rank in played:
        left.remove(rank)
    return any(count + VALUES[rank] <= LIMIT for rank in left)
