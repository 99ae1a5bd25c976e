"""The machine as the checks see it: files below a root, the user, and probes. Changes nothing.

Tests pass another root and other probes to simulate any machine.
"""

import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from companion.common.errors import DeviceError
from companion.common.files import count_free_bytes
from companion.common.process import read_health
from companion.devices.board_session import LEARNING_BOARD
from companion.devices.device_thread import open_serial_port, read_available
from companion.plugin import InstalledPlugin, find_plugins
from companion.settings import Settings
from firmware import wire
from firmware.node import VERSION

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
                        greeting = describe_board(message)
                    elif description := _describe_message(message):
                        return greeting if greeting and isinstance(message, wire.Holes) else description
    except DeviceError as error:
        return str(error)
    except OSError:
        return "nothing that accepts data"
    if greeting:
        return greeting
    return "an unknown device" if raw else "a silent device, perhaps a card reader"


def describe_board(hello: "wire.Hello") -> str:
    """Return the board's name, holes, firmware and protocol, and what of them does not fit this companion."""
    told = (
        f"the board {hello.board or 'without a name'} with {hello.holes} holes, firmware {hello.version}, "
        f"protocol {hello.wire}"
    )
    if hello.board == LEARNING_BOARD:
        return f"{told}, which only learns the wiring"
    if hello.wire != wire.VERSION:
        return f"{told} ({'outdated' if hello.wire < wire.VERSION else 'too new'}: this companion has {wire.VERSION})"
    if hello.version != VERSION:
        return f"{told} (another firmware: this companion brings {VERSION})"
    return told


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
    for tls in (False, True):
        with suppress(OSError, ValueError):
            if b'"journal"' in read_health("127.0.0.1", port, tls=tls):
                return "a companion"
    return "another program"


def is_installed(module: str) -> bool:
    return find_spec(module) is not None


def free_mb(folder: Path) -> int:
    return count_free_bytes(folder) // 1_000_000


@dataclass(frozen=True, slots=True)
class User:
    """The user who runs the companion: `groups` as the system lists them, `held` those active in this login."""

    name: str
    uid: int
    groups: frozenset[str]
    held: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """All facts that the checks use."""

    root: Path
    settings: Settings
    user: User
    journal: Path
    board: str = ""
    """How the expected board greets, if one is named."""
    settings_fault: str = ""
    has_module: Callable[[str], bool] = is_installed
    find_plugins: Callable[[], Sequence[InstalledPlugin]] = find_plugins
    probe_port: Callable[[Path], str] = probe_serial_port
    identify_listener: Callable[[int], str] = identify_listener
    free_mb: Callable[[Path], int] = free_mb
    now_s: Callable[[], float] = time.time
    python: tuple[int, ...] = tuple(sys.version_info[:3])

    def resolve_path(self, name: str) -> Path:
        return self.root / name.lstrip("/")

    def read_text(self, name: str) -> str:
        """Return the text of a file, or "" if it is missing or unreadable."""
        with suppress(OSError):
            return self.resolve_path(name).read_text("utf-8", "replace").strip("\0 \n")
        return ""

    @property
    def model(self) -> str:
        """The model of a Pi, such as "Raspberry Pi 4 Model B Rev 1.4"; "" for any other machine."""
        model = self.read_text("/proc/device-tree/model")
        return model if model.startswith("Raspberry Pi") else ""

    @property
    def is_pi5(self) -> bool:
        """Whether this is a Raspberry Pi 5, 500 or Compute Module 5."""
        return self.model.startswith(("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5"))

    def uses_scheme(self, *schemes: str) -> bool:
        urls = (self.settings.sensors, self.settings.lights, self.settings.cards, self.settings.buttons)
        return any(url.partition(":")[0] in schemes for url in (*urls, self.settings.buzzer))

    def read_boot_config(self) -> dict[str, str]:
        """Return the values of the Pi's config.txt. The last value of each key counts; sections are ignored."""
        config_text = self.read_text("/boot/firmware/config.txt") or self.read_text("/boot/config.txt")
        lines = (line for line in config_text.splitlines() if "=" in line and not line.lstrip().startswith("#"))
        pairs = (line.split("=", 1) for line in lines)
        values = {}
        for key, value in pairs:
            if key.strip() == "dtparam":
                for part in value.split(","):
                    name, _, setting = part.partition("=")
                    values[f"dtparam={name.strip()}"] = setting.strip() or "on"
            else:
                values[key.strip()] = value.strip()
        return values


def this_machine(settings: Settings, journal: Path, *, board: str = "", settings_fault: str = "") -> Machine:
    return Machine(root=Path("/"), settings=settings, user=current_user(), journal=journal, board=board,
                   settings_fault=settings_fault)  # fmt: skip


def current_user() -> User:
    """Return the user who runs this program; root under sudo."""
    try:
        import grp  # noqa: PLC0415 - missing on some systems
        import pwd  # noqa: PLC0415
    except ImportError:
        return User(os.environ.get("USERNAME", ""), -1, frozenset(), frozenset())
    uid = os.geteuid()
    with suppress(KeyError):
        name = pwd.getpwuid(uid).pw_name
        listed = frozenset(group.gr_name for group in grp.getgrall() if name in group.gr_mem)
        active = set()
        for number in os.getgroups():
            with suppress(KeyError):
                active.add(grp.getgrgid(number).gr_name)
        return User(name, uid, listed | active, frozenset(active))
    return User(str(uid), uid, frozenset(), frozenset())
