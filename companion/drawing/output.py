"""Where drawings are written: whole or not at all, and nowhere but in the folder that was named."""

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile

from companion.common.errors import CompanionError

LIBRARIES = {
    "reportlab": "reportlab",
    "svgwrite": "svgwrite",
    "ezdxf": "ezdxf",
    "ppf-datamatrix": "ppf.datamatrix",
}
"""What pip calls them, and what Python does."""


class DrawingError(CompanionError, OSError):
    """A drawing that cannot be made or written."""


def need(*libraries: str) -> None:
    """Raises DrawingError, with the line to type, where a library is missing."""
    missing = [name for name in libraries if not _is_there(LIBRARIES[name])]
    if missing:
        raise DrawingError(
            "To draw this, type first: " + shlex.join([sys.executable, "-m", "pip", "install", *missing])
        )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it is part of
        return False


def write(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files by name into the folder, which is made if need be. What has one of the names is replaced."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DrawingError(_cannot(folder, error)) from None
    written = []
    for name, data in files.items():
        path = folder / name
        try:
            _replace(path, data)
        except OSError as error:
            raise DrawingError(_cannot(path, error)) from None
        written.append(path)
    return written


def _replace(path: Path, data: bytes) -> None:
    """A link of that name is replaced, not followed: nothing is written elsewhere."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        try:
            file.write(data)
            file.close()
            Path(file.name).chmod(0o666 & ~_umask())
            Path(file.name).replace(path)
        except OSError:
            with suppress(OSError):
                Path(file.name).unlink()
            raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _cannot(path: Path, error: OSError) -> str:
    why = "it is a file, not a folder" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
    return f"{path} cannot be written: {why}."
