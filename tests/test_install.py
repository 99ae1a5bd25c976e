"""The installed program: from the checkout and from the wheel, from any folder, with all its data files."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE_S

ROOT = Path(__file__).parents[1]
COMPANION = [str(Path(sys.executable).with_name("companion"))]
MODULE = [sys.executable, "-m", "companion"]
PRINT_FOLDERS = """
from companion.common.paths import resource_folder
print(*map(resource_folder, ("web", "hardware/boards", "firmware")), sep="\\n")
"""


def run_program(*command, cwd, site=""):
    """Return what a program prints. Modules in `site` take precedence over this checkout."""
    outer = ("MAKE", "MFLAGS", "PORT", "ARGS")  # of the `make test` that may be running this
    around = {k: v for k, v in os.environ.items() if not k.startswith(outer)} | {"PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, env=around, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tracked_files(folder):
    """Return the files of a folder that git tracks and that exist."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in listed.stdout.splitlines() if (ROOT / line).exists()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    done = subprocess.run(build, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("cribbage_companion-*.whl"))


@pytest.mark.parametrize("command", [COMPANION, MODULE], ids=["companion", "python -m companion"])
def test_the_command_runs_from_any_folder(tmp_path, command):
    assert "classic" in run_program(*command, "boards", cwd=tmp_path).split()
    assert run_program(*command, "--version", cwd=tmp_path).strip().endswith("0.1.0")
    assert list(tmp_path.iterdir()) == []


def test_the_wheel_carries_pages_boards_and_firmware(wheel):
    carried = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"companion/_share/{name}" for name in tracked_files("web") | tracked_files("hardware/boards")}
    wanted |= tracked_files("firmware") | tracked_files("companion")
    assert len(wanted) > 50
    assert wanted <= carried
    assert not {name for name in carried if name.startswith(("tests", "docs")) or "__pycache__" in name}


def test_an_installed_wheel_finds_what_it_carries(wheel, tmp_path):
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", site, wheel]
    subprocess.run(install, check=True, capture_output=True, timeout=PATIENCE_S)
    web, boards, firmware = map(Path, run_program(sys.executable, "-c", PRINT_FOLDERS, cwd=tmp_path, site=site).split())
    assert (web / "pages/phone/phone.html").is_file()
    assert (boards / "classic.toml").is_file()
    assert (firmware / "node.py").is_file()
    assert all(folder.is_relative_to(site) for folder in (web, boards, firmware))
    shown = run_program(*MODULE, "boards", cwd=tmp_path, site=site)
    assert shown == run_program(*MODULE, "boards", cwd=tmp_path)


def test_make_run_becomes_the_table():
    said = run_program("make", "-n", "-o", ".venv/.base", "run", "PORT=9999", "ARGS=--demo --speed 4", cwd=ROOT)
    assert said.splitlines() == ["exec .venv/bin/python -m companion play --port 9999 --demo --speed 4"]
    assert run_program("make", "-n", "-o", ".venv/.base", "run", cwd=ROOT).split()[-2:] == ["--port", "8123"]
