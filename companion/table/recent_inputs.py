"""Keep the inputs of the last ten minutes as a recording for `companion trace`, to attach to a bug report.

The recording begins at a moment when nothing was pending, so that a replay gives the same results. It contains no
names, no keys and no hidden cards.
"""

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.protocol.json_codec import dump_json
from companion.table.recording import insert_moves, recording_start
from companion.table.state import TableCore, next_deadline_ms
from companion.table.table import Table

KEEP_MS = 600_000
"""How long inputs are kept."""
MIN_PART_MS = 60_000
"""Minimum length of a part. Old lines are dropped by whole parts."""
MAX_LINES = 20_000
"""Maximum number of lines, in one part and in all."""


@dataclass
class _Part:
    """Lines since a moment. `setup_lines` set the table up as it was then, without its moves, which are read from the
    journal up to the entry `last_entry_id`. They are empty if the first line is itself a `table` line.
    """

    ms: int
    setup_lines: Sequence[Mapping[str, Any]]
    game: int
    last_entry_id: int
    lines: list[str] = field(default_factory=list)


class RecentInputs:
    """Keeps the recent input lines. Lines are added under the table's lock and read from any thread."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._parts: deque[_Part] = deque()
        self._scans_and_presses: deque[Mapping[str, Any]] = deque(maxlen=20)
        self._lock = threading.Lock()

    def attach(self, table: Table) -> None:
        """Keep the inputs of this table from now on."""
        self._table = table

    def __call__(self, line: Mapping[str, Any]) -> None:
        """Add a line that the table is about to apply."""
        if self._table is None:
            return
        with self._lock:
            self._rotate_parts(self._table, line)
            self._parts[-1].lines.append(dump_json(line))
            if "scan" in line or "press" in line:
                self._scans_and_presses.append(line)

    def list_scans_and_presses(self) -> list[dict[str, Any]]:
        """Return the last scans and button presses, newest first."""
        with self._lock:
            return [dict(each) for each in self._scans_and_presses][::-1]

    def recording_lines(self) -> list[str]:
        """Return the lines of the recording as JSON texts; empty if there were no inputs. Raises JournalError."""
        with self._lock:
            parts = [(part, list(part.lines)) for part in self._parts]
        if not parts or self._table is None:
            return []
        return _build_start_lines(self._table, parts[0][0]) + [line for _, lines in parts for line in lines]

    def _rotate_parts(self, table: Table, line: Mapping[str, Any]) -> None:
        """Begin another part if it is time and nothing is pending, and drop parts that are too old."""
        ms, core, journal = line["ms"], table.core, table.journal
        if "table" in line:
            self._parts.clear()
            self._parts.append(_Part(ms, (), journal.game_id or 0, journal.last_entry_id))
            return
        newest = self._parts[-1] if self._parts else None
        is_full = newest is not None and len(newest.lines) >= MAX_LINES
        if newest is None or (ms - newest.ms >= MIN_PART_MS and next_deadline_ms(core) is None) or is_full:
            if is_full:
                self._parts.clear()
            self._parts.append(_Part(ms, _build_setup_lines(core), journal.game_id or 0, journal.last_entry_id))
        while len(self._parts) > 1 and (self._parts[1].ms <= ms - KEEP_MS or self._count_lines() > MAX_LINES):
            self._parts.popleft()

    def _count_lines(self) -> int:
        return sum(len(part.lines) for part in self._parts)


def _build_setup_lines(core: TableCore) -> list[Mapping[str, Any]]:
    """Return the lines that set up a table like this one, including the occupied holes."""
    bits = getattr(core.course, "bits", None)
    return [*recording_start(core, ()), *([] if bits is None else [{"holes": f"{bits:x}"}])]


def _build_start_lines(table: Table, part: _Part) -> list[str]:
    """Return the lines that set up the table as it was when the part began. Raises JournalError."""
    stored = table.journal.read_entries(part.game) if part.setup_lines else ()
    entries = [each.entry for each in stored if each.id <= part.last_entry_id]
    return [dump_json({"ms": part.ms, **line}) for line in insert_moves(part.setup_lines, entries)]
