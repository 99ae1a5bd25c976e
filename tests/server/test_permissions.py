"""Permissions: the checks of every POST in their order, the join link, and host names."""

import json
import re
import socket

import pytest

from companion.common.errors import CompanionError
from companion.http.permissions import HOW_TO_JOIN, load_key
from tests.server.conftest import KEY
from tests.support.waiting import PATIENCE_S

COOKIE = "HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000"
POSTS = ("/api/moves", "/api/bench/holes", "/api/bench/scan", "/api/bench/press", "/api/bench/cable")
GETS = (
    "/", "/bench", "/api/state", "/api/me", "/api/board", "/api/openapi.json", "/api/bench/holes", "/api/bench/lights",
)  # fmt: skip
ORDER = ("host", "origin", "size", "player", "type", "json", "rules")
CODES = (421, 403, 413, 403, 415, 400, 409)


def request_with(faults, refused):
    """Send a request with exactly these faults; `refused` is a valid body that the rules refuse."""
    headers = {
        "Host": "evil.example" if "host" in faults else "localhost",
        "Origin": "http://evil.example" if "origin" in faults else "http://localhost",
        "Content-Type": "text/plain" if "type" in faults else "application/json",
    }
    body = "{" if "json" in faults else json.dumps(refused)
    return {"headers": headers, "data": body + " " * (17 * 1024) if "size" in faults else body}


@pytest.mark.parametrize("first", range(len(ORDER)))
@pytest.mark.parametrize(
    ("path", "refused"), [("/api/moves", {"type": "next"}), ("/api/bench/holes", {"lift": "red-60"})]
)
def test_the_first_of_several_faults_is_answered(bench_app, bench, path, refused, first):
    faults = ORDER[first:]
    client = bench_app.test_client() if "player" in faults else bench
    reply = client.post(path, **request_with(faults, refused))
    assert (reply.status_code, list(reply.json)) == (CODES[first], ["error"])
    assert re.fullmatch(r"[A-Z].+[.:].*", reply.json["error"])


@pytest.mark.parametrize("path", POSTS)
def test_each_fault_alone_is_refused_at_every_address(bench_app, bench, path):
    for fault, code in zip(ORDER[:-1], CODES, strict=False):
        client = bench_app.test_client() if fault == "player" else bench
        reply = client.post(path, **request_with({fault}, {}))
        assert (fault, reply.status_code) == (fault, code)


def test_a_foreign_or_null_origin_changes_nothing(player, table):
    for origin in ("null", "http://localhost:8123", "https://localhost", "http://evil.example", "localhost", ""):
        reply = player.post("/api/moves", json={"type": "starter", "card": "5D"}, headers={"Origin": origin})
        assert (origin, reply.status_code) == (origin, 403)
    assert table.snapshot.moves == 0
    reply = player.post("/api/moves", json={"type": "starter", "card": "5D"}, headers={"Origin": "http://LOCALHOST"})
    assert reply.status_code == 201


def test_the_origin_includes_the_port(app):
    client, base = app.test_client(), "http://192.168.1.5:8123"
    client.get(f"/join/{KEY}", base_url=base)
    for origin, code in ((base, 409), ("http://192.168.1.5", 403), ("http://192.168.1.6:8123", 403)):
        reply = client.post("/api/moves", json={"type": "next"}, base_url=base, headers={"Origin": origin})
        assert (origin, reply.status_code) == (origin, code)


OWN = socket.gethostname()
OURS = ["localhost", "localhost:8123", "LocalHost", "127.0.0.1", "192.168.1.5:8123", "[::1]", "[fe80::1]:8123"]
OURS += [OWN, f"{OWN}.local", f"{OWN.upper()}:8123", "board.example", "board.example:80"]
NOT_OURS = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "evil.example:8123", "1.2.3", "::1"]
NOT_OURS += ["localhost:8123:1", "localhost:port", "[localhost]x", "board.example.", "local host", "127.0.0.1@evil"]


def test_the_table_answers_to_its_names(watcher):
    for host in OURS:
        assert (host, watcher.get("/api/state", headers={"Host": host}).status_code) == (host, 200)


@pytest.mark.parametrize("path", ["/", "/api/state", "/nothing/here", f"/join/{KEY}"])
def test_other_names_get_no_answer(watcher, path):
    for host in NOT_OURS:
        reply = watcher.get(path, headers={"Host": host})
        assert (host, reply.status_code, list(reply.json)) == (host, 421, ["error"])
        assert "Set-Cookie" not in reply.headers


