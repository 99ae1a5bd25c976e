"""A stage for the pages: a small server that shows the snapshots a test chooses, with the real headers.

Here the pages meet what a table seldom says; test_table.py has them at a real one.
"""

import json
import mimetypes
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, jsonify, request, send_from_directory
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.board import layout

WEB = Path(__file__).parents[2] / "web"
CSP = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
JOIN = "Scan the code at the table, or open the address it prints, to play."

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
    "notices": [], "quarantined": [],
}  # fmt: skip
"""A game of six-card cribbage before its first move."""


class Quiet(WSGIRequestHandler):
    """A page is sixty requests: nobody reads a line about each."""

    def log(self, *_: Any) -> None:
        """Not told."""


class Stage:
    """Shows snapshots and remembers what was sent. What it answers may be set at any time."""

    def __init__(self) -> None:
        self.role = "player"
        self.refusal: str | None = None
        self.refused = 409
        self.full = False
        self.posts: list[tuple[str, Any]] = []
        self.occupied = {"red-start-1", "red-start-2", "blue-start-1", "blue-start-2"}
        self.lights: dict[str, list[int]] = {}
        self.snapshot = START
        self._news = threading.Condition()
        self._server: Any = None
        self.open()

    def show(self, **changes: Any) -> dict[str, Any]:
        """Publish a snapshot: the first one with these changes, and a new number."""
        with self._news:
            self.snapshot = {**START, "number": self.snapshot["number"] + 1, "run": self.snapshot["run"], **changes}
            self._news.notify_all()
            return self.snapshot

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self, port: int = 0) -> None:
        self._open = True
        self._server = make_server("127.0.0.1", port, _app(self), threaded=True, request_handler=Quiet)
        self._server.daemon_threads = True
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """As the end of the program: streams end, and nothing listens any more."""
        with self._news:
            self._open = False
            self._news.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def stream(self) -> Iterator[str]:
        yield "retry: 1000\n\n"
        told = -1
        while self._open:
            with self._news:
                self._news.wait_for(lambda told=told: self.snapshot["number"] != told or not self._open, 5)
                now = self.snapshot
            if self._open and now["number"] != told:
                told = now["number"]
                yield f"id: {told}\ndata: {json.dumps(now)}\n\n"


@cache
def _read(path: str) -> bytes:
    return (WEB / path).read_bytes()


def _file(path: str) -> Response:
    """A page is some sixty files, and every phone asks for all of them: each is read once."""
    return Response(_read(path), mimetype=mimetypes.guess_type(path)[0])


def _app(stage: Stage) -> Flask:
    app = Flask(__name__, static_folder=None)

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["X-Content-Type-Options"] = "nosniff"
        if response.mimetype == "text/html":
            response.headers["Content-Security-Policy"] = CSP
            response.headers["Referrer-Policy"] = "no-referrer"
        return response

    gets = {
        "/": lambda: send_from_directory(WEB, "index.html"),
        "/bench": lambda: send_from_directory(WEB, "bench.html"),
        "/web/<path:path>": _file,
        "/api/state": lambda: jsonify(stage.snapshot),
        "/api/me": lambda: jsonify({"role": stage.role, "how_to_join": JOIN}),
        "/api/board": lambda: jsonify(layout.board_json(layout.load(stage.snapshot["board"]))),
        "/api/bench/holes": lambda: jsonify({"occupied": sorted(stage.occupied)}),
        "/api/bench/dice": lambda: jsonify({"pips": [], "button": stage.snapshot.get("due") is not None}),
        "/api/bench/lights": lambda: (jsonify(stage.lights), {"Snapshot": str(stage.snapshot["number"])}),
    }
    for rule, view in gets.items():
        app.add_url_rule(rule, rule, view)

    @app.get("/api/stream")
    def stream() -> Response:
        if stage.full:
            return Response(status=503, headers={"Retry-After": "5"})
        return Response(stage.stream(), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})

    @app.post("/api/moves")
    def moves() -> Any:
        stage.posts.append(("moves", request.get_json()))
        return ({"error": stage.refusal}, stage.refused) if stage.refusal else (stage.snapshot, 201)

    @app.post("/api/bench/<what>")
    def bench(what: str) -> Any:
        asked = request.get_json()
        stage.posts.append((what, asked))
        stage.occupied -= {asked.get("lift")}
        stage.occupied |= {asked["place"]} if "place" in asked else set()
        return {"ok": True}, 202

    return app


@pytest.fixture
def stage() -> Iterator[Stage]:
    shown = Stage()
    yield shown
    shown.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


class Phone:
    """One browser of its own, and what it complained of: errors in the console and requests that failed."""

    def __init__(self, context: BrowserContext) -> None:
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", lambda failed: self.complaints.append(failed.url))

    def open(self, url: str) -> Page:
        """Go there and wait until the table is drawn."""
        self.page.goto(url)
        self.until("document.body.dataset.link", "live")
        self.until("!!document.body.dataset.snapshot", True)
        return self.page

    def until(self, expression: str, wanted: Any, seconds: float = 6) -> None:
        """Poll: under the page's policy Playwright's own waiting for a function never ends."""
        end = time.monotonic() + seconds
        while (found := self.page.evaluate(expression)) != wanted:
            assert time.monotonic() < end, f"{expression} is {found!r}, not {wanted!r}"
            time.sleep(0.04)

    def draws(self, snapshot: dict[str, Any]) -> None:
        """Wait until this snapshot is what the page shows."""
        self.until("document.body.dataset.snapshot", str(snapshot["number"]))

    def shown(self, selector: str) -> list[str]:
        """The texts of what can be seen."""
        return [each.inner_text() for each in self.page.locator(f"{selector}:visible").all()]


@pytest.fixture
def phones(browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Phones of any size and taste: `phones(390, 844, color_scheme="dark")`."""
    contexts: list[BrowserContext] = []

    def phone(width: int = 320, height: int = 568, **taste: Any) -> Phone:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, has_touch=True, **taste))
        return Phone(contexts[-1])

    yield phone
    for context in contexts:
        context.close()


@pytest.fixture
def phone(phones: Callable[..., Phone]) -> Phone:
    """A phone of the smallest size."""
    return phones()


class Program:
    """`companion play` in a process of its own, on a journal and a port that it keeps."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.folder, self.port, self.flags = folder, "0", flags
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "play", "--host", "127.0.0.1", "--port", self.port,
                   "--set", "quiet_ms=60", "--journal", self.folder / "journal.sqlite3", *self.flags]  # fmt: skip
        environ = os.environ | {"XDG_CONFIG_HOME": str(self.folder)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
        self.watchers, self.players = (self.process.stdout.readline().split()[1] for _ in range(2))
        self.port = self.watchers.rsplit(":", 1)[1].strip("/")

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=5)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Tables of their own: `programs("--game", "swap")`."""
    started: list[Program] = []

    def program(*flags: str) -> Program:
        started.append(Program(tmp_path, *flags))
        return started[-1]

    yield program
    for each in started:
        each.end()


@pytest.fixture
def program(programs: Callable[..., Program]) -> Program:
    """A table of six-card cribbage."""
    return programs()
