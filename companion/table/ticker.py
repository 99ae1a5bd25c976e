"""The thread that wakes a table when something falls due."""

import threading
from typing import Protocol

from companion.ports import Clock

WATCH_S = 2.0
"""How often is looked whether the journal is still there."""

AGAIN_S = 1.0
"""How long to wait before what could not be concluded is tried again."""

ASK_S = 0.02
"""A board that was asked how its pegs stand is asked again after this long; later twice as long, up to `AGAIN_S`."""


class Awaiting(Protocol):
    """What is asked of the table, under its lock."""

    changed: threading.Condition
    closed: bool

    def due_ms(self) -> int | None:
        """When something falls due next; None if never. Raises JournalError where nothing can be kept."""

    def ask(self) -> object:
        """Ask the board how its pegs stand: its answer makes certain what falls due."""

    def complain(self, error: Exception) -> None:
        """Tell everybody what went wrong."""


class Ticker:
    """Runs from `start` until the table is closed."""

    def __init__(self, table: Awaiting, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._asked_ms, self._again_s = -1, ASK_S
        self._thread = threading.Thread(target=self._run, name="table-ticker", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait for its end: the table must be closed, and its lock free."""
        self._thread.join(2)

    def _run(self) -> None:
        with self._table.changed:
            while not self._table.closed:
                wait_s = AGAIN_S
                try:
                    wait_s = self._wait_s()
                except Exception as error:  # a full disk may be emptied: what is due stays due
                    self._table.complain(error)
                self._table.changed.wait(wait_s)

    def _wait_s(self) -> float:
        """How long to wait now; the board is asked where something is due."""
        due, now_ms = self._table.due_ms(), self._clock()
        if due is None or due > now_ms:
            return WATCH_S if due is None else min((due - now_ms) / 1000, WATCH_S)
        self._again_s = ASK_S if due != self._asked_ms else min(2 * self._again_s, AGAIN_S)
        self._asked_ms = due
        self._table.ask()
        return self._again_s
