"""The companion's end of a board's cable, a serial port or a simulated one. Bytes only; knows nothing of the wire."""

import threading
from collections.abc import Callable
from typing import Protocol

from companion.common.errors import DeviceError
from companion.devices.device_thread import READ_S, open_serial, read_some


class Line(Protocol):
    """The companion's end of a cable. Each call raises DeviceError when the cable is out."""

    def read(self) -> bytes:
        """What has arrived; b"" when nothing has for a moment."""

    def write(self, data: bytes) -> None:
        """Send."""

    def close(self) -> None:
        """Let go of it."""


class SerialLine:
    """A serial port to a board."""

    def __init__(self, path: str, baud: int) -> None:
        self._port = open_serial(path, baud)
        self._writing = threading.Lock()

    def read(self) -> bytes:
        """What has arrived."""
        return read_some(self._port)

    def write(self, data: bytes) -> None:
        """Send; any thread may."""
        try:
            with self._writing:
                self._port.write(data)
        except OSError as error:
            raise DeviceError("{port} takes nothing: is the board's cable in?", port=self._port.port) from error

    def close(self) -> None:
        """Let go of the port."""
        self._port.close()


class SimulatedCable:
    """Two directions of bytes between a simulated board and the companion. Out, it loses what is sent."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        self._deliver = deliver
        self._changed = threading.Condition()
        self._plugged = True
        self._opened = False
        self._arrived = b""

    def send(self, data: bytes) -> None:
        """The board's end: lost unless the cable is in and somebody listens."""
        with self._changed:
            if self._plugged and self._opened:
                self._arrived += data
                self._changed.notify_all()

    def plug(self, plugged: bool) -> None:
        """Put it in, or pull it."""
        with self._changed:
            self._plugged = plugged
            self._opened = self._opened and plugged
            self._changed.notify_all()

    def open(self) -> "SimulatedCable":
        """The companion's end."""
        with self._changed:
            self._opened = self._plugged
            self._arrived = b""
            self._check()
        return self

    def read(self) -> bytes:
        """What has arrived."""
        with self._changed:
            self._changed.wait_for(lambda: self._arrived or not self._opened, READ_S)
            self._check()
            arrived, self._arrived = self._arrived, b""
        return arrived

    def write(self, data: bytes) -> None:
        """Send to the board."""
        with self._changed:
            self._check()
        self._deliver(data)

    def close(self) -> None:
        """Nobody listens any more."""
        with self._changed:
            self._opened = False

    def _check(self) -> None:
        if not self._opened:
            raise DeviceError("The board's cable is out.")
