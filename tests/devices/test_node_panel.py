"""Buttons, buzzer and display at the board: the shipped firmware behind a simulated cable, and lines as they come."""

import queue
from contextlib import ExitStack, closing

import pytest

from companion.common.errors import DeviceError
from companion.devices import open_buttons, open_buzzer, open_sensors
from companion.devices.buzzer import TUNES
from companion.devices.node_panel import NodeDisplay
from companion.devices.sensors import WiredSensors
from firmware import wire
from firmware.node import VERSION
from tests.support.received import DeviceCallbacks, clock
from tests.support.waiting import PATIENCE_S, wait_until

BOARD = {"chain": ["a", "b"], "buttons": {"dice": 10, "undo": 11, "go:0": 12}, "buzzer": 17, "display": 20}
ROWS = ((0, 1, "Red         Blue"), (1, 2, "21    34"), *((row, 1, "") for row in range(3, 8)))


class Table:
    """A simulated board with buttons, buzzer and display."""

    def __init__(self, stack, board=BOARD):
        self.sensors = stack.enter_context(closing(open_sensors("sim:", 2, clock, board=board)))
        self.buttons = stack.enter_context(closing(open_buttons("node:", clock, self.sensors)))
        self.buzzer = stack.enter_context(closing(open_buzzer("node:", self.sensors)))
        self.display = NodeDisplay("node:", self.sensors)
        self.callbacks = DeviceCallbacks()
        self.buttons.start(self.callbacks.on_value, self.callbacks.on_status)
        self.buzzer.start(lambda ok, say: None)
        self.sensors.start(lambda *_: None, lambda *_: None)


@pytest.fixture
def table():
    with ExitStack() as stack:
        made = Table(stack)
        assert made.callbacks.next_status() == (True, "")
        yield made


def picture(table):
    return table.sensors.panel.display.lit_rows()


def test_each_press_counts_once_and_in_order(table):
    for name in ("dice", "go:0", "undo", "undo"):
        table.buttons.press_button(name)
    assert [table.callbacks.next_value() for _ in range(4)] == ["dice", "go:0", "undo", "undo"]
    with pytest.raises(DeviceError, match=r"Unknown button 'go:4'\. Use one of dice, go:0, undo\."):
        table.buttons.press_button("go:4")
    assert table.callbacks.values.empty()


def test_a_press_while_the_cable_is_out_is_not_invented_and_the_next_one_counts(table):
    table.buttons.press_button("dice")
    assert table.callbacks.next_value() == "dice"
    table.buttons.set_plugged(False)
    assert table.callbacks.next_status() == (False, "The buttons' board is not connected. See the hole sensors.")
    table.buttons.press_button("undo")
    table.buttons.set_plugged(True)
    assert table.callbacks.next_status() == (True, "")
    table.buttons.press_button("go:0")
    assert table.callbacks.next_value() == "go:0"
    assert table.callbacks.values.empty()


def test_a_button_held_while_the_cable_comes_back_is_no_press(table):
    table.buttons.set_plugged(False)
    assert table.callbacks.next_status()[0] is False
    table.sensors.hold_button("dice", True)
    table.buttons.set_plugged(True)
    assert table.callbacks.next_status() == (True, "")
    table.sensors.hold_button("dice", False)
    table.buttons.press_button("undo")
    assert table.callbacks.next_value() == "undo"


def test_a_board_without_buttons_is_reported():
    with ExitStack() as stack:
        table = Table(stack, {"chain": ["a", "b"]})
        ok, say = table.callbacks.next_status()
        assert (ok, say) == (False, "The connected board reports no buttons. Update it with companion flash.")
        with pytest.raises(DeviceError, match="Unknown button"):
            table.buttons.press_button("dice")


@pytest.mark.parametrize("open_part", [lambda: open_buttons("node:", clock), lambda: open_buzzer("node:")])
def test_a_part_of_no_board_is_refused(open_part):
    with pytest.raises(DeviceError, match="'node:' is a part of the sensors' board"):
        open_part()


@pytest.mark.parametrize("tune", TUNES)
def test_a_tune_is_played_by_the_firmware(table, tune):
    table.buzzer.play_tune(tune)
    table.buzzer.play_tune("applause")  # is none
    wait_until(lambda: table.sensors.panel.tones[-1:] == [0])
    assert table.sensors.panel.tones == [*(hz for hz, _ in TUNES[tune]), 0]


def test_the_display_shows_what_it_is_sent_and_the_same_again_after_its_cable_was_out(table):
    blank = ["0" * 32] * 64
    table.display.show_rows(ROWS)
    wait_until(lambda: picture(table)[56:] == blank[56:] and picture(table)[8] != blank[0])
    shown = picture(table)
    # The bars of the figure 1 in font and size: rows of two equal pixels
    assert all(shown[row] == shown[row + 1] for row in range(8, 24, 2))
    table.buttons.set_plugged(False)
    assert table.callbacks.next_status()[0] is False
    table.sensors._node._end_session()  # as after 25 s
    wait_until(lambda: picture(table)[:16] not in (blank[:16], shown[:16]))
    table.buttons.set_plugged(True)
    wait_until(lambda: picture(table) == shown)


