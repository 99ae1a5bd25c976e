"""What a choice costs against the best one, and whether the coach knows the difference that exactly. Pure.

`own` and `best` are rows of the answer of `companion advise` to a question.
"""

from typing import NamedTuple

from companion.coach.advise import JsonObject
from companion.coach.cribbage.objective import GAME_POINTS
from companion.coach.cribbage.play import HAND_SIZE, MAX_SEARCH_HANDS
from companion.coach.cribbage.win_chance import NEGLIGIBLE_WIN_CHANCE


class ChoiceCost(NamedTuple):
    """Points lost, and games lost. In a match, game points are converted into games won instead of lost."""

    points: float
    games: float


_EXACT = ChoiceCost(0.05, NEGLIGIBLE_WIN_CHANCE)
SEARCH_ACCURACIES = {4: ChoiceCost(0.3, 0.006), 3: ChoiceCost(0.15, 0.003)}
"""By number of cards held, the errors that nine of ten differences do not exceed if a card is tried against some of the
opponent's possible hands only."""
_DISCARD_ACCURACY = ChoiceCost(0.1, 0.002)
"""The same for discards: the table of pegging differs by 0.08 points from one of other deals."""


def measure_cost(question: JsonObject, own: JsonObject, best: JsonObject) -> ChoiceCost:
    """Return what `own` costs."""
    points = best["points"] - own["points"]
    if "game_points" not in best:
        return ChoiceCost(points, max(0.0, best["win"] - own["win"]))
    return ChoiceCost(points, (best["game_points"] - own["game_points"]) / (2 * _points_of_game(question)))


def measure_game_points(question: JsonObject, cost: ChoiceCost) -> float:
    """Return the games lost as game points of the match."""
    return cost.games * 2 * _points_of_game(question)


def _points_of_game(question: JsonObject) -> int:
    return GAME_POINTS[question["game_points"]][0]


def is_about_as_good(question: JsonObject, cost: ChoiceCost) -> bool:
    """Return whether the cost is below the accuracy of the answer."""
    if question["ask"] == "discard":
        limit = _DISCARD_ACCURACY
    else:
        is_five_card = len(question["kept"]) < HAND_SIZE  # never tries all hands
        is_near_end = question["target"] - max(question["scores"]) <= MAX_SEARCH_HANDS[0][0]
        is_exact = is_near_end and bool(question["played"][1]) and not is_five_card
        limit = _EXACT if is_exact else SEARCH_ACCURACIES.get(len(question["hand"]) + is_five_card, _EXACT)
    return cost.points < limit.points and cost.games < limit.games
