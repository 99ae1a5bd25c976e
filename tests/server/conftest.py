"""Fixtures: a table with its application, for Flask's test client and on a real socket."""

import contextlib
import http.client
import json
import time

import pytest

from companion.app.device_manager import DeviceManager
from companion.http.permissions import HOW_TO_JOIN
from companion.http.wsgi.server import ServerThread, listen
from companion.journal.journal import Journal
from companion.server import create_app
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.plugin_app import add_photo_plugins, add_wifi
from tests.support.waiting import PATIENCE_S, wait_until

KEY = "a-key-that-nobody-guesses"
JOIN = HOW_TO_JOIN


def clock():
    return time.monotonic_ns() // 1_000_000


@pytest.fixture
def table(tmp_path):
    made = create_plan("six-card")
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    opened = Table(create_core(made, Settings(quiet_ms=40)), journal, clock, run="test")
    yield opened
    opened.close()


@pytest.fixture
def devices(table):
    """Return the simulated devices of the table, with the pegs at the start."""
    found = DeviceManager(Settings(), (), table.core, clock)
    found.start(table)
    yield found
    found.close()


@pytest.fixture
def app(table):
    """Return the application of a table without simulated devices."""
    return _app(GameSwitcher(table), None)


@pytest.fixture
def bench_app(table, devices):
    """Return the application of a table with simulated devices."""
    return _app(GameSwitcher(table, devices), devices.bench)


def _app(tables, bench):
    hosts = frozenset({"board.example"})
    app = create_app(tables, bench=bench, key=KEY, how_to_join=JOIN, hosts=hosts)
    if bench:
        add_wifi(app, tables)
    return add_photo_plugins(app, tables)


def join_table(client):
    """Open the join link; return the client."""
    assert client.get(f"/join/{KEY}").status_code == 303
    return client


@pytest.fixture
def watcher(app):
    return app.test_client()


@pytest.fixture
def player(app):
    return join_table(app.test_client())


@pytest.fixture
def bench(bench_app):
    """Return the client of a player of the table with simulated devices."""
    return join_table(bench_app.test_client())


class Phone:
    """A phone that sends requests to the served application."""

    def __init__(self, port):
        self.port = port
        self.cookie = {}

    def ask(self, method, path, body=None, headers=None):
        """Send a request on a connection of its own; return status, headers and body."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request(method, path, body, self.cookie | (headers or {}))
            reply = line.getresponse()
            return reply.status, reply.headers, reply.read()

    def get(self, path):
        status, _, body = self.ask("GET", path)
        return status, json.loads(body)

    def post(self, path, obj):
        status, _, body = self.ask("POST", path, json.dumps(obj), {"Content-Type": "application/json"})
        return status, json.loads(body)

    def join(self):
        _, headers, _ = self.ask("GET", f"/join/{KEY}")
        self.cookie = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
        return self


@pytest.fixture
def serving(app, table):
    opened = ServerThread(app, listen("127.0.0.1", 0))
    yield opened
    table.close()  # as the program does: streams end with the table
    opened.close()


@pytest.fixture
def phone(serving):
    """Return the phone of a player, on a real socket."""
    return Phone(serving.port).join()


@pytest.fixture
def until():
    """Return a function that waits until `found()` is true and returns its last value."""

    return wait_until
