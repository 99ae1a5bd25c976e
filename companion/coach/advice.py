"""The coach's answers to other programs: a question in, ranked choices out. Pure.

Questions and answers are told in docs/reference/advise.md. An answer depends on question, level and seed alone.
"""

from typing import Any

from companion.coach import asking, discarding, levels, playing
from companion.errors import BadMove

Answer = dict[str, Any]


def answer(asked: object, level: str = levels.EXPERT, seed: int = 0) -> Answer:
    """The choices, best first. Raises BadMove or BadCard where the question makes no sense."""
    if not isinstance(asked, dict):
        raise BadMove("A question is a JSON object with ask: discard or play.")
    what = asked.get("ask")
    if what == "discard":
        dealt = asking.discard(asked)
        found = levels.discards(dealt, level, seed)
        return {"ok": True, "choices": [_discard(choice) for choice in found]}
    if what == "play":
        turn = asking.play(asked)
        return {"ok": True, "choices": [_play(choice) for choice in levels.plays(turn, level, seed)]}
    raise BadMove("ask must be discard or play.")


def _discard(choice: discarding.Choice) -> Answer:
    return {
        "discard": [str(card) for card in choice.thrown],
        "hand": round(choice.hand, 9),
        "crib": round(choice.crib, 9),
        "pegging": round(choice.pegging, 9),
        "points": round(choice.points, 9),
        "win": round(choice.win, 9),
    }


def _play(choice: playing.Choice) -> Answer:
    card = None if choice.card is None else str(choice.card)
    return {"play": card, "points": round(choice.points, 9), "win": round(choice.win, 9)}