class Line:
    """A board's line in the hands of the test. What the companion writes is in `written`."""

    def __init__(self):
        self.arrived, self.written = queue.Queue(), []

    def read(self):
        try:
            data = self.arrived.get(timeout=0.05)
        except queue.Empty:
            return b""
        if data is None:
            raise DeviceError("The cable is out.")
        return data

    def write(self, data):
        self.written.append(data)

    def close(self):
        pass


@pytest.fixture
def line():
    """Buttons and a display at a board whose lines the test writes."""
    made = Line()
    sensors = WiredSensors("test:", 8, clock, lambda: made)
    made.display = NodeDisplay("node:", sensors)
    with closing(open_buttons("node:", clock, sensors)) as buttons, closing(sensors):
        made.callbacks = DeviceCallbacks()
        buttons.start(made.callbacks.on_value, made.callbacks.on_status)
        sensors.start(lambda *_: None, lambda *_: None)
        yield made


def say(line, *lines):
    line.arrived.put(wire.encode_hello(8, VERSION, "e66") + b"".join(lines))


def state(number, ms, **presses):
    return wire.encode_buttons(number, ms, [(name, count, False) for name, count in presses.items()])


def presses(line, *lines):
    """Return the presses that come of these lines, in which `undo` is pressed last."""
    say(line, *lines)
    found = []
    while found[-1:] != ["undo"]:
        found.append(line.callbacks.next_value())
    return found[:-1]


def test_a_lost_line_loses_no_press(line):
    say(line, state(0, 100, dice=254, undo=0))
    assert presses(line, state(5, 400, dice=1, undo=1)) == ["dice"] * 3


def test_a_line_that_is_damaged_or_comes_twice_counts_once(line):
    whole = state(2, 200, dice=1, undo=0)
    lines = [state(1, 100, dice=0, undo=0), whole[:9] + b"9" + whole[10:], whole, whole, state(3, 300, dice=1, undo=1)]
    assert presses(line, *lines) == ["dice"]


@pytest.mark.parametrize(
    ("restart", "number", "ms"), [([], 0, 95_000), ([], 900, 30), ([wire.encode_failed("OSError: 5")], 900, 95_000)]
)
def test_a_board_that_starts_again_has_pressed_nothing(line, restart, number, ms):
    say(line, state(800, 90_000, dice=7, undo=3))
    anew = [state(number, ms, dice=9, undo=3), state(number + 1, ms + 10, dice=9, undo=4)]
    assert presses(line, *restart, *anew) == []


def test_numbers_and_clock_may_wrap(line):
    last = wire.COUNTER_MASK
    say(line, state(last, last, dice=0, undo=0))
    assert presses(line, state(0, 3, dice=1, undo=0), state(1, 5, dice=1, undo=1)) == ["dice"]


def test_nothing_is_sent_to_a_board_without_a_display_and_all_to_one_that_shows_something_else(line):
    line.display.show_rows(ROWS)
    say(line, state(0, 100, undo=0))
    assert line.callbacks.next_status() == (True, "")
    assert not [data for data in line.written if data.startswith(b"T ")]
    whole = [wire.encode_text_row(*row) for row in ROWS]

    def sent():
        return [data for data in line.written if data.startswith(b"T ")]

    say(line, wire.encode_shown_texts("0000"))
    wait_until(lambda: sent() == whole)
    shown = wire.text_checksum([(1, ROWS[0][2]), (2, ROWS[1][2]), (3, ROWS[1][2]), *[(1, "")] * 5])
    assert presses(line, wire.encode_shown_texts(shown), state(1, 200, undo=1)) == []
    line.display.show_rows((*ROWS[:-1], (7, 1, "new")))
    wait_until(lambda: sent() == [*whole, wire.encode_text_row(7, 1, "new")])
    say(line, wire.encode_shown_texts(shown))  # the new row was lost
    wait_until(lambda: len(sent()) == 2 * len(whole) + 1)


def test_an_older_companion_takes_the_lines_for_unknown_ones(monkeypatch):
    for kind in (b"B", b"S", b"T"):
        monkeypatch.delitem(wire._PARSERS, kind)
    heard, line = queue.Queue(), Line()
    with closing(WiredSensors("test:", 8, clock, lambda: line)) as sensors:
        sensors.start(lambda bits, *_: heard.put(bits), lambda *_: None)
        say(line, wire.encode_holes(0, 10, 5, 8), state(0, 10, dice=0), wire.encode_shown_texts("0000"))
        assert heard.get(timeout=PATIENCE_S) == 5
