"""The table: the one small object that changes. One lock, one writer; committed before anyone is told.

Every thread (server, devices, the ticker) calls its methods; each runs a pure step (`companion.table.core`,
`companion.table.inputs`), writes the journal, and only then publishes the next immutable snapshot. A fault in a step
is told and changes nothing; the threads and the game go on.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from secrets import SystemRandom
from typing import Any

from companion.codec import write_move
from companion.errors import CompanionError, IllegalMove, JournalError
from companion.ports import Clock
from companion.rules.cards import card
from companion.rules.moves import Move
from companion.snapshot import Snapshot
from companion.table import inputs
from companion.table.core import Core, Happened, anew, deadline, levels, refused, snapshot, ticked
from companion.table.journal import Entry, Journal
from companion.table.resuming import checkpointed

_CHANCE = SystemRandom()

WATCH_S = 2.0
"""How often is looked whether the journal is still there."""

AGAIN_S = 1.0
"""How long to wait before what could not be concluded is tried again."""

_LOG = logging.getLogger(__name__)
_FAULT = "Something went wrong in the program; nothing was changed."

Record = Callable[[Mapping[str, Any]], None]


class Listener:
    """One reader of snapshots; it keeps only the newest."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self._number = -1

    def newest(self, timeout_s: float) -> Snapshot | None:
        """The newest snapshot not yet given: the present one at the first call; None when none came in time."""
        with self._table.changed:
            self._table.changed.wait_for(
                lambda: self._table.snapshot.number > self._number or self._table.closed, timeout_s
            )
            found = self._table.snapshot
            if found.number <= self._number:
                return None
            self._number = found.number
            return found


