"""The part of the journal that is not published yet, and its MQTT messages. Uses neither network nor clock.

The journal itself is the outbox; this module tracks positions. An archive reports how many moves it has (`upto`). It
can make the outbox publish moves again and, at the start of a session, skip moves it has, but never beyond the
journal.

N numbers the moves of a game from 1, undos included; it never changes, because the journal only grows. The game is
replayed by the same rules as at the table, from its last checkpoint before the first message.
"""

import json
import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from companion.common.errors import CompanionError, JournalError
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


MAX_UNCONFIRMED_MOVES = 200
"""Maximum number of moves that are sent and not confirmed, once an archive has reported what it has.

It is more than an archive confirms of a board at once, and bounds what a broker and an archive must take at a time.
"""

_LOG = logging.getLogger(__name__)
_RUN_ID_LENGTH = 16
"""Number of characters of a game's hash that form its run id."""

_GAMES = "SELECT id, hash, plan FROM game WHERE id > ? ORDER BY id"
_MOVES = "SELECT game, count(*) FROM entry WHERE kind = 'move' AND id <= ? GROUP BY game"
_PLAYED = "SELECT DISTINCT game FROM entry WHERE id > ? AND id <= ?"


def plausible_upto(upto: Mapping[str, Any], run: str, moves: int) -> int:
    """Return how many of the `moves` moves of a run an archive has; 0 if it reports an impossible number."""
    confirmed = upto.get(run)
    return confirmed if type(confirmed) is int and 0 <= confirmed <= moves else 0


