"""Lights driven by a simulated board: the shipped firmware shows the frames that are sent."""

import threading
from binascii import crc32
from contextlib import closing

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_lights, open_sensors
from companion.devices.pico_lights import FrameSender
from firmware import wire
from tests.support.received import DeviceCallbacks, clock
from tests.support.waiting import wait_until

BOARD = {"chain": ["a", "b", "c"], "pixels": ["c", None, "a", "b"]}
PLACES = (2, None, 0, 1)
RED, GREEN, BLUE, DARK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)


class Table:
    """A simulated board with lights, and their status."""

    def __init__(self, url="node:", pixels=3, places=PLACES, board=BOARD, limit_ma=2000):
        self.callbacks = DeviceCallbacks()
        self.sensors = open_sensors("sim:", len(board["chain"]), clock, board=board)
        self.lights = open_lights(url, pixels, limit_ma, self.sensors, places)

    def start(self):
        self.lights.start(self.callbacks.on_status)
        self.sensors.start(lambda *_: None, lambda *_: None)

    def until_shown(self, *frame):
        wait_until(lambda: self.lights.sent_frame()[0] == frame)

    def close(self):
        self.lights.close()
        self.sensors.close()


@pytest.fixture
def table():
    with closing(Table()) as made:
        made.start()
        assert made.callbacks.next_status()[0] is True
        yield made


def test_a_frame_is_shown_by_the_board_in_the_strips_own_order(table):
    table.lights.show_frame((RED, GREEN, BLUE), 7)
    table.until_shown(RED, GREEN, BLUE)
    wait_until(lambda: table.lights.sent_frame()[1] == 7)
    grb = {RED: b"\0\xff\0", GREEN: b"\xff\0\0", BLUE: b"\0\0\xff", DARK: bytes(3)}
    assert table.sensors.strip.shown == b"".join(grb[each] for each in (BLUE, DARK, RED, GREEN))


def test_the_current_limit_is_kept_before_anything_is_sent():
    with closing(Table(limit_ma=63)) as table:
        table.start()
        table.lights.show_frame(((255, 255, 255),) * 3, 1)
        wait_until(lambda: table.lights.sent_frame()[1] == 1)
        assert all(0 < level < 90 for colour in table.lights.sent_frame()[0] for level in colour)


def test_of_large_frames_only_what_differs_is_sent():
    board = {"chain": ["a"], "pixels": [None] * 369}
    with closing(Table(pixels=369, places=tuple(range(369)), board=board, limit_ma=20_000)) as table:
        sent, send = [], table.sensors.send
        table.lights._painting._send = lambda data: (sent.append(data), send(data))
        table.start()
        first = [(number % 256, 1, 2) for number in range(369)]
        table.lights.show_frame(first, 1)
        table.until_shown(*first)
        wait_until(lambda: not table.lights._painting.is_stale)
        sent.clear()
        second = [*first[:300], RED, *first[301:]]
        table.lights.show_frame(second, 2)
        table.until_shown(*second)
        assert [line[:2] for line in sent] == [b"P ", b"L "]
        assert all(len(line) < 120 for line in sent)


def test_an_unplugged_cable_is_reported_and_a_replugged_strip_is_lit_again(table):
    table.lights.show_frame((RED, RED, RED), 1)
    table.until_shown(RED, RED, RED)
    table.lights.set_plugged(False)
    ok, say = table.callbacks.next_status()
    assert (ok, say) == (False, "The lights' board is not connected. See the hole sensors.")
    table.lights.show_frame((GREEN, GREEN, GREEN), 2)
    table.sensors.strip.shown = b""  # the board had no power meanwhile
    table.lights.set_plugged(True)
    assert table.callbacks.next_status() == (True, "")
    table.until_shown(GREEN, GREEN, GREEN)


def test_a_board_that_begins_again_dark_is_lit_again(table):
    table.lights.show_frame((RED, GREEN, BLUE), 1)
    table.until_shown(RED, GREEN, BLUE)
    wait_until(lambda: not table.lights._painting.is_stale)
    table.sensors.strip.shown = b""
    table.sensors._node._pixels.__init__(table.sensors.strip, 16)
    table.until_shown(RED, GREEN, BLUE)


def test_the_strip_is_dark_after_the_end(table):
    table.lights.show_frame((RED, GREEN, BLUE), 1)
    table.until_shown(RED, GREEN, BLUE)
    table.lights.close()
    assert table.sensors.strip.shown == bytes(12)


def test_a_board_with_another_strip_is_reported():
    with closing(Table(pixels=9, places=tuple(range(9)))) as table:
        table.start()
        ok, say = table.callbacks.next_status()
        assert not ok
        assert "has 4 pixels; this game's board has 9" in say


def test_lights_on_no_board_are_refused():
    with pytest.raises(DeviceError, match="--sensors"):
        open_lights("node:", 3, 2000, None, ())


class Line:
    """A board behind a line that loses and damages bytes."""

    def __init__(self):
        self.sent, self.frame, self.spoil = [], bytearray(9), lambda line: line
        self.painting = FrameSender(self._take, lambda: None)
        self.painting.on_message(wire.Hello(2, 3, "1", "e66", "", 3, "00000000"))

    def _take(self, data):
        self.sent.append(data)
        message = wire.parse_line(self.spoil(data)[:-1])
        if isinstance(message, wire.Paint):
            self.frame[message.at : message.at + len(message.data)] = message.data
        elif isinstance(message, wire.Show):
            told = f"{crc32(self.frame):08x}"
            threading.Thread(target=self.painting.on_message, args=(wire.Lit(told),)).start()


def test_a_damaged_chunk_has_the_whole_frame_sent_again():
    line = Line()
    spoilt = iter([b"P 0 ff\n", b"L 9 00000000\n"])
    line.spoil = lambda data: next(spoilt, data)
    line.painting.send_frame(bytes(range(9)))
    assert bytes(line.frame) == bytes(range(9))
    assert not line.painting.is_stale


def test_a_board_that_never_shows_a_frame_is_reported():
    line = Line()
    line.spoil = lambda data: data.replace(b"P 0 00", b"P 0 ff")
    with pytest.raises(DeviceError, match="does not show the lights it was sent"):
        line.painting.send_frame(bytes(range(9)))
    assert line.painting.is_stale
