"""`make soak`: the demo at its highest speed for hours, every game in its turn, and whether anything grows or stops.

Each game is a program of its own, for an equal share of the time, while four phones listen and one asks for the state.
At the end one JSON line a figure, as in `make bench`; exit code 1 where one is beyond its bound. Ctrl-C ends it early.
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

SPEED = 1000
PHONES = 4
ASK_S = 0.2
LOOK_S = 1.0
SETTLED = 0.2
"""Of a game's time, after which its threads, descriptors and memory are to stay what they are."""
STALLED_S = 30.0
"""Without a move for so long, a demo of this speed stands still."""
TELLING_S = 600.0
"""A slope over less is chance, and not judged."""


@dataclass
class Seen:
    """What was seen of one game: samples of seconds, MiB, descriptors and threads; how long each answer took."""

    key: str
    samples: list[tuple[float, float, int, int]] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)
    moves: int = 0
    longest_still_s: float = 0.0

    def settled(self) -> list[tuple[float, float, int, int]]:
        """The samples after it has warmed up."""
        return self.samples[int(len(self.samples) * SETTLED) :]


def watch(key: str, seconds: float, speed: float = SPEED) -> Iterator[Seen]:
    """Play one game for so long; what is known of it, again and again: whoever stops early has the last."""
    seen = Seen(key)
    flags = ("--demo", "--speed", str(speed), "--set", "quiet_ms=20", "--game", key)
    with tempfile.TemporaryDirectory() as folder, live.table(*flags, folder=Path(folder)) as table:
        for _ in range(PHONES):
            threading.Thread(target=live.Stream(table.port).listen, daemon=True).start()
        begin = moved = looked = time.monotonic()
        while (now := time.monotonic()) - begin < seconds:
            moves = table.ask("/api/state")["moves"]
            seen.took_ms.append((time.monotonic() - now) * 1000)
            if moves != seen.moves:
                moved, seen.moves = now, moves
            seen.longest_still_s = max(seen.longest_still_s, now - moved)
            if now - looked >= LOOK_S:
                looked = now
                seen.samples.append((now - begin, *_process(table.pid)))
            yield seen
            time.sleep(ASK_S)


def _process(pid: int) -> tuple[float, int, int]:
    """Resident memory in MiB, open descriptors, threads."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    descriptors = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    return int(status["VmRSS"].split()[0]) / 1024, descriptors, int(status["Threads"])


def slope(seen: Seen) -> float:
    """MiB an hour by which the memory grows: least squares. 0 where there are too few samples."""
    rest = seen.settled()
    if len(rest) < 3:
        return 0.0
    return 3600 * statistics.linear_regression([at for at, *_ in rest], [mib for _, mib, *_ in rest]).slope


def grown(seen: Seen, which: int) -> int:
    """By how many the descriptors (2) or threads (3) are more in the last third than in the first, in the middle."""
    rest = [sample[which] for sample in seen.settled()]
    third = len(rest) // 3
    return max(0, statistics.median_low(rest[-third:]) - statistics.median_low(rest[:third])) if third else 0


def told(every: list[Seen]) -> list[tuple[str, float, str, bool]]:
    """Each figure: name, value, unit, and whether it is within its bound."""
    took = sorted(ms for seen in every for ms in seen.took_ms)
    p99 = took[math.ceil(0.99 * len(took)) - 1] if took else 0.0
    figures = [(f"moves_{seen.key}", seen.moves, "moves", seen.moves > 0) for seen in every]
    for seen in every:
        lasts = seen.samples and seen.samples[-1][0] >= TELLING_S
        figures.append((f"memory_slope_{seen.key}", slope(seen), "MiB/h", not lasts or slope(seen) <= 1))
    descriptors, threads = (max((grown(seen, which) for seen in every), default=0) for which in (2, 3))
    stalled = sum(seen.longest_still_s >= STALLED_S for seen in every)
    return [
        *figures,
        ("descriptors_grown", descriptors, "", descriptors == 0),
        ("threads_grown", threads, "", threads == 0),
        ("state_ms_p99", p99, "ms", p99 <= 50),
        ("longest_still_s", max((seen.longest_still_s for seen in every), default=0.0), "s", True),
        ("stalled", stalled, "games", stalled == 0),
    ]


def main(words: list[str]) -> int:
    """Play, look, tell."""
    known = [game.key for game in GAMES]
    asked = argparse.ArgumentParser(prog="make soak", description=__doc__)
    asked.add_argument("--hours", type=float, default=8.0, help="how long in all (8)")
    asked.add_argument("--minutes", type=float, help="the same in minutes")
    asked.add_argument("--game", action="append", choices=known, help="only this one; may be repeated")
    asked.add_argument("--speed", type=float, default=SPEED, help=f"speed of the demo ({SPEED})")
    given = asked.parse_args(words)
    keys = given.game or known
    seconds = 60 * (given.minutes if given.minutes else 60 * given.hours) / len(keys)
    every: list[Seen] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for key in keys:
            every.append(Seen(key))
            for seen in watch(key, seconds, given.speed):
                every[-1] = seen
    except KeyboardInterrupt:
        print("Ended early; this is what was seen.", file=sys.stderr)
    figures = told(every)
    for name, value, unit, is_well in figures:
        print(json.dumps({"name": name, "value": round(value, 3), "unit": unit, "ok": is_well}), flush=True)
    return 0 if all(is_well for *_, is_well in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
