"""A player of Sackson swap who looks two turns ahead: his own, and the best answer of the other side. Pure.

Of his exchanges he takes those that look best one turn ahead (`companion.coach.exchanges`), and for each, and each chip
that may go back, he looks for the other's best turn. Reaching 61 first is worth more than anything; a lead of eleven
then more still.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from companion.coach.exchanges import WHIM, Chance, Sight, promise, value, valued
from companion.rules import display
from companion.rules.display import COLOURS, FIGURES, Display
from companion.rules.moves import Cell
from companion.rules.swap import DOUBLE, STONES, TARGET

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
    after = display.exchanged(seen.laid, *cells)
    made, points, stones = _made(seen, after, held)
    own, other = seen.scores[0] + points, seen.scores[1]
    if own >= TARGET:
        return WON + points + WON_DOUBLE * (own - other >= DOUBLE)
    one, two = held
    kept = [two if made == [one] else one] if len(made) == 1 else [one, two]
    return points + max(_left(seen, after, stones, chip, (own, other)) for chip in kept)


def _made(seen: Sight, after: Display, held: tuple[int, ...]) -> tuple[list[int], int, tuple[tuple[int, ...], ...]]:
    """The colours whose figures an exchange has made, what they score, and the stones after them."""
    figures = display.figures(seen.zigzag, seen.diagonals)
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
        for a, b in display.exchanges(seen.laid, *both):
            after = display.exchanged(seen.laid, a, b)
            wins = near and seen.scores[0] + _made(seen, after, both)[1] >= TARGET
            yield value(seen, after, *both) + WON * wins
