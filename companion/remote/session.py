"""The thread that talks with the other table of a game that two play, over a broker (docs/reference/remote.md).

Each table keeps its letters at the broker, below its own name, and reads those that the other has written to it. A
broker that is gone delays nobody: what is played is in the journal, and told when there is one again.
"""

import logging
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.common.errors import BadMove, CompanionError, JournalError
from companion.i18n import joined, say
from companion.mqtt.broker_url import addresses, board_name, identity, topic
from companion.remote import messages
from companion.remote.dealer import Dealing
from companion.remote.guest import Visiting
from companion.remote.host import Hosting
from companion.settings import Report
from companion.table.game_switcher import Tables
from companion.table.remote_game import GUEST, HOST, own_seat

if TYPE_CHECKING:  # the library of MQTT is read by our own thread, once the table is there
    from companion.mqtt.connection import Connection, Message

LOOK_S = 0.03
"""So often the table is looked at."""
SHOW_S = 0.2
"""So often, at least, is looked what there is to show."""
AGAIN_S = 10.0
"""So often a table says that it is there, and what it has, also where nothing is new: what was lost comes after all."""
PATIENCE_S = 1.0
"""A move that waits for longer is told to be waiting."""

_LOG = logging.getLogger(__name__)


class Seat:
    """Talks until it is closed. Raises SettingsError for settings that name no broker that may be spoken to."""

    def __init__(self, tables: Tables, dealing: Dealing, report: Report) -> None:
        """`tables.afar` is the other table."""
        assert tables.afar is not None
        self._tables, self._table, self._dealing = tables, tables.table, dealing
        self._brokers, self._who = addresses(report), identity(report)
        self._club, self._own, self._other = report.club, board_name(report), tables.afar.board
        self._talk: Hosting | Visiting = Hosting(tables) if tables.afar.is_host else Visiting(tables)
        self._is_linked = self._is_there = self._is_known = False
        self._bad = self._unfair = ""
        self._told: dict[str, str] = {}
        self._waits_s: float | None = None
        self._closed = threading.Event()
        self._show()
        self._threads = [threading.Thread(target=each, name="remote", daemon=True) for each in (self._run, self._watch)]
        for each in self._threads:
            each.start()

    def close(self) -> None:
        """Say goodbye. May be called twice."""
        self._closed.set()
        for each in self._threads:
            each.join(2)

    def _run(self) -> None:
        from companion.mqtt.connection import BrokerLost, Connection, Will, tries  # noqa: PLC0415

        for broker in tries(self._brokers, self._closed):
            try:
                with Connection(broker, self._who, Will(self._topic("here"), "0")) as line:
                    self._session(line)
            except BrokerLost:
                pass
            except Exception:  # the journal is closed, or a fault of ours: neither may end the talk
                if not self._closed.is_set():
                    _LOG.exception("The talk with the other table has stumbled.")
            self._is_linked = self._is_there = False

    def _watch(self) -> None:
        """Show how things are, also while a broker is looked for."""
        listener = self._table.listen()
        while not self._closed.is_set() and not self._table.closed:
            listener.newest(SHOW_S)
            self._show()

    def _session(self, line: "Connection") -> None:
        self._told, again_s = {}, 0.0
        others = (topic(self._club, self._other, "seat", self._own, each) for each in ("here", "game", "deal"))
        line.subscribe(*others)
        self._is_linked = True
        while not self._closed.is_set():
            for message in line.turn(LOOK_S):
                self._heard(message)
            if not self._turned():
                continue
            if time.monotonic() >= again_s:
                self._told, again_s = {}, time.monotonic() + AGAIN_S
            self._tell(line, "here", "1")
            self._tell(line, "game", messages.write(self._letter()))
            self._tell(line, "deal", self._dealing.letter())
        line.publish(self._topic("here"), "0", is_kept=True)

    def _turned(self) -> bool:
        """Do what is to be done at this table; whether its journal can be read and written."""
        unfair = ""
        try:
            self._talk.turn()
            if not self._talk.why:
                self._dealing.turn(self._talk.run, self._talk.log)
        except JournalError:  # the table tells of it; later
            return False
        except CompanionError as error:
            unfair = str(error)
        self._unfair = unfair
        return True

    def _letter(self) -> messages.Letter:
        """What the other is to know of the game, and the name of who sits here."""
        core = self._table.core
        seat = own_seat(core.plan)
        name = core.people[seat].name if seat < len(core.people) else ""
        return replace(self._talk.letter(), name=name)

    def _heard(self, message: "Message") -> None:
        what = message.topic.rpartition("/")[2]
        try:
            if what == "here":
                self._is_there = message.payload == b"1"
                self._is_known = True
            elif what == "game":
                self._talk.heard(messages.read(message.payload))
                self._bad = ""
                self._name(self._talk.name)
            elif what == "deal":
                self._dealing.heard(message.payload)
        except BadMove as error:
            if message.payload:  # an empty one is none any more
                self._bad = str(error)

    def _name(self, name: str) -> None:
        """Who sits far away is called as there."""
        core = self._table.core
        seat = GUEST if own_seat(core.plan) == HOST else HOST
        if name and (len(core.people) <= seat or core.people[seat].name != name):
            with suppress(JournalError):
                self._tables.call(seat, name, None)

    def _tell(self, line: "Connection", what: str, text: str) -> None:
        if self._told.get(what) != text:
            line.publish(self._topic(what), text, is_kept=True)
            self._told[what] = text

    def _state(self) -> str:
        """What is amiss, a sentence; empty where nothing is."""
        if why := self._bad or self._talk.why or self._unfair:
            return say("The board {board}: {why}", board=self._other, why=why)
        is_late = self._is_late()
        if self._is_there and not is_late:
            return ""
        if not self._is_linked:
            why = say("There is no line to the board {board}.", board=self._other)
        elif self._is_there:
            why = say("The board {board} does not answer.", board=self._other)
        elif self._is_known:
            why = say("The board {board} is away.", board=self._other)
        else:
            why = say("The board {board} has not been heard of yet.", board=self._other)
        waits, kept = say("What you did last waits for it."), say("What is played here is kept.")
        return joined([why, waits if self._table.core.waiting else kept], " ")

    def _is_late(self) -> bool:
        """Whether something has waited for longer than the way to the other table and back."""
        if not self._table.core.waiting:
            self._waits_s = None
            return False
        self._waits_s = self._waits_s or time.monotonic()
        return time.monotonic() - self._waits_s > PATIENCE_S

    def _show(self) -> None:
        """Everybody at this table sees whether the other is there."""
        known, why = self._table.core.devices.get("remote"), self._state()
        told = why or self._dealing.state()
        if known is None or (known.ok, known.say) != (not why, told):
            self._table.device("remote", not why, told, f"board:{self._other}")

    def _topic(self, what: str) -> str:
        return topic(self._club, self._own, "seat", self._other, what)
