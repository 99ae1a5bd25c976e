"""Moves of one game of a journal in order, with a hash after each: equal hashes mean equal games so far."""

import hashlib
from collections import Counter
from typing import Any, NamedTuple

from companion.journal.journal import Journal
from companion.protocol.json_codec import dump_json


class LoggedMove(NamedTuple):
    """A move of the journal: its source and its JSON."""

    by: str
    move: Any


class DealNumbers(NamedTuple):
    """The number of the move that began the current deal, 0 for the first; and that of the last finished deal."""

    current: int = 0
    finished: int | None = None


class MoveLog:
    """Moves of one game, read as the journal grows. Any thread, one at a time. Every method may raise JournalError."""

    def __init__(self, journal: Journal, game: int) -> None:
        self.game = game
        self.moves: list[LoggedMove] = []
        self._journal = journal
        self._marks = [""]
        self._deals = [DealNumbers()]
        self._cuts: Counter[int] = Counter()
        self._requested: set[tuple[int, str]] = set()
        self._newest, self._seen = 0, -1
        self.read_new_moves()

    def read_new_moves(self) -> None:
        """Read the moves that were added."""
        if self._journal.last_entry_id == self._seen:
            return
        self._seen = self._journal.last_entry_id
        for written in self._journal.read_entries(self.game, self._newest):
            self._newest = written.id
            if written.entry.kind == "move":
                self._append_move(LoggedMove(written.entry.by, written.entry.body))
            elif written.entry.kind == "ask":
                asked = (LoggedMove(each["by"], each["move"]) for each in written.entry.body)
                self._requested |= {(number, dump_json(each)) for number, each in enumerate(asked, self.count)}

    @property
    def count(self) -> int:
        """Number of moves, including undos."""
        return len(self.moves)

    @property
    def deals(self) -> DealNumbers:
        """The current and the last finished deal."""
        return self._deals[-1]

    @property
    def cuts(self) -> int:
        """Number of cuts in the current deal, including those taken back."""
        return self._cuts[self.deals.current]

    def is_requested(self, move: LoggedMove) -> bool:
        """Return whether this table has asked for this move as the next one."""
        return (self.count, dump_json(move)) in self._requested

    def mark_after(self, count: int) -> str | None:
        """Return the hash after this many moves; None if there are fewer."""
        return self._marks[count] if 0 <= count < len(self._marks) else None

    def _append_move(self, move: LoggedMove) -> None:
        self.moves.append(move)
        hashed = self._marks[-1] + dump_json(move)
        self._marks.append(hashlib.sha256(hashed.encode()).hexdigest()[:16])
        kind = move.move["type"]
        if kind == "undo":
            self._deals.pop()
            return
        deals = self.deals
        if kind in ("misdeal", "next"):
            deals = DealNumbers(self.count, deals.current if kind == "next" else deals.finished)
        self._deals.append(deals)
        self._cuts[deals.current] += kind == "starter"
