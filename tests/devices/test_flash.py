"""`companion flash` with the real mpremote, at a MicroPython on a pseudo-terminal that speaks its raw REPL."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from companion.cli import main
from companion.devices import flash as flashing
from companion.devices.device_thread import open_serial_port
from firmware.node import VERSION
from tests.support.line_pico import run_pico
from tests.support.waiting import PATIENCE_S

TESTS = Path(__file__).parents[1]
SHIPPED = {str(file.relative_to(TESTS.parent)) for file in (TESTS.parent / "firmware").rglob("*.py")}


@pytest.fixture
def pico(tmp_path):
    with run_pico(tmp_path) as made:
        yield made


def flash(*words):
    done = CliRunner().invoke(main, ["flash", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.mark.micropython
def test_a_new_pico_gets_the_program_and_its_board_and_starts(pico, monkeypatch):
    monkeypatch.setattr(flashing, "RESTART_TIMEOUT_S", PATIENCE_S)
    done = flash("loop-60", "--port", pico.path)
    assert done.output.splitlines() == [
        f"No cribbage firmware answers on {pico.path}.",
        "Copied firmware and board.json.",
        f"The firmware runs: version {VERSION}, board loop-60, 64 holes, chip e661.",
    ]
    assert done.exit_code == 0
    assert pico.list_files() == SHIPPED | {"main.py", "board.json"}
    told = json.loads((pico.disk / "board.json").read_text())
    assert (told["board"], len(told["holes"]), len(told["chain"])) == ("loop-60", 64, 65)


@pytest.mark.micropython
def test_a_pico_that_runs_is_asked_to_end_and_runs_the_new_board(pico, monkeypatch):
    monkeypatch.setattr(flashing, "RESTART_TIMEOUT_S", PATIENCE_S)
    assert flash("loop-60", "--port", pico.path).exit_code == 0
    monkeypatch.setattr(flashing, "GREETING_TIMEOUT_S", PATIENCE_S / 2)
    done = flash("classic-61", "--port", pico.path)
    assert done.output.splitlines()[0] == f"Firmware {VERSION} runs on {pico.path}. Asking it to quit."
    assert (
        done.output.splitlines()[-1] == f"The firmware runs: version {VERSION}, board classic-61, 189 holes, chip e661."
    )
    assert done.exit_code == 0


@pytest.mark.micropython
def test_a_program_that_fails_is_mended(pico, monkeypatch):
    monkeypatch.setattr(flashing, "RESTART_TIMEOUT_S", PATIENCE_S)
    assert flash("loop-60", "--port", pico.path).exit_code == 0
    monkeypatch.setattr(flashing, "GREETING_TIMEOUT_S", PATIENCE_S / 2)
    pico.stop()
    (pico.disk / "board.json").write_text('{"chain": []}')
    pico.start()
    done = flash("loop-60", "--port", pico.path)
    assert (
        "fails (ValueError: board.json has no chain, or too long a one; run companion flash). Asking it to quit."
        in done.output
    )
    assert done.output.splitlines()[-1] == f"The firmware runs: version {VERSION}, board loop-60, 64 holes, chip e661."


@pytest.mark.micropython
def test_a_copy_that_is_cut_starts_nothing_and_is_made_again(pico, monkeypatch):
    monkeypatch.setattr(flashing, "RESTART_TIMEOUT_S", PATIENCE_S)
    assert flash("loop-60", "--port", pico.path).exit_code == 0
    monkeypatch.setattr(flashing, "GREETING_TIMEOUT_S", PATIENCE_S / 2)
    with monkeypatch.context() as cut:
        stage = flashing._stage_files
        cut.setattr(flashing, "_stage_files", lambda *given: [stage(*given)[0], Path("/none/board.json")])
        assert flash("classic", "--port", pico.path).exit_code == 1
    assert "main.py" not in pico.list_files()
    pico.stop()
    pico.start()
    monkeypatch.setattr(flashing, "GREETING_TIMEOUT_S", 0.5)
    assert flash("classic-61", "--port", pico.path).output.splitlines()[-1].startswith("The firmware runs: version")


def test_without_a_pico_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(list_ports, "comports", list)
    done = flash("classic")
    assert done.exit_code == 1
    assert "No Pico found" in done.output
    assert "BOOTSEL" in done.output
    done = flash("classic", "--port", str(tmp_path / "ttyACM7"))
    assert (done.exit_code, "Check the cable." in done.output) == (1, True)


def test_of_several_picos_one_must_be_named(monkeypatch):
    ports = [ListPortInfo("/dev/ttyACM0"), ListPortInfo("/dev/ttyACM1"), ListPortInfo("/dev/ttyUSB0")]
    for port in ports[:2]:
        port.vid = 0x2E8A
    monkeypatch.setattr(list_ports, "comports", lambda: ports[::-1])  # in no order, as the kernel lists them
    done = flash("classic")
    assert (done.exit_code, "--port: /dev/ttyACM0 or /dev/ttyACM1." in done.output) == (1, True)
    monkeypatch.setattr(list_ports, "comports", lambda: ports[1:])
    assert flashing.find_port() == "/dev/ttyACM1"


def test_without_mpremote_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(flashing.importlib.util, "find_spec", lambda name: None)
    done = flash("classic", "--port", "/dev/ttyACM0")
    assert (done.exit_code, "The extra [flash] is missing." in done.output) == (1, True)


def test_a_port_in_use_and_one_of_modemmanager_are_distinguished(monkeypatch, tmp_path):
    master, slave = os.openpty()
    held = open_serial_port(os.ttyname(slave), 115200)
    try:
        done = flash("classic", "--port", os.ttyname(slave))
        assert (done.exit_code, "Stop the companion" in done.output) == (1, True)
        monkeypatch.setattr(flashing, "_is_running", lambda program: program == "ModemManager")
        assert "sudo systemctl stop ModemManager" in flash("classic", "--port", os.ttyname(slave)).output
    finally:
        held.close()
        os.close(master)
        os.close(slave)


def test_a_board_without_micropython_is_reported(monkeypatch):
    said = "could not enter raw repl"
    monkeypatch.setattr(flashing, "_wait_for_greeting", lambda port, timeout_s: None)
    failed = subprocess.CompletedProcess([], 1, "", f"mpremote: {said}\n")
    monkeypatch.setattr(flashing.subprocess, "run", lambda command, **more: failed)
    done = flash("classic", "--port", "/dev/ttyS0")
    assert "Check that it is a Pico with MicroPython on it" in done.output
    assert "Traceback" not in done.output


def test_a_board_that_does_not_exist_is_typed_wrong():
    assert flash("classik").exit_code == 2


def test_the_real_mpremote_is_the_one_that_is_called():
    done = subprocess.run([sys.executable, "-m", "mpremote", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("mpremote 1.")
