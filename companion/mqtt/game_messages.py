"""One game of a journal, told move by move from any of them on.

N counts the moves of the game from 1, undos among them, and never changes: the journal only grows. The game is folded
by the same rules as at the table, from its last checkpoint before where the telling begins. Knows no network.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.common.errors import JournalError
from companion.journal.journal import Journal, Written
from companion.protocol.json_codec import dumps, plain, read_move
from companion.rules.baseball import spaces
from companion.rules.engine import Setup
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.resume import EVERY, Source, cut, from_checkpoint, planned
from companion.table.state import Core, begin, fold

BATCH = 50
"""So many entries are read at once."""
RESTS = ("between", "over")
"""Phases in which a hand is over."""

_COUNT = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move' AND id <= ?"
_MOVE = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id LIMIT 1 OFFSET ?"


class Line(NamedTuple):
    """What is told: the end of its topic, its text, and whether it is kept for who comes later."""

    topic: str
    text: str
    is_kept: bool


class Telling:
    """A game, told up to its move `n`; `next_lines` goes on from there."""

    def __init__(self, journal: Journal, game: int, run: str, n: int) -> None:
        """Raises CompanionError, or what Python raises for another shape, where the game cannot be played here."""
        self.game, self.run, self.n = game, run, 0
        first = begin(planned(journal.plan(game) or {}), Settings())
        self._source = Source(journal, game, first)
        last = journal.read(_MOVE, game, n - 1)[0][0] if n else 0
        self._core, self._at = from_checkpoint(self._source, last + 1)
        self._cut = self._at
        self.n = journal.read(_COUNT, game, self._at)[0][0]
        self._ahead: list[Written] = []
        while self.n < n and (written := self._read(last)):
            self._take(written)

    def state(self) -> Line:
        """How the game stands after move `n`."""
        plan, state = self._core.plan, self._core.past.state
        who = players.load(self._source.journal.noted(self.game, "players"))
        told = {
            "run": self.run,
            "moves": self.n,
            "game": {**plan.told["game"], "dealer": plan.setup.dealer, **_own_rules(plan.setup, state)},
            "players": plain(players.told(who, plan.setup.seats, plan.sides)),
            "scores": list(state.scores),
            "phase": state.phase,
            "winner": state.winner,
        }
        return Line("state", dumps(told), is_kept=True)

    def next_lines(self, upto: int) -> Iterator[Line]:
        """The next move and, where it ends a hand, how the game then stands; nothing where none is left.

        `upto` is the last entry that counts.
        """
        before = self._core.past.state.phase
        while written := self._read(upto):
            told = self._take(written)
            if told is None:
                continue
            yield told
            now = self._core.past.state.phase
            if now in RESTS and now != before:
                yield self.state()
            return

    def _read(self, upto: int) -> Written | None:
        if not self._ahead:
            self._ahead = list(self._source.journal.written(self.game, self._at, BATCH))
        if not self._ahead or self._ahead[0].id > upto:
            self._ahead = []
            return None
        return self._ahead.pop(0)

    def _take(self, written: Written) -> Line | None:
        entry, before = written.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = fold(before, entry, move, telling=False)
        self._at = written.id
        if written.id - self._cut >= EVERY and core.past.led is not None:
            self._core, self._cut = cut(core, self._source, written.id), written.id
        if move is None:
            return None
        self.n += 1
        awards = () if isinstance(move, Undo) else core.past.awards
        return Line(f"move/{self.run}/{self.n}", _told(self.run, self.n, written, awards, core), is_kept=False)


def _own_rules(setup: Setup, state: Any) -> dict[str, Any]:
    """What an owner's board file changes in the rules: who has no such file folds the moves by this."""
    table = getattr(state, "spaces", None)
    return {"spaces": spaces.told(table)} if setup.board and table else {}


def _told(run: str, n: int, written: Written, awards: Any, core: Core) -> str:
    if not isinstance(written.entry.body, dict):
        raise JournalError("A move of the journal has another form.")
    return dumps(
        {
            "run": run,
            "n": n,
            "ms": written.ms,
            "by": written.entry.by,
            "move": written.entry.body,
            "awards": plain(awards),
            "scores": list(core.past.state.scores),
            "hash": written.hash,
        }
    )
