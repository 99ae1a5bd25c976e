"""Read-only queries of the archive: tables, results, standings, health, CSV, and the cached answer of the club page."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.common.files import format_csv_row
from companion.common.values import single_flight_cache
from companion.http.responses import CachedBody
from companion.i18n import format_message, load_message
from companion.i18n.catalog import MessageCatalog
from companion.plugins.club import pairing
from companion.plugins.club.archive import MAX_REFUSALS_LISTED
from companion.plugins.club.database import Database
from companion.plugins.club.league_events import LeagueEvents
from companion.plugins.club.pairing import TournamentGame
from companion.protocol.json_codec import dump_json
from companion.rules import all_games

MAX_RESULTS_LISTED = 200
"""Maximum number of results in one answer."""
MAX_RESULT_ID = 10**15
"""Larger than any number of a result."""

_TABLES_QUERY = """SELECT board.club, board.board, board.is_online, run.run, run.game, run.players, run.moves, run.shown
             FROM board LEFT JOIN run ON run.club = board.club AND run.board = board.board AND run.run = board.run
             ORDER BY board.club, board.board"""
_RESULTS_QUERY = "SELECT id, club, board, run, n, ms, result FROM won WHERE id < ? ORDER BY id DESC LIMIT ?"
_CSV_HEADER = ("id", "time", "club", "board", "players", "winner", "scores", "skunk")


def list_tables(database: Database) -> list[dict[str, Any]]:
    """Return all boards with their present game; its fields are null if none was reported yet."""
    tables = []
    for club, board, is_online, run, game, players, moves, shown in database.query(_TABLES_QUERY):
        table = {"club": club, "board": board, "online": bool(is_online), "run": run, "moves": moves}
        table |= {"game": _add_title(_parse_json(game)), "players": _valid_players(_parse_json(players))}
        tables.append(table | dict.fromkeys(("scores", "phase", "winner")) | (_parse_json(shown) or {}))
    return tables


def list_results(
    database: Database, before: int = MAX_RESULT_ID, most: int = MAX_RESULTS_LISTED
) -> list[dict[str, Any]]:
    """Return finished games with a number below `before`, newest first, at most `most`."""
    names = ("id", "club", "board", "run", "n", "ms")
    rows = database.query(_RESULTS_QUERY, before, most)
    results = [dict(zip(names, row[:6], strict=True)) | json.loads(row[6]) for row in rows]
    return [result | {"players": [str(name) for name in result["players"]]} for result in results]


def overall_standings(database: Database) -> list[dict[str, Any]]:
    """Return the standings of all players, by name, over all games of two players."""
    games = []
    for result in list_results(database, most=MAX_RESULT_ID):
        if len(result["players"]) == 2 and result["players"][0] != result["players"][1]:
            one, two = result["players"]
            spread = abs(result["scores"][0] - result["scores"][1])
            games.append(TournamentGame(one, two, result["players"][result["winner"]], bool(result["skunk"]), spread))
    players = sorted({player for game in games for player in (game.one, game.two or "")})
    return [row._asdict() for row in pairing.compute_standings(players, games, byes_count=False)]


def archive_health(database: Database) -> dict[str, Any]:
    """Return the number of boards, the number of moves that are reported but missing, and the newest refusals."""
    ((boards,),) = database.query("SELECT count(*) FROM board")
    ((behind,),) = database.query("SELECT coalesce(sum(told - moves), 0) FROM run WHERE told > moves")
    names = ("club", "board", "run", "n", "why", "ms")
    query = f"SELECT {', '.join(names)} FROM refused ORDER BY ms DESC LIMIT {MAX_REFUSALS_LISTED}"
    refused = [dict(zip(names, row, strict=True)) | {"why": _read_reason(row[4])} for row in database.query(query)]
    return {"boards": boards, "behind": int(behind), "refused": refused}


def results_csv(database: Database) -> Iterator[str]:
    """Yield the lines of a CSV file with all results, newest first."""
    yield format_csv_row(_CSV_HEADER)
    before = MAX_RESULT_ID
    while rows := list_results(database, before):
        for row in rows:
            before, players = row["id"], row["players"]
            winner = players[row["winner"]] if row["winner"] < len(players) else row["winner"]
            scores = " ".join(map(str, row["scores"]))
            cells = row["club"], row["board"], " / ".join(players), winner, scores, row["skunk"] or ""
            yield format_csv_row((before, _iso_time(row["ms"]), *cells))


def event_csv(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a CSV file with the standings of an event, then all results of each game."""
    yield format_csv_row(("rank", "player", "points", "won", "lost", "skunks", "spread"))
    for row in event["standings"]:
        yield format_csv_row(row.values())
    yield format_csv_row(())
    yield format_csv_row(("round", "game", "one", "two", "winner", "skunk", "spread", "by", "time"))
    for game in event["games"]:
        for result in game["results"] or [{"winner": None, "skunk": False, "spread": 0, "by": "", "ms": None}]:
            reported = _iso_time(result["ms"]) if result["ms"] else ""
            skunk = "skunk" if result["skunk"] else ""
            names = game["one"], game["two"] or "bye", result["winner"] or ""
            yield format_csv_row(
                (game["round"], game["number"], *names, skunk, result["spread"], result["by"], reported)
            )


