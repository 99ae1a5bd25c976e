"""Make the table of pegging of six-card: the coach against itself, for each hand of four as dealer and as pone.

`python -m tests.plugins.arena.make_pegging pegging.jsonl --rounds 50` plays rounds of about 14,600 deals with the
expert in C. Each round plays every hand, and often those that are kept often. The rounds are added to the file, so the
tool may be stopped and continued. `--write` writes the table from all rounds of the file, and prints its error against
rounds that were left out: the root of the mean square over the hands that are kept, without the error of these rounds.

The mean of a hand with few deals is drawn towards what a linear model of its ranks, pairs and sums expects (`fit`).
Dealer and pone discard by the tables that are there. So the tables of keeps and discards (`make tables`) are made from
the table of pegging, and the next rounds from them.
"""

import ctypes
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import HANDS_OF_FOUR, RANK_PAIRS, RANK_VALUES, Ranks
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.generators import cribs
from tests.plugins.arena.make_tables import TABLES, round_rows, write_table
from tests.plugins.arena.result_lines import add_results, parse_arguments

FIRST_SEED = 0
HANDS_TRIED = 60
"""Hands tried in a search far from the end. More hands change the means little."""
LEAST_DEALS, MORE_DEALS = 2, 120
"""Deals of a hand in a round: the first number, and the second times the root of how often it is kept."""
HELD_OUT = 5
"""Every fifth round is left out to measure the error."""
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Discards(NamedTuple):
    """What good players discard: rows for `compiled_expert.load_keeps`, and how often each hand is kept, by role."""

    rows: list[tuple[int, int, int]]
    kept: list[list[float]]


def choose_discards() -> Discards:
    known = tables.load_tables("six-card")
    hands = cribs.list_hands(HANDS_OF_FOUR)
    answers = [
        cribs.choose_discards(hands, known.mean_cribs[who], known.net_pegging[who], dealer=who == tables.DEALER)
        for who in (tables.DEALER, tables.PONE)
    ]
    kept = [[0.0] * len(HANDS_OF_FOUR) for _ in answers]
    for role, chosen in enumerate(answers):
        for hand, (_, place) in zip(hands, chosen, strict=True):
            kept[role][place] += hand.likely
    rows = [
        (compiled_expert.pack_hand(hand.held), dealer[0], pone[0])
        for hand, dealer, pone in zip(hands, *answers, strict=True)
    ]
    return Discards(sorted(rows), kept)


def play_round(coach: compiled_expert.Coach, number: int, kept: list[list[float]]) -> list[list[list[float]]]:
    """Return, by role and hand, the number of deals, the sum of the net pegging and the sum of squares."""
    library = compiled_expert.load_library()
    found = []
    for role in (tables.DEALER, tables.PONE):
        rows = []
        for place, often in enumerate(kept[role]):
            deals, sums = LEAST_DEALS + round(MORE_DEALS * often**0.5), (ctypes.c_double * 2)()
            seed = (number * 2 + role) * 10_007 + place * 1_000_003
            library.peg_hand(ctypes.addressof(coach), place, role, deals, seed, sums)
            rows.append([deals, *sums])
        found.append(rows)
    return found


def add_rounds(path: Path, rounds: int) -> None:
    discards = choose_discards()
    compiled_expert.load_keeps(discards.rows)
    coach = compiled_expert.make_coach(compiled_expert.load_tables(), hands=HANDS_TRIED)
    add_results(path, rounds, lambda number: [number, play_round(coach, number, discards.kept)])


def add_up(path: Path, wanted: Callable[[int], bool]) -> Array:
    """Return the sums of the rounds of a file: by role, hand, and number of deals, sum or sum of squares."""
    total = np.zeros((2, len(HANDS_OF_FOUR), 3))
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        if wanted(number):
            total += np.array(json.loads(line)[1])
    return total


