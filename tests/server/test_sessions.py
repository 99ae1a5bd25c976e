"""Sessions of phones: own cookies, the list, ending one of them, and delays after wrong keys."""

import re
import stat
import time

import pytest

from companion.http import client_address, sessions
from companion.http.client_address import LoginThrottle
from companion.http.permissions import load_key
from companion.http.sessions import SessionStore
from tests.server.conftest import KEY

ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 Version/17.5 Safari/604.1"
STARTER = {"type": "starter", "card": "5D"}


def join_table(app, agent="curl/8"):
    """Return a phone that has joined, and its cookie."""
    client = app.test_client()
    reply = client.get(f"/join/{KEY}", headers={"User-Agent": agent})
    return client, reply.headers["Set-Cookie"].partition(";")[0]


def test_every_phone_has_a_value_of_its_own_that_stays_the_same(app):
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


def test_a_phone_that_is_ended_is_a_watchers_and_no_other_is(app):
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


def test_phones_are_known_after_a_restart_and_their_values_are_in_no_file(tmp_path):
    path = tmp_path / "journal.phones"
    value = SessionStore(path).open_session("", ANDROID)
    assert SessionStore(path).find_session(value)
    assert SessionStore(path).open_session(value, "") == value
    assert value not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SessionStore(path).end_session(1)
    assert not SessionStore(path).find_session(value)


def test_without_its_files_every_phone_must_join_again_by_a_new_link(tmp_path):
    key_path, path = tmp_path / "journal.key", tmp_path / "journal.phones"
    key, value = load_key(key_path), SessionStore(path).open_session("", "")
    assert SessionStore(path).find_session(value)
    key_path.unlink()
    path.unlink()
    assert SessionStore(path).find_session(value) is None
    assert load_key(key_path) != key


@pytest.mark.parametrize("held", ["", "{", "[1]", "[{}]", '[{"id":"1","name":1,"joined":1,"seen":1,"mark":1}]', "\x00"])
def test_an_invalid_file_of_phones_gives_no_phone_a_seat(tmp_path, held):
    (tmp_path / "journal.phones").write_text(held)
    known = SessionStore(tmp_path / "journal.phones")
    assert known.list_sessions("") == []
    assert known.find_session(known.open_session("", ""))


def test_where_nothing_can_be_kept_a_phone_joins_all_the_same(tmp_path):
    known = SessionStore(tmp_path / "nowhere" / "journal.phones")
    assert known.find_session(known.open_session("", ""))


def test_one_phone_too_many_takes_the_place_of_the_one_unseen_for_longest(monkeypatch):
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    moments = iter(f"2026-01-01T00:00:{second:02}+00:00" for second in range(60))
    monkeypatch.setattr(sessions, "_utc_now", lambda: next(moments))
    known = SessionStore()
    first, second = known.open_session("", ""), known.open_session("", "")
    assert known.find_session(first)
    third = known.open_session("", "")
    assert [bool(known.find_session(each)) for each in (first, second, third)] == [True, False, True]


def test_wrong_keys_wait_longer_each_time_and_slips_do_not():
    waits = []
    each = LoginThrottle(waits.append)
    for _ in range(client_address.FREE_ATTEMPTS + 8):
        each.record_failure("192.168.1.9")
    each.record_failure("192.168.1.8")
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]


def test_while_a_wrong_key_waits_no_other_from_there_is_looked_at():
    seen = []
    each = LoginThrottle(lambda _: seen.append([each.may_try("192.168.1.9"), each.may_try("192.168.1.8")]))
    for _ in range(client_address.FREE_ATTEMPTS + 1):
        each.record_failure("192.168.1.9")
    assert seen == [[False, True]]
    assert each.may_try("192.168.1.9")


def test_wrong_keys_from_a_third_address_are_delayed_while_two_others_wait(monkeypatch):
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


def test_twenty_wrong_keys_over_the_network_take_their_time(phone, monkeypatch):
    monkeypatch.setattr(client_address, "INITIAL_DELAY_S", 0.05)
    monkeypatch.setattr(client_address, "MAX_DELAY_S", 0.2)
    begin = time.monotonic()
    assert {phone.ask("GET", f"/join/wrong-{number}")[0] for number in range(20)} == {403}
    assert time.monotonic() - begin > 2
    assert phone.ask("GET", f"/join/{KEY}")[0] == 303
