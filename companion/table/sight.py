"""Up to when it is known how the pegs of a table stand: what falls due by then is concluded, and nothing later.

Levels come with the time at which they were so. What people do is taken once the pegs are known up to that moment.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import JournalError
from companion.ports import Clock
from companion.table import inputs
from companion.table.core import deadline, levels, ticked
from companion.table.ticker import ASK_S
from companion.words import say

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
