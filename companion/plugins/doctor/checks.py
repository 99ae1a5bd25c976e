"""`companion doctor`: checks of the machine, in the order in which to fix them. Each failed one says how to fix it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from companion.boards.catalog import load_board
from companion.common.errors import SettingsError
from companion.common.paths import config_home, data_home
from companion.common.process import format_extra_command, system_package_command
from companion.plugin import CheckResult, load_object, load_plugins
from companion.plugins.cards.camera_scanner import DEFAULT_CAMERA, PICAMERA
from companion.plugins.doctor.machine import Machine, this_machine
from companion.protocol.json_codec import print_json
from companion.settings import Settings, apply_values, parse_pairs, read_settings_or_default

UDEV_RULES_PATH = "/etc/udev/rules.d/60-companion.rules"
MIN_FREE_MB = 200
MIN_PYTHON = (3, 11)
EARLIEST_CLOCK_S = 1_767_225_600
"""Start of 2026 in s since the epoch. A clock that shows an earlier time was never set."""

Finding = tuple[str, str]
"""What a check says, and how to fix it; the fix is empty if the check has passed."""

_GROUP_SCHEMES = {
    "dialout": "serial", "gpio": "gpio", "spi": "neopixel-spi", "input": "keyboard", "video": "camera",
}  # fmt: skip
"""The group that may open the devices of a URL's scheme."""
_PI_CAMERA_DEVICES = ("unicam", "rp1-cfe")
"""How the names of video devices begin that exist only if a Raspberry Pi has found a camera at its ribbon cable."""

_FLASH = "Run companion flash BOARD. It writes firmware and wiring to the Pico again."
_BOARD_FAULT_FIXES = {
    "chain is broken": "Check the plugs of that tile and of the one before it, then their solder joints.",
    "program failed": _FLASH,
    "which only learns the wiring": _FLASH,
    "(outdated": _FLASH,
    "(too new": "Update this companion, or write its own firmware to the Pico with companion flash BOARD.",
    "(another firmware": _FLASH,
}
"""Parts of a board's description that mean a fault, and how to fix it."""


def check_system(machine: Machine) -> Finding:
    os_release = dict(line.split("=", 1) for line in machine.read_text("/etc/os-release").splitlines() if "=" in line)
    name = os_release.get("PRETTY_NAME", "An unknown system").strip('"')
    version = ".".join(map(str, machine.python))
    if machine.python < MIN_PYTHON:
        fix = "Install Raspberry Pi OS of 2023 or newer, which has Python 3.11."
        return f"{name} has Python {version}; the companion needs 3.11.", fix
    return f"{name}, Python {version}.", ""


def check_plugins(machine: Machine) -> Finding:
    plugins = machine.find_plugins()
    faults = [f"{plugin.name} cannot be loaded ({plugin.fault})" for plugin in plugins if plugin.fault]
    if faults:
        fix = "Update or uninstall it with pip, or start the table with companion play --safe."
        return f"{', '.join(faults)}. The table runs without it.", fix
    return f"{', '.join(f'{plugin.name} {plugin.version}' for plugin in plugins)}.", ""


def check_settings(machine: Machine) -> Finding:
    if machine.settings_fault:
        return machine.settings_fault, "Correct that line of companion.toml."
    return "The settings can be read.", ""


def check_groups(machine: Machine) -> Finding:
    user = machine.user
    groups_needed = [group for group, scheme in _GROUP_SCHEMES.items() if machine.uses_scheme(scheme)]
    if user.uid == 0 or not groups_needed:
        return f"{user.name} may open all devices in the settings.", ""
    missing = [group for group in groups_needed if group not in user.groups]
    if missing:
        fix = f"sudo usermod -aG {','.join(missing)} {user.name}, then log out and in again"
        return f"{user.name} is not in the group {' and '.join(missing)}.", fix
    inactive = [group for group in groups_needed if group not in user.held]
    if inactive:
        return f"{user.name} was added to the group {' and '.join(inactive)} after logging in.", "Log out and in again."
    return f"{user.name} is in {', '.join(groups_needed)}.", ""


def check_udev(machine: Machine) -> Finding:
    """Check the udev rules, which give the board a fixed name and keep other programs off it."""
    if machine.read_text(UDEV_RULES_PATH):
        return "The udev rules are installed.", ""
    if not machine.uses_scheme("serial"):
        return "No udev rules are needed.", ""
    fix = f"companion service rules | sudo tee {UDEV_RULES_PATH}; sudo udevadm control --reload; sudo udevadm trigger"
    return "The udev rules that keep other programs off the board's port are missing.", fix


