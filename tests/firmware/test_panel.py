"""Buttons, buzzer and display at the board, under CPython and under MicroPython: plain asserts, only the firmware."""

from firmware import wire
from firmware.buttons import MAX_PRESSES, ButtonCounter
from firmware.chain import plain_board
from firmware.node import REPORT_INTERVAL_MS, SCAN_INTERVAL_MS, SESSION_TIMEOUT_MS, Node
from firmware.panel import IDLE_TEXTS, MAX_REPEATS, REPEAT_INTERVAL_MS, SILENT_DISPLAY, Panel
from firmware.screen import ADDRESS, MAX_STEP_BYTES, REFRESH_INTERVAL_MS, RETRY_INTERVAL_MS, TextScreen
from firmware.tunes import TunePlayer
from firmware.wire import ButtonStates, Decoder, Fault, Hello, Holes, ShownTexts, TextRow, Tune

NAMES = ("dice", "go:0", "undo")


class Glyphs:
    """A framebuf whose letters are eight columns of their own code."""

    MONO_VLSB = 0

    class FrameBuffer:
        def __init__(self, pixels, width, height, form):
            assert (len(pixels), width, height, form) == (128, 128, 8, 0)
            self.pixels = pixels

        def fill(self, colour):
            self.pixels[:] = bytes(128)

        def text(self, text, x, y):
            for place, sign in enumerate(text.encode()):
                self.pixels[8 * place : 8 * place + 8] = bytes([sign] * 8)


class Display:
    """An SSD1306 at a bus: it takes commands and data as its data sheet says."""

    def __init__(self):
        self.memory, self.is_on, self.is_pumped, self.answers = bytearray(b"\x5a" * 1024), False, False, True
        self.sent = 0
        self._page = self._column = 0

    def writeto(self, address, data):
        if not self.answers or address != ADDRESS:
            raise OSError(5)
        self.sent += len(data)
        if data[0] == 0x40:
            for octet in data[1:]:
                self.memory[128 * self._page + self._column] = octet
                self._column += 1
        else:
            assert data[0] == 0
            commands = list(data[1:])
            while commands:
                self._obey(commands)

    def _obey(self, commands):
        command = commands.pop(0)
        if command in (0xAE, 0xAF):
            self.is_on = command == 0xAF
        elif command == 0x8D:
            self.is_pumped = commands.pop(0) == 0x14
        elif command == 0x20:
            assert commands.pop(0) == 2, "pages are addressed one by one"
        elif command in (0xD5, 0xA8, 0xD3, 0xDA, 0x81, 0xD9, 0xDB):
            commands.pop(0)
        elif 0xB0 <= command < 0xB8:
            self._page = command - 0xB0
        elif command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = self._column & 15 | (command & 15) << 4
        else:
            assert command in (0x40, 0xA1, 0xC8, 0xA4, 0xA6), hex(command)

    def lose_power(self):
        self.__init__()

    def row(self, number):
        """The octets of a row, as one letter each where all eight columns are the same."""
        columns = self.memory[128 * number : 128 * number + 128]
        assert all(len(set(columns[at : at + 8])) == 1 for at in range(0, 128, 8)), bytes(columns)
        return bytes([columns[at] for at in range(0, 128, 8)]).rstrip(b"\0")


class Board:
    """A node with all parts, stepped each millisecond."""

    def __init__(self, now_ms=0, holes=8):
        self.down, self.tones, self.display, self.raw = 0, [], Display(), 0
        self.sent, self.decoder, self.now_ms = [], Decoder(), now_ms
        self.scans, self.most_bytes = [], 0
        screen = TextScreen(self.display, Glyphs)
        panel = Panel(NAMES, lambda: self.down, lambda hz: self.tones.append((self.now_ms, hz)), screen)
        self.node = Node(plain_board(holes), self._read, self.sent.append, "e66", None, panel)

    def _read(self):
        self.scans.append(self.now_ms)
        return self.raw

    def run(self, ms):
        told = []
        for _ in range(ms):
            self.now_ms += 1
            before = self.display.sent
            self.node.step(self.now_ms & wire.COUNTER_MASK)
            self.most_bytes = max(self.most_bytes, self.display.sent - before)
            told.extend([message for data in self.sent for message in self.decoder.feed(data)])
            self.sent.clear()
        assert self.decoder.bad_lines == 0
        return told

    def receive(self, *lines, ms=0):
        self.node.receive_data(b"".join(lines))
        return self.run(ms)

    def press(self, bits, ms=60):
        self.down |= bits
        told = self.run(ms)
        self.down &= ~bits
        return told + self.run(ms)


