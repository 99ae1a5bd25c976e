"""Players of Sackson swap that look one turn or two turns ahead. Pure.

The one-turn player (`..._one_ply`) adds the points of an exchange to the promise of the chip that it keeps, less part
of the promise of the chip that it returns. The two-turn player takes the best of these exchanges and searches the
opponent's best answer to each. It values reaching 61 first above everything, and more with a lead of eleven.

`RandomSource` decides between choices of nearly equal value; otherwise two such players could repeat moves for ever.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.rules.moves import Cell
from companion.rules.sackson import grid
from companion.rules.sackson.game import DOUBLE_GAME_LEAD, STONE_POINTS, TARGET_POINTS
from companion.rules.sackson.grid import COLOURS, FIGURES, MarkerGrid

RandomSource = Callable[[], float]

FIGURE_PROMISE = (0.0, 0.0, 0.05, 0.2, 0.6)
"""Share of a figure's points that a colour promises, by the number of its five markers in place."""
RETURNED_CHIP_WEIGHT = 0.5
"""Share of a returned chip's promise that the opponent is expected to use."""
RANDOM_BONUS_POINTS = 0.3
"""Largest random bonus of an exchange, in points."""
_CACHE_SIZE = 4096
"""Marker positions in the cache. There are 53,130; the next turn asks for nearly the same ones."""


@dataclass(frozen=True, slots=True)
class TableView:
    """What the side on turn sees: display, own chips, bank, stones and the figures in play."""

    laid: MarkerGrid
    held: tuple[int, ...]
    bank: tuple[int, ...]
    stones: tuple[tuple[int, ...], ...]
    zigzag: str
    diagonals: bool
    theirs: tuple[int, ...] = ()
    """The opponent's chips."""
    scores: tuple[int, int] = (0, 0)
    """Scores of the own side and of the other side."""


def build_table_view(view: Mapping[str, Any], options: Mapping[str, str]) -> TableView:
    """Return what the seat on turn sees, from the game's public view."""
    side = view["turn"] % 2
    held = view["held"][side]
    return TableView(
        laid=grid.parse_grid([name for row in view["display"] for name in row]),
        held=tuple(COLOURS.index(chip) for chip in held),
        bank=tuple(COLOURS.index(chip) for chip in view["bank"]),
        stones=tuple(tuple(view["stones"][figure][colour] for colour in COLOURS) for figure in FIGURES),
        zigzag=options.get("zigzag", "alternating"),
        diagonals=options.get("diagonals", "on") == "on",
        theirs=tuple(COLOURS.index(chip) for chip in view["held"][1 - side]),
        scores=(view["scores"][side], view["scores"][1 - side]),
    )


def choose_chips_one_ply(view: TableView, chance: RandomSource) -> tuple[str, ...]:
    """Return the chips to take, so that two are held: those with the best exchange."""
    choices = list(combinations(view.bank, 2 - len(view.held)))
    worth = {chips: _best_exchange_value(view, (*view.held, *chips), chance) for chips in choices}
    return tuple(COLOURS[chip] for chip in max(choices, key=lambda chips: worth[chips]))


def choose_exchange_one_ply(view: TableView, chance: RandomSource) -> tuple[Cell, Cell] | None:
    """Return the cells to exchange, of the two colours held; None if no exchange is legal."""
    found = list(rate_exchanges(view, view.held, chance))
    return max(found)[1:] if found else None


def choose_return_one_ply(view: TableView, chance: RandomSource) -> str:
    """Return the chip to give back: the colour that promises less."""
    one, other = view.held
    return COLOURS[min((one, other), key=lambda chip: (promised_points(view, view.laid[chip], chip), chance()))]


def _best_exchange_value(view: TableView, chips: tuple[int, ...], chance: RandomSource) -> float:
    """Return the value of the best exchange of two colours; -1 if none is legal."""
    return max((value for value, _, _ in rate_exchanges(view, chips, chance)), default=-1.0)


def rate_exchanges(view: TableView, chips: tuple[int, ...], chance: RandomSource) -> Iterator[tuple[float, Cell, Cell]]:
    """Yield every legal exchange of two colours with its value."""
    one, other = chips
    for a, b in grid.find_exchanges(view.laid, one, other):
        after = grid.exchange_markers(view.laid, a, b)
        yield exchange_value(view, after, one, other) + RANDOM_BONUS_POINTS * chance(), a, b


def exchange_value(view: TableView, after: MarkerGrid, one: int, other: int) -> float:
    """Return the value of an exchange that leads to the display `after`, one turn ahead."""
    figures = grid.find_figures(view.zigzag, view.diagonals)
    made = [colour for colour in (one, other) if after[colour] in figures]
    points = sum(view.stones[FIGURES.index(figures[after[colour]])][colour] for colour in made)
    first, second = (promised_points(view, after[colour], colour) for colour in (one, other))
    if len(made) == 1:  # the chip of a completed figure returns automatically
        kept, given = (second, first) if made == [one] else (first, second)
    else:
        kept, given = max(first, second), min(first, second)
    return points + kept - RETURNED_CHIP_WEIGHT * given


def promised_points(view: TableView, bits: int, colour: int) -> float:
    """Return the points that a colour's markers may soon score from where they stand."""
    most = _best_figure_counts(bits, view.zigzag, view.diagonals)
    return max(FIGURE_PROMISE[count] * row[colour] for count, row in zip(most, view.stones, strict=True))


