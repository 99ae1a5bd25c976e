"""Make the tables of 'Round the Bases and pursuit from played deals (part of `make tables`; one or two minutes)."""

import argparse
import sys
import time
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

from companion.coach import baseball
from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import PAIR_INDEX, Ranks, points_with_starters
from companion.rules.baseball.spaces import HOME_SPACE, load_preset
from companion.rules.cards import Card
from tests.arena.generators import deals, pursuit_survival
from tests.arena.make_tables import TABLES, round_rows, write_table

SEED = 30
MAX_PURSUIT_DEALS = 3000
"""Number of deals used for pursuit. Each is evaluated at 61 distances, several times."""


def main() -> None:
    """Make all tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--deals", type=int, default=60_000)
    asked.add_argument("--to", type=Path, default=TABLES)
    told = asked.parse_args()
    make_race_tables(told.deals, told.to)


def make_race_tables(number: int, folder: Path) -> None:
    """Make the tables from `number` deals."""
    begin = time.monotonic()
    played = list(deals.play_deals(choose_hand, 6, number, SEED))
    print(f"{time.monotonic() - begin:4.0f} s  {len(played)} deals played", file=sys.stderr)
    write_table(folder, "bases-nets", {
        "about": "How likely a counted hand's net is 0 or less, 1, 2, ... 24 or more; deals in which no jack was cut.",
        "nets": net_shares(played),
    }, "make_races", SEED)  # fmt: skip
    baseball.load_net_shares.cache_clear()
    told = {}
    for name in ("standard", "harsh"):
        expected = baseball.compute_run_expectancy(load_preset(name))
        told[name] = round_rows(
            [[expected[outs, baseball.runners_from_bits(n)] for n in range(8)] for outs in range(3)], 3
        )
    write_table(folder, "bases-runs", {
        "about": "Runs to come in the half-inning: by outs, then by runners (first 1, second 2, third 4).", **told,
    }, "make_races", SEED)  # fmt: skip
    print(f"{time.monotonic() - begin:4.0f} s  bases", file=sys.stderr)
    found = pursuit_survival.compute_survival_table(
        [(*told[:1], *pegs, *told[1:]) for _, pegs, told in played[:MAX_PURSUIT_DEALS]]
    )
    write_table(folder, "pursuit-survives", {
        "about": "The dealer's chance to survive: by holes ahead (from -30), own gap, pone's (to 3, 7, 11, 17, 30).",
        "dealer": [round_rows(rows, 4) for rows in found],
    }, "make_races", SEED)  # fmt: skip
    print(f"{time.monotonic() - begin:4.0f} s  pursuit", file=sys.stderr)


def net_shares(played: list[deals.PlayedDeal]) -> list[float]:
    """Return the distribution of nets of deals without a jack as starter."""
    found: Counter[int] = Counter()
    for _, pegs, told in played:
        if not told[0][1]:
            net = sum(points if who == deals.DEALER else -points for who, points in (*pegs, *told))
            found[max(0, min(HOME_SPACE, net))] += 1
    total = sum(found.values())
    return [round(found[net] / total, 5) for net in range(HOME_SPACE + 1)]


def choose_hand(dealt: tuple[Card, ...], who: int) -> tuple[Card, ...]:
    """Return the cards that the tables keep, of six cards or of five."""
    left = list(dealt)
    for rank in _choose_discard(tuple(card.rank for card in dealt), who):
        left.remove(next(card for card in left if card.rank == rank))
    return tuple(left)


@cache
def _choose_discard(ranks: Ranks, who: int) -> Ranks:
    size, sign = len(ranks), 1 if who == deals.DEALER else -1
    known = tables.load_tables("six-card" if size == 6 else "five-card")
    found = []
    for a, b in combinations(range(size), 2):
        kept = tuple(rank for n, rank in enumerate(ranks) if n not in (a, b))
        points = points_with_starters(kept)
        hand = (4 * sum(points) - sum(points[rank] for rank in ranks)) / (52 - size)
        pair = (ranks[a], ranks[b])
        crib = known.mean_cribs[who][PAIR_INDEX[pair]]
        found.append((hand + sign * crib + known.net_pegging[who][known.hand_index[kept]], pair))
    return max(found)[1]


if __name__ == "__main__":
    main()
