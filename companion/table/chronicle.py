"""What was played, as the journal has it: the accepted moves not undone of each of its games, with what came of them.

A game is folded once, by the same rules as at the table, and from then on only by what has been written since.
"""

import threading
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

from companion.codec import dumps, read_move
from companion.errors import CompanionError, JournalError
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table.core import Core, begin, fold
from companion.table.journal import Journal, Written
from companion.table.plan import plan

_REMEMBERED = 8
"""So many games stay folded."""


class Chronicle:
    """The moves of one game that stand, in order, each with its number, as JSON text."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """A game with this plan, before its first move. Raises CompanionError where it cannot be played here."""
        made = plan(*(given[key] for key in ("game", "seats", "dealer", "options", "board")))
        self._core: Core = begin(made, Settings())
        self._moves = 0
        self._told: list[tuple[int, str]] = []
        self.newest = 0

    def take(self, written: Written) -> None:
        """Go on by an entry of the journal; `newest` is the id of the last one taken."""
        entry, before = written.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = fold(before, entry, move)
        self._moves += move is not None
        if isinstance(move, Undo):
            self._told.pop()
        elif move is not None:
            self._told.append((self._moves, dumps(_line(self._moves, written, core))))
        self.newest = written.id

    def after(self, number: int) -> list[str]:
        """The moves with a greater number."""
        return [text for _, text in self._told[bisect_right(self._told, number, key=itemgetter(0)) :]]


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

    def after(self, game: int, number: int) -> list[str] | None:
        """The moves of a game with a greater number, as JSON texts; None where there is no such game.

        Raises JournalError where the game cannot be read, or cannot be played by these rules.
        """
        with self._one:
            given = self._journal.plan(game)
            if given is None:
                return None
            try:
                found = self._of(game)
                for written in self._journal.written(game, found.newest):
                    found.take(written)
            except JournalError:
                raise
            except (CompanionError, LookupError, TypeError) as error:
                raise JournalError(f"What was played at table {game} cannot be read: {error}") from error
            return found.after(number)

    def _begun(self, game: int) -> Chronicle:
        return Chronicle(self._journal.plan(game) or {})
