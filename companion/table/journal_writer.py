"""Write a table's moves and peg positions to its journal, and remember why writing fails."""

from companion.common.errors import JournalError
from companion.journal.journal import Journal, JournalEntry
from companion.table import players
from companion.table.resume import checkpoint_if_due
from companion.table.state import TableCore


class JournalWriter:
    """Writes the changes of a table to its journal. Call methods under the table's lock; `trouble` from any thread."""

    def __init__(self, journal: Journal, core: TableCore) -> None:
        """`core` is the state that the journal already contains."""
        self.journal = journal
        self._placement = core.course.placement
        self._disk_fault = self._write_fault = ""

    @property
    def trouble(self) -> str:
        """Why no move can be written now, as a sentence; empty if moves can be written."""
        trouble = self.journal.trouble
        return self._disk_fault or self._write_fault or (trouble if trouble and trouble != self.journal.damage else "")

    def commit(self, core: TableCore, entries: tuple[JournalEntry, ...]) -> TableCore:
        """Write the entries and changed peg positions durably. Raises JournalError.

        Returns the state, possibly with its older history released to the journal (see `checkpoint_if_due`).
        """
        placement = core.course.placement
        has_moved = placement is not None and placement != self._placement
        if entries or has_moved:
            self._write(core, entries, with_pegs=has_moved)
        self._placement = placement
        return checkpoint_if_due(core, self.journal)

    def switch_game(self, core: TableCore, game: int | None) -> None:
        """Switch to a new game, or to `game` of the journal. Raises JournalError."""
        if game is None:
            self.journal.begin_game(core.plan.journal_json, players.dump_players(core.players))
        else:
            self.journal.switch_game(game)
        self._placement = core.course.placement

    def save_players(self, core: TableCore) -> None:
        """Store the players' names and colours. Raises JournalError."""
        self.journal.save_players(players.dump_players(core.players))

    def on_disk_fault(self, core: TableCore, fault: str) -> bool:
        """Set the disk fault, a sentence or empty, and return whether it is a new one.

        Without a fault, writing is tried again if it failed before, with the present peg positions.
        """
        trouble, self._disk_fault = self._disk_fault, fault
        if self.trouble and not fault:
            self.journal.switch_game(self.journal.game_id or 0)  # something that changes nothing
            self._write(core, (), with_pegs=core.course.placement is not None)
        return bool(fault) and fault != trouble

    def _write(self, core: TableCore, entries: tuple[JournalEntry, ...], *, with_pegs: bool) -> None:
        try:
            self.journal.write(entries, core.course.dump() if with_pegs else None)
        except JournalError as error:
            self._write_fault = str(error)
            raise
        self._write_fault = ""
