"""A recording becomes a regression test in one step.

    make keep RECORDING=evening.jsonl NAME=blue-slid-past [TO=ms]

Writes `tests/recordings/NAME.jsonl`: the recording's lines, then what `companion trace` concludes from them today, a
line `{"expect": …}` an event. Where that is wrong, these lines are the ones to put right by hand; the test
`tests/perception/test_recordings.py` then fails until the companion reads what was meant.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.table.trace import trace

RECORDINGS = Path(__file__).parent.parent / "recordings"
TEST = "tests/perception/test_recordings.py"
WORDING = ("why", "choices")
"""What an event says in words may be said better later: it is not kept."""


def main(given: list[str] | None = None, folder: Path = RECORDINGS) -> int:
    """Keep the recording that is asked for in this folder. Gives the exit code: 1 where it cannot be read."""
    asked = argparse.ArgumentParser(description="Keep a recording as a regression test.")
    asked.add_argument("recording", type=Path)
    asked.add_argument("name")
    asked.add_argument("--to", type=int, help="leave out all lines after this many milliseconds")
    args = asked.parse_args(given)
    try:
        lines = args.recording.read_text().splitlines()
    except OSError as error:
        print(f"{args.recording} cannot be read: {error.strerror}.", file=sys.stderr)
        return 1
    kept = [line for line in lines if line.strip() and (args.to is None or json.loads(line)["ms"] <= args.to)]
    events = expected(kept)
    file = folder / f"{args.name}.jsonl"
    folder.mkdir(exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in [*kept, *(json.dumps({"expect": e}) for e in events)]))
    print(f"{file}: {len(kept)} lines, {len(events)} events. Put right what was read wrong, then: pytest {TEST}")
    return 0


def expected(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The events that these lines make today, without their wording."""
    said: list[Mapping[str, Any]] = []
    trace([line.encode() for line in lines], said.append)
    return [{k: v for k, v in line.items() if k not in WORDING} for line in said if "event" in line]


if __name__ == "__main__":
    sys.exit(main())
