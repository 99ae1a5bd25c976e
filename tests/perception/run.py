"""`make perception`: plays stories of hands and sensors on `companion trace`, and counts what was read wrong.

    .venv/bin/python tests/perception/run.py [--scenarios N] [--board NAME] [--seats N] [--family NAME] [--seed S]
                                             [--show] [--processes N]
    .venv/bin/python tests/perception/run.py --one NUMBER --board NAME --seats N --family NAME [--seed S]

A line a family and board: scenarios, wrong, asked where the holes alone decide, rightly asked, missed, the delay after
the hand had finished (p50 and p99, in ms; in brackets where the peg touched other holes on its way), and how many a
minute of one core. With several processes the table is the same, and sooner there. The last line says whether the
bounds of docs/explanation/reading-pegs.md are held.
Ends with 1 where anything was wrong or missed.

`--show` tells the numbers of the scenarios that went wrong; `--one` prints such a scenario as a recording, and what was
meant by it on standard error. It is the one of the seed, and of a single line of the table.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any

from families import DUES, FAMILIES, Family
from ground import Ground
from judge import judge
from model import Scene
from sensors import Reports, report
from tally import Tally, bounds, heading

from companion.table.trace import trace

GROUNDS = (
    Ground("classic", 2), Ground("classic", 3), Ground("loop-60", 2), Ground("pursuit", 2), Ground("pursuit", 3, 61),
)  # fmt: skip
SETTLE = 21_000
"""So long after the last edge nothing more can be concluded."""

Row = tuple[Ground, str]
"""A line of the table: a board and a family."""


def main() -> int:
    """Play what is asked for. Gives the exit code: 1 where anything was wrong or missed."""
    args, rows = _asked()
    if args.one is not None:
        ground, name = rows[0]
        return _print_one(ground, name, FAMILIES[name], args.seed, args.one)
    print(heading(), flush=True)
    totals = Tally()
    each = -(-args.scenarios // len(rows))
    for (ground, name), tally in zip(rows, _played(rows, args.seed, each, args.show, args.processes), strict=True):
        print(*tally.shown, tally.line(f"{ground.board} {ground.seats}", name), sep="\n", flush=True)
        totals.add(tally)
    whole = len(rows) == len(GROUNDS) * len(FAMILIES)
    print(totals.line("all", ""), bounds(totals, whole=whole), sep="\n")
    return 1 if totals.wrong or totals.missed else 0


def _asked() -> tuple[argparse.Namespace, list[Row]]:
    """What is asked for, and the rows that it means."""
    asked = argparse.ArgumentParser(description="Hands and sensors against the peg watcher.")
    asked.add_argument("--scenarios", type=_number, default=100_000, metavar="N")
    asked.add_argument("--board", choices=sorted({ground.board for ground in GROUNDS}))
    asked.add_argument("--seats", type=_number, metavar="N", help="the boards with so many players alone")
    asked.add_argument("--family", choices=FAMILIES, metavar="FAMILY")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--show", action="store_true", help="show what went wrong, with its recording's number")
    asked.add_argument("--one", type=int, metavar="NUMBER", help="print the recording of this one scenario of a row")
    asked.add_argument("--processes", type=_number, default=1, metavar="N", help="so many read at the same time")
    args = asked.parse_args()
    grounds = [g for g in GROUNDS if args.board in (None, g.board) and args.seats in (None, g.seats)]
    rows = [(ground, name) for ground in grounds for name in FAMILIES if args.family in (None, name)]
    if not rows:
        asked.error("no stories are played on that board by so many")
    if args.one is not None and len(rows) > 1:
        asked.error("--one is of one row: --board, --seats and --family say which")
    return args, rows


def _number(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 on")
    return int(text)


def _played(rows: list[Row], seed: int, each: int, show: bool, processes: int) -> Iterable[Tally]:
    """The rows' tallies in their order, the rows dealt out to so many processes."""
    play = partial(_play_row, seed=seed, each=each, show=show)
    if processes == 1:
        yield from map(play, rows)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, rows)


def _play_row(row: Row, *, seed: int, each: int, show: bool) -> Tally:
    ground, name = row
    return _play(ground, name, FAMILIES[name], seed, each, show)


def _play(ground: Ground, name: str, family: Family, seed: int, many: int, show: bool) -> Tally:
    """So many scenarios of one family on one board."""
    tally = Tally()
    for number in range(many):
        scene, reports = scene_of(ground, name, family, seed, number)
        lines = [json.dumps(line).encode() for line in recording(scene, reports.lines)]
        said: list[Any] = []
        began = time.process_time()
        trace(lines, said.append)
        seconds = time.process_time() - began
        verdict = judge(scene, reports, said)
        verdict.wrong += [f"error {line['error']}" for line in said if "error" in line]
        tally.count(verdict, seconds)
        if show and (verdict.wrong or verdict.asked or verdict.missed):
            tally.shown.append(f"  {number}: wrong {verdict.wrong} asked {verdict.asked} missed {verdict.missed}")
    return tally


def scene_of(ground: Ground, name: str, family: Family, seed: int, number: int) -> tuple[Scene, Reports]:
    """One scenario, and what the sensors report of it. Its number and the rest decide all of it."""
    rng = Random(f"{seed} {ground} {name} {number}")
    game = "six-card" if name in DUES else "pegs-only"
    scene = Scene(ground, rng, game=game, begun=name != "set up")
    family(scene)
    last = max([e.ms for e in scene.edges] + [ms for ms, _ in scene.lines] + [0])
    return scene, report(scene, last + SETTLE)


def recording(scene: Scene, lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The scene as `companion trace` reads it: the table as it begins, then the lines."""
    options = {"target": str(scene.ground.target)}
    table: dict[str, Any] = {
        "game": scene.game, "seats": scene.ground.seats, "board": scene.ground.board, "dealer": 0, "options": options,
    }  # fmt: skip
    if scene.begun:
        table["pegs"] = [list(place.pegs) for place in scene.begin]
        table["moves"] = [
            {"type": "adjust", "seat": seat, "points": place.front_points}
            for seat, place in enumerate(scene.begin)
            if place.front_points
        ]
    yield {"ms": 0, "table": table}
    yield from lines


def _print_one(ground: Ground, name: str, family: Family, seed: int, number: int) -> int:
    scene, reports = scene_of(ground, name, family, seed, number)
    for line in recording(scene, reports.lines):
        print(json.dumps(line))
    print(*scene.meant, *scene.begin, sep="\n", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
