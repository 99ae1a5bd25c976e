"""TLS with the owner's certificate, and a TLS proxy: pages, streams, moves, refusals."""

import contextlib
import http.client
import json
import socket
import ssl
import threading
from pathlib import Path

import pytest

from companion.common.errors import SettingsError
from companion.http.wsgi import limits
from companion.http.wsgi.tls import TlsWrapper
from tests.server.conftest import KEY, serve
from tests.support.waiting import PATIENCE_S

FILES = Path(__file__).parents[1] / "data" / "tls"
PAIR = (str(FILES / "certificate.pem"), str(FILES / "key.pem"))
STARTER = json.dumps({"type": "starter", "card": "5D"})


@pytest.fixture
def secure(app, table):
    yield from serve(app, table, wrap=TlsWrapper(*PAIR))


@pytest.fixture
def proxied(app, table):
    """Serve a table that trusts a proxy at 127.0.0.2."""
    yield from serve(app, table, proxy="127.0.0.2")


def trusting():
    return ssl.create_default_context(cafile=PAIR[0])


def send(line, method, path, body=None, **headers):
    """Send a request on this connection; return status, headers and body of the answer."""
    with contextlib.closing(line):
        line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = line.getresponse()
        return reply.status, reply.headers, reply.read()


def send_request(port, method, path, body=None, **headers):
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=trusting())
    return send(line, method, path, body, **headers)


def test_pages_and_moves_come_by_tls(secure):
    status, _, page = send_request(secure.port, "GET", "/web/pages/phone/phone.js")
    assert (status, page.startswith(b"//")) == (200, True)
    status, headers, _ = send_request(secure.port, "GET", f"/join/{KEY}")
    cookie = headers["Set-Cookie"]
    assert (status, cookie.endswith("Max-Age=31536000; Secure")) == (303, True)
    own = {"Cookie": cookie.partition(";")[0], "Content_Type": "application/json"}
    for scheme, code in (("http", 403), ("https", 201)):
        origin = f"{scheme}://127.0.0.1:{secure.port}"
        assert send_request(secure.port, "POST", "/api/moves", STARTER, **own, Origin=origin)[0] == code


def test_streams_come_by_tls_while_many_ask(secure, table):
    """Each connection is read by one thread and written by another."""
    lines = [trusting().wrap_socket(socket.create_connection(("127.0.0.1", secure.port)), server_hostname="localhost")
             for _ in range(6)]  # fmt: skip
    for line in lines:
        line.settimeout(PATIENCE_S)
        line.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    asked = [threading.Thread(target=send_request, args=(secure.port, "GET", "/api/board")) for _ in range(20)]
    for each in asked:
        each.start()
    for number in range(20):
        table.on_device("cards", number % 2 == 0, f"Look {number}.")
    for line in lines:
        heard = b""
        while b"Look 19." not in heard:
            heard += line.recv(65536)
        line.close()
    for each in asked:
        each.join(PATIENCE_S)


def test_a_long_answer_arrives_whole(secure):
    status, headers, body = send_request(secure.port, "GET", "/api/openapi.json")
    assert (status, len(body)) == (200, int(headers["Content-Length"]))
    assert json.loads(body)["openapi"].startswith("3.1")
    assert send_request(secure.port, "POST", "/api/moves", b"x" * 300_000, Content_Type="application/json")[0] == 413


def test_who_speaks_no_tls_holds_nothing(secure, monkeypatch, until):
    with socket.create_connection(("127.0.0.1", secure.port), timeout=PATIENCE_S) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert b"HTTP/1.1 200" not in line.recv(100)
    monkeypatch.setattr(limits, "IDLE_TIMEOUT_S", 0.3)
    with socket.create_connection(("127.0.0.1", secure.port)) as line:
        line.sendall(b"\x16\x03\x01\x02\x00")  # half a handshake
        assert until(lambda: secure._server.active_channels)
        assert until(lambda: not secure._server.active_channels)
    assert send_request(secure.port, "GET", "/api/me")[0] == 200


