"""The games of a journal: its list, and the games of an evening, head-to-head results and player records."""

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.history import statistics
from companion.history.moves import NTH_MOVE_QUERY
from companion.history.statistics import PlayedMove, split_games, summarize_game
from companion.i18n import join_with_and
from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.resume import BATCH_ENTRIES, GameSource, load_core, load_from_checkpoint, parse_plan
from companion.table.setup import TablePlan
from companion.table.state import TableCore, apply_entry, create_core

EVENING_MS = 12 * 3600 * 1000
"""Games that ended within this time before the last move belong to the same evening."""
MAX_TABLES = 200
"""Maximum number of tables that are read, the newest ones."""
MAX_MOVES_PER_TABLE = 5000
"""Maximum number of moves of a table that are read, the newest ones."""

_NEWEST_QUERY = """SELECT id, (SELECT coalesce(max(id), 0) FROM entry WHERE game = game.id) AS last FROM game
             WHERE last > 0 ORDER BY id DESC LIMIT ?"""
_COUNT_MOVES_QUERY = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move'"
_COUNT_MOVES_UP_TO_QUERY = f"{_COUNT_MOVES_QUERY} AND id <= ?"

GameSummary = dict[str, Any]


class EveningGames:
    """The games of the newest tables. For any thread. A table is replayed only after new moves."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._known: dict[int, tuple[int, list[GameSummary]]] = {}

    def list_games(self) -> list[GameSummary]:
        """Return every game of the newest tables, oldest first, with its table's number and its players' names."""
        with self._lock:
            rows = self._journal.query(_NEWEST_QUERY, MAX_TABLES)
            result = [summary for game, last in rows for summary in self._games_of_table(game, last)]
        return sorted(result, key=lambda game: game["began_ms"])

    def _games_of_table(self, game: int, last: int) -> list[GameSummary]:
        cached, result = self._known.get(game, (0, []))
        if cached != last:
            result = []
            with suppress(CompanionError, LookupError, TypeError, ValueError, AttributeError):
                result = _summarize_table(self._journal, game)
            self._known[game] = last, result
        profiles = players.load_players(self._journal.read_game_column(game, "players"))
        return [summary | {"names": _side_names(summary, profiles)} for summary in result]


def find_last_evening(games: Sequence[GameSummary]) -> list[GameSummary]:
    """Return the games of the last evening, newest first."""
    return _split_last_evening(games)[0]


def _split_last_evening(games: Sequence[GameSummary]) -> tuple[list[GameSummary], list[GameSummary]]:
    """Return the games of the last evening, newest first, and the earlier ones."""
    since = max((_last_ms(game) for game in games), default=0) - EVENING_MS
    return [game for game in games if _last_ms(game) >= since][::-1], [game for game in games if _last_ms(game) < since]


def _last_ms(game: GameSummary) -> int:
    return int(game["race"][-1]["ms"])


def summarize_evenings(games: Sequence[GameSummary]) -> list[dict[str, Any]]:
    """Return each evening with finished games, newest first: when it began, its games, wins and best hand."""
    left = [game for game in games if game["ended_ms"] is not None]
    result = []
    while left:
        evening, left = _split_last_evening(left)
        result.append(_summarize_evening(evening))
    return result


def _summarize_evening(games: Sequence[GameSummary]) -> dict[str, Any]:
    won = Counter(game["names"][game["winner"]] for game in games if game["winner"] is not None)
    names = _order_names({name for game in games for name in game["names"]}, won, games)
    hands = [
        {"name": game["names"][best["seat"] % len(game["names"])], "points": best["points"]}
        for game in games
        if (best := game["best"])
    ]
    return {
        "began_ms": min(game["began_ms"] for game in games),
        "games": len(games),
        "names": names,
        "won": [won[name] for name in names],
        "best": max(hands, key=lambda hand: hand["points"], default=None),
    }


def _order_names(names: Iterable[str], won: Mapping[str, int], games: Iterable[GameSummary]) -> list[str]:
    """Return the names with the most wins first; of equal ones those that sat down first."""
    seated = dict.fromkeys(name for game in sorted(games, key=lambda game: game["began_ms"]) for name in game["names"])
    places = {name: place for place, name in enumerate(seated)}
    return sorted(names, key=lambda name: (-won[name], places[name]))


def count_head_to_head(games: Sequence[GameSummary]) -> list[dict[str, Any]]:
    """Return for each game and set of players how many games and game points each has won, the leader first."""
    wins: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    points: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    for game in games:
        if game["winner"] is not None and len(game["names"]) > 1:
            match = game["game"]["key"], tuple(sorted(game["names"]))
            wins[match][game["names"][game["winner"]]] += 1
            points[match][game["names"][game["winner"]]] += game["game_points"] or 1
    return [
        {
            "game": key,
            "names": (ordered := _order_names(names, won, games)),
            "won": [won[name] for name in ordered],
            "points": [points[key, names][name] for name in ordered],
        }
        for (key, names), won in wins.items()
    ]


def compute_player_records(games: Iterable[GameSummary]) -> list[dict[str, Any]]:
    """Return each player's record over all finished games, most games first."""
    result: dict[str, dict[str, Any]] = {}
    for game in games:
        if game["ended_ms"] is None:
            continue
        for side, name in enumerate(game["names"]):
            own = result.setdefault(name, {"name": name, "games": 0, "won": 0, "skunks": 0, "points": 0, "best": None})
            has_won = game["winner"] == side
            own["games"] += 1
            own["won"] += has_won
            own["skunks"] += has_won and bool(game["skunk"] or any(game["skunks"] or ()))
            own["points"] += (game["game_points"] or 1) if has_won else 0
            best = game["best"]
            if best and best["seat"] % len(game["names"]) == side:
                own["best"] = max(own["best"], best, key=lambda hand: hand["points"] if hand else 0)
    return sorted(result.values(), key=lambda own: (-own["games"], own["name"]))