def test_a_request_without_a_host_is_misdirected_too(serving):
    with socket.create_connection(("127.0.0.1", serving.port), timeout=PATIENCE_S) as line:
        line.sendall(b"GET /api/state HTTP/1.0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.0 421 ")


def test_a_watcher_sees_everything_and_changes_nothing(bench_app, table):
    watcher = bench_app.test_client()
    number = table.snapshot.moves
    for path in GETS:
        with watcher.get(path) as reply:
            assert (path, reply.status_code) == (path, 200)
    for path in POSTS:
        reply = watcher.post(path, json={"type": "starter", "card": "5D"})
        assert (path, reply.status_code, list(reply.json)) == (path, 403, ["error"])
    assert table.snapshot.moves == number
    me = watcher.get("/api/me").json
    assert me == {"role": "watcher", "how_to_join": HOW_TO_JOIN}


def test_the_join_link_makes_a_lasting_player(watcher):
    reply = watcher.get(f"/join/{KEY}")
    assert (reply.status_code, reply.headers["Location"]) == (303, "/")
    value, _, attributes = reply.headers["Set-Cookie"].partition("; ")
    assert re.fullmatch(r"companion_player_[0-9a-f]{16}=[A-Za-z0-9_-]{16,}", value)
    assert attributes == COOKIE
    assert len(reply.headers.getlist("Set-Cookie")) == 1
    assert watcher.get("/api/me").json["role"] == "player"
    assert watcher.post("/api/moves", json={"type": "starter", "card": "5D"}).status_code == 201


def test_a_wrong_key_is_refused_without_a_cookie(watcher):
    for wrong in (KEY[:-1], KEY + "x", KEY.upper(), "%00", "é", "x" * 5000, "%ff%fe", "%F0%9F%82%A1"):
        reply = watcher.get(f"/join/{wrong}")
        assert (wrong, reply.status_code, reply.mimetype) == (wrong, 403, "text/html")
        assert "Set-Cookie" not in reply.headers
    assert watcher.get("/api/me").json["role"] == "watcher"


def test_a_forged_cookie_gives_no_rights(app, watcher):
    name = watcher.get(f"/join/{KEY}").headers["Set-Cookie"].partition("=")[0]
    forger = app.test_client(use_cookies=False)  # or the client replaces the header
    for cookie in (KEY, "", "x" * 64, "é", "\x00", "0" * 64, '"'):
        reply = forger.get("/api/me", headers={"Cookie": f"companion_player={cookie}; {name}={cookie}"})
        assert (cookie, reply.json["role"]) == (cookie, "watcher")


def test_the_key_is_in_no_reply(bench_app, bench):
    replies = [bench.get(path) for path in (*GETS, "/nothing", "/join/wrong", f"//join/{KEY}", f"/join/{KEY}/")]
    replies += [bench.post(path, json={}) for path in POSTS]
    replies += [bench.open(f"/join/{KEY}", method=method) for method in ("GET", "HEAD", "OPTIONS", "POST", "DELETE")]
    for reply in replies:
        with reply:
            assert KEY not in reply.text
            assert KEY not in str(reply.headers)


def test_a_seat_in_the_address_changes_no_right(bench_app, player):
    assert bench_app.test_client().get("/api/me?seat=1").json["role"] == "watcher"
    assert player.get("/api/me?seat=1").json["role"] == "player"
    assert player.post("/api/moves?seat=1", json={"type": "starter", "card": "5D"}).status_code == 201
    assert player.post("/api/moves?seat=0", json={"type": "play", "seat": 1, "card": "5H"}).status_code == 201


def test_the_key_is_made_once_and_private(tmp_path):
    path = tmp_path / "new" / "journal.key"
    key = load_key(path)
    assert re.fullmatch(r"[A-Za-z0-9_-]{24}", key)  # 6 bits each
    assert load_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["journal.key"]
    assert load_key(tmp_path / "other.key") != key


@pytest.mark.parametrize("held", [b"", b"short", b"\xff" * 20, b"a key with blanks in it"])
def test_an_invalid_key_file_is_a_sentence(tmp_path, held):
    (tmp_path / "journal.key").write_bytes(held)
    with pytest.raises(CompanionError, match=r"journal\.key"):
        load_key(tmp_path / "journal.key")


def test_an_unwritable_key_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CompanionError, match="Cannot read or create"):
        load_key(tmp_path / "file" / "journal.key")
