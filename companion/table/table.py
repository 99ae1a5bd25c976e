"""The table: the one mutable object, with one lock and one writer. Changes are durable before they are published.

Every thread (server, devices, ticker) calls its methods. Each method runs a pure step (`companion.table.state`,
`companion.table.inputs`), writes the journal, and then publishes the next immutable snapshot. A fault in a step is
reported and changes nothing.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from secrets import SystemRandom
from typing import Any, Protocol
from weakref import WeakSet

from companion.common.errors import CompanionError, IllegalMove, JournalError
from companion.common.snapshot import LightEffect, Snapshot
from companion.common.values import replace
from companion.journal.journal import Journal
from companion.ports import Clock
from companion.protocol.json_codec import write_move
from companion.rules.cards import parse_card
from companion.rules.moves import Move, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.journal_writer import JournalWriter
from companion.table.players import PlayerProfiles
from companion.table.recording import recording_start
from companion.table.state import (
    TableCore,
    Transition,
    add_refusal,
    apply_settings,
    create_snapshot,
    next_deadline_ms,
    on_tick,
    reread_pegs,
)
from companion.table.timeline import InputTimeline, RecordLine, Ticker


class ScanInterceptor(Protocol):
    """A computer player that may take a scan or an undo for its hidden cards before the table applies it.

    Its methods are called under the table's lock and must not wait.
    """

    def intercept_scan(self, code: str, *, is_new: bool) -> bool:
        """Return whether the scanned code is one of the player's own hidden cards.

        `is_new` is False for a card that stays on the reader. Raises CompanionError with a sentence for a notice.
        """

    def intercept_undo(self) -> bool:
        """Return whether an undo takes back the newest hidden card, or a discard, instead of a move."""

    def count_answers(self) -> int:
        """Return how many moves the player has made since the last move of a person."""


class OpponentHook:
    """Connects a table with its computer player, if there is one. For any thread."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.interceptor: ScanInterceptor | None = None

    def intercept_scan(self, code: str, reader: int | None, now_ms: int) -> bool:
        """Return whether the scan was a hidden card of the player. Such a scan is neither published nor recorded."""
        table = self._table
        with table.locked():
            if self.interceptor is None or table.is_closed:
                return False
            after, is_new = inputs.record_sighting(table.core, code, reader, now_ms)
            try:
                if not self.interceptor.intercept_scan(code, is_new=is_new):
                    return False
                done = Transition(inputs.remove_card_notices(table.core))
            except CompanionError as error:
                done = add_refusal(table.core, "cards", error)
            table.commit(done._replace(core=replace(done.core, sightings=after.sightings)))
            return True

    def intercept_undo(self) -> bool:
        """Return whether the undo took back a hidden card of the player instead of a move."""
        with self._table.locked():
            return self.interceptor is not None and not self._table.is_closed and self.interceptor.intercept_undo()

    def count_answers(self) -> int:
        """Return how many moves of the player an undo takes back before the last move of a person."""
        with self._table.locked():
            return self.interceptor.count_answers() if self.interceptor else 0

    def set_remark(self, sentence: str) -> None:
        """Show this remark of the player on every page; empty removes it."""
        with self._table.locked():
            core = self._table.core
            if sentence != core.remark and not self._table.is_closed:
                self._table.commit(Transition(replace(core, remark=sentence)))


class SnapshotSubscriber:
    """Receives the newest snapshot of a table; older ones are skipped."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self._number = -1

    def next_snapshot(self, timeout_s: float) -> Snapshot | None:
        """Wait for a snapshot newer than the last one returned, and return it; None after `timeout_s` or on closing.

        The first call returns the present snapshot at once.
        """
        snapshot = self._table.wait_for_snapshot(self._number, timeout_s)
        if snapshot is not None:
            self._number = snapshot.number
        return snapshot


MAX_PENDING_MOVES = 200
"""Moves kept for a subscriber that does not take them."""


class MoveSubscriber:
    """Receives the snapshot after every move. Of more than MAX_PENDING_MOVES moves, the oldest are skipped."""

    def __init__(self) -> None:
        self._pending: deque[Snapshot] = deque(maxlen=MAX_PENDING_MOVES)

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Add the snapshot after a move. Called under the table's lock."""
        self._pending.append(snapshot)

    def take_snapshots(self) -> Iterator[Snapshot]:
        """Yield the snapshots of the moves since the last call, the oldest first. For one thread."""
        while self._pending:
            yield self._pending.popleft()


_RANDOM = SystemRandom()

_LOG = logging.getLogger(__name__)
_CLOSING_MESSAGE = "The program is ending; nothing was changed."
_FAULT_MESSAGE = "Something went wrong in the program; nothing was changed."


