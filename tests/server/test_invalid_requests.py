"""Two thousand invalid requests (seeded): nothing changes, and no answer shows internals."""

import json
import random
import socket

from companion.rules.moves import MOVES, TakeBoard
from tests.support.waiting import PATIENCE_S

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


def test_two_thousand_junk_requests_leave_everything_as_it_was(serving, phone, table, capfd, caplog):
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
