"""`make bench-reporting`: what telling a broker costs a table; a JSON line a figure: without, with, and how much more.

Tables without and with reporting take turns in one run, so that whatever else the machine does is the same for both.
The broker is a Mosquitto of our own. docs/reference/reporting.md has what was measured.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import live
from tests.support.brokers import MOSQUITTO, Broker

WAYS = ("without", "with")
SETTLED_S = 4.0
"""After the start: the library of MQTT is read, and the first messages are told."""
ENOUGH = 3


def measured(folder: Path, url: str) -> dict[str, list[float]]:
    """One table from its start to its end: its start, its memory, its pegs."""
    told = ("--set", f"report.brokers={url}", "--set", "report.board=bench") if url else ()
    flags = ("--game", "pegs-only", "--set", f"quiet_ms={live.QUIET_MS}", *told)
    begin = time.perf_counter()
    with live.table(*flags, folder=folder) as started:
        live.page(started)
        start_s, cpu_s = time.perf_counter() - begin, live.cpu_s(started.pid)
        time.sleep(SETTLED_S)
        before_mib = live.pss_mib(started.pid)
        pegs = live.pegged_s(started)
        return {
            "start_to_page_ms": [1000 * start_s], "start_cpu_ms": [1000 * cpu_s], "pss_mib": [before_mib],
            "pss_played_mib": [live.pss_mib(started.pid)], "peg_to_light_ms": [1000 * each for each in pegs],
        }  # fmt: skip


def main() -> int:
    """Measure, and print the figures; 1 where no broker is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="tables of each kind")
    given = parser.parse_args()
    if not MOSQUITTO:
        print("Type this first: sudo apt-get install mosquitto", file=sys.stderr)
        return 1
    found: dict[str, dict[str, list[float]]] = {way: {} for way in WAYS}
    with tempfile.TemporaryDirectory() as home:
        broker = Broker(Path(home))
        for number in range(given.rounds + 1):
            for way in WAYS if number % 2 else reversed(WAYS):  # neither is always first
                folder = Path(home) / f"{way}-{number}"
                folder.mkdir()
                for name, values in measured(folder, broker.url if way == "with" else "").items():
                    if number:  # the first only makes bytecode
                        found[way].setdefault(name, []).extend(values)
        broker.kill()
    for name in found["with"]:
        without, told = (statistics.median(found[way][name]) for way in WAYS)
        tell(name, without, told)
        if len(found["with"][name]) > ENOUGH * given.rounds:
            tell(f"{name}_p99", *(statistics.quantiles(found[way][name], n=100)[98] for way in WAYS))
    return 0


def tell(name: str, without: float, told: float) -> None:
    """A figure, in both ways; each is a median where its name says nothing else."""
    change = 100 * (told / without - 1)
    figures = {"name": name, "without": round(without, 2), "with": round(told, 2), "more_pct": round(change, 1)}
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
