"""The board's program, under CPython and under MicroPython: plain asserts, nothing imported but the firmware."""

from firmware import node, wire
from firmware.chain import plain_board
from firmware.node import MAX_REPEATS, REPEAT_INTERVAL_MS, REPORT_INTERVAL_MS, SCAN_INTERVAL_MS, SCANS_TO_RECOVER, Node
from firmware.wire import LINES_KEPT, Decoder, Fault, Hello, Holes

CALM_MS = MAX_REPEATS * (REPEAT_INTERVAL_MS + SCAN_INTERVAL_MS) + REPORT_INTERVAL_MS
"""After so long without a change nothing is told but the sign of life."""


class Board:
    """A node of a number of holes or a board.json, with its contacts and line, stepped each millisecond."""

    def __init__(self, board, contacts=0, now_ms=0):
        self.contacts = contacts
        self.now_ms = now_ms
        self.decoder = Decoder()
        self.sent = []
        board = plain_board(board) if isinstance(board, int) else board
        self.node = Node(board, lambda: self.contacts, self.sent.append, "e66")

    def run(self, ms):
        """Return the messages within this time, as (milliseconds from now, message)."""
        told = []
        for passed in range(1, ms + 1):
            self.now_ms += 1
            self.node.step(self.now_ms)
            told.extend([(passed, message) for data in self.sent for message in self.decoder.feed(data)])
            self.sent.clear()
        assert self.decoder.bad_lines == 0
        return told

    def rest(self):
        """Run until only signs of life are sent, and one has just been sent."""
        self.run(CALM_MS)
        while not self.run(1):
            pass
        return self

    def receive(self, data, ms=SCAN_INTERVAL_MS):
        self.node.receive_data(data)
        return self.run(ms)


def hello(holes):
    return Hello(2, holes, node.VERSION, "e66", "", 0, "")


def only(told):
    return [message for _, message in told]


def bits(told):
    return [message.bits for _, message in told if isinstance(message, Holes)]


def numbers(told):
    return [message.number for _, message in told if isinstance(message, Holes)]


def test_it_speaks_once_its_contacts_have_settled():
    board = Board(125, contacts=0x80)
    told = board.receive(wire.ASK, REPEAT_INTERVAL_MS)
    assert only(told) == [hello(125), Holes(0x80, 0, told[0][0])]
    assert told[0][0] >= 3 * SCAN_INTERVAL_MS


def test_each_change_has_its_scans_time():
    board = Board(125).rest()
    board.contacts, changed_ms = 1 << 124, board.now_ms
    told = board.run(REPEAT_INTERVAL_MS)
    assert bits(told) == [1 << 124]
    assert 3 * SCAN_INTERVAL_MS <= told[0][0] <= 4 * SCAN_INTERVAL_MS
    assert told[0][1].ms == changed_ms + told[0][0]


def test_a_change_is_repeated_then_each_second():
    board = Board(60).rest()
    board.contacts = 5
    told = board.run(CALM_MS)
    changed_ms = told[0][0]
    often = [ms for ms, message in told if isinstance(message, Holes) and ms <= changed_ms + 1400]
    assert max(often[i + 1] - often[i] for i in range(len(often) - 1)) <= REPEAT_INTERVAL_MS + SCAN_INTERVAL_MS
    told = board.run(3 * REPORT_INTERVAL_MS)
    assert only(told)[::2] == [hello(60)] * 3
    assert bits(told) == [5, 5, 5]
    assert abs(told[2][0] - told[0][0] - REPORT_INTERVAL_MS) <= SCAN_INTERVAL_MS


def test_every_line_of_levels_has_the_next_number():
    board = Board(8)
    told = board.run(700)
    board.contacts = 1
    told += board.run(CALM_MS)
    assert numbers(told) == list(range(len(numbers(told))))
    assert len(numbers(told)) > MAX_REPEATS


def test_a_bouncing_contact_is_reported_once():
    board = Board(8).rest()
    told = []
    for contacts in (1, 0, 1, 1, 0, 1, 0):
        board.contacts = contacts
        told += board.run(3)
    board.contacts = 1
    assert bits(told + board.run(REPEAT_INTERVAL_MS)) == [1]


def test_it_answers_when_asked_once_for_many_asks():
    board = Board(60).rest()
    told = board.receive(b"?\n?\r\nnoise?\n?", 2 * SCAN_INTERVAL_MS)
    assert [type(message) for message in only(told)] == [Hello, Holes]
    assert board.receive(b"noise\n", 2 * SCAN_INTERVAL_MS) == []


def test_missed_lines_are_said_again():
    board = Board(8)
    told = board.run(100)
    for contacts in (1, 0, 1):
        board.contacts = contacts
        told += board.run(40)
    said = [message for message in only(told) if isinstance(message, Holes)]
    for missed in (len(said) - 1, 2, 0):
        board.run(20)
        assert only(board.receive(wire.encode_ask(missed)))[: len(said) - missed] == said[missed:]


