"""What a sensible player does with the cards he sees. Pure; chance, where there is any, is the caller's."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.coach.cribbage.expected_values import discards
from companion.rules.cards import PACK, Card
from companion.rules.scoring import items, play_items, points


def keep(held: Sequence[Card], *, own_crib: bool, size: int = 4) -> tuple[Card, ...]:
    """The cards to keep, four or (five-card) three: the best mean of the hand; of six, the crib for or against it."""
    if len(held) == size:
        return tuple(held)
    if len(held) == 6:
        best = max(discards(held), key=lambda d: d.hand + d.crib if own_crib else d.hand - d.crib)
        return best.kept
    return max(combinations(held, size), key=lambda kept: _mean(kept, held))


def _mean(kept: tuple[Card, ...], held: Sequence[Card]) -> float:
    unseen = [c for c in PACK if c not in held]
    if len(kept) == 4:
        return sum(points(kept, starter) for starter in unseen) / len(unseen)
    return sum(item.points for starter in unseen for item in items(kept, starter, five=True)) / len(unseen)


def choose(playable: Sequence[Card], series: Sequence[Card], count: int) -> Card:
    """The card to play: the most points now, then not leaving 5 or 21, then the highest card."""
    return max(playable, key=lambda c: tuple(_wishes(c, series, count)))


def _wishes(played: Card, series: Sequence[Card], count: int) -> Iterator[float]:
    after = count + played.value
    yield sum(item.points for item in play_items((*series, played), after))
    yield -(after in (5, 21)) - 0.5 * (not series and played.value == 5)
    yield played.value
