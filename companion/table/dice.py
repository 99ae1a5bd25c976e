"""The dice button: makes the roll that is due, else just shows two dice. Pure: the dice are an argument.

Each press carries two dice. The table throws them with the system's random source, and a recording stores them. Where
one die is due, the first one counts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.common.errors import BadMove
from companion.common.snapshot import RolledDice
from companion.rules.moves import Move, Next, Roll, Starter, Undo

TUMBLE_MS = 1400
"""How long dice tumble before they stop."""
SHOWN_MS = 20_000
"""How long dice that have stopped stay lit."""

Throw = tuple[int, int]
"""The faces of two dice, 1 to 6."""


def roll_move(view: Mapping[str, Any], throw: Throw) -> Roll | None:
    """Return the move that the button makes now; None if no roll is due."""
    due = view.get("due")
    return None if due is None else Roll(view["turn"], throw[: due["dice"]])


def show_roll(view: Mapping[str, Any], faces: Sequence[int], now_ms: int, *, tumble: bool) -> RolledDice:
    """Return the dice to show after a roll. A die that waits for the other side's stays visible beside it."""
    waiting = tuple(view.get("rolled") or ()) if len(faces) == 1 else ()
    stop_ms = now_ms + (TUMBLE_MS if tumble else 0)
    return RolledDice((*waiting, *faces), len(waiting), stop_ms, stop_ms + SHOWN_MS)


def dice_after_move(
    before: RolledDice | None, view: Mapping[str, Any], move: Move, now_ms: int, *, tumble: bool
) -> RolledDice | None:
    """Return the dice to show after a move; None turns them off. `view` is the game's view before the move."""
    if isinstance(move, Roll):
        return show_roll(view, move.dice, now_ms, tumble=tumble)
    return None if isinstance(move, Starter | Next | Undo) else before


def parse_recorded_dice(given: object, ms: int) -> Throw:
    """Parse the dice of a recorded press; without any, derive them from its time. Raises BadMove."""
    if given is None:
        mixed = (ms + 1) * 2_654_435_761 % 2**32
        return (mixed >> 8) % 6 + 1, (mixed >> 16) % 6 + 1
    if isinstance(given, list) and len(given) == 2 and all(type(die) is int and 1 <= die <= 6 for die in given):
        return given[0], given[1]
    raise BadMove("The dice of a press are two whole numbers from 1 to 6.")
