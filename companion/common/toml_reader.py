"""Parser of TOML from people whom the owner need not trust: bounded in size and depth before it is parsed.

`tomllib` recurses once per bracket, and its time grows with the square of the parts of a dotted key.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from companion.common.text_file import decode_text

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
