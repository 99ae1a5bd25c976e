"""A player of Sackson swap who looks two turns ahead: his own, and the best answer of the other side. Pure.

Of his exchanges he takes those that look best one turn ahead (`companion.coach.sackson`), and for each, and each chip
that may go back, he looks for the other's best turn. Reaching 61 first is worth more than anything; a lead of eleven
then more still.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.rules.moves import Cell
from companion.rules.sackson import grid
from companion.rules.sackson.game import DOUBLE, STONES, TARGET
from companion.rules.sackson.grid import COLOURS, FIGURES, Display

Chance = Callable[[], float]

HOPE = (0.0, 0.0, 0.05, 0.2, 0.6)
"""What share of a figure's points so many of its five markers promise."""
WORRY = 0.5
"""How much of that another side may make of the chip that is given back."""
WHIM = 0.3
"""Points by which chance may count an exchange better than it is."""
_REMEMBERED = 4096
"""So many places of five markers are remembered: the next turn asks of nearly the same. There are 53,130."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the side whose turn it is sees: the display, its own chips, the bank, the stones, the figures there are."""

    laid: Display
    held: tuple[int, ...]
    bank: tuple[int, ...]
    stones: tuple[tuple[int, ...], ...]
    zigzag: str
    diagonals: bool
    theirs: tuple[int, ...] = ()
    """The other side's chips."""
    scores: tuple[int, int] = (0, 0)
    """One's own side's, and the other's."""


def sight(view: Mapping[str, Any], options: Mapping[str, str]) -> Sight:
    """What lies before the seat whose turn it is, of the game's public view."""
    side = view["turn"] % 2
    held = view["held"][side]
    return Sight(
        laid=grid.laid([name for row in view["display"] for name in row]),
        held=tuple(COLOURS.index(chip) for chip in held),
        bank=tuple(COLOURS.index(chip) for chip in view["bank"]),
        stones=tuple(tuple(view["stones"][figure][colour] for colour in COLOURS) for figure in FIGURES),
        zigzag=options.get("zigzag", "alternating"),
        diagonals=options.get("diagonals", "on") == "on",
        theirs=tuple(COLOURS.index(chip) for chip in view["held"][1 - side]),
        scores=(view["scores"][side], view["scores"][1 - side]),
    )


def choose_chips_one_ply(seen: Sight, chance: Chance) -> tuple[str, ...]:
    """The chips to take, so that two are held: those with the best exchange."""
    choices = list(combinations(seen.bank, 2 - len(seen.held)))
    worth = {chips: _best(seen, (*seen.held, *chips), chance) for chips in choices}
    return tuple(COLOURS[chip] for chip in max(choices, key=lambda chips: worth[chips]))


def choose_exchange_one_ply(seen: Sight, chance: Chance) -> tuple[Cell, Cell] | None:
    """The exchange to make of the two colours held; None where none is legal."""
    found = list(valued(seen, seen.held, chance))
    return max(found)[1:] if found else None


def choose_return_one_ply(seen: Sight, chance: Chance) -> str:
    """The chip to return: of the colour that promises less."""
    one, other = seen.held
    return COLOURS[min((one, other), key=lambda chip: (promise(seen, seen.laid[chip], chip), chance()))]


def _best(seen: Sight, chips: tuple[int, ...], chance: Chance) -> float:
    """What the best exchange of two colours is worth; less than any, where none is legal."""
    return max((value for value, _, _ in valued(seen, chips, chance)), default=-1.0)


def valued(seen: Sight, chips: tuple[int, ...], chance: Chance) -> Iterator[tuple[float, Cell, Cell]]:
    """Every legal exchange of these two colours, with what it is worth to the side."""
    one, other = chips
    for a, b in grid.exchanges(seen.laid, one, other):
        after = grid.exchanged(seen.laid, a, b)
        yield value(seen, after, one, other) + WHIM * chance(), a, b


def value(seen: Sight, after: Display, one: int, other: int) -> float:
    """What an exchange that leads to the display `after` is worth, one turn ahead."""
    figures = grid.figures(seen.zigzag, seen.diagonals)
    made = [colour for colour in (one, other) if after[colour] in figures]
    points = sum(seen.stones[FIGURES.index(figures[after[colour]])][colour] for colour in made)
    first, second = (promise(seen, after[colour], colour) for colour in (one, other))
    if len(made) == 1:  # its chip goes back by itself
        kept, given = (second, first) if made == [one] else (first, second)
    else:
        kept, given = max(first, second), min(first, second)
    return points + kept - WORRY * given


def promise(seen: Sight, bits: int, colour: int) -> float:
    """The points that a colour's markers, as they stand, may soon make."""
    most = _nearest(bits, seen.zigzag, seen.diagonals)
    return max(HOPE[count] * row[colour] for count, row in zip(most, seen.stones, strict=True))


