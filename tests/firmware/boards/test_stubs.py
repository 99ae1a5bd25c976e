"""The Pico's modules against the published types of MicroPython's `machine`, `rp2` and `micropython`."""

import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE_S

BOARDS = Path(__file__).parents[3] / "firmware/boards"


@pytest.fixture
def checked(tmp_path):
    """Return mypy's errors in a file. The stubs have a folder of their own, as they hide Python's `time` and others."""
    for file in files("micropython-rp2-stubs") + files("micropython-stdlib-stubs"):
        if file.parts[0] in ("machine.pyi", "micropython.pyi", "framebuf.pyi", "rp2", "_mpy_shed", "vfs.pyi"):
            place = tmp_path / "types" / file
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), place)

    def check(*paths):
        command = [sys.executable, "-m", "mypy", "--config-file=", "--explicit-package-bases"]
        command += ["--follow-imports=silent", "--disable-error-code=name-defined", f"--cache-dir={tmp_path / 'cache'}"]
        around = {"MYPYPATH": str(tmp_path / "types"), "PATH": ""}
        done = subprocess.run(
            [*command, *map(str, paths)], cwd=BOARDS.parents[1], env=around, capture_output=True, text=True,
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        return [line for line in done.stdout.splitlines() if line.startswith(("firmware/", str(tmp_path / "own")))]

    return check


def test_parts_are_used_as_micropython_has_them(checked, tmp_path):
    assert checked(*sorted(BOARDS.glob("*.py"))) == []
    wrong = (BOARDS / "pico.py").read_text().replace("baudrate=SPI_HZ", "speed=SPI_HZ").replace("PULL_UP", "PULLUP")
    (tmp_path / "own.py").write_text(wrong)
    said = "\n".join(checked(tmp_path / "own.py"))
    assert '"PULLUP"' in said
    assert "SPI" in said
