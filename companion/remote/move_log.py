"""The moves of one game of a journal, in order, with a mark after each: equal marks, equal games up to there."""

import hashlib
from typing import Any, NamedTuple

from companion.journal.journal import Journal
from companion.protocol.json_codec import dumps

_MISDEAL, _NEXT, _UNDO = "misdeal", "next", "undo"
_MARK = 16


class Made(NamedTuple):
    """A move as the journal has it: by what it was made, and its JSON."""

    by: str
    move: Any


class Log:
    """Read as the journal grows. Any thread, one at a time. Every method may raise JournalError."""

    def __init__(self, journal: Journal, game: int) -> None:
        self.game = game
        self.made: list[Made] = []
        self._journal = journal
        self._marks = [""]
        self._deals = [0]
        self._newest, self._seen = 0, -1
        self.look()

    def look(self) -> None:
        """Read what was written since."""
        if self._journal.last == self._seen:
            return
        self._seen = self._journal.last
        for written in self._journal.written(self.game, self._newest):
            self._newest = written.id
            if written.entry.kind == "move":
                self._add(Made(written.entry.by, written.entry.body))

    @property
    def count(self) -> int:
        """How many moves there are, undos among them."""
        return len(self.made)

    @property
    def deal(self) -> int:
        """Which deal lies on the table: the number of the move that began it, 0 for the game's first."""
        return self._deals[-1]

    def mark(self, count: int) -> str | None:
        """The mark after so many moves; None where there are not so many."""
        return self._marks[count] if 0 <= count < len(self._marks) else None

    def _add(self, made: Made) -> None:
        self.made.append(made)
        told = self._marks[-1] + dumps([made.by, made.move])
        self._marks.append(hashlib.sha256(told.encode()).hexdigest()[:_MARK])
        kind = made.move["type"]
        if kind == _UNDO:
            self._deals.pop()
        else:
            self._deals.append(self.count if kind in (_MISDEAL, _NEXT) else self.deal)
