"""Buttons, buzzer and display at the board's own microcontroller, over the cable of the sensors: `node:`.

Levels, not edges: the board reports how often each button has been pressed, and which texts it shows. A lost line loses
no press and no text. A press while the cable is out does not count (docs/reference/wire.md).
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.common.errors import DeviceError
from companion.devices.sensors import SimulatedSensors, WiredSensors
from companion.i18n import format_message, gettext_noop
from companion.ports import Buttons, HoleSensors, ScreenRow, StatusCallback
from firmware import wire
from firmware.buttons import MAX_PRESSES

_BOARD_MISSING = gettext_noop("The buttons' board is not connected. See the hole sensors.")

_NO_BUTTONS = gettext_noop("The connected board reports no buttons. Update it with companion flash.")


def require_wired(url: str, sensors: HoleSensors | None) -> WiredSensors:
    """Return the sensors if their board can have other parts. Raises DeviceError otherwise."""
    if not isinstance(sensors, WiredSensors):
        raise DeviceError(f"{url!r} is a part of the sensors' board. Give its port with --sensors.")
    return sensors


def open_node_buttons(url: str, sensors: HoleSensors | None) -> Buttons:
    board = require_wired(url, sensors)
    return (SimulatedNodeButtons if isinstance(board, SimulatedSensors) else NodeButtons)(url, board)


class NodePart:
    """A part of a board. Its messages are handled in the thread of the board's reports."""

    def __init__(self, url: str, board: WiredSensors) -> None:
        self.url = url
        self.use_board(board)

    def use_board(self, board: WiredSensors) -> None:
        """Use the part of this board from now on. Call before the board is started."""
        self._board = board
        board.add_listener(lambda message: board.call_soon(self._on_message, message))

    def close(self) -> None:
        """Do nothing: the sensors own the board."""

    def _on_message(self, message: "wire.Message | None") -> None:
        """Handle a message of the board, or None when it was disconnected."""

    def _send_line(self, line: bytes) -> None:
        """Send a line soon; it is lost while the board is disconnected. Any thread may call this."""
        self._board.call_soon(self._try_to_send, line)

    def _try_to_send(self, line: bytes) -> None:
        with suppress(DeviceError):
            self._board.send(line)


class NodeButtons(NodePart):
    """The buttons of a board."""

    _newest: wire.ButtonStates | None = None
    _has_greeted = False
    _reported: tuple[bool, str] | None = None
    _on_press: Callable[[str], None] | None = None
    _on_status: StatusCallback | None = None

    def start(self, pressed: Callable[[str], None], status: StatusCallback) -> None:
        """Call `pressed(name)` once for each press, and `status` when the buttons start or stop working."""
        self._on_press, self._on_status = pressed, status

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Do nothing: a board has no lamp in its buttons."""

    def _on_message(self, message: "wire.Message | None") -> None:
        if message is None:
            self._newest, self._has_greeted = None, False
            self._report(False, format_message(_BOARD_MISSING))
        elif isinstance(message, wire.Failed):
            self._newest = None  # the board starts again, and counts from 0
        elif isinstance(message, wire.Hello):
            if self._has_greeted and self._newest is None:  # each greeting is followed by the state of the buttons
                self._report(False, format_message(_NO_BUTTONS))
            self._has_greeted = True
        elif isinstance(message, wire.ButtonStates):
            before, self._newest = self._newest, message
            self._report(True, "")
            if before is not None and _is_later(before.number, message.number) and _is_later(before.ms, message.ms):
                self._report_presses(before, message)

    def _report_presses(self, before: "wire.ButtonStates", now: "wire.ButtonStates") -> None:
        counted = {name: presses for name, presses, _ in before.buttons}
        for name, presses, _ in now.buttons:
            for _ in range((presses - counted.get(name, presses)) % MAX_PRESSES):
                if self._on_press:
                    self._on_press(name)

    def _report(self, ok: bool, say: str) -> None:
        if self._on_status and self._reported != (ok, say):
            self._reported = ok, say
            self._on_status(ok, say)


def _is_later(before: int, now: int) -> bool:
    """Return whether a counter that wraps to 0 went on. It goes back when the board starts again."""
    return 0 <= (now - before & wire.COUNTER_MASK) <= wire.COUNTER_MASK // 2


class SimulatedNodeButtons(NodeButtons):
    """The buttons of a simulated board, with methods to press them."""

    def press_button(self, name: str) -> None:
        """Press the button long enough and release it."""
        assert isinstance(self._board, SimulatedSensors)
        for down in (True, False):
            self._board.hold_button(name, down)

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the board's cable."""
        assert isinstance(self._board, SimulatedSensors)
        self._board.set_plugged(plugged)

    def is_lamp_lit(self) -> bool:
        """Return False: there is no lamp."""
        return False


class NodeBuzzer(NodePart):
    """The buzzer of a board. It cannot report whether it is there."""

    def __init__(self, url: str, board: WiredSensors, tunes: "dict[str, tuple[tuple[int, int], ...]]") -> None:
        super().__init__(url, board)
        self._tunes = tunes

    def start(self, status: StatusCallback) -> None:
        """Report at once that the buzzer works."""
        status(True, "")

    def play_tune(self, name: str) -> None:
        """Play this tune soon; it interrupts the current one. Never blocks."""
        if name in self._tunes:
            self._send_line(wire.encode_tune(list(self._tunes[name])))


class NodeDisplay(NodePart):
    """The display of a board; nothing is sent to a board that reports none."""

    _wanted: Sequence[ScreenRow] = ()
    _sent: Sequence[ScreenRow] | None = None
    """What the board was sent; None while it is unknown what it shows, or whether it has a display."""
    _is_there = False

    def show_rows(self, rows: Sequence[ScreenRow]) -> None:
        """Show these rows soon, instead of those that have not been sent yet. Together they cover the display."""
        self._wanted = rows
        self._board.call_soon(self._update)

    def _update(self) -> None:
        rows, sent = self._wanted, self._sent
        if self._is_there and sent is not rows:
            for row in rows:
                if sent is None or row not in sent:
                    self._try_to_send(wire.encode_text_row(*row))
            self._sent = rows

    def _on_message(self, message: "wire.Message | None") -> None:
        if message is None:
            self._is_there, self._sent = False, None
        elif isinstance(message, wire.ShownTexts):
            self._is_there = True
            if message.check != _expected_check(self._sent or ()):
                self._sent = None
            self._update()


def _expected_check(rows: Sequence[ScreenRow]) -> str:
    shown = [(1, "")] * wire.TEXT_ROWS
    for row, size, text in rows:
        for part in range(size):
            shown[row + part] = size + part, text
    return wire.text_checksum(shown)