class Table:
    """A running table. Call its methods from any thread."""

    def __init__(
        self,
        core: TableCore,
        journal: Journal,
        clock: Clock,
        *,
        run: str,
        record_line: RecordLine | None = None,
        ask_sensors: Callable[[], object] = lambda: None,
    ) -> None:
        """Start with the state `core`.

        :param run: identifies this start of the program
        :param record_line: called with every input line, under the lock
        :param ask_sensors: requests a new report from the sensors; called under the lock, must not block
        """
        self._lock = threading.Condition(threading.RLock())
        self.is_closed = False
        self._move_subscribers: WeakSet[MoveSubscriber] = WeakSet()
        self.ask_sensors = ask_sensors
        self._core = core
        self._writer = JournalWriter(journal, core)
        self.clock = clock
        self.record_line = record_line
        self.opponent_hook = OpponentHook(self)
        self.snapshot = create_snapshot(core, number=1, run=run, moves=journal.move_count)
        with self._lock:
            self._timeline = InputTimeline(self, clock, clock())
            self.commit(on_tick(core, self._timeline.last_input_ms))
        self._ticker = Ticker(self, clock)
        self._ticker.start()

    @property
    def core(self) -> TableCore:
        """The present state, an immutable value."""
        return self._core

    @property
    def journal(self) -> Journal:
        """The journal of the moves."""
        return self._writer.journal

    def submit(self, move: Move, by: str = "phone") -> Snapshot:
        """Make a move, durable at return. Raises IllegalMove, or CompanionError after a fault, with nothing changed.

        An undo also takes back the answers of a computer player, each as an undo of its own.
        """
        with self._lock:
            answers = 0
            if isinstance(move, Undo):
                if self.opponent_hook.intercept_undo():
                    return self.snapshot
                answers = self.opponent_hook.count_answers()
            line = {"move": write_move(move)}
            for _ in range(answers):
                self.request(line, lambda core, now: inputs.on_move(core, move, by, now))
            return self.request(line, lambda core, now: inputs.on_move(core, move, by, now))

    def tap_card(self, code: str) -> Snapshot:
        """Apply a card tapped on a phone as if it were scanned. Raises BadCard, or as `submit`."""
        found, line = parse_card(code), {"scan": code, "tapped": True}
        return self.request(line, lambda core, now: inputs.on_card_tap(core, found, now))

    def on_scan(self, code: str, seat: int | None = None) -> None:
        """Apply a code that a reader saw; `seat` is that of the reader. A refusal becomes a notice."""
        if self.opponent_hook.intercept_scan(code, seat, self.clock()):
            return
        line = {"scan": code} if seat is None else {"scan": code, "seat": seat}
        self._handle_report(line, lambda core, now: inputs.on_scan(core, code, seat, now))

    def on_press(self, button: str) -> None:
        """Apply a button press; a press of `dice` throws two dice. A refusal becomes a notice."""
        throw = _RANDOM.randint(1, 6), _RANDOM.randint(1, 6)
        line = {"press": button, "dice": list(throw)} if button == "dice" else {"press": button}
        with self._lock:
            if button == "undo" and self.opponent_hook.intercept_undo():
                return
            answers = self.opponent_hook.count_answers() if button == "undo" else 0
            for _ in range(answers + 1):
                self._handle_report(line, lambda core, now: inputs.on_press(core, button, now, throw))

    def on_levels(self, bits: int, ms: int | None = None, known_ms: int | None = None) -> None:
        """Apply a sensor report. Call it in the order of the reports.

        :param bits: the levels of all holes at `ms`, hole 0 the lowest bit
        :param ms: time of the levels; None for now
        :param known_ms: time until which the previous levels were unchanged; None for `ms`
        """
        with self._lock:
            if self.is_closed:
                return
            self._timeline.on_levels(bits, ms, known_ms)
            self._lock.notify_all()

    def on_device(self, name: str, ok: bool, say: str, url: str = "") -> None:
        """Apply a device's status: `ok`, and a sentence `say` if it is not well."""

        def react(core: TableCore, now_ms: int) -> Transition:
            return inputs.on_device(core, name, now_ms, ok=ok, say=say, url=url)

        with self._lock:
            if name == "sensors":
                self._timeline.are_sensors_lost = False
            last_ms = self._timeline.last_input_ms
            at_ms = None if name != "sensors" else max(self.clock(), last_ms) if ok else last_ms
            self._handle_report({"device": name, "ok": ok}, react, at_ms)
            known = self._core.devices.get(name)
            if not self.is_closed and (known is None or (known.ok, known.say) != (ok, say)):
                # a device reports a status once, so store it although the journal failed or another game began
                self.commit(react(self._core, self.clock()))

    @property
    def trouble(self) -> str:
        """Why no move can be written now, as a sentence; empty if moves can be written."""
        return self._writer.trouble

    def switch_game(self, core: TableCore, game: int | None, enter: Callable[[TableCore], None]) -> Snapshot:
        """Switch to another game: a new one, or `game` of the journal. `enter` switches the devices, under the lock.

        The numbers of the snapshots continue. Raises JournalError with nothing changed.
        """
        with self._lock:
            if self.is_closed:
                raise IllegalMove(_CLOSING_MESSAGE)
            now_ms, old = max(self.clock(), self._timeline.last_input_ms), self._core
            try:
                self._writer.switch_game(core, game)
            except JournalError as error:
                self.report_error(error)
                raise
            self._core = core = replace(core, devices=old.devices, last_notice_id=old.last_notice_id)
            self._timeline.is_replaced = True
            self._timeline = InputTimeline(self, self.clock, now_ms)
            enter(core)
            snapshot = self.snapshot
            self.snapshot = create_snapshot(
                core, number=snapshot.number + 1, run=snapshot.run, moves=self.journal.move_count
            )
            self._record_start(now_ms)
            return self.commit(on_tick(core, now_ms))

    def set_players(self, profiles: PlayerProfiles) -> Snapshot:
        """Set the players' names and colours. Raises JournalError with nothing changed."""
        with self._lock:
            if self.is_closed:
                raise IllegalMove(_CLOSING_MESSAGE)
            core, old = replace(self._core, players=profiles), self.snapshot
            self._writer.save_players(core)
            self._core = core
            return self._publish(create_snapshot(core, number=old.number, run=old.run, moves=old.moves))

    def apply_settings(self, settings: Settings) -> Snapshot:
        """Apply new settings, and read the pegs again from their last known positions."""
        with self._lock:
            if self.is_closed:
                raise IllegalMove(_CLOSING_MESSAGE)
            now_ms = max(self.clock(), self._timeline.last_input_ms)
            self.commit(apply_settings(self._core, settings, now_ms))
            self._record_start(now_ms)
            self.ask_sensors()
            return self.snapshot

    def light_holes(self, holes: Iterable[str], for_ms: int) -> None:
        """Light these holes for `for_ms`, to test the lights."""
        with self._lock:
            effects = tuple(LightEffect("right", hole, self.clock() + for_ms) for hole in holes)
            self.commit(Transition(replace(self._core, light_effects=self._core.light_effects + effects)))

    def on_disk_fault(self, fault: str) -> None:
        """Set the fault of the journal's disk, empty for none. A new one becomes a notice; failed writes retry."""
        with self._lock:
            if self.is_closed:
                return
            with suppress(JournalError):
                if self._writer.on_disk_fault(self._core, fault):
                    self.report_error(JournalError(fault))
            if self.trouble != self.snapshot.trouble:
                self._publish(self.snapshot)

    def due_ms(self) -> int | None:
        """Return when a conclusion is due; None for never. Raises JournalError if the journal file is gone."""
        self.journal.check_file()
        return next_deadline_ms(self._core)

    def report_error(self, error: Exception) -> None:
        """Add a notice about an error for which no caller waits, unless it is the last notice and still applies."""
        with self._lock:
            say, source = (
                (error, "journal") if isinstance(error, JournalError) else (CompanionError(_FAULT_MESSAGE), "program")
            )
            if source == "program":
                self._log_fault(error)
            is_known = any(notice.say == str(say) for notice in self._core.notices[-1:])
            if not is_known or self.trouble != self.snapshot.trouble:
                if source == "journal":
                    _LOG.warning("%s", say)  # on the terminal
                self.commit(add_refusal(self._core, source, say))

    def add_notice(self, source: str, error: CompanionError) -> None:
        """Add a notice from `source` for everybody."""
        with self._lock:
            if not self.is_closed:
                self.commit(add_refusal(self._core, source, error))

    def subscribe(self) -> SnapshotSubscriber:
        """Return a new subscriber to the snapshots."""
        return SnapshotSubscriber(self)

    def subscribe_to_moves(self) -> MoveSubscriber:
        """Return a subscriber to the moves from now on. Drop the last reference to end it."""
        with self._lock:
            subscriber = MoveSubscriber()
            self._move_subscribers.add(subscriber)
            return subscriber

    def wait_for_snapshot(self, after: int, timeout_s: float) -> Snapshot | None:
        """Wait for a snapshot with a number above `after`; return None after `timeout_s` or on closing."""
        with self._lock:
            self._lock.wait_for(lambda: self.snapshot.number > after or self.is_closed, timeout_s)
            return self.snapshot if self.snapshot.number > after else None

    def locked(self) -> AbstractContextManager[object]:
        """Return a context manager that holds the table's lock, to read or change several things at once.

        The lock is reentrant. Do not wait for devices or the network while holding it.
        """
        return self._lock

    def wait_for_change(self, timeout_s: float) -> None:
        """Release the lock until the table changes, at most for `timeout_s`. Call it under the lock."""
        self._lock.wait(timeout_s)

    def is_responsive(self, timeout_s: float) -> bool:
        """Return whether the lock becomes free within `timeout_s`."""
        if not self._lock.acquire(timeout=timeout_s):
            return False
        self._lock.release()
        return True

    def close(self) -> None:
        """Stop the ticker, release all subscribers, close the journal. May be called twice."""
        with self._lock:
            self.is_closed = True
            self._lock.notify_all()
        self._ticker.join()
        with self._lock:
            self.journal.close()

    def _record_start(self, now_ms: int) -> None:
        """Record the lines that set up the table as it is now."""
        if self.record_line:
            for line in recording_start(self._core, self.journal.load_game(self.journal.game_id or 0).entries):
                self.record_line({"ms": now_ms, **line})

    def request(self, line: Mapping[str, Any], react: Callable[[TableCore, int], Transition]) -> Snapshot:
        """Apply an input whose caller gets the error. Raises CompanionError with nothing changed."""
        with self._lock:
            if self.is_closed:
                raise IllegalMove(_CLOSING_MESSAGE)
            timeline = self._timeline
            try:
                snapshot = self.handle(line, react)
            except JournalError as error:  # all players must know, not only the caller
                self.report_error(error)
                raise
            except IllegalMove as error:
                raise IllegalMove(self._core.insert_player_names(str(error))) from error
            except CompanionError:
                raise
            except Exception as error:
                self._log_fault(error)
                raise CompanionError(_FAULT_MESSAGE) from error
            if self.is_closed:  # meanwhile
                raise IllegalMove(_CLOSING_MESSAGE)
            if timeline.is_replaced:
                raise IllegalMove("Another game has begun; nothing was changed.")
            return snapshot

    def _handle_report(
        self, line: Mapping[str, Any], react: Callable[[TableCore, int], Transition], at_ms: int | None = None
    ) -> bool:
        """Apply a device's report, and return whether that succeeded. Errors become notices."""
        try:
            self.handle(line, react, at_ms)
        except Exception as error:  # an error here must not end the device's thread
            self.report_error(error)
            return False
        return True

    def _log_fault(self, error: Exception) -> None:
        """Log an internal error, and read the pegs again, since they may have caused it."""
        _LOG.error("An input has failed.", exc_info=error)
        with suppress(Exception):
            self.commit(reread_pegs(self._core, self.clock()))

    def handle(
        self, line: Mapping[str, Any], react: Callable[[TableCore, int], Transition], at_ms: int | None = None
    ) -> Snapshot:
        """Apply an input now, or at `at_ms`, a time up to which the pegs are known."""
        with self._lock:
            timeline = self._timeline
            now_ms = timeline.wait_until_known() if at_ms is None else at_ms
            if self.is_closed or timeline.is_replaced:  # a late report while the program or game ends
                return self.snapshot
            timeline.conclude_until(now_ms)
            if self.record_line:
                self.record_line({"ms": now_ms, **line})
            timeline.last_input_ms = now_ms
            return self.commit(react(self._core, now_ms))

    def commit(self, transition: Transition) -> Snapshot:
        """Write a transition to the journal, then publish it. Call it under the lock."""
        if transition.core is self._core and not transition.entries:
            return self.snapshot
        core, old = transition.core, self.snapshot
        moves = self.journal.move_count + sum(entry.kind == "move" for entry in transition.entries)
        # create the snapshot first: if this fails, nothing must be written
        new = create_snapshot(core, number=old.number, run=old.run, moves=moves)
        self._core = self._writer.commit(core, transition.entries)
        return self._publish(new)

    def _publish(self, new: Snapshot) -> Snapshot:
        new = replace(new, trouble=self.trouble)
        if new != self.snapshot:
            is_move, self.snapshot = new.moves > self.snapshot.moves, replace(new, number=new.number + 1)
            for subscriber in self._move_subscribers if is_move else ():
                subscriber.add_snapshot(self.snapshot)
        self._lock.notify_all()
        return self.snapshot
