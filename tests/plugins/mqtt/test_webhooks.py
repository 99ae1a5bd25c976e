"""Webhooks receive every award, signed, whatever another receiver does; WLED lights return to their state."""

import base64
import contextlib
import json
import socket
import threading
import tracemalloc
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from companion.common.errors import SettingsError
from companion.plugins.mqtt import ReportSettings, webhooks
from companion.plugins.mqtt.webhooks import WebhookSender, sign_message
from companion.rules.moves import Peg, Undo
from tests.support.waiting import wait_until

OLD = {"on": False, "seg": [{"fx": 0}]}


class Receiver:
    """A server. `statuses` are those of its next answers, then 200; `location` is that of a redirect."""

    def __init__(self):
        self.posted, self.statuses, self.location, self.gate = [], [], "", threading.Event()
        self.gate.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.posted.append((self.path, body, dict(self.headers.items())))
                receiver.gate.wait()
                self.answer(b"{}")

            def do_GET(self):
                self.answer(json.dumps(OLD).encode())

            def answer(self, body):
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", receiver.location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def points(self):
        return [json.loads(body)["award"]["points"] for _, body, _ in self.posted]

    def close(self):
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receivers():
    with contextlib.ExitStack() as closing:

        def made():
            one = Receiver()
            closing.callback(one.close)
            return one

        yield made


@pytest.fixture
def sends(table):
    """Start a sender for the table."""
    with contextlib.ExitStack() as closing:
        yield lambda **report: closing.enter_context(
            contextlib.closing(WebhookSender(table, ReportSettings(board="kitchen", **report)))
        )


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(webhooks, "RETRY_DELAYS_S", (0.01, 0.02, 0.04))


def test_a_webhook_receives_a_signed_award(table, receivers, sends, tmp_path):
    here, secret = receivers(), tmp_path / "secret"
    secret.write_text("between us\n")
    sends(webhooks=("http://127.0.0.1:9/nobody", f"{here.url}/here?board=1"), webhook_secret_file=str(secret))
    table.submit(Peg(1, 8))
    table.submit(Undo())
    table.submit(Peg(0, 3))
    wait_until(lambda: len(here.posted) == 2)
    assert here.points() == [8, 3]  # nothing is earned by an undo
    path, body, headers = here.posted[0]
    number, at = headers["webhook-id"], headers["webhook-timestamp"]
    assert (path, headers["webhook-signature"]) == ("/here?board=1", sign_message(b"between us", number, int(at), body))
    assert here.posted[1][2]["webhook-id"] != number
    told = json.loads(body)
    assert (told["kind"], told["board"], told["award"]["points"], told["scores"]) == ("award", "kitchen", 8, [0, 8])


