"""Up to when it is known how the pegs of a table stand: what falls due by then is concluded, and nothing later.

Levels come with the time at which they were so. What people do is taken once the pegs are known up to that moment.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.common.errors import JournalError
from companion.i18n import say
from companion.ports import Clock
from companion.table import inputs
from companion.table.state import deadline, levels, ticked

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


if TYPE_CHECKING:
    from companion.table.table import Table

PATIENCE_S = 0.3
"""What people do waits so long for word of pegs that are on their way; then the table has lost sight of its pegs."""

UNSEEN = say("The board has not said how its pegs stand.")

Record = Callable[[Mapping[str, Any]], None]


class _Levels(NamedTuple):
    bits: int
    ms: int
    known_ms: int


class Sight:
    """The times of one game at a table. For use under the table's lock.

    `told_ms` is the time of what was told last: nothing happens before it. `is_over`: another game is on.
    """

    def __init__(self, table: "Table", clock: Clock, from_ms: int) -> None:
        self._table, self._clock = table, clock
        self._unread: deque[_Levels] = deque()
        self.told_ms = self._known_ms = from_ms
        self.is_blind = self.is_over = False

    def holes(self, bits: int, ms: int | None, known_ms: int | None) -> None:
        """Levels that were so at `ms`, those before them until `known_ms`; now where None. Nothing is raised."""
        ms = self._clock() if ms is None else ms
        self._unread.append(_Levels(bits, ms, ms if known_ms is None else known_ms))
        while self._unread:
            try:
                self._see(self._unread[0])
            except Exception as error:
                self._table.complain(error)
                if isinstance(error, JournalError):
                    break  # what was due before stays due, and what was seen after it waits
            self._unread.popleft()

    def now_ms(self) -> int:
        """The time of what happens now. While pegs are on their way, it is first heard how they stand by now."""
        now_ms, patience = self._clock(), time.monotonic() + PATIENCE_S
        while self._known_ms < now_ms and deadline(self._table.core) is not None and not self.is_over:
            if self._table.closed:
                break
            if time.monotonic() >= patience:
                self._lose_sight()
                break
            self._table.ask()
            self._table.changed.wait(ASK_S)
        return max(now_ms, self.told_ms)

    def _see(self, seen: _Levels) -> None:
        """Levels count from when they were so; before them is concluded what those before them make due."""
        ms = max(seen.ms, self.told_ms)
        self._known_ms = max(self._known_ms, min(seen.known_ms, ms))
        self.conclude(self._known_ms)
        due = deadline(self._table.core)
        if due is not None and due <= ms and not self.is_blind:
            self._lose_sight()  # nobody knows whether these levels came before or after it
        if self.is_blind:
            self._told("sensors", ms, ok=True, say="")
        self._known_ms = max(self._known_ms, min(seen.known_ms, ms))
        self._table.happens({"holes": f"{seen.bits:x}"}, lambda core, now: levels(core, seen.bits, now), ms)

    def _lose_sight(self) -> None:
        """The sensors are taken to be lost until they tell something: nothing is concluded from old levels."""
        self._told("sensors", self.told_ms, ok=False, say=UNSEEN)

    def _told(self, name: str, ms: int, *, ok: bool, say: str) -> None:
        line = {"device": name, "ok": ok}
        self._table.happens(line, lambda core, now: inputs.device(core, name, now, ok=ok, say=say), ms)
        self.is_blind = not ok

    def conclude(self, until_ms: int) -> None:
        """All that falls due by then and is known, each at its own time, as in `trace`: being late changes nothing."""
        while (due := deadline(self._table.core)) is not None and due <= min(until_ms, self._known_ms):
            self.told_ms = max(due, self.told_ms)
            if self._table.record:  # or a recording that ends here would not say what was concluded last
                self._table.record({"ms": self.told_ms, "tick": True})
            self._table.take(ticked(self._table.core, self.told_ms))
