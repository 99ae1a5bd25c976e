"""Files: private ones, text that people write with any editor, TOML, and rows of CSV.

TOML may come from people whom the owner need not trust: it is bounded in size and depth before it is parsed. `tomllib`
recurses once per bracket, and its time grows with the square of the parts of a dotted key.
"""

import csv
import io
import json
import os
import re
import shutil
import threading
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError


def write_private_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Replace the file, durable on return. Raises OSError and leaves it unchanged if that fails.

    :param mode: its permissions, less those that the umask takes; by default only its owner may read it.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(content.encode() if isinstance(content, str) else content)
        out.flush()
        os.fsync(out.fileno())
    put_file_in_place(new, path)


def put_file_in_place(new: Path, path: Path) -> None:
    """Give a file, whose content is on the disk, its name, durable on return. Raises OSError."""
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or a power cut might bring the old file back, or leave none
    finally:
        os.close(folder)


def count_free_bytes(folder: Path) -> int:
    """Return the free bytes on the disk of a folder, which need not exist yet. Raises OSError."""
    return shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free


def make_private_folder(path: Path) -> None:
    """Create a folder, and the missing ones above it, for its owner alone, whatever the umask. Raises OSError.

    An existing folder stays as it is, because others may use it.
    """
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(0o700, exist_ok=True)
        path.chmod(0o700)


class NotSaved(CompanionError, OSError):
    """A file could not be written."""


def save_file(path: Path, content: str, mode: int = 0o600) -> None:
    """Replace the file as `write_private_file` does. Raises NotSaved."""
    try:
        write_private_file(path, content, mode)
    except OSError as error:
        raise NotSaved("Couldn't save the file {name}: {why}.", name=path.name, why=error.strerror) from error


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
            save_file(self._path, json.dumps(values))
            self._values = values


def decode_text(content: bytes) -> str:
    """Return UTF-8 text without its byte-order mark. Raises UnicodeDecodeError."""
    return content.decode("utf-8-sig")


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 file without its byte-order mark. Raises OSError or UnicodeDecodeError."""
    return path.read_text("utf-8-sig")


MAX_TOML_BYTES = 256 * 1024
"""Maximum size of a TOML file in bytes."""
MAX_NESTING = 16
"""Maximum depth of arrays and inline tables, and maximum number of dots of a key."""
MAX_KEY_LENGTH = 128
"""Maximum number of characters of one part of a key."""

_TEXT_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
"""A string or a comment as `tomllib` reads it. An unfinished one goes on to the end, so the search is linear."""
_BRACKETS = re.compile(r"[\[\]{}]")
_LONG_CHAIN = re.compile(rf"(?:\.[ \t]*+[^\s.,=\[\]{{}}]++[ \t]*+){{{MAX_NESTING + 1}}}")


def read_toml(path: Path) -> dict[str, Any]:
    """Return the data of a TOML file. Raises OSError, UnicodeDecodeError or as `parse_toml`."""
    with path.open("rb") as file:
        return parse_toml(decode_text(file.read(MAX_TOML_BYTES + 1)))


def parse_toml(text: str) -> dict[str, Any]:
    """Return the data of a TOML text. Raises `tomllib.TOMLDecodeError`, also for one that is too large or too deep."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TOML_BYTES:
        raise tomllib.TOMLDecodeError(f"the file is larger than {MAX_TOML_BYTES // 1024} KiB")
    _check_depth(text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError, OverflowError) as error:  # such as an integer of 5,000 digits
        raise tomllib.TOMLDecodeError("a value is too large") from error
    _check_keys(data)
    return data


def _check_depth(text: str) -> None:
    bare_text = _TEXT_OR_COMMENT.sub(lambda found: "" if found[0][0] == "#" else "s", text)
    depth = 0
    for bracket in _BRACKETS.findall(bare_text):
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        if depth > MAX_NESTING:
            raise tomllib.TOMLDecodeError(f"it is nested more than {MAX_NESTING} deep")
    if _LONG_CHAIN.search(bare_text):
        raise tomllib.TOMLDecodeError(f"a key has more than {MAX_NESTING} dots")


def _check_keys(data: dict[str, Any]) -> None:
    remaining: list[Any] = [data]
    while remaining:
        value = remaining.pop()
        if isinstance(value, dict):
            if any(len(key) > MAX_KEY_LENGTH for key in value):
                raise tomllib.TOMLDecodeError(f"a key has more than {MAX_KEY_LENGTH} characters")
            remaining += value.values()
        elif isinstance(value, list):
            remaining += value


_FORMULA_PREFIXES = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
"""A spreadsheet in Japanese or Chinese reads the wide signs as the narrow ones."""


def format_csv_row(cells: Iterable[object]) -> str:
    """Return a row with its line end. A cell that would be a formula begins with an apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerow(["" if cell is None else _escape_formula(str(cell)) for cell in cells])
    return out.getvalue()


def _escape_formula(text: str) -> str:
    is_number = text[1:].isdecimal()
    return f"'{text}" if text.startswith(_FORMULA_PREFIXES) and not is_number else text
