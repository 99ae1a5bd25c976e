"""A sensible player of Sackson swap: which chip to take, what to exchange, which chip to give back. Pure.

He sees what lies on the table and looks one turn ahead: the points of the exchange, then how near the colour is to a
figure whose chip he keeps, for nobody else can move it, less how near the one is that he gives back. `chance` gives
numbers from 0 to 1 and decides between what is nearly as good, or two such players might go round in circles.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.rules import display
from companion.rules.display import COLOURS, FIGURES, Display
from companion.rules.moves import Cell

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
        laid=display.laid([name for row in view["display"] for name in row]),
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
    for a, b in display.exchanges(seen.laid, one, other):
        after = display.exchanged(seen.laid, a, b)
        yield value(seen, after, one, other) + WHIM * chance(), a, b


def value(seen: Sight, after: Display, one: int, other: int) -> float:
    """What an exchange that leads to the display `after` is worth, one turn ahead."""
    figures = display.figures(seen.zigzag, seen.diagonals)
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
    figures = display.figures(zigzag, diagonals)
    return tuple(
        max(
            (both for figure, name in figures.items() if name == kind and (both := (figure & bits).bit_count()) < 5),
            default=0,
        )
        for kind in FIGURES
    )
