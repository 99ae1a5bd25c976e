"""Compares how two checkouts read the same recordings, and prints every recording that they read differently.

    .venv/bin/python -m tests.perception.compare OTHER/.venv/bin/python [FILE …] [--scenarios N] [--seed S]
                     [--family NAME] [--events] [--keep FOLDER]

Use it after changes to the peg reader: it compares this checkout (`+`) with an older one (`-`) that has its own
`.venv`. Both read N stories of every family on every ground, numbered and seeded as in `run.py`, and all of
`tests/recordings`; or only the given FILEs. `--events` compares only the events, without their wording; otherwise
awards, advice, errors and texts count too. `--keep` writes each recording with differences into the folder. The exit
code is 1 if there is a difference.
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
"""Maximum number of differing lines that are printed for a recording."""


def main() -> int:
    """Compare the recordings. Return the exit code: 1 if one is read differently."""
    parser = argparse.ArgumentParser(description="Compare how two checkouts read the same recordings.")
    parser.add_argument("python", help="Python of the other checkout's .venv")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="recordings to read instead of the stories")
    parser.add_argument(
        "--scenarios", type=int, default=20, metavar="N", help="stories of each family on each ground (20)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=FAMILIES, metavar="FAMILY", help="only this family")
    parser.add_argument("--events", action="store_true", help="compare only the events, without their wording")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write recordings with differences to this folder")
    args = parser.parse_args()
    different = read = 0
    # -P: Python must not import from the current folder, which belongs to neither checkout.
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
    """Yield the name and the lines of each recording. The name of a story is its options for `run.py`."""
    for file in args.files or ([] if args.family else sorted(RECORDINGS.glob("*.jsonl"))):
        yield file.stem, list(recording_lines(file.read_text().splitlines(), float("inf")))
    for ground in [] if args.files else GROUNDS:
        for family in [args.family] if args.family else FAMILIES:
            for number in range(args.scenarios):
                scene, reports = create_scene(ground, family, FAMILIES[family], args.seed, number)
                name = f"--board {ground.board} --seats {ground.seats} --family '{family}' --one {number}"
                yield name, trace_scene(scene, reports)[0]


def _run_readers(readers: "list[subprocess.Popen[bytes]]", lines: list[str]) -> Iterator[list[dict[str, Any]]]:
    """Let all readers read the lines at the same time; yield the conclusions of each."""
    for reader in readers:
        reader.stdin.write(json.dumps(lines).encode() + b"\n")
        reader.stdin.flush()
    return (json.loads(reader.stdout.readline()) for reader in readers)


def _comparable_lines(said: list[dict[str, Any]], events: bool) -> list[str]:
    if events:
        said = [{k: v for k, v in line.items() if k not in WORDING} for line in said if "event" in line]
    return [json.dumps(line) for line in said]


if __name__ == "__main__":
    sys.exit(main())
