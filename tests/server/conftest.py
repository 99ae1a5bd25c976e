"""Fixtures: a table with its application, for Flask's test client and on a real socket."""

import contextlib
import http.client
import json

import pytest

from companion.app.device_manager import DeviceManager
from companion.http.permissions import HOW_TO_JOIN
from companion.http.wsgi.server import ServerThread, listen
from companion.server import create_app
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from tests.support.plugin_app import add_photo_plugins, add_wifi
from tests.support.received import clock
from tests.support.tables import open_table
from tests.support.waiting import PATIENCE_S, wait_until

KEY = "a-key-that-nobody-guesses"
JOIN = HOW_TO_JOIN


@pytest.fixture
def table(tmp_path):
    with contextlib.closing(open_table(tmp_path, settings=Settings(quiet_ms=40))) as opened:
        yield opened


@pytest.fixture
def devices(table):
    """Return the simulated devices of the table, with the pegs at the start."""
    with contextlib.closing(DeviceManager(Settings(), (), table.core, clock)) as devices:
        devices.start(table)
        yield devices


def create_table_app(tables, **more):
    """Return the application of a game switcher; `more` are parameters of `create_app`."""
    usual = {"bench": None, "key": KEY, "how_to_join": JOIN, "hosts": frozenset({"board.example"})}
    return create_app(tables, **usual | more)


@pytest.fixture
def app(table):
    """Return the application of a table without simulated devices."""
    tables = GameSwitcher(table)
    return add_photo_plugins(create_table_app(tables), tables)


@pytest.fixture
def bench_app(table, devices):
    """Return the application of a table with simulated devices."""
    tables = GameSwitcher(table, devices)
    app = create_table_app(tables, bench=devices.bench)
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


def serve(app, table, **options):
    """Serve an application of a table on a real socket, for a fixture."""
    opened = ServerThread(app, listen("127.0.0.1", 0), **options)
    yield opened
    table.close()  # as the program does: streams end with the table
    opened.close()


@pytest.fixture
def serving(app, table):
    yield from serve(app, table)


@pytest.fixture
def phone(serving):
    """Return the phone of a player, on a real socket."""
    return Phone(serving.port).join()


@pytest.fixture
def until():
    """Return a function that waits until `found()` is true and returns its last value."""

    return wait_until
