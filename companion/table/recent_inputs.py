"""The last ten minutes of all that a table was told, ready for `companion trace`: "it read me wrong", one tap later.

It begins where nothing was under way, so that a recording of it comes to the same. No names, no keys, no hidden cards.
"""

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.protocol.json_codec import dumps
from companion.table.recording import recorded_from, with_moves
from companion.table.state import Core, deadline
from companion.table.table import Table

KEEP_MS = 600_000
PART_MS = 60_000
"""A part is at least so long: whole parts are forgotten."""
MOST = 20_000
"""Lines of a part, and of all of them."""


@dataclass
class _Part:
    """Lines since a moment. `begun` sets the table up as it was then, but for its moves: those are the journal's, up to
    the entry `last` of that game, for a whole table would keep all its past. Empty where a line says it.
    """

    ms: int
    begun: Sequence[Mapping[str, Any]]
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
        return _start(self._table, parts[0][0]) + [line for _, lines in parts for line in lines]

    def _turn_page(self, table: Table, line: Mapping[str, Any]) -> None:
        """Begin another part where it is time and nothing is under way, and forget what is too old."""
        ms, core, journal = line["ms"], table.core, table.journal
        if "table" in line:
            self._parts.clear()
            self._parts.append(_Part(ms, (), journal.game or 0, journal.last))
            return
        newest = self._parts[-1] if self._parts else None
        is_full = newest is not None and len(newest.lines) >= MOST
        if newest is None or (ms - newest.ms >= PART_MS and deadline(core) is None) or is_full:
            if is_full:
                self._parts.clear()
            self._parts.append(_Part(ms, _begun(core), journal.game or 0, journal.last))
        while len(self._parts) > 1 and (self._parts[1].ms <= ms - KEEP_MS or self._count() > MOST):
            self._parts.popleft()

    def _count(self) -> int:
        return sum(len(part.lines) for part in self._parts)


def _begun(core: Core) -> list[Mapping[str, Any]]:
    """What sets up a table like this one, with the holes that are taken."""
    bits = getattr(core.course, "bits", None)
    return [*recorded_from(core, ()), *([] if bits is None else [{"holes": f"{bits:x}"}])]


def _start(table: Table, part: _Part) -> list[str]:
    """The lines that set the table up as it was when the part began. Raises JournalError."""
    entries = [each.entry for each in table.journal.written(part.game) if each.id <= part.last] if part.begun else []
    return [dumps({"ms": part.ms, **line}) for line in with_moves(part.begun, entries)]
