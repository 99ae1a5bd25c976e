"""The thread that hears a broker for the archive, and tells boards what it has.

Nothing is asked of a broker but to pass on what it hears: what is lost with one is asked for again.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from companion.club.archive import Archive, Board, Run
from companion.club.database import StoreError
from companion.mqtt.broker_url import ROOT, addresses, identity, topic
from companion.mqtt.connection import BrokerLost, Connection, tries
from companion.settings import Report

TELL_S = 0.5
"""A board is told at most so often what the archive has."""
AGAIN_S = 3.0
"""So long after the begin of a session boards are told again."""
ASK_S = 5.0
"""A board of which something did not come is asked for it at most so often: what it tells again takes its time."""
PAUSE_S = 1.0
"""So long a store that is away is left alone."""
MOST = 500
"""So many messages are kept in one change at most."""
LOOK_S = 0.05

_LOG = logging.getLogger(__name__)

Ended = Callable[[Run, dict[str, Any] | None], None]


class Collecting:
    """Hears until it is closed. `ended` is called for each game that ended, or was taken back."""

    def __init__(self, archive: Archive, report: Report, ended: Ended) -> None:
        """Raises SettingsError for settings that name no broker that may be spoken to."""
        self._archive, self._ended = archive, ended
        self._brokers, self._who = addresses(report), identity(report)
        self._closed = threading.Event()
        self._due: set[Board] = set()
        self._told_s: dict[Board, float] = {}
        self._asked_s: dict[Board, float] = {}
        self._said = ""
        self._thread = threading.Thread(target=self._run, name="collecting", daemon=True)
        self._thread.start()

    def is_well(self) -> bool:
        """Whether the thread still runs. For a watchdog."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Hear no more. May be called twice."""
        self._closed.set()
        self._thread.join(2)

    def _run(self) -> None:
        for broker in tries(self._brokers, self._closed):
            try:
                with Connection(broker, self._who) as line:
                    self._say(f"Boards are heard at {broker}.")
                    self._session(line)
            except BrokerLost as error:
                self._say(str(error))
            except StoreError as error:  # whoever was heard meanwhile is asked again in the next session
                self._say(str(error))
                self._closed.wait(PAUSE_S)
            except Exception:  # a fault of ours may not end the archive
                if not self._closed.is_set():
                    _LOG.exception("The archive has stumbled.")

    def _session(self, line: Connection) -> None:
        known = self._archive.boards()
        line.subscribe(*(f"{ROOT}/+/+/{each}" for each in ("online", "state", "move/+/+")), is_sure=False)
        for board in known:
            self._tell(line, board)
        self._due |= set(known)  # told twice, it has what was lost meanwhile sent again
        self._told_s |= dict.fromkeys(known, time.monotonic() + AGAIN_S)
        while not self._closed.is_set():
            count = 0
            while count < MOST and (heard := line.turn(0 if count else LOOK_S)):
                count += len(heard)
                for message in heard:
                    self._archive.heard(message.topic, message.payload)
            if count:
                kept = self._archive.keep()
                self._due |= kept.boards | self._asked(kept.gaps)
                for run, result in kept.ended:
                    self._ended(run, result)
            now_s = time.monotonic()
            for board in [each for each in self._due if now_s - self._told_s.get(each, 0) >= TELL_S]:
                self._tell(line, board)

    def _asked(self, gaps: set[Board]) -> set[Board]:
        """Those of them that were not asked just now."""
        now_s = time.monotonic()
        due = {board for board in gaps if now_s - self._asked_s.get(board, -ASK_S) >= ASK_S}
        self._asked_s |= dict.fromkeys(due, now_s)
        return due

    def _tell(self, line: Connection, board: Board) -> None:
        line.publish(topic(*board, "upto"), self._archive.upto(board), is_kept=True, is_sure=False)
        self._told_s[board] = time.monotonic()
        self._due.discard(board)

    def _say(self, said: str) -> None:
        if said != self._said:
            self._said = said
            _LOG.warning("%s", said)
