"""The points of cards, found by checking all subsets. Independent of the program.

Cards are texts, as in docs/reference/moves.md.
"""

from functools import lru_cache
from itertools import combinations

RANKS = "A23456789TJQK"
PACK = tuple(rank + suit for rank in RANKS for suit in "CDHS")

Points = list[tuple[int, str]]
"""Points and reason of each item."""


def rank_index(card: str) -> int:
    return RANKS.index(card[0])


def card_value(card: str) -> int:
    return min(rank_index(card) + 1, 10)


def is_consecutive(cards: tuple[str, ...]) -> bool:
    ranks = sorted(map(rank_index, cards))
    return ranks == list(range(ranks[0], ranks[0] + len(cards)))


@lru_cache(100_000)
def score_hand(hand: tuple[str, ...], starter: str, *, crib: bool) -> tuple[tuple[int, str], ...]:
    """Return the items of a hand of three or four cards, or of the crib."""
    every = (*hand, starter)
    found: Points = []
    for size in range(2, 6):
        found += [(2, "fifteen") for some in combinations(every, size) if sum(map(card_value, some)) == 15]
    found += [(2, "pair") for a, b in combinations(every, 2) if a[0] == b[0]]
    for size in (5, 4, 3):
        runs = [(size, "run") for some in combinations(every, size) if is_consecutive(some)]
        if runs:
            found += runs
            break
    if len({card[1] for card in every}) == 1:
        found.append((len(every), "flush"))
    elif len({card[1] for card in hand}) == 1 and not crib:
        found.append((len(hand), "flush"))
    if f"J{starter[1]}" in hand:
        found.append((1, "his nobs"))
    return tuple(sorted(found))


@lru_cache(100_000)
def score_series(series: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the items of the last card of a series, without the last-card point."""
    found: Points = []
    count = sum(map(card_value, series))
    found += [(2, {15: "fifteen", 31: "thirty-one"}[count])] if count in (15, 31) else []
    alike = [n for n in (2, 3, 4) if len(series) >= n and len({card[0] for card in series[-n:]}) == 1]
    if alike:
        found.append({2: (2, "pair"), 3: (6, "three alike"), 4: (12, "four alike")}[alike[-1]])
    runs = [n for n in range(3, len(series) + 1) if is_consecutive(series[-n:])]
    found += [(runs[-1], "run")] if runs else []
    return tuple(sorted(found))


def is_impossible(points: int) -> bool:
    return points in (19, 25, 26, 27) or points > 29 or points < 0
