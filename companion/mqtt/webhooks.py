"""Awards and wins, told to programs of the house that ask for them: webhooks with a signed body, and WLED lights.

A thread of its own looks at snapshots: who is slow or gone misses something, and nobody waits. docs/how-to/webhooks.md
has the body, and how the signature is checked.
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
from companion.protocol.json_codec import dumps
from companion.settings import Report
from companion.table.table import Table

PATIENCE_S = 3.0
"""A program that has not answered by then is not waited for."""
SHOWN_S = 3.0
"""An effect of lights lasts so long."""
EFFECT = {"on": True, "seg": [{"fx": 9, "sx": 200}]}
"""WLED's rainbow."""

_LOG = logging.getLogger(__name__)


class Hooks:
    """Tells until it is closed. Raises SettingsError for what is no address, or a secret that cannot be read."""

    def __init__(self, table: Table, report: Report) -> None:
        for each in (*report.webhooks, *report.wled):
            if urlsplit(each).scheme not in ("http", "https") or not urlsplit(each).hostname:
                raise SettingsError("A webhook and a WLED light are written http://HOST/… or https://HOST/….")
        self._secret = _secret(report)
        self._table, self._report, self._closed = table, report, False
        self._moves, self._winner = table.snapshot.moves, table.snapshot.view.get("winner")
        self._thread = threading.Thread(target=self._run, name="hooks", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Tell nothing more. May be called twice."""
        self._closed = True
        self._thread.join(1)

    def _run(self) -> None:
        listener = self._table.listen()
        while not self._closed and not self._table.closed:
            shown = listener.newest(1)
            if shown is not None and (told := self._news(shown)):
                self._tell(told)

    def _news(self, shown: Snapshot) -> dict[str, Any]:
        """What this snapshot has that is worth telling; nothing where it has nothing."""
        is_new, self._moves = shown.moves > self._moves, shown.moves
        winner, self._winner = self._winner, shown.view.get("winner")
        award = home_assistant.award(shown) if is_new else ""
        if not award:
            return {}
        stands = json.loads(home_assistant.now(shown))
        kind = "win" if winner is None and self._winner is not None else "award"
        return {"kind": kind, "board": board_name(self._report), "ms": time.time_ns() // 1_000_000,
                "award": json.loads(award), "scores": stands["scores"], "winner": stands["winner"]}  # fmt: skip

    def _tell(self, told: dict[str, Any]) -> None:
        body = dumps(told).encode()
        signed = {"X-Companion-Signature": signature(self._secret, body)} if self._secret else {}
        for url in self._report.webhooks:
            _send(url, body, signed)
        before = [(url, _send(f"{url.rstrip('/')}/json/state", None, {})) for url in self._report.wled]
        for url, _ in before:
            _send(f"{url.rstrip('/')}/json/state", dumps(EFFECT).encode(), {})
        if before:
            time.sleep(SHOWN_S)
        for url, state in before:
            if state:
                _send(f"{url.rstrip('/')}/json/state", state, {})


def signature(secret: bytes, body: bytes) -> str:
    """What the header `X-Companion-Signature` says of a body."""
    return f"sha256={hmac.new(secret, body, 'sha256').hexdigest()}"


def _secret(report: Report) -> bytes:
    if not report.webhook_secret_file:
        return b""
    try:
        return Path(report.webhook_secret_file).read_bytes().strip()
    except OSError as error:
        raise SettingsError(f"The secret in {report.webhook_secret_file} cannot be read.") from error


def _send(url: str, body: bytes | None, headers: dict[str, str]) -> bytes:
    """Send a body, or ask; what was answered, nothing where nobody answers well."""
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            found: bytes = answer.read(65536)
            return found
    except (OSError, ValueError) as error:
        _LOG.info("%s does not take what was told: %s", url, error)
        return b""
