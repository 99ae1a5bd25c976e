"""Unreadable, too large and invalid requests: nothing changes, and no answer shows internals."""

import json
import random
import re
import socket

import pytest

from companion.history.moves import MoveHistory
from companion.http.assets import Assets
from companion.http.permissions import Permissions
from companion.rules.moves import MOVES, TakeBoard
from companion.server import layout_hints, sse
from companion.server.routes import bench as benching
from companion.server.routes import pages
from companion.server.routes import table as table_routes
from companion.table import inputs
from tests.support.waiting import PATIENCE_S

HEAD = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LARGE = b"Content-Length: 100000000\r\n\r\n"


def answer(port, sent):
    """Return status, headers and body of the answer, after the connection was closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.sendall(sent)
        head, _, body = line.makefile("rb").read().partition(b"\r\n\r\n")
    status, *headers = head.decode().split("\r\n")
    return int(status.split()[1]), dict(header.split(": ", 1) for header in headers), body


@pytest.mark.parametrize(("sent", "code"), [
    (b"hello\r\n\r\n", 400), (HEAD + b"Content-Length: -5\r\n\r\n", 400),
    (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 400),
    (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", 400),
    (b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 262_144, 431),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Language: " + b"a;q=0.5," * 5_000, 431),
    (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 501),
])  # fmt: skip
def test_an_unreadable_request_is_refused_in_a_sentence(serving, sent, code):
    status, headers, body = answer(serving.port, sent)
    assert (status, headers["X-Content-Type-Options"], headers["Content-Type"]) == (code, "nosniff", "application/json")
    assert re.fullmatch(r"[A-Z].+\.", json.loads(body)["error"])


def test_a_too_large_body_is_refused_in_turn(serving, phone):
    """The length is enough to refuse a hundred megabytes, and the checks keep their order."""
    player = f"Cookie: {phone.cookie['Cookie']}\r\n".encode()
    for headers, code in (
        (player, 413), (b"", 413), (b"Origin: null\r\n", 403), (player + b"Origin: http://localhost\r\n", 413),
    ):  # fmt: skip
        status, told, body = answer(serving.port, HEAD + headers + LARGE)
        assert (headers, status, told["X-Content-Type-Options"]) == (headers, code, "nosniff")
        assert list(json.loads(body)) == ["error"]
    foreign = HEAD.replace(b"localhost", b"evil.example")
    assert answer(serving.port, foreign + player + LARGE)[0] == 421


def test_a_connection_serves_on_after_a_streams_head(serving):
    ask = b"%s /api/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    sent = ask % (b"HEAD", b"stream", b"") + ask % (b"GET", b"me", b"Connection: close\r\n")
    status, headers, rest = answer(serving.port, sent)
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "text/event-stream")
    assert rest.startswith(b"HTTP/1.1 200 OK\r\n")
    assert json.loads(rest.rpartition(b"\r\n\r\n")[2])["role"] == "watcher"


WORDS = [b"GET", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"BREW", b"get", b"\x00", b"", b"PRI"]
PATHS = [
    b"/", b"/api/state", b"/api/moves", b"/join/x", b"/web/pages/phone/phone.js", b"/%", b"/%ff", b"*",
    b"http://evil/", b"//", b"/\xff",
]  # fmt: skip
HOSTS = [
    b"localhost", b"evil.example", b"", b"[::1", b"\xff\xfe", b"localhost:99999999", b"a" * 4000, b"localhost, evil",
]  # fmt: skip
HEADERS = [
    b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Length: x", b"Transfer-Encoding: gzip",
    b"Transfer-Encoding: chunked", b"Cookie: companion_player=\xff", b"Cookie: =;;=", b"Origin: \xff", b"Host: twice",
    b"Content-Type: application/json; charset=utf-99", b"Content-Type: \xff", b"no colon here", b": empty", b" folded",
    b"Expect: 100-continue", b"Expect: cake", b"Range: bytes=9-1", b"If-None-Match: \xff", b"If-Modified-Since: never",
    b"Upgrade: websocket", b"Connection: upgrade, \xff", b"X-Forwarded-For: 1.2.3.4", b"X-Forwarded-Host: evil",
    b"Content-Encoding: gzip", b"Accept-Encoding: \x01", b"A" * 3000 + b": x",
]  # fmt: skip
VALUES = [None, True, False, 0, -1, 1.5, 10**12, "", "5H", "XX", "é", [], [[]], {}, ["5H"], [None], {"type": "next"}]


def random_bytes(chance):
    return chance.randbytes(chance.randrange(1, 400))


def half_a_request(chance):
    whole = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 15\r\n"
    return (whole + b'\r\n{"type":"next"}')[: chance.randrange(1, len(whole) + 16)]


def strange_heading(chance):
    version = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9")
    lines = [b" ".join((chance.choice(WORDS), chance.choice(PATHS), chance.choice(version)))]
    lines += [b"Host: " + chance.choice(HOSTS), *chance.sample(HEADERS, chance.randrange(4))]
    return b"\r\n".join(lines) + b"\r\n\r\n" + chance.choice((b"", b"{}", b"5\r\nhello\r\n0\r\n\r\n", b"\xff" * 20))


def random_json(chance):
    kind = chance.choice([move.kind for move in MOVES if move is not TakeBoard])  # that one needs nothing
    move = {"type": kind, "seat": chance.choice(VALUES), "card": chance.choice(VALUES), "cards": chance.choice(VALUES)}
    move["points"] = chance.choice(("x", None, 1.5, True, [], 10**9))  # whatever else it is, it adjusts nothing
    if kind == "starter" and move["card"] == "5H":
        move["card"] = "5h5"
    return json.dumps(move).encode()


def broken_json(chance):
    body = bytearray(b'{"type":"adjust","seat":0,"points":1000,"x":[[[{"y":"\\u00e9"}]]]}')
    for _ in range(chance.randrange(1, 5)):
        body[chance.randrange(20, len(body))] = chance.randrange(256)
    return bytes(body[: chance.randrange(1, len(body))])


def as_a_players(make):
    def request(chance, cookie):
        body = make(chance)
        head = "POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        return f"{head}Cookie: {cookie}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body

    return request


KINDS = [lambda c, _: random_bytes(c), lambda c, _: half_a_request(c), lambda c, _: strange_heading(c)]
KINDS += [as_a_players(random_json), as_a_players(broken_json)]


def answer_to(port, request):
    """Return the first line of the answer, b"" if there is none."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        try:
            line.sendall(request)
            if b"Connection: close" not in request:  # it may be half a request: nothing more is to come
                line.shutdown(socket.SHUT_WR)
            return line.makefile("rb").readline()
        except ConnectionError:
            return b""


