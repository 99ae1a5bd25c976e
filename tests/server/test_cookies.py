"""Cookies of players: one for each table and club, as browsers do not separate ports; and that of older versions."""

import contextlib
import json
import re
import urllib.request
from http.cookiejar import CookieJar

import pytest

from companion.http.sessions import SessionStore, browser_mark
from companion.http.wsgi.server import ServerThread, listen
from companion.plugins.club.app import create_club_app
from companion.plugins.club.database import Database
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import create_table_app
from tests.support.waiting import PATIENCE_S

KEY = "a-key-that-nobody-guesses"
OLD_VALUE = "the-value-of-an-older-version"


@pytest.fixture
def old_file(tmp_path):
    """Return the file of phones as older versions wrote it, with one phone."""
    phone = {"id": 1, "name": "Firefox", "joined": "2026-01-01T00:00:00+00:00", "seen": "2026-01-01T00:00:00+00:00"}
    path = tmp_path / "journal.phones"
    path.write_text(json.dumps([phone | {"mark": browser_mark(OLD_VALUE)}]))
    return path


def open_old_browser(table, path):
    """Return a browser that has only the cookie of an older version, and a table with these sessions."""
    client = create_table_app(GameSwitcher(table), sessions=SessionStore(path)).test_client()
    client.set_cookie("companion_player", OLD_VALUE)
    return client


def test_join_links_of_one_host_disturb_none(table, tmp_path):
    """Two tables and a club on three ports of one host: whoever joins one of them keeps the other roles."""
    with contextlib.ExitStack() as closes:
        database = closes.enter_context(contextlib.closing(Database(f"sqlite:///{tmp_path}/club.sqlite3")))
        paths = [tmp_path / f"{name}.phones" for name in ("first", "second")]
        apps = [create_table_app(GameSwitcher(table), sessions=SessionStore(path)) for path in paths]
        apps.append(create_club_app(database, KEY, sessions_path=tmp_path / "club.phones"))
        servers = [closes.enter_context(contextlib.closing(ServerThread(app, listen("127.0.0.1", 0)))) for app in apps]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

        def read(server, path):
            with browser.open(f"http://127.0.0.1:{server.port}{path}", timeout=PATIENCE_S) as answer:
                return answer.read()

        for server in (*servers, *servers):
            read(server, f"/join/{KEY}")
        assert [json.loads(read(server, "/api/me"))["role"] for server in servers] == ["player"] * 3
        assert [len(json.loads(read(server, "/api/phones"))["phones"]) for server in servers] == [1, 1, 1]
        table.close()


def test_an_old_cookie_is_replaced_in_its_answer(table, old_file):
    client = open_old_browser(table, old_file)
    reply = client.get("/api/me")
    new, removed = reply.headers.getlist("Set-Cookie")
    assert reply.json["role"] == "player"
    assert new.startswith("companion_player_")
    assert new.partition("=")[2] == f"{OLD_VALUE}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000"
    assert removed == "companion_player=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0"
    assert client.get_cookie("companion_player") is None
    again = client.get("/api/me")
    assert (again.json["role"], again.headers.getlist("Set-Cookie")) == ("player", [])


def test_a_seat_and_its_hand_outlive_the_old_cookie(table, old_file):
    client = open_old_browser(table, old_file)
    assert client.post("/api/seat", json={"seat": 0}).status_code == 201
    assert client.post("/api/hand", json={"cards": ["5H", "TD"]}).status_code == 201
    assert client.get_cookie("companion_player") is None
    assert client.get("/api/hand").json == {"cards": ["5H", "TD"]}
    assert [phone["you"] for phone in client.get("/api/phones").json["phones"]] == [True]


def test_the_join_link_replaces_an_old_cookie_once(table, old_file):
    client = open_old_browser(table, old_file)
    assert len(client.get(f"/join/{KEY}").headers.getlist("Set-Cookie")) == 2
    assert client.get_cookie("companion_player") is None
    assert len(client.get("/api/phones").json["phones"]) == 1


def test_an_old_cookie_of_another_service_stays(table, old_file):
    """It may be valid on another port of this host."""
    old_file.unlink()
    client = open_old_browser(table, old_file)
    reply = client.get("/api/me")
    assert (reply.json["role"], reply.headers.getlist("Set-Cookie")) == ("watcher", [])
    assert len(client.get(f"/join/{KEY}").headers.getlist("Set-Cookie")) == 1
    assert client.get_cookie("companion_player").value == OLD_VALUE


@pytest.mark.parametrize("is_upgraded", [True, False])
def test_the_cookie_is_known_after_a_restart(table, old_file, is_upgraded):
    if not is_upgraded:
        old_file.unlink()
    client = open_old_browser(table, old_file)
    client.get(f"/join/{KEY}")
    cookies = {cookie.key: cookie.value for cookie in client._cookies.values() if cookie.key != "companion_player"}
    restarted = create_table_app(GameSwitcher(table), sessions=SessionStore(old_file)).test_client()
    for name, value in cookies.items():
        restarted.set_cookie(name, value)
    reply = restarted.get("/api/me")
    assert (reply.json["role"], reply.headers.getlist("Set-Cookie")) == ("player", [])


def test_the_description_names_the_cookie_of_this_table(app):
    name = app.test_client().get(f"/join/{KEY}").headers["Set-Cookie"].partition("=")[0]
    document = app.test_client().get("/api/openapi.json").json
    assert document["components"]["securitySchemes"]["player"]["name"] == name


def test_files_that_are_cached_for_ever_set_no_cookie(table, old_file):
    client = open_old_browser(table, old_file)
    page = client.application.test_client().get("/").text
    with client.get(re.search(r"/web/[0-9a-f]{16}/[\w/.-]+", page)[0]) as reply:
        assert (reply.cache_control.immutable, "Set-Cookie" in reply.headers) == (True, False)
    with client.get("/") as reply:
        assert (reply.cache_control.no_store, "Set-Cookie" in reply.headers) == (True, True)


def test_an_unreadable_cookie_hides_no_other(app):
    client = app.test_client()
    own = client.get(f"/join/{KEY}").headers["Set-Cookie"].partition(";")[0]
    for header in (f"strange=\xff; {own}", f"{own}; strange=\xff"):
        bare = app.test_client(use_cookies=False)  # or the client replaces the header
        assert bare.get("/api/me", headers={"Cookie": header}).json["role"] == "player"
