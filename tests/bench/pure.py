"""Measurements of the pure parts in this process: scoring, odds, rules and games, without I/O."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from random import Random

from companion.coach import shuffle
from companion.coach.cribbage.expected_values import compute_discard_values
from companion.rules import GAMES, apply, scoring
from companion.rules.cards import PACK, parse_card, parse_cards
from tests.bench import players
from tests.support.hand_census import count_hands_by_points
from tests.support.published_data import read_rows

SEED = 121
ROUND_COUNT = 5
HAND_COUNT = 100_000
GAME_S = 0.4
"""Duration of the measurement of each game."""

SEARCH_S = 0.05
"""Time limit of the search for a layout of shuffle."""
SEARCHED_DEALS = 90
"""Number of deals of shuffle that are searched."""

Figure = tuple[str, float, str]


def _cpu_seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _median_seconds(run_round: Callable[[], object]) -> float:
    return statistics.median(_cpu_seconds(run_round) for _ in range(ROUND_COUNT))


def measure_score_call() -> Iterator[Figure]:
    """Measure one call of `points` (median of 5 rounds of 100,000 random hands and starters)."""
    random = Random(SEED)
    dealt = [(tuple(cards[:4]), cards[4]) for cards in (random.sample(PACK, 5) for _ in range(HAND_COUNT))]
    points = scoring.points
    points(*dealt[0])  # the tables are built at the first call

    def run_round() -> None:
        for hand, starter in dealt:
            points(hand, starter)

    yield "score_call_ns", _median_seconds(run_round) / HAND_COUNT * 1e9, "ns"


def measure_census() -> Iterator[Figure]:
    """Measure the lookup of all 12,994,800 hands, as hands and as cribs, with the tables already built."""
    scoring.points(PACK[:4], PACK[4])
    yield "census_s", _cpu_seconds(lambda: (count_hands_by_points(), count_hands_by_points(crib=True))), "s"


def measure_discard_analysis() -> Iterator[Figure]:
    """Measure the exact expected points of hand and crib for all 15 discards of six cards, as dealer and as pone."""
    random = Random(SEED)
    held = [random.sample(PACK, 6) for _ in range(1000)]
    for six in held:
        compute_discard_values(six)  # tables by pairs of ranks are made when first needed

    def run_round() -> None:
        for six in held:
            for found in compute_discard_values(six):
                found.hand + found.crib, found.hand - found.crib

    yield "discard_analysis_us", _median_seconds(run_round) / len(held) * 1e6, "us"


def measure_referee_moves() -> Iterator[Figure]:
    """Measure `rules.apply` alone: the moves of recorded six-card games are applied again from the start."""
    game = next(game for game in GAMES if game.key == "six-card")
    games = [players.record_game(game, Random(seed)) for seed in range(60)]

    def run_round() -> None:
        for first, moves in games:
            state = first
            for move in moves:
                state = apply(game, state, move).state

    yield "referee_moves_per_s", sum(len(moves) for _, moves in games) / _median_seconds(run_round), "/s"


def measure_games() -> Iterator[Figure]:
    """Measure whole games with the fewest players through `apply`, including the players' choices.

    A game without a player in `players.PLAYERS` has no figure.
    """
    for game in (game for game in GAMES if game.key in players.PLAYERS):
        random, played, begin = Random(SEED), 0, time.process_time()
        while time.process_time() - begin < GAME_S:
            players.record_game(game, random)
            played += 1
        yield f"games_per_s_{game.key}", played / (time.process_time() - begin), "/s"


def measure_shuffle_optimum() -> Iterator[Figure]:
    """Measure in how many deals of cribbage shuffle a search of 50 ms finds the proved best layout."""
    deals = read_rows("shuffle_optima.csv")[:SEARCHED_DEALS]
    random, found = Random(SEED), 0
    scoring.points(PACK[:4], PACK[4])  # the tables are built at the first call
    for deal in deals:
        sixteen, starter, end = parse_cards(deal["cards"]), parse_card(deal["starter"]), time.process_time() + SEARCH_S
        grid = shuffle.search_layout(sixteen, starter, random.random, lambda end=end: time.process_time() < end)
        found += shuffle.layout_points(grid, starter) == int(deal["best"])
    yield "shuffle_optimum_pct_50ms", 100 * found / len(deals), "%"


def measure_import(runs: int = 5) -> Iterator[Figure]:
    """Measure the imports of `companion play --demo` in a new interpreter with existing bytecode (median of `runs`)."""
    parts = "import companion.cli, companion.app.program, companion.demo"
    timed = f"import time; t = time.perf_counter(); {parts}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", timed]
    took = [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(1 + runs)]
    yield "import_ms", statistics.median(took[1:]) * 1000, "ms"