def _iso_time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _add_title(game: Any) -> Any:
    """Return the game that a board reported with the title that it has here, which can be translated."""
    if not isinstance(game, dict):
        return None
    titles = {known_game.key: known_game.title for known_game in all_games()}
    return game | {"title": titles.get(str(game.get("key")), "")}


def _read_reason(saved: str) -> str:
    """Return a saved reason. Earlier versions saved the plain sentence."""
    return load_message(json.loads(saved)) if saved.startswith(("[", '"')) else format_message(saved)


def _valid_players(players: Any) -> list[dict[str, Any]]:
    """Return the players of a run; none if an earlier version of the archive stored a message without valid players."""
    is_valid = isinstance(players, list) and all(isinstance(player, dict) and "side" in player for player in players)
    return [player | {"name": str(player.get("name", ""))} for player in players] if is_valid else []


def _parse_json(text: str | None) -> Any:
    return json.loads(text) if text else None


CACHE_TIME_S = 0.25
"""Time for which the answer is reused, so that forty phones cost the database as much as two."""
PAGE_RESULTS = 12
"""Number of results on the page."""
PAGE_REFUSALS = 20
"""Number of refusals on the page."""
_MAX_CACHED_PAGES = 20
_MAX_RESULTS_AGE_S = 10
"""Time in s after which the standings are computed again even if this program has changed no result."""


class ResultsCache:
    """The standings and the CSV file of all results, computed again once a result has changed. For any thread.

    With 10,000 results each takes more than 0.1 s, for which other visitors would wait.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._standings = single_flight_cache(1)(lambda _state: overall_standings(database))
        self._csv = single_flight_cache(1)(lambda _state: "".join(results_csv(database)))

    def load_standings(self) -> list[dict[str, Any]]:
        return self._standings(self._state())

    def load_csv(self) -> str:
        return self._csv(self._state())

    def _state(self) -> tuple[int, float]:
        return self._database.table_version("won"), time.monotonic() // _MAX_RESULTS_AGE_S


class ClubPageCache:
    """The answer of `/api/club/room`, by event and language. Any thread may call it."""

    def __init__(self, database: Database, events: LeagueEvents) -> None:
        self._database, self._events = database, events
        self.results = ResultsCache(database)
        self._lock = threading.Lock()
        self._bodies: dict[tuple[int | None, MessageCatalog | None], tuple[float, CachedBody]] = {}

    def get_body(self, event: int | None, language: MessageCatalog | None) -> CachedBody:
        """Return the answer for this event, None for the newest. Raises IllegalMove if there is no such event."""
        with self._lock:
            since_s, body = self._bodies.get((event, language), (0.0, None))
            if body is None or time.monotonic() - since_s > CACHE_TIME_S:
                page = self._compute_page(event)
                body = CachedBody(dump_json(language.translate_value(page) if language else page).encode())
                if len(self._bodies) >= _MAX_CACHED_PAGES:
                    self._bodies.clear()
                self._bodies[event, language] = time.monotonic(), body
        return body

    def _compute_page(self, event: int | None) -> dict[str, Any]:
        events, health = self._events.list_events(), archive_health(self._database)
        if event is None and events:
            event = events[0]["id"]
        if event is None:
            shown = {"event": None, "standings": self.results.load_standings(), "games": []}
        else:
            shown = self._events.describe_event(event)
        return {
            "tables": list_tables(self._database),
            "results": list_results(self._database, most=PAGE_RESULTS),
            "health": health | {"refused": health["refused"][:PAGE_REFUSALS], "amiss": len(health["refused"])},
            "events": events,
            **shown,
        }
