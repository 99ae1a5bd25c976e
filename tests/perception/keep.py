"""A recording becomes a regression test in one step.

    make keep RECORDING=evening.jsonl NAME=blue-slid-past [TO=ms]

Writes `tests/recordings/NAME.jsonl`: the recording's lines, then what `companion trace` concludes from them today, a
line `{"expect": …}` an event (of a recording kept before, the old ones are left out). Where that is wrong, these lines
are the ones to put right by hand; the test `tests/perception/test_recordings.py` then fails until the companion reads
what was meant.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.table.recording import run_recording

RECORDINGS = Path(__file__).parent.parent / "recordings"
TEST = "tests/perception/test_recordings.py"
WORDING = ("why", "choices")
"""What an event says in words may be said better later: it is not kept."""


def main(given: list[str] | None = None, folder: Path = RECORDINGS) -> int:
    """Keep the recording that is asked for in this folder. Gives the exit code: 1 where it cannot be read or kept."""
    asked = argparse.ArgumentParser(description="Keep a recording as a regression test.")
    asked.add_argument("recording", type=Path)
    asked.add_argument("name")
    asked.add_argument("--to", type=int, default=float("inf"), help="leave out all lines after this many milliseconds")
    args = asked.parse_args(given)
    file = folder / f"{args.name}.jsonl"
    try:
        kept = list(recording_lines(args.recording.read_text().splitlines(), args.to))
    except OSError as error:
        wrong = f"{args.recording} cannot be read: {error.strerror}."
    except (ValueError, LookupError, TypeError):
        wrong = f"{args.recording} is no recording: each of its lines is a JSON object with its ms."
    else:  # one of this name may have been put right by hand
        wrong = f"{file} is there already: take another name." if file.exists() else ""
    if wrong:
        print(wrong, file=sys.stderr)
        return 1
    events = read_events(kept)
    folder.mkdir(exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in [*kept, *(json.dumps({"expect": e}) for e in events)]))
    print(f"{file}: {len(kept)} lines, {len(events)} events. Put right what was read wrong, then: pytest {TEST}")
    return 0


def recording_lines(lines: Iterable[str], to_ms: float) -> Iterator[str]:
    """The lines up to this time, without what was expected of them. Raises for a line that is none of a recording."""
    for line in filter(str.strip, lines):
        told = json.loads(line)
        if "expect" not in told and told["ms"] <= to_ms:
            yield line


def read_events(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The events that these lines make today, without their wording."""
    said: list[Mapping[str, Any]] = []
    run_recording([line.encode() for line in lines], said.append)
    return [{k: v for k, v in line.items() if k not in WORDING} for line in said if "event" in line]


if __name__ == "__main__":
    sys.exit(main())
