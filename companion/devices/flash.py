"""Copies the firmware to a Pico with mpremote, and checks that it runs.

A firmware that already runs there is asked to quit first. A step that fails raises DeviceError with what to do next.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from serial.tools import list_ports

from companion.common.errors import DeviceError
from companion.common.paths import resource_folder
from companion.common.process import missing_extra
from companion.devices.serial_line import SerialLine
from firmware import wire

RASPBERRY_PI_VENDOR_ID = 0x2E8A
"""USB vendor id of Raspberry Pi."""

BAUD = 115_200

GREETING_TIMEOUT_S = 2.5
"""A running firmware sends its greeting within this time in s."""

RESTART_TIMEOUT_S = 15.0
"""Longest time in s for a Pico to restart and to appear as a USB device again."""

COPY_TIMEOUT_S = 240.0

MAIN_PY = "from firmware.boards.pico import main\n\nmain()\n"

Report = Callable[[str], object]


def find_port() -> str:
    """Return the port of the only connected Pico. Raises DeviceError if there is none or more than one."""
    ports = sorted(port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI_VENDOR_ID)
    if not ports:
        raise DeviceError(
            "No Pico found. Connect it with a cable that carries data. A new Pico needs MicroPython first: hold its "
            "BOOTSEL button while you plug it in, and copy the .uf2 file for your Pico to the drive that appears."
        )
    if len(ports) > 1:
        raise DeviceError(f"Several Picos are connected. Choose one with --port: {' or '.join(ports)}.")
    return str(ports[0])


def flash_board(port: str, board: Mapping[str, Any], say: Report) -> None:
    """Copy firmware and `board.json` to the Pico at this port and start it. Calls `say` with a line for each step."""
    if importlib.util.find_spec("mpremote") is None:
        raise DeviceError(missing_extra("flash"))
    match _wait_for_greeting(port, GREETING_TIMEOUT_S):
        case wire.Hello(version=version):
            say(f"Firmware {version} runs on {port}. Asking it to quit.")
            _send_quit(port)
        case wire.Failed(why=why):
            say(f"The firmware on {port} fails ({why}). Asking it to quit.")
            _send_quit(port)
        case None:
            say(f"No cribbage firmware answers on {port}.")
    with TemporaryDirectory() as folder_name:
        say(_describe_copy(_run_mpremote(port, _stage_files(Path(folder_name), board))))
    after = _wait_for_greeting(port, RESTART_TIMEOUT_S)
    if isinstance(after, wire.Failed):
        raise DeviceError(f"The files were copied, but the firmware fails: {after.why}.")
    if after is None:
        raise DeviceError(
            "The files were copied, but the firmware does not answer. Unplug the Pico and plug it in again."
        )
    say(f"The firmware runs: version {after.version}, board {after.board}, {after.holes} holes, chip {after.chip}.")


def _stage_files(target: Path, board: Mapping[str, Any]) -> list[Path]:
    """Write the Pico's files to a folder and return their paths, `main.py` last."""
    program, board_file, main = target / "firmware", target / "board.json", target / "main.py"
    shutil.copytree(resource_folder("firmware"), program, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    board_file.write_text(json.dumps(board, separators=(",", ":")), "utf-8")
    main.write_text(MAIN_PY, "utf-8")
    return [program, board_file, main]


def _run_mpremote(port: str, files: list[Path]) -> str:
    # The old main.py goes first and the new one comes last: a copy that is cut must not start a mixture.
    remove = "import os\ntry: os.remove('main.py')\nexcept OSError: pass"
    command = [sys.executable, "-m", "mpremote", "connect", port, "exec", remove, "+"]
    command += ["fs", "cp", "-r", *map(str, files), ":", "+", "reset"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=COPY_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise DeviceError("Copying takes too long. Unplug the Pico, plug it in again, and retry.") from error
    if result.returncode:
        raise DeviceError(_explain_copy_error(port, result.stdout + result.stderr))
    return result.stdout


def _explain_copy_error(port: str, output: str) -> str:
    if "raw repl" in output:
        return f"The device at {port} does not answer. Check that it is a Pico with MicroPython on it."
    if "failed to access" in output or "in use" in output:
        return describe_busy_port(port)
    if "ENOSPC" in output or "No space" in output:
        return "The Pico's disk is full. Remove other files with  mpremote fs ls  and  mpremote fs rm"
    last = (output.strip().splitlines() or ["nothing"])[-1]
    return f"Could not copy the files. mpremote says: {last[:200]!r}."


def _describe_copy(output: str) -> str:
    same = output.count("Up to date:")
    return "Copied firmware and board.json" + (f"; {same} files were already up to date." if same else ".")


def _wait_for_greeting(port: str, within_s: float) -> "wire.Hello | wire.Failed | None":
    """Return the first message of the firmware at this port, or None after `within_s`. Raises DeviceError."""
    end = time.monotonic() + within_s
    while True:
        try:
            with closing(_open_line(port)) as line:
                return _read_greeting(line, end)
        except DeviceError:
            if within_s < RESTART_TIMEOUT_S or time.monotonic() > end:  # a Pico that starts is gone for a moment
                raise
            time.sleep(0.2)


def _read_greeting(line: SerialLine, end: float) -> "wire.Hello | wire.Failed | None":
    decoder, asked_s = wire.Decoder(), 0.0
    while time.monotonic() < end:
        if time.monotonic() - asked_s > 1:
            asked_s = time.monotonic()
            line.write(b"\n" + wire.ASK)
        for message in decoder.feed(line.read()):
            if isinstance(message, wire.Hello | wire.Failed):
                line.write(wire.BYE)
                return message
    return None


def _send_quit(port: str) -> None:
    with closing(_open_line(port)) as line:
        line.write(b"\n" + wire.QUIT)
        with suppress(DeviceError):
            line.read()


def _open_line(port: str) -> SerialLine:
    try:
        return SerialLine(port, BAUD)
    except DeviceError as error:
        if "in use" in str(error):
            raise DeviceError(describe_busy_port(port)) from error
        raise


def describe_busy_port(port: str) -> str:
    """Return why the port is in use, and what to do."""
    if _is_running("ModemManager"):
        return (
            f"{port} is in use, probably by ModemManager, which probes new ports for a modem. Wait a minute, or run  "
            "sudo systemctl stop ModemManager"
        )
    return f"{port} is in use by another program. Stop the companion, or close the terminal that has it open."


def _is_running(program: str) -> bool:
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if comm.read_text().strip() == program:
                return True
    return False
