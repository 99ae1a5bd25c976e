"""Webhooks receive awards in a signed body; WLED lights show an effect and return to their state."""

import contextlib
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from companion.common.errors import SettingsError
from companion.mqtt import webhooks
from companion.mqtt.webhooks import WebhookSender
from companion.rules.moves import Peg, Undo
from companion.settings import ReportSettings
from tests.support.waiting import wait_until

OLD = {"on": False, "seg": [{"fx": 0}]}


@pytest.fixture
def received():
    """Start a server; yields the requests posted to it, and its address."""
    posted = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted.append((self.path, body, self.headers.get("X-Companion-Signature")))
            self.answer(b"{}")

        def do_GET(self):
            self.answer(json.dumps(OLD).encode())

        def answer(self, body):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield posted, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_webhook_is_told_of_an_award_and_signs_its_body(table, received, tmp_path):
    posted, url = received
    secret = tmp_path / "secret"
    secret.write_text("between us\n")
    report = ReportSettings(
        webhooks=("http://127.0.0.1:9/nobody", f"{url}/here"), webhook_secret_file=str(secret), board="kitchen"
    )
    with contextlib.closing(WebhookSender(table, report)):
        table.submit(Peg(1, 8))
        path, body, signed = wait_until(lambda: posted and posted[0])
        table.submit(Undo())
        time.sleep(0.3)
    assert (path, len(posted)) == ("/here", 1)  # nothing is earned by an undo
    assert signed == "sha256=" + hmac.new(b"between us", body, hashlib.sha256).hexdigest()
    told = json.loads(body)
    assert (told["kind"], told["board"], told["award"]["points"], told["scores"]) == ("award", "kitchen", 8, [0, 8])


def test_lights_show_an_award_and_go_back_to_what_they_were(table, received, monkeypatch):
    monkeypatch.setattr(webhooks, "EFFECT_DURATION_S", 0.2)
    posted, url = received
    with contextlib.closing(WebhookSender(table, ReportSettings(wled=(url,)))):
        table.submit(Peg(0, 5))
        wait_until(lambda: len(posted) == 2)
    assert [path for path, _, _ in posted] == ["/json/state"] * 2
    assert [json.loads(body) for _, body, _ in posted] == [webhooks.WLED_EFFECT, OLD]


@pytest.mark.parametrize(
    "given", [{"webhooks": ("ftp://a",)}, {"wled": ("here",)}, {"webhook_secret_file": "/nowhere"}]
)
def test_what_is_wrong_is_told_at_the_start(table, given):
    with pytest.raises(SettingsError, match=r"\.$"):
        WebhookSender(table, ReportSettings(**given))