class Table:
    """A table of people. All methods may be called from any thread."""

    def __init__(self, core: Core, journal: Journal, clock: Clock, *, run: str, record: Record | None = None) -> None:
        """Take over the table `core`; `run` is new with each start, `record` is told every input."""
        self.changed = threading.Condition(threading.RLock())
        self.closed = False
        self._core = core
        self._journal = journal
        self._clock = clock
        self._record = record
        self._kept = core.course.placement
        self._told_ms = 0
        self._full = self._failed = ""
        self.snapshot = snapshot(core, number=1, run=run, moves=journal.moves)
        with self.changed:
            self._told_ms = clock()
            self._take(ticked(core, self._told_ms))
        self._ticker = threading.Thread(target=self._tick_for_ever, name="table-ticker", daemon=True)
        self._ticker.start()

    @property
    def core(self) -> Core:
        """What is known now, an immutable value."""
        return self._core

    @property
    def journal(self) -> Journal:
        """Where the moves are kept."""
        return self._journal

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

    def holes(self, bits: int) -> None:
        """The sensors report the debounced levels of all holes."""
        self._reported({"holes": f"{bits:x}"}, lambda core, now: levels(core, bits, now))

    def device(self, name: str, ok: bool, say: str, url: str = "") -> None:
        """A device was lost or found."""

        def react(core: Core, now_ms: int) -> Happened:
            return inputs.device(core, name, now_ms, ok=ok, say=say, url=url)

        if not self._reported({"device": name, "ok": ok}, react):
            with self.changed:  # a device tells it once: it is known even while what fell due before cannot be kept
                self._take(react(self._core, self._clock()))

    @property
    def trouble(self) -> str:
        """Why no move can be kept now, a sentence; empty while they can."""
        told = self._journal.trouble
        return self._full or self._failed or (told if told and told != self._journal.damage else "")

    def disk(self, fault: str) -> None:
        """What is wrong with the journal's disk, empty for nothing: told to everybody once. Tries what failed again."""
        with self.changed:
            told, self._full = self._full, fault
            if self.closed:
                return
            if fault and fault != told:
                self._complain(JournalError(fault))
            if self._failed and not fault and self._core.course.placement is not None:
                with suppress(JournalError):
                    self._keep((), self._core.course.dump())

    def listen(self) -> Listener:
        """A new reader of snapshots."""
        return Listener(self)

    def close(self) -> None:
        """Stop the ticker, let all listeners go, close the journal. May be called twice."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self._ticker.join(2)
        with self.changed:
            self._journal.close()

    def _asked(self, line: Mapping[str, Any], react: Callable[[Core, int], Happened]) -> Snapshot:
        """What somebody asks for who is told what goes wrong."""
        with self.changed:
            if self.closed:
                raise IllegalMove("The program is ending; nothing was changed.")
            try:
                return self._happens(line, react)
            except JournalError as error:  # everybody is told, not only who asked
                self._complain(error)
                raise
            except CompanionError:
                raise
            except Exception as error:
                self._stumbled(error)
                raise CompanionError(_FAULT) from error

    def _reported(self, line: Mapping[str, Any], react: Callable[[Core, int], Happened]) -> bool:
        """Whether a device's report was taken. It has nobody to answer: what goes wrong is a notice."""
        try:
            self._happens(line, react)
        except Exception as error:  # a fault of ours is no fault of the device, and must not end its thread
            self._complain(error)
            return False
        return True

    def _complain(self, error: Exception) -> None:
        """What went wrong where nobody waits for an answer is told, once."""
        with self.changed:
            say, source = (error, "journal") if isinstance(error, JournalError) else (CompanionError(_FAULT), "program")
            if source == "program":
                self._stumbled(error)
            if not any(notice.say == str(say) for notice in self._core.notices[-1:]):
                self._take(refused(self._core, source, say))

    def _stumbled(self, error: Exception) -> None:
        """A fault of ours is kept in the log; the pegs, which may have led to it, are read anew."""
        _LOG.error("The table has stumbled.", exc_info=error)
        with suppress(Exception):
            self._take(anew(self._core, self._clock()))

    def _happens(self, line: Mapping[str, Any], react: Callable[[Core, int], Happened]) -> Snapshot:
        with self.changed:
            if self.closed:  # a device that still reports while the program ends
                return self.snapshot
            now_ms = self._clock()
            self._conclude(now_ms)
            if self._record:
                self._record({"ms": now_ms, **line})
            self._told_ms = now_ms
            return self._take(react(self._core, now_ms))

    def _conclude(self, now_ms: int) -> None:
        """All that falls due by now, each at its own time, as in `trace`: a thread that is late changes nothing."""
        while (due := deadline(self._core)) is not None and due <= now_ms:
            self._told_ms = max(due, self._told_ms)
            if self._record:  # or a recording that ends here would not say what was concluded last
                self._record({"ms": self._told_ms, "tick": True})
            self._take(ticked(self._core, self._told_ms))

    def _take(self, happened: Happened) -> Snapshot:
        """Commit, then publish. Under the lock."""
        if happened.core is self._core and not happened.entries:
            return self.snapshot
        core, old = happened.core, self.snapshot
        moves = self._journal.moves + sum(entry.kind == "move" for entry in happened.entries)
        new = snapshot(core, number=old.number, run=old.run, moves=moves)  # first: what cannot be shown is not kept
        stands = core.course.placement
        moved = stands is not None and stands != self._kept
        self._keep(happened.entries, core.course.dump() if moved else None)
        self._kept = stands
        self._core = checkpointed(core, self._journal)
        if new != old:
            self.snapshot = replace(new, number=old.number + 1)
        self.changed.notify_all()
        return self.snapshot

    def _keep(self, entries: tuple[Entry, ...], pegs: Any) -> None:
        if not entries and pegs is None:
            return
        try:
            self._journal.write(entries, pegs)
        except JournalError as error:
            self._failed = str(error)
            raise
        self._failed = ""

    def _tick_for_ever(self) -> None:
        with self.changed:
            while not self.closed:
                wait_s = AGAIN_S
                try:
                    self._journal.watch()
                    self._conclude(self._clock())
                    due = deadline(self._core)
                    wait_s = WATCH_S if due is None else min(max(due - self._clock(), 0) / 1000, WATCH_S)
                except Exception as error:  # a full disk may be emptied: what is due stays due
                    self._complain(error)
                self.changed.wait(wait_s)
