"""What a sensible player does with the cards he sees. Pure; chance, where there is any, is the caller's."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.coach.odds import discards
from companion.rules.cards import PACK, Card
from companion.rules.scoring import play_items, points


def keep(held: Sequence[Card], *, own_crib: bool) -> tuple[Card, ...]:
    """The four cards to keep of five or six: the best mean of the hand, the crib counted for or against."""
    if len(held) == 6:
        best = max(discards(held), key=lambda d: d.hand + d.crib if own_crib else d.hand - d.crib)
        return best.kept
    return max(combinations(held, 4), key=lambda kept: _mean(kept, held))


def _mean(kept: tuple[Card, ...], held: Sequence[Card]) -> float:
    unseen = [c for c in PACK if c not in held]
    return sum(points(kept, starter) for starter in unseen) / len(unseen)


def choose(playable: Sequence[Card], series: Sequence[Card], count: int) -> Card:
    """The card to play: the most points now, then not leaving 5 or 21, then the highest card."""
    return max(playable, key=lambda c: tuple(_wishes(c, series, count)))


def _wishes(played: Card, series: Sequence[Card], count: int) -> Iterator[float]:
    after = count + played.value
    yield sum(item.points for item in play_items((*series, played), after))
    yield -(after in (5, 21)) - 0.5 * (not series and played.value == 5)
    yield played.value
