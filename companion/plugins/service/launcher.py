#!/usr/bin/python3
"""Start the newest complete version of the companion. The installer copies this file to /opt/companion/launch.

It belongs to none of the versions and uses the standard library only, so that a version damaged by a power cut can
neither stop the service nor the command that repairs it.
"""

import os
import sys
from pathlib import Path

MANIFEST_NAME = "MANIFEST"


def find_damage(folder: Path) -> str:
    """Return what is missing or has the wrong size in a version, empty if it is complete.

    A line of the manifest is the size of a file in bytes, -1 for a link, then its SHA-256, then its path.
    """
    try:
        lines = (folder / MANIFEST_NAME).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return "it has no manifest"
    if not lines or lines[-1] != "end":
        return "its manifest is not complete"
    try:
        return next(filter(None, (_find_file_damage(folder, *line.split(" ", 2)) for line in lines[:-1])), "")
    except (TypeError, ValueError):
        return "its manifest cannot be read"


def _find_file_damage(folder: Path, size: str, _digest: str, name: str) -> str:
    try:
        status = os.lstat(folder / name)
    except OSError:
        return f"{name} is missing"
    if int(size) >= 0 and status.st_size != int(size):
        return f"{name} has {status.st_size} bytes instead of {size}"
    return ""


def list_candidates(home: Path) -> list[Path]:
    """Return the current version, the previous one, and the others, newest first."""
    linked = [home / (home / name).readlink() for name in ("current", "previous") if (home / name).is_symlink()]
    numbered = [path for path in home.glob("v*") if path.name[1:].isdecimal()]
    others = sorted(numbered, key=lambda path: -int(path.name[1:]))
    return list(dict.fromkeys(home / path.name for path in (*linked, *others)))


def choose_version(home: Path) -> tuple[Path | None, list[str]]:
    """Return the first complete version, None if there is none, and a sentence for each damaged one before it."""
    sentences: list[str] = []
    for folder in list_candidates(home):
        if not (damage := find_damage(folder)):
            return folder, sentences
        sentences.append(f"Version {folder.name} is damaged: {damage}.")
    return None, sentences


def main() -> None:
    """Replace this process by the program of the chosen version, with the same arguments."""
    home = Path(__file__).resolve().parent
    folder, sentences = choose_version(home)
    for sentence in sentences:
        print(f"companion: {sentence}", file=sys.stderr)
    if folder is None:
        sys.exit("companion: No version is complete. Install it again: sudo python3 -m companion service install")
    if sentences:
        print(
            f"companion: Version {folder.name} runs instead. To repair, run companion service update.", file=sys.stderr
        )
    os.execv(folder / "bin/companion", [str(folder / "bin/companion"), *sys.argv[1:]])


if __name__ == "__main__":
    main()
