"""What hands and cribs have counted, and what the same cards count on average over all that could be cut. Pure.

The difference is the luck of the starter, exactly. Only whole hands are looked at, whoever counted them, and however.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.rules import scoring
from companion.rules.cards import PACK, Card
from companion.rules.moves import Crib, Next, Starter
from companion.table.plan import Plan
from companion.table.tally import Made

_CRIB = 4
_HANDS = {"five-card": 3}
"""Cards of a hand, where it has not as many."""


def told(plan: Plan, moves: Sequence[Made]) -> list[dict[str, Any]] | None:
    """By side, how many `hands` and cribs were seen, what they `counted`, and their `mean`; or None."""
    found = [{"hands": 0, "counted": 0, "mean": 0.0} for _ in range(plan.sides)]
    for view, dealer in _deals(plan, moves):
        for seat, cards, is_crib in _whole(plan, view, dealer):
            by = _by_starter(cards, is_crib=is_crib)
            own = found[seat % plan.sides]
            own["hands"] += 1
            own["counted"] += by[view["starter"]]
            own["mean"] += sum(by.values()) / len(by)
    return [each | {"mean": round(each["mean"], 3)} for each in found] if any(each["hands"] for each in found) else None


def _deals(plan: Plan, moves: Sequence[Made]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """What lay at the end of each deal, and who dealt."""
    dealer = 0
    for made, after in zip(moves, [*moves[1:], None], strict=True):
        if isinstance(made.past.move, Crib):  # after it the next dealer may stand there
            dealer = int(plan.game.view(made.before).get("dealer") or 0)
        if after is None or isinstance(after.past.move, Starter | Next):
            yield plan.game.view(made.past.state), dealer


def _whole(plan: Plan, view: Mapping[str, Any], dealer: int) -> Iterator[tuple[int, tuple[Card, ...], bool]]:
    """The hands of a deal of which all cards are known, and the crib: whose, the cards, whether it is a crib."""
    if not view.get("starter") or not view.get("played"):
        return
    shown = view.get("hands") or ()
    for seat, played in enumerate(view["played"]):
        cards = tuple(shown[seat] if len(shown) > seat and shown[seat] else played)
        if len(cards) == _HANDS.get(plan.game.key, _CRIB):
            yield seat, cards, False
    if len(view.get("crib") or ()) == _CRIB:
        yield dealer, tuple(view["crib"]), True


def _by_starter(cards: tuple[Card, ...], *, is_crib: bool) -> dict[Card, int]:
    """What these cards count with each starter that they leave."""
    others = [card for card in PACK if card not in cards]
    if len(cards) == _CRIB:
        points = scoring.by_starter(cards, is_crib)
        return {card: points[card] for card in others}
    return {card: scoring.total(scoring.items(cards, card, five=True)) for card in others}
