"""What no file tells and the machine must be asked for: who speaks, who listens, how much room there is."""

import os
import socket
import time
import urllib.request
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path

from companion.common.errors import DeviceError
from companion.devices.device_thread import open_serial, read_some
from firmware import wire

LISTENED_S = 1.6
"""A board that works tells of itself each second."""


def heard_at(path: Path) -> str:
    """What is at the other end of a serial port, in words. It is listened to, and asked as a board is."""
    decoder, raw, greeted = wire.Decoder(), b"", ""
    try:
        with closing(open_serial(str(path), 115_200)) as port:
            port.write(wire.ASK)
            until = time.monotonic() + LISTENED_S
            while time.monotonic() < until:
                data = read_some(port)
                raw += data
                for message in decoder.feed(data):
                    if isinstance(message, wire.Hello):  # how its chain is it says next
                        greeted = f"a board with {message.holes} holes, firmware {message.version}"
                    elif words := _words(message):
                        return greeted if greeted and isinstance(message, wire.Holes) else words
    except DeviceError as error:
        return str(error)
    except OSError:
        return "nothing that can be written to"
    if greeted:
        return greeted
    return "something that speaks no board's language" if raw else "nothing that speaks by itself; a reader, perhaps"


def _words(message: object) -> str:
    match message:
        case wire.Holes():
            return "a board"
        case wire.Fault(tile=tile):
            return f"a board whose chain is broken at tile {tile}"
        case wire.Failed(why=why):
            return f"a board whose program failed: {why}"
    return ""


def listener(port: int) -> str:
    """Who listens at this port: "a companion", "another program", or nobody."""
    with socket.socket() as probe:
        probe.settimeout(1)
        if port == 0 or probe.connect_ex(("127.0.0.1", port)) != 0:
            return ""
    with (
        suppress(OSError, ValueError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=3) as told,
    ):
        if b'"journal"' in told.read(10_000):
            return "a companion"
    return "another program"


def is_installed(module: str) -> bool:
    """Whether this Python can import it."""
    return find_spec(module) is not None


def free_mb(folder: Path) -> int:
    """Room on the disk of this folder, or of the nearest that exists, in megabytes. Raises OSError."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize // 1_000_000
