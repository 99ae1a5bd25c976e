"""Renews the times in `tests/recordings` after a change of how long pegs must rest.

    .venv/bin/python -m tests.perception.retime

If a recording still leads to the events that it expects, but at other times, this writes the new times, in their order,
and prints each that has changed. A recording that leads to other events is named and left alone; the exit code is
then 1.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.perception.keep import RECORDINGS, read_events, recording_lines

Event = dict[str, Any]


def main(folder: Path = RECORDINGS) -> int:
    """Renew the recordings in this folder. Return the exit code: 1 if one leads to other events."""
    others = 0
    for file in sorted(folder.glob("*.jsonl")):
        lines = file.read_text().splitlines()
        kept = list(recording_lines(lines, float("inf")))
        expected = [entry["expect"] for entry in map(json.loads, filter(str.strip, lines)) if "expect" in entry]
        renewed = renew_times(expected, read_events(kept))
        if renewed is None:
            others += 1
            print(f"{file.name}: leads to other events; correct it by hand")
        elif renewed != expected:
            for event in renewed:
                if event not in expected:
                    print(f"{file.name}: {json.dumps(event)}")
            file.write_text("".join(f"{line}\n" for line in [*kept, *(json.dumps({"expect": e}) for e in renewed)]))
    return bool(others)


def renew_times(expected: Sequence[Event], events: Sequence[Event]) -> list[Event] | None:
    """Return the expected events with the times and in the order of these; None if they differ in more than that."""
    left, renewed = list(expected), list[Event]()
    for event in events:
        same = (e for e in left if all(event.get(key) == e[key] for key in e if key != "ms"))
        if (found := next(same, None)) is None:
            return None
        left.remove(found)
        renewed.append(found | {"ms": event["ms"]} if "ms" in found else found)
    return None if left else renewed


if __name__ == "__main__":
    sys.exit(main())
