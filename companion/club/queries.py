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
from companion.club.archive import REFUSED
from companion.club.database import Store
from companion.club.pairing import Played
from companion.club.tournaments import Events
from companion.i18n import say
from companion.i18n.catalog import Catalogue
from companion.protocol.json_codec import dumps
from companion.rules import games
from companion.server.responses import Text

MOST = 200
"""So many results are listed at once."""
LAST = 10**15

_TABLES = """SELECT board.club, board.board, board.is_online, run.run, run.game, run.players, run.moves, run.shown
             FROM board LEFT JOIN run ON run.club = board.club AND run.board = board.board AND run.run = board.run
             ORDER BY board.club, board.board"""
_WON = "SELECT id, club, board, run, n, ms, result FROM won WHERE id < ? ORDER BY id DESC LIMIT ?"
_HEAD = ("id", "time", "club", "board", "players", "winner", "scores", "skunk")


def tables(store: Store) -> list[dict[str, Any]]:
    """Every board, with the game that is on and how it stands; those fields are null where none was told yet."""
    found = []
    for club, board, is_online, run, game, players, moves, shown in store.ask(_TABLES):
        told = {"club": club, "board": board, "online": bool(is_online), "run": run, "moves": moves}
        told |= {"game": _named(_read(game)), "players": _read(players) or []}
        found.append(told | dict.fromkeys(("scores", "phase", "winner")) | (_read(shown) or {}))
    return found


def results(store: Store, before: int = LAST, most: int = MOST) -> list[dict[str, Any]]:
    """The games that have ended, the newest first."""
    names = ("id", "club", "board", "run", "n", "ms")
    rows = store.ask(_WON, before, most)
    return [dict(zip(names, row[:6], strict=True)) | json.loads(row[6]) for row in rows]


def everybody(store: Store) -> list[dict[str, Any]]:
    """How all stand who have ended a game of two at any board, by name."""
    games = []
    for each in results(store, most=LAST):
        if len(each["players"]) == 2 and each["players"][0] != each["players"][1]:
            one, two = each["players"]
            spread = abs(each["scores"][0] - each["scores"][1])
            games.append(Played(one, two, each["players"][each["winner"]], bool(each["skunk"]), spread))
    players = sorted({player for game in games for player in (game.one, game.two or "")})
    return [row._asdict() for row in pairing.standings(players, games, byes_count=False)]


def health(store: Store) -> dict[str, Any]:
    """How many boards there are, how many moves they have told of that are not there yet, and what was refused."""
    ((boards,),) = store.ask("SELECT count(*) FROM board")
    ((behind,),) = store.ask("SELECT coalesce(sum(told - moves), 0) FROM run WHERE told > moves")
    names = ("club", "board", "run", "n", "why", "ms")
    asked = f"SELECT {', '.join(names)} FROM refused ORDER BY ms DESC LIMIT {REFUSED}"
    refused = [dict(zip(names, row, strict=True)) | {"why": say(row[4])} for row in store.ask(asked)]
    return {"boards": boards, "behind": int(behind), "refused": refused}


def results_csv(store: Store) -> Iterator[str]:
    """All results as a table for a spreadsheet, the newest first."""
    yield _row(_HEAD)
    before = LAST
    while rows := results(store, before):
        for each in rows:
            before, players = each["id"], each["players"]
            winner = players[each["winner"]] if each["winner"] < len(players) else each["winner"]
            scores = " ".join(map(str, each["scores"]))
            yield _row((before, _iso(each["ms"]), each["club"], each["board"], " / ".join(players), winner, scores,
                        each["skunk"] or ""))  # fmt: skip


def event_csv(told: Mapping[str, Any]) -> Iterator[str]:
    """The standings of an event, then each game with all that was said of it."""
    yield _row(("rank", "player", "points", "won", "lost", "skunks", "spread"))
    for row in told["standings"]:
        yield _row(row.values())
    yield _row(())
    yield _row(("round", "game", "one", "two", "winner", "skunk", "spread", "by", "time"))
    for game in told["games"]:
        for said in game["results"] or [{"winner": None, "skunk": False, "spread": 0, "by": "", "ms": None}]:
            when = _iso(said["ms"]) if said["ms"] else ""
            yield _row((game["round"], game["number"], game["one"], game["two"] or "bye", said["winner"] or "",
                        "skunk" if said["skunk"] else "", said["spread"], said["by"], when))  # fmt: skip


def _row(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([_safe(str(each)) for each in cells])
    return out.getvalue()


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula; numbers are none."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) and not text[1:].isdecimal() else text


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _named(game: Any) -> Any:
    """A board's game, with the title that it has here: that is said in any language."""
    if not isinstance(game, dict):
        return None
    return game | {"title": next((each.title for each in games() if each.key == game.get("key")), "")}


def _read(text: str | None) -> Any:
    return json.loads(text) if text else None


FRESH_S = 0.25
"""An answer is good for so long: forty phones cost the store what two do."""
RESULTS = 12
REFUSED_SHOWN = 20
"""Of results and refusals the page shows the newest."""
_MOST_KEPT = 20


class Shown:
    """For any thread."""

    def __init__(self, store: Store, events: Events) -> None:
        self._store, self._events = store, events
        self._lock = threading.Lock()
        self._kept: dict[tuple[int | None, Catalogue | None], tuple[float, Text]] = {}

    def answer(self, event: int | None, language: Catalogue | None) -> Response:
        """The room with this event, or the newest; 304 where the phone has it. Raises IllegalMove for no such event."""
        with self._lock:
            since_s, text = self._kept.get((event, language), (0.0, None))
            if text is None or time.monotonic() - since_s > FRESH_S:
                told = self._told(event)
                text = Text(dumps(language.value(told) if language else told).encode())
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.clear()
                self._kept[event, language] = time.monotonic(), text
        return text.answer()

    def _told(self, event: int | None) -> dict[str, Any]:
        events, archive = self._events.listed(), health(self._store)
        if event is None and events:
            event = events[0]["id"]
        overall = {"event": None, "standings": everybody(self._store) if event is None else [], "games": []}
        return {
            "tables": tables(self._store),
            "results": results(self._store, most=RESULTS),
            "health": archive | {"refused": archive["refused"][:REFUSED_SHOWN], "amiss": len(archive["refused"])},
            "events": events,
            **(overall if event is None else self._events.told(event)),
        }
