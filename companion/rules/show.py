"""The show of one deal: who counts when, and what a hand is worth to whom. Pure; for all with a show."""

from collections.abc import Iterator

from companion.rules.cards import Card
from companion.rules.engine import Award
from companion.rules.scoring import items


def order(dealer: int, seats: int) -> Iterator[int]:
    """The seats in the order they count: from the dealer's left clockwise, the dealer last."""
    return ((dealer + n) % seats for n in range(1, seats + 1))


def count(
    seat: int, hand: tuple[Card, ...], starter: Card, *, crib: bool = False, five: bool = False
) -> tuple[Award, ...]:
    """What a hand, or the crib, gives its seat: one award a thing that scores. Raises BadCard as `items` does."""
    return tuple(Award(seat, item.points, item.reason, item.cards) for item in items(hand, starter, crib, five))
