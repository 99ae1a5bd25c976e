"""A Pico at the end of a serial line: the firmware in MicroPython, a folder as its disk, files as chain and strip."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NODE_MODULES = TESTS / "node_modules/@micropython"


class Pico:
    """A process that runs the firmware as a Pico would. One input of the chain is grounded from the start."""

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

    def close(self):
        self.stop()
        os.close(self._master)
        os.close(self._slave)

    def list_files(self):
        return {str(file.relative_to(self.disk)) for file in self.disk.rglob("*") if file.is_file()}

    def set_grounded_inputs(self, inputs):
        """Ground these inputs, given by their places in the chain; all others are pulled up."""
        octets = bytearray(b"\xff" * 61)
        for each in inputs:
            octets[each // 8] &= ~(128 >> each % 8)
        new_file = self._folder / "chain.new"
        new_file.write_text(octets.hex())
        new_file.replace(self._folder / "chain")

    def lit_pixels(self):
        """Return the places of the strip whose pixels are lit."""
        shown = self._folder / "pixels"
        octets = bytes.fromhex(shown.read_text()) if shown.exists() else b""
        return [place // 3 for place in range(0, len(octets), 3) if any(octets[place : place + 3])]


@contextmanager
def run_pico(folder):
    """Run a Pico at `folder`/ttyACM0. The test is skipped without MicroPython."""
    if not (shutil.which("node") and NODE_MODULES.is_dir()):
        pytest.skip("MicroPython is missing: install node, then `npm install --no-package-lock --prefix tests`")
    pico = Pico(folder)
    pico.start()
    try:
        yield pico
    finally:
        pico.close()
