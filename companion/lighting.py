"""The thread that paints: the newest snapshot onto the lights, at once when it changes, and again while it moves.

It lights the dice button too.
"""

import threading
from contextlib import suppress

from companion.board import dice
from companion.board.layout import Board
from companion.board.lights import paint, still_ms
from companion.ports import Buttons, Clock, Lights
from companion.snapshot import Snapshot
from companion.table.table import Table

FRAME_MS = 60
"""Between two frames of something that pulses: smooth to the eye, and light on a Pi."""


class Lighting:
    """Paints until it is closed."""

    def __init__(self, table: Table, board: Board, lights: Lights, buttons: Buttons, clock: Clock) -> None:
        self._table, self._board, self._clock = table, board, clock
        self._lights, self._buttons = lights, buttons
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
            shown = listener.newest(30 if still is None else max(still, FRAME_MS) / 1000) or shown
            if shown is None:
                continue
            now_ms = self._clock()
            still = still_ms(shown, now_ms)
            with suppress(OSError):  # an unplugged strip tells of itself by its status
                self._lights.show(paint(self._board, shown, now_ms), shown.number)
            self._buttons.light("dice", lit=dice.asked(shown, now_ms))
