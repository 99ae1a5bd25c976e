"""Simple heuristics for the discard and the play, without look-ahead. Pure."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.coach.cribbage.expected_values import compute_discard_values
from companion.rules.cards import PACK, Card
from companion.rules.scoring import itemize_hand, itemize_play, points


def choose_hand(held: Sequence[Card], *, own_crib: bool, size: int = 4) -> tuple[Card, ...]:
    """Return the cards to keep: those with the best expected hand.

    Of six cards, the expected crib is added or subtracted too. `size` is 4, or 3 in five-card cribbage.
    """
    if len(held) == size:
        return tuple(held)
    if len(held) == 6:
        best = max(compute_discard_values(held), key=lambda d: d.hand + d.crib if own_crib else d.hand - d.crib)
        return best.kept
    return max(combinations(held, size), key=lambda kept: _mean_hand_points(kept, held))


def _mean_hand_points(kept: tuple[Card, ...], held: Sequence[Card]) -> float:
    unseen = [c for c in PACK if c not in held]
    if len(kept) == 4:
        return sum(points(kept, starter) for starter in unseen) / len(unseen)
    return sum(item.points for starter in unseen for item in itemize_hand(kept, starter, is_five_card=True)) / len(
        unseen
    )


def choose_card(playable: Sequence[Card], series: Sequence[Card], count: int) -> Card:
    """Return the card to play: most points now, then a count other than 5 or 21, then the highest card."""
    return max(playable, key=lambda c: tuple(_play_preferences(c, series, count)))


def _play_preferences(played: Card, series: Sequence[Card], count: int) -> Iterator[float]:
    after = count + played.value
    yield sum(item.points for item in itemize_play((*series, played), after))
    yield -(after in (5, 21)) - 0.5 * (not series and played.value == 5)
    yield played.value
