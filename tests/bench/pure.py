"""What the pure parts cost: scoring, odds, rules and games, in this process, with nothing else going on."""

import csv
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from companion.coach import shuffle
from companion.coach.cribbage.expected_values import compute_discard_values
from companion.rules import GAMES, apply, scoring
from companion.rules.cards import PACK, parse_card, parse_cards
from tests.bench import players

SEED = 121
ROUNDS = 5
HANDS = 100_000
GAME_S = 0.4
"""How long each game is played for, in seconds."""

SEARCH_S = 0.05
SEARCHED = 90
"""Deals of shuffle, and the seconds to search each."""

Figure = tuple[str, float, str]


def _seconds(work: Callable[[], object]) -> float:
    """Seconds of this process: what else the machine does is not counted."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def score_call() -> Iterator[Figure]:
    """One call of `points`: the median of 5 rounds of 100,000 random hands and starters."""
    chance = Random(SEED)
    dealt = [(tuple(cards[:4]), cards[4]) for cards in (chance.sample(PACK, 5) for _ in range(HANDS))]
    points = scoring.points
    points(*dealt[0])  # the tables are built at the first call

    def every() -> None:
        for hand, starter in dealt:
            points(hand, starter)

    yield "score_call_ns", statistics.median(_seconds(every) for _ in range(ROUNDS)) / HANDS * 1e9, "ns"


def census() -> Iterator[Figure]:
    """All 12,994,800 hands, looked up as hands and once more as cribs, the tables being built."""
    scoring.points(PACK[:4], PACK[4])
    yield "census_s", _seconds(lambda: (scoring.count_hands_by_points(), scoring.count_hands_by_points(crib=True))), "s"


def discard_analysis() -> Iterator[Figure]:
    """Six known cards: for all 15 discards the exact means of hand and crib, which dealer adds and pone subtracts."""
    chance = Random(SEED)
    held = [chance.sample(PACK, 6) for _ in range(1000)]
    for six in held:
        compute_discard_values(six)  # tables by pairs of ranks are made when first needed

    def every() -> None:
        for six in held:
            for found in compute_discard_values(six):
                found.hand + found.crib, found.hand - found.crib

    yield "discard_analysis_us", statistics.median(_seconds(every) for _ in range(ROUNDS)) / len(held) * 1e6, "us"


def referee_moves() -> Iterator[Figure]:
    """`rules.apply` alone: the moves of six-card games played beforehand, applied once more from the start."""
    game = next(game for game in GAMES if game.key == "six-card")
    recorded = [players.recorded(game, Random(seed)) for seed in range(60)]

    def every() -> None:
        for first, moves in recorded:
            state = first
            for move in moves:
                state = apply(game, state, move).state

    moves = sum(len(moves) for _, moves in recorded)
    yield "referee_moves_per_s", moves / statistics.median(_seconds(every) for _ in range(ROUNDS)), "/s"


def games() -> Iterator[Figure]:
    """Whole games of each kind for the fewest players, through `apply`, the players' choices included.

    A game that nobody plays here yet has no figure.
    """
    for game in (game for game in GAMES if game.key in players.KINDS):
        chance, played, begin = Random(SEED), 0, time.process_time()
        while time.process_time() - begin < GAME_S:
            players.recorded(game, chance)
            played += 1
        yield f"games_per_s_{game.key}", played / (time.process_time() - begin), "/s"


def shuffle_optimum() -> Iterator[Figure]:
    """In how many deals of cribbage shuffle 50 ms of searching find the best layout, as proved beforehand."""
    with (Path(__file__).parents[1] / "data/shuffle_optima.csv").open() as file:
        deals = list(csv.DictReader(line for line in file if not line.startswith("#")))[:SEARCHED]
    chance, found = Random(SEED), 0
    scoring.points(PACK[:4], PACK[4])  # the tables are built at the first call
    for deal in deals:
        sixteen, starter, end = parse_cards(deal["cards"]), parse_card(deal["starter"]), time.process_time() + SEARCH_S
        grid = shuffle.search_layout(sixteen, starter, chance.random, lambda end=end: time.process_time() < end)
        found += shuffle.layout_points(grid, starter) == int(deal["best"])
    yield "shuffle_optimum_pct_50ms", 100 * found / len(deals), "%"


def importing() -> Iterator[Figure]:
    """What `companion play --demo` imports, in a new interpreter that has its bytecode: the median of 5."""
    parts = "import companion.cli, companion.app.program, companion.demo"
    timed = f"import time; t = time.perf_counter(); {parts}; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True) for _ in range(6)]
    yield "import_ms", statistics.median(float(run.stdout) for run in runs[1:]) * 1000, "ms"