def states(told):
    return [message for message in told if isinstance(message, ButtonStates)]


def shown_texts(told):
    return {message for message in told if isinstance(message, ShownTexts)}


def newest(told):
    return {name: (presses, is_down) for name, presses, is_down in states(told)[-1].buttons}


def test_the_lines_are_written_as_documented():
    lines = [
        (wire.encode_buttons(7, 1200, [("dice", 3, False), ("go:0", 12, True)]), b"B 7 1200 dice=3 go:0=12+*"),
        (wire.encode_tune([(659, 70), (0, 20), (880, 90)]), b"S 659 70 0 20 880 90*"),
        (wire.encode_text_row(3, 1, "Red: 5 * 2"), b"T 3 1 Red: 5 * 2*"),
        (wire.encode_text_row(7, 1, ""), b"T 7 1 *"),
        (wire.encode_shown_texts("29b1"), b"T 29b1*"),
    ]
    assert [line[:-5] for line, _ in lines] == [body for _, body in lines]
    assert Decoder().feed(b"".join([line for line, _ in lines])) == [
        ButtonStates(7, 1200, (("dice", 3, False), ("go:0", 12, True))),
        Tune(((659, 70), (0, 20), (880, 90))),
        TextRow(3, 1, "Red: 5 * 2"),
        TextRow(7, 1, ""),
        ShownTexts("29b1"),
    ]


def test_lines_of_another_form_are_dropped():
    bodies = [
        b"B 7 1200", b"B 7 dice=3", b"B 7 1200 dice", b"B 7 1200 =3", b"B 7 1200 dice=", b"B 7 1200 dice=-1",
        b"B 7 1200 " + b" ".join([b"a%d=0" % n for n in range(17)]),
        b"S 659", b"S 659 70 880", b"S 659 5001", b"S 20001 70", b"S " + b" ".join([b"9 9"] * 17),
        b"T 8 1 a", b"T 7 2 a", b"T 0 0 a", b"T 0 3 a", b"T 0 1", b"T 0 2 123456789", b"T 0 1 12345678901234567",
        b"T 0 1 \xc3\xbc", b"T 0 1 \x1b", b"T 29B1", b"T 29b", b"T 2 b1",
    ]  # fmt: skip
    decoder = Decoder()
    for body in bodies:
        assert decoder.feed(body + f"*{wire.crc16(body):04x}\n".encode()) == [], body
    assert decoder.bad_lines == len(bodies)


def test_a_bouncing_press_counts_once():
    counter = ButtonCounter(2)
    for sample in [2] * 8 + [3, 2, 3, 2, 2, 3, 3, 3] + [2] * 8:
        counter.scan(sample)
    assert (counter.presses, counter.levels) == ([0, 0], 2)  # three scans are no press
    for sample in [3, 2, 3, 3, 3, 3, 2, 3, 3, 2, 2, 2, 2] + [0] * 4 + [2] * 4:
        counter.scan(sample)
    assert (counter.presses, counter.levels) == ([1, 1], 2)
    assert counter.is_at_rest()


def test_presses_start_again_from_0():
    counter = ButtonCounter(1)
    for _ in range(MAX_PRESSES + 3):
        for sample in [0] * 4 + [1] * 4:
            counter.scan(sample)
    assert counter.presses == [3]


