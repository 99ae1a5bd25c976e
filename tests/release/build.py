"""Build the files of a release in a folder: `python -m tests.release.build FOLDER`. Nothing is uploaded.

Wheel and source package, the firmware of each board as one file, the files of a card that sets itself up, an add-on for
Home Assistant, the files for a board manufacturer, checksums, and the text of the release from the changelog. Every
file has the same content for the same commit.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

from companion.boards import catalog
from companion.devices.flash import MAIN_PY

ROOT = Path(__file__).parents[2]
FAB_ENDINGS = ("-bom.csv", "-positions.csv")
"""Ends of the names of the files beside `fab` that a board manufacturer needs."""

INSTALL = ROOT / "companion/plugins/service"
CARD_FILES = ("user-data", "network-config", "meta-data")

ONE_FILE_PY = """\
# The firmware of the cribbage board {board}, version {version}, as one file. Copy it to the Pico as main.py.
# At its first start it writes the files of the firmware and a main.py of two lines, which takes its place.
import os

import machine


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


for folder in ("firmware", "firmware/boards"):
    try:
        os.mkdir(folder)
    except OSError:
        pass  # it exists
{writes}
write("main.py", {main!r})
machine.reset()  # the firmware starts with all of the memory
"""


def build_release(folder: Path) -> None:
    """Build all files in this folder, which is created. Raises FileExistsError if it has files already."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"The folder {folder} is not empty. Remove it first.")
    version = read_version()
    build_packages(folder)
    (folder / "firmware").mkdir()
    for name in catalog.list_shipped_boards():
        (folder / f"firmware/{name}-main.py").write_text(format_firmware(name, version), "utf-8")
    write_card(folder)
    build_addon(folder)
    write_fab_files(folder / f"circuit-boards-{version}.zip")
    (folder / "RELEASE.md").write_text(read_changes((ROOT / "CHANGELOG.md").read_text("utf-8"), version), "utf-8")
    write_checksums(folder)


def read_version() -> str:
    """Return the version of the project."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def build_packages(folder: Path) -> None:
    """Build the wheel and the source package."""
    epoch = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    env = os.environ | {"SOURCE_DATE_EPOCH": epoch.stdout.strip() or "1767225600"}
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder.resolve())]
    subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)


def format_firmware(name: str, version: str) -> str:
    """Return the firmware of a board and its board.json as one program for a Pico with MicroPython."""
    description = catalog.describe_for_firmware(catalog.load_board(name))
    files = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "firmware").rglob("*.py")}
    files["board.json"] = json.dumps(description, separators=(",", ":"))
    writes = "\n".join(f"write({path!r}, {text!r})" for path, text in sorted(files.items()))
    return ONE_FILE_PY.format(board=name, version=version, writes=writes, main=MAIN_PY)


CARD_PYTHON = "3.13"
"""Python of the Raspberry Pi OS that has cloud-init (Debian 13)."""


def write_card(folder: Path, machine: str = "aarch64") -> None:
    """Write the folder `card`: what a card for a Raspberry Pi needs to set itself up, with the wheel of the release.

    The pinned packages are on it for this kind of machine, so that the first start needs no internet.
    """
    card = folder / "card"
    card.mkdir()
    for source in (*(INSTALL / "card" / name for name in CARD_FILES), *folder.glob("*.whl")):
        shutil.copyfile(source, card / source.name)
    download = ["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    platforms = [f"--platform=manylinux_2_{glibc}_{machine}" for glibc in (17, 28, 34)]
    files = [word for name in ("base", "wifi") for word in ("-r", str(ROOT / f"requirements/{name}.txt"))]
    target = [f"--python-version={CARD_PYTHON}", "--implementation=cp", "-d", str(card / "wheels"), "--require-hashes"]
    subprocess.run([sys.executable, "-m", *download, *platforms, *target, *files], check=True)


def build_addon(folder: Path) -> None:
    """Build the folder `home-assistant`: the add-on, with the version and the wheel of the release."""
    addon = folder / "home-assistant"
    addon.mkdir()
    config = (INSTALL / "home_assistant/config.yaml").read_text("utf-8")
    config = config.replace('version: "0.0.0"', f'version: "{read_version()}"')
    (addon / "config.yaml").write_text(config, "utf-8")
    for source in (INSTALL / "home_assistant/Dockerfile", *folder.glob("*.whl")):
        shutil.copyfile(source, addon / source.name)


def write_fab_files(path: Path) -> None:
    """Write an archive of the files that a manufacturer needs for each circuit board."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        boards = ROOT / "hardware/pcb/boards"
        files = [file for file in boards.glob("*/*") if file.name.endswith(FAB_ENDINGS)]
        for file in sorted([*files, *boards.glob("*/fab/*"), ROOT / "hardware/LICENSE"]):
            inside = file.relative_to(boards) if file.is_relative_to(boards) else Path("hardware/LICENSE")
            entry = zipfile.ZipInfo(str(inside), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


def read_changes(changelog: str, version: str) -> str:
    """Return the newest section of the changelog as the text of the release. Raises ValueError if it has none."""
    sections = re.split(r"^## .*\n", changelog, flags=re.MULTILINE)[1:]
    if not sections:
        raise ValueError("CHANGELOG.md has no section.")
    footer = "SHA256SUMS has the checksums of all files: `sha256sum --check SHA256SUMS`."
    return f"# Cribbage companion {version}\n\n{sections[0].strip()}\n\n{footer}\n"


def write_checksums(folder: Path) -> None:
    """Write SHA256SUMS for all files of the folder, in the format of sha256sum."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), "utf-8")


def main() -> None:
    """Build a release, and print its files."""
    parser = argparse.ArgumentParser(description="Build the files of a release. Nothing is uploaded.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    started = time.monotonic()
    try:
        build_release(folder)
    except (OSError, ValueError) as error:
        sys.exit(f"{error}")
    changes = subprocess.run(["git", "status", "--short"], cwd=ROOT, capture_output=True, text=True, check=False)
    if changes.stdout:
        print(f"These files are not committed, but part of the release:\n{changes.stdout}")
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        print(f"{path.stat().st_size:>10,}  {path}")
    print(f"Built in {time.monotonic() - started:.0f} s. Nothing was uploaded.")


if __name__ == "__main__":
    main()
