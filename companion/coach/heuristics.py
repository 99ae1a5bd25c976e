"""Simple heuristics for games without advice, without look-ahead. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.coach.cribbage.expected_values import compute_discard_values
from companion.rules.cards import PACK, Card
from companion.rules.moves import Cell
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, FIGURES
from companion.rules.scoring import itemize_hand, itemize_play, points

RandomSource = Callable[[], float]
"""Returns a random number from 0 to below 1, as `Random.random` does."""

FIGURE_PROMISE = (0.0, 0.0, 0.05, 0.2, 0.6, 1.0)
"""Share of a figure's points that a colour in Sackson swap is worth, by the number of its five markers in place."""
RANDOM_BONUS_POINTS = 0.3
"""Largest random bonus of an exchange, in points. Without it, two players could repeat their moves for ever."""


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


def choose_chips(view: Mapping[str, Any], options: Mapping[str, str], chance: RandomSource) -> tuple[str, ...]:
    """Return the chips to take in Sackson swap, so that two are held: those with the best exchange."""
    held = view["held"][view["turn"] % 2]
    return max(
        combinations(view["bank"], 2 - len(held)),
        key=lambda chips: max(
            (rated[0] for rated in _rate_exchanges(view, options, (*held, *chips), chance)), default=-1.0
        ),
    )


def choose_exchange(view: Mapping[str, Any], options: Mapping[str, str], chance: RandomSource) -> tuple[Cell, Cell]:
    """Return the cells to exchange in Sackson swap, of the two colours held."""
    return max(_rate_exchanges(view, options, view["held"][view["turn"] % 2], chance))[1:]


def choose_return(view: Mapping[str, Any], options: Mapping[str, str], chance: RandomSource) -> str:
    """Return the chip to give back in Sackson swap: the colour that is worth less."""
    laid = _parse_display(view)
    chips: Sequence[str] = view["held"][view["turn"] % 2]
    return min(chips, key=lambda chip: (_rate_colour(view, options, laid, chip), chance()))


def _rate_exchanges(
    view: Mapping[str, Any], options: Mapping[str, str], chips: Sequence[str], chance: RandomSource
) -> Iterator[tuple[float, Cell, Cell]]:
    """Yield every legal exchange of two colours after its value: what both colours are worth then."""
    laid = _parse_display(view)
    for a, b in grid.find_exchanges(laid, *map(COLOURS.index, chips)):
        after = grid.exchange_markers(laid, a, b)
        worth = sum(_rate_colour(view, options, after, chip) for chip in chips)
        yield worth + RANDOM_BONUS_POINTS * chance(), a, b


def _rate_colour(view: Mapping[str, Any], options: Mapping[str, str], laid: grid.MarkerGrid, chip: str) -> float:
    """Return the points that a colour scores, or may soon score, from where its markers are."""
    counts = _count_in_figures(
        laid[COLOURS.index(chip)], options.get("zigzag", "alternating"), options.get("diagonals", "on") == "on"
    )
    points: Sequence[int] = [view["stones"][figure][chip] for figure in FIGURES]
    return max(FIGURE_PROMISE[count] * value for count, value in zip(counts, points, strict=True))


@lru_cache(4096)  # the next turn asks for nearly the same positions
def _count_in_figures(bits: int, zigzag: str, diagonals: bool) -> tuple[int, ...]:
    """Return, for each kind of figure, how many of a colour's markers are in place in the nearest one."""
    figures = grid.find_figures(zigzag, diagonals)
    return tuple(
        max(((cells & bits).bit_count() for cells, name in figures.items() if name == kind), default=0)
        for kind in FIGURES
    )


def _parse_display(view: Mapping[str, Any]) -> grid.MarkerGrid:
    return grid.parse_grid([name for row in view["display"] for name in row])
