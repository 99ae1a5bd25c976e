"""`make bench-reporting`: the cost of reporting to a broker. Each figure is a JSON line: without, with, the increase.

Tables without and with reporting alternate in one run, so that other load on the machine affects both alike.
The run starts its own Mosquitto. docs/reference/reporting.md has the measured figures.
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

VARIANTS = ("without", "with")
SETTLE_S = 4.0
"""Wait after the start, until the MQTT library is imported and the first messages are published."""
MIN_SAMPLES_PER_ROUND = 3


def measure_table(folder: Path, url: str) -> dict[str, list[float]]:
    """Run one table; return samples of its start, its memory and its peg latencies by figure.

    :param url: address of the broker to report to; empty for no reporting.
    """
    with_reporting = ("--set", f"report.brokers={url}", "--set", "report.board=bench") if url else ()
    flags = ("--game", "pegs-only", "--set", f"quiet_ms={live.QUIET_MS}", *with_reporting)
    begin = time.perf_counter()
    with live.run_table(*flags, folder=folder) as started:
        live.read_page(started)
        start_s, cpu_s = time.perf_counter() - begin, live.cpu_s(started.pid)
        time.sleep(SETTLE_S)
        before_mib = live.pss_mib(started.pid)
        pegs = live.measure_peg_latencies_s(started)
        return {
            "start_to_page_ms": [1000 * start_s], "start_cpu_ms": [1000 * cpu_s], "pss_mib": [before_mib],
            "pss_played_mib": [live.pss_mib(started.pid)], "peg_to_light_ms": [1000 * each for each in pegs],
        }  # fmt: skip


def main() -> int:
    """Measure and print the figures. Return the exit code: 1 if Mosquitto is not installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="number of tables of each variant (8)")
    args = parser.parse_args()
    if not MOSQUITTO:
        print("Type this first: sudo apt-get install mosquitto", file=sys.stderr)
        return 1
    samples: dict[str, dict[str, list[float]]] = {variant: {} for variant in VARIANTS}
    with tempfile.TemporaryDirectory() as home:
        broker = Broker(Path(home))
        for number in range(args.rounds + 1):
            for variant in VARIANTS if number % 2 else reversed(VARIANTS):  # neither is always first
                folder = Path(home) / f"{variant}-{number}"
                folder.mkdir()
                for name, values in measure_table(folder, broker.url if variant == "with" else "").items():
                    if number:  # the first round only creates the bytecode
                        samples[variant].setdefault(name, []).extend(values)
        broker.kill()
    for name in samples["with"]:
        without, with_reporting = (statistics.median(samples[variant][name]) for variant in VARIANTS)
        print_figure(name, without, with_reporting)
        if len(samples["with"][name]) > MIN_SAMPLES_PER_ROUND * args.rounds:
            highest = (statistics.quantiles(samples[variant][name], n=100)[98] for variant in VARIANTS)
            print_figure(f"{name}_p99", *highest)
    return 0


def print_figure(name: str, without: float, with_reporting: float) -> None:
    change = 100 * (with_reporting / without - 1)
    figures = {
        "name": name,
        "without": round(without, 2),
        "with": round(with_reporting, 2),
        "more_pct": round(change, 1),
    }
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
