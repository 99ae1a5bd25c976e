"""Fixtures: MicroPython from npm, which runs on node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE_S

PACKAGE = Path(__file__).parents[1] / "node_modules/@micropython/micropython-webassembly-pyscript"


@pytest.fixture(scope="session")
def node():
    """Return the program that runs MicroPython. Without it, the tests fail in CI and are skipped elsewhere."""
    found = shutil.which("node")
    if found and PACKAGE.is_dir():
        return found
    say = "MicroPython is missing: install node, then `npm install --no-package-lock --prefix tests`"
    if os.environ.get("CI") == "true":
        pytest.fail(say)
    return pytest.skip(say)


@pytest.fixture
def run():
    return lambda *command: subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE_S)
