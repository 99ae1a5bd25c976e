"""A player at the table who is no person: its cards are known to it alone, though a reader sees them."""

from typing import TYPE_CHECKING, Protocol

from companion.errors import CompanionError
from companion.frozen import replace
from companion.table import inputs
from companion.table.core import Happened, refused

if TYPE_CHECKING:
    from companion.table.table import Table


class Guest(Protocol):
    """Asked under the table's lock, before anybody else is told. May not wait."""

    def takes(self, code: str, *, is_new: bool) -> bool:
        """A reader saw this code; whether it is a card of the guest's own, that nobody else may know yet.

        `is_new`: it does not just lie there still. Raises CompanionError with what there is to say to everybody.
        """

    def gives_back(self) -> bool:
        """Somebody wants something undone: whether that was the newest card the guest was dealt."""


class Guests:
    """The table's side of it, for any thread: the guest, where there is one, is asked and heard."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.guest: Guest | None = None

    def takes(self, code: str, reader: int | None, now_ms: int) -> bool:
        """Whether a reader saw a card of the guest's. Such a sighting is told to nobody else, and recorded nowhere."""
        table = self._table
        with table.changed:
            if self.guest is None or table.closed:
                return False
            after, is_new = inputs.sighted(table.core, code, reader, now_ms)
            try:
                if not self.guest.takes(code, is_new=is_new):
                    return False
            except CompanionError as error:
                table.take(refused(table.core, "cards", error))
            table.take(Happened(replace(table.core, seen=after.seen)))
            return True

    def gives_back(self) -> bool:
        """Whether what is to be undone is a card of the guest's: then no move is."""
        with self._table.changed:
            return self.guest is not None and not self._table.closed and self.guest.gives_back()

    def remark(self, sentence: str) -> None:
        """What the guest has to say stands on every page from now on; empty: nothing."""
        with self._table.changed:
            core = self._table.core
            if sentence != core.remark and not self._table.closed:
                self._table.take(Happened(replace(core, remark=sentence)))