class Outbox:
    """The messages to publish in one session. For one thread; it only reads the journal.

    An archive never confirms the moves of some runs, for example those of a game that it does not know. Such a run is
    set aside: only its next move is sent again, until it is confirmed. `unconfirmed_runs` names them for the next
    session.
    """

    def __init__(
        self,
        journal: Journal,
        upto: Mapping[str, Any],
        unconfirmed_runs: Collection[str] = (),
        *,
        has_archive: bool = False,
    ) -> None:
        """Start with everything after `upto` (moves by run id) due. Raises JournalError.

        :param has_archive: an archive has reported before, so only a window of moves is sent without confirmation.
        """
        self._journal = journal
        self.has_archive = has_archive or bool(upto)
        self._runs: dict[str, int] = {}
        self._recorded: dict[int, int] = {}
        self._sent: dict[int, int] = {}
        self._confirmed: dict[int, int] = {}
        self._due: dict[int, None] = {}
        self._unknown: set[int] = set()
        self._open_reader: GameMessageReader | None = None
        self._ready: Iterator[GameMessage] = iter(())
        self._last_game = self._last_entry = self._current_game = 0
        self._find_due_games()
        self._recorded |= dict(journal.query(_MOVES, self._last_entry))
        for run, game in self._runs.items():
            self._sent[game] = self._confirmed[game] = plausible_upto(upto, run, self._recorded[game])
            if self._sent[game] == self._recorded[game]:
                del self._due[game]
        self._set_aside = {self._runs[run] for run in unconfirmed_runs if run in self._runs}
        self._in_flight = 0
        self._move_current_last()

    def on_confirmation(self, upto: Mapping[str, Any]) -> bool:
        """Handle an archive's report of what it has. Returns whether it confirms more than before.

        Moves that it has are not sent. If it has fewer than it had, those that it lacks become due again at once.
        """
        self.has_archive = True
        confirmed = {game: plausible_upto(upto, run, self._recorded[game]) for run, game in self._runs.items()}
        is_news = any(confirmed[game] > self._confirmed[game] for game in confirmed)
        for game, has in confirmed.items():
            if has < self._confirmed[game] or has > self._sent[game]:
                self._rewind_game(game, has)
            if has > self._confirmed[game]:
                self._set_aside.discard(game)
        self._confirmed = confirmed
        self._count_in_flight()
        return is_news

    @property
    def is_confirmed(self) -> bool:
        """Whether an archive has confirmed everything published."""
        return self._sent == self._confirmed

    @property
    def is_window_full(self) -> bool:
        """Whether the archive must confirm moves before more are sent."""
        return self.has_archive and self._in_flight >= MAX_UNCONFIRMED_MOVES

    @property
    def unconfirmed_runs(self) -> frozenset[str]:
        return frozenset(run for run, game in self._runs.items() if game in self._set_aside)

    def resend_unconfirmed(self, *, is_requested: bool = False) -> None:
        """Make all unconfirmed moves due again; those of runs set aside only if the archive requests them."""
        if is_requested:
            self._set_aside.clear()
        for game, confirmed in self._confirmed.items():
            if confirmed < self._sent[game]:
                self._rewind_game(game, confirmed)
        self._count_in_flight()

    def set_unconfirmed_aside(self) -> None:
        """Set the runs aside whose moves fill the window, so that the others are published."""
        self._set_aside |= {game for game, confirmed in self._confirmed.items() if confirmed < self._sent[game]}
        self._count_in_flight()

    def next_message(self) -> GameMessage | None:
        """Return the next message, or None if none may be published now. Raises JournalError."""
        while True:
            if (line := next(self._ready, None)) is not None:
                return line
            if self.is_window_full:
                return None
            if self._open_reader is not None and self._may_send(self._open_reader.game):
                game = self._open_reader.game
                self._ready = self._read_messages(self._open_reader)
                if (line := next(self._ready, None)) is not None:
                    return line
                self._due.pop(game, None)
            self._find_due_games()
            due = next((game for game in self._due if self._may_send(game)), None)
            if due is None:
                return None
            if self._open_reader is None or self._open_reader.game != due:
                self._open_game(due)

    def _may_send(self, game: int) -> bool:
        """Return whether the next move may be sent: of a run set aside, only the one after the confirmed."""
        return not self.has_archive or game not in self._set_aside or self._sent[game] <= self._confirmed[game]

    def _count_in_flight(self) -> None:
        """Count the moves that are sent and not confirmed, without those of runs set aside."""
        self._in_flight = sum(
            self._sent[game] - self._confirmed[game] for game in self._sent if game not in self._set_aside
        )

    def _read_messages(self, reader: GameMessageReader) -> Iterator[GameMessage]:
        """Yield the messages of the next move of the open game."""
        try:
            for line in reader.next_messages(self._journal.last_entry_id):
                self._in_flight += reader.game not in self._set_aside and reader.n > self._sent[reader.game]
                self._sent[reader.game] = reader.n
                self._recorded[reader.game] = max(self._recorded[reader.game], reader.n)
                yield line
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._skip_game(reader.game, error)

    def _open_game(self, game: int) -> None:
        run = next(run for run, number in self._runs.items() if number == game)
        try:
            self._open_reader = GameMessageReader(self._journal, game, run, self._sent[game])
            self._ready = iter((self._open_reader.state_message(),))
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._skip_game(game, error)

    def _skip_game(self, game: int, error: Exception) -> None:
        """Skip a game that fails, so that others go on. If it could not be read, it is due again with its next move."""
        _LOG.warning("Cannot publish the moves of table %d: %s", game, error)
        if not isinstance(error, JournalError):
            self._unknown.add(game)
        self._due.pop(game, None)
        self._open_reader, self._ready = None, iter(())

    def _rewind_game(self, game: int, confirmed: int) -> None:
        self._sent[game] = confirmed
        if game not in self._unknown and confirmed < self._recorded[game]:
            self._due[game] = None
        else:
            self._due.pop(game, None)
        if self._open_reader is not None and self._open_reader.game == game:
            self._open_reader, self._ready = None, iter(())

    def _find_due_games(self) -> bool:
        """Look for new games and moves in the journal. Returns whether anything is due."""
        last = self._journal.last_entry_id
        if last == self._last_entry and self._journal.game_id == self._current_game:
            return bool(self._due)
        for game, game_hash, plan in self._journal.query(_GAMES, self._last_game):
            self._last_game = game
            if _is_published_elsewhere(plan):
                self._unknown.add(game)
                continue
            self._runs[game_hash[:_RUN_ID_LENGTH]] = game
            self._recorded[game] = self._sent[game] = self._confirmed[game] = 0
            self._due[game] = None
        played = {game for (game,) in self._journal.query(_PLAYED, self._last_entry, last)} - self._unknown
        self._due |= dict.fromkeys(sorted(played))
        self._last_entry = last
        if self._journal.game_id != self._current_game:
            self._move_current_last()
        return bool(self._due)

    def _move_current_last(self) -> None:
        """Put the current game last, because the broker retains the state that was published last."""
        game = self._journal.game_id or 0
        if game in self._sent or game in self._unknown:
            self._current_game = game
        if game in self._sent and game not in self._unknown:
            self._due.pop(game, None)
            self._due[game] = None


def _is_published_elsewhere(plan: str) -> bool:
    """Return whether the other table of a remote game publishes it; published twice, it would count twice."""
    with suppress(ValueError, TypeError, AttributeError):
        return json.loads(plan).get("afar", {}).get("is_host") is False
    return False
