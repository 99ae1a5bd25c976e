"""End to end: the firmware in MicroPython on a pty, and the companion's own serial driver at the other end."""

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from companion.devices.sensors import open_sensors
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
