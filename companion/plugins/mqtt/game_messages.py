"""Turns one game of the journal into MQTT messages, from any of its moves on. Uses no network.

N numbers the moves of the game from 1, undos included; it never changes, because the journal only grows. The game is
replayed by the same rules as at the table, from its last checkpoint before the first message.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.common.errors import JournalError
from companion.journal.journal import Journal, StoredEntry
from companion.protocol.json_codec import dump_json, read_move, to_json_value
from companion.rules.baseball import diamond
from companion.rules.engine import Setup
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.resume import CHECKPOINT_INTERVAL, GameSource, load_from_checkpoint, parse_plan, release_history
from companion.table.state import TableCore, apply_entry, create_core

BATCH_ENTRIES = 50
"""Number of journal entries read at once."""
HAND_OVER_PHASES = ("between", "over")
"""Phases after the end of a hand."""

_COUNT = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move' AND id <= ?"
_MOVE = "SELECT id FROM entry WHERE game = ? AND kind = 'move' ORDER BY id LIMIT 1 OFFSET ?"


class GameMessage(NamedTuple):
    """A message: the end of its topic, its text, and whether the broker retains it."""

    topic: str
    text: str
    is_retained: bool


class GameMessageReader:
    """Reads one game of the journal. It stands after move `n`; `next_messages` goes on from there."""

    def __init__(self, journal: Journal, game: int, run: str, n: int) -> None:
        """Replay the game up to move `n`.

        Raises CompanionError, or LookupError, TypeError, ValueError or AttributeError, if it cannot be replayed here.
        """
        self.game, self.run, self.n = game, run, 0
        first = create_core(parse_plan(journal.load_plan(game) or {}), Settings())
        self._source = GameSource(journal, game, first)
        last = journal.query(_MOVE, game, n - 1)[0][0] if n else 0
        self._core, self._at = load_from_checkpoint(self._source, last + 1)
        self._cut = self._at
        self.n = journal.query(_COUNT, game, self._at)[0][0]
        self._ahead: list[StoredEntry] = []
        while self.n < n and (written := self._read_entry(last)):
            self._apply_entry(written)

    def state_message(self) -> GameMessage:
        """Return the message of the game's state after move `n`."""
        plan, state = self._core.plan, self._core.past.state
        loaded_players = players.load_players(self._source.journal.read_game_column(self.game, "players"))
        message = {
            "run": self.run,
            "moves": self.n,
            "game": {**plan.snapshot_fields["game"], "dealer": plan.setup.dealer, **_custom_rules(plan.setup, state)},
            "players": to_json_value(players.describe_players(loaded_players, plan.setup.seats, plan.sides)),
            "scores": list(state.scores),
            "phase": state.phase,
            "winner": state.winner,
        }
        return GameMessage("state", dump_json(message), is_retained=True)

    def next_messages(self, upto: int) -> Iterator[GameMessage]:
        """Yield the message of the next move and, if it ends a hand, of the state; nothing if no move is left.

        :param upto: id of the last journal entry to read.
        """
        before = self._core.past.state.phase
        while written := self._read_entry(upto):
            message = self._apply_entry(written)
            if message is None:
                continue
            yield message
            now = self._core.past.state.phase
            if now in HAND_OVER_PHASES and now != before:
                yield self.state_message()
            return

    def _read_entry(self, upto: int) -> StoredEntry | None:
        if not self._ahead:
            self._ahead = list(self._source.journal.read_entries(self.game, self._at, BATCH_ENTRIES))
        if not self._ahead or self._ahead[0].id > upto:
            self._ahead = []
            return None
        return self._ahead.pop(0)

    def _apply_entry(self, written: StoredEntry) -> GameMessage | None:
        entry, before = written.entry, self._core
        move = read_move(entry.body, before.plan.setup.seats) if entry.kind == "move" else None
        core = self._core = apply_entry(before, entry, move, describe=False)
        self._at = written.id
        if written.id - self._cut >= CHECKPOINT_INTERVAL and core.past.parent_or_loader is not None:
            self._core, self._cut = release_history(core, self._source, written.id), written.id
        if move is None:
            return None
        self.n += 1
        awards = () if isinstance(move, Undo) else core.past.awards
        return GameMessage(
            f"move/{self.run}/{self.n}", _move_payload(self.run, self.n, written, awards, core), is_retained=False
        )


def _custom_rules(setup: Setup, state: Any) -> dict[str, Any]:
    """Return the rules that an owner's board file changes, so that an archive without it can replay the moves."""
    table = getattr(state, "spaces", None)
    return {"spaces": diamond.format_spaces(table)} if setup.board and table else {}


def _move_payload(run: str, n: int, written: StoredEntry, awards: Any, core: TableCore) -> str:
    if not isinstance(written.entry.body, dict):
        raise JournalError("A move of the journal has an invalid form.")
    return dump_json(
        {
            "run": run,
            "n": n,
            "ms": written.ms,
            "by": written.entry.by,
            "move": written.entry.body,
            "awards": to_json_value(awards),
            "scores": list(core.past.state.scores),
            "hash": written.hash,
        }
    )