def test_the_signature_is_that_of_standard_webhooks():
    # the example of the specification's reference libraries
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signature = sign_message(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_may_have_the_standard_form(table, receivers, sends, tmp_path):
    here, secret = receivers(), tmp_path / "secret"
    secret.write_text("whsec_" + base64.b64encode(b"between us").decode())
    sends(webhooks=(here.url,), webhook_secret_file=str(secret))
    table.submit(Peg(1, 8))
    wait_until(lambda: here.posted)
    _, body, headers = here.posted[0]
    at = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign_message(b"between us", headers["webhook-id"], at, body)


def test_each_award_and_the_win_are_sent(table, receivers, sends):
    here = receivers()
    sends(webhooks=(here.url,))
    moves = [*(Peg(n % 2, n) for n in range(1, 8)), *[Peg(1, 29)] * 4]
    for move in moves:
        table.submit(move)
    wait_until(lambda: len(here.posted) == len(moves))
    assert here.points() == [move.points for move in moves]
    assert [json.loads(body)["kind"] for _, body, _ in here.posted] == ["award"] * 10 + ["win"]


def test_a_redirect_is_not_followed(table, receivers, sends):
    here, inner = receivers(), receivers()
    here.statuses, here.location = [302], f"{inner.url}/inner"
    sends(webhooks=(here.url,))
    table.submit(Peg(0, 1))
    table.submit(Peg(0, 2))
    wait_until(lambda: len(here.posted) == 2)
    assert (here.points(), inner.posted) == ([1, 2], [])


@pytest.mark.parametrize(("statuses", "sent"), [
    ([500, 429, 503], [1, 1, 1, 1, 2]), ([410], [1, 2]), ([400], [1, 2]), ([500] * 4, [1, 1, 1, 1, 2]),
])  # fmt: skip
def test_a_message_is_repeated_until_it_is_refused(table, receivers, sends, statuses, sent):
    """One that fails too often is given up too."""
    here = receivers()
    here.statuses = list(statuses)
    sends(webhooks=(here.url,))
    table.submit(Peg(0, 1))
    table.submit(Peg(0, 2))
    wait_until(lambda: len(here.posted) == len(sent))
    assert here.points() == sent
    assert len({headers["webhook-id"] for _, _, headers in here.posted}) == 2


def test_slow_and_silent_receivers_delay_no_other(table, receivers, sends, monkeypatch):
    monkeypatch.setattr(webhooks, "EFFECT_DURATION_S", 3600)
    silent, light, here = receivers(), receivers(), receivers()
    silent.gate.clear()
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as deaf:  # takes connections, reads nothing
        sends(webhooks=(silent.url, f"http://127.0.0.1:{deaf.getsockname()[1]}", here.url), wled=(light.url,))
        for points in range(1, 11):
            table.submit(Peg(0, points))
        wait_until(lambda: len(here.posted) == 10)
    assert here.points() == list(range(1, 11))
    assert len(silent.posted) <= 2
    assert [json.loads(body) for _, body, _ in light.posted] in ([], [webhooks.WLED_EFFECT])


@contextlib.contextmanager
def serve_once(talk):
    """Serve one connection with this function; yields the URL of the server."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve():
            line, _ = server.accept()
            with contextlib.suppress(OSError), line:
                talk(line)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


@pytest.mark.parametrize("drip", [b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_an_exchange_ends_despite_a_steady_trickle(monkeypatch, drip):
    monkeypatch.setattr(webhooks, "EXCHANGE_TIMEOUT_S", 0.5)
    ended = threading.Event()

    def trickle(line):
        line.sendall(drip)
        while not ended.wait(0.05):  # never as long as a timeout of one read
            line.sendall(b"a")

    with serve_once(trickle) as url:
        answer = webhooks.send_request(url, b"{}", {})
        ended.set()
    assert len(answer.body) < 1000  # it has ended, though bytes came all the time


@pytest.mark.parametrize("begin", [b"Transfer-Encoding: chunked\r\n\r\n-1\r\n", b"Content-Length: -1\r\n\r\n", b"\r\n"])
def test_only_an_answers_beginning_is_kept(begin):
    flood = b"HTTP/1.1 200 OK\r\n" + begin + bytes(200 * webhooks.MAX_ANSWER_BYTES)
    with serve_once(lambda line: (line.recv(65536), line.sendall(flood))) as url:
        tracemalloc.start()
        webhooks.send_request(url, None, {})
        _, most_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most_bytes < 20 * webhooks.MAX_ANSWER_BYTES


def test_lights_show_an_award_and_return(table, receivers, sends, monkeypatch):
    monkeypatch.setattr(webhooks, "EFFECT_DURATION_S", 0.2)
    light = receivers()
    sends(wled=(light.url,))
    table.submit(Peg(0, 5))
    wait_until(lambda: len(light.posted) == 2)
    assert [path for path, _, _ in light.posted] == ["/json/state"] * 2
    assert [json.loads(body) for _, body, _ in light.posted] == [webhooks.WLED_EFFECT, OLD]


@pytest.mark.parametrize(
    "given", [{"webhooks": ("ftp://a",)}, {"wled": ("here",)}, {"webhook_secret_file": "/nowhere"}]
)
def test_wrong_settings_of_a_webhook_are_refused(table, given):
    with pytest.raises(SettingsError, match=r"\.$"):
        WebhookSender(table, ReportSettings(**given))
