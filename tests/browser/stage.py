"""A stage for the pages: a small server that publishes the snapshots of a test, with the real headers.

It shows the pages what a table seldom publishes; test_table.py uses a real table.
"""

import json
import mimetypes
import os
import tempfile
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

from flask import Flask, Response, jsonify, request, send_from_directory
from werkzeug.exceptions import HTTPException
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.boards import catalog
from companion.boards.board import build_lane
from companion.coach.advise import describe_daily_deal
from companion.http.assets import Assets
from companion.i18n.catalog import load_catalog
from companion.plugins import peg_photos
from companion.plugins.cards import is_photo_reader_installed
from companion.plugins.cards.routes import PhotoTurns, card_photo_routes
from companion.plugins.peg_photos.routes import PegScores, menu_entry, peg_photo_routes
from companion.server.routes.coach import count_response, lesson_response
from companion.server.routes.pages import TABLE_PAGES, build_constants, help_routes
from companion.server.routes.table import board_routes
from companion.table.available_games import list_available_games
from tests.browser.slow_answers import is_delayed

WEB = Path(__file__).parents[2] / "web"
CSP = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"
JOIN = "Scan the code at the table, or open the address it prints, to play."

INVITED = {whom: f"http://table.local/{whom}" for whom in ("player", "watcher", "tv")} | {"others": []}

START: dict[str, Any] = {
    "number": 1, "run": "9f2c01ab", "moves": 0,
    "game": {"key": "six-card", "title": "Six-card cribbage", "seats": 2, "sides": 2, "target": 121,
             "options": {"counting": "auto"}},
    "board": "classic", "settings": {"quiet_ms": 400, "repeat_ms": 1500},
    "players": [{"seat": 0, "side": 0, "name": "Red"}, {"seat": 1, "side": 1, "name": "Blue"}],
    "phase": "cut", "dealer": 0, "turn": 0, "count": 0, "series": [], "starter": None, "gone": [],
    "played": [[], []], "crib": [], "scores": [0, 0], "winner": None, "last": None,
    "pegs": [{"seat": 0, "front": "red-start-1", "back": "red-start-2"},
             {"seat": 1, "front": "blue-start-1", "back": "blue-start-2"}],
    "dues": [], "advice": [], "question": None,
    "devices": {name: {"url": "sim:", "ok": True, "say": ""} for name in ("sensors", "lights", "cards", "buttons")},
    "notices": [], "quarantined": [], "trouble": "", "remark": "", "ruling": None,
}  # fmt: skip
"""A game of six-card cribbage before its first move."""


WORKSHOP: dict[str, Any] = {
    "version": "1", "seen": [{"ms": 5, "scan": "5H"}, {"ms": 4, "press": "go:0"}],
    "log": [{"ms": 1764000000000, "level": "warning", "say": "The reader is gone."}],
    "settings": [{"key": "quiet_ms", "value": 300, "default": 400, "least": 50, "most": 5000, "say": "A peg rests."}],
}  # fmt: skip

WIFI: dict[str, Any] = {
    "phase": "open", "network": "", "problem": "", "hotspot": {"name": "Cribbage-ab12", "password": "k7m2x9qrt4wz"},
    "networks": [{"name": "Home", "strength": 70, "has_password": True},
                 {"name": "Café", "strength": 40, "has_password": False}],
}  # fmt: skip


TEST_HEADER = "Test"


def identify_test() -> str:
    """Return a mark of the test that runs, for the header of the requests of its phones."""
    return str(crc32(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].encode()))


class QuietRequestHandler(WSGIRequestHandler):
    """A request handler without a log: a page makes many requests."""

    def log(self, *_: Any) -> None:
        """Log nothing."""


