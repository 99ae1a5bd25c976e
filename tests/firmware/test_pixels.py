"""The strip's frames on the board, under CPython and under MicroPython: plain asserts, nothing but the firmware."""

from binascii import crc32

from firmware import wire
from firmware.node import REPORT_INTERVAL_MS, SCAN_INTERVAL_MS, SESSION_TIMEOUT_MS, Node
from firmware.pixels import CHUNK_BYTES, DARK_CHECKSUM, FrameBuffer
from firmware.wire import Decoder, Hello, Lit

BOARD = {"chain": ["a", "b"], "pixels": ["a", "b", None]}


class Strip:
    """A strip that keeps the shown bytes and is busy for a given number of frames."""

    def __init__(self):
        self.shown = []
        self.busy = 0

    def show(self, data):
        if self.busy:
            self.busy -= 1
            return False
        self.shown.append(bytes(data))
        return True


def check(data):
    return f"{crc32(data):08x}"


def frame(data):
    chunks = [wire.encode_paint(at, data[at : at + CHUNK_BYTES]) for at in range(0, len(data), CHUNK_BYTES)]
    return b"".join(chunks) + wire.encode_show(len(data), check(data))


DATA = bytes(range(9))


class Board:
    def __init__(self, board=BOARD, ms=50):
        self.strip, self.sent, self.decoder, self.now_ms = Strip(), [], Decoder(), 0
        self.contacts = 0
        self.node = Node(board, lambda: self.contacts, self.sent.append, "e66", self.strip)
        self.first = self.run(ms)

    def receive(self, data, ms=1):
        self.node.receive_data(data)
        return self.run(ms)

    def run(self, ms):
        for _ in range(ms):
            self.now_ms += 1
            self.node.step(self.now_ms)
        told = self.decoder.feed(b"".join(self.sent))
        self.sent.clear()
        assert self.decoder.bad_lines == 0
        return told


def lit(told):
    return [message.check for message in told if isinstance(message, Lit)]


def test_a_whole_frame_is_shown_and_reported():
    board, data = Board(), DATA
    lines = frame(data)
    for place in range(len(lines) - 1):
        assert lit(board.receive(lines[place : place + 1])) == []
    assert board.strip.shown == []
    assert lit(board.receive(lines[-1:])) == [check(data)]
    assert board.strip.shown == [data]


def test_the_pixels_go_out_when_the_companion_is_gone():
    for bye, wait_ms in ((wire.BYE, 20), (b"", SESSION_TIMEOUT_MS + 20)):
        board = Board(BOARD)
        board.node.receive_data(wire.ASK + frame(bytes(range(9))))
        board.run(20)
        board.node.receive_data(bye)
        for _ in range(wait_ms):
            board.run(1)
            board.node.has_session(board.now_ms)
        assert board.strip.shown == [bytes(range(9)), bytes(12)]
        board.node.receive_data(wire.ASK + frame(bytes(range(9))))
        assert lit(board.run(20))[-1:] == [check(bytes(range(9)))]


def test_a_frame_waits_while_levels_change():
    board, data = Board(), DATA
    board.contacts = 1
    while not board.node.is_changing():
        board.run(1)
    board.node.receive_data(frame(data))
    while board.node.is_changing():
        assert board.strip.shown == []
        board.run(1)
    assert board.node.reported_levels == 1
    board.run(1)
    assert board.strip.shown == [data]


def test_flapping_contacts_do_not_delay_lights():
    board, shown = Board(), 0
    for number in range(40):
        data = bytes([number] * 9)
        board.node.receive_data(frame(data))
        for _ in range(5):
            board.contacts = 2 if board.contacts == 1 else 1
            board.run(SCAN_INTERVAL_MS)
        shown += board.strip.shown[-1:] == [data]
    assert shown == 40


def test_only_changes_of_a_frame_need_come():
    board, data = Board(ms=0), DATA
    board.receive(frame(data))
    other = data[:4] + b"\xff\xfe" + data[6:]
    assert lit(board.receive(wire.encode_paint(4, b"\xff\xfe") + wire.encode_show(9, check(other)))) == [check(other)]
    assert board.strip.shown == [data, other]


def test_a_damaged_frame_is_not_shown():
    board, data = Board(ms=0), DATA
    lines = frame(data)
    for place in range(len(lines)):
        for bit in range(7):
            damaged = bytearray(lines)
            damaged[place] ^= 1 << bit
            fresh = Board()
            fresh.node.receive_data(bytes(damaged) + b"\n")
            fresh.node.step(fresh.now_ms + 1)
            assert fresh.strip.shown in ([], [data]), (place, bit)
    assert lit(board.receive(wire.encode_paint(0, data) + wire.encode_show(9, check(b"other")))) == [DARK_CHECKSUM]
    assert board.strip.shown == []


def test_a_busy_strip_is_waited_for():
    board, data = Board(ms=0), b"\x01\x02\x03"
    board.strip.busy = 5
    assert lit(board.receive(frame(data), 5)) == []
    assert lit(board.run(1)) == [check(data)]


def test_what_reaches_beyond_the_strip_is_dropped():
    strip = Strip()
    pixels = FrameBuffer(strip, 6)
    pixels.write_chunk(4, b"\x01\x02\x03")
    pixels.write_chunk(99999, b"")
    pixels.request_show(6, check(bytes(6)))
    assert pixels.step()
    assert strip.shown == [bytes(6)]
    pixels.request_show(7, check(bytes(7)))
    assert pixels.step()
    assert len(strip.shown) == 1


def test_each_second_the_board_says_what_is_lit():
    board, data = Board(), DATA
    hellos = [message for message in board.first if isinstance(message, Hello)]
    assert (hellos[0].pixels, hellos[0].lit) == (3, DARK_CHECKSUM)
    board.node.receive_data(frame(data))
    told = [message for message in board.run(REPORT_INTERVAL_MS + 10) if isinstance(message, Hello)]
    assert (told[0].pixels, told[0].lit) == (3, check(data))


def test_a_board_without_a_strip_shows_nothing():
    board = Board(ms=0)
    board.node = Node({"chain": ["a"], "pixels": ["a"]}, lambda: 0, board.sent.append)
    told = board.receive(frame(b"\x01\x02\x03"), 50)
    assert [message.pixels for message in told if isinstance(message, Hello)] == [0]
    assert lit(told) == []
