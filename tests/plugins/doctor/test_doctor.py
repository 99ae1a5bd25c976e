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
    journal = tmp_path / "journal.sqlite3"
    with closing(sqlite3.connect(journal)) as database:
        database.execute("CREATE TABLE t (x)")
    uid = os.getuid() or 1000
    if not os.getuid():
        os.chown(journal, uid, -1)
    healthy = Machine(
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
    return change(healthy, files=FILES)


def change(pi, files=(), settings=(), user=(), **facts):
    """Return the machine with other files (None removes one), settings, facts of the user and other facts."""
    for name, text in dict(files).items():
        path = pi.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text is None else path.write_text(text)
    changes = facts | ({"settings": replace(SETTINGS, **dict(settings))} if settings else {})
    return replace(pi, **changes, user=replace(pi.user, **dict(user)))


def failed_checks(machine):
    return [check for check in run_checks(machine) if not check.ok]


def find_failure(machine):
    """Return the only failed check."""
    (check,) = failed_checks(machine)
    return check.name, check.say, check.fix


# fmt: off
RULES, THROTTLED = "/etc/udev/rules.d/60-companion.rules", "/sys/devices/platform/soc/soc:firmware/get_throttled"
READER, BOARD_PORT = "/dev/input/by-id/usb-reader-event-kbd", "/dev/serial/by-id/usb-board"
OTHER_READER, OTHER_PORT = "/dev/input/by-id/usb-other-event-kbd", "/dev/serial/by-id/usb-other"
VIDEO_NAME = "/sys/class/video4linux/video0/name"


def lacks(module):
    return lambda name: name != module


FAULTS = {
    "a PC": ({"files": {"/proc/device-tree/model": "A PC"}}, "model", "no pins", "Raspberry Pi"),
    "an old Python": ({"python": (3, 9, 2)}, "system", "Python 3.9.2", "Raspberry Pi OS"),
    "settings": ({"settings_fault": "No setting 'x'."}, "settings", "No setting", "companion.toml"),
    "no lgpio": ({"has_module": lacks("lgpio")}, "packages", "lgpio", "python3-lgpio"),
    "SPI off": ({"files": {"/dev/spidev0.0": None}}, "interfaces", "SPI is disabled", "raspi-config nonint do_spi 0"),
    "a group": ({"user": {"groups": GROUPS - {"spi", "input"}}},
        "groups", "spi and input", "sudo usermod -aG spi,input ann"),
    "a late group": ({"user": {"held": GROUPS - {"gpio"}}}, "groups", "after logging in", "Log out"),
    "no rules": ({"files": {RULES: None, "/usr/sbin/ModemManager": None}},
        "udev", "rules", "companion service rules | sudo tee"),
    "a modem manager": ({"files": {RULES: "# nothing\n"}},
        "modem", "ModemManager", "sudo systemctl disable --now ModemManager"),
    "no board": ({"files": {BOARD_PORT: None}}, "serial", "Cannot find /dev/serial", "Plug in its cable"),
    "another port": ({"files": {OTHER_PORT: "", BOARD_PORT: None}},
        "serial", "usb-other: a board with 369 holes", f"Write serial:{OTHER_PORT}"),
    "no reader": ({"files": {READER: None}},
        "reader", f"Cannot find the card reader {READER}. Keyboards: none.", "Plug in its cable"),
    "another reader": ({"files": {OTHER_READER: "", READER: None}},
        "reader", f"Keyboards: {OTHER_READER}.", f'Write cards = "keyboard:{OTHER_READER}"'),
    "no reader at a port": ({"settings": {"cards": "serial:/dev/ttyUSB7?baud=9600"}},
        "reader", "Cannot find the card reader /dev/ttyUSB7.", "Plug in its cable"),
    "no camera": ({"settings": {"cards": "camera:/dev/video7?fps=5"}},
        "reader", "Cannot find the card reader /dev/video7.", "Plug in its cable"),
    "no webcam": ({"settings": {"cards": "camera:"}},
        "reader", "Cannot find the card reader /dev/video0.", "Plug in its cable"),
    "no camera of the Pi": (
        {"settings": {"cards": "camera:picamera?spot=0.3,0.2,0.4,0.6"},
         "files": {VIDEO_NAME: "bcm2835-codec-decode\n"}},
        "reader", "Cannot find a camera of the Raspberry Pi.", "ribbon cable"),
    "no OpenCV": ({"settings": {"cards": "camera:"}, "files": {"/dev/video0": ""}, "has_module": lacks("cv2")},
        "packages", "cv2", "'.[camera]'"),
    "no library of the Pi's camera": (
        {"settings": {"cards": "camera:picamera"}, "files": {VIDEO_NAME: "rp1-cfe-csi2_ch0\n"},
         "has_module": lacks("picamera2")},
        "packages", "picamera2", "python3-picamera2"),
    "no root": ({"settings": {"lights": "neopixel:D21"}}, "memory", "needs root", "neopixel-spi:/dev/spidev0.0"),
    "sound": (
        {"settings": {"lights": "neopixel:D18"}, "user": {"uid": 0},
         "files": {"/boot/firmware/config.txt": "dtparam=audio=on"}},
        "sound", "flicker", "dtparam=audio=off"),
    "sagging now": ({"files": {THROTTLED: "0x50005"}}, "power", "too low now", "5.1 V"),
    "sagged before": ({"files": {THROTTLED: "0x50000"}}, "power", "since the Pi was started", "5.1 V"),
    "the newer alarm": ({"files": {"/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"}}, "power", "too low now", "5.1 V"),
    "a full disk": ({"free_mb": lambda _: 12}, "disk", "only 12 MB", "journalctl --vacuum"),
    "no clock": ({"now_s": lambda: 0.0, "files": {"/run/systemd/timesync/synchronized": None}},
        "clock", "never set", "timedatectl set-ntp true"),
    "a port": ({"identify_listener": lambda _: "another program"}, "port", "8123", "port = 8124"),
}
# fmt: on
"""What differs from the healthy machine, and the name, the sentence and the fix of the check that fails."""


def test_a_healthy_pi_has_nothing_to_mend(pi):
    assert failed_checks(pi) == []
    assert all(check.say and not check.fix for check in run_checks(pi))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_has_one_fix(pi, fault):
    changes, name, say, fix = FAULTS[fault]
    failure = find_failure(change(pi, **changes))
    assert failure[0] == name
    assert say in failure[1]
    assert fix in failure[2]


def test_a_pi_5_needs_own_package_and_device(pi):
    model = {"/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0"}
    five = change(pi, settings={"lights": "neopixel:D18"}, files=model)
    assert find_failure(five)[0] == "memory"
    assert "rpi-eeprom-update" in find_failure(five)[2]
    assert failed_checks(change(five, files={"/dev/pio0": ""})) == []
    lacking = replace(five, has_module=lambda name: name == "lgpio")
    assert ".[pi5]" in find_failure(lacking)[2]


@pytest.mark.parametrize(("url", "file", "text"), [
    ("camera:", "/dev/video0", ""), ("camera:/dev/video2?fps=10", "/dev/video2", ""),
    ("camera:picamera", "/sys/class/video4linux/video0/name", "unicam-image\n"),
    ("camera:picamera", "/sys/class/video4linux/video4/name", "rp1-cfe-csi2_ch0\n"),
])  # fmt: skip
def test_a_camera_that_is_connected_is_found(pi, url, file, text):
    assert failed_checks(change(pi, settings={"cards": url}, files={file: text})) == []


def test_a_damaged_or_foreign_journal_is_reported(pi):
    assert find_failure(change(pi, user={"uid": 4242}))[2] == f"sudo chown -R ann: {pi.journal.parent}"
    pi.journal.write_bytes(b"no database at all" * 500)
    assert find_failure(change(pi, user={"uid": 0}))[1] == f"The journal {pi.journal} is damaged."


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
    named = change(pi, settings={"cards": "serial:/dev/ttyAMA0?baud=9600"}, files={"/dev/ttyAMA0": ""})
    (told,) = [check.say for check in run_checks(named) if check.name == "serial"]
    assert told.count("a board with 369 holes") == 2
    assert "/dev/ttyAMA0: a board" in told


def test_who_listens_is_asked(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        assert identify_listener(other.getsockname()[1]) == "another program"
    assert identify_listener(0) == ""
    assert free_mb(tmp_path / "not" / "yet") >= 0
