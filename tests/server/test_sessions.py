"""Sessions of phones: cookies for each table and club, the list, ending one of them, and delays after wrong keys."""

import contextlib
import json
import re
import stat
import time
import urllib.request
from http.cookiejar import CookieJar

import pytest

from companion.http import client_address, sessions
from companion.http.client_address import LoginThrottle
from companion.http.permissions import load_key
from companion.http.sessions import SessionStore, browser_mark
from companion.http.wsgi.server import ServerThread, listen
from companion.plugins.club.app import create_club_app
from companion.plugins.club.database import Database
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import KEY, create_table_app
from tests.support.waiting import PATIENCE_S

ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 Version/17.5 Safari/604.1"
STARTER = {"type": "starter", "card": "5D"}


def join_table(app, agent="curl/8"):
    """Return a phone that has joined, and its cookie."""
    client = app.test_client()
    reply = client.get(f"/join/{KEY}", headers={"User-Agent": agent})
    return client, reply.headers["Set-Cookie"].partition(";")[0]


def test_every_phone_has_its_lasting_value(app):
    ann, value = join_table(app)
    assert join_table(app)[1] != value
    assert ann.get(f"/join/{KEY}").headers["Set-Cookie"].partition(";")[0] == value
    assert len(ann.get("/api/phones").json["phones"]) == 2


def test_the_answer_to_a_join_is_never_kept(watcher):
    for key in (KEY, "wrong"):
        assert watcher.get(f"/join/{key}").headers["Cache-Control"] == "no-store"


def test_players_see_who_plays_and_watchers_do_not(app, watcher):
    ann, _ = join_table(app, ANDROID)
    join_table(app, IPHONE)
    listed = ann.get("/api/phones").json["phones"]
    names = [(phone["name"], phone["you"]) for phone in listed]
    assert names == [("Safari on iPhone", False), ("Chrome on Android", True)]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", each["joined"]) for each in listed)
    reply = watcher.get("/api/phones")
    assert (reply.status_code, list(reply.json)) == (403, ["error"])


def test_an_ended_phone_becomes_a_watchers(app):
    (ann, _), (bob, _) = join_table(app), join_table(app)
    bobs = next(each["id"] for each in bob.get("/api/phones").json["phones"] if each["you"])
    reply = ann.post("/api/phones", json={"end": bobs})
    assert (reply.status_code, [each["you"] for each in reply.json["phones"]]) == (200, [True])
    assert bob.get("/api/me").json["role"] == "watcher"
    assert bob.post("/api/moves", json=STARTER).status_code == 403
    assert ann.post("/api/moves", json=STARTER).status_code == 201
    assert ann.post("/api/phones", json={"end": bobs}).status_code == 404
    assert bob.get(f"/join/{KEY}").status_code == 303
    assert bob.get("/api/me").json["role"] == "player"


@pytest.mark.parametrize("body", [{}, [], {"end": "1"}, {"end": True}, {"end": 1.0}, {"end": None}, 1])
def test_what_names_no_phone_is_refused(player, body):
    reply = player.post("/api/phones", json=body)
    assert (reply.status_code, list(reply.json)) == (400, ["error"])


def test_phones_are_known_after_a_restart(tmp_path):
    path = tmp_path / "journal.phones"
    value = SessionStore(path).open_session("", ANDROID)
    assert SessionStore(path).find_session(value)
    assert SessionStore(path).open_session(value, "") == value
    assert value not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SessionStore(path).end_session(1)
    assert not SessionStore(path).find_session(value)


def test_without_the_files_every_phone_must_join(tmp_path):
    key_path, path = tmp_path / "journal.key", tmp_path / "journal.phones"
    key, value = load_key(key_path), SessionStore(path).open_session("", "")
    assert SessionStore(path).find_session(value)
    key_path.unlink()
    path.unlink()
    assert SessionStore(path).find_session(value) is None
    assert load_key(key_path) != key


@pytest.mark.parametrize("held", ["", "{", "[1]", "[{}]", '[{"id":"1","name":1,"joined":1,"seen":1,"mark":1}]', "\x00"])
def test_an_invalid_file_of_phones_gives_no_seat(tmp_path, held):
    (tmp_path / "journal.phones").write_text(held)
    known = SessionStore(tmp_path / "journal.phones")
    assert known.list_sessions("") == []
    assert known.find_session(known.open_session("", ""))


def test_an_unwritable_file_keeps_no_phone_out(tmp_path):
    known = SessionStore(tmp_path / "nowhere" / "journal.phones")
    assert known.find_session(known.open_session("", ""))


def test_the_longest_unseen_phone_makes_room(monkeypatch):
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    moments = iter(f"2026-01-01T00:00:{second:02}+00:00" for second in range(60))
    monkeypatch.setattr(sessions, "_utc_now", lambda: next(moments))
    known = SessionStore()
    first, second = known.open_session("", ""), known.open_session("", "")
    assert known.find_session(first)
    third = known.open_session("", "")
    assert [bool(known.find_session(each)) for each in (first, second, third)] == [True, False, True]


def test_wrong_keys_wait_ever_longer():
    waits = []
    each = LoginThrottle(waits.append)
    for _ in range(client_address.FREE_ATTEMPTS + 8):
        each.record_failure("192.168.1.9")
    each.record_failure("192.168.1.8")
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]


def test_while_a_wrong_key_waits_others_do_too():
    seen = []
    each = LoginThrottle(lambda _: seen.append([each.may_try("192.168.1.9"), each.may_try("192.168.1.8")]))
    for _ in range(client_address.FREE_ATTEMPTS + 1):
        each.record_failure("192.168.1.9")
    assert seen == [[False, True]]
    assert each.may_try("192.168.1.9")


def test_a_third_address_is_delayed_too(monkeypatch):
    now_s, seen = [1000.0], []
    monkeypatch.setattr(client_address.time, "monotonic", lambda: now_s[0])

    def sleep(delay_s):
        if each._sleeping < client_address.MAX_DELAYED_REQUESTS:
            fail("192.168.1.2")
        else:
            fail("192.168.1.3")
            seen.append(each.may_try("192.168.1.3"))
            now_s[0] += client_address.INITIAL_DELAY_S
            seen.append(each.may_try("192.168.1.3"))

    def fail(address):
        for _ in range(client_address.FREE_ATTEMPTS + 1):
            each.record_failure(address)

    each = LoginThrottle(sleep)
    fail("192.168.1.1")
    assert seen == [False, True]
    assert each.may_try("192.168.1.1")


def test_twenty_wrong_keys_take_their_time(phone, monkeypatch):
    monkeypatch.setattr(client_address, "INITIAL_DELAY_S", 0.05)
    monkeypatch.setattr(client_address, "MAX_DELAY_S", 0.2)
    begin = time.monotonic()
    assert {phone.ask("GET", f"/join/wrong-{number}")[0] for number in range(20)} == {403}
    assert time.monotonic() - begin > 2
    assert phone.ask("GET", f"/join/{KEY}")[0] == 303


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


def test_a_hand_outlives_the_old_cookie(table, old_file):
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


def test_files_cached_for_ever_set_no_cookie(table, old_file):
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
