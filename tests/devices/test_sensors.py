"""Hole sensors over the real serial driver on a pty, and over the simulated cable."""

import os
import threading

import pytest

from companion.common.errors import DeviceError
from companion.devices.sensors import open_sensors
from firmware import wire
from tests.support.received import clock as now_ms
from tests.support.waiting import PATIENCE_S, wait_until


class Table:
    """Records what sensors report, and waits for it with a generous timeout."""

    def __init__(self):
        self.bits = []
        self.told = []
        self._news = threading.Condition()

    def seen(self, bits, ms, known_ms):
        assert known_ms <= ms
        with self._news:
            self.bits.append(bits)
            self._news.notify_all()

    @property
    def changes(self):
        """The reported levels without repetitions."""
        return [bits for bits, before in zip(self.bits, [None, *self.bits], strict=False) if bits != before]

    def status(self, ok, say):
        with self._news:
            self.told.append((ok, say))
            self._news.notify_all()

    def until(self, fact):
        with self._news:
            assert self._news.wait_for(lambda: fact(self), PATIENCE_S), (self.bits[-5:], self.told)

    def until_bits(self, bits):
        self.until(lambda table: table.bits and table.bits[-1] == bits)

    def until_told(self, ok, say):
        self.until(lambda table: table.told and table.told[-1][0] == ok and say in table.told[-1][1])


class Pty:
    """A cable whose far end is the test; its path stays the same after replugging."""

    def __init__(self, path):
        self.path = path
        self.number, self.clock = 0, now_ms
        self.plug()

    def plug(self):
        self.board, self._far = os.openpty()
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._far))

    def pull(self):
        self.path.unlink()
        os.close(self._far)
        os.close(self.board)

    def say(self, *lines):
        os.write(self.board, b"".join(lines))

    def hello(self, holes):
        return wire.encode_hello(holes, "0.1.0", "e66")

    def line(self, bits, holes):
        self.number += 1
        return wire.encode_holes(self.number, self.clock(), bits, holes)

    def asked(self):
        """Wait until the companion has opened the line and sent its request. Earlier bytes are lost."""
        return os.read(self.board, 100)


@pytest.fixture
def cable(tmp_path):
    return Pty(tmp_path / "ttyACM0")


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def open_board():
    all_opened = []

    def open_and_start(url, holes, table, clock=now_ms, **more):
        sensors = open_sensors(url, holes, clock, **more)
        all_opened.append(sensors)
        sensors.start(table.seen, table.status)
        return sensors

    yield open_and_start
    for sensors in all_opened:
        sensors.close()
        sensors.close()


@pytest.fixture
def connect(cable, table, open_board):
    """Opens sensors of eight holes, and lets the board greet them with a peg in hole 0."""

    def open_and_greet(clock=now_ms):
        sensors = open_board(f"serial:{cable.path}?baud=115200", 8, table, clock=clock)
        cable.asked()
        cable.say(cable.hello(8), cable.line(1, 8))
        table.until_bits(1)
        return sensors

    return open_and_greet


# A board on a serial cable.


def test_a_board_is_asked_at_once_and_its_holes_arrive_as_bits(cable, table, open_board):
    open_board(f"serial:{cable.path}", 125, table)
    assert cable.asked() == wire.ASK
    cable.say(cable.hello(125), cable.line(1 << 124, 125), cable.line(3, 125))
    table.until_bits(3)
    assert table.changes == [1 << 124, 3]
    table.until(lambda table: table.told == [(True, "")])


def test_the_levels_of_a_found_board_come_before_and_after_its_status(cable, table, open_board):
    """Before, or old levels would count for a moment; after, because levels only count then."""
    heard = []
    sensors = open_sensors(f"serial:{cable.path}", 8, now_ms)
    sensors.start(lambda bits, *at: (heard.append(bits), table.seen(bits, *at)), lambda ok, _: heard.append(ok))
    cable.asked()
    cable.say(cable.hello(8), cable.line(6, 8), cable.line(7, 8))
    table.until_bits(7)
    sensors.close()
    assert heard == [6, True, 6, 7]


def test_noise_broken_checksums_and_half_lines_are_counted_and_change_nothing(cable, table, connect):
    sensors = connect()
    good = wire.encode_holes(99, 0, 2, 8)
    half, hit, last = good[:5], cable.line(4, 8), cable.line(8, 8)
    cable.say(b"\x00\xff\x11\x13\n", good.replace(b" 02*", b" 03*"), half, hit, last)
    assert cable.asked() == wire.encode_ask(2)
    cable.say(hit, last)
    table.until_bits(8)
    assert table.changes == [1, 4, 8]
    table.until(lambda table: table.told == [(True, "")])
    cable.say(b"?*?\n", cable.line(1, 8))
    table.until_bits(1)
    assert sensors.dropped_lines >= 3


