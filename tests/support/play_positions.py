"""Seeded questions of the play for the coach: random deals, partly played."""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.rules import play
from companion.rules.cards import PACK, parse_cards


def ask_discard(hand: str, *, dealer: bool = True, scores: Sequence[int] = (0, 0), **more: Any) -> dict[str, Any]:
    """Return the question of what to discard of a hand of six."""
    question = {"ask": "discard", "game": "six-card", "hand": hand.split(), "dealer": dealer, "target": 121}
    return question | {"scores": [*scores]} | more


def ask_play(
    hand: str, series: str = "", *, own: str = "", other: str = "", starter: str, discarded: str = "",
    scores: Sequence[int] = (0, 0), **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the dealer's question of which card to play. `own` and `other` are the cards played before."""
    count = sum(card.value for card in parse_cards(series))
    return {
        "ask": "play", "game": "six-card", "hand": hand.split(), "kept": [*hand.split(), *own.split()],
        "discarded": discarded.split() or None, "starter": starter, "dealer": True, "series": series.split(),
        "count": count, "played": [own.split(), other.split()], "gone": [False, False], "scores": [*scores],
        "target": 121,
    } | more  # fmt: skip


def draw_play_question(chance: Random, scores: tuple[int, int], size: int = 4) -> dict[str, object]:
    """Return the question of a player with a choice, after random cards of a random deal.

    :param scores: lowest and highest score of both players.
    """
    return draw_position(chance, scores, size)[0]


def draw_position(
    chance: Random, scores: tuple[int, int], size: int = 4
) -> tuple[dict[str, object], play.PlayProgress]:
    """Return such a question, and the play so far. Seat 0 is the dealer."""
    while True:
        cards = chance.sample(PACK, 2 * size + 5)
        kept = (cards[:size], cards[size : 2 * size])
        laid, dealer = play.begin_play(2, 1, hand_size=size, is_single_series=size == 3), 0
        for _ in range(chance.randrange(2 * size - 1)):
            seat = laid.turn
            if seat is None:
                break
            fitting = _fitting_cards(laid, kept[seat], seat)
            laid = play.play_card(laid, seat, chance.choice(fitting))[0] if fitting else play.say_go(laid, seat)[0]
        seat = laid.turn
        if seat is None or len(_fitting_cards(laid, kept[seat], seat)) < 2:
            continue
        target = 121 if size == 4 else 61
        question = {
            "ask": "play", "game": "six-card" if size == 4 else "five-card",
            "hand": [str(card) for card in kept[seat] if card not in laid.played[seat]],
            "kept": [str(card) for card in kept[seat]],
            "discarded": [str(card) for card in cards[-3:-1]], "starter": str(cards[-1]), "dealer": seat == dealer,
            "series": [str(card) for card in laid.series], "count": laid.count,
            "played": [[str(card) for card in laid.played[each]] for each in (seat, 1 - seat)],
            "gone": [each in laid.gone for each in (seat, 1 - seat)],
            "scores": [chance.randint(*scores), chance.randint(*scores)], "target": target,
        }  # fmt: skip
        return question, laid


def _fitting_cards(laid: play.PlayProgress, kept: list, seat: int) -> list:  # type: ignore[type-arg]
    return [card for card in kept if card not in laid.played[seat] and card.value + laid.count <= play.MAX_COUNT]