def test_a_press_is_reported_and_repeated():
    board = Board()
    told = board.run(100)
    assert [type(message) for message in told][:4] == [Hello, Holes, ButtonStates, ShownTexts]
    assert newest(told) == {"dice": (0, False), "go:0": (0, False), "undo": (0, False)}
    board.run(REPORT_INTERVAL_MS)
    board.down = 0b010
    told = states(board.run(5 * SCAN_INTERVAL_MS))
    assert len(told) == 1
    assert told[0].ms == board.scans[-1] or told[0].ms == board.scans[-2]
    assert newest(told) == {"dice": (0, False), "go:0": (1, True), "undo": (0, False)}
    board.down = 0
    told = states(board.run(REPEAT_INTERVAL_MS + SCAN_INTERVAL_MS * MAX_REPEATS + REPEAT_INTERVAL_MS * MAX_REPEATS))
    assert newest(told)["go:0"] == (1, False)
    assert len(told) >= 1 + MAX_REPEATS
    numbers = [each.number for each in told]
    assert numbers == list(range(numbers[0], numbers[0] + len(told)))
    later = states(board.run(3 * REPORT_INTERVAL_MS))
    assert len(later) == 3
    assert newest(later)["go:0"] == (1, False)


def test_buttons_are_told_while_the_chain_is_broken():
    board = Board()
    board.node = Node({"chain": ["a", 1]}, lambda: 0, board.sent.append, "e66", None, Panel(NAMES, lambda: board.down))
    told = board.run(100) + board.press(0b001)
    assert [message for message in told if isinstance(message, Fault)]
    assert not [message for message in told if isinstance(message, Holes)]
    assert newest(told)["dice"] == (1, False)


def test_a_new_tune_replaces_the_last():
    played = []
    player = TunePlayer(played.append)
    player.play(((659, 70), (0, 20), (880, 90)))
    heard = []
    for now_ms in range(wire.COUNTER_MASK - 99, wire.COUNTER_MASK + 101):  # the clock starts again meanwhile
        player.step(now_ms & wire.COUNTER_MASK)
        heard.extend([(now_ms - wire.COUNTER_MASK + 99, hz) for hz in played])
        played.clear()
    assert heard == [(0, 659), (70, 0), (90, 880), (180, 0)]
    assert player.is_silent()
    player.play(((440, 1000),))
    player.step(1)
    player.play(((220, 10),))
    player.step(2)
    player.step(12)
    assert played == [440, 220, 0]


def test_the_node_plays_what_the_companion_sends():
    board = Board()
    board.run(50)
    board.node.receive_data(wire.encode_tune([(659, 70), (880, 90)]))
    begin = board.now_ms + 1
    board.run(300)
    assert board.tones == [(begin, 659), (begin + 70, 880), (begin + 160, 0)]


def test_texts_of_both_sizes_appear_in_their_rows():
    board = Board()
    board.run(300)
    assert [board.display.row(row) for row in (4, 5)] == [b"waiting for the", b"companion"]
    assert (board.display.is_on, board.display.is_pumped) == (True, True)
    for row in range(8):
        board.node.receive_data(wire.encode_text_row(row, 1, f"row {row}"))
    board.receive(wire.encode_text_row(1, 2, "3P"), ms=300)
    assert [board.display.row(row) for row in (0, 3, 7)] == [b"row 0", b"row 3", b"row 7"]
    # 3 is 33, P is 50: each bit twice, the lower half of the columns in the upper row
    assert board.display.row(1) == bytes([0x0F, 0x0F])
    assert board.display.row(2) == bytes([0x0F, 0x0F, 0x33, 0x33])


def test_no_scan_waits_for_the_display():
    board = Board()
    board.run(100)
    for turn in range(40):
        for row in range(8):
            board.node.receive_data(wire.encode_text_row(row, 1, f"{turn} of 40"))
        board.run(20)
    board.run(REFRESH_INTERVAL_MS)
    assert 0 < board.most_bytes <= MAX_STEP_BYTES
    gaps = {board.scans[n] - board.scans[n - 1] for n in range(2, len(board.scans))}
    assert gaps == {SCAN_INTERVAL_MS}
    assert board.display.row(7) == b"39 of 40"


def test_a_slow_board_draws_too():
    board = Board()
    for _ in range(400):
        board.now_ms += SCAN_INTERVAL_MS
        board.node.step(board.now_ms)
    assert board.display.row(5) == b"companion"


