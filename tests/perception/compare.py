"""Two checkouts read the same recordings; every recording that they read differently is told.

    .venv/bin/python -m tests.perception.compare OTHER/.venv/bin/python [FILE …] [--scenarios N] [--seed S]
                     [--family NAME] [--events] [--keep FOLDER]

For whoever changes how pegs are read: this checkout (`+`) against an older one (`-`) that has its own `.venv`. They
read N stories of every family on every ground, numbered and seeded as in `run.py`, and all of `tests/recordings`; or
only the FILEs that are named. `--events` compares the events alone, without their wording; else awards, advice, errors
and words count too. `--keep` writes each recording that is read differently into the folder. Ends with 1 where any is.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.perception.families import FAMILIES
from tests.perception.keep import RECORDINGS, WORDING, recording_lines
from tests.perception.run import GROUNDS, create_scene, trace_scene

READER = """
import json, sys
try:
    from companion.table.recording import run_recording as trace
except ImportError:
    from companion.table.trace import trace  # a checkout from before the modules were renamed
for line in sys.stdin:
    said = []
    try:
        trace([text.encode() for text in json.loads(line)], said.append)
    except Exception as error:
        said.append({"event": "raised", "error": repr(error)})
    print(json.dumps(said), flush=True)
"""
MAX_LINES_SHOWN = 3
"""So many lines that differ are shown of a recording."""


def main() -> int:
    """Compare what is asked for. Gives the exit code: 1 where a recording is read differently."""
    asked = argparse.ArgumentParser(description="What two checkouts read differently.")
    asked.add_argument("python", help="the other checkout's")
    asked.add_argument("files", nargs="*", type=Path, metavar="FILE")
    asked.add_argument("--scenarios", type=int, default=20, metavar="N", help="of each family on each ground")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--family", choices=FAMILIES, metavar="FAMILY")
    asked.add_argument("--events", action="store_true")
    asked.add_argument("--keep", type=Path, metavar="FOLDER")
    args = asked.parse_args()
    different = read = 0
    # -P: the folder that this is started in is neither one's.
    commands = ([python, "-P", "-c", READER] for python in (args.python, sys.executable))
    readers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for command in commands]
    for name, lines in _iter_recordings(args):
        old, new = (_comparable_lines(said, args.events) for said in _run_readers(readers, lines))
        differing = [(a, b) for a, b in zip_longest(old, new) if a != b]
        read, different = read + 1, different + bool(differing)
        if differing:
            print(name, *(f"  - {a}\n  + {b}" for a, b in differing[:MAX_LINES_SHOWN]), sep="\n", flush=True)
            if args.keep:
                args.keep.mkdir(exist_ok=True)
                file = args.keep / "-".join(re.findall(r"[\w-]*\w", name))
                file.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")
    print(f"{different:,} of {read:,} recordings are read differently.")
    return bool(different)


def _iter_recordings(args: argparse.Namespace) -> Iterator[tuple[str, list[str]]]:
    """Each recording's name, for a story the options with which `run.py` prints it, and its lines."""
    for file in args.files or ([] if args.family else sorted(RECORDINGS.glob("*.jsonl"))):
        yield file.stem, list(recording_lines(file.read_text().splitlines(), float("inf")))
    for ground in [] if args.files else GROUNDS:
        for family in [args.family] if args.family else FAMILIES:
            for number in range(args.scenarios):
                scene, reports = create_scene(ground, family, FAMILIES[family], args.seed, number)
                name = f"--board {ground.board} --seats {ground.seats} --family '{family}' --one {number}"
                yield name, trace_scene(scene, reports)[0]


def _run_readers(readers: "list[subprocess.Popen[bytes]]", lines: list[str]) -> Iterator[list[dict[str, Any]]]:
    """What each of the readers, which read at the same time, concludes from the lines."""
    for reader in readers:
        reader.stdin.write(json.dumps(lines).encode() + b"\n")
        reader.stdin.flush()
    return (json.loads(reader.stdout.readline()) for reader in readers)


def _comparable_lines(said: list[dict[str, Any]], events: bool) -> list[str]:
    """What counts of it, a text for each line."""
    if events:
        said = [{k: v for k, v in line.items() if k not in WORDING} for line in said if "event" in line]
    return [json.dumps(line) for line in said]


if __name__ == "__main__":
    sys.exit(main())
