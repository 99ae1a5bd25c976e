"""The games of a journal, a line each: what was played, who played, and how it stands."""

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.journal.journal import Journal
from companion.table import players as people
from companion.table.resume import planned, stood
from companion.table.setup import Plan
from companion.table.state import Core

MOST = 200
"""So many games are listed at once."""

_GAMES = """SELECT id, begun, plan, players, (SELECT coalesce(max(id), 0) FROM entry WHERE game = game.id)
            FROM game WHERE id < ? ORDER BY id DESC LIMIT ?"""
_NEW_MOVES = "SELECT count(*), max(at) FROM entry WHERE game = ? AND kind = 'move' AND id > ?"


class _Stand(NamedTuple):
    """How a game stands after the entry `last`."""

    last: int = 0
    moves: int = 0
    at: str = ""
    scores: tuple[int, ...] = ()
    winner: int | None = None
    is_over: bool = False


class Shelf:
    """For any thread. What was found of a game holds until more is played of it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._one = threading.Lock()
        self._stands: dict[int, _Stand] = {}

    def listed(self, present: Core, before: int, most: int = MOST) -> list[dict[str, Any]]:
        """The games with a lower number than `before`, the newest first; `present` is the game that is on."""
        with self._one:
            on = self._journal.game
            rows = self._journal.read(_GAMES, before, most)
            return [self._line(present if row[0] == on else None, *row) for row in rows]

    def _line(self, core: Core | None, game: int, begun: str, plan: str, players: str, last: int) -> dict[str, Any]:
        given = _json(plan, {})
        stand = self._stand(core, game, last)
        try:
            made: Plan | None = planned(given)
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError):
            made = None
        known = people.load(_json(players, []))
        seated = people.seated(known, made.setup.seats, made.sides) if made else ()
        return {
            "id": game,
            "game": made.told["game"] if made else _unknown(given),
            "names": [each.name for each in seated],
            "colours": [each.colour for each in seated],
            "began": _iso(begun),
            "ended": _iso(stand.at) if stand.is_over else None,
            "scores": list(stand.scores),
            "winner": stand.winner,
            "moves": stand.moves,
        }

    def _stand(self, core: Core | None, game: int, last: int) -> _Stand:
        known = self._stands.get(game, _Stand())
        if known.last == last and known.scores:
            return known
        moves, at = self._journal.read(_NEW_MOVES, game, known.last)[0]
        found = known._replace(last=last, moves=known.moves + moves, at=at or known.at)
        with suppress(CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
            state = (core or stood(self._journal, game)).past.state
            found = found._replace(scores=tuple(state.scores), winner=state.winner, is_over=state.phase == "over")
        self._stands[game] = found
        return found


def _json(text: str | None, otherwise: Any) -> Any:
    try:
        return json.loads(text) if text else otherwise
    except ValueError:
        return otherwise


def _unknown(given: Mapping[str, Any]) -> dict[str, Any]:
    """A game that these rules do not know, in the shape of one that they do."""
    key = str(given.get("game", "unknown"))
    return {"key": key, "title": key, "seats": 0, "sides": 0, "target": None, "options": {}}


def _iso(at: str) -> str:
    """A time of the journal, ISO 8601 in UTC."""
    return datetime.fromisoformat(at).replace(tzinfo=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
