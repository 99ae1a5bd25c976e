"""`make perception`: plays stories of hands and sensors on `companion trace`, and counts what was read wrong.

    .venv/bin/python -m tests.perception.run [--scenarios N] [--board NAME] [--seats N] [--family NAME] [--seed S]
                                             [--show] [--processes N]
    .venv/bin/python -m tests.perception.run --one NUMBER --board NAME --seats N --family NAME [--seed S]

A line a family and board: scenarios, wrong, asked where the holes alone decide, rightly asked, missed, which share of
a slow counter's claims was told early and then corrected, and the delays in ms: p50 and p99 after the hand had
finished, p99 where the peg touched other holes on its way, where the hand counts slowly, and after the next act began.
Last how many a minute of one core, the making and judging of stories included. With several processes the table is the
same, and sooner there. The last line says whether the bounds of docs/explanation/reading-pegs.md are held.
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

from companion.table.recording import run_recording
from tests.perception.families import CARDS, FAMILIES, PLAYED, Family
from tests.perception.ground import Ground
from tests.perception.judge import judge_events
from tests.perception.model import Scene
from tests.perception.sensors import ANSWER, Reports, report_scene
from tests.perception.tally import Tally, format_bounds, format_heading
from tests.perception.truth import FOREVER

GROUNDS = (
    Ground("classic", 2), Ground("classic", 3), Ground("loop-60", 2), Ground("pursuit", 2), Ground("pursuit", 3, 61),
)  # fmt: skip
SETTLE_MS = 21_000
"""So long after the last edge nothing more can be concluded."""

Row = tuple[Ground, str]
"""A line of the table: a board and a family."""


def main() -> int:
    """Play what is asked for. Gives the exit code: 1 where anything was wrong or missed."""
    args, rows = _parse_arguments()
    if args.one is not None:
        ground, name = rows[0]
        return _print_one(ground, name, FAMILIES[name], args.seed, args.one)
    print(format_heading(), flush=True)
    totals = Tally()
    each = -(-args.scenarios // len(rows))
    for (ground, name), tally in zip(rows, _play_rows(rows, args.seed, each, args.show, args.processes), strict=True):
        print(*tally.shown, tally.format_line(f"{ground.board} {ground.seats}", name), sep="\n", flush=True)
        totals.add_tally(tally)
    whole = len(rows) == len(GROUNDS) * len(PLAYED)
    print(totals.format_line("all", ""), format_bounds(totals, whole=whole), sep="\n")
    return 1 if totals.wrong or totals.missed else 0


def _parse_arguments() -> tuple[argparse.Namespace, list[Row]]:
    """What is asked for, and the rows that it means."""
    asked = argparse.ArgumentParser(description="Hands and sensors against the peg watcher.")
    asked.add_argument("--scenarios", type=_parse_count, default=100_000, metavar="N")
    asked.add_argument("--board", choices=sorted({ground.board for ground in GROUNDS}))
    asked.add_argument("--seats", type=_parse_count, metavar="N", help="the boards with so many players alone")
    asked.add_argument("--family", choices=FAMILIES, metavar="FAMILY")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--show", action="store_true", help="show what went wrong, with its recording's number")
    asked.add_argument("--one", type=int, metavar="NUMBER", help="print the recording of this one scenario of a row")
    asked.add_argument("--processes", type=_parse_count, default=1, metavar="N", help="so many read at the same time")
    args = asked.parse_args()
    grounds = [g for g in GROUNDS if args.board in (None, g.board) and args.seats in (None, g.seats)]
    rows = [(ground, name) for ground in grounds for name in ([args.family] if args.family else PLAYED)]
    if not rows:
        asked.error("no stories are played on that board by so many")
    if args.one is not None and len(rows) > 1:
        asked.error("--one is of one row: --board, --seats and --family say which")
    return args, rows


def _parse_count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 on")
    return int(text)


def _play_rows(rows: list[Row], seed: int, each: int, show: bool, processes: int) -> Iterable[Tally]:
    """The rows' tallies in their order, the rows dealt out to so many processes."""
    play = partial(_play_row, seed=seed, each=each, show=show)
    if processes == 1:
        yield from map(play, rows)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, rows)


def _play_row(row: Row, *, seed: int, each: int, show: bool) -> Tally:
    ground, name = row
    return _play_family(ground, name, FAMILIES[name], seed, each, show)


def _play_family(ground: Ground, name: str, family: Family, seed: int, many: int, show: bool) -> Tally:
    """So many scenarios of one family on one board."""
    tally, began = Tally(), time.process_time()
    for number in range(many):
        scene, reports = create_scene(ground, name, family, seed, number)
        verdict = judge_events(scene, reports, trace_scene(scene, reports)[1])
        tally.add_verdict(verdict)
        if show and (verdict.wrong or verdict.asked or verdict.missed):
            tally.shown.append(f"  {number}: wrong {verdict.wrong} asked {verdict.asked} missed {verdict.missed}")
    tally.seconds = time.process_time() - began
    return tally


def create_scene(ground: Ground, name: str, family: Family, seed: int, number: int) -> tuple[Scene, Reports]:
    """One scenario, and what the sensors report of it. Its number and the rest decide all of it."""
    rng = Random(f"{seed} {ground} {name} {number}")
    game = "six-card" if name in CARDS else "pegs-only"
    scene = Scene(ground, rng, game=game, begun=name != "set up")
    family(scene)
    moments = [edge.ms for edge in scene.edges] + [ms for ms, _ in scene.lines]
    last = max(moments + [fault.end_ms for fault in scene.faults if fault.end_ms < FOREVER], default=0)
    return scene, report_scene(scene, last, last + SETTLE_MS)


def trace_scene(scene: Scene, reports: Reports) -> tuple[list[str], list[Any]]:
    """The scene's recording, its answers given as the questions are asked, and what `companion trace` says of it."""
    read, said = [_table_line(scene)], list[Any]()

    def lines() -> Iterator[bytes]:
        yield read[0].encode()
        for ms, text in reports.lines:
            if text == ANSWER:
                yield f'{{"ms":{ms},"tick":true}}'.encode()  # what falls due until now is asked before it is answered
                if (move := _last_choice(said)) is None:
                    continue
            read.append(json.dumps({"ms": ms, "move": move}) if text == ANSWER else text)
            yield read[-1].encode()

    run_recording(lines(), said.append)
    return read, said


def _last_choice(said: list[Any]) -> Any:
    """The move that the last choice of the open question makes; None where nothing is asked, or that makes none."""
    asked = [line for line in said if line.get("event") in ("unclear", "resolved")]
    return asked[-1]["choices"][-1]["move"] if asked and asked[-1].get("choices") else None


def _table_line(scene: Scene) -> str:
    """The line with which the scene begins, as `companion trace` reads it."""
    options = {"target": str(scene.ground.target), **scene.options}
    table: dict[str, Any] = {
        "game": scene.game, "seats": scene.ground.seats, "board": scene.ground.board, "dealer": 0, "options": options,
    }  # fmt: skip
    if scene.begun:
        table["pegs"] = [list(place.pegs) for place in scene.begin]
        scores = [(seat, place.front_points) for seat, place in enumerate(scene.begin) if place.front_points]
        table["moves"] = [{"type": "adjust", "seat": seat, "points": points} for seat, points in scores]
    return json.dumps({"ms": 0, "table": table})


def _print_one(ground: Ground, name: str, family: Family, seed: int, number: int) -> int:
    scene, reports = create_scene(ground, name, family, seed, number)
    print(*trace_scene(scene, reports)[0], sep="\n")
    print(*scene.meant, *scene.begin, sep="\n", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
