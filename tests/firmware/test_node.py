"""The board's program, under CPython and under MicroPython: plain asserts, nothing imported but the firmware."""

from firmware import wire
from firmware.node import SCAN_MS, TELL_MS, Node
from firmware.wire import Decoder, Hello, Holes


class Board:
    """A node of so many holes with its contacts and its line at hand, stepped each millisecond."""

    def __init__(self, holes, contacts=0, now_ms=0):
        self.contacts = contacts
        self.now_ms = now_ms
        self.decoder = Decoder()
        self.sent = []
        self.node = Node(holes, lambda: self.contacts, self.sent.append)

    def run(self, ms):
        """What is told within this time, as (milliseconds from now, message)."""
        told = []
        for passed in range(1, ms + 1):
            self.now_ms += 1
            self.node.step(self.now_ms)
            told.extend([(passed, message) for data in self.sent for message in self.decoder.feed(data)])
            self.sent.clear()
        assert self.decoder.bad == 0
        return told


def only(told):
    return [message for _, message in told]


def test_it_says_nothing_before_its_contacts_have_settled_and_then_everything():
    board = Board(125, contacts=0x80)
    board.node.hear(wire.ASK)
    told = board.run(100)
    assert only(told) == [Hello(1, 125), Holes(0x80)]
    assert told[0][0] >= 3 * SCAN_MS


def test_each_change_is_told_once_and_soon():
    board = Board(125)
    board.run(100)
    board.contacts = 1 << 124
    told = board.run(100)
    assert only(told) == [Holes(1 << 124)]
    assert 3 * SCAN_MS <= told[0][0] <= 4 * SCAN_MS


def test_a_bouncing_contact_is_told_once():
    board = Board(8)
    board.run(100)
    told = []
    for contacts in (1, 0, 1, 1, 0, 1, 0):
        board.contacts = contacts
        told += board.run(3)
    board.contacts = 1
    assert only(told + board.run(100)) == [Holes(1)]


def test_everything_is_told_each_second():
    board = Board(60, contacts=5)
    assert only(board.run(100)) == [Hello(1, 60), Holes(5)]
    told = board.run(3 * TELL_MS + 50)
    assert only(told) == [Hello(1, 60), Holes(5)] * 3
    assert abs(told[2][0] - told[0][0] - TELL_MS) <= SCAN_MS


def test_it_answers_when_asked_once_for_many_asks():
    board = Board(60)
    board.run(100)
    board.node.hear(b"?\n?\r\nnoise?\n?")
    assert only(board.run(2 * SCAN_MS)) == [Hello(1, 60), Holes(0)]
    board.node.hear(b"noise\n")
    assert board.run(2 * SCAN_MS) == []


def test_contacts_beyond_the_last_hole_are_none():
    board = Board(4, contacts=0xFF)
    assert only(board.run(50)) == [Hello(1, 4), Holes(0x0F)]


def test_the_clock_of_a_microcontroller_may_start_again():
    board = Board(8, now_ms=(1 << 30) - 500)
    board.run(499)
    board.now_ms = -1
    told = board.run(3000)
    assert only(told) == [Hello(1, 8), Holes(0)] * 3


def test_it_knows_how_long_nothing_can_come_of_a_step():
    board = Board(8)
    board.run(100)
    told = board.run(TELL_MS)
    board.run(TELL_MS - told[0][0])
    idle = board.node.idle_ms(board.now_ms)
    assert TELL_MS - 500 < idle <= TELL_MS
    assert board.run(idle - 1) == []
    assert only(board.run(SCAN_MS)) == [Hello(1, 8), Holes(0)]
    board.contacts = 1
    board.run(SCAN_MS)
    assert board.node.idle_ms(board.now_ms) <= SCAN_MS
