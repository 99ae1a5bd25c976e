"""Dice on the pixels of a board: rolled faces, tumbling, and dice that are due. Pure; chance is not involved.

A die has seven pips: upper left and right, left, centre, right, lower left and right.
"""

from companion.boards.catalog import Board
from companion.common.snapshot import Snapshot

FACE_PIPS = {1: (3,), 2: (0, 6), 3: (0, 3, 6), 4: (0, 1, 5, 6), 5: (0, 1, 3, 5, 6), 6: (0, 1, 2, 4, 5, 6)}
"""By face: the indexes of its lit pips."""

_ROLLING_FACES = (1, 2, 6, 5, 3, 4)
"""The order of the faces of a rolling die."""
_SLOWDOWN_MS2 = 90_000
"""The square of the time to the stop decreases by this much with each face, in ms², so the die slows down."""


def is_tumbling(snapshot: Snapshot, now_ms: int) -> bool:
    """Return whether dice tumble now."""
    return snapshot.dice is not None and now_ms < snapshot.dice.stop_ms


def count_due_dice(snapshot: Snapshot) -> int:
    """Return the number of dice to roll."""
    due = snapshot.view.get("due")
    return 0 if due is None else int(due["dice"])


def is_roll_due(snapshot: Snapshot, now_ms: int) -> bool:
    """Return whether the dice button should be pressed: dice are due and none tumble."""
    return count_due_dice(snapshot) > 0 and not is_tumbling(snapshot, now_ms)


def find_lit_pips(board: Board, snapshot: Snapshot, now_ms: int) -> dict[int, bool]:
    """Return the lit pixels of the dice; the value is True if the pixel pulses because its die is to be rolled.

    A die that waits for the other side's roll stays lit; the others go out at `until_ms`.
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
    """Return the face that is up `left_ms` before the stop. The second die runs through the faces backwards."""
    turns = left_ms * left_ms // _SLOWDOWN_MS2
    at = _ROLLING_FACES.index(face) + (turns if die == 0 else -turns)
    return _ROLLING_FACES[at % len(_ROLLING_FACES)]
