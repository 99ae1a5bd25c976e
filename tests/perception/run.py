"""`make perception`: plays stories of hands and sensors on `companion trace`, and counts the errors of the reader.

    .venv/bin/python -m tests.perception.run [--scenarios N] [--board NAME] [--seats N] [--family NAME] [--seed S]
                                             [--show] [--processes N]
    .venv/bin/python -m tests.perception.run --one NUMBER --board NAME --seats N --family NAME [--seed S]

The table has a line for each family and board: scenarios, wrong, asked although the holes alone decide, rightly asked,
missed, share of a slow counter's claims that were reported early and then corrected, and the delays in ms: p50 and p99
after the hand had finished, p99 with touches of other holes, of hands that count slowly, and after the next action
began. The last column is the number of scenarios per minute on one core, including their creation and judgement.
Several processes print the same table faster. The last line states whether the bounds of
docs/explanation/reading-pegs.md hold. The exit code is 1 if a scenario was read wrong or missed.

`--show` prints the numbers of the failed scenarios; `--one` prints such a scenario as a recording, and its intentions
on standard error. It belongs to the seed and to a single line of the table.
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
from tests.perception.families import CARDS, DEFAULT_FAMILIES, FAMILIES, Family
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
"""Time after the last edge within which every conclusion must come."""

Row = tuple[Ground, str]
"""A line of the table: a board and a family."""


def main() -> int:
    """Play the scenarios and print the table. Return the exit code: 1 if anything was wrong or missed."""
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
    whole = len(rows) == len(GROUNDS) * len(DEFAULT_FAMILIES)
    print(totals.format_line("all", ""), format_bounds(totals, whole=whole), sep="\n")
    return 1 if totals.wrong or totals.missed else 0


def _parse_arguments() -> tuple[argparse.Namespace, list[Row]]:
    parser = argparse.ArgumentParser(description="Play stories of hands and sensors, and check the peg reader.")
    parser.add_argument("--scenarios", type=_parse_count, default=100_000, metavar="N", help="total number (100000)")
    parser.add_argument("--board", choices=sorted({ground.board for ground in GROUNDS}))
    parser.add_argument("--seats", type=_parse_count, metavar="N", help="only boards with this number of players")
    parser.add_argument("--family", choices=FAMILIES, metavar="FAMILY", help="only this family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the failed scenarios with their numbers")
    parser.add_argument("--one", type=int, metavar="NUMBER", help="print the recording of one scenario of a row")
    parser.add_argument("--processes", type=_parse_count, default=1, metavar="N", help="number of processes (1)")
    args = parser.parse_args()
    grounds = [g for g in GROUNDS if args.board in (None, g.board) and args.seats in (None, g.seats)]
    rows = [(ground, name) for ground in grounds for name in ([args.family] if args.family else DEFAULT_FAMILIES)]
    if not rows:
        parser.error("there are no stories on that board with that number of players")
    if args.one is not None and len(rows) > 1:
        parser.error("--one needs a single row: select it with --board, --seats and --family")
    return args, rows


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(text)


def _play_rows(rows: list[Row], seed: int, each: int, show: bool, processes: int) -> Iterable[Tally]:
    """Yield the tallies of the rows in their order. The rows are distributed to the processes."""
    play = partial(_play_row, seed=seed, each=each, show=show)
    if processes == 1:
        yield from map(play, rows)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, rows)


def _play_row(row: Row, *, seed: int, each: int, show: bool) -> Tally:
    return play_family(*row, seed, range(each), show=show)


def play_family(ground: Ground, name: str, seed: int, numbers: Iterable[int], *, show: bool) -> Tally:
    """Play the scenarios with these numbers of one family on one board; return their tally."""
    tally, began = Tally(), time.process_time()
    for number in numbers:
        scene, reports = create_scene(ground, name, FAMILIES[name], seed, number)
        verdict = judge_events(scene, reports, trace_scene(scene, reports)[1])
        tally.add_verdict(verdict)
        if show and (verdict.wrong or verdict.asked or verdict.missed):
            tally.shown.append(f"  {number}: wrong {verdict.wrong} asked {verdict.asked} missed {verdict.missed}")
    tally.seconds = time.process_time() - began
    return tally


def create_scene(ground: Ground, name: str, family: Family, seed: int, number: int) -> tuple[Scene, Reports]:
    """Return a scenario and its sensor reports. They depend only on the arguments."""
    rng = Random(f"{seed} {ground} {name} {number}")
    game = "six-card" if name in CARDS else "pegs-only"
    scene = Scene(ground, rng, game=game, begun=name != "set up")
    family(scene)
    moments = [edge.ms for edge in scene.edges] + [ms for ms, _ in scene.lines]
    last = max(moments + [fault.end_ms for fault in scene.faults if fault.end_ms < FOREVER], default=0)
    return scene, report_scene(scene, last, last + SETTLE_MS)


def trace_scene(scene: Scene, reports: Reports) -> tuple[list[str], list[Any]]:
    """Return the recording of a scene, with the answers to its questions, and the lines of `companion trace`."""
    read, said = [_table_line(scene)], list[Any]()

    def lines() -> Iterator[bytes]:
        yield read[0].encode()
        for ms, text in reports.lines:
            if text == ANSWER:
                yield f'{{"ms":{ms},"tick":true}}'.encode()  # a question that is due must be asked before its answer
                if (move := _last_choice(said)) is None:
                    continue
            read.append(json.dumps({"ms": ms, "move": move}) if text == ANSWER else text)
            yield read[-1].encode()

    run_recording(lines(), said.append)
    return read, said


def _last_choice(said: list[Any]) -> Any:
    """Return the move of the last choice of the open question; None without a question or without a move."""
    asked = [line for line in said if line.get("event") in ("unclear", "resolved")]
    return asked[-1]["choices"][-1]["move"] if asked and asked[-1].get("choices") else None


def _table_line(scene: Scene) -> str:
    """Return the first line of the scene's recording, which describes the table."""
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
    print(*scene.intents, *scene.begin, sep="\n", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
