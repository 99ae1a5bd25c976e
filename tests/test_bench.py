"""`make bench` and `make soak`: their figures and the checks of long runs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.rules import GAMES
from tests.bench.small_machine import ControlGroup
from tests.support.chromium import find_chromium

ROOT = Path(__file__).parents[1]
FIGURES = {
    "score_call_ns": "ns", "census_s": "s", "discard_analysis_us": "us", "submit_to_sse_ms_p99": "ms",
    "scan_to_sse_ms_p99": "ms", "peg_to_light_ms_p99": "ms", "start_to_page_ms": "ms", "pss_mib": "MiB",
    "idle_cpu_pct": "%", "referee_moves_per_s": "/s", "import_ms": "ms", "shuffle_optimum_pct_50ms": "%",
    "read_report_us": "us", "start_600k_s": "s", "start_600k_mib": "MiB", "due_to_light_ms_p50": "ms",
    "page_ms_flooded": "ms", "fifty_phones_ms_p99": "ms", "fifty_phones_mib": "MiB",
    "discard_win_us": "us", "play_decision_ms_p99": "ms", "arena_games_per_s": "/s",
    "discard_decision_ms_p99": "ms", "first_answer_ms": "ms",
    "review_game_ms": "ms", **({"draw_ms_throttled": "ms"} if find_chromium() else {}),
}  # fmt: skip
"""The figures of the fixed interfaces; beside them each game has `games_per_s_` and its key."""


def bench(*names):
    command = [sys.executable, ROOT / "tests/bench/run.py", *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_each_figure_is_json_with_its_unit():
    code, lines, _ = bench("score_call_ns", "games_per_s_six-card", "pss_mib")
    assert code == 0
    shape = ["name", "value", "unit"]
    assert [(list(line), line["name"], line["unit"]) for line in lines] == [
        (shape, "score_call_ns", "ns"), (shape, "games_per_s_six-card", "/s"), (shape, "pss_mib", "MiB"),
    ]  # fmt: skip
    assert all(line["value"] > 0 for line in lines)


def test_an_unknown_figure_is_refused_with_the_names():
    code, lines, said = bench("score_ns")
    assert (code, lines) == (2, [])
    # these come with another, or by a common name
    beside = {"start_600k_mib", "discard_decision_ms_p99", "fifty_phones_ms_p99", "fifty_phones_mib"}
    assert {*FIGURES, "draw_ms_throttled"} - beside <= set(re.findall(r"\w+", said))


def test_a_small_machine_limits_only_the_program(tmp_path):
    for name in ("cpu", "memory"):
        (tmp_path / name).mkdir()
    group = ControlGroup(tmp_path, "bench")
    group.limit(15, 256)
    found = {path.name: path.read_text() for path in tmp_path.glob("*/bench/*")}
    assert found == {
        "cpu.shares": "262144", "cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "15000",
        "memory.limit_in_bytes": "268435456",
    }  # fmt: skip
    done = subprocess.run([*group.join_command(), "sh", "-c", "echo $$"], capture_output=True, text=True, check=True)
    assert {path.read_text() for path in tmp_path.glob("*/bench/cgroup.procs")} == {done.stdout}
    group.limit(0, 0)
    quotas = ("cpu/bench/cpu.cfs_quota_us", "memory/bench/memory.limit_in_bytes")
    assert [(tmp_path / name).read_text() for name in quotas] == ["-1", "-1"]


def test_a_small_machine_says_what_it_lacks(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such control group"):
        ControlGroup(tmp_path, "bench")


@pytest.mark.long
def test_every_figure_there_is_comes_once():
    code, lines, said = bench()
    assert code == 0, said
    told = {line["name"]: line["unit"] for line in lines}
    assert len(told) == len(lines)
    played = told.keys() - FIGURES.keys()
    assert {f"games_per_s_{key}" for key in ("six-card", "pursuit", "bases", "swap")} <= played
    assert played <= {f"games_per_s_{game.key}" for game in GAMES}
    assert told == FIGURES | dict.fromkeys(played, "/s")
    assert all(line["value"] > 0 for line in lines)


FOLDER = Path(__file__).parent / "bench"


@pytest.fixture
def soak(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import soak  # noqa: PLC0415 - beside the benchmark, whose modules find each other there

    return soak


def create_samples(soak, *, leak=0.0, fds=0, threads=0, still=0.1, took=2.0, seconds=700):
    """Samples of a game over this time, with this growth per hour or at the end."""
    samples = [(at, 40 + leak * at / 3600, 30 + fds * at // seconds, 50 + threads * at // seconds)
               for at in range(seconds)]  # fmt: skip
    samples = [(at, mib, int(fd), int(thread)) for at, mib, fd, thread in samples]
    return soak.GameSamples("six-card", samples, [took] * 100, moves=1000, longest_still_s=still)


@pytest.mark.parametrize(("growth", "wrong"), [
    ({}, set()), ({"leak": 0.9}, set()), ({"leak": 1.5}, {"memory_slope_six-card"}),
    ({"leak": 90.0, "seconds": 60}, set()), ({"fds": 4}, {"descriptors_grown"}), ({"threads": 4}, {"threads_grown"}),
    ({"still": 31.0}, {"stalled"}), ({"took": 51.0}, {"state_ms_p99"}),
])  # fmt: skip
def test_growth_and_stalls_are_reported(soak, growth, wrong):
    figures = soak.list_figures([create_samples(soak, **growth)])
    assert {name for name, _, _, is_ok in figures if not is_ok} == wrong


@pytest.mark.long
def test_a_minute_of_every_game_has_no_fault():
    command = [sys.executable, FOLDER / "soak.py", "--minutes", "1.4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    figures = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert {f"moves_{game.key}" for game in GAMES} <= set(figures)
    assert all(figures[f"moves_{game.key}"]["value"] > 5 for game in GAMES)
    for name in ("descriptors_grown", "threads_grown", "stalled"):
        assert figures[name]["value"] == 0
    assert done.returncode == (0 if figures["state_ms_p99"]["ok"] else 1)
