"""The companion's end of a board's cable: a serial port or a simulated one. It carries bytes and parses nothing."""

import threading
from collections.abc import Callable
from typing import Protocol

from companion.common.errors import DeviceError
from companion.devices.device_thread import READ_TIMEOUT_S, open_serial_port, read_available


class BoardLine(Protocol):
    """The companion's end of a cable. Each call raises DeviceError while the cable is unplugged."""

    def read(self) -> bytes:
        """Return the bytes that have arrived, or b"" after a short wait for none."""

    def write(self, data: bytes) -> None:
        """Send these bytes."""

    def close(self) -> None:
        """Release the cable."""


class SerialLine:
    """A serial port with a board at its other end."""

    def __init__(self, path: str, baud: int) -> None:
        self._port = open_serial_port(path, baud)
        self._writing = threading.Lock()

    def read(self) -> bytes:
        return read_available(self._port)

    def write(self, data: bytes) -> None:
        """Send these bytes. Any thread may call this."""
        try:
            with self._writing:
                self._port.write(data)
        except OSError as error:
            raise DeviceError("Cannot send to the board at {port}. Check its cable.", port=self._port.port) from error

    def close(self) -> None:
        self._port.close()


class SimulatedCable:
    """Carries bytes both ways between a simulated board and the companion. Unplugged, it loses them."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        self._deliver = deliver
        self._condition = threading.Condition()
        self._plugged = True
        self._opened = False
        self._arrived = b""

    def send(self, data: bytes) -> None:
        """Send from the board's end. The bytes are lost unless the cable is plugged in and open."""
        with self._condition:
            if self._plugged and self._opened:
                self._arrived += data
                self._condition.notify_all()

    def set_plugged(self, plugged: bool) -> None:
        """Plug in or unplug the cable."""
        with self._condition:
            self._plugged = plugged
            self._opened = self._opened and plugged
            self._condition.notify_all()

    def open(self) -> "SimulatedCable":
        """Open the companion's end and return it. Raises DeviceError while the cable is unplugged."""
        with self._condition:
            self._opened = self._plugged
            self._arrived = b""
            self._check_open()
        return self

    def read(self) -> bytes:
        with self._condition:
            self._condition.wait_for(lambda: self._arrived or not self._opened, READ_TIMEOUT_S)
            self._check_open()
            arrived, self._arrived = self._arrived, b""
        return arrived

    def write(self, data: bytes) -> None:
        with self._condition:
            self._check_open()
        self._deliver(data)

    def close(self) -> None:
        """Close the companion's end."""
        with self._condition:
            self._opened = False

    def _check_open(self) -> None:
        if not self._opened:
            raise DeviceError("The board's cable is unplugged.")
