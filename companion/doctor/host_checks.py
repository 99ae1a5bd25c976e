"""The checks that every machine needs: system, rights, serial ports, disk, clock, network port, settings, journal."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

from companion.doctor.system import Check, Machine

RULES = "/etc/udev/rules.d/60-companion.rules"
LEAST_MB = 200
OLDEST_PYTHON = (3, 11)
BUILT_S = 1_767_225_600
"""The year 2026: a clock that shows an earlier one was never set."""

_GROUPS = (("dialout", ("serial",)), ("gpio", ("gpio",)), ("spi", ("neopixel-spi",)), ("input", ("keyboard",)))

_AMISS = {
    "chain is broken": "See to the plugs of that tile and of the one before it, then to their solder joints.",
    "program failed": "companion flash BOARD puts program and wiring on it anew.",
}
"""What a board may answer that is not well, and what mends it."""


def system(machine: Machine) -> Check:
    """Operating system and Python."""
    told = dict(line.split("=", 1) for line in machine.text("/etc/os-release").splitlines() if "=" in line)
    name = told.get("PRETTY_NAME", "An unknown system").strip('"')
    version = ".".join(map(str, machine.python))
    if machine.python < OLDEST_PYTHON:
        fix = "Write Raspberry Pi OS of 2023 or newer onto the card: it has Python 3.11."
        return Check("system", False, f"{name} has Python {version}; the companion needs 3.11.", fix)
    return Check("system", True, f"{name}, Python {version}.")


def settings(machine: Machine) -> Check:
    """Whether companion.toml can be read."""
    if machine.settings_fault:
        return Check("settings", False, machine.settings_fault, "Mend that line of companion.toml.")
    return Check("settings", True, "The settings can be read.")


def groups(machine: Machine) -> Check:
    """Whether the user may open what the settings name."""
    user = machine.user
    wanted = [group for group, schemes in _GROUPS if machine.uses(*schemes)]
    if user.uid == 0 or not wanted:
        return Check("groups", True, f"{user.name} may open all devices that the settings name.")
    missing = [group for group in wanted if group not in user.groups]
    if missing:
        fix = f"sudo usermod -aG {','.join(missing)} {user.name}, then log out and in again"
        return Check("groups", False, f"{user.name} is not in the group {' and '.join(missing)}.", fix)
    late = [group for group in wanted if group not in user.held]
    if late:
        say = f"{user.name} is in the group {' and '.join(late)}, but was not when logging in."
        return Check("groups", False, say, "Log out and in again.")
    return Check("groups", True, f"{user.name} is in {', '.join(wanted)}.")


def udev(machine: Machine) -> Check:
    """Whether the rules are there that keep other programs off the board, and name it the same each time."""
    if not machine.uses("serial") or machine.text(RULES):
        return Check(
            "udev", True, "The rules for serial ports are there." if machine.text(RULES) else "None are needed."
        )
    fix = "companion service rules | sudo tee " + RULES + "; sudo udevadm control --reload; sudo udevadm trigger"
    return Check("udev", False, "The rules that keep other programs off the board's port are missing.", fix)


def modem(machine: Machine) -> Check:
    """Whether ModemManager would talk to a board that has just been plugged in."""
    there = machine.path("/usr/sbin/ModemManager").exists()
    if not there or not machine.uses("serial"):
        return Check("modem", True, "No ModemManager talks to the board.")
    if "ID_MM_DEVICE_IGNORE" in machine.text(RULES):
        return Check("modem", True, "ModemManager is told to leave boards alone.")
    fix = "sudo systemctl disable --now ModemManager"
    return Check("modem", False, "ModemManager takes a board that is plugged in for a modem, for some seconds.", fix)


def serial(machine: Machine) -> Check:
    """The serial ports, what answers there, and whether those of the settings are among them."""
    named = [url.partition(":")[2].partition("?")[0] for url in _urls(machine) if url.startswith("serial:")]
    folder = machine.path("/dev/serial/by-id")
    ports = sorted(folder.iterdir()) if folder.is_dir() else []
    ports = ports or sorted([*machine.path("/dev").glob("ttyACM*"), *machine.path("/dev").glob("ttyUSB*")])
    known = {port.resolve() for port in ports}
    ports += [path for path in map(machine.path, named) if path.exists() and path.resolve() not in known]
    told = "; ".join(f"{_plain(machine, port)}: {machine.answers(port)}" for port in ports) or "none"
    absent = [name for name in named if not machine.path(name).exists()]
    if absent:
        there = f"Write serial:{_plain(machine, ports[0])} into companion.toml." if ports else "Plug its cable in."
        return Check("serial", False, f"There is no {absent[0]}. Serial ports: {told}.", there)
    fix = next((fix for amiss, fix in _AMISS.items() if amiss in told), "")
    return Check("serial", not fix, f"Serial ports: {told}.", fix)


def disk(machine: Machine) -> Check:
    """Whether the journal's disk has room."""
    try:
        room = machine.room_mb(machine.journal.parent)
    except OSError as error:
        return Check("disk", False, f"The journal's disk cannot be reached: {error.strerror}.", "Check the card.")
    if room < LEAST_MB:
        fix = "sudo apt-get clean; sudo journalctl --vacuum-size=50M"
        return Check("disk", False, f"The journal's disk has only {room} MB left.", fix)
    return Check("disk", True, f"The journal's disk has {room} MB left.")


def clock(machine: Machine) -> Check:
    """Whether the clock was set: a Pi has none that runs without power, and dates of games come from it."""
    if machine.path("/run/systemd/timesync/synchronized").exists():
        return Check("clock", True, "The clock is set by the network.")
    if machine.now_s() < BUILT_S:
        fix = "sudo timedatectl set-ntp true, with the network up"
        return Check("clock", False, "The clock was never set: games would be dated years back.", fix)
    return Check("clock", True, "The clock shows a likely date.")


def port(machine: Machine) -> Check:
    """Whether the pages' port is free."""
    number = machine.settings.port
    who = machine.listener(number)
    if who == "another program":
        fix = f"Write port = {number + 1} into companion.toml."
        return Check("port", False, f"Another program listens at port {number}.", fix)
    return Check("port", True, f"At port {number} {who} listens." if who else f"Port {number} is free.")


def journal(machine: Machine) -> Check:
    """Whether the journal can be read and written."""
    path = machine.journal
    if not path.exists():
        return Check("journal", True, "There is no journal yet: the first game begins it.")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=2)) as held:
            (found,) = held.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        fix = "companion play keeps it under a dated name, and says what was lost"
        return Check("journal", False, f"The journal {path} is damaged.", fix)
    if path.stat().st_uid != machine.user.uid != 0:
        fix = f"sudo chown -R {machine.user.name}: {path.parent}"
        return Check("journal", False, f"The journal {path} belongs to another user.", fix)
    return Check("journal", True, f"The journal {path} can be read.")


def _urls(machine: Machine) -> tuple[str, ...]:
    given = machine.settings
    return given.sensors, given.lights, given.cards, given.buttons


def _plain(machine: Machine, path: object) -> str:
    return "/" + str(path).removeprefix(str(machine.root)).lstrip("/")
