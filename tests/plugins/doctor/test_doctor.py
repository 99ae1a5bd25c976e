"""The doctor on machines made of folders: a healthy Pi passes all checks, and each fault is found with its fix."""

import json
import os
import socket
import sqlite3
import threading
import tty
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.plugins.doctor.checks import run_checks
from companion.plugins.doctor.machine import (
    Machine,
    User,
    describe_board,
    free_mb,
    identify_listener,
    probe_serial_port,
)
from companion.settings import Settings
from firmware import wire
from firmware.node import VERSION

BOARD = wire.encode_hello(5, VERSION, "chip", "small")
GROUPS = frozenset({"dialout", "gpio", "spi", "input", "video"})
SETTINGS = Settings(
    sensors="serial:/dev/serial/by-id/usb-board",
    lights="neopixel-spi:/dev/spidev0.0",
    cards="keyboard:/dev/input/by-id/usb-reader-event-kbd",
    buttons="gpio:dice=17,undo=27",
    buzzer="gpio:13",
)
FILES = {
    "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n',
    "/boot/firmware/config.txt": "# audio\ndtparam=audio=off\n",
    "/etc/udev/rules.d/60-companion.rules": 'ENV{ID_MM_DEVICE_IGNORE}="1"\n',
    "/usr/sbin/ModemManager": "",
    "/dev/spidev0.0": "",
    "/dev/serial/by-id/usb-board": "",
    "/dev/input/by-id/usb-reader-event-kbd": "",
    "/sys/devices/platform/soc/soc:firmware/get_throttled": "0x0\n",
    "/sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "/run/systemd/timesync/synchronized": "",
}


@pytest.fixture
def pi(tmp_path):
    """A healthy Raspberry Pi 4 with a board, a reader, lights, buttons and a buzzer."""
    root = tmp_path / "root"
    for name, held in FILES.items():
        write_file(root, name, held)
    journal = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(journal)) as held:
        held.execute("CREATE TABLE t (x)")
    uid = os.getuid() or 1000
    if not os.getuid():
        os.chown(journal, uid, -1)
    return Machine(
        root=root,
        settings=SETTINGS,
        user=User("ann", uid, GROUPS, GROUPS),
        journal=journal,
        has_module=lambda name: True,
        probe_port=lambda port: "a board with 369 holes",
        identify_listener=lambda port: "",
        free_mb=lambda folder: 9000,
        now_s=lambda: 1_790_000_000.0,
        python=(3, 13, 5),
    )


def write_file(root, name, held):
    path = root / name.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(held)


def failed_checks(machine):
    return [check for check in run_checks(machine) if not check.ok]


def find_failure(machine):
    """Return the only failed check."""
    (check,) = failed_checks(machine)
    return check.name, check.say, check.fix


def without_file(pi, name):
    (pi.root / name.lstrip("/")).unlink()
    return pi


def with_file(pi, name, held):
    write_file(pi.root, name, held)
    return pi


def with_settings(pi, **changes):
    return replace(pi, settings=replace(SETTINGS, **changes))


def with_user(pi, **user):
    return replace(pi, user=replace(pi.user, **user))