def test_two_thousand_junk_requests_change_nothing(serving, phone, table, capfd, caplog):
    before, chance = table.snapshot, random.Random(61)
    statuses = set()
    for number in range(2000):
        request = KINDS[number % len(KINDS)](chance, phone.cookie["Cookie"])
        answered = answer_to(serving.port, request)
        statuses.add(int(answered.split()[1]) if answered.startswith(b"HTTP/") else None)
    assert statuses <= {None, 100, 200, 201, 303, 304, 400, 403, 404, 405, 409, 411, 413, 415, 421, 431, 501}
    assert {400, 409, 421} <= statuses
    assert table.snapshot is before
    assert phone.get("/api/state")[1]["number"] == before.number
    told = capfd.readouterr()
    assert (told.out, told.err) == ("", "")
    assert "Traceback" not in caplog.text
    assert [r for r in caplog.records if r.name.startswith("companion")] == []


NOTHING = {"error": "Something went wrong in the program; nothing was changed."}
LOOK = {"error": "Something went wrong. Check the table before you try again."}
STARTER = {"type": "starter", "card": "5D"}


def stumble(*_, **__):
    """Raise an error whose text must not be shown."""
    raise ZeroDivisionError("/home/somebody/secret.py")


@pytest.mark.parametrize(("asked", "body", "owner", "name"), [
    ("POST /api/moves", STARTER, inputs, "on_move"),
    ("POST /api/moves", {"type": "card", "card": "5D"}, inputs, "on_card_tap"),
    ("POST /api/moves", STARTER, table_routes, "read_move"), ("POST /api/moves", STARTER, sse, "encode_snapshot"),
    ("POST /api/bench/holes", {"lift": "red-start-1"}, benching, "_move_pegs"),
    ("POST /api/bench/fault", {"hole": "red-1", "kind": "dead"}, benching, "_parse_fault"),
    ("POST /api/bench/scan", {"card": "5D"}, benching, "_parse_code"),
    ("POST /api/bench/press", {"button": "dice"}, benching, "_parse_button"),
    ("POST /api/bench/cable", {"device": "cards", "plugged": True}, benching.CABLE_BODY, "parse"),
    ("GET /api/state", None, sse, "encode_snapshot"), ("GET /api/me", None, Permissions, "is_player"),
    ("GET /api/openapi.json", None, pages, "openapi_document"), ("GET /api/hint", None, layout_hints, "suggest_swap"),
    ("GET /api/best", None, layout_hints, "describe_best"), ("GET /api/bench/holes", None, benching, "json_response"),
    ("GET /api/bench/lights", None, benching, "_lights_response"),
    ("GET /api/bench/dice", None, benching, "_dice_response"),
    ("GET /api/stream", None, sse.EventStreams, "reserve"), ("GET /", None, Assets, "get_page"),
    ("GET /bench", None, Assets, "get_page"), ("GET /web/pages/phone/phone.js", None, Assets, "get_file"),
    ("GET /api/constants", None, pages, "build_constants"), ("GET /api/history", None, MoveHistory, "read_page"),
    ("GET /api/health", None, table_routes, "health_response"), ("GET /join/wrong", None, Permissions, "is_join_key"),
    ("GET /nothing", None, Permissions, "check_request"),
])  # fmt: skip
def test_a_fault_anywhere_is_a_sentence_and_logged(bench, monkeypatch, caplog, asked, body, owner, name):
    method, path = asked.split()
    with monkeypatch.context() as broken:
        broken.setattr(owner, name, stumble)
        reply = bench.open(path, method=method, json=body)
    told = NOTHING if owner is inputs else LOOK
    assert (reply.status_code, reply.mimetype, reply.json) == (409, "application/json", told)
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert caplog.text.count("Traceback") == 1
    assert "ZeroDivisionError: /home/somebody/secret.py" in caplog.text
    made = bench.get("/api/state").json["moves"]
    assert made == (name == "encode_snapshot" and body is STARTER)  # it was made, and only its answer was missing
    assert bench.post("/api/moves", json={"type": "undo"} if made else STARTER).status_code == 201


def test_a_fault_at_the_answers_end_is_reported(app, caplog):
    app.after_request(stumble)
    reply = app.test_client().get("/api/me")
    assert (reply.status_code, reply.json) == (409, LOOK)
    assert "ZeroDivisionError" in caplog.text


def test_a_stumbling_stream_gives_its_place_back(phone, monkeypatch, caplog, until):
    monkeypatch.setattr(sse, "MAX_STREAMS", 1)
    with monkeypatch.context() as broken:
        broken.setattr(sse, "encode_snapshot", stumble)
        status, _, body = phone.ask("GET", "/api/stream")
        assert (status, body) == (200, b"retry: 1000\n\n")
        assert "ZeroDivisionError" in caplog.text
        assert until(lambda: phone.ask("GET", "/api/stream")[0] == 200)
    assert phone.post("/api/moves", STARTER)[0] == 201
