"""Checks for any machine: system, permissions, serial ports, disk, clock, network port, settings, journal."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

from companion.plugins.cards.camera_scanner import DEFAULT_CAMERA, PICAMERA
from companion.plugins.doctor.system import CheckResult, Machine

UDEV_RULES_PATH = "/etc/udev/rules.d/60-companion.rules"
MIN_FREE_MB = 200
MIN_PYTHON = (3, 11)
EARLIEST_CLOCK_S = 1_767_225_600
"""Start of 2026 in s since the epoch. A clock that shows an earlier time was never set."""

_GROUP_SCHEMES = (
    ("dialout", ("serial",)),
    ("gpio", ("gpio",)),
    ("spi", ("neopixel-spi",)),
    ("input", ("keyboard",)),
    ("video", ("camera",)),
)

_PI_CAMERA_DEVICES = ("unicam", "rp1-cfe")
"""How the names of video devices begin that exist only if a Raspberry Pi has found a camera at its ribbon cable."""

_BOARD_FAULT_FIXES = {
    "chain is broken": "Check the plugs of that tile and of the one before it, then their solder joints.",
    "program failed": "companion flash BOARD writes firmware and wiring to it again.",
}
"""Parts of a board's description that mean a fault, and how to fix it."""


def check_system(machine: Machine) -> CheckResult:
    """Check the operating system and Python version."""
    summary = dict(line.split("=", 1) for line in machine.read_text("/etc/os-release").splitlines() if "=" in line)
    name = summary.get("PRETTY_NAME", "An unknown system").strip('"')
    version = ".".join(map(str, machine.python))
    if machine.python < MIN_PYTHON:
        fix = "Install Raspberry Pi OS of 2023 or newer, which has Python 3.11."
        return CheckResult("system", False, f"{name} has Python {version}; the companion needs 3.11.", fix)
    return CheckResult("system", True, f"{name}, Python {version}.")


def check_plugins(machine: Machine) -> CheckResult:
    """Check that every installed plugin can be loaded."""
    plugins = machine.find_plugins()
    faults = [f"{plugin.name} cannot be loaded ({plugin.fault})" for plugin in plugins if plugin.fault]
    if faults:
        fix = "Update or uninstall it with pip, or start the table with companion play --safe."
        return CheckResult("plugins", False, f"{', '.join(faults)}. The table runs without it.", fix)
    return CheckResult("plugins", True, f"{', '.join(f'{plugin.name} {plugin.version}' for plugin in plugins)}.")


def check_settings(machine: Machine) -> CheckResult:
    """Check that companion.toml can be read."""
    if machine.settings_fault:
        return CheckResult("settings", False, machine.settings_fault, "Correct that line of companion.toml.")
    return CheckResult("settings", True, "The settings can be read.")


def check_groups(machine: Machine) -> CheckResult:
    """Check that the user's groups may open the devices of the settings."""
    user = machine.user
    groups_needed = [group for group, schemes in _GROUP_SCHEMES if machine.uses_scheme(*schemes)]
    if user.uid == 0 or not groups_needed:
        return CheckResult("groups", True, f"{user.name} may open all devices in the settings.")
    missing = [group for group in groups_needed if group not in user.groups]
    if missing:
        fix = f"sudo usermod -aG {','.join(missing)} {user.name}, then log out and in again"
        return CheckResult("groups", False, f"{user.name} is not in the group {' and '.join(missing)}.", fix)
    inactive = [group for group in groups_needed if group not in user.held]
    if inactive:
        say = f"{user.name} was added to the group {' and '.join(inactive)} after logging in."
        return CheckResult("groups", False, say, "Log out and in again.")
    return CheckResult("groups", True, f"{user.name} is in {', '.join(groups_needed)}.")


def check_udev(machine: Machine) -> CheckResult:
    """Check the udev rules, which give the board a fixed name and keep other programs off it."""
    if not machine.uses_scheme("serial") or machine.read_text(UDEV_RULES_PATH):
        return CheckResult(
            "udev",
            True,
            "The udev rules are installed." if machine.read_text(UDEV_RULES_PATH) else "No udev rules are needed.",
        )
    fix = (
        "companion service rules | sudo tee "
        + UDEV_RULES_PATH
        + "; sudo udevadm control --reload; sudo udevadm trigger"
    )
    return CheckResult("udev", False, "The udev rules that keep other programs off the board's port are missing.", fix)


def check_modem(machine: Machine) -> CheckResult:
    """Check that ModemManager does not probe a newly connected board."""
    hint = machine.resolve_path("/usr/sbin/ModemManager").exists()
    if not hint or not machine.uses_scheme("serial"):
        return CheckResult("modem", True, "ModemManager does not disturb the board.")
    if "ID_MM_DEVICE_IGNORE" in machine.read_text(UDEV_RULES_PATH):
        return CheckResult("modem", True, "ModemManager is set to ignore boards.")
    fix = "sudo systemctl disable --now ModemManager"
    return CheckResult("modem", False, "ModemManager blocks a newly connected board for some seconds.", fix)


