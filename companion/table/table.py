"""The table: the one small object that changes. One lock, one writer; committed before anyone is told.

Every thread (server, devices, the ticker) calls its methods; each runs a pure step (`companion.table.state`,
`companion.table.inputs`), writes the journal, and only then publishes the next immutable snapshot. A fault in a step
is told and changes nothing; the threads and the game go on.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from secrets import SystemRandom
from typing import TYPE_CHECKING, Any, Protocol

from companion.common.errors import CompanionError, IllegalMove, JournalError
from companion.common.frozen import replace
from companion.common.snapshot import Mark, Snapshot
from companion.journal.journal import Journal
from companion.ports import Clock
from companion.protocol.json_codec import write_move
from companion.rules.cards import card
from companion.rules.moves import Move, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.journal_writer import Keeping
from companion.table.players import People
from companion.table.recording import recorded_from
from companion.table.state import Core, Happened, anew, deadline, refused, snapshot, ticked, with_settings
from companion.table.timeline import Record, Sight, Ticker

if TYPE_CHECKING:
    pass


class Guest(Protocol):
    """Asked under the table's lock, before anybody else is told. May not wait."""

    def takes(self, code: str, *, is_new: bool) -> bool:
        """A reader saw this code; whether it is a card of the guest's own, that nobody else may know yet.

        `is_new`: it does not just lie there still. Raises CompanionError with what there is to say to everybody.
        """

    def gives_back(self) -> bool:
        """Somebody wants something undone: whether that was the newest card the guest was dealt."""


class Guests:
    """The table's side of it, for any thread: the guest, where there is one, is asked and heard."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.guest: Guest | None = None

    def takes(self, code: str, reader: int | None, now_ms: int) -> bool:
        """Whether a reader saw a card of the guest's. Such a sighting is told to nobody else, and recorded nowhere."""
        table = self._table
        with table.changed:
            if self.guest is None or table.closed:
                return False
            after, is_new = inputs.sighted(table.core, code, reader, now_ms)
            try:
                if not self.guest.takes(code, is_new=is_new):
                    return False
            except CompanionError as error:
                table.take(refused(table.core, "cards", error))
            table.take(Happened(replace(table.core, seen=after.seen)))
            return True

    def gives_back(self) -> bool:
        """Whether what is to be undone is a card of the guest's: then no move is."""
        with self._table.changed:
            return self.guest is not None and not self._table.closed and self.guest.gives_back()

    def remark(self, sentence: str) -> None:
        """What the guest has to say stands on every page from now on; empty: nothing."""
        with self._table.changed:
            core = self._table.core
            if sentence != core.remark and not self._table.closed:
                self._table.take(Happened(replace(core, remark=sentence)))


if TYPE_CHECKING:
    pass


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


_CHANCE = SystemRandom()

