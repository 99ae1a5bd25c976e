"""Dice on a board's pixels: the faces that fell, how they tumble, which are to be rolled. Pure; chance is none of it.

A die has seven pips: upper left and right, left, centre, right, lower left and right.
"""

from companion.boards.catalog import Board
from companion.common.snapshot import Snapshot

FACE_PIPS = {1: (3,), 2: (0, 6), 3: (0, 3, 6), 4: (0, 1, 5, 6), 5: (0, 1, 3, 5, 6), 6: (0, 1, 2, 4, 5, 6)}
"""Which of the seven pips each face has."""

_ROLLING_FACES = (1, 2, 6, 5, 3, 4)
"""The faces of a die that rolls, one after the other."""
_SLOWDOWN_MS2 = 90_000
"""With each face, the square of the time to the stop falls by this much, in ms²: the faces change ever more slowly."""


def is_tumbling(snapshot: Snapshot, now_ms: int) -> bool:
    """Whether dice tumble now."""
    return snapshot.dice is not None and now_ms < snapshot.dice.stop_ms


def count_due_dice(snapshot: Snapshot) -> int:
    """How many dice are to be rolled."""
    told = snapshot.view.get("due")
    return 0 if told is None else int(told["dice"])


def is_roll_due(snapshot: Snapshot, now_ms: int) -> bool:
    """Whether the dice button is to be pressed: dice are due, and none tumble still."""
    return count_due_dice(snapshot) > 0 and not is_tumbling(snapshot, now_ms)


def find_lit_pips(board: Board, snapshot: Snapshot, now_ms: int) -> dict[int, bool]:
    """The pixels of the dice that are lit, and of each whether it pulses: a die that is to be rolled does.

    A die that waits for the other side's stays; others go out in time.
    """
    waiting = list(snapshot.view.get("rolled") or ())
    shown = snapshot.dice
    faces = list(shown.faces) if shown is not None and now_ms < shown.until_ms else waiting
    turning = range(shown.first_new, len(faces)) if shown is not None and is_tumbling(snapshot, now_ms) else range(0)
    rolls = range(0) if turning else range(len(waiting), len(waiting) + count_due_dice(snapshot))
    lit: dict[int, bool] = {}
    for n, die in enumerate(board.dice):
        if n in turning:
            assert shown is not None
            on = FACE_PIPS[_face_before_stop(faces[n], n, shown.stop_ms - now_ms)]
        elif n < len(faces):
            on = FACE_PIPS[faces[n]]
        else:
            on = tuple(range(len(die))) if n in rolls else ()
        lit |= {die[pip].pixel: n in rolls for pip in on}
    return lit


def _face_before_stop(face: int, die: int, left_ms: int) -> int:
    """The face that is up `left_ms` before the stop. The second die runs through the faces the other way."""
    turns = left_ms * left_ms // _SLOWDOWN_MS2
    at = _ROLLING_FACES.index(face) + (turns if die == 0 else -turns)
    return _ROLLING_FACES[at % len(_ROLLING_FACES)]
