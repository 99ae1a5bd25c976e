"""What of a journal is still to be told. The journal is the outbox: this only remembers how far each game is told.

What an archive says it has (`upto`) is believed downwards: it may have us tell again, and at the begin of a session
skip what it has; never what the journal does not have. Knows no network and no clock.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.common.errors import CompanionError, JournalError
from companion.journal.journal import Journal
from companion.mqtt.game_messages import Line, Telling

_LOG = logging.getLogger(__name__)
_RUN = 16
"""So much of a game's hash names it."""

_GAMES = "SELECT id, hash, plan FROM game WHERE id > ? ORDER BY id"
_MOVES = "SELECT game, count(*) FROM entry WHERE kind = 'move' AND id <= ? GROUP BY game"
_PLAYED = "SELECT DISTINCT game FROM entry WHERE id > ? AND id <= ?"


def believed(upto: Mapping[str, Any], run: str, moves: int) -> int:
    """How many moves of a run an archive has, which has `moves`: 0 for what cannot be true."""
    told = upto.get(run)
    return told if type(told) is int and 0 <= told <= moves else 0


class Outbox:
    """What is to be told in one session. For one thread; it only reads the journal, which others write."""

    def __init__(self, journal: Journal, upto: Mapping[str, Any]) -> None:
        """Everything above `upto` is due. Raises JournalError."""
        self._journal = journal
        self._runs: dict[str, int] = {}
        self._has: dict[int, int] = {}
        self._sent: dict[int, int] = {}
        self._confirmed: dict[int, int] = {}
        self._due: dict[int, None] = {}
        self._unknown: set[int] = set()
        self._telling: Telling | None = None
        self._ready: Iterator[Line] = iter(())
        self._game = self._entry = self._on = 0
        self._look()
        self._has |= dict(journal.read(_MOVES, self._entry))
        for run, game in self._runs.items():
            self._sent[game] = self._confirmed[game] = believed(upto, run, self._has[game])
            if self._sent[game] == self._has[game]:
                del self._due[game]
        self._turn_to_on()

    def heard(self, upto: Mapping[str, Any]) -> bool:
        """An archive says what it has; whether that was news. What it says it lacks is told again.

        Where nothing is news it asks for what comes next: it has begun anew, or something was lost on the way.
        """
        told = {game: believed(upto, run, self._has[game]) for run, game in self._runs.items()}
        is_news = any(told[game] > self._confirmed[game] for game in told)
        for game, has in told.items():
            if has < self._confirmed[game] or (not is_news and has < self._sent[game]):
                self._again(game, has)
        self._confirmed = told
        return is_news

    @property
    def is_confirmed(self) -> bool:
        """Whether an archive has all that was told."""
        return self._sent == self._confirmed

    def again(self) -> None:
        """Tell again all that no archive has said it has."""
        for game, told in self._confirmed.items():
            if told < self._sent[game]:
                self._again(game, told)

    def next(self) -> Line | None:
        """What to tell next; None where all is told. Raises JournalError."""
        while True:
            if (line := next(self._ready, None)) is not None:
                return line
            if self._telling is not None:
                game = self._telling.game
                self._ready = self._lines(self._telling)
                if (line := next(self._ready, None)) is not None:
                    return line
                self._due.pop(game, None)
            if not self._look():
                return None
            game = next(iter(self._due))
            if self._telling is None or self._telling.game != game:
                self._open(game)

    def _lines(self, telling: Telling) -> Iterator[Line]:
        """The next move of the game that is told, and what belongs to it."""
        try:
            for line in telling.next_lines(self._journal.last):
                self._sent[telling.game] = telling.n
                self._has[telling.game] = max(self._has[telling.game], telling.n)
                yield line
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._leave_out(telling.game, error)

    def _open(self, game: int) -> None:
        run = next(run for run, each in self._runs.items() if each == game)
        try:
            self._telling = Telling(self._journal, game, run, self._sent[game])
            self._ready = iter((self._telling.state(),))
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            self._leave_out(game, error)

    def _leave_out(self, game: int, error: Exception) -> None:
        """A game that cannot be played here holds up no other. One that cannot be read is due with its next move."""
        _LOG.warning("What was played at table %d cannot be told: %s", game, error)
        if not isinstance(error, JournalError):
            self._unknown.add(game)
        self._due.pop(game, None)
        self._telling, self._ready = None, iter(())

    def _again(self, game: int, told: int) -> None:
        self._sent[game] = told
        if game not in self._unknown:
            self._due[game] = None
        if self._telling is not None and self._telling.game == game:
            self._telling, self._ready = None, iter(())

    def _look(self) -> bool:
        """Whether anything is due, after a look at what was written since."""
        last = self._journal.last
        if last == self._entry and self._journal.game == self._on:
            return bool(self._due)
        for game, mark, plan in self._journal.read(_GAMES, self._game):
            self._game = game
            if _is_told_elsewhere(plan):
                self._unknown.add(game)
                continue
            self._runs[mark[:_RUN]] = game
            self._has[game] = self._sent[game] = self._confirmed[game] = 0
            self._due[game] = None
        played = {game for (game,) in self._journal.read(_PLAYED, self._entry, last)} - self._unknown
        self._due |= dict.fromkeys(sorted(played))
        self._entry = last
        if self._journal.game != self._on:
            self._turn_to_on()
        return bool(self._due)

    def _turn_to_on(self) -> None:
        """The game that is on comes last: how it stands is what stays with the broker."""
        game = self._journal.game or 0
        if game in self._sent or game in self._unknown:
            self._on = game
        if game in self._sent and game not in self._unknown:
            self._due.pop(game, None)
            self._due[game] = None


def _is_told_elsewhere(plan: str) -> bool:
    """Whether another table keeps the order of this game, and tells of it: told twice, it would count twice."""
    with suppress(ValueError, TypeError, AttributeError):
        return json.loads(plan).get("afar", {}).get("is_host") is False
    return False
