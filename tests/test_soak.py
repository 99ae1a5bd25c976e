"""The soak finds growth and stalls, and a minute of it ends without a fault."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.rules import GAMES

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
