"""The dice button: a roll where dice are due, else a plain dice cup. Pure; chance is an argument.

Whoever presses brings two dice (the table throws them with the system's random source, a recording keeps them); where
one die is due, the first of them counts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.common.errors import BadMove
from companion.common.snapshot import Dice
from companion.rules.moves import Move, Next, Roll, Starter, Undo

TUMBLE_MS = 1400
"""How long dice tumble before they stop."""
SHOWN_MS = 20_000
"""How long dice that have stopped stay lit."""

Throw = tuple[int, int]


def roll(view: Mapping[str, Any], throw: Throw) -> Roll | None:
    """The move that the button makes now; None where no dice are due."""
    due = view.get("due")
    return None if due is None else Roll(view["turn"], throw[: due["dice"]])


def shown(view: Mapping[str, Any], faces: Sequence[int], now_ms: int, *, tumble: bool) -> Dice:
    """What the board's dice show after a roll. A die that waits for the other side's stays beside it."""
    waiting = tuple(view.get("rolled") or ()) if len(faces) == 1 else ()
    stop_ms = now_ms + (TUMBLE_MS if tumble else 0)
    return Dice((*waiting, *faces), len(waiting), stop_ms, stop_ms + SHOWN_MS)


def after(before: Dice | None, view: Mapping[str, Any], move: Move, now_ms: int, *, tumble: bool) -> Dice | None:
    """What the board's dice show after a move made where `view` was to be seen. They go dark when play goes on."""
    if isinstance(move, Roll):
        return shown(view, move.dice, now_ms, tumble=tumble)
    return None if isinstance(move, Starter | Next | Undo) else before


def recorded(given: object, ms: int) -> Throw:
    """The dice of a recorded press; without any, ones that follow from its time. Raises BadMove."""
    if given is None:
        mixed = (ms + 1) * 2_654_435_761 % 2**32
        return (mixed >> 8) % 6 + 1, (mixed >> 16) % 6 + 1
    if isinstance(given, list) and len(given) == 2 and all(type(die) is int and 1 <= die <= 6 for die in given):
        return given[0], given[1]
    raise BadMove("The dice of a press are two whole numbers from 1 to 6.")
