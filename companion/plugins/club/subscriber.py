"""The thread that receives the boards' messages from a broker, saves them in the archive and publishes `upto`.

The broker need not store anything: boards send lost messages again.
"""

import logging
import time
from itertools import islice

from companion.common.worker import Worker
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import DatabaseError
from companion.plugins.club.messages import BoardId
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.broker_url import TOPIC_ROOT, board_topic, load_credentials, parse_brokers
from companion.plugins.mqtt.connection import BrokerLost, MqttConnection, iterate_brokers

MIN_UPTO_INTERVAL_S = 0.5
"""Minimum time between two `upto` messages for a board."""
MIN_GAP_INTERVAL_S = 5.0
"""Minimum time between two requests for missing moves of a board; sending them takes time."""
DATABASE_RETRY_S = 1.0
"""Time until the next attempt if the database is not available."""
MAX_BATCH_MESSAGES, MAX_BATCH_S = 500, 1.0
"""Maximum number of messages saved in one transaction, and maximum time in s in which they are collected."""
MAX_UPTO_AT_ONCE = 50
"""Maximum number of `upto` messages between two transactions: each may cause a board to send many moves."""
POLL_INTERVAL_S = 0.05

_LOG = logging.getLogger(__name__)


class ArchiveSubscriber(Worker):
    """The thread that collects what tables publish."""

    def __init__(self, archive: Archive, report: ReportSettings) -> None:
        """Start. Raises SettingsError if the settings name no broker."""
        super().__init__("collecting")
        self._archive = archive
        self._brokers, self._credentials = parse_brokers(report), load_credentials(report)
        self._due: set[BoardId] = set()
        self._published_s: dict[BoardId, float] = {}
        self._gap_requested_s: dict[BoardId, float] = {}
        self._status = ""
        self.start()

    def is_alive(self) -> bool:
        """Return whether the thread runs, for a watchdog."""
        return self._thread.is_alive()

    def _run(self) -> None:
        for broker in iterate_brokers(self._brokers, self.closing):
            try:
                with MqttConnection(broker, self._credentials) as connection:
                    self._log_status(f"Connected to the broker {broker}.")
                    self._run_session(connection)
            except BrokerLost as error:
                self._log_status(str(error))
            except DatabaseError as error:  # unsaved messages are requested again in the next session
                self._log_status(str(error))
                self.closing.wait(DATABASE_RETRY_S)
            except Exception:  # an unexpected error must not end the archive
                if not self.closing.is_set():
                    _LOG.exception("The archive failed; it starts a new session.")

    def _run_session(self, connection: MqttConnection) -> None:
        topics = (f"{TOPIC_ROOT}/+/+/{name}" for name in ("online", "state", "move/+/+"))
        connection.subscribe(*topics, is_acknowledged=False)
        self._due |= set(self._archive.list_boards())
        self._published_s.clear()
        while not self.closing.is_set():
            count, end_s = 0, time.monotonic() + MAX_BATCH_S
            while (
                count < MAX_BATCH_MESSAGES
                and time.monotonic() < end_s
                and (messages := connection.poll_messages(0 if count else POLL_INTERVAL_S))
            ):
                count += len(messages)
                for message in messages:
                    self._archive.handle_message(message.topic, message.payload, is_retained=message.is_retained)
            if count:
                result = self._archive.commit()
                self._due |= result.boards | self._due_gaps(result.gaps)
            now_s = time.monotonic()
            due = (board for board in self._due if now_s - self._published_s.get(board, 0) >= MIN_UPTO_INTERVAL_S)
            for board in list(islice(due, MAX_UPTO_AT_ONCE)):
                self._publish_upto(connection, board)

    def _due_gaps(self, gaps: set[BoardId]) -> set[BoardId]:
        """Return the boards whose missing moves were not requested within MIN_GAP_INTERVAL_S."""
        now_s = time.monotonic()
        due = {
            board
            for board in gaps
            if now_s - self._gap_requested_s.get(board, -MIN_GAP_INTERVAL_S) >= MIN_GAP_INTERVAL_S
        }
        self._gap_requested_s |= dict.fromkeys(due, now_s)
        return due

    def _publish_upto(self, connection: MqttConnection, board: BoardId) -> None:
        payload = self._archive.upto_message(board)
        connection.publish(board_topic(*board, "upto"), payload, is_retained=True, is_acknowledged=False)
        self._published_s[board] = time.monotonic()
        self._due.discard(board)

    def _log_status(self, status: str) -> None:
        if status != self._status:
            self._status = status
            _LOG.warning("%s", status)
