"""Who reads the snapshots of a table: each gets the newest, when there is a newer one."""

from typing import TYPE_CHECKING

from companion.snapshot import Snapshot

if TYPE_CHECKING:
    from companion.table.table import Table


class Listener:
    """One reader of snapshots; it keeps only the newest."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self._number = -1

    def newest(self, timeout_s: float) -> Snapshot | None:
        """The newest snapshot not yet given: the present one at the first call; None when none came in time."""
        with self._table.changed:
            self._table.changed.wait_for(
                lambda: self._table.snapshot.number > self._number or self._table.closed, timeout_s
            )
            found = self._table.snapshot
            if found.number <= self._number:
                return None
            self._number = found.number
            return found