def test_the_oldest_of_several_asks_is_answered():
    board = Board(8).rest()
    newest = board.node._next - 1
    asks = [wire.encode_ask(newest - behind) for behind in (0, 3, 1)]
    assert numbers(board.receive(b"".join(asks))) == [newest - 3, newest - 2, newest - 1, newest]


def test_asked_for_the_next_line_it_scans():
    board = Board(8, contacts=3).rest()
    told = board.receive(wire.encode_ask(board.node._next))
    assert only(told) == [Holes(3, board.node._next - 1, board.now_ms - SCAN_INTERVAL_MS + told[0][0])]


def test_an_unknown_line_is_all_levels():
    board = Board(8)
    board.run(100)
    assert [type(message) for message in only(board.receive(wire.encode_ask(wire.COUNTER_MASK - 1)))] == [Hello, Holes]
    while board.node._next <= LINES_KEPT:
        board.contacts ^= 1
        board.run(40)
    board.rest()
    for strange in (0, board.node._next + 9, board.node._next - LINES_KEPT - 1):
        assert [type(message) for message in only(board.receive(wire.encode_ask(strange)))] == [Hello, Holes], strange
    assert len(board.receive(wire.encode_ask(board.node._next - LINES_KEPT))) == LINES_KEPT


def test_what_it_keeps_fits_a_small_board():
    board = Board(400)
    for _ in range(2 * LINES_KEPT):
        board.contacts ^= (1 << 400) - 1
        board.run(40)
    assert len(board.node._sent_lines) == LINES_KEPT
    assert sum(len(line) for line in board.node._sent_lines) < 9000


def test_contacts_beyond_the_last_hole_are_none():
    board = Board(4, contacts=0xFF)
    assert bits(board.run(50)) == [0x0F]


def test_the_clock_of_a_microcontroller_may_start_again():
    board = Board(8, now_ms=(1 << 30) - CALM_MS - 500).rest()
    board.now_ms = -1
    told = board.run(3 * REPORT_INTERVAL_MS + SCAN_INTERVAL_MS)
    assert only(told)[::2] == [hello(8)] * 3
    assert [message.ms for message in only(told)[1::2]] == [ms - 1 for ms, _ in told[1::2]]


def test_a_clock_is_reported_as_restarted():
    board = Board(8, now_ms=(1 << 30) - 5)
    assert only(board.run(REPEAT_INTERVAL_MS))[1].ms < 100


def test_numbers_start_again_where_the_clock_does():
    board = Board(8)
    board.run(100)
    board.node._next = wire.COUNTER_MASK
    told = board.run(3 * REPEAT_INTERVAL_MS)
    assert numbers(told)[:2] == [wire.COUNTER_MASK, 0]
    assert numbers(board.receive(wire.encode_ask(wire.COUNTER_MASK)))[:2] == [wire.COUNTER_MASK, 0]


def test_it_knows_how_long_it_is_idle():
    board = Board(8).rest()
    idle = board.node.idle_time_ms(board.now_ms)
    assert REPORT_INTERVAL_MS - 500 < idle <= REPORT_INTERVAL_MS
    assert board.run(idle - 1) == []
    assert bits(board.run(SCAN_INTERVAL_MS)) == [0]
    board.contacts = 1
    board.run(SCAN_INTERVAL_MS)
    assert board.node.idle_time_ms(board.now_ms) <= SCAN_INTERVAL_MS
    board.run(4 * SCAN_INTERVAL_MS)
    assert 0 < board.node.idle_time_ms(board.now_ms) <= REPEAT_INTERVAL_MS
    board.node.receive_data(wire.encode_ask(0))
    assert board.node.idle_time_ms(board.now_ms) <= SCAN_INTERVAL_MS


TILES = {"board": "two", "chain": ["a", "b", 1, "c", None, 0], "holes": ["c", "b", "a"], "tiles": ["near", "far"]}
"""Two tiles, each with a sentinel at its end; the holes are told in another order than they are read."""

WHOLE = 0b000100
"""What the chain reads when it is whole and holds no peg."""


def faults(told):
    return [(ms, message.tile) for ms, message in told if isinstance(message, Fault)]


def test_each_hole_is_reported_at_its_bit():
    board = Board(TILES, WHOLE).rest()
    for raw, hole in ((1, 2), (2, 1), (8, 0), (16, None)):
        board.contacts = WHOLE | raw
        told = board.run(REPEAT_INTERVAL_MS + SCAN_INTERVAL_MS)
        assert bits(told)[-1:] == [0 if hole is None else 1 << hole]


