"""Sends awards and wins to webhooks, signed as Standard Webhooks prescribes, and to WLED lights.

A thread takes the moves from the table, and each receiver has a queue and a thread of its own, so no receiver delays
the table or another receiver. An exchange is limited as a whole: in time, in size, and to the address given.
docs/how-to/webhooks.md describes the body and how to check the signature.
"""

import base64
import binascii
import codecs
import hmac
import http.client
import json
import logging
import queue
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from companion.common.errors import SettingsError
from companion.common.snapshot import Snapshot
from companion.common.worker import Worker
from companion.plugins.mqtt import ReportSettings, home_assistant
from companion.plugins.mqtt.broker_url import board_name
from companion.protocol.json_codec import dump_json
from companion.table.table import Table

EXCHANGE_TIMEOUT_S = 5.0
"""Limit in s of a whole exchange, from connecting to the last byte of the answer."""
MAX_ANSWER_BYTES = 65536
"""Longer answers are cut."""


class HttpAnswer(NamedTuple):
    """Status and body; status 0 if there was no complete answer in time."""

    status: int = 0
    body: bytes = b""


def send_request(url: str, body: bytes | None, headers: dict[str, str]) -> HttpAnswer:
    """Send a body by POST, or GET without one. Redirects are not followed: they could lead to another machine."""
    parts = urlsplit(url)
    end_s = time.monotonic() + EXCHANGE_TIMEOUT_S
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with closing(connect(parts.hostname or "", parts.port, timeout=EXCHANGE_TIMEOUT_S)) as connection:
            connection.connect()
            # The timeout of a socket begins again with each byte. This timer ends the exchange as a whole.
            timer = threading.Timer(max(0.0, end_s - time.monotonic()), _shut_down, (connection.sock,))
            timer.daemon = True
            timer.start()
            try:
                connection.request(
                    "GET" if body is None else "POST", target, body, {"Content-Type": "application/json", **headers}
                )
                answer = connection.getresponse()
                buffer = bytearray(MAX_ANSWER_BYTES)  # `read` would follow a chunk of -1 bytes without end
                return HttpAnswer(answer.status, bytes(buffer[: answer.readinto(buffer)]))
            finally:
                timer.cancel()
    except (OSError, ValueError, http.client.HTTPException):
        return HttpAnswer()


def _shut_down(connection_socket: socket.socket) -> None:
    with suppress(OSError):
        connection_socket.shutdown(socket.SHUT_RDWR)


RETRY_DELAYS_S = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Pauses in s before a message is sent again. They vary by a quarter, so that boards do not retry together."""
RETRIED_STATUSES = (0, 408, 425, 429)
"""Statuses after which a message is sent again, as after all from 500 on. 0: no answer."""
MAX_QUEUED_MESSAGES = 200
"""Messages that wait for a receiver. The oldest are dropped."""
EFFECT_DURATION_S = 3.0
"""Duration in s of a light effect."""
WLED_EFFECT = {"on": True, "seg": [{"fx": 9, "sx": 200}]}
"""WLED's rainbow."""
SECRET_PREFIX = "whsec_"
"""Standard Webhooks' prefix of a secret in base64."""

_LOG = logging.getLogger(__name__)


class WebhookMessage(NamedTuple):
    """A message: its id, which stays the same when it is sent again, and its body."""

    id: str
    body: bytes


