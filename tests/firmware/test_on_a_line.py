"""End to end: the firmware in MicroPython on a pty, and the companion's own serial driver at the other end."""

import json
import os
import shutil
import subprocess
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.boards import catalog
from companion.devices.sensors import open_sensors
from firmware import wire
from firmware.panel import SILENT_DISPLAY
from tests.support.line_pico import run_pico
from tests.support.waiting import PATIENCE_S

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
HOLES = 369


class Board:
    """A board in a process: MicroPython at the master end of a pty; the test sets the contacts."""

    def __init__(self, node, path):
        master, self._slave = os.openpty()
        os.set_blocking(master, False)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        self._process = subprocess.Popen(
            [node, HERE / "node_on_a_line.mjs", FIRMWARE, str(HOLES), str(master)],
            stdin=subprocess.PIPE,
            text=True,
            pass_fds=[master],
        )
        os.close(master)

    def contacts(self, bits):
        self._process.stdin.write(f"{bits:x}\n")
        self._process.stdin.flush()

    def pull(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        os.close(self._slave)


class Table:
    """Records what sensors report, and waits for it."""

    def __init__(self):
        self.bits, self.told = [], []
        self._news = threading.Condition()

    def seen(self, bits, ms, known_ms):
        with self._news:
            self.bits.append(bits)
            self._news.notify_all()

    def status(self, ok, say):
        with self._news:
            self.told.append((ok, say))
            self._news.notify_all()

    def until(self, fact):
        with self._news:
            assert self._news.wait_for(fact, PATIENCE_S), (self.bits[-5:], self.told)


@pytest.mark.micropython
def test_a_board_in_micropython_is_heard_again(node, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.devices.sensors.SILENCE_TIMEOUT_MS", 3_600_000)  # only the cable is to end it
    path, table = tmp_path / "ttyACM0", Table()
    board = Board(node, path)
    sensors = open_sensors(f"serial:{path}", HOLES, lambda: time.monotonic_ns() // 1_000_000)
    try:
        sensors.start(table.seen, table.status)
        table.until(lambda: table.bits[-1:] == [0])
        for bits in (1, 1 << 368 | 1, (1 << 369) - 1, 1 << 200):
            board.contacts(bits)
            table.until(lambda bits=bits: table.bits[-1] == bits)
        assert table.told == [(True, "")]
        assert sensors.dropped_lines == 0
        board.pull()
        table.until(lambda: not table.told[-1][0])
        board = Board(node, path)
        board.contacts(6)
        table.until(lambda: table.bits[-1] == 6 and table.told[-1] == (True, ""))
    finally:
        sensors.close()
        board.pull()


def start_program(pico, board):
    """Run the shipped firmware with this board on the Pico's disk. Return the inputs that its whole chain grounds."""
    pico.stop()
    shutil.copytree(FIRMWARE, pico.disk / "firmware", ignore=shutil.ignore_patterns("__pycache__"))
    wired = catalog.describe_for_firmware(catalog.load_board(board))
    (pico.disk / "board.json").write_text(json.dumps(wired))
    (pico.disk / "main.py").write_text("from firmware.boards.pico import main\nmain()\n")
    sentinels = [place for place, tied in enumerate(wired["chain"]) if tied == 1]
    pico.set_grounded_inputs(sentinels)
    pico.start()
    return sentinels


def open_pico(pico, board):
    wired = catalog.describe_for_firmware(catalog.load_board(board))
    return open_sensors(
        f"serial:{pico.path}", len(wired["holes"]), lambda: time.monotonic_ns() // 1_000_000, board=wired
    )


@pytest.mark.micropython
@pytest.mark.parametrize("error", [5, 110], ids=["absent", "lines held"])
def test_a_display_that_does_not_answer_is_told_once_and_pegs_are_read(node, tmp_path, error):
    (tmp_path / "display").write_text(str(error))
    table = Table()
    with run_pico(tmp_path) as pico:
        sentinels = start_program(pico, "loop-60")
        with closing(open_pico(pico, "loop-60")) as sensors:
            messages = []
            sensors.add_listener(lambda message: messages.append(type(message)))
            sensors.start(table.seen, table.status)
            table.until(lambda: (True, f"The board reports a fault: {SILENT_DISPLAY}.") in table.told)
            pico.set_grounded_inputs([*sentinels, 0])
            table.until(lambda: table.bits[-1] != 0)
            table.until(lambda: messages.count(wire.Hello) >= 3)
            assert messages.count(wire.Failed) == 1


@pytest.mark.micropython
def test_the_program_of_another_board_is_told(node, tmp_path):
    table = Table()
    with run_pico(tmp_path) as pico:
        start_program(pico, "classic")
        with closing(open_pico(pico, "loop-60")) as sensors:
            sensors.start(table.seen, table.status)
            table.until(lambda: table.told)
    assert table.told[0] == (
        False,
        "The Pico has the program of the board classic; this game is played on loop-60. "
        "Run companion flash for loop-60.",
    )
    assert table.bits == []
