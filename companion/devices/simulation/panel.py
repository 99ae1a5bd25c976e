"""The buttons, buzzer and display of a simulated board, at the ports of the firmware's own code."""

from collections.abc import Mapping
from typing import Any

from companion.common.errors import DeviceError
from companion.devices.simulation import frame_buffer
from firmware.panel import Panel
from firmware.screen import ADDRESS, TextScreen


class SimulatedDisplay:
    """An SSD1306 at an I2C bus, as far as the firmware uses it: pages of eight rows, a byte to each column."""

    WIDTH, HEIGHT = 128, 64

    def __init__(self) -> None:
        self.is_on = False
        self._memory = bytearray(self.WIDTH * self.HEIGHT // 8)
        self._at = 0

    def writeto(self, address: int, data: bytes | bytearray) -> None:
        """Take commands or data."""
        assert address == ADDRESS
        if data[0]:
            self._memory[self._at : self._at + len(data) - 1] = data[1:]
            self._at += len(data) - 1
        elif len(data) == 2:
            self.is_on = data[1] == 0xAF
        elif len(data) == 4:  # page, and column in two halves
            self._at = (data[1] & 7) * self.WIDTH + (data[2] & 15 | (data[3] & 15) << 4)

    def lit_rows(self) -> list[str]:
        """Return the picture: for each row of pixels, from the top, a hexadecimal number, the leftmost pixel first."""
        if not self.is_on:
            return ["0" * (self.WIDTH // 4)] * self.HEIGHT
        pages = [self._memory[at : at + self.WIDTH] for at in range(0, len(self._memory), self.WIDTH)]
        rows = [int("".join(str(octet >> bit & 1) for octet in page), 2) for page in pages for bit in range(8)]
        return [f"{row:0{self.WIDTH // 4}x}" for row in rows]


class SimulatedPanel:
    """The parts that a `board.json` names."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.display = SimulatedDisplay() if board.get("display") is not None else None
        self.tones: list[int] = []
        """The frequencies in Hz that sounded, the newest last, 0 for silence; the last few."""
        self._names = sorted(board.get("buttons") or ())
        self._down = 0
        screen = TextScreen(self.display, frame_buffer) if self.display else None
        self.firmware = Panel(self._names, lambda: self._down, self._play_tone, screen)
        """The firmware's own code at these parts."""

    def is_noticed(self) -> bool:
        """Return whether the firmware has noticed which buttons are down."""
        return self.firmware.button_levels == self._down

    def hold_button(self, name: str, down: bool) -> None:
        """Press or release a button."""
        if name not in self._names:
            raise DeviceError(f"Unknown button {name!r}. Use one of {', '.join(self._names)}.")
        bit = 1 << self._names.index(name)
        self._down = self._down & ~bit | bit * down

    def _play_tone(self, hz: int) -> None:
        self.tones = [*self.tones[-31:], hz]
