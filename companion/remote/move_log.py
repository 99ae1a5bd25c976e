"""Moves of one game of a journal in order, with a hash after each: equal hashes mean equal games so far."""

import hashlib
from typing import Any, NamedTuple

from companion.journal.journal import Journal
from companion.protocol.json_codec import dump_json

_MISDEAL, _NEXT, _UNDO = "misdeal", "next", "undo"
_MARK_LENGTH = 16


class LoggedMove(NamedTuple):
    """A move of the journal: its source and its JSON."""

    by: str
    move: Any


class MoveLog:
    """Moves of one game, read as the journal grows. Any thread, one at a time. Every method may raise JournalError."""

    def __init__(self, journal: Journal, game: int) -> None:
        self.game = game
        self.moves: list[LoggedMove] = []
        self._journal = journal
        self._marks = [""]
        self._deals = [0]
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

    @property
    def count(self) -> int:
        """Number of moves, including undos."""
        return len(self.moves)

    @property
    def deal_number(self) -> int:
        """Number of the move that began the current deal; 0 for the first deal of the game."""
        return self._deals[-1]

    def mark_after(self, count: int) -> str | None:
        """Return the hash after this many moves; None if there are fewer."""
        return self._marks[count] if 0 <= count < len(self._marks) else None

    def _append_move(self, move: LoggedMove) -> None:
        self.moves.append(move)
        hashed = self._marks[-1] + dump_json([move.by, move.move])
        self._marks.append(hashlib.sha256(hashed.encode()).hexdigest()[:_MARK_LENGTH])
        kind = move.move["type"]
        if kind == _UNDO:
            self._deals.pop()
        else:
            self._deals.append(self.count if kind in (_MISDEAL, _NEXT) else self.deal_number)
