"""The table in a browser: the shipped program, with simulated devices, without a network.

A request of a page comes as a dictionary and is answered by the program's own application (WSGI). Until the visitor
does something, simulated players play.
"""

import stacks

stacks.install()

import gc
import io
import os
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

os.geteuid = os.getuid

from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.common.errors import DeviceError
from companion.demo import Demo
from companion.devices import scanners
from companion.settings import Settings

FRAME_OWN_PAGES = "frame-ancestors 'self'"


class Port:
    """The near end of the cable of a simulated card reader, where there are no pseudo-terminals."""

    port, timeout = "sim:", 0.0

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._arrived, self._is_cancelled, self._is_plugged = b"", False, True

    def write(self, data: bytes) -> None:
        """Send from the far end."""
        self._change(arrived=self._arrived + data)

    def cancel_read(self) -> None:
        """End a waiting read."""
        self._change(is_cancelled=True)

    def unplug(self) -> None:
        """Pull the cable."""
        self._change(is_plugged=False)

    def close(self) -> None:
        """Do nothing."""

    @property
    def in_waiting(self) -> int:
        """Number of bytes that have arrived."""
        return len(self._arrived)

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none after the time-out."""
        with self._changed:
            self._changed.wait_for(lambda: self._arrived or self._is_cancelled or not self._is_plugged, self.timeout)
            if not self._is_plugged:
                raise OSError
            self._is_cancelled = False
            data, self._arrived = self._arrived[:size], self._arrived[size:]
            return data

    def _change(self, **values: object) -> None:
        with self._changed:
            self.__dict__.update({f"_{name}": value for name, value in values.items()})
            self._changed.notify_all()


class Scanner(scanners.SimulatedScanner):
    """The simulated card reader at such a cable."""

    _far: Port | None = None

    def scan_card(self, code: str) -> None:
        """Scan a card with this code. It is lost while the cable is unplugged."""
        with self._condition:
            self._condition.wait_for(lambda: self._attended or not self._plugged, scanners.READY_TIMEOUT_S)
            if self._far and self._attended:
                self._far.write(code.encode() + b"\r\n")

    def _open_terminal(self) -> Any:
        with self._condition:
            if not self._plugged or self._closed:
                raise DeviceError(scanners._CABLE_OUT)
            self._far, self._attended = Port(), True
            self._condition.notify_all()
            return self._far

    def _hang_up(self) -> None:
        self._attended = False
        if self._far:
            self._far.unplug()


scanners.SimulatedScanner = Scanner


class Server:
    """Takes the place of the server: it passes on what the service worker asks."""

    port = 80

    def __init__(self, app: Any, *_: object, **__: object) -> None:
        self.app = app

    def close(self) -> None:
        """Do nothing."""


class PageProgram(Program):
    """The program without a port."""

    listen, server = staticmethod(lambda *_: Server(None)), Server


class DemoBench:
    """The simulated devices as the demo's players use them. It knows which peg is in their hand."""

    def __init__(self, bench: Any) -> None:
        self._bench, self._held, self.board = bench, 0, self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bench if hasattr(self._bench, name) else self._bench.board, name)

    def move_pegs(self, *, lift: int = 0, place: int = 0) -> None:
        """Lift or place pegs."""
        self._held = 0 if place else lift
        self._bench.board.move_pegs(lift=lift, place=place)

    def put_back(self) -> None:
        """Put the peg in the hand back where it was."""
        if self._held:
            self._bench.board.move_pegs(place=self._held)


def start(folder: str) -> None:
    """Start the table, with its journal in this folder, and the demo if no visitor has played here before."""
    global _program, _demo, _bench, _folder, _cookies
    _folder, _cookies = Path(folder), SimpleCookie()
    settings = Settings(host="127.0.0.1", announce="off")
    _program = PageProgram(LaunchOptions(settings=settings, journal=_folder / "journal.sqlite3", plugins=()))
    if _cookie_file().exists():
        _cookies.load(_cookie_file().read_text())
    else:
        answer({"method": "GET", "path": f"/join/{_program.key}", "query": "", "headers": {}, "body": b""}, _NoReply())
        _cookie_file().write_text(_cookie_header())
    _bench = DemoBench(_program.bench)
    gc.freeze()
    _demo = None if _visitor_file().exists() else Demo(_program.table, _bench, 1.0)


def answer(request: dict[str, Any], reply: Any) -> None:
    """Answer a request of a page, as a stack of its own. `reply` gets the head, then each part of the body."""
    stacks.run_stack(lambda: _answer(request, reply))


def _answer(request: dict[str, Any], reply: Any) -> None:
    if request["method"] == "POST":
        _end_demo()
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request["headers"].items()}
    headers["HTTP_COOKIE"] = "; ".join(filter(None, (headers.get("HTTP_COOKIE"), _cookie_header())))
    body = bytes(request["body"])
    environ = {
        **headers, "HTTP_HOST": "localhost", "REQUEST_METHOD": request["method"], "SCRIPT_NAME": "",
        "PATH_INFO": request["path"].encode().decode("latin-1"), "QUERY_STRING": request["query"],
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": headers.get("HTTP_CONTENT_TYPE", ""), "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http", "wsgi.version": (1, 0),
        "waitress.client_disconnected": lambda: reply.isGone,
    }  # fmt: skip

    def begin(status: str, sent: list[tuple[str, str]], *_: object) -> None:
        for name, value in sent:
            if name.lower() == "set-cookie":
                _cookies.load(value)
        kept = [(name, value.replace("frame-ancestors 'none'", FRAME_OWN_PAGES)) for name, value in sent]
        reply.begin(int(status[:3]), kept)

    parts = _program.serving.app(environ, begin)
    with closing(parts):
        for part in filter(None, parts):
            reply.send(part)
    reply.end()


def has_changed() -> bool:
    """Return whether the files of the table have changed since the last call. The demo's game is not kept."""
    global _seen
    if _demo:
        return False
    before, _seen = _seen, [(path.name, path.stat().st_mtime_ns) for path in sorted(_folder.iterdir())]
    return before != _seen


def snapshot_number() -> int:
    """Return the number of the present snapshot, whose moves are in the files."""
    return int(_program.table.snapshot.number)


_seen: list[tuple[str, int]] = []


class _NoReply:
    """The browser's end of a request that no page makes."""

    isGone = False  # noqa: N815 - as in worker.js

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_: None


def _end_demo() -> None:
    """Let the visitor play on."""
    global _demo
    ended, _demo = _demo, None
    if ended:
        ended.close()
        _bench.put_back()
        _visitor_file().touch()


def _cookie_header() -> str:
    return "; ".join(f"{name}={each.value}" for name, each in _cookies.items())


def _cookie_file() -> Path:
    return _folder / "cookies"


def _visitor_file() -> Path:
    return _folder / "visitor"
