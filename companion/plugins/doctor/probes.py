"""Probes of serial ports, network ports, installed modules and disk space."""

import os
import socket
import time
import urllib.request
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path

from companion.common.errors import DeviceError
from companion.devices.device_thread import open_serial_port, read_available
from firmware import wire

LISTEN_TIME_S = 1.6
"""Time in s to listen at a serial port. A working board sends a line every second."""


def probe_serial_port(path: Path) -> str:
    """Describe the device at a serial port, after listening and sending a board's request."""
    decoder, raw, greeting = wire.Decoder(), b"", ""
    try:
        with closing(open_serial_port(str(path), 115_200)) as port:
            port.write(wire.ASK)
            end_s = time.monotonic() + LISTEN_TIME_S
            while time.monotonic() < end_s:
                data = read_available(port)
                raw += data
                for message in decoder.feed(data):
                    if isinstance(message, wire.Hello):  # the state of its chain follows
                        greeting = f"a board with {message.holes} holes, firmware {message.version}"
                    elif description := _describe_message(message):
                        return greeting if greeting and isinstance(message, wire.Holes) else description
    except DeviceError as error:
        return str(error)
    except OSError:
        return "nothing that accepts data"
    if greeting:
        return greeting
    return "an unknown device" if raw else "a silent device, perhaps a card reader"


def _describe_message(message: object) -> str:
    match message:
        case wire.Holes():
            return "a board"
        case wire.Fault(tile=tile):
            return f"a board whose chain is broken at tile {tile}"
        case wire.Failed(why=why):
            return f"a board whose program failed: {why}"
    return ""


def identify_listener(port: int) -> str:
    """Return who listens at this TCP port: "a companion", "another program", or "" for none."""
    with socket.socket() as probe:
        probe.settimeout(1)
        if port == 0 or probe.connect_ex(("127.0.0.1", port)) != 0:
            return ""
    with (
        suppress(OSError, ValueError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=3) as response,
    ):
        if b'"journal"' in response.read(10_000):
            return "a companion"
    return "another program"


def is_installed(module: str) -> bool:
    """Return whether this Python can import the module."""
    return find_spec(module) is not None


def free_mb(folder: Path) -> int:
    """Return the free space in MB on the disk of this folder or its nearest existing parent. Raises OSError."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize // 1_000_000