def describe_hand(hand: Ranks) -> list[float]:
    """Return the features of a hand for the linear model: ranks, pairs of ranks, sums of two, three and four cards."""
    values = [RANK_VALUES[rank] for rank in hand]
    twos, threes = ([sum(each) for each in combinations(values, size)] for size in (2, 3))
    gaps = [abs(a - b) for a, b in combinations(hand, 2)]
    most = max(map(hand.count, hand))
    return [
        *(hand.count(rank) for rank in range(13)),
        *(float(hand.count(rank) >= 2) for rank in range(13)),
        float(most >= 3), float(most == 4),
        *(twos.count(total) for total in range(5, 21)),
        *(threes.count(total) for total in (15, 16, 21, 26, 27, 28, 29, 30, 31)),
        *(gaps.count(gap) for gap in (1, 2, 3)),
        float(sum(values) == 31), sum(values), sum(values) ** 2, float(min(values) <= 4),
        float(sum(value <= 4 for value in values) >= 2), values.count(10), float(5 in values and 10 in values),
        *(float(a in hand and b in hand and (a != b or hand.count(a) > 1)) for a, b in RANK_PAIRS),
    ]  # fmt: skip


def fit(sums: Array) -> Array:
    """Return the table: the mean of each hand, drawn towards the model as far as its number of deals is small.

    The model's error is estimated from what is left of the means beyond their own error (empirical Bayes).
    """
    features = np.array([describe_hand(hand) for hand in HANDS_OF_FOUR])
    spread = features.std(0)
    features = (features - features.mean(0)) / np.where(spread > 0, spread, 1)
    features = np.hstack([np.ones((len(features), 1)), features])
    shrink = np.diag([0.0, *[1.0] * (len(spread) - len(RANK_PAIRS)), *[50.0] * len(RANK_PAIRS)])
    found = []
    for deals, totals, squares in sums.transpose(0, 2, 1):
        means = totals / deals
        variance = (squares.sum() - (totals * means).sum()) / (deals.sum() - len(deals))
        model_variance = 0.04
        for _ in range(12):
            weights = 1 / (model_variance + variance / deals)
            weighted = features * weights[:, None]
            inverse = np.linalg.inv(weighted.T @ features + shrink)
            expected = features @ (inverse @ (weighted.T @ means))
            leverage = np.einsum("ij,jk,ik->i", weighted, inverse, features)
            left = (means - expected) / np.maximum(1 - leverage, 0.2)
            estimate = np.average(left**2 - variance / deals, weights=np.sqrt(deals))
            model_variance = max(0.002, (model_variance + estimate) / 2)
        part = model_variance / (model_variance + variance / deals)
        found.append(part * means + (1 - part) * expected)
    return np.array(found)


def measure_error(path: Path, kept: list[list[float]]) -> list[float]:
    """Return the error of a table without the rounds left out, against these, for dealer and pone."""
    table = fit(add_up(path, lambda number: number % HELD_OUT != 0))
    deals, totals, squares = add_up(path, lambda number: number % HELD_OUT == 0).transpose(2, 0, 1)
    means = totals / deals
    noise = (squares - totals * means) / np.maximum(1, deals - 1) / deals
    mean_squares = np.average((table - means) ** 2 - noise, axis=1, weights=np.array(kept))
    return [float(max(0, each)) ** 0.5 for each in mean_squares]


def main() -> None:
    given = parse_arguments(__doc__, rounds=50, write=False)
    add_rounds(given.file, given.rounds)
    if given.write:
        sums = add_up(given.file, lambda _: True)
        error = measure_error(given.file, choose_discards().kept)
        write_table(TABLES, "six-card-pegging", {
            "about": "By hand, for dealer and pone: own pegging less the other's, between two coaches.",
            "deals": int(sums[..., 0].sum()),
            "error": [round(each, 3) for each in error],
            "net": round_rows(fit(sums), 2),
        }, "make_pegging", FIRST_SEED)  # fmt: skip
        print(f"{int(sums[..., 0].sum())} deals; error {error[0]:.3f} as dealer, {error[1]:.3f} as pone")


if __name__ == "__main__":
    main()
