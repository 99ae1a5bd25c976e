"""Measurements of the coach in this process: discards, cards of the play, and whole games between two experts."""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from random import Random

from companion.coach import advise
from companion.coach.cribbage import discard
from companion.coach.questions import DiscardQuestion
from companion.coach.review import review_game
from companion.plugins.arena.game import DuplicateGame
from companion.rules.cards import PACK
from tests.plugins.arena.recorded_game import RecordedGame
from tests.support.play_positions import ask_discard

SEED = 14
QUESTION_COUNT = 60
GAME_COUNT = 24

Figure = tuple[str, float, str]


def measure_discard_win() -> Iterator[Figure]:
    random = Random(SEED)
    draw_score = partial(random.randrange, 100)
    dealt = [
        DiscardQuestion("six-card", tuple(random.sample(PACK, 6)), n % 2 == 0, (draw_score(), draw_score()), 121)
        for n in range(QUESTION_COUNT)
    ]
    for each in dealt:
        discard.rank_discards(each)  # tables by pairs of ranks are made when first needed
    times = []
    for each in dealt:
        begin = time.process_time()
        discard.rank_discards(each)
        times.append(time.process_time() - begin)
    yield "discard_win_us", statistics.median(times) * 1e6, "us"


def measure_decisions() -> Iterator[Figure]:
    """Measure decisions after some games, with warm caches as in a program that has played: discards and plays."""
    times: dict[object, list[float]] = {"discard": [], "play": []}

    def ask(question: dict[str, object]) -> object:
        begin = time.process_time()
        found = advise.answer_question(question)
        times[question["ask"]].append(time.process_time() - begin)
        return found

    gc.disable()  # as `companion advise` does
    for seed in range(GAME_COUNT):
        if seed == GAME_COUNT // 2:
            for each in times.values():
                each.clear()
        DuplicateGame((ask, ask), SEED + seed).play()
    gc.enable()
    for kind, found in times.items():
        yield f"{kind}_decision_ms_p99", statistics.quantiles(found, n=100)[98] * 1000, "ms"


def measure_first_answer() -> Iterator[Figure]:
    asked = ask_discard("9C 9D 7C 8D QS 4H", scores=[40, 112])
    timed = (
        "import time; from companion.coach.advise import answer_question; begin = time.process_time(); "
        f"answer_question({asked!r}); print(time.process_time() - begin)"
    )
    runs = [subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True) for _ in range(5)]
    yield "first_answer_ms", statistics.median(float(run.stdout) for run in runs) * 1000, "ms"


def measure_arena_games() -> Iterator[Figure]:
    begin = time.process_time()
    for seed in range(GAME_COUNT // 2):
        DuplicateGame((advise.answer_question, advise.answer_question), seed).play()
    yield "arena_games_per_s", GAME_COUNT / 2 / (time.process_time() - begin), "/s"


def measure_game_review() -> Iterator[Figure]:
    games = [RecordedGame(SEED + seed) for seed in range(GAME_COUNT // 2)]
    review_game(games[0].taken, ("Ann", "Bob"), games[0].wholes)  # tables are read when first needed
    times = []
    for n, game in enumerate(games):
        begin = time.process_time()
        review_game(game.taken, ("Ann", "Bob"), game.wholes if n % 2 else ())
        times.append(time.process_time() - begin)
    yield "review_game_ms", statistics.median(times) * 1000, "ms"