# fmt: off
FAULTS = {
    "a PC": (lambda pi: with_file(pi, "/proc/device-tree/model", "A PC"), "model", "no pins", "Raspberry Pi"),
    "an old Python": (lambda pi: replace(pi, python=(3, 9, 2)), "system", "Python 3.9.2", "Raspberry Pi OS"),
    "settings": (lambda pi: replace(pi, settings_fault="No setting 'x'."), "settings", "No setting", "companion.toml"),
    "no lgpio": (lambda pi: replace(pi, has_module=lambda name: name != "lgpio"), "packages", "lgpio", "python3-lgpio"),
    "SPI off": (lambda pi: without_file(pi, "/dev/spidev0.0"),
        "interfaces", "SPI is disabled", "raspi-config nonint do_spi 0"),
    "a group": (lambda pi: with_user(pi, groups=GROUPS - {"spi", "input"}),
        "groups", "spi and input", "sudo usermod -aG spi,input ann"),
    "a late group": (lambda pi: with_user(pi, held=GROUPS - {"gpio"}), "groups", "after logging in", "Log out"),
    "no rules": (
        lambda pi: without_file(without_file(pi, "/etc/udev/rules.d/60-companion.rules"), "/usr/sbin/ModemManager"),
        "udev", "rules", "companion service rules | sudo tee",
    ),
    "a modem manager": (lambda pi: with_file(pi, "/etc/udev/rules.d/60-companion.rules", "# nothing\n"),
        "modem", "ModemManager", "sudo systemctl disable --now ModemManager"),
    "no board": (lambda pi: without_file(pi, "/dev/serial/by-id/usb-board"),
        "serial", "Cannot find /dev/serial", "Plug in its cable"),
    "another port": (
        lambda pi: without_file(with_file(pi, "/dev/serial/by-id/usb-other", ""), "/dev/serial/by-id/usb-board"),
        "serial", "usb-other: a board with 369 holes", "Write serial:/dev/serial/by-id/usb-other",
    ),
    "no reader": (
        lambda pi: without_file(pi, "/dev/input/by-id/usb-reader-event-kbd"),
        "reader", "Cannot find the card reader /dev/input/by-id/usb-reader-event-kbd. Keyboards: none.",
        "Plug in its cable",
    ),
    "another reader": (
        lambda pi: without_file(
            with_file(pi, "/dev/input/by-id/usb-other-event-kbd", ""), "/dev/input/by-id/usb-reader-event-kbd"
        ),
        "reader", "Keyboards: /dev/input/by-id/usb-other-event-kbd.",
        'Write cards = "keyboard:/dev/input/by-id/usb-other-event-kbd"',
    ),
    "no reader at a port": (lambda pi: with_settings(pi, cards="serial:/dev/ttyUSB7?baud=9600"),
        "reader", "Cannot find the card reader /dev/ttyUSB7.", "Plug in its cable"),
    "no camera": (lambda pi: with_settings(pi, cards="camera:/dev/video7?fps=5"),
        "reader", "Cannot find the card reader /dev/video7.", "Plug in its cable"),
    "no webcam": (lambda pi: with_settings(pi, cards="camera:"),
        "reader", "Cannot find the card reader /dev/video0.", "Plug in its cable"),
    "no camera of the Pi": (
        lambda pi: with_file(
            with_settings(pi, cards="camera:picamera?spot=0.3,0.2,0.4,0.6"),
            "/sys/class/video4linux/video10/name",
            "bcm2835-codec-decode\n",
        ),
        "reader", "Cannot find a camera of the Raspberry Pi.", "ribbon cable",
    ),
    "no OpenCV": (
        lambda pi: with_file(
            replace(with_settings(pi, cards="camera:"), has_module=lambda name: name != "cv2"), "/dev/video0", ""
        ),
        "packages", "cv2", "'.[camera]'",
    ),
    "no library of the Pi's camera": (
        lambda pi: with_file(
            replace(with_settings(pi, cards="camera:picamera"), has_module=lambda name: name != "picamera2"),
            "/sys/class/video4linux/video0/name",
            "rp1-cfe-csi2_ch0\n",
        ),
        "packages", "picamera2", "python3-picamera2",
    ),
    "no root": (lambda pi: with_settings(pi, lights="neopixel:D21"),
        "memory", "needs root", "neopixel-spi:/dev/spidev0.0"),
    "sound": (
        lambda pi: with_file(
            with_user(with_settings(pi, lights="neopixel:D18"), uid=0), "/boot/firmware/config.txt", "dtparam=audio=on"
        ),
        "sound", "flicker", "dtparam=audio=off",
    ),
    "sagging now": (lambda pi: with_file(pi, "/sys/devices/platform/soc/soc:firmware/get_throttled", "0x50005"),
        "power", "too low now", "5.1 V"),
    "sagged before": (lambda pi: with_file(pi, "/sys/devices/platform/soc/soc:firmware/get_throttled", "0x50000"),
        "power", "since the Pi was started", "5.1 V"),
    "the newer alarm": (lambda pi: with_file(pi, "/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n"),
        "power", "too low now", "5.1 V"),
    "a full disk": (lambda pi: replace(pi, free_mb=lambda _: 12), "disk", "only 12 MB", "journalctl --vacuum"),
    "no clock": (lambda pi: without_file(replace(pi, now_s=lambda: 0.0), "/run/systemd/timesync/synchronized"),
        "clock", "never set", "timedatectl set-ntp true"),
    "a port": (lambda pi: replace(pi, identify_listener=lambda _: "another program"), "port", "8123", "port = 8124"),
}
# fmt: on


def test_a_healthy_pi_has_nothing_to_mend(pi):
    assert failed_checks(pi) == []
    assert all(check.say and not check.fix for check in run_checks(pi))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_has_one_fix(pi, fault):
    befalls, name, say, fix = FAULTS[fault]
    told = find_failure(befalls(pi))
    assert told[0] == name
    assert say in told[1]
    assert fix in told[2]


def test_a_pi_5_needs_own_package_and_device(pi):
    five = with_file(
        with_settings(pi, lights="neopixel:D18"), "/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0"
    )
    assert find_failure(five)[0] == "memory"
    assert "rpi-eeprom-update" in find_failure(five)[2]
    assert failed_checks(with_file(five, "/dev/pio0", "")) == []
    lacking = replace(five, has_module=lambda name: name == "lgpio")
    assert ".[pi5]" in find_failure(lacking)[2]


@pytest.mark.parametrize(("url", "file", "held"), [
    ("camera:", "/dev/video0", ""), ("camera:/dev/video2?fps=10", "/dev/video2", ""),
    ("camera:picamera", "/sys/class/video4linux/video0/name", "unicam-image\n"),
    ("camera:picamera", "/sys/class/video4linux/video4/name", "rp1-cfe-csi2_ch0\n"),
])  # fmt: skip
def test_a_camera_that_is_connected_is_found(pi, url, file, held):
    assert failed_checks(with_file(with_settings(pi, cards=url), file, held)) == []


