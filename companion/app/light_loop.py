"""The thread that paints: the newest snapshot onto the lights, at once when it changes, and again while it moves.

It lights the dice button too, and has the buzzer sound.
"""

import logging
import threading
from collections.abc import Sequence
from typing import Protocol

from companion.boards.catalog import Board
from companion.common.snapshot import Snapshot
from companion.display import dice, sounds
from companion.display.lights import paint, still_ms
from companion.display.theme import PLAIN, Look
from companion.ports import Buttons, Clock, Colour, Sounder
from companion.table.table import Table

FRAME_MS = 60
"""Between two frames of something that pulses: smooth to the eye, and light on a Pi."""

_LOG = logging.getLogger(__name__)


class Lamps(Protocol):
    """What is painted on, whichever board it belongs to now."""

    buttons: Buttons

    def show(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame, painted from snapshot `number`. Never blocks."""


class Lighting:
    """Paints until it is closed."""

    def __init__(
        self, table: Table, lamps: Lamps, clock: Clock, sounder: Sounder | None = None, *, look: Look = PLAIN
    ) -> None:
        self._table, self._lamps, self._clock, self._sounder, self._look = table, lamps, clock, sounder, look
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lighting", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop painting. The table must be closed first, so that the thread wakes."""
        self._closed = True
        self._thread.join(2)

    def _run(self) -> None:
        listener = self._table.listen()
        shown: Snapshot | None = None
        still: int | None = None
        while not self._closed and not self._table.closed:
            wait_s, before = 30 if still is None else max(still, FRAME_MS) / 1000, shown
            with self._table.changed:  # a snapshot and its board: another game may bring another
                shown, board = listener.newest(wait_s) or shown, self._table.core.plan.board
            if shown is None:
                continue
            try:
                still = self._paint(board, shown)
                if self._sounder and (heard := sounds.sound(before, shown)):
                    self._sounder.sound(heard)
            except Exception:  # one frame that cannot be painted must not end the lights of the evening
                _LOG.exception("A frame could not be painted.")
                still = None

    def _paint(self, board: Board, shown: Snapshot) -> int | None:
        """Show it as it looks now; for how long it will look the same, in milliseconds, or None for good."""
        now_ms = self._clock()
        self._lamps.show(paint(board, shown, now_ms, self._look), shown.number)
        self._lamps.buttons.light("dice", lit=dice.asked(shown, now_ms))
        return still_ms(shown, now_ms)
