"""Puts the board's program on a Pico, with mpremote, and hears from the Pico that it runs.

A program that runs there is asked to end first. Each step that fails is a DeviceError with what to do about it.
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
from companion.common.paths import folder
from companion.devices.serial_line import SerialLine
from firmware import wire

RASPBERRY = 0x2E8A
"""The number that every USB device of Raspberry Pi has."""

BAUD = 115_200

GREETS_S = 2.5
"""A program that runs says who it is within this time."""

STARTS_S = 15.0
"""A Pico that was reset is back within this time, also as a USB device."""

COPIES_S = 240.0

MAIN = "from firmware.boards.pico import main\n\nmain()\n"

Say = Callable[[str], object]


def find_port() -> str:
    """The port of the one Pico that is plugged in. Raises DeviceError where there is none, or more than one."""
    found = [port.device for port in list_ports.comports() if port.vid == RASPBERRY]
    if not found:
        raise DeviceError(
            "No Pico was found: plug it in with a cable that carries data. A new one needs MicroPython first: hold its "
            "button BOOTSEL while you plug it in, and copy the .uf2 file for your Pico to the drive that appears."
        )
    if len(found) > 1:
        raise DeviceError(f"Several Picos are plugged in: name one with --port, {' or '.join(found)}.")
    return str(found[0])


def flash(port: str, board: Mapping[str, Any], say: Say) -> None:
    """Put program and `board.json` on the Pico at this port and start it; `say` hears what was done."""
    if importlib.util.find_spec("mpremote") is None:
        raise DeviceError("mpremote is missing, which copies to a Pico: type  pip install mpremote")
    before = _greeting(port, GREETS_S)
    if before is None:
        say(f"On {port} no program of ours answers.")
    else:
        how = (
            f"version {before.version} runs" if isinstance(before, wire.Hello) else f"our program fails ({before.why})"
        )
        say(f"On {port} {how}; it is asked to end.")
        _quit(port)
    with TemporaryDirectory() as made:
        say(_copied(_mpremote(port, _staged(Path(made), board))))
    after = _greeting(port, STARTS_S)
    if isinstance(after, wire.Failed):
        raise DeviceError(f"All is copied, but the board's program fails: {after.why}.")
    if after is None:
        raise DeviceError(
            "All is copied, but the board's program does not answer: unplug the Pico, and plug it in again."
        )
    say(f"It runs: version {after.version}, board {after.board}, {after.holes} holes, chip {after.chip}.")


def _staged(into: Path, board: Mapping[str, Any]) -> list[Path]:
    """The files as they are to lie on the Pico; `main.py` last, so that half a copy starts nothing."""
    program, told, main = into / "firmware", into / "board.json", into / "main.py"
    shutil.copytree(folder("firmware"), program, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    told.write_text(json.dumps(board, separators=(",", ":")), "utf-8")
    main.write_text(MAIN, "utf-8")
    return [program, told, main]


def _mpremote(port: str, files: list[Path]) -> str:
    command = [sys.executable, "-m", "mpremote", "connect", port, "fs", "cp", "-r", *map(str, files), ":", "+", "reset"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COPIES_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise DeviceError("The copying does not end: unplug the Pico, plug it in again, and try once more.") from error
    if done.returncode:
        raise DeviceError(_why(port, done.stdout + done.stderr))
    return done.stdout


def _why(port: str, said: str) -> str:
    if "raw repl" in said:
        return f"What is at {port} does not answer as MicroPython does: is it a Pico, and is MicroPython on it?"
    if "failed to access" in said or "in use" in said:
        return busy(port)
    if "ENOSPC" in said or "No space" in said:
        return "The Pico's disk is full: remove what is not the board's, with  mpremote fs ls  and  mpremote fs rm"
    last = (said.strip().splitlines() or ["nothing"])[-1]
    return f"The files could not be copied: mpremote says {last[:200]!r}."


def _copied(said: str) -> str:
    same = said.count("Up to date:")
    return (
        f"Program and board.json are copied; {same} files were there as they are."
        if same
        else ("Program and board.json are copied.")
    )


def _greeting(port: str, within_s: float) -> "wire.Hello | wire.Failed | None":
    """What our program at this port says first, None where none does in time. Raises DeviceError."""
    end = time.monotonic() + within_s
    while True:
        try:
            with closing(_opened(port)) as line:
                return _first(line, end)
        except DeviceError:
            if within_s < STARTS_S or time.monotonic() > end:  # a Pico that starts is gone for a moment
                raise
            time.sleep(0.2)


def _first(line: SerialLine, end: float) -> "wire.Hello | wire.Failed | None":
    decoder, asked = wire.Decoder(), 0.0
    while time.monotonic() < end:
        if time.monotonic() - asked > 1:
            asked = time.monotonic()
            line.write(b"\n" + wire.ASK)
        for message in decoder.feed(line.read()):
            if isinstance(message, wire.Hello | wire.Failed):
                line.write(wire.BYE)
                return message
    return None


def _quit(port: str) -> None:
    with closing(_opened(port)) as line:
        line.write(b"\n" + wire.QUIT)
        with suppress(DeviceError):
            line.read()


def _opened(port: str) -> SerialLine:
    try:
        return SerialLine(port, BAUD)
    except DeviceError as error:
        if "in use" in str(error):
            raise DeviceError(busy(port)) from error
        raise


def busy(port: str) -> str:
    """Why the port cannot be had, and what to do."""
    if _runs("ModemManager"):
        return (
            f"{port} is in use, probably by ModemManager, which takes a new port for a modem: wait a minute, or type  "
            "sudo systemctl stop ModemManager"
        )
    return f"{port} is in use by another program: stop the companion, or leave the terminal that is open on it."


def _runs(program: str) -> bool:
    for each in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if each.read_text().strip() == program:
                return True
    return False
