"""`make bench`: what things cost here, one JSON line each. `make bench ARGS="census_s import_ms"` measures only those.

docs/reference/bench.md says what each figure is, what it should be, and what was measured.
"""

import json
import sys
from collections.abc import Callable, Iterator

from tests.bench import coach, live, long, page, pure, reading

MEASURES: tuple[tuple[str, Callable[[], Iterator[tuple[str, float, str]]]], ...] = (
    ("score_call_ns", pure.score_call),
    ("census_s", pure.census),
    ("discard_analysis_us", pure.discard_analysis),
    ("discard_win_us", coach.discard_win),
    ("play_decision_ms_p99", coach.play),
    ("arena_games_per_s", coach.games),
    ("review_game_ms", coach.look_back),
    ("shuffle_optimum_pct_50ms", pure.shuffle_optimum),
    ("referee_moves_per_s", pure.referee_moves),
    ("games_per_s_", pure.games),
    ("import_ms", pure.importing),
    ("read_report_us", reading.read_report),
    ("start_to_page_ms", live.start_to_page),
    ("start_600k_s", long.start_600k),
    ("page_ms_flooded", live.page_flooded),
    ("slow_readers_", live.slow_readers),
    ("pss_mib", live.pss),
    ("demo_pss_mib", live.demo_pss),
    ("stop_", live.stops),
    ("idle_cpu_pct", live.idle_cpu),
    ("submit_to_sse_ms_p99", live.submit_to_sse),
    ("fifty_phones_", live.fifty_phones),
    ("scan_to_sse_ms_p99", live.scan_to_sse),
    ("peg_to_light_ms_p99", live.peg_to_light),
    ("due_to_light_ms_p50", live.due_to_light),
    ("draw_ms_throttled", page.draw),
)
"""What can be measured, in this order. A name that ends in _ begins several figures."""


ONLY_BY_NAME = ("slow_readers_", "demo_pss_mib", "stop_")
"""Figures that take too long for a run of all."""


def main(wanted: list[str]) -> int:
    """Measure what is wanted, or everything. Gives the exit code: 2 for a figure that does not exist."""
    known = [name for name, _ in MEASURES]
    strange = [name for name in wanted if not any(name.startswith(each) for each in known)]
    if strange:
        print(f"There is no figure {strange[0]}; there are {', '.join(known)}.", file=sys.stderr)
        return 2
    for name, measure in MEASURES:
        if name in ONLY_BY_NAME if not wanted else not any(each.startswith(name) for each in wanted):
            continue
        for figure, value, unit in measure():
            if not wanted or figure in wanted or name in wanted:
                print(json.dumps({"name": figure, "value": round(value, 3), "unit": unit}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
