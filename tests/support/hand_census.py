"""All hands of cribbage by their points."""

from collections import Counter
from itertools import combinations

from companion.rules.scoring import _load_tables


def count_hands_by_points(crib: bool = False) -> tuple[int, ...]:
    """Return how many of all 12,994,800 hands with starter have 0, 1, … 29 points, by looking up each of them."""
    leaves: Counter[bytes] = Counter()
    own = []
    root = _load_tables()[crib]
    for a, b, c in combinations(range(51), 3):
        found = root[a][b][c][c + 1 :]
        leaves.update(found)
        # A leaf has 52 starters, but the hand's own four cards cannot be one: count them apart and subtract them.
        rows = b"".join(found)
        own += [rows[a::52], rows[b::52], rows[c::52], rows[c + 1 :: 53]]
    counts: Counter[int] = Counter()
    for leaf, times in leaves.items():
        for score in leaf:
            counts[score] += times
    counts.subtract(b"".join(own))
    return tuple(counts[score] for score in range(max(+counts) + 1))
