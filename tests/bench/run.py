"""`make bench`: measure this machine, one JSON line per figure. `make bench ARGS="census_s import_ms"` selects figures.

docs/reference/bench.md describes each figure and its goal.
"""

import json
import sys
from collections.abc import Callable, Iterator

from tests.bench import coach, live, long, page, pure, reading, tournament

MEASURES: tuple[tuple[str, Callable[[], Iterator[tuple[str, float, str]]]], ...] = (
    ("score_call_ns", pure.measure_score_call),
    ("census_s", pure.measure_census),
    ("discard_analysis_us", pure.measure_discard_analysis),
    ("discard_win_us", coach.measure_discard_win),
    ("play_decision_ms_p99", coach.measure_decisions),
    ("first_answer_ms", coach.measure_first_answer),
    ("arena_games_per_s", coach.measure_arena_games),
    ("review_game_ms", coach.measure_game_review),
    ("shuffle_optimum_pct_50ms", pure.measure_shuffle_optimum),
    ("referee_moves_per_s", pure.measure_referee_moves),
    ("games_per_s_", pure.measure_games),
    ("import_ms", pure.measure_import),
    ("read_report_us", reading.measure_report_reading),
    ("start_to_page_ms", live.measure_start_to_page),
    ("start_600k_s", long.measure_long_start),
    ("page_ms_flooded", live.measure_page_flooded),
    ("slow_readers_", live.measure_slow_readers),
    ("pss_mib", live.measure_pss),
    ("demo_pss_mib", live.measure_demo_pss),
    ("stop_", live.measure_stops),
    ("idle_cpu_pct", live.measure_idle_cpu),
    ("submit_to_sse_ms_p99", live.measure_submit_to_sse),
    ("fifty_phones_", live.measure_fifty_phones),
    ("scan_to_sse_ms_p99", live.measure_scan_to_sse),
    ("peg_to_light_ms_p99", live.measure_peg_to_light),
    ("due_to_light_ms_p50", live.measure_due_to_light),
    ("draw_ms_throttled", page.measure_draw),
    ("tournament_table_ms", tournament.measure_last_card),
)
"""All measurements in their order. A name that ends in _ is the prefix of several figures."""


ONLY_BY_NAME = ("slow_readers_", "demo_pss_mib", "stop_", "tournament_table_ms")
"""Figures that a complete run leaves out, because they take too long or are of another program."""


def main(wanted: list[str]) -> int:
    """Measure the named figures, or all. Return the exit code: 2 for an unknown figure."""
    known = [name for name, _ in MEASURES]
    unknown = [name for name in wanted if not any(name.startswith(each) for each in known)]
    if unknown:
        print(f"There is no figure {unknown[0]}; there are {', '.join(known)}.", file=sys.stderr)
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
