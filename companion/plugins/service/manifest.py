"""The manifest of an installed version: size and hash of every file, written when all of them are on the disk."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from companion.plugins.service.launcher import MANIFEST_NAME, find_damage


def write_manifest(folder: Path, sync: Callable[[], None]) -> None:
    """Write the manifest of a version. Files and manifest are on the disk when this returns. Raises OSError.

    `sync` waits until everything written before is on the disk (`os.sync`).
    """
    lines = [_describe_file(folder, path) for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file()]
    sync()
    (folder / MANIFEST_NAME).write_text("\n".join([*lines, "end"]) + "\n", "utf-8")
    sync()


def check_manifest(folder: Path) -> str:
    """Return what differs from the manifest, hashes included; empty if nothing does."""
    if damage := find_damage(folder):
        return damage
    for line in (folder / MANIFEST_NAME).read_text("utf-8").splitlines()[:-1]:
        _, digest, name = line.split(" ", 2)
        if digest != _hash_file(folder / name):
            return f"{name} has changed"
    return ""


def _describe_file(folder: Path, path: Path) -> str:
    size = -1 if path.is_symlink() else path.stat().st_size
    return f"{size} {_hash_file(path)} {path.relative_to(folder).as_posix()}"


def _hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, or of the target of a link."""
    content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return hashlib.sha256(content).hexdigest()