def check_modem(machine: Machine) -> Finding:
    """Check that ModemManager does not probe a newly connected board."""
    has_modem_manager = machine.resolve_path("/usr/sbin/ModemManager").exists()
    if not has_modem_manager or not machine.uses_scheme("serial"):
        return "ModemManager does not disturb the board.", ""
    if "ID_MM_DEVICE_IGNORE" in machine.read_text(UDEV_RULES_PATH):
        return "ModemManager is set to ignore boards.", ""
    return (
        "ModemManager blocks a newly connected board for some seconds.", "sudo systemctl disable --now ModemManager"
    )  # fmt: skip


def check_serial(machine: Machine) -> Finding:
    """Check the serial ports: those of the settings exist, and no board there reports a fault."""
    named = [_device_path(url) for url in _device_urls(machine) if url.startswith("serial:")]
    folder = machine.resolve_path("/dev/serial/by-id")
    ports = sorted(folder.iterdir()) if folder.is_dir() else []
    ports = ports or sorted(
        [*machine.resolve_path("/dev").glob("ttyACM*"), *machine.resolve_path("/dev").glob("ttyUSB*")]
    )
    resolved = {port.resolve() for port in ports}
    ports += [path for path in map(machine.resolve_path, named) if path.exists() and path.resolve() not in resolved]
    summary = "; ".join(f"{_path_below_root(machine, port)}: {machine.probe_port(port)}" for port in ports) or "none"
    reader = _device_path(machine.settings.cards)  # check_reader looks for it
    absent = [name for name in named if name != reader and not machine.resolve_path(name).exists()]
    if absent:
        first = _path_below_root(machine, ports[0]) if ports else ""
        fix = f"Write serial:{first} into companion.toml." if first else "Plug in its cable."
        return f"Cannot find {absent[0]}. Serial ports: {summary}.", fix
    fix = next((fix for symptom, fix in _BOARD_FAULT_FIXES.items() if symptom in summary), "")
    if not fix and machine.board not in summary:
        fix = f"Expected {machine.board}. {_FLASH}"
    return f"Serial ports: {summary}.", fix


def check_reader(machine: Machine) -> Finding:
    url = machine.settings.cards
    scheme, path = url.partition(":")[0], _device_path(url)
    if scheme == "camera":
        path = path or DEFAULT_CAMERA
        if path == PICAMERA:
            return _check_pi_camera(machine)
        if path.startswith("/"):
            scheme = "serial"  # a file of /dev as well
    if scheme not in ("serial", "keyboard"):
        return "The settings name no card reader that is connected by cable.", ""
    if machine.resolve_path(path).exists():
        return f"The card reader {path} is connected.", ""
    if scheme == "serial":
        return f"Cannot find the card reader {path}.", "Plug in its cable."
    paths = sorted(machine.resolve_path("/dev/input/by-id").glob("*-event-kbd"))
    keyboards = [_path_below_root(machine, path) for path in paths]
    fix = f'Write cards = "keyboard:{keyboards[0]}" into companion.toml.' if keyboards else "Plug in its cable."
    return f"Cannot find the card reader {path}. Keyboards: {', '.join(keyboards) or 'none'}.", fix


def _check_pi_camera(machine: Machine) -> Finding:
    names = machine.resolve_path("/sys/class/video4linux").glob("*/name")
    if any(name.read_text().startswith(_PI_CAMERA_DEVICES) for name in names):
        return "The camera of the Raspberry Pi is connected.", ""
    fix = "Switch the Pi off and check the ribbon cable. rpicam-hello --list-cameras lists what is found."
    return "Cannot find a camera of the Raspberry Pi.", fix


def check_disk(machine: Machine) -> Finding:
    try:
        free_mb = machine.free_mb(machine.journal.parent)
    except OSError as error:
        return f"Cannot reach the journal's disk: {error.strerror}.", "Check the card."
    if free_mb < MIN_FREE_MB:
        fix = "sudo apt-get clean; sudo journalctl --vacuum-size=50M"
        return f"The journal's disk has only {free_mb} MB left.", fix
    return f"The journal's disk has {free_mb} MB left.", ""


def check_clock(machine: Machine) -> Finding:
    """Check that the clock was set. A Pi's clock stops without power, and games are dated by it."""
    if machine.resolve_path("/run/systemd/timesync/synchronized").exists():
        return "The clock is set by the network.", ""
    if machine.now_s() < EARLIEST_CLOCK_S:
        fix = "sudo timedatectl set-ntp true, with the network up"
        return "The clock was never set, so games would get a wrong date.", fix
    return "The clock shows a plausible date.", ""


