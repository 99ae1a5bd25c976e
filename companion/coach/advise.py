"""Answers of `companion advise`, and the daily deal: a question in, ranked choices out. Pure.

docs/reference/advise.md describes questions and answers. An answer depends only on question, level and seed.

The daily deal is a hand and a starter that depend on a date alone, whatever the version of Python: the 52 cards lie
in the order of the SHA-256 of `DATE CARD`, as in `2026-01-31 5H`. The first six are the hand, the seventh is the
starter. The player deals if the SHA-256 of `DATE dealer` begins with an even byte. It is the first deal of a game of
six-card cribbage.
"""

from hashlib import sha256
from typing import Any

from companion.coach import questions, skill_levels
from companion.coach.cribbage import discard, play
from companion.coach.cribbage.tables import MATCH, expected_game_points
from companion.common.constants import CARDS_DEALT, DEFAULT_TARGETS
from companion.common.errors import BadMove
from companion.rules import narration, scoring
from companion.rules.cards import PACK, Card, parse_card

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


_GAME = "six-card"


def describe_daily_deal(date: str) -> JsonObject:
    """Return the deal of an ISO date: the question of `companion advise`, its ranked choices with counts, the starter.

    The first call of a process loads the coach's tables, which takes some tenths of a second.
    """
    hand, starter, is_dealer = deal_daily_cards(date)
    question: JsonObject = {
        "ask": "discard", "game": _GAME, "hand": [str(card) for card in hand], "dealer": is_dealer,
        "scores": [0, 0], "target": DEFAULT_TARGETS[_GAME],
    }  # fmt: skip
    ranked = answer_question(question)["choices"]
    return {
        "date": date, "asked": question, "starter": str(starter),
        "ranked": [choice | {"count": _count_kept_cards(hand, choice["discard"], starter)} for choice in ranked],
    }  # fmt: skip


def deal_daily_cards(date: str) -> tuple[list[Card], Card, bool]:
    """Return the sorted hand, the starter, and whether the player deals."""
    size = CARDS_DEALT[_GAME]
    pack = sorted(PACK, key=lambda card: _digest(f"{date} {card}"))
    return sorted(pack[:size]), pack[size], _digest(f"{date} dealer")[0] % 2 == 0


def _digest(text: str) -> bytes:
    return sha256(text.encode("ascii")).digest()


def _count_kept_cards(hand: list[Card], discard: list[str], starter: Card) -> JsonObject:
    away = {parse_card(text) for text in discard}
    items = scoring.itemize_hand([card for card in hand if card not in away], starter)
    return {"points": scoring.sum_points(items), "say": narration.describe_count(items)}
