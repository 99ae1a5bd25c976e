"""What `make release` builds, and that a stranger can play with it: the wheel alone, in a clean environment."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from companion.boards import catalog
from companion.devices.flash import MAIN_PY
from tests.release.build import build_release, format_firmware, read_changes, read_version

ROOT = Path(__file__).parents[1]
RUN_MAIN = Path(__file__).parent / "firmware/run_main.mjs"


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    build_release(folder)
    return folder


def test_a_release_has_all_files_and_checksums(release):
    version = read_version()
    assert {path.name for path in release.iterdir()} == {
        f"cribbage_companion-{version}-py3-none-any.whl", f"cribbage_companion-{version}.tar.gz", "firmware",
        f"circuit-boards-{version}.zip", "RELEASE.md", "SHA256SUMS", "card",
        "home-assistant",
    }  # fmt: skip
    assert {path.name for path in (release / "firmware").iterdir()} == {
        f"{name}-main.py" for name in catalog.list_shipped_boards()
    }
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release, capture_output=True, text=True, check=True
    )
    assert done.stdout.count(": OK\n") == sum(path.is_file() for path in release.rglob("*")) - 1


def test_one_archive_has_all_fab_files(release):
    names = set(zipfile.ZipFile(release / f"circuit-boards-{read_version()}.zip").namelist())
    boards = {path.name for path in (ROOT / "hardware/pcb/boards").iterdir()}
    wanted = {f"{each}/{each}-{end}" for each in boards for end in ("bom.csv", "positions.csv")}
    house = ("gerbers.zip", "bom.csv", "cpl.csv", "pin-1.svg")
    wanted |= {f"{each}/fab/{each}-{end}" for each in boards for end in house}
    assert names == wanted | {f"{each}/fab/README.txt" for each in boards} | {"hardware/LICENSE"}


def test_the_source_package_has_what_git_tracks(release):
    with tarfile.open(release / f"cribbage_companion-{read_version()}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert {each for each in listed if (ROOT / each).exists()} <= names


def test_the_same_commit_gives_the_same_files(release, tmp_path):
    build_release(tmp_path / "again")
    assert (tmp_path / "again/SHA256SUMS").read_text() == (release / "SHA256SUMS").read_text()


def test_the_text_is_the_newest_changes():
    text = read_changes("# Changelog\n\nIntro.\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- Old.\n", "0.2.0")
    assert text.startswith("# Cribbage companion 0.2.0\n\n- New.\n\n")
    assert "Old" not in text
    with pytest.raises(ValueError, match="CHANGELOG"):
        read_changes("# Changelog\n", "0.2.0")


def test_a_folder_with_files_is_left_alone(tmp_path):
    (tmp_path / "mine").touch()
    with pytest.raises(FileExistsError, match=r"is not empty\. Remove it first\.$"):
        build_release(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.micropython
@pytest.mark.parametrize("board", ["classic", "loop-60"])
def test_one_file_brings_the_firmware_to_a_pico(node, tmp_path, board):
    (tmp_path / "main.py").write_text(format_firmware(board, "0.1.0"))
    done = subprocess.run(
        [node, RUN_MAIN, tmp_path / "main.py", tmp_path / "disk.json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    disk = json.loads((tmp_path / "disk.json").read_text())
    wanted = {path.relative_to(ROOT).as_posix(): path.read_text() for path in (ROOT / "firmware").rglob("*.py")}
    assert {name: disk[name] for name in wanted} == wanted
    assert disk["main.py"] == MAIN_PY
    assert json.loads(disk["board.json"]) == catalog.describe_for_firmware(catalog.load_board(board))
    assert disk["reset"]


@pytest.fixture(scope="module")
def node():
    found = shutil.which("node")
    if not found and os.environ.get("CI") == "true":
        pytest.fail("node is missing")
    return found or pytest.skip("node is missing: the firmware of a release was not tried under MicroPython")


@pytest.mark.long
def test_the_wheel_alone_plays_its_first_move(release, tmp_path):
    wheels, home = tmp_path / "wheels", tmp_path / "home"
    collect = [sys.executable, "-m", "pip", "wheel", "-q", "-w", wheels]
    pinned = ["--require-hashes", "-r", ROOT / "requirements/base.txt"]
    subprocess.run([*collect, *pinned], check=True, timeout=1200)
    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True, timeout=300)
    install = ["install", "-q", "--no-index", "--find-links", wheels, next(release.glob("*.whl"))]
    run_outside([home / "venv/bin/pip", *install], home)
    folders = run_outside([home / "venv/bin/python", "-c", "import companion; print(companion.__file__)"], home)
    assert folders.startswith(str(home / "venv"))
    assert "companion" in run_outside([home / "venv/bin/companion", "--version"], home)
    with running_table(home) as (address, browser):
        page = browser.open(address, timeout=60).read().decode()
        assert "<title>" in page
        request = urllib.request.Request(
            f"{address.partition('/join/')[0]}/api/moves",
            json.dumps({"type": "peg", "seat": 0, "points": 2}).encode(),
            {"Content-Type": "application/json"},
        )
        state = json.load(browser.open(request, timeout=60))
        assert (state["moves"], state["scores"]) == (1, [2, 0])
    machine = tmp_path / "machine"
    (machine / "etc").mkdir(parents=True)
    (machine / "etc/passwd").touch()
    (machine / "etc/group").touch()
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{wheels} {release}"}
    run_outside([home / "venv/bin/python", "-c", INSTALL_SERVICE, machine], home, **index)
    assert (machine / "opt/companion/source").read_text() == f"{next(release.glob('*.whl'))}\n\n"
    assert read_version() in run_outside([machine / "opt/companion/launch", "--version"], home)


INSTALL_SERVICE = """
import sys
from pathlib import Path
from companion.plugins.service.service_command import _find_source
from companion.plugins.service.installer import HostMachine, Installer
from companion.plugins.service.installer import run_command
def run(*words):  # all but useradd, udevadm and systemctl
    return run_command(*words) if words[0] == "python3" or words[0].endswith("/pip") else ""
Installer(HostMachine(Path(sys.argv[1]), 0, run, lambda _: True), print).install(_find_source())
"""


def run_outside(words, home, **environment):
    """Run a program that knows nothing of the checkout."""
    environment |= {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def running_table(home):
    """Run `companion play`; give the players' address and a browser with cookies."""
    words = [home / "venv/bin/companion", "play", "--game", "pegs-only", "--sensors", "none:", "--host", "127.0.0.1"]
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*words, "--port", "0"], cwd=home, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            found = next(filter(None, (re.match(r"players\s+(\S+)", line) for line in process.stdout)))
            yield found[1], urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        finally:
            process.terminate()
    assert process.returncode == 0