def check_port(machine: Machine) -> Finding:
    number = machine.settings.port
    listener = machine.identify_listener(number)
    if listener == "another program":
        return f"Another program listens at port {number}.", f"Write port = {number + 1} into companion.toml."
    return f"At port {number} {listener} listens." if listener else f"Port {number} is free.", ""


def check_journal(machine: Machine) -> Finding:
    path = machine.journal
    if not path.exists():
        return "There is no journal yet. The first game creates it.", ""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=2)) as connection:
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        result = str(error)
    if result != "ok":
        fix = "Run companion play. It keeps the damaged file under a dated name and reports what was lost."
        return f"The journal {path} is damaged.", fix
    if path.stat().st_uid != machine.user.uid != 0:
        return f"The journal {path} belongs to another user.", f"sudo chown -R {machine.user.name}: {path.parent}"
    return f"The journal {path} can be read.", ""


def _device_urls(machine: Machine) -> tuple[str, ...]:
    settings = machine.settings
    return settings.sensors, settings.lights, settings.cards, settings.buttons


def _device_path(url: str) -> str:
    return url.partition(":")[2].partition("?")[0]


def _path_below_root(machine: Machine, path: object) -> str:
    return "/" + str(path).removeprefix(str(machine.root)).lstrip("/")


_PIN_SCHEMES = ("gpio", "neopixel", "neopixel-spi")
_UNDERVOLTED, _WAS_UNDERVOLTED = 1 << 0, 1 << 16
_DRIVER = "_rpi_ws281x", format_extra_command("pi")
_DRIVER_5 = "adafruit_raspberry_pi5_neopixel_write", format_extra_command("pi5")
_KEYBOARD = "evdev", format_extra_command("keyboard")
_READER = "cv2", format_extra_command("camera")
_PWM_LIGHTS = ("neopixel:D12", "neopixel:D13", "neopixel:D18", "neopixel:D19")


def check_model(machine: Machine) -> Finding:
    if machine.model:
        return f"This is a {machine.model}.", ""
    if machine.uses_scheme(*_PIN_SCHEMES):
        fix = "Run companion on a Raspberry Pi, or connect lights and buttons to the board's Pico."
        return "This is not a Raspberry Pi, so it has no pins for lights, buttons or a buzzer.", fix
    return "This is not a Raspberry Pi. Boards and readers on USB work.", ""


def check_packages(machine: Machine) -> Finding:
    packages = {
        "gpio": ("lgpio", system_package_command("python3-lgpio")),
        "neopixel": _DRIVER_5 if machine.is_pi5 else _DRIVER,
        "keyboard": _KEYBOARD,
        "camera": _READER,
    }
    needed = [package for scheme, package in packages.items() if machine.uses_scheme(scheme)]
    if machine.settings.cards.startswith(f"camera:{PICAMERA}"):
        needed.append(("picamera2", system_package_command("python3-picamera2")))
    missing = [(name, fix) for name, fix in needed if not machine.has_module(name)]
    if missing:
        name, fix = missing[0]
        return f"The package {name.lstrip('_')} is missing.", fix
    names = ", ".join(name.lstrip("_") for name, _ in needed)
    return f"Packages for the devices are installed: {names or 'none needed'}.", ""


def check_interfaces(machine: Machine) -> Finding:
    spi = sorted(path.name for path in machine.resolve_path("/dev").glob("spidev*"))
    port = _device_path(machine.settings.lights)
    if machine.uses_scheme("neopixel-spi") and not machine.resolve_path(port).exists():
        return f"Cannot find {port}: SPI is disabled.", "sudo raspi-config nonint do_spi 0; sudo reboot"
    return f"SPI: {', '.join(spi) or 'off, not needed'}.", ""


def check_memory(machine: Machine) -> Finding:
    """Check access to the lights' pin: /dev/mem up to a Pi 4, /dev/pio0 on a Pi 5."""
    if not machine.uses_scheme("neopixel"):
        return "No lights need direct access to a pin.", ""
    if machine.is_pi5:
        if not machine.resolve_path("/dev/pio0").exists():
            fix = "sudo apt-get full-upgrade; sudo rpi-eeprom-update -a; sudo reboot"
            return "Cannot find /dev/pio0: kernel and firmware are too old.", fix
        return "The lights' driver can use /dev/pio0.", ""
    if machine.user.uid == 0:
        return "The lights' driver can use /dev/mem as root.", ""
    fix = 'sudo .venv/bin/companion play, or wire the strip to GPIO10: lights = "neopixel-spi:/dev/spidev0.0"'
    return f"{machine.settings.lights} needs root on this Pi, for /dev/mem.", fix


