"""Order the inputs of a table in time, and wake it when a conclusion is due.

Sensor reports arrive late but carry the time of their levels. Conclusions are drawn only up to the time for which the
levels are known, and other inputs wait until the levels are known up to their moment.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from companion.common.errors import JournalError
from companion.i18n import format_message
from companion.ports import Clock
from companion.table import inputs
from companion.table.state import TableCore, Transition, next_deadline_ms, on_levels, on_tick

FILE_CHECK_INTERVAL_S = 2.0
"""Interval of the check that the journal file still exists."""

RETRY_INTERVAL_S = 1.0
"""Delay before a failed conclusion is tried again."""

INITIAL_ASK_INTERVAL_S = 0.02
"""Delay before the sensors are asked again for a report; it doubles each time up to `RETRY_INTERVAL_S`."""

MAX_LEVELS_WAIT_S = 0.3
"""How long other inputs wait for the sensors' report; after that the sensors count as lost."""

NO_LEVELS_MESSAGE = format_message("The board is not reporting its pegs.")

RecordLine = Callable[[Mapping[str, Any]], None]
"""Records an input line."""


class TimedTable(Protocol):
    """The table as the timeline and the ticker see it. All methods are called under its lock, except `locked`."""

    is_closed: bool
    record_line: RecordLine | None

    @property
    def core(self) -> TableCore:
        """The present state."""

    def locked(self) -> AbstractContextManager[object]:
        """Return a context manager that holds the table's lock."""

    def wait_for_change(self, timeout_s: float) -> None:
        """Release the lock until the table changes, at most for `timeout_s`."""

    def handle(
        self, line: Mapping[str, Any], react: Callable[[TableCore, int], Transition], at_ms: int | None = None
    ) -> object:
        """Apply an input at `at_ms`."""

    def commit(self, transition: Transition) -> object:
        """Write a transition to the journal, then publish it."""

    def due_ms(self) -> int | None:
        """Return when a conclusion is due next; None for never. Raises JournalError if the journal file is gone."""

    def ask_sensors(self) -> object:
        """Request a new report from the sensors, which the due conclusion needs."""

    def report_error(self, error: Exception) -> None:
        """Report an error to all players."""


class Ticker:
    """A thread that wakes the table when a conclusion is due, from `start` until the table is closed."""

    def __init__(self, table: TimedTable, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._asked_ms, self._ask_interval_s = -1, INITIAL_ASK_INTERVAL_S
        self._thread = threading.Thread(target=self._run, name="table-ticker", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end of the thread. The table must be closed and its lock free."""
        self._thread.join(2)

    def _run(self) -> None:
        with self._table.locked():
            while not self._table.is_closed:
                wait_s = RETRY_INTERVAL_S
                try:
                    wait_s = self._next_wait_s()
                except Exception as error:  # the conclusion stays due, for example until a full disk is emptied
                    self._table.report_error(error)
                self._table.wait_for_change(wait_s)

    def _next_wait_s(self) -> float:
        """Return how long to wait now. If a conclusion is due, ask the sensors for a report."""
        due, now_ms = self._table.due_ms(), self._clock()
        if due is None or due > now_ms:
            return FILE_CHECK_INTERVAL_S if due is None else min((due - now_ms) / 1000, FILE_CHECK_INTERVAL_S)
        self._ask_interval_s = (
            INITIAL_ASK_INTERVAL_S if due != self._asked_ms else min(2 * self._ask_interval_s, RETRY_INTERVAL_S)
        )
        self._asked_ms = due
        self._table.ask_sensors()
        return self._ask_interval_s


class _PendingLevels(NamedTuple):
    bits: int
    ms: int
    known_ms: int


class InputTimeline:
    """The order of the inputs of one game. Use it under the table's lock.

    `last_input_ms` is the time of the last input: later ones are not placed before it. `is_replaced` says that another
    game has begun. `are_sensors_lost` is set while the sensors' reports are too late to draw conclusions.
    """

    def __init__(self, table: TimedTable, clock: Clock, from_ms: int) -> None:
        self._table, self._clock = table, clock
        self._pending: deque[_PendingLevels] = deque()
        self.last_input_ms = self._known_ms = from_ms
        self.are_sensors_lost = self.is_replaced = False

    def on_levels(self, bits: int, ms: int | None, known_ms: int | None) -> None:
        """Apply a sensor report (see `Table.on_levels`). Errors are reported, not raised."""
        ms = self._clock() if ms is None else ms
        self._pending.append(_PendingLevels(bits, ms, ms if known_ms is None else known_ms))
        while self._pending:
            try:
                self._apply_levels(self._pending[0])
            except Exception as error:
                self._table.report_error(error)
                if isinstance(error, JournalError):
                    break  # keep this and later reports until the journal can be written
            self._pending.popleft()

    def wait_until_known(self) -> int:
        """Return the time of an input that happens now, after waiting until the levels are known up to it."""
        now_ms, give_up_s = self._clock(), time.monotonic() + MAX_LEVELS_WAIT_S
        while self._known_ms < now_ms and next_deadline_ms(self._table.core) is not None and not self.is_replaced:
            if self._table.is_closed:
                break
            if time.monotonic() >= give_up_s:
                self._mark_sensors_lost()
                break
            self._table.ask_sensors()
            self._table.wait_for_change(INITIAL_ASK_INTERVAL_S)
        return max(now_ms, self.last_input_ms)

    def _apply_levels(self, levels: _PendingLevels) -> None:
        """Apply levels at their own time, after all conclusions that the previous levels made due before it."""
        ms = max(levels.ms, self.last_input_ms)
        self._known_ms = max(self._known_ms, min(levels.known_ms, ms))
        self.conclude_until(self._known_ms)
        due = next_deadline_ms(self._table.core)
        if due is not None and due <= ms and not self.are_sensors_lost:
            self._mark_sensors_lost()  # these levels may be older or newer than the conclusion
        if self.are_sensors_lost:
            self._report_sensors("sensors", ms, ok=True, say="")
        self._known_ms = max(self._known_ms, min(levels.known_ms, ms))
        self._table.handle({"holes": f"{levels.bits:x}"}, lambda core, now: on_levels(core, levels.bits, now), ms)

    def _mark_sensors_lost(self) -> None:
        """Treat the sensors as lost until their next report, so that old levels lead to no conclusion."""
        self._report_sensors("sensors", self.last_input_ms, ok=False, say=NO_LEVELS_MESSAGE)

    def _report_sensors(self, name: str, ms: int, *, ok: bool, say: str) -> None:
        line = {"device": name, "ok": ok}
        self._table.handle(line, lambda core, now: inputs.on_device(core, name, now, ok=ok, say=say), ms)
        self.are_sensors_lost = not ok

    def conclude_until(self, until_ms: int) -> None:
        """Draw all conclusions due by `until_ms` for which levels are known, each at its own time, as in recordings."""
        while (due := next_deadline_ms(self._table.core)) is not None and due <= min(until_ms, self._known_ms):
            self.last_input_ms = max(due, self.last_input_ms)
            if self._table.record_line:  # so that a recording that ends here includes the last conclusion
                self._table.record_line({"ms": self.last_input_ms, "tick": True})
            self._table.commit(on_tick(self._table.core, self.last_input_ms))