def check_serial(machine: Machine) -> CheckResult:
    """Check the serial ports: those of the settings exist, and no board there reports a fault."""
    named = [_device_path(url) for url in _device_urls(machine) if url.startswith("serial:")]
    folder = machine.resolve_path("/dev/serial/by-id")
    ports = sorted(folder.iterdir()) if folder.is_dir() else []
    ports = ports or sorted(
        [*machine.resolve_path("/dev").glob("ttyACM*"), *machine.resolve_path("/dev").glob("ttyUSB*")]
    )
    known = {port.resolve() for port in ports}
    ports += [path for path in map(machine.resolve_path, named) if path.exists() and path.resolve() not in known]
    summary = "; ".join(f"{_path_below_root(machine, port)}: {machine.probe_port(port)}" for port in ports) or "none"
    reader = _device_path(machine.settings.cards)  # check_reader looks for it
    absent = [name for name in named if name != reader and not machine.resolve_path(name).exists()]
    if absent:
        hint = (
            f"Write serial:{_path_below_root(machine, ports[0])} into companion.toml."
            if ports
            else "Plug in its cable."
        )
        return CheckResult("serial", False, f"Cannot find {absent[0]}. Serial ports: {summary}.", hint)
    fix = next((fix for symptom, fix in _BOARD_FAULT_FIXES.items() if symptom in summary), "")
    return CheckResult("serial", not fix, f"Serial ports: {summary}.", fix)


def check_reader(machine: Machine) -> CheckResult:
    """Check that the card reader of the settings is connected."""
    url = machine.settings.cards
    scheme, path = url.partition(":")[0], _device_path(url)
    if scheme == "camera":
        path = path or DEFAULT_CAMERA
        if path == PICAMERA:
            return _check_pi_camera(machine)
        if path.startswith("/"):
            scheme = "serial"  # a file of /dev as well
    if scheme not in ("serial", "keyboard"):
        return CheckResult("reader", True, "The settings name no card reader that is connected by cable.")
    if machine.resolve_path(path).exists():
        return CheckResult("reader", True, f"The card reader {path} is connected.")
    if scheme == "serial":
        return CheckResult("reader", False, f"Cannot find the card reader {path}.", "Plug in its cable.")
    keyboards = [
        _path_below_root(machine, each) for each in sorted(machine.resolve_path("/dev/input/by-id").glob("*-event-kbd"))
    ]
    fix = f'Write cards = "keyboard:{keyboards[0]}" into companion.toml.' if keyboards else "Plug in its cable."
    say = f"Cannot find the card reader {path}. Keyboards: {', '.join(keyboards) or 'none'}."
    return CheckResult("reader", False, say, fix)


def _check_pi_camera(machine: Machine) -> CheckResult:
    names = machine.resolve_path("/sys/class/video4linux").glob("*/name")
    if any(name.read_text().startswith(_PI_CAMERA_DEVICES) for name in names):
        return CheckResult("reader", True, "The camera of the Raspberry Pi is connected.")
    fix = "Switch the Pi off and check the ribbon cable. rpicam-hello --list-cameras lists what is found."
    return CheckResult("reader", False, "Cannot find a camera of the Raspberry Pi.", fix)


def check_disk(machine: Machine) -> CheckResult:
    """Check the free space on the journal's disk."""
    try:
        free_mb = machine.free_mb(machine.journal.parent)
    except OSError as error:
        return CheckResult("disk", False, f"Cannot reach the journal's disk: {error.strerror}.", "Check the card.")
    if free_mb < MIN_FREE_MB:
        fix = "sudo apt-get clean; sudo journalctl --vacuum-size=50M"
        return CheckResult("disk", False, f"The journal's disk has only {free_mb} MB left.", fix)
    return CheckResult("disk", True, f"The journal's disk has {free_mb} MB left.")


def check_clock(machine: Machine) -> CheckResult:
    """Check that the clock was set. A Pi's clock stops without power, and games are dated by it."""
    if machine.resolve_path("/run/systemd/timesync/synchronized").exists():
        return CheckResult("clock", True, "The clock is set by the network.")
    if machine.now_s() < EARLIEST_CLOCK_S:
        fix = "sudo timedatectl set-ntp true, with the network up"
        return CheckResult("clock", False, "The clock was never set, so games would get a wrong date.", fix)
    return CheckResult("clock", True, "The clock shows a plausible date.")


def check_port(machine: Machine) -> CheckResult:
    """Check that the port of the pages is free."""
    number = machine.settings.port
    listener = machine.identify_listener(number)
    if listener == "another program":
        fix = f"Write port = {number + 1} into companion.toml."
        return CheckResult("port", False, f"Another program listens at port {number}.", fix)
    return CheckResult("port", True, f"At port {number} {listener} listens." if listener else f"Port {number} is free.")


def check_journal(machine: Machine) -> CheckResult:
    """Check that the journal can be read and written."""
    path = machine.journal
    if not path.exists():
        return CheckResult("journal", True, "There is no journal yet. The first game creates it.")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=2)) as connection:
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        result = str(error)
    if result != "ok":
        fix = "Run companion play. It keeps the damaged file under a dated name and reports what was lost."
        return CheckResult("journal", False, f"The journal {path} is damaged.", fix)
    if path.stat().st_uid != machine.user.uid != 0:
        fix = f"sudo chown -R {machine.user.name}: {path.parent}"
        return CheckResult("journal", False, f"The journal {path} belongs to another user.", fix)
    return CheckResult("journal", True, f"The journal {path} can be read.")


def _device_urls(machine: Machine) -> tuple[str, ...]:
    settings = machine.settings
    return settings.sensors, settings.lights, settings.cards, settings.buttons


def _device_path(url: str) -> str:
    return url.partition(":")[2].partition("?")[0]


def _path_below_root(machine: Machine, path: object) -> str:
    return "/" + str(path).removeprefix(str(machine.root)).lstrip("/")