_LOG = logging.getLogger(__name__)
_ENDING = "The program is ending; nothing was changed."
_FAULT = "Something went wrong in the program; nothing was changed."


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
        self.record = record
        self.guests = Guests(self)
        self.snapshot = snapshot(core, number=1, run=run, moves=journal.moves)
        with self.changed:
            self._sight = Sight(self, clock, clock())
            self.take(ticked(core, self._sight.told_ms))
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
        if isinstance(move, Undo) and self.guests.gives_back():
            return self.snapshot
        return self.asked({"move": write_move(move)}, lambda core, now: inputs.moved(core, move, by, now))

    def card(self, code: str) -> Snapshot:
        """Do what scanning this card would do, as a tap on a phone. Raises BadCard, or what `submit` raises."""
        found, line = card(code), {"scan": code, "tapped": True}
        return self.asked(line, lambda core, now: inputs.tapped(core, found, now))

    def scanned(self, code: str, seat: int | None = None) -> None:
        """A reader saw a code; what cannot be taken becomes a notice."""
        if self.guests.takes(code, seat, self._clock()):
            return
        line = {"scan": code} if seat is None else {"scan": code, "seat": seat}
        self._reported(line, lambda core, now: inputs.scanned(core, code, seat, now))

    def pressed(self, button: str) -> None:
        """A button was pressed; what cannot be taken becomes a notice. A press of `dice` brings two dice."""
        if button == "undo" and self.guests.gives_back():
            return
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
            self._sight.holes(bits, ms, known_ms)
            self.changed.notify_all()

    def device(self, name: str, ok: bool, say: str, url: str = "") -> None:
        """A device was lost or found."""

        def react(core: Core, now_ms: int) -> Happened:
            return inputs.device(core, name, now_ms, ok=ok, say=say, url=url)

        with self.changed:
            if name == "sensors":
                self._sight.is_blind = False
            told_ms = self._sight.told_ms
            at_ms = None if name != "sensors" else max(self._clock(), told_ms) if ok else told_ms
            self._reported({"device": name, "ok": ok}, react, at_ms)
            known = self._core.devices.get(name)
            if not self.closed and (known is None or (known.ok, known.say) != (ok, say)):
                # a device tells it once: it is known though what fell due before cannot be kept, or another game began
                self.take(react(self._core, self._clock()))

    @property
    def trouble(self) -> str:
        """Why no move can be kept now, a sentence; empty while they can."""
        return self._keeping.trouble

    def turn_to(self, core: Core, game: int | None, enter: Callable[[Core], None]) -> Snapshot:
        """Another game is on: a new one, or `game` of the journal. `enter` has the devices follow, under the lock.

        The run goes on, and its numbers rise. Raises JournalError with nothing changed.
        """
        with self.changed:
            if self.closed:
                raise IllegalMove(_ENDING)
            now_ms, old = max(self._clock(), self._sight.told_ms), self._core
            try:
                self._keeping.turn_to(core, game)
            except JournalError as error:
                self.complain(error)
                raise
            self._core = core = replace(core, devices=old.devices, noticed=old.noticed)
            self._sight.is_over = True
            self._sight = Sight(self, self._clock, now_ms)
            enter(core)
            shown = self.snapshot
            self.snapshot = snapshot(core, number=shown.number + 1, run=shown.run, moves=self.journal.moves)
            self._begin_record(now_ms)
            return self.take(ticked(core, now_ms))

    def seat(self, people: People) -> Snapshot:
        """These people play from now on, or are called otherwise. Raises JournalError with nothing changed."""
        with self.changed:
            if self.closed:
                raise IllegalMove(_ENDING)
            core, old = replace(self._core, people=people), self.snapshot
            self._keeping.seat(core)
            self._core = core
            return self._publish(snapshot(core, number=old.number, run=old.run, moves=old.moves))

    def set(self, settings: Settings) -> Snapshot:
        """These settings hold from now on. The pegs are read anew, from where they were last known."""
        with self.changed:
            if self.closed:
                raise IllegalMove(_ENDING)
            now_ms = max(self._clock(), self._sight.told_ms)
            self.take(with_settings(self._core, settings, now_ms))
            self._begin_record(now_ms)
            self.ask()
            return self.snapshot

    def light(self, holes: Iterable[str], for_ms: int) -> None:
        """Light these holes for so long, whatever the game: a test of the lights."""
        with self.changed:
            marks = tuple(Mark("right", hole, self._clock() + for_ms) for hole in holes)
            self.take(Happened(replace(self._core, marks=self._core.marks + marks)))

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
                self.take(refused(self._core, source, say))

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

    def _begin_record(self, now_ms: int) -> None:
        """A recording goes on with the table as it is now."""
        if self.record:
            for line in recorded_from(self._core, self.journal.kept(self.journal.game or 0).entries):
                self.record({"ms": now_ms, **line})

    def asked(self, line: Mapping[str, Any], react: Callable[[Core, int], Happened]) -> Snapshot:
        """What somebody asks for who is told what goes wrong."""
        with self.changed:
            if self.closed:
                raise IllegalMove(_ENDING)
            sight = self._sight
            try:
                shown = self.happens(line, react)
            except JournalError as error:  # everybody is told, not only who asked
                self.complain(error)
                raise
            except IllegalMove as error:
                raise IllegalMove(self._core.called(str(error))) from error
            except CompanionError:
                raise
            except Exception as error:
                self._stumbled(error)
                raise CompanionError(_FAULT) from error
            if self.closed:  # while the board was asked
                raise IllegalMove(_ENDING)
            if sight.is_over:
                raise IllegalMove("Another game has been begun; nothing was changed.")
            return shown

    def _reported(
        self, line: Mapping[str, Any], react: Callable[[Core, int], Happened], at_ms: int | None = None
    ) -> bool:
        """Whether a device's report was taken. It has nobody to answer: what goes wrong is a notice."""
        try:
            self.happens(line, react, at_ms)
        except Exception as error:  # a fault of ours is no fault of the device, and must not end its thread
            self.complain(error)
            return False
        return True

    def _stumbled(self, error: Exception) -> None:
        """A fault of ours is kept in the log; the pegs, which may have led to it, are read anew."""
        _LOG.error("The table has stumbled.", exc_info=error)
        with suppress(Exception):
            self.take(anew(self._core, self._clock()))

    def happens(
        self, line: Mapping[str, Any], react: Callable[[Core, int], Happened], at_ms: int | None = None
    ) -> Snapshot:
        """Something happens now, or at a time up to which the pegs are known."""
        with self.changed:
            sight = self._sight
            now_ms = sight.now_ms() if at_ms is None else at_ms
            if self.closed or sight.is_over:  # a device that still reports while the program or game ends
                return self.snapshot
            sight.conclude(now_ms)
            if self.record:
                self.record({"ms": now_ms, **line})
            sight.told_ms = now_ms
            return self.take(react(self._core, now_ms))

    def take(self, happened: Happened) -> Snapshot:
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