def test_a_damaged_or_foreign_journal_is_reported(pi):
    assert find_failure(with_user(pi, uid=4242))[2] == f"sudo chown -R ann: {pi.journal.parent}"
    pi.journal.write_bytes(b"no database at all" * 500)
    assert find_failure(with_user(pi, uid=0))[1] == f"The journal {pi.journal} is damaged."


def test_a_failing_check_hides_no_other(pi):
    broken = replace(pi, probe_port=lambda port: 1 / 0)
    assert find_failure(broken)[0] == "serial"
    assert len(run_checks(broken)) == len(run_checks(pi))


def test_this_machine_is_described_in_both_forms(tmp_path):
    flags = ["doctor", "--set", "port=0", "--journal", str(tmp_path / "none.sqlite3")]
    told = CliRunner().invoke(main, [*flags, "--json"])
    checks = json.loads(told.stdout)["checks"]
    assert [set(check) for check in checks] == [{"name", "ok", "say", "fix"}] * len(checks)
    assert told.exit_code == (0 if all(check["ok"] for check in checks) else 1)
    broken = CliRunner().invoke(main, [*flags, "--set", "sensors=serial:/dev/none"])
    assert broken.exit_code == 1
    assert "NO  serial      Cannot find /dev/none." in broken.stdout


def test_unreadable_settings_are_one_fault_among_others(tmp_path):
    (tmp_path / "companion.toml").write_text("quite_ms = 3\n")
    told = CliRunner().invoke(main, ["doctor", "--config", str(tmp_path / "companion.toml"), "--set", "port=0"])
    assert told.exit_code == 1
    assert "the nearest is 'quiet_ms'" in told.stdout


@contextmanager
def port_that_says(line, begin=b""):
    """A serial port at which something is written at once, and a line while somebody listens; yields its path."""
    far, near = os.openpty()
    tty.setraw(near)
    os.write(far, begin)
    speak = threading.Timer(0.3, os.write, (far, line))
    speak.start()
    yield Path(os.ttyname(near))
    speak.join()
    os.close(far)
    os.close(near)


def test_silent_ports_devices_and_boards_are_distinguished():
    for line, told in (
        (b"", "perhaps a card reader"), (b"hello\r\n", "an unknown device"),
        (BOARD, "the board small with 5 holes, firmware 0.1.0, protocol 2"),
    ):  # fmt: skip
        with port_that_says(line, begin=line) as port:
            assert told in probe_serial_port(port)
    assert "Cannot find /dev/none" in probe_serial_port(Path("/dev/none"))


def test_a_board_with_a_broken_chain_is_named():
    with port_that_says(BOARD + wire.encode_fault("leg-1.2")) as port:
        assert probe_serial_port(port) == "a board whose chain is broken at tile leg-1.2"


@pytest.mark.parametrize(("answer", "fix"), [
    ("a board whose chain is broken at tile loop", "plugs of that tile"), ("a board whose program failed: x", "flash"),
    (describe_board(wire.Hello(2, 64, VERSION, "e661", "learn", 0, "")), "companion flash"),
    (describe_board(wire.Hello(3, 64, VERSION, "e661", "loop-60", 0, "")), "Update this companion"),
    (describe_board(wire.Hello(1, 64, VERSION, "e661", "loop-60", 0, "")), "companion flash"),
    (describe_board(wire.Hello(2, 64, "0.0.9", "e661", "loop-60", 0, "")), "companion flash"),
])  # fmt: skip
def test_an_unwell_board_has_its_fix(pi, answer, fix):
    name, say, how = find_failure(replace(pi, probe_port=lambda port: answer))
    assert (name, answer in say, fix in how) == ("serial", True, True)


def test_another_board_than_the_named_one_is_a_fault(pi):
    told = describe_board(wire.Hello(2, 10, VERSION, "e661", "strip", 0, ""))
    here = replace(pi, probe_port=lambda port: told, board="the board loop-60 with 64 holes")
    assert find_failure(here) == (
        "serial",
        f"Serial ports: /dev/serial/by-id/usb-board: {told}.",
        "Expected the board loop-60 with 64 holes. Run companion flash BOARD. "
        "It writes firmware and wiring to the Pico again.",
    )
    assert failed_checks(replace(here, board="the board strip with 10 holes")) == []


def test_a_port_in_the_settings_is_probed(pi):
    write_file(pi.root, "/dev/ttyAMA0", "")
    named = with_settings(pi, cards="serial:/dev/ttyAMA0?baud=9600")
    (told,) = [check.say for check in run_checks(named) if check.name == "serial"]
    assert told.count("a board with 369 holes") == 2
    assert "/dev/ttyAMA0: a board" in told


def test_who_listens_is_asked(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        assert identify_listener(other.getsockname()[1]) == "another program"
    assert identify_listener(0) == ""
    assert free_mb(tmp_path / "not" / "yet") >= 0