class Stage:
    """Publishes snapshots and records what was sent. Its answers can be set at any time."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._server: Any = None
        self.folder = tempfile.TemporaryDirectory()
        self.own_board = Path(self.folder.name, "own.toml")
        self.clear()
        self.open()

    def clear(self) -> None:
        """Reset the stage. `played` is the history, `answers` are the replies to moves."""
        self.role = "player"
        self.refusal: str | None = None
        self.refused = 409
        self.calls: list[dict[str, Any]] = []
        self.full = False
        self.seat: int | None = None
        self.hand: list[str] = []
        self.answers: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.names: list[str] = []
        self.phones: list[dict[str, Any]] | None = None
        self.workshop: dict[str, Any] = WORKSHOP
        self.evening: dict[str, Any] = {"games": [], "series": []}
        self.records: list[dict[str, Any]] = []
        self.evenings: list[dict[str, Any]] = []
        self.invited: dict[str, Any] = INVITED
        self.wifi: dict[str, Any] = WIFI
        self.posts: list[tuple[str, Any]] = []
        self.occupied_holes = {"red-start-1", "red-start-2", "blue-start-1", "blue-start-2"}
        self.faults: list[dict[str, Any]] = []
        self.lights: dict[str, list[int]] = {}
        self.snapshot = START
        self.played: list[dict[str, Any]] = []
        self.looked: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        self.deck: dict[str, Any] = {"asked": None, "missing": 2, "left": [], "said": ""}
        self.deal: dict[str, Any] = {}
        self.reads_photos = is_photo_reader_installed()
        self.own_board.unlink(missing_ok=True)

    def constants(self) -> dict[str, Any]:
        menu = [menu_entry()._asdict()] if self.reads_photos else []
        return build_constants() | {"reads_photos": self.reads_photos, "menu": menu}

    def review(self, hand: int) -> dict[str, Any]:
        """Answer with the review of a game or of one of its deals."""
        told = {"table": 3, "luck": [0.125, -0.125], "skill": [-0.0625, -0.0625], "choices": []} | self.looked
        return told | {"choices": [each for each in told["choices"] if hand in (0, each["hand"])]}

    def show(self, **changes: Any) -> dict[str, Any]:
        """Publish a snapshot: the first one with some changes and a new number."""
        with self._news:
            self.snapshot = {**START, "number": self.snapshot["number"] + 1, "run": self.snapshot["run"], **changes}
            self._news.notify_all()
            return self.snapshot

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self, port: int = 0) -> None:
        self.plays = True
        self._server = make_server("127.0.0.1", port, _app(self), threaded=True, request_handler=QuietRequestHandler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Simulate the end of the program: close the streams and stop listening."""
        with self._news:
            self.plays = False
            self._news.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def stream(self) -> Iterator[str]:
        yield "retry: 1000\n\n"
        told = -1
        while self.plays:
            with self._news:
                self._news.wait_for(lambda told=told: self.snapshot["number"] != told or not self.plays, 5)
                now = self.snapshot
            if self.plays and now["number"] != told:
                told = now["number"]
                yield f"id: {told}\ndata: {json.dumps(now)}\n\n"


PAGES = Assets(WEB, is_bundled=False)


@cache
def _read(path: str) -> bytes:
    found, _ = PAGES.get_file(path)  # by its name, or by the address in a page that the server wrote
    return found.content


def _page(name: str) -> Response:
    return Response(PAGES.get_page(name, load_catalog(request.args.get("lang", ""))).content, mimetype="text/html")


def _file(path: str) -> Response:
    """Read each file of the pages once, and let the phones cache it."""
    kept = {"Cache-Control": "no-store" if is_delayed(WEB, path) else "max-age=3600"}
    return Response(_read(path), mimetype=mimetypes.guess_type(path)[0], headers=kept)


def _after(stage: Stage, n: str) -> list[dict[str, Any]]:
    return [made for made in stage.played if made["n"] > int(n)]


def _find_peg_scores(stage: Stage) -> PegScores:
    board, game = catalog.load_board(stage.snapshot["board"]), stage.snapshot["game"]
    lanes = [build_lane(route, game["target"]) for route in board.routes[game["seats"]][: game["sides"]]]
    return PegScores(
        board, lanes, [each["name"] for each in stage.snapshot["players"]], stage.snapshot["scores"], game["target"]
    )


def _workshop(stage: Stage) -> Any:
    told = stage.workshop | {"seen": stage.seen, "deck": stage.deck}
    return told if stage.role == "player" else ({"error": "Players."}, 403)


