"""Write drawings into the given folder, each file completely or not at all."""

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile

from companion.common.errors import CompanionError

MODULES_BY_PACKAGE = {
    "reportlab": "reportlab",
    "ezdxf": "ezdxf",
    "ppf-datamatrix": "ppf.datamatrix",
}
"""Module name by package name."""


class DrawingError(CompanionError, OSError):
    """A drawing cannot be made or written."""


def require_libraries(*libraries: str) -> None:
    """Raise DrawingError with the pip command if one of these libraries is missing."""
    missing = [name for name in libraries if not _is_installed(MODULES_BY_PACKAGE[name])]
    if missing:
        raise DrawingError(
            "A library is missing. Install it first: " + shlex.join([sys.executable, "-m", "pip", "install", *missing])
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing
        return False


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files by name into a folder, which is created if necessary. Existing files are replaced."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DrawingError(_cannot_write_message(folder, error)) from None
    written = []
    for name, data in files.items():
        path = folder / name
        try:
            _replace_file(path, data)
        except OSError as error:
            raise DrawingError(_cannot_write_message(path, error)) from None
        written.append(path)
    return written


def _replace_file(path: Path, data: bytes) -> None:
    """Write the file atomically. A symbolic link of that name is replaced, not followed."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        try:
            file.write(data)
            file.close()
            Path(file.name).chmod(0o666 & ~_read_umask())
            Path(file.name).replace(path)
        except OSError:
            with suppress(OSError):
                Path(file.name).unlink()
            raise


def _read_umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot_write_message(path: Path, error: OSError) -> str:
    why = "it is a file, not a folder" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
    return f"{path} cannot be written: {why}."
