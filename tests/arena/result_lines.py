"""Results in a file, a line of JSON each, so that a tool which plays for hours may be stopped and continued."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def add_results(path: Path, number: int, play: Callable[[int], Any]) -> list[Any]:
    """Return the results of the file. `play` makes those of the first `number` that it does not have yet."""
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    with path.open("a", encoding="utf-8") as file:
        for n in range(len(found), number):
            line = json.dumps(play(n))
            file.write(line + "\n")
            file.flush()
            found.append(json.loads(line))
    return found
