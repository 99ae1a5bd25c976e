"""Files that only their owner may read, such as keys and hidden cards."""

import json
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError


def write_private_file(path: Path, text: str) -> None:
    """Replace the file, durable on return. Raises OSError and leaves it unchanged if that fails."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or a power cut might bring the old file back
    finally:
        os.close(folder)


def make_private_folder(path: Path) -> None:
    """Create a folder, and the missing ones above it, for its owner alone, whatever the umask. Raises OSError.

    An existing folder stays as it is, because others may use it.
    """
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(0o700, exist_ok=True)
        path.chmod(0o700)


class NotSaved(CompanionError, OSError):
    """A private file could not be written."""


class PrivateValues:
    """JSON values by name in a private file; without a readable file there are none. Any thread may call it."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._values: dict[str, Any] = {}
        with suppress(OSError, ValueError, RecursionError, TypeError):
            self._values.update(json.loads(path.read_text("utf-8")))

    def load(self, name: str) -> Any:
        """Return a value; None if there is none."""
        return self._values.get(name)

    def save(self, changes: Mapping[str, Any]) -> None:
        """Save these values, all or none, durable on return. Raises NotSaved with nothing changed."""
        with self._lock:
            values = {**self._values, **changes}
            try:
                write_private_file(self._path, json.dumps(values))
            except OSError as error:
                raise NotSaved(
                    "Couldn't save the file {name}: {why}.", name=self._path.name, why=error.strerror
                ) from error
            self._values = values
