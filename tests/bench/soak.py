"""`make soak`: run the demo of every game at its highest speed for hours, and check that nothing grows or stalls.

Each game runs in its own process for an equal share of the time, with four subscribed phones and one that polls the
state. At the end the program prints one JSON line per figure, as in `make bench`; the exit code is 1 if a figure is
beyond its bound. Ctrl-C ends it early.
"""

import argparse
import json
import math
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.rules import GAMES
from tests.bench import live

DEMO_SPEED = 1000
PHONE_COUNT = 4
REQUEST_INTERVAL_S = 0.2
SAMPLE_INTERVAL_S = 1.0
WARM_UP_SHARE = 0.2
"""Share of a game's time after which its threads, descriptors and memory must not grow."""
STALL_LIMIT_S = 30.0
"""A demo without a move for this time counts as stalled."""
MIN_SLOPE_TIME_S = 600.0
"""A memory slope over a shorter time is noise and is not judged."""


@dataclass
class GameSamples:
    """Samples of one game.

    :param key: the game.
    :param samples: seconds since the start, resident MiB, descriptors, threads.
    :param took_ms: duration of each request for the state.
    :param moves: number of moves made.
    :param longest_still_s: longest time without a move.
    """

    key: str
    samples: list[tuple[float, float, int, int]] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)
    moves: int = 0
    longest_still_s: float = 0.0

    def settled_samples(self) -> list[tuple[float, float, int, int]]:
        return self.samples[int(len(self.samples) * WARM_UP_SHARE) :]


def watch_game(key: str, seconds: float, speed: float = DEMO_SPEED) -> Iterator[GameSamples]:
    """Run one game for this time. Yield its samples repeatedly, so that a caller who stops early has the last ones."""
    game = GameSamples(key)
    flags = ("--demo", "--speed", str(speed), "--set", "quiet_ms=20", "--game", key)
    with tempfile.TemporaryDirectory() as folder, live.run_table(*flags, folder=Path(folder)) as table:
        for _ in range(PHONE_COUNT):
            threading.Thread(target=live.PhoneStream(table.port).discard_snapshots, daemon=True).start()
        begin = moved = looked = time.monotonic()
        while (now := time.monotonic()) - begin < seconds:
            moves = table.request_json("/api/state")["moves"]
            game.took_ms.append((time.monotonic() - now) * 1000)
            if moves != game.moves:
                moved, game.moves = now, moves
            game.longest_still_s = max(game.longest_still_s, now - moved)
            if now - looked >= SAMPLE_INTERVAL_S:
                looked = now
                game.samples.append((now - begin, *_read_process(table.pid)))
            yield game
            time.sleep(REQUEST_INTERVAL_S)


def _read_process(pid: int) -> tuple[float, int, int]:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return int(status["VmRSS"].split()[0]) / 1024, descriptors, int(status["Threads"])


def memory_slope(game: GameSamples) -> float:
    """Return the growth of the memory in MiB per hour, by least squares; 0 for fewer than three samples."""
    rest = game.settled_samples()
    if len(rest) < 3:
        return 0.0
    return 3600 * statistics.linear_regression([at for at, *_ in rest], [mib for _, mib, *_ in rest]).slope


def count_growth(game: GameSamples, which: int) -> int:
    """Return the growth of the median from the first third to the last one.

    :param which: index in a sample: 2 for descriptors, 3 for threads.
    """
    rest = [sample[which] for sample in game.settled_samples()]
    third = len(rest) // 3
    return max(0, statistics.median_low(rest[-third:]) - statistics.median_low(rest[:third])) if third else 0


def list_figures(games: list[GameSamples]) -> list[tuple[str, float, str, bool]]:
    """Return name, value and unit of each figure, and whether it is within its bound."""
    took = sorted(ms for game in games for ms in game.took_ms)
    p99 = took[math.ceil(0.99 * len(took)) - 1] if took else 0.0
    figures = [(f"moves_{game.key}", game.moves, "moves", game.moves > 0) for game in games]
    for game in games:
        lasts = game.samples and game.samples[-1][0] >= MIN_SLOPE_TIME_S
        figures.append((f"memory_slope_{game.key}", memory_slope(game), "MiB/h", not lasts or memory_slope(game) <= 1))
    descriptors, threads = (max((count_growth(game, which) for game in games), default=0) for which in (2, 3))
    stalled = sum(game.longest_still_s >= STALL_LIMIT_S for game in games)
    return [
        *figures,
        ("descriptors_grown", descriptors, "", descriptors == 0),
        ("threads_grown", threads, "", threads == 0),
        ("state_ms_p99", p99, "ms", p99 <= 50),
        ("longest_still_s", max((game.longest_still_s for game in games), default=0.0), "s", True),
        ("stalled", stalled, "games", stalled == 0),
    ]


def main(words: list[str]) -> int:
    known = [game.key for game in GAMES]
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0, help="total duration in hours (8)")
    parser.add_argument("--minutes", type=float, help="total duration in minutes")
    parser.add_argument("--game", action="append", choices=known, help="run only this game (repeatable)")
    parser.add_argument("--speed", type=float, default=DEMO_SPEED, help=f"speed of the demo ({DEMO_SPEED})")
    args = parser.parse_args(words)
    keys = args.game or known
    seconds = 60 * (args.minutes if args.minutes else 60 * args.hours) / len(keys)
    games: list[GameSamples] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for key in keys:
            games.append(GameSamples(key))
            for game in watch_game(key, seconds, args.speed):
                games[-1] = game
    except KeyboardInterrupt:
        print("Ended early. These figures cover the time until now.", file=sys.stderr)
    figures = list_figures(games)
    for name, value, unit, is_ok in figures:
        print(json.dumps({"name": name, "value": round(value, 3), "unit": unit, "ok": is_ok}), flush=True)
    return 0 if all(is_ok for *_, is_ok in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
