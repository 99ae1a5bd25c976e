"""The thread that hears a broker for the archive, and tells boards what it has.

Nothing is asked of a broker but to pass on what it hears: what is lost with one is asked for again.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from companion.club.archive import Archive, BoardId, RunId
from companion.club.database import DatabaseError
from companion.mqtt.broker_url import TOPIC_ROOT, board_topic, load_credentials, parse_brokers
from companion.mqtt.connection import BrokerLost, MqttConnection, iterate_brokers
from companion.settings import ReportSettings

MIN_UPTO_INTERVAL_S = 0.5
"""A board is told at most so often what the archive has."""
REPEAT_UPTO_AFTER_S = 3.0
"""So long after the begin of a session boards are told again."""
MIN_GAP_INTERVAL_S = 5.0
"""A board of which something did not come is asked for it at most so often: what it tells again takes its time."""
DATABASE_RETRY_S = 1.0
"""So long a store that is away is left alone."""
MAX_BATCH_MESSAGES = 500
"""So many messages are kept in one change at most."""
POLL_INTERVAL_S = 0.05

_LOG = logging.getLogger(__name__)

ResultCallback = Callable[[RunId, dict[str, Any] | None], None]


class ArchiveSubscriber:
    """Hears until it is closed. `ended` is called for each game that ended, or was taken back."""

    def __init__(self, archive: Archive, report: ReportSettings, ended: ResultCallback) -> None:
        """Raises SettingsError for settings that name no broker that may be spoken to."""
        self._archive, self._ended = archive, ended
        self._brokers, self._who = parse_brokers(report), load_credentials(report)
        self._closed = threading.Event()
        self._due: set[BoardId] = set()
        self._told_s: dict[BoardId, float] = {}
        self._asked_s: dict[BoardId, float] = {}
        self._said = ""
        self._thread = threading.Thread(target=self._run, name="collecting", daemon=True)
        self._thread.start()

    def is_alive(self) -> bool:
        """Whether the thread still runs. For a watchdog."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Hear no more. May be called twice."""
        self._closed.set()
        self._thread.join(2)

    def _run(self) -> None:
        for broker in iterate_brokers(self._brokers, self._closed):
            try:
                with MqttConnection(broker, self._who) as line:
                    self._log_status(f"Boards are heard at {broker}.")
                    self._run_session(line)
            except BrokerLost as error:
                self._log_status(str(error))
            except DatabaseError as error:  # whoever was heard meanwhile is asked again in the next session
                self._log_status(str(error))
                self._closed.wait(DATABASE_RETRY_S)
            except Exception:  # a fault of ours may not end the archive
                if not self._closed.is_set():
                    _LOG.exception("The archive has stumbled.")

    def _run_session(self, line: MqttConnection) -> None:
        known = self._archive.list_boards()
        line.subscribe(*(f"{TOPIC_ROOT}/+/+/{each}" for each in ("online", "state", "move/+/+")), is_acknowledged=False)
        for board in known:
            self._publish_upto(line, board)
        self._due |= set(known)  # told twice, it has what was lost meanwhile sent again
        self._told_s |= dict.fromkeys(known, time.monotonic() + REPEAT_UPTO_AFTER_S)
        while not self._closed.is_set():
            count = 0
            while count < MAX_BATCH_MESSAGES and (heard := line.poll_messages(0 if count else POLL_INTERVAL_S)):
                count += len(heard)
                for message in heard:
                    self._archive.handle_message(message.topic, message.payload)
            if count:
                kept = self._archive.commit()
                self._due |= kept.boards | self._due_gaps(kept.gaps)
                for run, result in kept.finished_games:
                    self._ended(run, result)
            now_s = time.monotonic()
            for board in [each for each in self._due if now_s - self._told_s.get(each, 0) >= MIN_UPTO_INTERVAL_S]:
                self._publish_upto(line, board)

    def _due_gaps(self, gaps: set[BoardId]) -> set[BoardId]:
        """Those of them that were not asked just now."""
        now_s = time.monotonic()
        due = {board for board in gaps if now_s - self._asked_s.get(board, -MIN_GAP_INTERVAL_S) >= MIN_GAP_INTERVAL_S}
        self._asked_s |= dict.fromkeys(due, now_s)
        return due

    def _publish_upto(self, line: MqttConnection, board: BoardId) -> None:
        line.publish(
            board_topic(*board, "upto"), self._archive.upto_message(board), is_retained=True, is_acknowledged=False
        )
        self._told_s[board] = time.monotonic()
        self._due.discard(board)

    def _log_status(self, said: str) -> None:
        if said != self._said:
            self._said = said
            _LOG.warning("%s", said)