def test_a_missing_line_is_requested_and_its_changes_come_in_their_place(cable, table, connect):
    connect()
    lost, last = cable.line(0, 8), cable.line(1, 8)
    cable.say(last)
    assert cable.asked() == wire.encode_ask(2)
    cable.say(last, lost, last)
    table.until_bits(1)
    table.until(lambda table: table.changes == [1, 0, 1])
    table.until(lambda table: table.told == [(True, "")])


def test_a_line_that_never_comes_makes_the_board_read_all_levels_again(cable, table, connect):
    connect()
    cable.line(0, 8)
    cable.say(cable.line(3, 8))
    table.until_bits(3)
    assert [ok for ok, _ in table.told] == [True, False, True]
    assert table.told[1][1] == "Some messages from the board were lost. Reading all pegs again."


def test_a_slow_table_changes_no_time_at_which_a_peg_was_seen(cable):
    busy, seen, heard, now = threading.Event(), [], [], [1000]
    cable.clock = lambda: now[0]
    sensors = open_sensors(f"serial:{cable.path}", 8, cable.clock)
    sensors.add_listener(heard.append)
    sensors.start(lambda bits, ms, _: (busy.wait(PATIENCE_S), seen.append((bits, ms))), lambda *_: None)
    cable.asked()
    cable.say(cable.hello(8))
    for bits in (1, 2, 3):
        cable.say(cable.line(bits, 8))
        wait_until(lambda bits=bits: len(heard) == 1 + bits)  # the greeting comes first
        now[0] += 200
    now[0] += 5000
    busy.set()
    wait_until(lambda: [bits for bits, _ in seen] == [1, 1, 2, 3])
    assert [ms for _, ms in seen[1:]] == [1000, 1200, 1400]
    sensors.close()


def test_the_board_may_be_asked_for_its_next_line_at_any_time(cable, connect):
    sensors = connect()
    sensors.request_levels()
    assert cable.asked() == wire.encode_ask(2)


def test_a_board_of_wire_1_is_read_and_said_to_promise_less(cable, table, open_board):
    """A line of protocol 1 confirms the levels before it only up to the last empty moment."""
    old = "The board uses protocol version 1. It works, but lost messages go unnoticed. Update it with companion flash."
    sensors = open_board(f"serial:{cable.path}", 8, table)
    cable.asked()
    cable.say(b"N 1 8*bbaa\nH 05*8a3a\n")
    table.until_bits(5)
    table.until(lambda table: table.told == [(True, old)])
    sensors.request_levels()
    assert cable.asked() == wire.ASK
    cable.say(b"N 1 8*bbaa\nH 00*da9f\n")
    table.until_bits(0)
    table.until(lambda table: table.told == [(True, old)])


def test_holes_are_not_believed_before_the_board_has_said_what_it_is(cable, table, open_board):
    open_board(f"serial:{cable.path}", 8, table)
    cable.asked()
    cable.say(cable.line(7, 8), cable.hello(8), cable.line(1, 8))
    table.until_bits(1)
    assert table.changes == [1]


def test_holes_beyond_the_board_are_not_believed(cable, table, open_board):
    open_board(f"serial:{cable.path}", 4, table)
    cable.asked()
    cable.say(cable.hello(4), cable.line(0x1F, 8), cable.line(0x0F, 4))
    table.until_bits(0x0F)
    assert table.changes == [0x0F]


def test_an_unplugged_cable_is_reported_and_a_replugged_one_is_found(cable, table, connect):
    connect()
    cable.pull()
    table.until_told(False, "Check the cable.")
    cable.plug()
    assert cable.asked() == wire.ASK
    cable.say(cable.hello(8), cable.line(6, 8))
    table.until_bits(6)
    table.until_told(True, "")


def test_a_board_not_there_at_the_start_is_waited_for(cable, table, open_board):
    cable.pull()
    open_board(f"serial:{cable.path}", 8, table)
    table.until_told(False, f"Cannot find {cable.path}. Check the cable.")
    cable.plug()
    cable.asked()
    cable.say(cable.hello(8), cable.line(1, 8))
    table.until_told(True, "")


def test_three_seconds_of_silence_are_a_pulled_cable(cable, table, connect):
    clock = [0]
    cable.clock = lambda: clock[0]
    sensors = connect(clock=cable.clock)
    clock[0] = 2900
    cable.say(cable.line(2, 8))
    table.until_bits(2)
    clock[0] = 5800
    cable.say(cable.line(3, 8))
    table.until_bits(3)
    table.until(lambda table: table.told == [(True, "")])
    clock[0] = 8900
    table.until_told(False, "No message from the board for 3 seconds. Check its cable.")
    assert sensors.dropped_lines == 0
    cable.asked()
    cable.say(cable.hello(8), cable.line(4, 8))
    table.until_told(True, "")
    table.until_bits(4)


