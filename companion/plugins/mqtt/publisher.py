"""Thread that publishes the journal to a broker. A slow or missing broker does not delay the table.

It reads the journal like any other reader and holds a bounded number of messages.
"""

import json
import logging
import math
import random
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.common.errors import JournalError
from companion.common.worker import Worker
from companion.journal.journal import Journal
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.broker_url import board_name, board_topic, load_credentials, parse_brokers
from companion.plugins.mqtt.home_assistant import HomeAssistantSession
from companion.plugins.mqtt.outbox import Outbox
from companion.table.table import Table

if TYPE_CHECKING:  # the library of MQTT is read by our own thread, once the table is there
    from companion.plugins.mqtt.connection import MqttConnection, ReceivedMessage

START_DELAY_S = 3.0
"""Delay in s before the MQTT library is imported, so that it does not slow down the start of table and pages."""
MAX_UNANSWERED = 20
"""Maximum number of unconfirmed messages."""
POLL_INTERVAL_S = 0.1
"""Interval in s at which the journal is checked for new moves."""
UPTO_TIMEOUT_S = 1.0
"""Longest wait in s for a retained `upto` message."""
INITIAL_STALL_S, MAX_STALL_S = 30.0, 3600.0
"""First and longest time in s before unconfirmed moves are published again; it doubles each time."""
WINDOW_PATIENCE_S = 5.0
"""Time in s that a full window of unconfirmed moves waits for the archive before their runs are set aside."""
INITIAL_REPEAT_S, MAX_REPEAT_S = 5.0, 300.0
"""Shortest time in s between two times that moves are published again on the archive's request; it doubles each time
that nothing is confirmed in between."""
CLOSE_TIMEOUT_S = 1.0

_LOG = logging.getLogger(__name__)


class JournalPublisher(Worker):
    """Publishes until it is closed, and then what is left, within about a second.

    Raises SettingsError for invalid broker settings.
    """

    def __init__(self, journal: Journal, report: ReportSettings, table: Table | None = None) -> None:
        """Start the thread. Without a table, nothing is published for Home Assistant."""
        super().__init__("reporting", join_timeout_s=2 * CLOSE_TIMEOUT_S)
        self._report, self._table = report, table
        self._brokers = parse_brokers(report)
        self._credentials = load_credentials(report)
        self._club, self._board = report.club, board_name(report)
        self._journal = journal
        self._last_logged = ""
        self._has_archive, self._unconfirmed_runs = False, frozenset[str]()
        self.start()

    def _run(self) -> None:
        if self.closing.wait(START_DELAY_S):
            return
        from companion.plugins.mqtt.connection import BrokerLost, LastWill, MqttConnection, iterate_brokers  # noqa: PLC0415

        for broker in iterate_brokers(self._brokers, self.closing):
            try:
                with MqttConnection(
                    broker, self._credentials, LastWill(self._board_topic("online"), "0")
                ) as connection:
                    self._log_change(f"Publishing moves to {broker}.")
                    self._run_session(connection)
            except BrokerLost as error:
                self._log_change(f"{error} Moves are kept and published later.")
            except Exception:  # a closed journal, or a bug: neither may end publishing
                if not self.closing.is_set():
                    _LOG.exception("Publishing failed; trying again.")

    def _run_session(self, connection: "MqttConnection") -> None:
        connection.subscribe(self._board_topic("upto"), is_acknowledged=False)
        connection.publish(self._board_topic("online"), "1", is_retained=True)
        upto = self._read_retained_upto(connection)
        outbox = Outbox(self._journal, upto, self._unconfirmed_runs, has_archive=self._has_archive)
        pace = ResendPace(outbox, time.monotonic())
        home_assistant = HomeAssistantSession(connection, self._table, self._report) if self._table else None
        while not self.closing.is_set():
            now_s = time.monotonic()
            if home_assistant and connection.unanswered < MAX_UNANSWERED:
                home_assistant.publish_changes()
            for message in connection.poll_messages(0 if self._send_due(connection, outbox) else POLL_INTERVAL_S):
                if home_assistant and home_assistant.on_message(message):
                    continue
                pace.on_confirmation(now_s, is_news=outbox.on_confirmation(_parse_upto(message)))
            pace.check(now_s)
            self._has_archive, self._unconfirmed_runs = outbox.has_archive, outbox.unconfirmed_runs
        self._end_session(connection, outbox)

    def _read_retained_upto(self, connection: "MqttConnection") -> Mapping[str, Any]:
        """Return the archive's report that the broker has retained; empty if there is none."""
        end_s = time.monotonic() + UPTO_TIMEOUT_S
        while (left_s := end_s - time.monotonic()) > 0:
            if messages := connection.poll_messages(min(left_s, POLL_INTERVAL_S)):
                return _parse_upto(messages[-1])
        return {}

    def _send_due(self, connection: "MqttConnection", outbox: Outbox) -> bool:
        """Publish due messages up to `MAX_UNANSWERED`. Returns whether some were sent and none is left."""
        sent = False
        while connection.unanswered < MAX_UNANSWERED:
            try:
                message = outbox.next_message()
            except JournalError:  # unreadable at the moment: try again later
                return False
            if message is None:
                return sent
            connection.publish(self._board_topic(message.topic), message.text, is_retained=message.is_retained)
            sent = True
        return False

    def _end_session(self, connection: "MqttConnection", outbox: Outbox) -> None:
        end_s = time.monotonic() + CLOSE_TIMEOUT_S
        self._send_due(connection, outbox)
        connection.publish(self._board_topic("online"), "0", is_retained=True)
        while connection.unanswered and time.monotonic() < end_s:
            connection.poll_messages(0.05)

    def _board_topic(self, *rest: str) -> str:
        return board_topic(self._club, self._board, *rest)

    def _log_change(self, text: str) -> None:
        if text != self._last_logged:
            self._last_logged = text
            _LOG.warning("%s", text)