def test_a_wrong_sentinel_reports_only_its_tile():
    for raw, tile in ((0b001011, "near"), (0b111111, "far"), (0, "near"), (WHOLE | 32, "far")):
        board = Board(TILES, WHOLE).rest()
        board.contacts = raw
        board.node.receive_data(wire.encode_ask(0) + wire.encode_ask(board.node._next))
        told = faults(board.run(4 * REPORT_INTERVAL_MS))
        assert [each for _, each in told] == [tile] * len(told)
        assert told[0][0] <= 5 * SCAN_INTERVAL_MS
        assert 4 <= len(told) <= 5


def test_unnamed_tiles_are_numbered_from_1():
    board = Board({"chain": ["a", 0, "b", 1]}, 0b1000)
    assert bits(board.run(REPEAT_INTERVAL_MS)) == [0]
    board.contacts = 0
    assert [tile for _, tile in faults(board.run(REPEAT_INTERVAL_MS))] == ["2"]


def test_a_dead_chain_reports_only_its_fault():
    board = Board(TILES, 0)
    told = only(board.run(3 * REPORT_INTERVAL_MS))
    assert told[:2] == [Hello(2, 3, node.VERSION, "e66", "two", 0, ""), Fault("near")]
    assert bits(enumerate(told)) == []


def test_a_repaired_chain_is_read_again():
    board = Board(TILES, WHOLE).rest()
    board.contacts = 0
    board.run(500)
    for contacts in (WHOLE | 1, 0, WHOLE | 2, 0):  # a plug that goes in: at times all sentinels are right
        board.contacts = contacts
        assert bits(board.run(40)) == []
    board.contacts = WHOLE | 8
    told = board.run(2 * SCANS_TO_RECOVER * SCAN_INTERVAL_MS)
    assert bits(told)[0] == 1
    first = min(ms for ms, message in told if isinstance(message, Holes))
    assert first > SCANS_TO_RECOVER * SCAN_INTERVAL_MS


def test_a_glitch_of_a_sentinel_discards_a_scan():
    board = Board(TILES, WHOLE).rest()
    for _ in range(20):
        board.contacts = 0b001011
        told = board.run(SCAN_INTERVAL_MS)
        board.contacts = WHOLE
        told += board.run(SCANS_TO_RECOVER * SCAN_INTERVAL_MS + SCAN_INTERVAL_MS)
        assert faults(told) == []
        assert set(bits(told)) <= {0}


def test_a_chain_held_high_is_not_believed():
    board = Board({"chain": [f"h{n}" for n in range(64)] + [1]}, 1 << 64).rest()
    board.contacts = (1 << 65) - 1
    assert [tile for _, tile in faults(board.run(100))] == ["1"]
    board = Board(8, 0xFF)
    assert bits(board.run(REPEAT_INTERVAL_MS)) == [0xFF], "a chain without sentinels is believed"


def test_a_board_json_that_means_nothing_is_refused():
    for chain, holes in (([], None), (["a", 2], None), (["a", "a"], None), (["a"], ["b"]), (["a"], ["a", "b"])):
        refused = ""
        try:
            Board({"chain": chain, "holes": holes})
        except ValueError as error:
            refused = str(error)
        assert refused.startswith("board.json"), chain


def test_a_broken_chain_is_idle_too():
    board = Board(TILES, WHOLE).rest()
    board.contacts = 0
    told = board.run(SCAN_INTERVAL_MS)
    while not faults(told):
        assert board.node.idle_time_ms(board.now_ms) <= SCAN_INTERVAL_MS
        told = board.run(1)
    idle = board.node.idle_time_ms(board.now_ms)
    assert REPORT_INTERVAL_MS - SCAN_INTERVAL_MS <= idle <= REPORT_INTERVAL_MS
    assert board.run(idle - 1) == []
    assert len(faults(board.run(SCAN_INTERVAL_MS))) == 1


def test_a_session_lasts_while_it_is_heard():
    board = Board(8)
    board.run(10)
    assert not board.node.has_session(board.now_ms)
    for word in (wire.HERE, wire.ASK):
        board.node.receive_data(word)
        board.run(node.SESSION_TIMEOUT_MS - 10)
        assert board.node.has_session(board.now_ms)
        board.run(20)
        assert not board.node.has_session(board.now_ms)
    board.node.receive_data(b"noise\n")
    assert not board.node.has_session(board.now_ms)
    board.node.receive_data(wire.HERE)
    board.run(10)
    board.node.receive_data(wire.BYE)
    assert not board.node.has_session(board.now_ms)


def test_it_is_asked_to_end_by_a_word():
    board = Board(8)
    board.node.receive_data(b"qui\nquit*\n")
    assert not board.node.should_quit
    board.node.receive_data(wire.QUIT)
    assert board.node.should_quit
