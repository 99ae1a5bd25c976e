"""`make bench-before BEFORE=CHECKOUT`: the start of this checkout and of another one, in turn.

Each figure is a JSON line: the least value before and now, which other load on the machine hardly changes, and their
ratio.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

from tests.bench import live, pure

SETTLE_S = 1.0
"""Wait after the first page, until what loads later is loaded."""


def measure_start(folder: Path) -> dict[str, float]:
    """Start a table of the checkout in the working folder once; return its figures."""
    figures = {name: value for name, value, _ in pure.measure_import(runs=1)}
    begin = time.perf_counter()
    with live.run_table(folder=folder) as started:
        live.read_page(started)
        figures["start_to_page_ms"] = 1000 * (time.perf_counter() - begin)
        figures["start_cpu_ms"] = 1000 * live.cpu_s(started.pid)
        time.sleep(SETTLE_S)
        figures["rss_mib"] = live.rss_mib(started.pid)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=9, help="number of starts of each (9)")
    args = parser.parse_args()
    checkouts = {"before": args.before.resolve(), "now": Path.cwd()}
    samples: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as home:
        for number in range(args.rounds + 1):
            for name in checkouts if number % 2 else reversed(checkouts):  # neither is always first
                folder = Path(home) / name  # a journal of an old checkout is never opened by a new one
                folder.mkdir(exist_ok=True)
                with chdir(checkouts[name]):
                    samples[name].append(measure_start(folder))
    for figure in samples["now"][0]:
        # The first round only creates the bytecode and the journals.
        before, now = (min(row[figure] for row in samples[name][1:]) for name in checkouts)
        line = {"name": figure, "before": round(before, 1), "now": round(now, 1), "ratio": round(now / before, 2)}
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