@lru_cache(_REMEMBERED)
def _nearest(bits: int, zigzag: str, diagonals: bool) -> tuple[int, ...]:
    """For each kind of figure how many of these five markers stand in one such; in one they do not make already."""
    figures = grid.figures(zigzag, diagonals)
    return tuple(
        max(
            (both for figure, name in figures.items() if name == kind and (both := (figure & bits).bit_count()) < 5),
            default=0,
        )
        for kind in FIGURES
    )


TRIED = 8
"""So many exchanges are looked at two turns ahead."""
WON, WON_DOUBLE = 100.0, 50.0
"""What the end of the game is worth, and so much more with a lead of eleven; in points."""


def choose_chips(seen: Sight, chance: Chance) -> tuple[str, ...]:
    """The chips to take, so that two are held: those with the best exchange."""
    choices = list(combinations(seen.bank, 2 - len(seen.held)))
    found = [
        (worth, chips, cells)
        for chips in choices
        for worth, *cells in valued(seen, (*seen.held, *chips), chance)
    ]  # fmt: skip
    if not found:
        return tuple(COLOURS[chip] for chip in choices[0])
    best = sorted(found, key=lambda each: -each[0])[:TRIED]
    taken = max(best, key=lambda each: _worth(seen, (*seen.held, *each[1]), (each[2][0], each[2][1])))
    return tuple(COLOURS[chip] for chip in taken[1])


def choose_exchange(seen: Sight, chance: Chance) -> tuple[Cell, Cell] | None:
    """The exchange to make of the two colours held; None where none is legal."""
    found = sorted(valued(seen, seen.held, chance), reverse=True)[:TRIED]
    if not found:
        return None
    return max(((a, b) for _, a, b in found), key=lambda cells: _worth(seen, seen.held, cells) + WHIM * chance())


def choose_return(seen: Sight, chance: Chance) -> str:
    """The chip to return: the one that leaves the other side less."""
    one, other = seen.held
    returns = {one: other, other: one}
    given = max(returns, key=lambda chip: (_left(seen, seen.laid, seen.stones, returns[chip], seen.scores), chance()))
    return COLOURS[given]


def _worth(seen: Sight, held: tuple[int, ...], cells: tuple[Cell, Cell]) -> float:
    """What an exchange brings, less what the other side then makes of it."""
    after = grid.exchanged(seen.laid, *cells)
    made, points, stones = _made(seen, after, held)
    own, other = seen.scores[0] + points, seen.scores[1]
    if own >= TARGET:
        return WON + points + WON_DOUBLE * (own - other >= DOUBLE)
    one, two = held
    kept = [two if made == [one] else one] if len(made) == 1 else [one, two]
    return points + max(_left(seen, after, stones, chip, (own, other)) for chip in kept)


def _made(seen: Sight, after: Display, held: tuple[int, ...]) -> tuple[list[int], int, tuple[tuple[int, ...], ...]]:
    """The colours whose figures an exchange has made, what they score, and the stones after them."""
    figures = grid.figures(seen.zigzag, seen.diagonals)
    made, points, stones = (
        [colour for colour in held if after[colour] in figures],
        0,
        [list(row) for row in seen.stones],
    )
    for colour in made:
        row = stones[FIGURES.index(figures[after[colour]])]
        points += row[colour]
        row[colour] = STONES[min(STONES.index(row[colour]) + 1, len(STONES) - 1)]
    return made, points, tuple(map(tuple, stones))


def _left(
    seen: Sight, after: Display, stones: tuple[tuple[int, ...], ...], kept: int, scores: tuple[int, int]
) -> float:
    """What the chip that is kept promises, less the other side's best turn."""
    bank = tuple(chip for chip in range(len(COLOURS)) if chip != kept and chip not in seen.theirs)
    theirs = replace(
        seen, laid=after, stones=stones, held=seen.theirs, theirs=(kept,), bank=bank, scores=(scores[1], scores[0])
    )
    return promise(theirs, after[kept], kept) - max(_answers(theirs), default=0.0)


def _answers(seen: Sight) -> Iterator[float]:
    """What each turn of the side that is asked is worth, one turn ahead."""
    near = seen.scores[0] + 2 * STONES[0] >= TARGET
    for chips in combinations(seen.bank, 2 - len(seen.held)):
        both = (*seen.held, *chips)
        for a, b in grid.exchanges(seen.laid, *both):
            after = grid.exchanged(seen.laid, a, b)
            wins = near and seen.scores[0] + _made(seen, after, both)[1] >= TARGET
            yield value(seen, after, *both) + WON * wins