@lru_cache(_CACHE_SIZE)
def _best_figure_counts(bits: int, zigzag: str, diagonals: bool) -> tuple[int, ...]:
    """Return, for each kind of figure, how many of five markers stand in the nearest incomplete figure."""
    figures = grid.find_figures(zigzag, diagonals)
    return tuple(
        max(
            (both for figure, name in figures.items() if name == kind and (both := (figure & bits).bit_count()) < 5),
            default=0,
        )
        for kind in FIGURES
    )


MAX_EXCHANGES_SEARCHED = 8
"""Number of exchanges that are searched two turns ahead."""
WIN_POINTS, DOUBLE_WIN_POINTS = 100.0, 50.0
"""Value of winning the game, and the additional value of a lead of eleven, in points."""


def choose_chips(view: TableView, chance: RandomSource) -> tuple[str, ...]:
    """Return the chips to take, so that two are held: those with the best exchange."""
    choices = list(combinations(view.bank, 2 - len(view.held)))
    found = [
        (worth, chips, cells)
        for chips in choices
        for worth, *cells in rate_exchanges(view, (*view.held, *chips), chance)
    ]  # fmt: skip
    if not found:
        return tuple(COLOURS[chip] for chip in choices[0])
    best = sorted(found, key=lambda each: -each[0])[:MAX_EXCHANGES_SEARCHED]
    taken = max(best, key=lambda each: _two_turn_value(view, (*view.held, *each[1]), (each[2][0], each[2][1])))
    return tuple(COLOURS[chip] for chip in taken[1])


def choose_exchange(view: TableView, chance: RandomSource) -> tuple[Cell, Cell] | None:
    """Return the cells to exchange, of the two colours held; None if no exchange is legal."""
    found = sorted(rate_exchanges(view, view.held, chance), reverse=True)[:MAX_EXCHANGES_SEARCHED]
    if not found:
        return None
    return max(
        ((a, b) for _, a, b in found),
        key=lambda cells: _two_turn_value(view, view.held, cells) + RANDOM_BONUS_POINTS * chance(),
    )


def choose_return(view: TableView, chance: RandomSource) -> str:
    """Return the chip to give back: the one that helps the opponent less."""
    one, other = view.held
    returns = {one: other, other: one}
    given = max(
        returns,
        key=lambda chip: (_value_after_return(view, view.laid, view.stones, returns[chip], view.scores), chance()),
    )
    return COLOURS[given]


def _two_turn_value(view: TableView, held: tuple[int, ...], cells: tuple[Cell, Cell]) -> float:
    """Return the value of an exchange less the value of the opponent's best answer."""
    after = grid.exchange_markers(view.laid, *cells)
    made, points, stones = _complete_figures(view, after, held)
    own, other = view.scores[0] + points, view.scores[1]
    if own >= TARGET_POINTS:
        return WIN_POINTS + points + DOUBLE_WIN_POINTS * (own - other >= DOUBLE_GAME_LEAD)
    one, two = held
    kept = [two if made == [one] else one] if len(made) == 1 else [one, two]
    return points + max(_value_after_return(view, after, stones, chip, (own, other)) for chip in kept)


def _complete_figures(
    view: TableView, after: MarkerGrid, held: tuple[int, ...]
) -> tuple[list[int], int, tuple[tuple[int, ...], ...]]:
    """Return the colours that complete a figure, their points, and the stones after them."""
    figures = grid.find_figures(view.zigzag, view.diagonals)
    made, points, stones = (
        [colour for colour in held if after[colour] in figures],
        0,
        [list(row) for row in view.stones],
    )
    for colour in made:
        row = stones[FIGURES.index(figures[after[colour]])]
        points += row[colour]
        row[colour] = STONE_POINTS[min(STONE_POINTS.index(row[colour]) + 1, len(STONE_POINTS) - 1)]
    return made, points, tuple(map(tuple, stones))


def _value_after_return(
    view: TableView, after: MarkerGrid, stones: tuple[tuple[int, ...], ...], kept: int, scores: tuple[int, int]
) -> float:
    """Return the promise of the chip that is kept, less the value of the opponent's best turn."""
    bank = tuple(chip for chip in range(len(COLOURS)) if chip != kept and chip not in view.theirs)
    theirs = replace(
        view, laid=after, stones=stones, held=view.theirs, theirs=(kept,), bank=bank, scores=(scores[1], scores[0])
    )
    return promised_points(theirs, after[kept], kept) - max(_answer_values(theirs), default=0.0)


def _answer_values(view: TableView) -> Iterator[float]:
    """Yield the value of each possible turn of the side `view`, one turn ahead."""
    near = view.scores[0] + 2 * STONE_POINTS[0] >= TARGET_POINTS
    for chips in combinations(view.bank, 2 - len(view.held)):
        both = (*view.held, *chips)
        for a, b in grid.find_exchanges(view.laid, *both):
            after = grid.exchange_markers(view.laid, a, b)
            wins = near and view.scores[0] + _complete_figures(view, after, both)[1] >= TARGET_POINTS
            yield exchange_value(view, after, *both) + WIN_POINTS * wins