def hello():
    """Return the first message of a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        trusting().wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01", hello()])
def test_endless_handshakes_are_given_up(secure, monkeypatch, until, sent):
    channels = secure._server.active_channels
    with contextlib.ExitStack() as stack:
        for _ in range(150):
            line = socket.create_connection(("127.0.0.1", secure.port), source_address=("127.0.0.2", 0))
            stack.enter_context(line).sendall(sent)
        assert until(lambda: len(channels) == 150)
        assert send_request(secure.port, "GET", "/api/me")[0] == 200
        monkeypatch.setattr(limits, "IDLE_TIMEOUT_S", 0.3)
        assert until(lambda: not channels)


def test_a_client_that_stops_reading_tls_is_dropped(secure, app, until):
    body = b"x" * 16_000_000
    app.add_url_rule("/large", "large", lambda: body)
    with socket.create_connection(("127.0.0.1", secure.port), timeout=PATIENCE_S) as plain:
        line = trusting().wrap_socket(plain, server_hostname="localhost")
        line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 200"
        assert until(lambda: not secure._server.active_channels)
        assert not secure._server.task_dispatcher.queue._running
        line.close()


@pytest.mark.parametrize(
    "pair", [("nowhere.pem", PAIR[1]), (PAIR[0], "nowhere.pem"), (PAIR[1], PAIR[0]), (__file__, "")]
)
def test_files_that_are_no_certificate_are_a_sentence(pair):
    with pytest.raises(SettingsError, match=r"^Cannot use the certificate .* with the key .*: .*\.$"):
        TlsWrapper(*pair)


def request_from(port, of, method, path, body=None, **headers):
    """Send a request from this address, as a real or a pretended proxy would."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=(of, 0))
    return send(line, method, path, body, **{"Host": "board.example"} | headers)


def test_only_a_proxy_may_report_tls(proxied):
    https = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "192.168.1.7"}
    _, headers, _ = request_from(proxied.port, "127.0.0.2", "GET", f"/join/{KEY}", **https)
    assert headers["Set-Cookie"].endswith("; Secure")
    own = https | {
        "Cookie": headers["Set-Cookie"].partition(";")[0],
        "Content_Type": "application/json",
        "Origin": "https://board.example",
    }
    assert request_from(proxied.port, "127.0.0.3", "POST", "/api/moves", STARTER, **own)[0] == 403
    assert request_from(proxied.port, "127.0.0.2", "POST", "/api/moves", STARTER, **own)[0] == 201


def test_a_proxys_streams_are_counted_by_phone(proxied, monkeypatch):
    monkeypatch.setattr("companion.server.sse.MAX_STREAMS_PER_ADDRESS", 1)
    with contextlib.ExitStack() as closing:
        for phone, code in (("192.168.1.7", b"200"), ("192.168.1.8", b"200"), ("192.168.1.7", b"503")):
            own = {"source_address": ("127.0.0.2", 0), "timeout": PATIENCE_S}
            line = closing.enter_context(socket.create_connection(("127.0.0.1", proxied.port), **own))
            line.sendall(f"GET /api/stream HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {phone}\r\n\r\n".encode())
            assert line.recv(12) == b"HTTP/1.1 " + code


def test_a_proxy_may_have_more_connections(proxied, monkeypatch):
    monkeypatch.setattr(limits, "MAX_CONNECTIONS_PER_CLIENT", 2)
    held = [socket.create_connection(("127.0.0.1", proxied.port), source_address=("127.0.0.2", 0)) for _ in range(5)]
    assert request_from(proxied.port, "127.0.0.3", "GET", "/api/me")[0] == 200
    assert len([c for c in proxied._server.active_channels.values() if c.host == "127.0.0.2"]) == 5
    for line in held:
        line.close()