def _app(stage: Stage) -> Flask:
    app = Flask(__name__, static_folder=None)

    @app.before_request
    def refuse_earlier_tests() -> Any:
        """Ignore what a phone sent at the end of an earlier test."""
        is_late = request.method == "POST" and request.headers.get(TEST_HEADER, identify_test()) != identify_test()
        return ({"error": "The test is over."}, 410) if is_late else None

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["X-Content-Type-Options"] = "nosniff"
        if response.mimetype == "text/html":
            response.headers["Content-Security-Policy"] = CSP
            response.headers["Referrer-Policy"] = "no-referrer"
        return response

    gets = {
        "/bench": lambda: _page("pages/bench/bench.html"),
        "/wifi": lambda: _page("plugins/wifi/wifi.html"),
        **{address: lambda name=name: _page(name) for address, name in (TABLE_PAGES | peg_photos.PAGES).items()},
        "/web/<path:path>": _file,
        "/sw.js": lambda: _file("sw.js"),
        "/api/state": lambda: jsonify(stage.snapshot),
        "/api/me": lambda: jsonify({"role": stage.role, "how_to_join": JOIN}),
        "/api/games": lambda: jsonify({"games": list_available_games()}),
        "/api/tables": lambda: jsonify({"tables": stage.tables}),
        "/api/players": lambda: jsonify({"names": stage.names}),
        "/api/evening": lambda: jsonify(stage.evening),
        "/api/evening/players": lambda: jsonify(
            {"players": stage.records, "series": stage.evening["series"], "evenings": stage.evenings}
        ),
        "/api/evening/table": lambda: jsonify({"games": stage.evening["games"]}),
        "/api/review": lambda: jsonify(stage.review(int(request.args.get("hand", 0)))),
        "/api/hand/hint": lambda: jsonify(stage.deal),
        "/api/train": lambda: jsonify(stage.deal),
        "/api/daily": lambda: jsonify(describe_daily_deal(request.args["date"])),
        "/api/learn": lesson_response,
        "/api/count": count_response,
        "/api/judge": lambda: jsonify({"calls": stage.calls}),
        "/api/phones": lambda: ({"error": "None."}, 404) if stage.phones is None else jsonify({"phones": stage.phones}),
        "/api/seat": lambda: jsonify({"seat": stage.seat}),
        "/api/hand": lambda: jsonify({"cards": stage.hand}),
        "/api/invite": lambda: (
            jsonify(stage.invited) if stage.role == "player" else (jsonify({"error": "Players."}), 403)
        ),
        "/api/wifi": lambda: jsonify(stage.wifi),
        "/api/wifi.svg": lambda: send_from_directory(WEB, "icon.svg"),
        "/api/invite.svg": lambda: send_from_directory(WEB, "icon.svg"),
        "/api/workshop/recording": lambda: Response('{"ms":0}\n', mimetype="application/x-ndjson"),
        "/api/health": lambda: jsonify(
            {"ok": True, "journal": {"ok": True, "say": ""}, "devices": stage.snapshot["devices"], "version": "1"}
        ),
        "/api/workshop": lambda: _workshop(stage),
        "/api/words/de": lambda: jsonify(load_catalog("de").export_for_page()),
        "/api/constants": lambda: jsonify(stage.constants()),
        "/api/history": lambda: jsonify({"table": 1, "moves": _after(stage, request.args.get("after", "0"))}),
        "/api/bench/holes": lambda: jsonify({"occupied": sorted(stage.occupied_holes)}),
        "/api/bench/display": lambda: jsonify({"rows": []}),
        "/api/bench/fault": lambda: jsonify({"faults": stage.faults}),
        "/api/bench/dice": lambda: jsonify({"pips": [], "button": stage.snapshot.get("due") is not None}),
        "/api/bench/lights": lambda: (jsonify(stage.lights), {"Snapshot": str(stage.snapshot["number"])}),
    }
    for rule, view in gets.items():
        app.add_url_rule(rule, rule, view)

    turns = PhotoTurns()
    app.register_blueprint(card_photo_routes(turns))
    app.register_blueprint(peg_photo_routes(turns, lambda: _find_peg_scores(stage), stage.own_board))
    app.register_blueprint(board_routes(lambda: catalog.load_board(stage.snapshot["board"])))
    app.register_blueprint(
        help_routes(PAGES, lambda: SimpleNamespace(game=stage.snapshot["game"], board=stage.snapshot["board"]))
    )

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Any:
        return {"error": error.description}, error.code

    @app.get("/api/stream")
    def stream() -> Response:
        if stage.full:
            return Response(status=503, headers={"Retry-After": "5"})
        return Response(stage.stream(), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})

    @app.post("/api/moves")
    def moves() -> Any:
        stage.posts.append(("moves", request.get_json()))
        if stage.answers:
            return stage.answers.pop(0), 201
        return ({"error": stage.refusal}, stage.refused) if stage.refusal else (stage.snapshot, 201)

    @app.post("/api/<any(table, players, seat, hand, wifi):what>")
    def post_change(what: str) -> Any:
        stage.posts.append((what, request.get_json()))
        return ({"error": stage.refusal}, stage.refused) if stage.refusal else (stage.snapshot, 201)

    @app.post("/api/workshop/<any(settings, lights, deck):what>")
    def post_workshop_change(what: str) -> Any:
        stage.posts.append((what, request.get_json()))
        if what == "deck":
            asked = request.get_json()["card"]
            stage.deck = stage.deck | {"asked": "AC" if asked == "next" else asked, "left": ["AC", "2C"]}
        return ({"error": stage.refusal}, stage.refused) if stage.refusal else (stage.workshop, 201)

    @app.post("/api/bench/<what>")
    def bench(what: str) -> Any:
        asked = request.get_json()
        stage.posts.append((what, asked))
        stage.occupied_holes -= {asked.get("lift")}
        stage.occupied_holes |= {asked["place"]} if "place" in asked else set()
        return {"ok": True}, 202

    return app
