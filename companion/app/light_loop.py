"""Thread that shows the newest snapshot on the lights, at each change and while an effect moves.

It also lights the dice button, plays the buzzer's tunes and writes the texts of the board's display.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.boards.catalog import Board
from companion.common.snapshot import Snapshot
from companion.display import lights, panel
from companion.display.lights import paint_frame, still_ms
from companion.display.panel import PAGE_MS, write_screen
from companion.display.theme import DEFAULT_THEME, LightTheme
from companion.ports import Buttons, Buzzer, Clock, Colour, TextDisplay
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
        display: TextDisplay | None = None,
        translate: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        """Write the texts of `display` in the language of `translate`."""
        self._table, self._target, self._clock, self._buzzer, self._theme = table, target, clock, buzzer, theme
        self._display, self._translate = display, translate
        self._shown_since_ms = self._seen_notice = 0
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
            still_s = PAGE_MS / 1000 if self._display else 30
            wait_s, previous = still_s if unchanged_ms is None else max(unchanged_ms, FRAME_MS) / 1000, snapshot
            with self._table.locked():  # both at once, since another game may use another board
                snapshot, board = listener.next_snapshot(wait_s) or snapshot, self._table.core.plan.board
            if snapshot is None:
                continue
            try:
                unchanged_ms = self._paint_frame(board, snapshot)
                if self._buzzer and (tune := panel.choose_sound(previous, snapshot)):
                    self._buzzer.play_tune(tune)
                if self._display:
                    self._write_texts(self._display, previous, snapshot)
            except Exception:  # an error in one frame must not end the loop
                _LOG.exception("Could not paint a frame.")
                unchanged_ms = None

    def _write_texts(self, display: TextDisplay, previous: Snapshot | None, snapshot: Snapshot) -> None:
        now_ms = self._clock()
        if previous is None or (previous.run, previous.number) != (snapshot.run, snapshot.number):
            self._shown_since_ms = now_ms
        if previous is None or (previous.run, previous.moves) != (snapshot.run, snapshot.moves):
            self._seen_notice = snapshot.notices[-1].id if snapshot.notices else 0
        if not lights.is_tumbling(snapshot, now_ms):  # no text must reveal how they will fall
            shown_ms = now_ms - self._shown_since_ms
            display.show_rows(
                write_screen(snapshot, shown_ms, after_notice=self._seen_notice, translate=self._translate)
            )

    def _paint_frame(self, board: Board, snapshot: Snapshot) -> int | None:
        """Show the snapshot as it looks now. Returns the time in ms until it looks different, or None if it stays."""
        now_ms = self._clock()
        self._target.show_frame(paint_frame(board, snapshot, now_ms, self._theme), snapshot.number)
        self._target.buttons.set_lamp("dice", lit=lights.is_roll_due(snapshot, now_ms))
        return still_ms(snapshot, now_ms)
