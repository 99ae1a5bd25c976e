"""The thread that paints: the newest snapshot onto the lights, at once when it changes, and again while it moves."""

import threading
from contextlib import suppress

from companion.board.layout import Board
from companion.board.lights import paint
from companion.ports import Clock, Lights
from companion.snapshot import Snapshot
from companion.table.table import Table

FRAME_MS = 60
"""Between two frames of something that pulses: smooth to the eye, and light on a Pi."""


class Lighting:
    """Paints until it is closed."""

    def __init__(self, table: Table, board: Board, lights: Lights, clock: Clock) -> None:
        self._table, self._board, self._lights, self._clock = table, board, lights, clock
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
        while not self._closed and not self._table.closed:
            now_ms = self._clock()
            moving = shown is not None and _moves(shown, now_ms)
            shown = listener.newest(FRAME_MS / 1000 if moving else 30) or shown
            if shown is not None:
                with suppress(OSError):  # an unplugged strip tells of itself by its status
                    self._lights.show(paint(self._board, shown, self._clock()), shown.number)


def _moves(snapshot: Snapshot, now_ms: int) -> bool:
    """Whether the next frame differs from this one by time alone."""
    live = any(mark.until_ms + FRAME_MS > now_ms for mark in snapshot.marks)
    return bool(live or snapshot.dues or snapshot.advice or snapshot.question)
