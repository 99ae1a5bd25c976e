"""Thread that shows the newest snapshot on the lights, at each change and while an effect moves.

It also lights the dice button and plays the buzzer's tunes.
"""

import logging
import threading
from collections.abc import Sequence
from typing import Protocol

from companion.boards.catalog import Board
from companion.common.snapshot import Snapshot
from companion.display import dice, sounds
from companion.display.lights import paint_frame, still_ms
from companion.display.theme import DEFAULT_THEME, LightTheme
from companion.ports import Buttons, Buzzer, Clock, Colour
from companion.table.table import Table

FRAME_MS = 60
"""Interval in ms between two frames of a moving effect: smooth to the eye, and cheap on a Pi."""

_LOG = logging.getLogger(__name__)


class LightTarget(Protocol):
    """The lights and buttons of the current board."""

    buttons: Buttons

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame of snapshot `number`. Never blocks."""


class LightLoop:
    """Paints snapshots in a thread until closed."""

    def __init__(
        self,
        table: Table,
        target: LightTarget,
        clock: Clock,
        buzzer: Buzzer | None = None,
        *,
        theme: LightTheme = DEFAULT_THEME,
    ) -> None:
        self._table, self._target, self._clock, self._buzzer, self._theme = table, target, clock, buzzer, theme
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lighting", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop painting. The table must be closed first, so that the thread wakes."""
        self._closed = True
        self._thread.join(2)

    def _run(self) -> None:
        listener = self._table.subscribe()
        snapshot: Snapshot | None = None
        unchanged_ms: int | None = None
        while not self._closed and not self._table.is_closed:
            wait_s, previous = 30 if unchanged_ms is None else max(unchanged_ms, FRAME_MS) / 1000, snapshot
            with self._table.locked():  # both at once, since another game may use another board
                snapshot, board = listener.next_snapshot(wait_s) or snapshot, self._table.core.plan.board
            if snapshot is None:
                continue
            try:
                unchanged_ms = self._paint_frame(board, snapshot)
                if self._buzzer and (tune := sounds.choose_sound(previous, snapshot)):
                    self._buzzer.play_tune(tune)
            except Exception:  # an error in one frame must not end the loop
                _LOG.exception("Could not paint a frame.")
                unchanged_ms = None

    def _paint_frame(self, board: Board, snapshot: Snapshot) -> int | None:
        """Show the snapshot as it looks now. Returns the time in ms until it looks different, or None if it stays."""
        now_ms = self._clock()
        self._target.show_frame(paint_frame(board, snapshot, now_ms, self._theme), snapshot.number)
        self._target.buttons.set_lamp("dice", lit=dice.is_roll_due(snapshot, now_ms))
        return still_ms(snapshot, now_ms)
