"""A board, its cable, the companion and hands in simulated time, with switchable faults.

Uses the shipped firmware node, board session and table. Only the threads between them are simulated, by milliseconds.
"""

import threading
from collections import deque
from random import Random

from companion.devices.board_session import BoardSession
from companion.journal.journal import Journal
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core, next_deadline_ms
from companion.table.table import Table
from firmware import wire
from firmware.chain import plain_board
from firmware.node import Node

BUFFER_BYTES = 4096
"""Size of the serial port's buffer of unread bytes; further bytes are lost."""

REQUEST_INTERVAL_MS = 20


class Evening:
    """A game of pegs only. `run(ms)` lets time pass; attributes switch faults on."""

    def __init__(self, path, seed=0, wire_1=False):
        made = create_plan("pegs-only")
        self.by_id = made.board.by_id
        self.holes = len(made.board.holes)
        self.random = Random(seed)
        self.now_ms, self.companion_ms = 1000, self.random.randrange(10**6)
        self.stopped = self.busy = False
        self.fsync_ms = 0
        self.spoil = lambda line: [(0, line)]
        self.record = []
        self._wire_1 = wire_1
        self._line, self._buffer, self._calls = [], b"", deque()
        self._asked_ms = self._empty_ms = 0
        self._said = None
        self._acts = []
        self._me = threading.current_thread()
        self._run_ms = self.random.randrange(wire.COUNTER_MASK)
        journal = Journal(path)
        journal.begin_game(made.journal_json)
        core = create_core(made, Settings())
        self.contacts = core.course.resting_holes()
        self.node = Node(plain_board(self.holes), lambda: self.contacts, self._send_line, "e66")
        write = journal.write

        def slow(entries, pegs=None):
            write(entries, pegs)
            if self.fsync_ms and (entries or pegs is not None) and not self.busy:
                self.busy = True
                self.run(self.fsync_ms)
                self.busy = False

        journal.write = slow
        self.table = Table(core, journal, self.clock, run="test", record_line=self.record.append, ask_sensors=self._ask)
        self.table.on_device("sensors", False, "Not yet seen.", "serial:")
        self.session, self._decoder = BoardSession(self.holes, self, self._on_levels, self), wire.Decoder()
        self.write(wire.ASK)

    def clock(self):
        return self.now_ms + self.companion_ms

    # The hands of the players.

    def schedule(self, ms, *, lift=None, place=None):
        """Lift or place a peg `ms` from now."""
        self._acts.append((self.now_ms + ms, lift, place))

    def run(self, ms):
        """Time passes."""
        for _ in range(ms):
            self.now_ms += 1
            for act in [act for act in self._acts if act[0] <= self.now_ms]:
                self._acts.remove(act)
                self._move(*act[1:])
            self.node.step(self.now_ms + self._run_ms & wire.COUNTER_MASK)
            self._deliver_lines()
            if not self.stopped:
                self._read()
                if not self.busy:
                    self._run_callbacks()

    def _move(self, lift, place):
        if lift:
            self.contacts &= ~(1 << self.by_id[lift].bit)
        if place:
            self.contacts |= 1 << self.by_id[place].bit

    # The cable.

    def _send_line(self, data):
        if self._wire_1:
            data = b"".join(_as_wire_1(line) for line in data.splitlines(keepends=True))
        for later_ms, line in self.spoil(data):
            self._line.append((self.now_ms + 1 + later_ms, line))

    def _deliver_lines(self):
        for due in [due for due in self._line if due[0] <= self.now_ms]:
            self._line.remove(due)
            self._buffer = (self._buffer + due[1])[:BUFFER_BYTES]

    def write(self, data):
        self.node.receive_data(data)

    # The companion's threads.

    def _ask(self):
        if threading.current_thread() is self._me:  # the table's own ticker is played below
            self.session.request_levels()
            self.run(5)

    def _read(self):
        now_ms = self.clock()
        if not self._buffer:
            self._empty_ms = now_ms
        data, self._buffer = self._buffer, b""
        for message in self._decoder.feed(data):
            self.session.on_message(message, now_ms, self._empty_ms)
        self.session.request_missing(now_ms)

    def _on_levels(self, *seen):
        self._calls.append((self.table.on_levels, seen))

    def report_ok(self, say=""):
        self._report_status(True, say)

    def report_fault(self, say):
        self._report_status(False, say)

    def _report_status(self, ok, say):
        if self._said != (ok, say):
            self._said = ok, say
            self._calls.append((self.table.on_device, ("sensors", ok, say)))

    def _run_callbacks(self):
        while self._calls:
            function, args = self._calls.popleft()
            function(*args)
        due = next_deadline_ms(self.table.core)
        if due is not None and due <= self.clock() and self.now_ms - self._asked_ms >= REQUEST_INTERVAL_MS:
            self._asked_ms = self.now_ms
            self.session.request_levels()

    def close(self):
        self.table.close()

    @property
    def claims(self):
        """All moves in the journal, as seat and points."""
        journal = self.table.journal
        moves = [
            written.entry.body for written in journal.read_entries(journal.game_id) if written.entry.kind == "move"
        ]
        return [(move.get("seat"), move.get("points")) if move["type"] == "peg" else move for move in moves]


def _as_wire_1(line):
    """Translate a line to protocol version 1, which repeats levels only with the hello."""
    kind, _, rest = line.partition(b" ")
    if kind == b"N":
        holes = next(f for f in rest.split(b"*")[0].split() if f.startswith(b"holes="))
        body = b"N 1 " + holes.partition(b"=")[2]
    else:
        body = b"H " + rest.partition(b"*")[0].split()[-1]
    return body + b"*%04x\n" % wire.crc16(body)