def _summarize_table(journal: Journal, game: int) -> list[GameSummary]:
    """Return the games of a table. Raises what `parse_plan` and `apply_entry` raise."""
    plan = parse_plan(journal.load_plan(game))
    return [
        {
            "table": game,
            "number": number,
            "game": plan.snapshot_fields["game"],
            **summarize_game(plan, moves),
            "cuts": statistics.compute_cut_luck(plan, moves),
        }
        for number, moves in enumerate(split_games(load_moves(journal, game, plan)), 1)
    ]


def load_moves(journal: Journal, game: int, plan: TablePlan) -> list[PlayedMove]:
    """Return the moves of a table that were not undone, only the newest of a long one. Raises as `apply_entry`."""
    core, at = create_core(plan, Settings()), 0
    (count,) = journal.query(_COUNT_MOVES_QUERY, game)[0]
    if count > MAX_MOVES_PER_TABLE and (after := journal.query(NTH_MOVE_QUERY, game, count - MAX_MOVES_PER_TABLE)):
        core, at = load_from_checkpoint(GameSource(journal, game, core), after[0][0])
    result: list[PlayedMove] = []
    (n,) = journal.query(_COUNT_MOVES_UP_TO_QUERY, game, at)[0]
    while batch := journal.read_entries(game, at, BATCH_ENTRIES):
        for stored in batch:
            at, before = stored.id, core.past.state
            move = read_move(stored.entry.body, plan.setup.seats) if stored.entry.kind == "move" else None
            core = apply_entry(core, stored.entry, move, describe=False)
            n += move is not None
            if isinstance(move, Undo):
                result = result[:-1]
            elif move is not None:
                result.append(PlayedMove(core.past, before, stored.ms, n))
    return result


def _side_names(game: GameSummary, profiles: players.PlayerProfiles) -> list[str]:
    """Return the names of the sides, those of partners joined."""
    seats, sides = game["game"]["seats"], game["game"]["sides"]
    names = [player.name for player in players.seat_players(profiles, seats, sides)]
    return [join_with_and(names[side::sides]) for side in range(sides)]


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
            "names": [player.name for player in seated],
            "colours": [player.colour for player in seated],
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
    return datetime.fromisoformat(at).replace(tzinfo=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
