"""What the coach costs: a discard, a card, and whole games between two experts, in this process."""

import gc
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.coach import advise
from companion.coach.cribbage import discard
from companion.coach.questions import DiscardQuestion
from companion.coach.review import review_game
from companion.rules.cards import PACK

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.arena.game import Answer, Game
from tests.arena.recorded_game import RecordedGame

SEED = 14
HANDS = 60
GAMES = 24

Figure = tuple[str, float, str]


def discard_win() -> Iterator[Figure]:
    """All fifteen discards of six cards by their chance to win, at any scores: the median."""
    chance = Random(SEED)
    dealt = [
        DiscardQuestion(
            "six-card", tuple(chance.sample(PACK, 6)), n % 2 == 0, (chance.randrange(100), chance.randrange(100)), 121
        )
        for n in range(HANDS)
    ]
    for each in dealt:
        discard.rank_discards(each)  # tables by pairs of ranks are made when first needed
    times = []
    for each in dealt:
        begin = time.process_time()
        discard.rank_discards(each)
        times.append(time.process_time() - begin)
    yield "discard_win_us", statistics.median(times) * 1e6, "us"


def play() -> Iterator[Figure]:
    """A decision in the play, the question read as from a line, after some games: as in a program that has played."""
    times: list[float] = []

    def ask(question: dict[str, object]) -> Answer:
        begin = time.process_time()
        found = advise.answer_question(question)
        if question["ask"] == "play":
            times.append(time.process_time() - begin)
        return found

    gc.disable()  # as `companion advise` does
    for seed in range(GAMES):
        if seed == GAMES // 2:
            times.clear()
        Game((ask, ask), SEED + seed).play()
    gc.enable()
    yield "play_decision_ms_p99", statistics.quantiles(times, n=100)[98] * 1000, "ms"


def games() -> Iterator[Figure]:
    """Whole games of two experts."""
    begin = time.process_time()
    for seed in range(GAMES // 2):
        Game((advise.answer_question, advise.answer_question), seed).play()
    yield "arena_games_per_s", GAMES / 2 / (time.process_time() - begin), "/s"


def look_back() -> Iterator[Figure]:
    """A whole game looked back on, all its choices, half of them with the discards known: the median."""
    games = [RecordedGame(SEED + seed) for seed in range(GAMES // 2)]
    review_game(games[0].taken, ("Ann", "Bob"), games[0].wholes)  # tables are read when first needed
    times = []
    for n, game in enumerate(games):
        begin = time.process_time()
        review_game(game.taken, ("Ann", "Bob"), game.wholes if n % 2 else ())
        times.append(time.process_time() - begin)
    yield "review_game_ms", statistics.median(times) * 1000, "ms"
