"""The table: the one small object that changes. One lock, one writer; committed before anyone is told.

Every thread (server, devices, the ticker) calls its methods; each runs a pure step (`companion.table.core`,
`companion.table.inputs`), writes the journal, and only then publishes the next immutable snapshot. A fault in a step
is told and changes nothing; the threads and the game go on.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from secrets import SystemRandom
from typing import Any, NamedTuple

from companion.codec import write_move
from companion.errors import CompanionError, IllegalMove, JournalError
from companion.ports import Clock
from companion.rules.cards import card
from companion.rules.moves import Move
from companion.snapshot import Snapshot
from companion.table import inputs
from companion.table.core import Core, Happened, anew, deadline, levels, refused, snapshot, ticked
from companion.table.journal import Journal
from companion.table.keeping import Keeping
from companion.table.listener import Listener
from companion.table.ticker import ASK_S, Ticker

_CHANCE = SystemRandom()

PATIENCE_S = 0.3
"""What people do waits so long for word of pegs that are on their way; then the table has lost sight of its pegs."""

UNSEEN = "The board has not said how its pegs stand."

_LOG = logging.getLogger(__name__)
_ENDING = "The program is ending; nothing was changed."
_FAULT = "Something went wrong in the program; nothing was changed."

Record = Callable[[Mapping[str, Any]], None]


class Table:
    """A table of people. All methods may be called from any thread."""

    def __init__(
        self,
        core: Core,
        journal: Journal,
        clock: Clock,
        *,
        run: str,
        record: Record | None = None,
        ask: Callable[[], object] = lambda: None,
    ) -> None:
        """Take over the table `core`; `run` is new with each start, `record` is told every input.

        `ask` has the sensors tell the levels as they are now. It is called under the lock and must not block.
        """
        self.changed = threading.Condition(threading.RLock())
        self.closed = False
        self.ask = ask
        self._core = core
        self._keeping = Keeping(journal, core)
        self._clock = clock
        self._record = record
        self._unread: deque[_Levels] = deque()
        self._blind = False
        self._told_ms = 0
        self.snapshot = snapshot(core, number=1, run=run, moves=journal.moves)
        with self.changed:
            self._told_ms = self._known_ms = clock()
            self._take(ticked(core, self._told_ms))
        self._ticker = Ticker(self, clock)
        self._ticker.start()

    @property
    def core(self) -> Core:
        """What is known now, an immutable value."""
        return self._core

    @property
    def journal(self) -> Journal:
        """Where the moves are kept."""
        return self._keeping.journal

    def submit(self, move: Move, by: str = "phone") -> Snapshot:
        """Make a move. Raises IllegalMove, or after a fault CompanionError, with nothing changed; durable at return."""
        return self._asked({"move": write_move(move)}, lambda core, now: inputs.moved(core, move, by, now))

    def card(self, code: str) -> Snapshot:
        """Do what scanning this card would do, as a tap on a phone. Raises BadCard, or what `submit` raises."""
        found, line = card(code), {"scan": code, "tapped": True}
        return self._asked(line, lambda core, now: inputs.tapped(core, found, now))

    def scanned(self, code: str, seat: int | None = None) -> None:
        """A reader saw a code; what cannot be taken becomes a notice."""
        line = {"scan": code} if seat is None else {"scan": code, "seat": seat}
        self._reported(line, lambda core, now: inputs.scanned(core, code, seat, now))

    def pressed(self, button: str) -> None:
        """A button was pressed; what cannot be taken becomes a notice. A press of `dice` brings two dice."""
        throw = _CHANCE.randint(1, 6), _CHANCE.randint(1, 6)
        line = {"press": button, "dice": list(throw)} if button == "dice" else {"press": button}
        self._reported(line, lambda core, now: inputs.pressed(core, button, now, throw))

    def holes(self, bits: int, ms: int | None = None, known_ms: int | None = None) -> None:
        """The sensors saw these levels of all holes at `ms`, and know that those before them were so until `known_ms`.

        Both are now if they are not given. Called in the order in which it was seen.
        """
        with self.changed:
            if self.closed:
                return
            ms = self._clock() if ms is None else ms
            self._unread.append(_Levels(bits, ms, ms if known_ms is None else known_ms))
            while self._unread:
                try:
                    self._see(self._unread[0])
                except Exception as error:
                    self.complain(error)
                    if isinstance(error, JournalError):
                        break  # what was due before stays due, and what was seen after it waits
                self._unread.popleft()
            self.changed.notify_all()

    def device(self, name: str, ok: bool, say: str, url: str = "") -> None:
        """A device was lost or found."""

        def react(core: Core, now_ms: int) -> Happened:
            return inputs.device(core, name, now_ms, ok=ok, say=say, url=url)

        with self.changed:
            if name == "sensors":
                self._blind = False
            at_ms = None if name != "sensors" else max(self._clock(), self._told_ms) if ok else self._told_ms
            if not self._reported({"device": name, "ok": ok}, react, at_ms):
                # a device tells it once: it is known even while what fell due before cannot be kept
                self._take(react(self._core, self._clock()))

    @property
    def trouble(self) -> str:
        """Why no move can be kept now, a sentence; empty while they can."""
        return self._keeping.trouble

    def disk(self, fault: str) -> None:
        """What is wrong with the journal's disk, empty for nothing: told to everybody once. Tries what failed again."""
        with self.changed:
            if self.closed:
                return
            with suppress(JournalError):
                if self._keeping.disk(self._core, fault):
                    self.complain(JournalError(fault))
            if self.trouble != self.snapshot.trouble:
                self._publish(self.snapshot)

    def due_ms(self) -> int | None:
        """When the pegs will say more than now; None if never. Raises JournalError where nothing can be kept."""
        self.journal.watch()
        return deadline(self._core)

    def complain(self, error: Exception) -> None:
        """What went wrong where nobody waits for an answer is told, once."""
        with self.changed:
            say, source = (error, "journal") if isinstance(error, JournalError) else (CompanionError(_FAULT), "program")
            if source == "program":
                self._stumbled(error)
            if not any(notice.say == str(say) for notice in self._core.notices[-1:]):
                if source == "journal":
                    _LOG.warning("%s", say)  # on the terminal
                self._take(refused(self._core, source, say))

    def listen(self) -> Listener:
        """A new reader of snapshots."""
        return Listener(self)

    def close(self) -> None:
        """Stop the ticker, let all listeners go, close the journal. May be called twice."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self._ticker.join()
        with self.changed:
            self.journal.close()

    def _asked(self, line: Mapping[str, Any], react: Callable[[Core, int], Happened]) -> Snapshot:
        """What somebody asks for who is told what goes wrong."""
        with self.changed:
            if self.closed:
                raise IllegalMove(_ENDING)
            try:
                shown = self._happens(line, react)
            except JournalError as error:  # everybody is told, not only who asked
                self.complain(error)
                raise
            except CompanionError:
                raise
            except Exception as error:
                self._stumbled(error)
                raise CompanionError(_FAULT) from error
            if self.closed:  # while the board was asked
                raise IllegalMove(_ENDING)
            return shown

    def _reported(
        self, line: Mapping[str, Any], react: Callable[[Core, int], Happened], at_ms: int | None = None
    ) -> bool:
        """Whether a device's report was taken. It has nobody to answer: what goes wrong is a notice."""
        try:
            self._happens(line, react, at_ms)
        except Exception as error:  # a fault of ours is no fault of the device, and must not end its thread
            self.complain(error)
            return False
        return True

    def _stumbled(self, error: Exception) -> None:
        """A fault of ours is kept in the log; the pegs, which may have led to it, are read anew."""
        _LOG.error("The table has stumbled.", exc_info=error)
        with suppress(Exception):
            self._take(anew(self._core, self._clock()))

    def _happens(
        self, line: Mapping[str, Any], react: Callable[[Core, int], Happened], at_ms: int | None = None
    ) -> Snapshot:
        """Something happens now, or at a time up to which the pegs are known."""
        with self.changed:
            now_ms = self._sighted_ms() if at_ms is None else at_ms
            if self.closed:  # a device that still reports while the program ends
                return self.snapshot
            self._conclude(now_ms)
            if self._record:
                self._record({"ms": now_ms, **line})
            self._told_ms = now_ms
            return self._take(react(self._core, now_ms))

    def _sighted_ms(self) -> int:
        """The time of what happens now. While pegs are on their way, it is first heard how they stand by now."""
        now_ms, patience = self._clock(), time.monotonic() + PATIENCE_S
        while self._known_ms < now_ms and deadline(self._core) is not None and not self.closed:
            if time.monotonic() >= patience:
                self._lose_sight()
                break
            self.ask()
            self.changed.wait(ASK_S)
        return max(now_ms, self._told_ms)

    def _see(self, seen: "_Levels") -> None:
        """Levels count from when they were so; before them is concluded what those before them make due."""
        ms = max(seen.ms, self._told_ms)
        self._known_ms = max(self._known_ms, min(seen.known_ms, ms))
        self._conclude(self._known_ms)
        due = deadline(self._core)
        if due is not None and due <= ms and not self._blind:
            self._lose_sight()  # nobody knows whether these levels came before or after it
        if self._blind:
            self._told("sensors", ms, ok=True, say="")
        self._known_ms = max(self._known_ms, min(seen.known_ms, ms))
        self._happens({"holes": f"{seen.bits:x}"}, lambda core, now: levels(core, seen.bits, now), ms)

    def _lose_sight(self) -> None:
        """The sensors are taken to be lost until they tell something: nothing is concluded from old levels."""
        self._told("sensors", self._told_ms, ok=False, say=UNSEEN)

    def _told(self, name: str, ms: int, *, ok: bool, say: str) -> None:
        self._happens({"device": name, "ok": ok}, lambda core, now: inputs.device(core, name, now, ok=ok, say=say), ms)
        self._blind = not ok

    def _conclude(self, until_ms: int) -> None:
        """All that falls due by then and is known, each at its own time, as in `trace`: being late changes nothing."""
        while (due := deadline(self._core)) is not None and due <= min(until_ms, self._known_ms):
            self._told_ms = max(due, self._told_ms)
            if self._record:  # or a recording that ends here would not say what was concluded last
                self._record({"ms": self._told_ms, "tick": True})
            self._take(ticked(self._core, self._told_ms))

    def _take(self, happened: Happened) -> Snapshot:
        """Commit, then publish. Under the lock."""
        if happened.core is self._core and not happened.entries:
            return self.snapshot
        core, old = happened.core, self.snapshot
        moves = self.journal.moves + sum(entry.kind == "move" for entry in happened.entries)
        new = snapshot(core, number=old.number, run=old.run, moves=moves)  # first: what cannot be shown is not kept
        self._core = self._keeping.commit(core, happened.entries)
        return self._publish(new)

    def _publish(self, new: Snapshot) -> Snapshot:
        new = replace(new, trouble=self.trouble)
        if new != self.snapshot:
            self.snapshot = replace(new, number=new.number + 1)
        self.changed.notify_all()
        return self.snapshot


class _Levels(NamedTuple):
    bits: int
    ms: int
    known_ms: int
