"""What a table keeps in its journal: its moves, and where its pegs stand. What cannot be kept is told."""

from companion.common.errors import JournalError
from companion.journal.journal import Entry, Journal
from companion.table import players
from companion.table.resume import checkpointed
from companion.table.state import Core


class Keeping:
    """The journal of a table, and what stands in its way. For use under the table's lock, but for `trouble`."""

    def __init__(self, journal: Journal, core: Core) -> None:
        """`core` is the table as the journal has it."""
        self.journal = journal
        self._stands = core.course.placement
        self._full = self._failed = ""

    @property
    def trouble(self) -> str:
        """Why no move can be kept now, a sentence; empty while they can. For any thread."""
        told = self.journal.trouble
        return self._full or self._failed or (told if told and told != self.journal.damage else "")

    def commit(self, core: Core, entries: tuple[Entry, ...]) -> Core:
        """Write what has happened, durable at return; the table, which may have left its past to the journal.

        Raises JournalError.
        """
        stands = core.course.placement
        moved = stands is not None and stands != self._stands
        if entries or moved:
            self._write(core, entries, with_pegs=moved)
        self._stands = stands
        return checkpointed(core, self.journal)

    def turn_to(self, core: Core, game: int | None) -> None:
        """Another table is kept from now on: a new game, or one of the journal. Raises JournalError."""
        if game is None:
            self.journal.begin(core.plan.given, players.dump(core.people))
        else:
            self.journal.turn_to(game)
        self._stands = core.course.placement

    def seat(self, core: Core) -> None:
        """Keep who plays. Raises JournalError."""
        self.journal.seat(players.dump(core.people))

    def disk(self, core: Core, fault: str) -> bool:
        """Whether a fault of the disk, a sentence, is news. Without one, what failed before is tried again."""
        told, self._full = self._full, fault
        if self._failed and not fault and core.course.placement is not None:
            self._write(core, (), with_pegs=True)
        return bool(fault) and fault != told

    def _write(self, core: Core, entries: tuple[Entry, ...], *, with_pegs: bool) -> None:
        try:
            self.journal.write(entries, core.course.dump() if with_pegs else None)
        except JournalError as error:
            self._failed = str(error)
            raise
        self._failed = ""
