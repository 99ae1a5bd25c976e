"""The machine as the checks see it: files below a root, its user, and the few things that no file tells.

A test gives another root and other answers, so that every fault can be looked at on any machine. Changes nothing.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.doctor.probes import free_mb, heard_at, is_installed, listener
from companion.settings import Settings


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it is well, a sentence, and the one thing to type or do; empty where it is well."""

    name: str
    ok: bool
    say: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class User:
    """Who runs the companion: `groups` as the system lists them, `held` those that this login has already."""

    name: str
    uid: int
    groups: frozenset[str]
    held: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Everything the checks may know."""

    root: Path
    settings: Settings
    user: User
    journal: Path
    settings_fault: str = ""
    has: Callable[[str], bool] = is_installed
    answers: Callable[[Path], str] = heard_at
    listener: Callable[[int], str] = listener
    room_mb: Callable[[Path], int] = free_mb
    now_s: Callable[[], float] = time.time
    python: tuple[int, ...] = tuple(sys.version_info[:3])

    def path(self, name: str) -> Path:
        """The file of this absolute name, below the root."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """What a file says; "" where there is none, or it may not be read."""
        with suppress(OSError):
            return self.path(name).read_text("utf-8", "replace").strip("\0 \n")
        return ""

    @property
    def model(self) -> str:
        """As the Pi calls itself: "Raspberry Pi 4 Model B Rev 1.4"; "" for any other machine."""
        named = self.text("/proc/device-tree/model")
        return named if named.startswith("Raspberry Pi") else ""

    @property
    def is_pi5(self) -> bool:
        """Whether pins are those of a Raspberry Pi 5 and its relatives."""
        return self.model.startswith(("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5"))

    def uses(self, *schemes: str) -> bool:
        """Whether the settings name a device of one of these schemes."""
        urls = (self.settings.sensors, self.settings.lights, self.settings.cards, self.settings.buttons)
        return any(url.partition(":")[0] in schemes for url in (*urls, self.settings.buzzer))

    def config(self) -> dict[str, str]:
        """What the firmware's own config.txt sets, the last of each; all of it counts, whatever its section."""
        held = self.text("/boot/firmware/config.txt") or self.text("/boot/config.txt")
        pairs = (line.split("=", 1) for line in held.splitlines() if "=" in line and not line.lstrip().startswith("#"))
        found = {}
        for key, value in pairs:
            if key.strip() == "dtparam":
                for part in value.split(","):
                    name, _, given = part.partition("=")
                    found[f"dtparam={name.strip()}"] = given.strip() or "on"
            else:
                found[key.strip()] = value.strip()
        return found


def this_machine(settings: Settings, journal: Path, *, settings_fault: str = "") -> Machine:
    """The machine this program runs on."""
    return Machine(root=Path("/"), settings=settings, user=this_user(), journal=journal, settings_fault=settings_fault)


def this_user() -> User:
    """Who runs this program. By sudo it is root, who may everything."""
    try:
        import grp  # noqa: PLC0415 - not every system has them
        import pwd  # noqa: PLC0415
    except ImportError:
        return User(os.environ.get("USERNAME", ""), -1, frozenset(), frozenset())
    uid = os.geteuid()
    with suppress(KeyError):
        name = pwd.getpwuid(uid).pw_name
        listed = frozenset(group.gr_name for group in grp.getgrall() if name in group.gr_mem)
        held = set()
        for number in os.getgroups():
            with suppress(KeyError):
                held.add(grp.getgrgid(number).gr_name)
        return User(name, uid, listed | held, frozenset(held))
    return User(str(uid), uid, frozenset(), frozenset())
