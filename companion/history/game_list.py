"""List the games of a journal: the game, its players and its score."""

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.journal.journal import Journal
from companion.table import players
from companion.table.resume import load_core, parse_plan
from companion.table.setup import TablePlan
from companion.table.state import TableCore

MAX_GAMES_LISTED = 200
"""Maximum number of games in one answer."""

_GAMES_QUERY = """SELECT id, begun, plan, players, (SELECT coalesce(max(id), 0) FROM entry WHERE game = game.id)
            FROM game WHERE id < ? ORDER BY id DESC LIMIT ?"""
_NEW_MOVES_QUERY = "SELECT count(*), max(at) FROM entry WHERE game = ? AND kind = 'move' AND id > ?"


class _GameStatus(NamedTuple):
    """The status of a game after the entry `last`."""

    last: int = 0
    moves: int = 0
    at: str = ""
    scores: tuple[int, ...] = ()
    winner: int | None = None
    is_over: bool = False


class GameList:
    """The list of all games. For any thread. A game's status is cached until it is played further."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._statuses: dict[int, _GameStatus] = {}

    def list_games(self, present: TableCore, before: int, most: int = MAX_GAMES_LISTED) -> list[dict[str, Any]]:
        """Return the games with a number below `before`, newest first. `present` is the state of the present game."""
        with self._lock:
            present_id = self._journal.game_id
            rows = self._journal.query(_GAMES_QUERY, before, most)
            return [self._game_json(present if row[0] == present_id else None, *row) for row in rows]

    def _game_json(
        self, core: TableCore | None, game: int, begun: str, plan_json: str, players_json: str, last: int
    ) -> dict[str, Any]:
        given = _parse_json(plan_json, {})
        status = self._find_status(core, game, last)
        try:
            plan: TablePlan | None = parse_plan(given)
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError):
            plan = None
        profiles = players.load_players(_parse_json(players_json, []))
        seated = players.seat_players(profiles, plan.setup.seats, plan.sides) if plan else ()
        return {
            "id": game,
            "game": plan.snapshot_fields["game"] if plan else _describe_unknown_game(given),
            "names": [each.name for each in seated],
            "colours": [each.colour for each in seated],
            "began": _format_iso(begun),
            "ended": _format_iso(status.at) if status.is_over else None,
            "scores": list(status.scores),
            "winner": status.winner,
            "moves": status.moves,
        }

    def _find_status(self, core: TableCore | None, game: int, last: int) -> _GameStatus:
        cached = self._statuses.get(game, _GameStatus())
        if cached.last == last and cached.scores:
            return cached
        moves, at = self._journal.query(_NEW_MOVES_QUERY, game, cached.last)[0]
        found = cached._replace(last=last, moves=cached.moves + moves, at=at or cached.at)
        with suppress(CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
            state = (core or load_core(self._journal, game)).past.state
            found = found._replace(scores=tuple(state.scores), winner=state.winner, is_over=state.phase == "over")
        self._statuses[game] = found
        return found


def _parse_json(text: str | None, otherwise: Any) -> Any:
    try:
        return json.loads(text) if text else otherwise
    except ValueError:
        return otherwise


def _describe_unknown_game(given: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a game that the rules do not know, in the shape of a known one."""
    key = str(given.get("game", "unknown"))
    return {"key": key, "title": key, "seats": 0, "sides": 0, "target": None, "options": {}}


def _format_iso(at: str) -> str:
    """Return a time of the journal as ISO 8601 in UTC."""
    return datetime.fromisoformat(at).replace(tzinfo=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
