"""A Pico at the end of a serial line: the firmware in MicroPython, its disk a folder, its chain and its strip files."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NODE_MODULES = TESTS / "node_modules/@micropython"


class Pico:
    """A process that is the Pico. One input of the chain is at ground from the start."""

    def __init__(self, folder):
        self.disk, link = folder / "disk", folder / "ttyACM0"
        self.disk.mkdir()
        (folder / "chain").write_text("fe" + "ff" * 60)
        self._folder = folder
        self._master, self._slave = os.openpty()
        os.set_blocking(self._master, False)
        link.symlink_to(os.ttyname(self._slave))
        self.path = str(link)

    def start(self):
        command = [shutil.which("node"), TESTS / "firmware/pico_on_a_line.mjs", str(self._master), self.disk]
        self._process = subprocess.Popen(command, pass_fds=[self._master])

    def stop(self):
        self._process.kill()
        self._process.wait()

    def end(self):
        self.stop()
        os.close(self._master)
        os.close(self._slave)

    def files(self):
        return {str(file.relative_to(self.disk)) for file in self.disk.rglob("*") if file.is_file()}

    def ground(self, inputs):
        """The inputs that are at ground, by their places in the chain; all others are pulled up."""
        octets = bytearray(b"\xff" * 61)
        for each in inputs:
            octets[each // 8] &= ~(128 >> each % 8)
        fresh = self._folder / "chain.new"
        fresh.write_text(octets.hex())
        fresh.replace(self._folder / "chain")

    def lit(self):
        """The places of the strip that glow."""
        shown = self._folder / "pixels"
        octets = bytes.fromhex(shown.read_text()) if shown.exists() else b""
        return [place // 3 for place in range(0, len(octets), 3) if any(octets[place : place + 3])]


@contextmanager
def pico_on_a_line(folder):
    """A Pico that has started, at `folder`/ttyACM0; without MicroPython the test is skipped."""
    if not (shutil.which("node") and NODE_MODULES.is_dir()):
        pytest.skip("MicroPython is missing: install node, then `npm install --no-package-lock --prefix tests`")
    made = Pico(folder)
    made.start()
    try:
        yield made
    finally:
        made.end()
