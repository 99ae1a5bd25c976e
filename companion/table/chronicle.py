"""What was played, as the journal has it: the accepted moves not undone of each of its games, with what came of them.

A game is folded once, by the same rules as at the table, and from then on only by what has been written since. What
is told of a long one is kept on the disk, not in memory, for as long as the program runs.
"""

import sqlite3
import threading
from functools import lru_cache
from typing import Any

from companion.codec import dumps, read_move
from companion.errors import CompanionError, JournalError
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table.core import Core, begin, fold
from companion.table.journal import Journal, Written
from companion.table.resuming import BATCH, EVERY, Source, cut, planned

_REMEMBERED = 8
"""So many games stay folded."""

_TOLD = "CREATE TABLE told (game INTEGER, n INTEGER, text TEXT, PRIMARY KEY (game, n)) WITHOUT ROWID"


class Chronicle:
    """One game, folded as far as it was read. Its lines are in `lines`, a database, each with its number."""

    def __init__(self, journal: Journal, game: int, lines: sqlite3.Connection) -> None:
        """Before the game's first move. Raises CompanionError where it cannot be played here."""
        self._core: Core = begin(planned(journal.plan(game) or {}), Settings())
        self._source = Source(journal, game, self._core)
        self._game, self._lines = game, lines
        self._lines.execute("DELETE FROM told WHERE game = ?", (game,))
        self._moves = self._newest = self._cut = 0

    def read(self) -> None:
        """Go on by what has been written since."""
        while batch := self._source.journal.written(self._game, self._newest, BATCH):
            for written in batch:
                self._take(written)

    def _take(self, written: Written) -> None:
        entry, before = written.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = fold(before, entry, move)
        self._moves += move is not None
        if isinstance(move, Undo):
            last = "SELECT max(n) FROM told WHERE game = ?1"
            self._lines.execute(f"DELETE FROM told WHERE game = ?1 AND n = ({last})", (self._game,))
        elif move is not None:
            text = dumps(_line(self._moves, written, core))
            self._lines.execute("INSERT INTO told VALUES (?, ?, ?)", (self._game, self._moves, text))
        self._newest = written.id
        if written.id - self._cut >= EVERY and core.past.led is not None:
            self._core, self._cut = cut(core, self._source, written.id), written.id


def _line(number: int, written: Written, core: Core) -> dict[str, Any]:
    last = core.last or {}
    return {
        "n": number, "ms": written.ms, "by": written.entry.by, "move": last["move"], "awards": last["awards"],
        "scores": list(core.past.state.scores), "say": last["said"],
    }  # fmt: skip


class Chronicles:
    """The chronicles of a journal's games. For any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._one = threading.Lock()
        self._of = lru_cache(_REMEMBERED)(self._begun)
        self._lines = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # its own file, in no folder
        self._lines.execute(_TOLD)

    def after(self, game: int, number: int) -> list[str] | None:
        """The moves of a game with a greater number, as JSON texts; None where there is no such game.

        Raises JournalError where the game cannot be read, or cannot be played by these rules.
        """
        with self._one:
            if self._journal.plan(game) is None:
                return None
            try:
                self._of(game).read()
            except JournalError:
                raise
            except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise JournalError(f"What was played at table {game} cannot be read: {error}") from error
            asked = "SELECT text FROM told WHERE game = ? AND n > ? ORDER BY n"
            return [text for (text,) in self._lines.execute(asked, (game, number))]

    def _begun(self, game: int) -> Chronicle:
        return Chronicle(self._journal, game, self._lines)
