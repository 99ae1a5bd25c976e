"""Measurement of a start with a long journal: 600,000 moves in one game, as a table has after years."""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from companion.journal import schema
from companion.journal.journal import Journal
from companion.protocol.json_codec import write_move
from companion.rules.moves import Next
from companion.settings import Settings
from companion.table import resume
from companion.table.setup import create_plan
from companion.table.state import TableCore, apply_move, create_core
from tests.bench import live, players

MOVE_COUNT = 600_000
WRITTEN_AT = "2026-01-02 03:04:05.000"

Figure = tuple[str, float, str]


def measure_long_start() -> Iterator[Figure]:
    """Measure from the command to the page's last byte with 600,000 moves in the journal, and the PSS after it."""
    with tempfile.TemporaryDirectory() as folder:
        write_long_journal(Path(folder) / "journal.sqlite3", MOVE_COUNT)
        began = time.perf_counter()
        with live.run_table(folder=Path(folder)) as started:
            live.read_page(started)
            yield "start_600k_s", time.perf_counter() - began, "s"
            yield "start_600k_mib", live.pss_mib(started.pid), "MiB"


def write_long_journal(path: Path, moves: int) -> None:
    round_trip = _record_game_cycle()
    bodies = [json.dumps(write_move(core.past.move)) for core in round_trip]
    with closing(Journal(path)) as journal:
        journal.begin_game(round_trip[0].plan.journal_json)
        journal._db.execute("PRAGMA synchronous=OFF")
        for at in range(0, moves, 1000):
            rows = [(1, WRITTEN_AT, "move", "phone", bodies[n % len(bodies)]) for n in range(at, min(at + 1000, moves))]
            with journal._transaction() as db:
                journal._extent = schema.append_entries(db, journal._extent, rows)
                last = journal._extent.last
                checkpoint = resume._dump_checkpoint(round_trip[(last - 1) % len(bodies)])
                db.execute("INSERT INTO checkpoint VALUES (?, 1, ?)", (last, checkpoint))
        journal._seal.write(journal._extent)


def _record_game_cycle() -> list[TableCore]:
    """Return the table after each move of a game that leads back to its first state, so that it can be repeated."""
    plan = create_plan("six-card")
    for seed in count():
        first = core = create_core(plan, Settings())
        _, moves = players.record_game(plan.game, Random(seed))
        rounds: list[Any] = []
        for move in (*moves, Next()) * 2:
            if len(rounds) == len(moves) + 1 and core.past.state != first.past.state:
                break
            core = apply_move(core, move, "phone")
            rounds.append(core)
        else:
            return rounds[len(moves) + 1 :]
    raise AssertionError
