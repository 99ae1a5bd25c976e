"""Many stories or evenings in parts, over hours: each part adds a line to a file and is not played again.

    .venv/bin/python -m tests.perception.parts FILE stories [--seed S] [--first N] [--parts N]
    .venv/bin/python -m tests.perception.parts FILE evenings [--seed S] [--first N] [--parts N]
    .venv/bin/python -m tests.perception.parts FILE sum

A part of `stories` are ten of each family on each board, a part of `evenings` are ten of each of three games at each of
four paces. Each line has the commit, the seed, the counts, and for each failed story or evening the options that play
it again (`tests.perception.run --one`, `tests.perception.evenings --one --show`). `sum` prints the sums by kind, seed
and commit. The process can be stopped at any time; then only the part that it was playing is lost.
"""

import argparse
import json
import subprocess
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from tests.perception.evenings import play_evening
from tests.perception.families import DEFAULT_FAMILIES
from tests.perception.paces import PACES
from tests.perception.run import GROUNDS, play_family

EACH = 10
"""Number of stories of a row, and of evenings of a game and a pace, in a part."""
GAMES = (("six-card", False), ("six-card", True), ("pegs-only", False))
"""The games of the evenings, each with whether the players count."""
FAULTS = ("wrong", "missed", "stuck", "false green")
"""The counts of an evening that must be 0. `asked` must be too, as no sensor fails."""


def main() -> int:
    """Play parts or print the sums. Return the exit code: 1 if anything failed."""
    parser = argparse.ArgumentParser(description="Play stories or evenings in parts that can be summed.")
    parser.add_argument("file", type=Path, help="the file with a line for each part")
    parser.add_argument("kind", choices=("stories", "evenings", "sum"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first part (0)")
    parser.add_argument("--parts", type=int, default=1, metavar="N", help="number of parts (1)")
    args = parser.parse_args()
    lines = read_parts(args.file)
    if args.kind == "sum":
        print(*format_sums(lines), sep="\n")
        return any(line["failed"] for line in lines)
    commit = subprocess.check_output(["git", "describe", "--always", "--dirty"], text=True).strip()
    done = {(line["kind"], line["seed"], line["part"]) for line in lines}
    play = play_stories if args.kind == "stories" else play_evenings
    has_failed = False
    for part in range(args.first, args.first + args.parts):
        if (args.kind, args.seed, part) not in done:
            began = process_time()
            counts, failed = play(args.seed, range(part * EACH, (part + 1) * EACH))
            line = {"kind": args.kind, "seed": args.seed, "part": part, "commit": commit, "counts": counts}
            line |= {"cpu_s": round(process_time() - began, 1), "failed": failed}
            with args.file.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(part, counts, *failed, sep="\n  ", flush=True)
            has_failed = has_failed or bool(failed)
    return has_failed


def read_parts(file: Path) -> list[dict[str, Any]]:
    """Return the parts in the file; none if there is no file."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def play_stories(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """Play these stories of each family on each board. Return the counts, and a line for each failed story."""
    counts, failed = Counter[str](), []
    for ground in GROUNDS:
        for name in DEFAULT_FAMILIES:
            tally = play_family(ground, name, seed, numbers, show=True)
            counts.update(scenarios=tally.scenarios, wrong=tally.wrong, asked=tally.asked, rightly=tally.rightly)
            counts.update(missed=tally.missed, slow=tally.slow, early=tally.early)
            row = f"--board {ground.board} --seats {ground.seats} --family '{name}' --seed {seed} --one"
            failed += [f"{row} {shown.strip()}" for shown in tally.shown]
    return counts, failed


def play_evenings(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """Play these evenings of each game at each pace. Return the counts, and a line for each failed evening."""
    counts, failed = Counter[str](), []
    for pace in PACES:
        for game, manual in GAMES:
            given = {
                "game": game,
                "seats": 2,
                "manual": manual,
                "pace": pace,
                "dead": 0,
                "clumsy": 0.0,
                "mistakes": False,
                "seed": seed,
            }
            for number in numbers:
                evening = play_evening(Namespace(**given), number)
                counts.update(dict.fromkeys(FAULTS, 0) | {"evenings": 1, "acts": evening.acts})
                counts.update(evening.counts)
                if any(evening.counts[kind] for kind in (*FAULTS, "asked")):
                    options = f"--game {game} {'--manual ' * manual}--pace {pace} --seed {seed} --one {number}"
                    failed.append(" ".join([options, *evening.notes]))
    return counts, failed


def format_sums(lines: list[dict[str, Any]]) -> list[str]:
    """Return a line with the sums of each kind, seed and commit, and then the failed stories and evenings."""
    sums: dict[str, Counter[str]] = {}
    for line in lines:
        of = sums.setdefault(f"{line['kind']}, seed {line['seed']}, commit {line['commit']}", Counter())
        of.update(line["counts"] | {"parts": 1, "cpu_s": line["cpu_s"]})
    return [f"{name}: {dict(counts)}" for name, counts in sums.items()] + [f for line in lines for f in line["failed"]]


if __name__ == "__main__":
    sys.exit(main())
