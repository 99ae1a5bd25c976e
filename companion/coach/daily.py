"""The daily deal: a hand and a starter that depend on a date alone, what each discard costs, and its count. Pure.

The deal of a date never changes, whatever the version of Python: the 52 cards lie in the order of the SHA-256 of
`DATE CARD`, as in `2026-01-31 5H`. The first six are the hand, the seventh is the starter. The player deals if the
SHA-256 of `DATE dealer` begins with an even byte. It is the first deal of a game of six-card cribbage.
"""

from hashlib import sha256

from companion.coach import advise
from companion.coach.advise import JsonObject
from companion.common.constants import CARDS_DEALT, DEFAULT_TARGETS
from companion.rules import narration, scoring
from companion.rules.cards import PACK, Card, parse_card

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
    ranked = advise.answer_question(question)["choices"]
    return {
        "date": date, "asked": question, "starter": str(starter),
        "ranked": [each | {"count": _count_kept_cards(hand, each["discard"], starter)} for each in ranked],
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
