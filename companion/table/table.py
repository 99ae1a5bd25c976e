"""The table: the one mutable object, with one lock and one writer. Changes are durable before they are published.

Every thread (server, devices, ticker) calls its methods. Each method runs a pure step (`companion.table.state`,
`companion.table.inputs`), writes the journal, and then publishes the next immutable snapshot. A fault in a step is
reported and changes nothing.

Inputs are ordered in time. Sensor reports arrive late but carry the time of their levels. Peg readings are applied only
up to the newest sensor timestamp; other inputs wait until the sensors have caught up.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from secrets import SystemRandom
from typing import Any, NamedTuple
from weakref import WeakSet

from companion.common.errors import CompanionError, IllegalMove, JournalError
from companion.common.snapshot import LightEffect, Snapshot
from companion.common.values import replace
from companion.i18n import format_message
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
    on_levels,
    on_tick,
    reread_pegs,
)
from companion.table.subscribers import MoveSubscriber, ScanInterceptor, SnapshotSubscriber

_RANDOM = SystemRandom()

_LOG = logging.getLogger(__name__)
_CLOSING_MESSAGE = "The program is ending; nothing was changed."
_FAULT_MESSAGE = "Something went wrong in the program; nothing was changed."

FILE_CHECK_INTERVAL_S = 2.0
"""Interval of the check that the journal file still exists."""
RETRY_INTERVAL_S = 1.0
"""Delay before a failed conclusion is tried again."""
INITIAL_ASK_INTERVAL_S = 0.02
"""Delay before the sensors are asked again for a report; it doubles each time up to `RETRY_INTERVAL_S`."""
MAX_LEVELS_WAIT_S = 0.3
"""How long other inputs wait for the sensors' report; after that the sensors count as lost."""
NO_LEVELS_MESSAGE = format_message("The board is not reporting its pegs.")

RecordLine = Callable[[Mapping[str, Any]], None]
"""Records an input line."""


class _PendingLevels(NamedTuple):
    bits: int
    ms: int
    known_ms: int


