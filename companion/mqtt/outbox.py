"""The part of the journal that is not published yet. The journal itself is the outbox; this module tracks positions.

An archive reports how many moves it has (`upto`). It can make the outbox publish moves again and, at the start of a
session, skip moves it has, but never beyond the journal. Uses neither network nor clock.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.common.errors import CompanionError, JournalError
from companion.journal.journal import Journal
from companion.mqtt.game_messages import GameMessage, GameMessageReader

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
    """The messages to publish in one session. For one thread; it only reads the journal."""

    def __init__(self, journal: Journal, upto: Mapping[str, Any]) -> None:
        """Start with everything after `upto` (moves by run id) due. Raises JournalError."""
        self._journal = journal
        self._runs: dict[str, int] = {}
        self._has: dict[int, int] = {}
        self._sent: dict[int, int] = {}
        self._confirmed: dict[int, int] = {}
        self._due: dict[int, None] = {}
        self._unknown: set[int] = set()
        self._telling: GameMessageReader | None = None
        self._ready: Iterator[GameMessage] = iter(())
        self._game = self._entry = self._on = 0
        self._find_due_games()
        self._has |= dict(journal.query(_MOVES, self._entry))
        for run, game in self._runs.items():
            self._sent[game] = self._confirmed[game] = plausible_upto(upto, run, self._has[game])
            if self._sent[game] == self._has[game]:
                del self._due[game]
        self._move_current_last()

    def on_confirmation(self, upto: Mapping[str, Any]) -> bool:
        """Handle an archive's report of what it has. Returns whether it confirms more than before.

        Moves that the archive lacks become due again. A report without progress requests the next moves: the archive
        restarted, or a message was lost.
        """
        confirmed = {game: plausible_upto(upto, run, self._has[game]) for run, game in self._runs.items()}
        is_news = any(confirmed[game] > self._confirmed[game] for game in confirmed)
        for game, has in confirmed.items():
            if has < self._confirmed[game] or (not is_news and has < self._sent[game]):
                self._rewind_game(game, has)
        self._confirmed = confirmed
        return is_news

    @property
    def is_confirmed(self) -> bool:
        """Whether an archive has confirmed everything published."""
        return self._sent == self._confirmed

    def resend_unconfirmed(self) -> None:
        """Make all unconfirmed moves due again."""
        for game, confirmed in self._confirmed.items():
            if confirmed < self._sent[game]:
                self._rewind_game(game, confirmed)

    def next_message(self) -> GameMessage | None:
        """Return the next message, or None if everything is published. Raises JournalError."""
        while True:
            if (line := next(self._ready, None)) is not None:
                return line
            if self._telling is not None:
                game = self._telling.game
                self._ready = self._read_messages(self._telling)
                if (line := next(self._ready, None)) is not None:
                    return line
                self._due.pop(game, None)
            if not self._find_due_games():
                return None
            game = next(iter(self._due))
            if self._telling is None or self._telling.game != game:
                self._open_game(game)

    def _read_messages(self, telling: GameMessageReader) -> Iterator[GameMessage]:
        """Yield the messages of the next move of the open game."""
        try:
            for line in telling.next_messages(self._journal.last_entry_id):
                self._sent[telling.game] = telling.n
                self._has[telling.game] = max(self._has[telling.game], telling.n)
                yield line
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._skip_game(telling.game, error)

    def _open_game(self, game: int) -> None:
        run = next(run for run, each in self._runs.items() if each == game)
        try:
            self._telling = GameMessageReader(self._journal, game, run, self._sent[game])
            self._ready = iter((self._telling.state_message(),))
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._skip_game(game, error)

    def _skip_game(self, game: int, error: Exception) -> None:
        """Skip a game that fails, so that others go on. If it could not be read, it is due again with its next move."""
        _LOG.warning("Cannot publish the moves of table %d: %s", game, error)
        if not isinstance(error, JournalError):
            self._unknown.add(game)
        self._due.pop(game, None)
        self._telling, self._ready = None, iter(())

    def _rewind_game(self, game: int, confirmed: int) -> None:
        self._sent[game] = confirmed
        if game not in self._unknown:
            self._due[game] = None
        if self._telling is not None and self._telling.game == game:
            self._telling, self._ready = None, iter(())

    def _find_due_games(self) -> bool:
        """Look for new games and moves in the journal. Returns whether anything is due."""
        last = self._journal.last_entry_id
        if last == self._entry and self._journal.game_id == self._on:
            return bool(self._due)
        for game, game_hash, plan in self._journal.query(_GAMES, self._game):
            self._game = game
            if _is_published_elsewhere(plan):
                self._unknown.add(game)
                continue
            self._runs[game_hash[:_RUN_ID_LENGTH]] = game
            self._has[game] = self._sent[game] = self._confirmed[game] = 0
            self._due[game] = None
        played = {game for (game,) in self._journal.query(_PLAYED, self._entry, last)} - self._unknown
        self._due |= dict.fromkeys(sorted(played))
        self._entry = last
        if self._journal.game_id != self._on:
            self._move_current_last()
        return bool(self._due)

    def _move_current_last(self) -> None:
        """Put the current game last, because the broker retains the state that was published last."""
        game = self._journal.game_id or 0
        if game in self._sent or game in self._unknown:
            self._on = game
        if game in self._sent and game not in self._unknown:
            self._due.pop(game, None)
            self._due[game] = None


def _is_published_elsewhere(plan: str) -> bool:
    """Return whether the other table of a remote game publishes it; published twice, it would count twice."""
    with suppress(ValueError, TypeError, AttributeError):
        return json.loads(plan).get("afar", {}).get("is_host") is False
    return False
