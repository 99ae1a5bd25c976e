"""The games of an evening, head-to-head results and player records, computed from the journal."""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.common.errors import CompanionError
from companion.history import statistics
from companion.history.moves import NTH_MOVE_QUERY
from companion.history.statistics import PlayedMove, split_games, summarize_games
from companion.i18n import join_with_and
from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.resume import BATCH_ENTRIES, GameSource, load_from_checkpoint, parse_plan
from companion.table.setup import TablePlan
from companion.table.state import apply_entry, create_core

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
            result = [each for game, last in rows for each in self._games_of_table(game, last)]
        return sorted(result, key=lambda each: each["began_ms"])

    def _games_of_table(self, game: int, last: int) -> list[GameSummary]:
        cached, result = self._known.get(game, (0, []))
        if cached != last:
            result = []
            with suppress(CompanionError, LookupError, TypeError, ValueError, AttributeError):
                result = _summarize_table(self._journal, game)
            self._known[game] = last, result
        profiles = players.load_players(self._journal.read_game_column(game, "players"))
        return [each | {"names": _side_names(each, profiles)} for each in result]


def find_last_evening(games: Sequence[GameSummary]) -> list[GameSummary]:
    """Return the games of the last evening, newest first."""
    return _split_last_evening(games)[0]


def _split_last_evening(games: Sequence[GameSummary]) -> tuple[list[GameSummary], list[GameSummary]]:
    """Return the games of the last evening, newest first, and the earlier ones."""
    since = max((_last_ms(each) for each in games), default=0) - EVENING_MS
    return [each for each in games if _last_ms(each) >= since][::-1], [each for each in games if _last_ms(each) < since]


def _last_ms(game: GameSummary) -> int:
    return int(game["race"][-1]["ms"])


def summarize_evenings(games: Sequence[GameSummary]) -> list[dict[str, Any]]:
    """Return each evening with finished games, newest first: when it began, its games, wins and best hand."""
    left = [each for each in games if each["ended_ms"] is not None]
    result = []
    while left:
        evening, left = _split_last_evening(left)
        result.append(_summarize_evening(evening))
    return result


def _summarize_evening(games: Sequence[GameSummary]) -> dict[str, Any]:
    won = Counter(each["names"][each["winner"]] for each in games if each["winner"] is not None)
    names = _order_names({name for each in games for name in each["names"]}, won, games)
    hands = [
        {"name": each["names"][best["seat"] % len(each["names"])], "points": best["points"]}
        for each in games
        if (best := each["best"])
    ]
    return {
        "began_ms": min(each["began_ms"] for each in games),
        "games": len(games),
        "names": names,
        "won": [won[name] for name in names],
        "best": max(hands, key=lambda hand: hand["points"], default=None),
    }


def _order_names(names: Iterable[str], won: Mapping[str, int], games: Iterable[GameSummary]) -> list[str]:
    """Return the names with the most wins first; of equal ones those that sat down first."""
    seated = dict.fromkeys(name for each in sorted(games, key=lambda game: game["began_ms"]) for name in each["names"])
    places = {name: place for place, name in enumerate(seated)}
    return sorted(names, key=lambda name: (-won[name], places[name]))


def count_head_to_head(games: Sequence[GameSummary]) -> list[dict[str, Any]]:
    """Return for each game and set of players how many games and game points each has won, the leader first."""
    wins: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    points: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    for each in games:
        if each["winner"] is not None and len(each["names"]) > 1:
            match = each["game"]["key"], tuple(sorted(each["names"]))
            wins[match][each["names"][each["winner"]]] += 1
            points[match][each["names"][each["winner"]]] += each["game_points"] or 1
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
    for each in games:
        if each["ended_ms"] is None:
            continue
        for side, name in enumerate(each["names"]):
            own = result.setdefault(name, {"name": name, "games": 0, "won": 0, "skunks": 0, "points": 0, "best": None})
            has_won = each["winner"] == side
            own["games"] += 1
            own["won"] += has_won
            own["skunks"] += has_won and bool(each["skunk"] or any(each["skunks"] or ()))
            own["points"] += (each["game_points"] or 1) if has_won else 0
            best = each["best"]
            if best and best["seat"] % len(each["names"]) == side:
                own["best"] = max(own["best"], best, key=lambda hand: hand["points"] if hand else 0)
    return sorted(result.values(), key=lambda own: (-own["games"], own["name"]))


def _summarize_table(journal: Journal, game: int) -> list[GameSummary]:
    """Return the games of a table. Raises what `parse_plan` and `apply_entry` raise."""
    plan = parse_plan(journal.load_plan(game))
    played = load_moves(journal, game, plan)
    return [
        {
            "table": game,
            "number": number,
            "game": plan.snapshot_fields["game"],
            **summary,
            "cuts": statistics.compute_cut_luck(plan, game_moves),
        }
        for number, (summary, game_moves) in enumerate(
            zip(summarize_games(plan, played), split_games(played), strict=True), 1
        )
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


def _side_names(each: GameSummary, profiles: players.PlayerProfiles) -> list[str]:
    """Return the names of the sides, those of partners joined."""
    seats, sides = each["game"]["seats"], each["game"]["sides"]
    names = [player.name for player in players.seat_players(profiles, seats, sides)]
    return [join_with_and(names[side::sides]) for side in range(sides)]