def test_noise_alone_is_no_sign_of_life(cable, table, open_board):
    clock = [0]
    sensors = open_board(f"serial:{cable.path}?baud=9600", 8, table, clock=lambda: clock[0])
    cable.asked()
    cable.say(b"\x80\x00\xfe\n" * 3)
    wait_until(lambda: sensors.dropped_lines)
    clock[0] = 3100
    table.until_told(False, "Cannot understand the board.")
    assert True not in [ok for ok, _ in table.told]
    assert cable.asked() == wire.ASK


def test_a_learning_program_is_no_board(cable, table, open_board):
    """A Pico that still has it reports inputs in the order of the wires: a table never reads them as holes."""
    open_board(f"serial:{cable.path}", 64, table, board={"board": "loop-60"})
    cable.asked()
    cable.say(wire.encode_hello(64, "0.1.0", "e66", "learn"), cable.line(1, 64))
    table.until_told(False, "The Pico still has the program that learns the wiring. Run companion flash for loop-60.")
    assert table.bits == []


def test_its_wizard_reads_a_learning_program_only(cable, table, open_board):
    open_board(f"serial:{cable.path}", 64, table, board={"board": "learn"})
    cable.asked()
    cable.say(wire.encode_hello(64, "0.1.0", "e66", "loop-60"), cable.line(1, 64))
    table.until_told(
        False, "The Pico does not have the program that learns the wiring. Run companion learn again with --flash."
    )
    assert table.bits == []
    cable.say(wire.encode_hello(64, "0.1.0", "e66", "learn"), cable.line(1, 64))
    table.until_bits(1)


def test_a_board_with_another_number_of_holes_is_reported_and_ignored(cable, table, open_board):
    open_board(f"serial:{cable.path}", 369, table)
    cable.asked()
    cable.say(cable.hello(64), cable.line(1, 64))
    table.until_told(False, "The connected board has 64 holes; this game's board has 369.")
    cable.say(b"N 3 369*%04x\n" % wire.crc16(b"N 3 369"), cable.line(1, 369))
    table.until_told(
        False, "The board uses protocol version 3, the companion version 2. Update the board with companion flash."
    )
    assert table.changes == []
    cable.say(cable.hello(369), cable.line(1, 369))
    table.until_bits(1)
    table.until_told(True, "")


# A simulated board: the shipped firmware at the end of a simulated cable.


def test_a_simulated_board_tells_its_first_pegs_and_each_move(table, open_board):
    board = open_board("sim:", 369, table, occupied=0b11)
    table.until_bits(0b11)
    board.move_pegs(place=1 << 368)
    table.until_bits(1 << 368 | 0b11)
    board.move_pegs(lift=1)
    table.until_bits(1 << 368 | 0b10)
    board.move_pegs(lift=-1, place=0b1100)
    table.until_bits(0b1100)
    board.move_pegs(lift=0b100, place=0b1)
    table.until_bits(0b1001)
    assert board.occupied_holes() == 0b1001
    table.until(lambda table: table.told == [(True, "")])


def test_each_move_of_a_simulated_peg_is_reported_once_and_in_order(table, open_board):
    board = open_board("sim:", 8, table)
    table.until_bits(0)
    for turn in range(20):
        board.move_pegs(lift=-1, place=turn + 1)
        table.until(lambda table, bits=turn + 1: table.bits[-1] == bits)
    assert [bits for place, bits in enumerate(table.bits) if bits not in table.bits[:place]] == list(range(21))


def test_pegs_moved_with_the_cable_out_are_read_on_return(table, open_board):
    board = open_board("sim:", 8, table, occupied=1)
    table.until_bits(1)
    board.set_plugged(False)
    table.until_told(False, "The board's cable is unplugged.")
    before = len(table.bits)
    board.move_pegs(place=1 << 7)
    assert len(table.bits) == before
    board.set_plugged(True)
    table.until_bits(0x81)
    table.until(lambda table: [ok for ok, _ in table.told] == [True, False, True])


def test_pegs_may_be_moved_before_the_start_and_after_the_end(table):
    board = open_sensors("sim:", 8, now_ms, occupied=1)
    board.move_pegs(place=1 << 1)
    board.start(table.seen, table.status)
    table.until_bits(0b11)
    board.close()
    board.move_pegs(place=1 << 2)
    assert board.occupied_holes() == 0b111


def test_many_hands_at_once_lose_no_peg(table, open_board):
    board = open_board("sim:", 64, table)

    def place(own):
        for n in range(8):
            board.move_pegs(place=1 << (own * 8 + n))

    hands = [threading.Thread(target=place, args=(own,)) for own in range(8)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    table.until_bits((1 << 64) - 1)


def test_a_hole_the_board_does_not_have_is_refused(table, open_board):
    board = open_board("sim:", 8, table)
    with pytest.raises(DeviceError, match="holes 0 to 7"):
        board.move_pegs(place=1 << 8)
    with pytest.raises(DeviceError, match="holes 0 to 7"):
        open_sensors("sim:", 8, now_ms, occupied=256)
    assert board.occupied_holes() == 0
