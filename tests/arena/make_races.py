"""The tables of 'Round the Bases and pursuit, part of `make tables`: from deals of good players, in a minute or two."""

import argparse
import sys
import time
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

from arena.make_tables import TABLES, rounded, write
from arena.making import chases, deals

from companion.coach import baseball
from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import PLACE_OF_PAIR, Ranks, with_starters
from companion.rules.baseball.spaces import HOME, preset
from companion.rules.cards import Card

SEED = 30
CHASES = 3000
"""So many of the deals are taken for pursuit: each is tried at 61 distances, again and again."""


def main() -> None:
    """Make them."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--deals", type=int, default=60_000)
    asked.add_argument("--to", type=Path, default=TABLES)
    told = asked.parse_args()
    make(told.deals, told.to)


def make(number: int, folder: Path) -> None:
    """All of them."""
    begin = time.monotonic()
    played = list(deals.deals(keep, 6, number, SEED))
    print(f"{time.monotonic() - begin:4.0f} s  {len(played)} deals played", file=sys.stderr)
    write(folder, "bases-nets", {
        "about": "How likely a counted hand's net is 0 or less, 1, 2, ... 24 or more; deals in which no jack was cut.",
        "nets": nets(played),
    }, "make_races", SEED)  # fmt: skip
    baseball.nets.cache_clear()
    told = {}
    for name in ("standard", "harsh"):
        expected = baseball.expected(preset(name))
        told[name] = rounded([[expected[outs, baseball.runners(n)] for n in range(8)] for outs in range(3)], 3)
    write(folder, "bases-runs", {
        "about": "Runs to come in the half-inning: by outs, then by runners (first 1, second 2, third 4).", **told,
    }, "make_races", SEED)  # fmt: skip
    print(f"{time.monotonic() - begin:4.0f} s  bases", file=sys.stderr)
    found = chases.survives([(*told[:1], *pegs, *told[1:]) for _, pegs, told in played[:CHASES]])
    write(folder, "pursuit-survives", {
        "about": "The dealer's chance to survive: by holes ahead (from -30), own gap, pone's (to 3, 7, 11, 17, 30).",
        "dealer": [rounded(rows, 4) for rows in found],
    }, "make_races", SEED)  # fmt: skip
    print(f"{time.monotonic() - begin:4.0f} s  pursuit", file=sys.stderr)


def nets(played: list[deals.Played]) -> list[float]:
    """Shares of nets, where no jack was cut."""
    found: Counter[int] = Counter()
    for _, pegs, told in played:
        if not told[0][1]:
            net = sum(points if who == deals.DEALER else -points for who, points in (*pegs, *told))
            found[max(0, min(HOME, net))] += 1
    total = sum(found.values())
    return [round(found[net] / total, 5) for net in range(HOME + 1)]


def keep(six: tuple[Card, ...], who: int) -> tuple[Card, ...]:
    """What the tables keep of these ranks."""
    left = list(six)
    for rank in _thrown(tuple(card.rank for card in six), who):
        left.remove(next(card for card in left if card.rank == rank))
    return tuple(left)


@cache
def _thrown(ranks: Ranks, who: int) -> Ranks:
    known, sign = tables.of("six-card"), 1 if who == deals.DEALER else -1
    found = []
    for a, b in combinations(range(6), 2):
        kept = tuple(rank for n, rank in enumerate(ranks) if n not in (a, b))
        points = with_starters(kept)
        hand = (4 * sum(points) - sum(points[rank] for rank in ranks)) / 46
        pair = (ranks[a], ranks[b])
        crib = known.cribs[who][PLACE_OF_PAIR[pair]]
        found.append((hand + sign * crib + known.pegging[who][known.place_of[kept]], pair))
    return max(found)[1]


if __name__ == "__main__":
    main()
