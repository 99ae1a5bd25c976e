"""The thread that tells a broker what is played. A broker that is slow, silent, full or gone delays nobody else.

It reads the journal as any reader does, asks nothing of the table, and holds a bounded number of messages.
"""

import json
import logging
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.common.errors import JournalError
from companion.journal.journal import Journal
from companion.mqtt.broker_url import addresses, board_name, identity, topic
from companion.mqtt.home_assistant import Household
from companion.mqtt.outbox import Outbox
from companion.settings import Report
from companion.table.table import Table

if TYPE_CHECKING:  # the library of MQTT is read by our own thread, once the table is there
    from companion.mqtt.connection import Connection, Message

START_S = 3.0
"""The first moments of a program are its table's and its first page's: the library of MQTT takes a while to read."""
WINDOW = 20
"""So many messages are on their way at most."""
LOOK_S = 0.1
"""So often the journal is looked at."""
UPTO_S = 1.0
"""A broker tells what it has kept at once; where it has kept no `upto`, nobody waits longer than this."""
FIRST_STALL_S, LONGEST_STALL_S = 30.0, 3600.0
"""An archive that has said nothing of what it was told is told again after this; the pause doubles."""
FAREWELL_S = 1.0

_LOG = logging.getLogger(__name__)


class Reporter:
    """Tells until it is closed. Raises SettingsError for settings that name no broker that may be spoken to."""

    def __init__(self, journal: Journal, report: Report, table: Table | None = None) -> None:
        """Without the table itself a house is told nothing."""
        self._report, self._table = report, table
        self._brokers = addresses(report)
        self._who = identity(report)
        self._club, self._board = report.club, board_name(report)
        self._journal = journal
        self._closed = threading.Event()
        self._said = ""
        self._thread = threading.Thread(target=self._run, name="reporting", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Tell what is left, within a second, and say goodbye. May be called twice."""
        self._closed.set()
        self._thread.join(2 * FAREWELL_S)

    def _run(self) -> None:
        if self._closed.wait(START_S):
            return
        from companion.mqtt.connection import BrokerLost, Connection, Will, tries  # noqa: PLC0415

        for broker in tries(self._brokers, self._closed):
            try:
                with Connection(broker, self._who, Will(self._topic("online"), "0")) as line:
                    self._say(f"What is played is told to {broker}.")
                    self._session(line)
            except BrokerLost as error:
                self._say(f"{error} What is played is kept, and told later.")
            except Exception:  # the journal is closed, or a fault of ours: neither may end reporting
                if not self._closed.is_set():
                    _LOG.exception("Reporting has stumbled.")

    def _session(self, line: "Connection") -> None:
        line.subscribe(self._topic("upto"), is_sure=False)
        line.publish(self._topic("online"), "1", is_kept=True)
        upto = self._kept_upto(line)
        outbox, is_archived = Outbox(self._journal, upto), bool(upto)
        house = Household(line, self._table, self._report) if self._table else None
        stall_s, since_s = FIRST_STALL_S, time.monotonic()
        while not self._closed.is_set():
            now_s = time.monotonic()
            if house and line.unanswered < WINDOW:
                house.tell()
            for message in line.turn(0 if self._fill(line, outbox) else LOOK_S):
                if house and house.heard(message):
                    continue
                is_archived = True
                if outbox.heard(_upto(message)):
                    stall_s, since_s = FIRST_STALL_S, now_s
            if not is_archived or outbox.is_confirmed:
                since_s = now_s
            elif now_s - since_s > stall_s:
                outbox.again()
                stall_s, since_s = min(2 * stall_s, LONGEST_STALL_S), now_s
        self._part(line, outbox)

    def _kept_upto(self, line: "Connection") -> Mapping[str, Any]:
        """What the broker has kept of what an archive has; nothing where it has kept none."""
        end_s = time.monotonic() + UPTO_S
        while (left_s := end_s - time.monotonic()) > 0:
            if heard := line.turn(min(left_s, LOOK_S)):
                return _upto(heard[-1])
        return {}

    def _fill(self, line: "Connection", outbox: Outbox) -> bool:
        """Send as much as may be on its way; whether there was something."""
        sent = False
        while line.unanswered < WINDOW:
            try:
                told = outbox.next()
            except JournalError:  # it cannot be read now: later
                return False
            if told is None:
                return sent
            line.publish(self._topic(told.topic), told.text, is_kept=told.is_kept)
            sent = True
        return False

    def _part(self, line: "Connection", outbox: Outbox) -> None:
        end_s = time.monotonic() + FAREWELL_S
        self._fill(line, outbox)
        line.publish(self._topic("online"), "0", is_kept=True)
        while line.unanswered and time.monotonic() < end_s:
            line.turn(0.05)

    def _topic(self, *rest: str) -> str:
        return topic(self._club, self._board, *rest)

    def _say(self, said: str) -> None:
        """In the log, once for each change."""
        if said != self._said:
            self._said = said
            _LOG.warning("%s", said)


def _upto(message: "Message") -> Mapping[str, Any]:
    """What an archive says it has, by run; nothing where it is no such message."""
    try:
        told = json.loads(message.payload)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
