"""What a hand of three or four is worth with each starter. Pure."""

from collections.abc import Sequence

from companion.coach.ranks import of, with_starters
from companion.rules.cards import JACK, PACK, Card
from companion.rules.scoring import by_starter


def shown(kept: Sequence[Card]) -> Sequence[int]:
    """By starter: the points. The entries of the hand's own cards mean nothing."""
    if len(kept) == 4:
        return by_starter(kept)
    points = with_starters(of(kept))
    flush = len(kept) if len({card.suit for card in kept}) == 1 else 0
    jacks = {card.suit for card in kept if card.rank == JACK}
    return [
        points[starter.rank]
        + flush
        + (flush > 0 and starter.suit == kept[0].suit)
        + (starter.suit in jacks and starter.rank != JACK)
        for starter in PACK
    ]
