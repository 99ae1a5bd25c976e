"""What was played, as the journal has it: the accepted moves not undone of each of its games, with what came of them.

A game is folded once, by the same rules as at the table, and from then on only by what has been written since. What
is told of a long one is kept on the disk, not in memory, for as long as the program runs.
"""

import json
import sqlite3
import threading
from collections import OrderedDict
from typing import Any, NamedTuple

from companion.common.errors import CompanionError, JournalError
from companion.i18n import dumped, loaded
from companion.i18n.catalog import Catalogue
from companion.journal.journal import Journal, Written
from companion.protocol.json_codec import dumps, read_move
from companion.rules import seat_names
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.players import People
from companion.table.resume import BATCH, EVERY, Source, cut, from_checkpoint, planned
from companion.table.setup import Plan
from companion.table.state import Core, begin, fold

_REMEMBERED = 8
"""So many games stay folded."""

MOST = 10_000
"""So many moves are told at most, the newest: more than any evening has."""

_COUNT = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move' AND id <= ?"
MOVE = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id LIMIT 1 OFFSET ?"

_TOLD = "CREATE TABLE told (game INTEGER, n INTEGER, text TEXT, said TEXT, PRIMARY KEY (game, n)) WITHOUT ROWID"


class Chronicle:
    """One game, folded as far as it was read. Its lines are in `lines`, a database, each with its number.

    `moves` is how many were made, and `since` how many before the first that it tells: a long game is begun at a
    checkpoint.
    """

    def __init__(self, journal: Journal, game: int, lines: sqlite3.Connection, number: int = 0) -> None:
        """Ready to tell the moves with a greater number. Raises CompanionError where it cannot be played here."""
        first = begin(planned(journal.plan(game) or {}), Settings())
        self._source = Source(journal, game, first)
        self._game, self._lines = game, lines
        self._lines.execute("DELETE FROM told WHERE game = ?", (game,))
        after = journal.read(MOVE, game, number) if number else []
        self._core, self._newest = from_checkpoint(self._source, after[0][0]) if after else (first, 0)
        self._cut = self._newest
        self.since = self.moves = journal.read(_COUNT, game, self._newest)[0][0]

    @property
    def plan(self) -> Plan:
        """What is played."""
        return self._core.plan

    def read(self) -> None:
        """Go on by what has been written since."""
        while batch := self._source.journal.written(self._game, self._newest, BATCH):
            for written in batch:
                self._take(written)

    def _take(self, written: Written) -> None:
        entry, before = written.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = fold(before, entry, move)
        self.moves += move is not None
        if isinstance(move, Undo):
            last = "SELECT max(n) FROM told WHERE game = ?1"
            self._lines.execute(f"DELETE FROM told WHERE game = ?1 AND n = ({last})", (self._game,))
        elif move is not None:
            said = (core.last or {})["said"]
            row = (
                self._game,
                self.moves,
                dumps(_line(self.moves, written, core)),
                dumps([dumped(each) for each in said]),
            )
            self._lines.execute("INSERT INTO told VALUES (?, ?, ?, ?)", row)
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
        self._of: OrderedDict[int, Chronicle] = OrderedDict()
        self._lines = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # its own file, in no folder
        self._lines.execute(_TOLD)

    def after(self, game: int, number: int) -> list[str] | None:
        """As `told`, only the moves."""
        told = self.told(game, number)
        return told and told.moves

    def told(self, game: int, number: int, language: Catalogue | None = None) -> "Told | None":
        """The moves of a game with a greater number, the newest `MOST`; None where there is no such game.

        Their sentences are in this language, None for English.
        Raises JournalError where the game cannot be read, or cannot be played by these rules.
        """
        with self._one:
            if self._journal.plan(game) is None:
                return None
            try:
                found = self._folded(game, number)
                found.read()
            except JournalError:
                raise
            except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise JournalError(
                    "What was played at table {game} cannot be read: {error}", game=game, error=error
                ) from error
            start = max(number, found.moves - MOST)
            asked = "SELECT text, said FROM told WHERE game = ? AND n > ? ORDER BY n"
            lines = self._lines.execute(asked, (game, start)).fetchall()
            say = _Saying(players.load(self._journal.noted(game, "players")), found.plan, language)
            return Told([say(text, said) for text, said in lines], start > number)

    def _folded(self, game: int, number: int) -> Chronicle:
        """The chronicle of a game, one that tells what came after this number of moves, or the newest `MOST`."""
        found = self._of.pop(game, None)
        if found is None or found.since > max(number, found.moves - MOST):
            moves = self._journal.read(_COUNT, game, self._journal.last)[0][0]
            found = Chronicle(self._journal, game, self._lines, max(number, moves - MOST))
        self._of[game] = found
        if len(self._of) > _REMEMBERED:
            self._of.popitem(last=False)
        return found


class Told(NamedTuple):
    """Moves as JSON texts. `is_cut`: there are earlier ones that were asked for."""

    moves: list[str]
    is_cut: bool


class _Saying:
    """A kept line with people's names and in a language: its sentences come last in it."""

    def __init__(self, who: People, plan: Plan, language: Catalogue | None) -> None:
        self._old = seat_names(plan.setup.seats, plan.sides)
        self._new = [each.name for each in players.seated(who, plan.setup.seats, plan.sides)]
        self._language = language

    def __call__(self, line: str, said: str) -> str:
        if self._language is None and self._new == list(self._old):
            return line
        sentences = [players.renamed(loaded(each), self._old, self._new) for each in json.loads(said)]
        told = self._language.value(sentences) if self._language else sentences
        head, mark, _ = line.rpartition('"say":')
        return f"{head}{mark}{dumps(told)}}}"
