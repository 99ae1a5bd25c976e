"""The buttons, the buzzer and the display at the board's own microcontroller. Pure; their ports are passed in.

A `B` line has the whole state of the buttons: the level of each and how often it has been pressed. It is repeated, so
a lost line costs a moment and never a press. The companion ignores what was pressed while it was not connected.
"""

from firmware import wire
from firmware.buttons import ButtonCounter
from firmware.tunes import TunePlayer

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc
    from collections.abc import Callable, Sequence

    from firmware.screen import TextScreen

SILENT_DISPLAY = "the display does not answer; check its four wires"

REPEAT_INTERVAL_MS = 50
"""Interval in ms at which the state of the buttons is repeated after a change."""

MAX_REPEATS = 4

IDLE_TEXTS = ((0, 2, "cribbage"), (4, 1, "waiting for the"), (5, 1, "companion"))
"""What the display shows until the companion is connected, by row and size."""


class Panel:
    """The parts at the microcontroller.

    :param names: the names of the buttons, by bit.
    :param read: returns the levels of the buttons, 1 while a button is down.
    :param play_tone: sounds a frequency in Hz until the next call; 0 is silence. None without a buzzer.
    :param screen: the display, or None.
    :param faults: a sentence for each part that cannot be used; the board goes on without it.
    """

    def __init__(
        self,
        names: "Sequence[str]" = (),
        read: "Callable[[], int]" = lambda: 0,
        play_tone: "Callable[[int], object] | None" = None,
        screen: "TextScreen | None" = None,
        faults: "Sequence[str]" = (),
    ) -> None:
        self._names = names
        self._read = read
        self._counter = ButtonCounter(len(names))
        self._tunes = TunePlayer(play_tone) if play_tone is not None else None
        self._screen = screen
        self._number = 0
        self._repeats_left = 0
        self._reported_ms = 0
        self._faults = faults
        self._are_faults_due = self._is_silence_due = False
        self._show_idle_texts()

    def _show_idle_texts(self) -> None:
        if self._screen is not None:
            self._screen.clear()
            for row, size, text in IDLE_TEXTS:
                self._screen.write_row(row, size, text)

    @property
    def button_levels(self) -> int:
        """The debounced levels of the buttons, as bits."""
        return self._counter.levels

    def on_message(self, message: "wire.Message") -> None:
        """Handle a message of the companion; one that concerns other parts is ignored."""
        if isinstance(message, wire.Tune) and self._tunes is not None:
            self._tunes.play(message.notes)
        elif isinstance(message, wire.TextRow) and self._screen is not None:
            self._screen.write_row(message.row, message.size, message.text)

    def end_session(self) -> None:
        """Stop the tune and show that the companion is gone."""
        if self._tunes is not None:
            self._tunes.play(((0, 1),))
        self._show_idle_texts()

    def request_faults(self) -> None:
        """Report what cannot be used: parts at wrong pins with the next lines, a display when it does not answer."""
        self._are_faults_due = self._is_silence_due = True

    def scan(self, now_ms: int) -> None:
        """Read the buttons once. Call it at each scan of the holes."""
        if self._names and self._counter.scan(self._read()):
            self._repeats_left = 1 + MAX_REPEATS
            self._reported_ms = now_ms - REPEAT_INTERVAL_MS & wire.COUNTER_MASK

    def step(self, now_ms: int) -> None:
        """Play on, and send the next bytes to the display."""
        if self._tunes is not None:
            self._tunes.step(now_ms)
        if self._screen is not None:
            self._screen.step(now_ms)

    def take_lines(self, now_ms: int, is_report_due: bool) -> bytes:
        """Return the lines that are due now. With `is_report_due` the whole state is."""
        lines = b""
        if self._are_faults_due and is_report_due:
            self._are_faults_due = False
            for fault in self._faults:
                lines += wire.encode_failed(fault)
        if self._is_silence_due and is_report_due and self._screen is not None and self._screen.is_silent:
            self._is_silence_due = False
            lines += wire.encode_failed(SILENT_DISPLAY)
        if self._names and (is_report_due or self._is_repeat_due(now_ms)):
            self._repeats_left -= self._repeats_left > 0
            self._reported_ms = now_ms
            states = [
                (name, self._counter.presses[button], bool(self.button_levels >> button & 1))
                for button, name in enumerate(self._names)
            ]
            lines += wire.encode_buttons(self._number, now_ms & wire.COUNTER_MASK, states)
            self._number = self._number + 1 & wire.COUNTER_MASK
        if self._screen is not None and is_report_due and self._screen.is_answering:
            lines += wire.encode_shown_texts(self._screen.check)
        return lines

    def is_idle(self) -> bool:
        """Return whether there is nothing to do until something changes or a report is due. For simulated boards."""
        return (
            (not self._names or (self._counter.is_at_rest() and self._read() == self.button_levels))
            and not self._repeats_left
            and (self._tunes is None or self._tunes.is_silent())
            and (self._screen is None or not self._screen.is_busy())
        )

    def _is_repeat_due(self, now_ms: int) -> bool:
        return self._repeats_left > 0 and now_ms - self._reported_ms & wire.COUNTER_MASK >= REPEAT_INTERVAL_MS
