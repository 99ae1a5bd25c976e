"""Sends awards and wins to webhooks, with a signed body, and to WLED lights.

A separate thread reads snapshots, so the table never waits; a slow receiver misses events. docs/how-to/webhooks.md
describes the body and how to check the signature.
"""

import hmac
import json
import logging
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.common.errors import SettingsError
from companion.common.snapshot import Snapshot
from companion.mqtt import home_assistant
from companion.mqtt.broker_url import board_name
from companion.protocol.json_codec import dump_json
from companion.settings import ReportSettings
from companion.table.table import Table

REQUEST_TIMEOUT_S = 3.0
"""Timeout in s of a request."""
EFFECT_DURATION_S = 3.0
"""Duration in s of a light effect."""
WLED_EFFECT = {"on": True, "seg": [{"fx": 9, "sx": 200}]}
"""WLED's rainbow."""

_LOG = logging.getLogger(__name__)


class WebhookSender:
    """Sends until it is closed. Raises SettingsError for an invalid URL or an unreadable secret."""

    def __init__(self, table: Table, report: ReportSettings) -> None:
        for each in (*report.webhooks, *report.wled):
            if urlsplit(each).scheme not in ("http", "https") or not urlsplit(each).hostname:
                raise SettingsError("Write a webhook or a WLED light as http://HOST/… or https://HOST/….")
        self._secret = _load_secret(report)
        self._table, self._report, self._closed = table, report, False
        self._moves, self._winner = table.snapshot.moves, table.snapshot.view.get("winner")
        self._thread = threading.Thread(target=self._run, name="hooks", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop sending. May be called twice."""
        self._closed = True
        self._thread.join(1)

    def _run(self) -> None:
        listener = self._table.subscribe()
        while not self._closed and not self._table.is_closed:
            snapshot = listener.next_snapshot(1)
            if snapshot is not None and (payload := self._build_payload(snapshot)):
                self._send_to_all(payload)

    def _build_payload(self, snapshot: Snapshot) -> dict[str, Any]:
        """Return the body for a new award or win in this snapshot; empty if there is none."""
        is_new, self._moves = snapshot.moves > self._moves, snapshot.moves
        winner, self._winner = self._winner, snapshot.view.get("winner")
        award = home_assistant.award_payload(snapshot) if is_new else ""
        if not award:
            return {}
        state = json.loads(home_assistant.state_payload(snapshot))
        kind = "win" if winner is None and self._winner is not None else "award"
        return {"kind": kind, "board": board_name(self._report), "ms": time.time_ns() // 1_000_000,
                "award": json.loads(award), "scores": state["scores"], "winner": state["winner"]}  # fmt: skip

    def _send_to_all(self, payload: dict[str, Any]) -> None:
        body = dump_json(payload).encode()
        headers = {"X-Companion-Signature": sign_body(self._secret, body)} if self._secret else {}
        for url in self._report.webhooks:
            _send_request(url, body, headers)
        before = [(url, _send_request(f"{url.rstrip('/')}/json/state", None, {})) for url in self._report.wled]
        for url, _ in before:
            _send_request(f"{url.rstrip('/')}/json/state", dump_json(WLED_EFFECT).encode(), {})
        if before:
            time.sleep(EFFECT_DURATION_S)
        for url, state in before:
            if state:
                _send_request(f"{url.rstrip('/')}/json/state", state, {})


def sign_body(secret: bytes, body: bytes) -> str:
    """Return the value of the header `X-Companion-Signature` for a body."""
    return f"sha256={hmac.new(secret, body, 'sha256').hexdigest()}"


def _load_secret(report: ReportSettings) -> bytes:
    if not report.webhook_secret_file:
        return b""
    try:
        return Path(report.webhook_secret_file).read_bytes().strip()
    except OSError as error:
        raise SettingsError(f"Cannot read the secret in {report.webhook_secret_file}.") from error


def _send_request(url: str, body: bytes | None, headers: dict[str, str]) -> bytes:
    """Send a body by POST, or GET without one, and return the answer; empty if the request fails."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_S) as answer:
            content: bytes = answer.read(65536)
            return content
    except (OSError, ValueError) as error:
        _LOG.info("The request to %s failed: %s", url, error)
        return b""
