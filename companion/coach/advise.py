"""The coach's answers to other programs: a question in, ranked choices out. Pure.

Questions and answers are told in docs/reference/advise.md. An answer depends on question, level and seed alone.
"""

from typing import Any

from companion.coach import questions, skill_levels
from companion.coach.cribbage import discard, play
from companion.common.errors import BadMove

Answer = dict[str, Any]


def answer(asked: object, level: str = skill_levels.EXPERT, seed: int = 0) -> Answer:
    """The choices, best first. Raises BadMove or BadCard where the question makes no sense."""
    if not isinstance(asked, dict):
        raise BadMove("A question is a JSON object with ask: discard or play.")
    what = asked.get("ask")
    if what == "discard":
        dealt = questions.discard(asked)
        found = skill_levels.discards(dealt, level, seed)
        return {"ok": True, "choices": [_discard(choice) for choice in found]}
    if what == "play":
        turn = questions.play(asked)
        return {"ok": True, "choices": [_play(choice) for choice in skill_levels.plays(turn, level, seed)]}
    raise BadMove("ask must be discard or play.")


def _discard(choice: discard.Choice) -> Answer:
    return {
        "discard": [str(card) for card in choice.thrown],
        "hand": round(choice.hand, 9),
        "crib": round(choice.crib, 9),
        "pegging": round(choice.pegging, 9),
        "points": round(choice.points, 9),
        "win": round(choice.win, 9),
    }


def _play(choice: play.Choice) -> Answer:
    card = None if choice.card is None else str(choice.card)
    return {"play": card, "points": round(choice.points, 9), "win": round(choice.win, 9)}