class WebhookSender(Worker):
    """Sends until it is closed. Raises SettingsError for an invalid URL or an unreadable secret."""

    def __init__(self, table: Table, report: ReportSettings) -> None:
        for webhook in (*report.webhooks, *report.wled):
            if urlsplit(webhook).scheme not in ("http", "https") or not urlsplit(webhook).hostname:
                raise SettingsError("Write a webhook or a WLED light as http://HOST/… or https://HOST/….")
        super().__init__("hooks", join_timeout_s=1.0)
        self._table, self._board = table, board_name(report)
        self._winner = table.snapshot.view.get("winner")
        secret = _load_secret(report)
        self._receivers = [
            *(MessageReceiver(url, MAX_QUEUED_MESSAGES, partial(deliver_webhook, url, secret, self.closing))
              for url in report.webhooks),
            *(MessageReceiver(url, 1, partial(flash_light, url, self.closing)) for url in report.wled),
        ]  # fmt: skip
        self._moves = table.subscribe_to_moves()
        self.start()

    def _wake(self) -> None:
        """End the receivers; messages that wait are lost."""
        for receiver in self._receivers:
            receiver.close()

    def _run(self) -> None:
        listener = self._table.subscribe()
        while not self.closing.is_set() and not self._table.is_closed:
            listener.next_snapshot(1)
            for snapshot in self._moves.take_snapshots():
                if payload := self._build_payload(snapshot):
                    message = WebhookMessage(f"msg_{secrets.token_hex(16)}", dump_json(payload).encode())
                    for receiver in self._receivers:
                        receiver.put(message)

    def _build_payload(self, snapshot: Snapshot) -> dict[str, Any]:
        """Return the body for an award or win of this move; empty if there is none."""
        winner, self._winner = self._winner, snapshot.view.get("winner")
        award = home_assistant.award_payload(snapshot)
        if not award:
            return {}
        state = json.loads(home_assistant.state_payload(snapshot))
        kind = "win" if winner is None and self._winner is not None else "award"
        return {"kind": kind, "board": self._board, "ms": time.time_ns() // 1_000_000,
                "award": json.loads(award), "scores": state["scores"], "winner": state["winner"]}  # fmt: skip


class MessageReceiver:
    """A queue and a thread for one receiver."""

    def __init__(self, url: str, most: int, deliver: Callable[[WebhookMessage], None]) -> None:
        self._url, self._deliver = url, deliver
        self._queue: queue.Queue[WebhookMessage | None] = queue.Queue(most)
        self._thread = threading.Thread(target=self._run, name="hook", daemon=True)
        self._thread.start()

    def put(self, message: WebhookMessage | None) -> None:
        """Add a message, in place of the oldest if the queue is full; None ends the thread."""
        while True:
            try:
                return self._queue.put_nowait(message)
            except queue.Full:
                with suppress(queue.Empty):
                    self._queue.get_nowait()

    def close(self) -> None:
        """End the thread after the exchange that is under way."""
        self.put(None)
        self._thread.join(0.5)

    def _run(self) -> None:
        while (message := self._queue.get()) is not None:
            try:
                self._deliver(message)
            except Exception:  # the next message may be delivered
                _LOG.exception("The message to %s failed.", self._url)


def deliver_webhook(url: str, secret: bytes, closed: threading.Event, message: WebhookMessage) -> None:
    """Send a message again until it is taken or refused, or after too many attempts."""
    for pause_s in (*RETRY_DELAYS_S, None):
        timestamp = int(time.time())
        headers = {"webhook-id": message.id, "webhook-timestamp": str(timestamp)}
        if secret:
            headers["webhook-signature"] = sign_message(secret, message.id, timestamp, message.body)
        status = send_request(url, message.body, headers).status
        if 200 <= status < 300:
            return
        if pause_s is None or (status not in RETRIED_STATUSES and status < 500):
            _LOG.warning("The webhook %s did not take a message (status %d).", url, status)
            return
        if closed.wait(pause_s * random.uniform(0.75, 1.25)):
            return


def flash_light(url: str, closed: threading.Event, _message: WebhookMessage) -> None:
    """Show the effect on a WLED light, then its previous state. Awards during the effect cause one more effect."""
    address = f"{url.rstrip('/')}/json/state"
    before = send_request(address, None, {})
    if before.status != 200:
        return
    send_request(address, dump_json(WLED_EFFECT).encode(), {})
    closed.wait(EFFECT_DURATION_S)
    send_request(address, before.body, {})


def sign_message(secret: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature` (Standard Webhooks, version 1 with HMAC-SHA256)."""
    signed = hmac.digest(secret, f"{message_id}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(signed).decode()}"


def _load_secret(report: ReportSettings) -> bytes:
    if not report.webhook_secret_file:
        return b""
    try:
        secret = Path(report.webhook_secret_file).read_bytes().removeprefix(codecs.BOM_UTF8).strip()
    except OSError as error:
        raise SettingsError(f"Cannot read the secret in {report.webhook_secret_file}.") from error
    if not secret.startswith(SECRET_PREFIX.encode()):
        return secret
    try:
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX.encode()), validate=True)
    except binascii.Error as error:
        raise SettingsError(f"Write base64 after {SECRET_PREFIX} in {report.webhook_secret_file}.") from error
