"""Results in a file, a line of JSON each, so that a tool which plays for hours may be stopped and continued."""

import argparse
import json
from collections.abc import Callable
from os import truncate
from pathlib import Path
from typing import Any


def parse_arguments(about: str, **defaults: bool | int) -> argparse.Namespace:
    """Return the file of results and the options of a tool, which are numbers or, if False, flags."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    for name, default in defaults.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def read_results(path: Path) -> list[Any]:
    """Return the results of a file, none if there is no file. A last line that was cut off is not a result."""
    return [json.loads(line) for line in _read_whole_lines(path).splitlines()]


def _read_whole_lines(path: Path) -> str:
    text = path.read_text("utf-8") if path.exists() else ""
    return text[: text.rfind("\n") + 1]


def add_results(path: Path, number: int, play: Callable[[int], Any]) -> list[Any]:
    """Return the results of the file. `play` makes those of the first `number` that it does not have yet."""
    found = read_results(path)
    if path.exists():
        truncate(path, len(_read_whole_lines(path).encode()))
    with path.open("a", encoding="utf-8") as file:
        for n in range(len(found), number):
            line = json.dumps(play(n))
            file.write(line + "\n")
            file.flush()
            found.append(json.loads(line))
    return found
