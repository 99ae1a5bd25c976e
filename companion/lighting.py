"""The thread that paints: the newest snapshot onto the lights, at once when it changes, and again while it moves.

It lights the dice button too, and has the buzzer sound.
"""

import logging
import threading

from companion.board.paint import dice, sounds
from companion.board.paint.lights import paint, still_ms
from companion.board.shape.layout import Board
from companion.ports import Buttons, Clock, Lights, Sounder
from companion.snapshot import Snapshot
from companion.table.table import Table

FRAME_MS = 60
"""Between two frames of something that pulses: smooth to the eye, and light on a Pi."""

_LOG = logging.getLogger(__name__)


class Lighting:
    """Paints until it is closed."""

    def __init__(
        self, table: Table, board: Board, lights: Lights, buttons: Buttons, clock: Clock, sounder: Sounder | None = None
    ) -> None:
        self._table, self._board, self._clock = table, board, clock
        self._lights, self._buttons, self._sounder = lights, buttons, sounder
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
            before, shown = shown, listener.newest(30 if still is None else max(still, FRAME_MS) / 1000) or shown
            if shown is None:
                continue
            try:
                still = self._paint(shown)
                if self._sounder and (heard := sounds.sound(before, shown)):
                    self._sounder.sound(heard)
            except Exception:  # one frame that cannot be painted must not end the lights of the evening
                _LOG.exception("A frame could not be painted.")
                still = None

    def _paint(self, shown: Snapshot) -> int | None:
        """Show it as it looks now; for how long it will look the same, in milliseconds, or None for good."""
        now_ms = self._clock()
        self._lights.show(paint(self._board, shown, now_ms), shown.number)
        self._buttons.light("dice", lit=dice.asked(shown, now_ms))
        return still_ms(shown, now_ms)
