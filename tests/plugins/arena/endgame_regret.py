"""How much of a game the coach loses by its cards near the end, against the exact best response to its own model.

`python -m tests.plugins.arena.endgame_regret endings.jsonl --decisions 400` draws positions with both scores from 108
to 120, a random hand and random cards before, and prints the mean and the largest regret. The exact values are searched
over all hands that the coach thinks possible (up to 1,820); they are kept in the file, so the tool may be stopped and
started again, and another coach may be compared with the same values.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.coach.cribbage import play
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.questions import parse_play_question
from companion.rules.cards import parse_card
from tests.plugins.arena.result_lines import add_results, parse_arguments
from tests.support.play_positions import draw_play_question

SEED = 27
SCORES = (108, 120)
ALL_HANDS = 1820


def draw_questions(number: int) -> Iterator[PlayQuestion]:
    """Yield questions with two or more cards of different ranks in hand."""
    chance = Random(SEED)
    for _ in range(number):
        yield parse_play_question(draw_play_question(chance, SCORES))


def compute_exact_values(turn: PlayQuestion) -> dict[str, float]:
    """Return the chance to win by card, if the player plays on as well as possible against every hand."""
    return {str(choice.card): choice.win for choice in play.search_plays(turn, ALL_HANDS)}


def measure_regrets(path: Path, number: int) -> list[float]:
    turns = list(draw_questions(number))
    regrets = []
    for turn, values in zip(turns, add_results(path, number, lambda n: compute_exact_values(turns[n])), strict=False):
        exact = {parse_card(card): win for card, win in values.items()}
        card = play.rank_plays(turn)[0].card
        assert card is not None  # every question has two cards that fit
        regrets.append(max(exact.values()) - exact[card])
    return regrets


def main() -> None:
    given = parse_arguments(__doc__, decisions=400)
    regrets = measure_regrets(given.file, given.decisions)
    print(f"{len(regrets)} decisions: mean regret {100 * sum(regrets) / len(regrets):.4f} %, "
          f"largest {100 * max(regrets):.2f} %, {sum(each > 0.01 for each in regrets)} over 1 %")  # fmt: skip


if __name__ == "__main__":
    main()