class ResendPace:
    """Decides when unconfirmed moves are published again, ever more rarely while nothing is confirmed."""

    def __init__(self, outbox: Outbox, now_s: float) -> None:
        self._outbox = outbox
        self._aside_s = self._last_s = now_s
        self._requested_s, self._stall_s, self._repeat_s = math.inf, INITIAL_STALL_S, INITIAL_REPEAT_S

    def on_confirmation(self, now_s: float, *, is_news: bool) -> None:
        """Note a report of the archive. One without news requests what it lacks: it restarted, or missed a message."""
        if is_news:
            self._reset(now_s)
        elif not self._outbox.is_confirmed and self._requested_s == math.inf:
            self._requested_s = max(now_s, self._last_s + self._repeat_s) + random.uniform(0, 0.5)

    def check(self, now_s: float) -> None:
        """Make moves due again if it is time. Called at short intervals."""
        outbox = self._outbox
        if outbox.is_confirmed or not outbox.has_archive:
            self._reset(now_s)
        elif now_s >= self._requested_s:
            outbox.resend_unconfirmed(is_requested=True)
            self._last_s, self._requested_s = now_s, math.inf
            self._repeat_s = min(2 * self._repeat_s, MAX_REPEAT_S)
        elif now_s - self._last_s > self._stall_s:
            outbox.resend_unconfirmed()
            self._last_s, self._requested_s = now_s, math.inf
            self._stall_s = min(2 * self._stall_s, MAX_STALL_S)
        elif outbox.is_window_full and now_s - max(self._last_s, self._aside_s) > WINDOW_PATIENCE_S:
            outbox.set_unconfirmed_aside()
            self._aside_s = now_s

    def _reset(self, now_s: float) -> None:
        self._last_s, self._requested_s = now_s, math.inf
        self._stall_s, self._repeat_s = INITIAL_STALL_S, INITIAL_REPEAT_S


def _parse_upto(message: "ReceivedMessage") -> Mapping[str, Any]:
    """Return an archive's report of its moves by run id; empty for an invalid message."""
    try:
        message = json.loads(message.payload)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