def check_sound(machine: Machine) -> Finding:
    """Check that analogue sound does not use the hardware clock of the lights' pin."""
    at_pwm = machine.settings.lights.startswith(_PWM_LIGHTS) and not machine.is_pi5
    if at_pwm and machine.read_boot_config().get("dtparam=audio") == "on":
        fix = "sudo sed -i 's/^dtparam=audio=on/dtparam=audio=off/' /boot/firmware/config.txt; sudo reboot"
        return "Analogue sound uses the hardware clock of the lights' pin, so colours will flicker.", fix
    return "Analogue sound does not disturb the lights.", ""


def check_power(machine: Machine) -> Finding:
    fix = (
        "Use a Raspberry Pi supply (5.1 V; 3 A, or 5 A for a Pi 5), and a separate one for the strip. Join the grounds."
    )
    throttled = machine.read_text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    bits = int(throttled, 16) if throttled and all(c in "0123456789abcdefABCDEFx" for c in throttled) else 0
    monitors = machine.resolve_path("/sys/class/hwmon").glob("*/in0_lcrit_alarm")
    alarms = [path for path in monitors if _is_rpi_volt(machine, path.parent.name)]
    if bits & _UNDERVOLTED or any(path.read_text().strip() == "1" for path in alarms):
        return "The supply voltage is too low now.", fix
    if bits & _WAS_UNDERVOLTED:
        return "The supply voltage has been too low since the Pi was started.", fix
    say = "The supply voltage is fine." if throttled or alarms else "This machine does not report its supply voltage."
    return say, ""


def _is_rpi_volt(machine: Machine, name: str) -> bool:
    return machine.read_text(f"/sys/class/hwmon/{name}/name") == "rpi_volt"


CHECKS: tuple[Callable[[Machine], Finding], ...] = (
    check_model, check_system, check_settings, check_packages, check_plugins, check_interfaces, check_groups,
    check_udev, check_modem, check_serial, check_reader, check_memory, check_sound, check_power, check_disk,
    check_clock, check_port, check_journal,
)  # fmt: skip


def run_checks(machine: Machine) -> list[CheckResult]:
    """Return the results of all checks, those of plugins last. A check that raises gives a failed result."""
    checks = [(check.__name__.removeprefix("check_"), check) for check in CHECKS]
    results = [_run_check(name, check, machine) for name, check in checks]
    added = [(plugin.name, place) for plugin in load_plugins() for place in plugin.checks]
    return results + [_run_check(name, partial(_check_by_plugin, place), machine.settings) for name, place in added]


def _check_by_plugin(place: str, settings: Settings) -> CheckResult:
    result: CheckResult = load_object(place)(settings)
    return result


def _run_check(name: str, check: Callable[[Any], Finding | CheckResult], subject: Machine | Settings) -> CheckResult:
    try:
        finding = check(subject)
    except Exception as error:  # an unusual machine must not hide the other checks
        fix = "This is a bug of companion doctor. Please report it with this line."
        return CheckResult(name, False, f"This check failed with an error: {error}.", fix)
    return finding if isinstance(finding, CheckResult) else CheckResult(name, not finding[1], *finding)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "given", multiple=True, help="A setting of companion.toml, such as lights=neopixel:D18.")
@click.option("--board", help="The board that the Pico should have: a name or a board file.")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.pass_context
def doctor(
    ctx: click.Context,
    *,
    as_json: bool,
    config: Path | None,
    given: tuple[str, ...],
    board: str | None,
    journal: Path | None,
) -> None:
    """Check this machine for a board, and say how to fix problems. Changes nothing.

    Exit code 0 if all checks pass, else 1.
    """
    settings, fault = Settings(), ""
    try:
        settings = read_settings_or_default(config or config_home() / "companion.toml")
    except SettingsError as error:
        fault = str(error)
    settings = apply_values(settings, parse_pairs(given, "A setting"))
    expected = ""
    if board:
        layout = load_board(board)
        expected = f"the board {layout.name} with {len(layout.holes)} holes"
    journal = journal or data_home() / "journal.sqlite3"
    machine = this_machine(settings, journal, board=expected, settings_fault=fault)
    checks = run_checks(machine)
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    for check in () if as_json else checks:
        click.echo(f"{'ok ' if check.ok else 'NO '} {check.name:<11} {check.say}")
        if check.fix:
            click.echo(f"{'':15} → {check.fix}")
    ctx.exit(0 if all(check.ok for check in checks) else 1)
