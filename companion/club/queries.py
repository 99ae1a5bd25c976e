"""What a room and other programs may read of an archive: tables, results, standings, health. Only reads."""

import csv
import io
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Response

from companion.club import pairing
from companion.club.archive import MAX_REFUSALS_LISTED
from companion.club.database import Database
from companion.club.pairing import TournamentGame
from companion.club.tournaments import Tournaments
from companion.i18n import format_message
from companion.i18n.catalog import MessageCatalog
from companion.protocol.json_codec import dump_json
from companion.rules import all_games
from companion.server.responses import CachedBody

MAX_RESULTS_LISTED = 200
"""So many results are listed at once."""
MAX_RESULT_ID = 10**15

_TABLES_QUERY = """SELECT board.club, board.board, board.is_online, run.run, run.game, run.players, run.moves, run.shown
             FROM board LEFT JOIN run ON run.club = board.club AND run.board = board.board AND run.run = board.run
             ORDER BY board.club, board.board"""
_RESULTS_QUERY = "SELECT id, club, board, run, n, ms, result FROM won WHERE id < ? ORDER BY id DESC LIMIT ?"
_CSV_HEADER = ("id", "time", "club", "board", "players", "winner", "scores", "skunk")


def list_tables(store: Database) -> list[dict[str, Any]]:
    """Every board, with the game that is on and how it stands; those fields are null where none was told yet."""
    found = []
    for club, board, is_online, run, game, players, moves, shown in store.query(_TABLES_QUERY):
        told = {"club": club, "board": board, "online": bool(is_online), "run": run, "moves": moves}
        told |= {"game": _add_title(_parse_json(game)), "players": _parse_json(players) or []}
        found.append(told | dict.fromkeys(("scores", "phase", "winner")) | (_parse_json(shown) or {}))
    return found


def list_results(store: Database, before: int = MAX_RESULT_ID, most: int = MAX_RESULTS_LISTED) -> list[dict[str, Any]]:
    """The games that have ended, the newest first."""
    names = ("id", "club", "board", "run", "n", "ms")
    rows = store.query(_RESULTS_QUERY, before, most)
    return [dict(zip(names, row[:6], strict=True)) | json.loads(row[6]) for row in rows]


def overall_standings(store: Database) -> list[dict[str, Any]]:
    """How all stand who have ended a game of two at any board, by name."""
    games = []
    for each in list_results(store, most=MAX_RESULT_ID):
        if len(each["players"]) == 2 and each["players"][0] != each["players"][1]:
            one, two = each["players"]
            spread = abs(each["scores"][0] - each["scores"][1])
            games.append(TournamentGame(one, two, each["players"][each["winner"]], bool(each["skunk"]), spread))
    players = sorted({player for game in games for player in (game.one, game.two or "")})
    return [row._asdict() for row in pairing.compute_standings(players, games, byes_count=False)]


def archive_health(store: Database) -> dict[str, Any]:
    """How many boards there are, how many moves they have told of that are not there yet, and what was refused."""
    ((boards,),) = store.query("SELECT count(*) FROM board")
    ((behind,),) = store.query("SELECT coalesce(sum(told - moves), 0) FROM run WHERE told > moves")
    names = ("club", "board", "run", "n", "why", "ms")
    asked = f"SELECT {', '.join(names)} FROM refused ORDER BY ms DESC LIMIT {MAX_REFUSALS_LISTED}"
    refused = [dict(zip(names, row, strict=True)) | {"why": format_message(row[4])} for row in store.query(asked)]
    return {"boards": boards, "behind": int(behind), "refused": refused}


def results_csv(store: Database) -> Iterator[str]:
    """All results as a table for a spreadsheet, the newest first."""
    yield _csv_row(_CSV_HEADER)
    before = MAX_RESULT_ID
    while rows := list_results(store, before):
        for each in rows:
            before, players = each["id"], each["players"]
            winner = players[each["winner"]] if each["winner"] < len(players) else each["winner"]
            scores = " ".join(map(str, each["scores"]))
            yield _csv_row((before, _iso_time(each["ms"]), each["club"], each["board"], " / ".join(players), winner, scores,
                        each["skunk"] or ""))  # fmt: skip


def event_csv(told: Mapping[str, Any]) -> Iterator[str]:
    """The standings of an event, then each game with all that was said of it."""
    yield _csv_row(("rank", "player", "points", "won", "lost", "skunks", "spread"))
    for row in told["standings"]:
        yield _csv_row(row.values())
    yield _csv_row(())
    yield _csv_row(("round", "game", "one", "two", "winner", "skunk", "spread", "by", "time"))
    for game in told["games"]:
        for said in game["results"] or [{"winner": None, "skunk": False, "spread": 0, "by": "", "ms": None}]:
            when = _iso_time(said["ms"]) if said["ms"] else ""
            yield _csv_row((game["round"], game["number"], game["one"], game["two"] or "bye", said["winner"] or "",
                        "skunk" if said["skunk"] else "", said["spread"], said["by"], when))  # fmt: skip


def _csv_row(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_escape_formula(str(each)) for each in cells])
    return out.getvalue()


def _escape_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula; numbers are none."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) and not text[1:].isdecimal() else text


def _iso_time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _add_title(game: Any) -> Any:
    """A board's game, with the title that it has here: that is said in any language."""
    if not isinstance(game, dict):
        return None
    return game | {"title": next((each.title for each in all_games() if each.key == game.get("key")), "")}


def _parse_json(text: str | None) -> Any:
    return json.loads(text) if text else None


CACHE_TIME_S = 0.25
"""An answer is good for so long: forty phones cost the store what two do."""
PAGE_RESULTS = 12
REFUSED_SHOWN = 20
"""Of results and refusals the page shows the newest."""
_MAX_CACHED_PAGES = 20


class ClubPageCache:
    """For any thread."""

    def __init__(self, store: Database, events: Tournaments) -> None:
        self._store, self._events = store, events
        self._lock = threading.Lock()
        self._kept: dict[tuple[int | None, MessageCatalog | None], tuple[float, CachedBody]] = {}

    def get_response(self, event: int | None, language: MessageCatalog | None) -> Response:
        """The room with this event, or the newest; 304 where the phone has it. Raises IllegalMove for no such event."""
        with self._lock:
            since_s, text = self._kept.get((event, language), (0.0, None))
            if text is None or time.monotonic() - since_s > CACHE_TIME_S:
                told = self._compute_page(event)
                text = CachedBody(dump_json(language.translate_value(told) if language else told).encode())
                if len(self._kept) >= _MAX_CACHED_PAGES:
                    self._kept.clear()
                self._kept[event, language] = time.monotonic(), text
        return text.to_response()

    def _compute_page(self, event: int | None) -> dict[str, Any]:
        events, archive = self._events.list_events(), archive_health(self._store)
        if event is None and events:
            event = events[0]["id"]
        overall = {"event": None, "standings": overall_standings(self._store) if event is None else [], "games": []}
        return {
            "tables": list_tables(self._store),
            "results": list_results(self._store, most=PAGE_RESULTS),
            "health": archive | {"refused": archive["refused"][:REFUSED_SHOWN], "amiss": len(archive["refused"])},
            "events": events,
            **(overall if event is None else self._events.describe_event(event)),
        }
