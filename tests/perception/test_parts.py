"""Long runs in parts: a part is played once, and the sums are those of all parts."""

import json
import sys
from collections import Counter

import pytest

from tests.perception import parts


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs the program with a file and short parts, and returns its exit code."""
    played = []

    def play(seed, numbers):
        played.append(numbers[0])
        return Counter(scenarios=len(numbers)), [f"--one {numbers[0]}"] if numbers[0] == 20 else []

    def run_parts(*options):
        monkeypatch.setattr(sys, "argv", ["parts", str(tmp_path / "parts.jsonl"), *options])
        return parts.main()

    monkeypatch.setattr(parts, "play_stories", play)
    run_parts.played, run_parts.file = played, tmp_path / "parts.jsonl"
    return run_parts


def test_a_part_that_is_in_the_file_is_not_played_again(run):
    assert run("stories", "--parts", "2") == 0
    assert run("stories", "--parts", "4") == 1
    assert run.played == [0, 10, 20, 30]
    assert run("stories", "--parts", "1", "--seed", "2") == 0
    assert run.played == [0, 10, 20, 30, 0]


def test_the_sums_count_all_parts_and_name_what_failed(run, capsys):
    run("stories", "--parts", "4")
    capsys.readouterr()
    assert run("sum") == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert "'scenarios': 40" in said[0]
    assert "'parts': 4" in said[0]
    assert said[1] == "--one 20"


def test_a_part_of_stories_has_each_family_on_each_board(monkeypatch):
    monkeypatch.setattr(parts, "DEFAULT_FAMILIES", {"quick": None})
    counts, failed = parts.play_stories(1, range(3, 5))
    assert counts["scenarios"] == 2 * len(parts.GROUNDS)
    assert failed == []


def test_a_part_of_evenings_has_each_game_at_each_pace(monkeypatch):
    monkeypatch.setattr(parts, "GAMES", (("pegs-only", False),))
    counts, failed = parts.play_evenings(1, range(1))
    assert counts["evenings"] == len(parts.PACES)
    assert json.loads(json.dumps(counts))["acts"] > 0
    assert failed == []