class _Timeline:
    """How far the inputs of one game have come in time.

    `last_ms` is the time of the last input: later ones are not placed before it. `known_ms` is the time up to which the
    levels are known. `are_sensors_lost` is set while the sensors' reports are too late to draw conclusions,
    `is_unread` from the beginning of another game to the first report, and `is_replaced` once another game has begun.
    """

    def __init__(self, from_ms: int) -> None:
        self.pending: deque[_PendingLevels] = deque()
        self.last_ms = self.known_ms = from_ms
        self.are_sensors_lost = self.is_unread = self.is_replaced = False


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
        has_ticker: bool = True,
    ) -> None:
        """Start with the state `core`.

        :param run: identifies this start of the program
        :param record_line: called with every input line, under the lock
        :param ask_sensors: requests a new report from the sensors; called under the lock, must not block
        :param has_ticker: start a thread that calls `tick`; without it the caller does
        """
        self._lock = threading.Condition(threading.RLock())
        self.is_closed = False
        self._move_subscribers: WeakSet[MoveSubscriber] = WeakSet()
        self.ask_sensors = ask_sensors
        self._core = core
        self._writer = JournalWriter(journal, core)
        self.clock = clock
        self.record_line = record_line
        self.interceptor = ScanInterceptor()
        """The computer player; the default one takes nothing."""
        self.snapshot = create_snapshot(core, number=1, run=run, moves=journal.move_count)
        self._timeline = _Timeline(clock())
        self._asked_ms, self._ask_interval_s = -1, INITIAL_ASK_INTERVAL_S
        with self._lock:
            self._commit(on_tick(core, self._timeline.last_ms))
        self._ticker = threading.Thread(target=self._run_ticker, name="table-ticker", daemon=True)
        if has_ticker:
            self._ticker.start()

    @property
    def core(self) -> TableCore:
        """The present state, an immutable value."""
        return self._core

    @property
    def journal(self) -> Journal:
        return self._writer.journal

    def submit(self, move: Move, by: str = "phone") -> Snapshot:
        """Make a move, durable at return. Raises IllegalMove, or CompanionError after a fault, with nothing changed.

        An undo also takes back the answers of a computer player, each as an undo of its own.
        """
        with self._lock:
            is_undo = isinstance(move, Undo)
            if is_undo and self._intercept_undo():
                return self.snapshot
            answers = self.interceptor.count_answers() if is_undo else 0
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
        if self._intercept_scan(code, seat, self.clock()):
            return
        line = {"scan": code} if seat is None else {"scan": code, "seat": seat}
        self._handle_report(line, lambda core, now: inputs.on_scan(core, code, seat, now))

    def _intercept_scan(self, code: str, reader: int | None, now_ms: int) -> bool:
        """Return whether the scan was a hidden card of the computer player, which is neither published nor recorded."""
        with self._lock:
            if self.is_closed:
                return False
            after, is_new = inputs.record_sighting(self._core, code, reader, now_ms)
            try:
                if not self.interceptor.intercept_scan(code, is_new=is_new):
                    return False
                done = Transition(inputs.remove_card_notices(self._core))
            except CompanionError as error:
                done = add_refusal(self._core, "cards", error)
            self._commit(done._replace(core=replace(done.core, sightings=after.sightings)))
            return True

    def _intercept_undo(self) -> bool:
        """Return whether the undo took back a hidden card of the computer player instead of a move."""
        return not self.is_closed and self.interceptor.intercept_undo()

    def set_remark(self, sentence: str) -> None:
        """Show this remark of the computer player on every page; empty removes it."""
        with self._lock:
            if sentence != self._core.remark and not self.is_closed:
                self._commit(Transition(replace(self._core, remark=sentence)))

    def on_press(self, button: str) -> None:
        """Apply a button press; a press of `dice` throws two dice. A refusal becomes a notice."""
        throw = _RANDOM.randint(1, 6), _RANDOM.randint(1, 6)
        line = {"press": button, "dice": list(throw)} if button == "dice" else {"press": button}
        with self._lock:
            if button == "undo" and self._intercept_undo():
                return
            answers = self.interceptor.count_answers() if button == "undo" else 0
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
            timeline, ms = self._timeline, self.clock() if ms is None else ms
            timeline.pending.append(_PendingLevels(bits, ms, ms if known_ms is None else known_ms))
            while timeline.pending:
                try:
                    self._apply_levels(timeline, timeline.pending[0])
                except Exception as error:
                    self.report_error(error)
                    if isinstance(error, JournalError):
                        break  # keep this and later reports until the journal can be written
                timeline.pending.popleft()
            self._lock.notify_all()

    def _apply_levels(self, timeline: _Timeline, levels: _PendingLevels) -> None:
        """Apply levels at their own time, after all conclusions that the previous levels made due before it."""
        ms = max(levels.ms, timeline.last_ms)
        timeline.is_unread = False
        timeline.known_ms = max(timeline.known_ms, min(levels.known_ms, ms))
        self._conclude_until(timeline, timeline.known_ms)
        due = next_deadline_ms(self._core)
        if due is not None and due <= ms and not timeline.are_sensors_lost:
            self._set_sensors_lost(timeline, timeline.last_ms)  # these levels may be older or newer than the conclusion
        if timeline.are_sensors_lost:
            self._set_sensors_lost(timeline, ms, is_lost=False)
        timeline.known_ms = max(timeline.known_ms, min(levels.known_ms, ms))
        self._handle({"holes": f"{levels.bits:x}"}, lambda core, now: on_levels(core, levels.bits, now), ms)

    def _set_sensors_lost(self, timeline: _Timeline, ms: int, *, is_lost: bool = True) -> None:
        """Treat the sensors as lost until their next report, so that old levels lead to no conclusion."""
        say = NO_LEVELS_MESSAGE if is_lost else ""
        line = {"device": "sensors", "ok": not is_lost}
        self._handle(line, lambda core, now: inputs.on_device(core, "sensors", now, ok=not is_lost, say=say), ms)
        timeline.are_sensors_lost = is_lost

    def _wait_until_known(self) -> int:
        """Return the time of an input that happens now, after waiting until the levels are known up to it."""
        timeline, now_ms, give_up_s = self._timeline, self.clock(), time.monotonic() + MAX_LEVELS_WAIT_S
        while timeline.known_ms < now_ms and next_deadline_ms(self._core) is not None and not timeline.is_replaced:
            if self.is_closed:
                break
            if time.monotonic() >= give_up_s:
                self._set_sensors_lost(timeline, timeline.last_ms)
                break
            self.ask_sensors()
            self.wait_for_change(INITIAL_ASK_INTERVAL_S)
        return max(now_ms, timeline.last_ms)

    def _conclude_until(self, timeline: _Timeline, until_ms: int) -> None:
        """Draw all conclusions due by `until_ms` for which levels are known, each at its own time, as in recordings."""
        while (due := next_deadline_ms(self._core)) is not None and due <= min(until_ms, timeline.known_ms):
            timeline.last_ms = max(due, timeline.last_ms)
            if self.record_line:  # so that a recording that ends here includes the last conclusion
                self.record_line({"ms": timeline.last_ms, "tick": True})
            self._commit(on_tick(self._core, timeline.last_ms))

    def _run_ticker(self) -> None:
        with self._lock:
            while not self.is_closed:
                self.wait_for_change(self.tick())

    def tick(self) -> float:
        """Ask the sensors for a report if a conclusion is due. Return after how many seconds to call it again."""
        with self._lock:
            try:
                self.journal.check_file()
                due, now_ms = next_deadline_ms(self._core), self.clock()
                if due is None or due > now_ms:
                    return FILE_CHECK_INTERVAL_S if due is None else min((due - now_ms) / 1000, FILE_CHECK_INTERVAL_S)
                repeat_s = min(2 * self._ask_interval_s, RETRY_INTERVAL_S)
                self._ask_interval_s = repeat_s if due == self._asked_ms else INITIAL_ASK_INTERVAL_S
                self._asked_ms = due
                self.ask_sensors()
            except Exception as error:  # the conclusion stays due, for example until a full disk is emptied
                self.report_error(error)
                return RETRY_INTERVAL_S
            return self._ask_interval_s

    def on_device(self, name: str, ok: bool, say: str, url: str = "") -> None:
        """Apply a device's status: `ok`, and a sentence `say` if it is not well."""

        def react(core: TableCore, now_ms: int) -> Transition:
            return inputs.on_device(core, name, now_ms, ok=ok, say=say, url=url)

        with self._lock:
            if name == "sensors":
                self._timeline.are_sensors_lost = False
            last_ms = self._timeline.last_ms
            at_ms = None if name != "sensors" else max(self.clock(), last_ms) if ok else last_ms
            self._handle_report({"device": name, "ok": ok}, react, at_ms)
            known = self._core.devices.get(name)
            if not self.is_closed and (known is None or (known.ok, known.say) != (ok, say)):
                # a device reports a status once, so store it although the journal failed or another game began
                self._commit(react(self._core, self.clock()))

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
            now_ms, old = max(self.clock(), self._timeline.last_ms), self._core
            try:
                self._writer.switch_game(core, game)
            except JournalError as error:
                self.report_error(error)
                raise
            self._core = core = replace(core, devices=old.devices, last_notice_id=old.last_notice_id)
            self._timeline.is_replaced = True
            self._timeline = _Timeline(now_ms)
            self._timeline.is_unread = True
            enter(core)
            shown, moves = self.snapshot, self.journal.move_count
            self.snapshot = self._complete(create_snapshot(core, number=shown.number + 1, run=shown.run, moves=moves))
            self._record_start(now_ms)
            return self._commit(on_tick(core, now_ms))

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
            now_ms = max(self.clock(), self._timeline.last_ms)
            self._commit(apply_settings(self._core, settings, now_ms))
            self._record_start(now_ms)
            self.ask_sensors()
            return self.snapshot

    def light_holes(self, holes: Iterable[str], for_ms: int) -> None:
        """Light these holes for `for_ms`, to test the lights."""
        with self._lock:
            effects = tuple(LightEffect("right", hole, self.clock() + for_ms) for hole in holes)
            self._commit(Transition(replace(self._core, light_effects=self._core.light_effects + effects)))

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
                self._commit(add_refusal(self._core, source, say))

    def add_notice(self, source: str, error: CompanionError) -> None:
        """Add a notice from `source` for everybody."""
        with self._lock:
            if not self.is_closed:
                self._commit(add_refusal(self._core, source, error))

    def subscribe(self) -> SnapshotSubscriber:
        return SnapshotSubscriber(self.wait_for_snapshot)

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
        if self._ticker.is_alive():
            self._ticker.join(2)
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
                snapshot = self._handle(line, react)
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
    ) -> None:
        """Apply a device's report. Errors become notices: they must not end the device's thread."""
        try:
            self._handle(line, react, at_ms)
        except Exception as error:
            self.report_error(error)

    def _log_fault(self, error: Exception) -> None:
        """Log an internal error, and read the pegs again, since they may have caused it."""
        _LOG.error("An input has failed.", exc_info=error)
        with suppress(Exception):
            self._commit(reread_pegs(self._core, self.clock()))

    def _handle(
        self, line: Mapping[str, Any], react: Callable[[TableCore, int], Transition], at_ms: int | None = None
    ) -> Snapshot:
        """Apply an input now, or at `at_ms`, a time up to which the pegs are known."""
        with self._lock:
            timeline = self._timeline
            now_ms = self._wait_until_known() if at_ms is None else at_ms
            if self.is_closed or timeline.is_replaced:  # a late report while the program or game ends
                return self.snapshot
            self._conclude_until(timeline, now_ms)
            if self.record_line:
                self.record_line({"ms": now_ms, **line})
            timeline.last_ms = now_ms
            return self._commit(react(self._core, now_ms))

    def _commit(self, transition: Transition) -> Snapshot:
        """Write a transition to the journal, then publish it. Call it under the lock."""
        if transition.core is self._core and not transition.entries:
            return self.snapshot
        core, old = transition.core, self.snapshot
        moves = self.journal.move_count + sum(entry.kind == "move" for entry in transition.entries)
        # create the snapshot first: if this fails, nothing must be written
        new = create_snapshot(core, number=old.number, run=old.run, moves=moves)
        self._core = self._writer.commit(core, transition.entries)
        return self._publish(new)

    def _complete(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with why no move can be written; no peg of a game is missing before it was read once."""
        found = snapshot.advice
        advice = tuple(a for a in found if a.kind != "set_up") if self._timeline.is_unread else found
        return replace(snapshot, trouble=self.trouble, advice=advice)

    def _publish(self, new: Snapshot) -> Snapshot:
        new = self._complete(new)
        if new != self.snapshot:
            is_move, self.snapshot = new.moves > self.snapshot.moves, replace(new, number=new.number + 1)
            for subscriber in self._move_subscribers if is_move else ():
                subscriber.add_snapshot(self.snapshot)
        self._lock.notify_all()
        return self.snapshot
