"""`make perception`: plays stories of hands and sensors on `companion trace`, and counts what was read wrong.

    .venv/bin/python tests/perception/run.py [--scenarios N] [--board NAME] [--family NAME] [--seed S] [--show]

A line a family and board: scenarios, wrong, asked where the holes alone decide, rightly asked, missed, the delay after
the hand had finished (p50 and p99, in ms; in brackets where the peg touched other holes on its way), and how many a
minute.
Ends with 1 where anything was wrong or missed.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from families import DUES, FAMILIES, Family
from ground import Ground
from judge import Verdict, judge
from model import Scene
from sensors import report

from companion.table.trace import trace

GROUNDS = (
    Ground("classic", 2), Ground("classic", 3), Ground("loop-60", 2), Ground("pursuit", 2), Ground("pursuit", 3, 61),
)  # fmt: skip
SETTLE = 21_000
"""So long after the last edge nothing more can be concluded."""


def main() -> int:
    asked = argparse.ArgumentParser(description="Hands and sensors against the peg watcher.")
    asked.add_argument("--scenarios", type=int, default=100_000)
    asked.add_argument("--board", default="")
    asked.add_argument("--family", default="")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--show", action="store_true", help="show what went wrong, with its recording's number")
    asked.add_argument("--one", type=int, help="print the recording of this one scenario")
    args = asked.parse_args()
    rows = [(g, n, f) for g in _grounds(args.board) for n, f in FAMILIES.items() if args.family in ("", n)]
    each = -(-args.scenarios // len(rows))
    if args.one is not None:
        ground, name, family = rows[0]
        return _print_one(ground, name, family, args.seed, args.one)
    print(_row("board", "family", "scenarios", "wrong", "asked", "rightly", "missed", "p50", "p99", "a minute"))
    totals = Tally()
    for ground, name, family in rows:
        tally = _play(ground, name, family, args.seed, each, args.show)
        tally.print(f"{ground.board} {ground.seats}", name)
        totals.add(tally)
    totals.print("all", "")
    return 1 if totals.counts["wrong"] or totals.counts["missed"] else 0


def _grounds(board: str) -> list[Ground]:
    from companion.board import layout  # noqa: PLC0415 - after the arguments are known to be right

    return [g for g in GROUNDS if board in ("", g.board) and g.board in layout.names()]


class Tally:
    """Counts over many scenarios."""

    def __init__(self) -> None:
        self.scenarios, self.seconds = 0, 0.0
        self.counts = {"wrong": 0, "asked": 0, "rightly": 0, "missed": 0}
        self.delays: list[tuple[int, bool]] = []

    def count(self, verdict: Verdict) -> None:
        self.scenarios += 1
        self.counts["wrong"] += bool(verdict.wrong)
        self.counts["asked"] += bool(verdict.asked)
        self.counts["rightly"] += bool(verdict.rightly)
        self.counts["missed"] += bool(verdict.missed)
        self.delays += verdict.delays

    def add(self, other: "Tally") -> None:
        self.scenarios += other.scenarios
        self.seconds += other.seconds
        for key, many in other.counts.items():
            self.counts[key] += many
        self.delays += other.delays

    def print(self, board: str, family: str) -> None:
        direct = sorted(ms for ms, touched in self.delays if not touched)
        touched = sorted(ms for ms, touched in self.delays if touched)
        shares = [_share(direct, q) + (f" ({_share(touched, q)})" if touched else "") for q in (0.5, 0.99)]
        minute = round(self.scenarios / self.seconds * 60) if self.seconds else 0
        print(_row(board, family, self.scenarios, *self.counts.values(), *shares, minute), flush=True)


def _share(sorted_ms: list[int], share: float) -> str:
    return str(sorted_ms[int(share * (len(sorted_ms) - 1))]) if sorted_ms else "-"


def _row(*cells: object) -> str:
    widths = (10, 17, 10, 6, 6, 8, 7, 11, 11, 9)
    aligned = "<<>>>>>>>>"
    return " ".join(f"{cell!s:{a}{w}}" for cell, a, w in zip(cells, aligned, widths, strict=True))


def _play(ground: Ground, name: str, family: Family, seed: int, many: int, show: bool) -> Tally:
    tally = Tally()
    for number in range(many):
        scene, reports = _scene(ground, name, family, seed, number)
        lines = [json.dumps(line).encode() for line in _recording(scene, reports.lines)]
        said: list[Any] = []
        began = time.process_time()
        trace(lines, said.append)
        tally.seconds += time.process_time() - began
        verdict = judge(scene, reports, said)
        verdict.wrong += [f"error {line['error']}" for line in said if "error" in line]
        tally.count(verdict)
        if show and (verdict.wrong or verdict.asked or verdict.missed):
            print(f"  {number}: wrong {verdict.wrong} asked {verdict.asked} missed {verdict.missed}")
    return tally


def _scene(ground: Ground, name: str, family: Family, seed: int, number: int) -> tuple[Scene, Any]:
    rng = Random(f"{seed} {ground} {name} {number}")
    game = "six-card" if name in DUES else "pegs-only"
    scene = Scene(ground, rng, game=game, begun=name != "set up")
    family(scene)
    last = max([e.ms for e in scene.edges] + [ms for ms, _ in scene.lines] + [0])
    return scene, report(scene, last + SETTLE)


def _recording(scene: Scene, lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    options = {"target": str(scene.ground.target)}
    table: dict[str, Any] = {
        "game": scene.game, "seats": scene.ground.seats, "board": scene.ground.board, "dealer": 0, "options": options,
    }  # fmt: skip
    if scene.begun:
        table["pegs"] = [[b[0], b[1]] for b in scene.begin]
        table["moves"] = [
            {"type": "adjust", "seat": seat, "points": b[3]} for seat, b in enumerate(scene.begin) if b[3]
        ]
    yield {"ms": 0, "table": table}
    yield from lines


def _print_one(ground: Ground, name: str, family: Family, seed: int, number: int) -> int:
    scene, reports = _scene(ground, name, family, seed, number)
    for line in _recording(scene, reports.lines):
        print(json.dumps(line))
    print(*scene.meant, *scene.begin, sep="\n", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
