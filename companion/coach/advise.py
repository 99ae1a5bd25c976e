"""Answers of `companion advise`: a question in, ranked choices out. Pure.

docs/reference/advise.md describes questions and answers. An answer depends only on question, level and seed.
"""

from typing import Any

from companion.coach import questions, skill_levels
from companion.coach.cribbage import discard, play
from companion.coach.cribbage.objective import MATCH, expected_game_points
from companion.common.errors import BadMove

JsonObject = dict[str, Any]


def answer_question(question: object, level: str = skill_levels.EXPERT, seed: int = 0) -> JsonObject:
    """Return the answer to a question, with the choices in order, best first.

    Raises BadMove or BadCard if the question is not valid.
    """
    if not isinstance(question, dict):
        raise BadMove("A question is a JSON object with ask: discard or play.")
    kind = question.get("ask")
    if kind == "discard":
        parsed = questions.parse_discard_question(question)
        found = skill_levels.rank_discards(parsed, level, seed)
        return {"ok": True, "choices": [_discard_to_json(choice) | _match_to_json(parsed, choice) for choice in found]}
    if kind == "play":
        turn = questions.parse_play_question(question)
        plays = skill_levels.rank_plays(turn, level, seed)
        return {"ok": True, "choices": [_play_to_json(choice) | _match_to_json(turn, choice) for choice in plays]}
    raise BadMove("ask must be discard or play.")


def _discard_to_json(choice: discard.DiscardChoice) -> JsonObject:
    return {
        "discard": [str(card) for card in choice.discard],
        "hand": round(choice.hand, 9),
        "crib": round(choice.crib, 9),
        "pegging": round(choice.pegging, 9),
        "points": round(choice.points, 9),
        "win": round(choice.win, 9),
    }


def _play_to_json(choice: play.PlayChoice) -> JsonObject:
    card = None if choice.card is None else str(choice.card)
    return {"play": card, "points": round(choice.points, 9), "win": round(choice.win, 9)}


def _match_to_json(
    question: questions.DiscardQuestion | play.PlayQuestion, choice: discard.DiscardChoice | play.PlayChoice
) -> JsonObject:
    if question.objective != MATCH:
        return {}
    return {"game_points": round(expected_game_points(choice.match, question.game_points), 9)}
