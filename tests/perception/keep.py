"""Turns a recording into a regression test.

    make keep RECORDING=evening.jsonl NAME=blue-slid-past [TO=ms]

This writes `tests/recordings/NAME.jsonl`: the recording's lines, then a line `{"expect": …}` for each event that
`companion trace` concludes from them today (existing `expect` lines are omitted). Correct the wrong lines by hand;
`tests/perception/test_recordings.py` then fails until the companion reads the recording correctly.
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
"""Fields of an event with texts, which are not kept because the wording may change."""


def main(given: list[str] | None = None, folder: Path = RECORDINGS) -> int:
    """Keep a recording in this folder. Return the exit code: 1 if it cannot be read or kept."""
    parser = argparse.ArgumentParser(description="Keep a recording as a regression test.")
    parser.add_argument("recording", type=Path)
    parser.add_argument("name", help="name of the test")
    parser.add_argument("--to", type=int, default=float("inf"), help="omit all lines after this many milliseconds")
    args = parser.parse_args(given)
    file = folder / f"{args.name}.jsonl"
    try:
        kept = list(recording_lines(args.recording.read_text().splitlines(), args.to))
    except OSError as error:
        wrong = f"Cannot read {args.recording}: {error.strerror}."
    except (ValueError, LookupError, TypeError):
        wrong = f"{args.recording} is not a recording: each line must be a JSON object with its ms."
    else:  # an existing file may have been corrected by hand
        wrong = f"{file} already exists. Choose another name." if file.exists() else ""
    if wrong:
        print(wrong, file=sys.stderr)
        return 1
    events = read_events(kept)
    folder.mkdir(exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in [*kept, *(json.dumps({"expect": e}) for e in events)]))
    print(f"{file}: {len(kept)} lines, {len(events)} events. Correct the wrong events, then run: pytest {TEST}")
    return 0


def recording_lines(lines: Iterable[str], to_ms: float) -> Iterator[str]:
    """Yield the lines up to this time without `expect` lines. Raises for a line that is not part of a recording."""
    for line in filter(str.strip, lines):
        entry = json.loads(line)
        if "expect" not in entry and entry["ms"] <= to_ms:
            yield line


def read_events(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Return the events that these lines cause today, without their wording."""
    said: list[Mapping[str, Any]] = []
    run_recording([line.encode() for line in lines], said.append)
    return [{k: v for k, v in line.items() if k not in WORDING} for line in said if "event" in line]


if __name__ == "__main__":
    sys.exit(main())