def test_a_display_comes_back_with_its_texts():
    board = Board()
    board.display.answers = False
    board.node.receive_data(wire.encode_text_row(0, 1, "later"))
    told = board.run(2 * REPORT_INTERVAL_MS)
    assert not shown_texts(told)
    board.display.answers = True
    board.run(RETRY_INTERVAL_MS + 200)
    assert board.display.row(0) == b"later"
    board.display.lose_power()
    board.run(REFRESH_INTERVAL_MS + 200)
    assert (board.display.row(0), board.display.is_on, board.display.is_pumped) == (b"later", True, True)
    board.display.answers = False
    board.receive(wire.encode_text_row(0, 1, "again"), ms=20)
    board.display.answers = True
    board.run(RETRY_INTERVAL_MS + 200)
    assert board.display.row(0) == b"again"


def test_each_second_shown_texts_are_told():
    board = Board()
    rows = [(1, "")] * 8
    for row, size, text in IDLE_TEXTS:
        for part in range(size):
            rows[row + part] = (size + part, text)
    assert shown_texts(board.run(2 * REPORT_INTERVAL_MS + 100)) == {ShownTexts(wire.text_checksum(rows))}
    board.node.receive_data(wire.encode_text_row(4, 1, "other"))
    rows[4] = (1, "other")
    assert shown_texts(board.run(REPORT_INTERVAL_MS + 100)) == {ShownTexts(wire.text_checksum(rows))}


def test_without_the_companion_it_is_waited_for():
    for bye, wait_ms in ((wire.BYE, 200), (b"", SESSION_TIMEOUT_MS + 200)):
        board = Board()
        board.node.receive_data(wire.ASK + wire.encode_text_row(7, 1, "score"))
        board.run(300)
        assert board.display.row(7) == b"score"
        board.node.receive_data(wire.encode_tune([(440, 5000)]) + bye)
        for _ in range(wait_ms):
            board.run(1)
            board.node.has_session(board.now_ms)
        assert board.display.is_on
        assert [board.display.row(row) for row in (4, 5, 7)] == [b"waiting for the", b"companion", b""]
        assert board.tones[-1][1] == 0


def test_a_part_at_a_wrong_pin_is_told_once_to_each_companion():
    sent = []
    node = Node(plain_board(8), lambda: 0, sent.append, "e66", None, Panel(faults=["no display at 40: bad pin"]))
    for turn, word in enumerate((wire.ASK, wire.BYE, wire.ASK)):
        node.receive_data(word)
        for ms in range(2 * REPORT_INTERVAL_MS):
            node.step(turn * 2 * REPORT_INTERVAL_MS + ms)
        told = wire.Decoder().feed(b"".join(sent))
        sent.clear()
        assert [each.why for each in told if isinstance(each, wire.Failed)] == (
            ["no display at 40: bad pin"] if word == wire.ASK else []
        )
        assert any(isinstance(each, wire.Holes) for each in told)


def test_a_silent_display_is_told_once_to_each_companion():
    board = Board()
    board.display.answers = False
    for word, told_times in ((wire.ASK, 1), (wire.BYE, 0), (wire.ASK, 1)):
        told = board.receive(word, ms=3 * REPORT_INTERVAL_MS)
        assert [each.why for each in told if isinstance(each, wire.Failed)] == [SILENT_DISPLAY] * told_times
        assert any(isinstance(each, Holes) for each in told)
        assert newest(board.press(0b001))["dice"][1] is False
    board.display.answers = True
    board.run(RETRY_INTERVAL_MS + 200)
    board.receive(wire.ASK, ms=100)
    board.display.answers = False
    told = board.run(REFRESH_INTERVAL_MS + 2 * REPORT_INTERVAL_MS)
    assert [each.why for each in told if isinstance(each, wire.Failed)] == [SILENT_DISPLAY]


def test_a_board_without_parts_ignores_them():
    sent = []
    node = Node(plain_board(8), lambda: 0, sent.append, "e66", None, Panel())
    node.receive_data(wire.encode_tune([(440, 50)]) + wire.encode_text_row(0, 1, "a"))
    for now_ms in range(100):
        node.step(now_ms)
    assert {line[:1] for line in sent} == {b"N", b"H"}


def test_a_node_with_nothing_to_do_may_rest():
    board = Board()
    board.run(2400)
    assert board.node.idle_time_ms(board.now_ms) > 100
    board.down = 1
    board.run(SCAN_INTERVAL_MS)
    assert board.node.idle_time_ms(board.now_ms) <= SCAN_INTERVAL_MS
