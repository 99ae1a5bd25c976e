"""The last ten minutes of all that a table was told, ready for `companion trace`: "it read me wrong", one tap later.

It begins where nothing was under way, so that a recording of it comes to the same. No names, no keys, no hidden cards.
"""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.codec import dumps
from companion.table.core import Core, deadline
from companion.table.table import Table
from companion.table.trace import recorded_from

KEEP_MS = 600_000
PART_MS = 60_000
"""A part is at least so long: whole parts are forgotten."""
MOST = 20_000
"""Lines of a part, and of all of them."""


@dataclass
class _Part:
    """Lines since a moment; `core` is the table then, after the entry `last` of its game; None where a line says it."""

    ms: int
    core: Core | None
    game: int
    last: int
    lines: list[str] = field(default_factory=list)


class Recent:
    """Told every line under the table's lock; read by any thread."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._parts: deque[_Part] = deque()
        self._seen: deque[Mapping[str, Any]] = deque(maxlen=20)
        self._lock = threading.Lock()

    def of(self, table: Table) -> None:
        """Keep what this table is told from now on."""
        self._table = table

    def __call__(self, line: Mapping[str, Any]) -> None:
        """The table is about to take this line."""
        if self._table is None:
            return
        with self._lock:
            self._turn_page(self._table, line)
            self._parts[-1].lines.append(dumps(line))
            if "scan" in line or "press" in line:
                self._seen.append(line)

    def seen(self) -> list[dict[str, Any]]:
        """The last codes and buttons, the newest first."""
        with self._lock:
            return [dict(each) for each in self._seen][::-1]

    def lines(self) -> list[str]:
        """The recording, a JSON text a line; empty where nothing was told. Raises JournalError."""
        with self._lock:
            parts = [(part, list(part.lines)) for part in self._parts]
        if not parts or self._table is None:
            return []
        first = parts[0][0]
        start = [] if first.core is None else _start(self._table, first, first.core)
        return start + [line for _, lines in parts for line in lines]

    def _turn_page(self, table: Table, line: Mapping[str, Any]) -> None:
        """Begin another part where it is time and nothing is under way, and forget what is too old."""
        ms, core, journal = line["ms"], table.core, table.journal
        if "table" in line:
            self._parts.clear()
            self._parts.append(_Part(ms, None, journal.game or 0, journal.last))
            return
        newest = self._parts[-1] if self._parts else None
        is_full = newest is not None and len(newest.lines) >= MOST
        if newest is None or (ms - newest.ms >= PART_MS and deadline(core) is None) or is_full:
            if is_full:
                self._parts.clear()
            self._parts.append(_Part(ms, core, journal.game or 0, journal.last))
        while len(self._parts) > 1 and (self._parts[1].ms <= ms - KEEP_MS or self._count() > MOST):
            self._parts.popleft()

    def _count(self) -> int:
        return sum(len(part.lines) for part in self._parts)


def _start(table: Table, part: _Part, core: Core) -> list[str]:
    """The lines that set the table up as it was, with the holes that were taken."""
    entries = [each.entry for each in table.journal.written(part.game) if each.id <= part.last]
    begun = [dumps({"ms": part.ms, **line}) for line in recorded_from(core, entries)]
    bits = getattr(core.course, "bits", None)
    return begun if bits is None else [*begun, dumps({"ms": part.ms, "holes": f"{bits:x}"})]
