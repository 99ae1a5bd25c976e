"""Results in a file, a line of JSON each, so that a tool which plays for hours may be stopped and continued."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def read_results(path: Path) -> list[Any]:
    """Return the results of a file, none if there is no file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def add_results(path: Path, number: int, play: Callable[[int], Any]) -> list[Any]:
    """Return the results of the file. `play` makes those of the first `number` that it does not have yet."""
    found = read_results(path)
    with path.open("a", encoding="utf-8") as file:
        for n in range(len(found), number):
            line = json.dumps(play(n))
            file.write(line + "\n")
            file.flush()
            found.append(json.loads(line))
    return found
