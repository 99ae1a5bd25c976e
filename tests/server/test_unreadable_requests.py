"""Unreadable and too large requests: refused with our own messages, in the order of the checks."""

import json
import re
import socket

import pytest

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


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"hello\r\n\r\n", 400),
        (HEAD + b"Content-Length: -5\r\n\r\n", 400),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", 400),
        (b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 262_144, 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Language: " + b"a;q=0.5," * 5_000, 431),
        (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 501),
    ],
)
def test_an_unreadable_request_is_refused_in_a_sentence(serving, sent, code):
    status, headers, body = answer(serving.port, sent)
    assert (status, headers["X-Content-Type-Options"], headers["Content-Type"]) == (code, "nosniff", "application/json")
    assert re.fullmatch(r"[A-Z].+\.", json.loads(body)["error"])


def test_a_body_too_large_to_be_read_is_refused_in_its_turn(serving, phone):
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


def test_after_the_head_of_a_stream_its_connection_serves_on(serving):
    ask = b"%s /api/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    sent = ask % (b"HEAD", b"stream", b"") + ask % (b"GET", b"me", b"Connection: close\r\n")
    status, headers, rest = answer(serving.port, sent)
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "text/event-stream")
    assert rest.startswith(b"HTTP/1.1 200 OK\r\n")
    assert json.loads(rest.rpartition(b"\r\n\r\n")[2])["role"] == "watcher"
