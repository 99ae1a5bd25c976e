"""Measurements are kept line by line, and one that goes on later is the same as one that was not stopped."""

import json

import pytest

from tests.plugins.arena import (
    compiled_expert,
    discard_gain,
    end_corrections,
    endgame_regret,
    exploitability,
    two_card_endings,
)  # fmt: skip
from tests.plugins.arena.generators import deals
from tests.plugins.arena.result_lines import add_results, read_results
from tests.support.exact_play import ExactPlay
from tests.support.play_positions import draw_position

needs_compiler = pytest.mark.skipif(not compiled_expert.has_compiler(), reason="no C compiler")
COUNTS = deals.count_deals([[(0, 3), (1, 2)], [(1, 5), (0, 4)], [(1, 1), (0, 9), (1, 8)]])


@pytest.mark.parametrize(
    "measure",
    [
        lambda path, number: add_results(path, number, lambda n: [n]),
        lambda path, number: endgame_regret.measure_regrets(path, number + 1),
        two_card_endings.measure_losses,
        pytest.param(lambda path, number: end_corrections.add_rounds(path, COUNTS, number), marks=needs_compiler),
        pytest.param(discard_gain.measure_gain, marks=needs_compiler),
        pytest.param(discard_gain.measure_spread, marks=needs_compiler),
        pytest.param(lambda path, number: exploitability.measure_gains(path, number, 1), marks=needs_compiler),
    ],
)
def test_a_measurement_that_goes_on_is_the_same(measure, tmp_path, monkeypatch):
    for module, name, number in (
        (end_corrections, "DEALS", 20), (end_corrections, "REACH", 3), (discard_gain, "DEALS", 400),
        (discard_gain, "SPREAD_DEALS", 20),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, number)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    found = measure(whole, 3)
    measure(parts, 1)
    assert measure(parts, 3) == found
    assert parts.read_bytes() == whole.read_bytes()


def test_results_that_are_there_are_kept(tmp_path):
    path = tmp_path / "results.jsonl"
    assert read_results(path) == []
    assert add_results(path, 2, lambda n: [n]) == [[0], [1]]
    assert add_results(path, 3, lambda n: [10 + n]) == [[0], [1], [12]]


def test_a_line_that_was_cut_off_is_made_again(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("[0]\n[1, 2", "utf-8")
    assert read_results(path) == [[0]]
    assert add_results(path, 2, lambda n: [n]) == [[0], [1]]
    assert path.read_text("utf-8") == "[0]\n[1]\n"


def test_the_stored_values_of_endings_are_exact(tmp_path, monkeypatch):
    laid = []

    def draw_question(chance, scores):
        while True:
            question, at = draw_position(chance, scores)
            if len(question["hand"]) == 2:
                laid.append(at)
                return question

    monkeypatch.setattr(endgame_regret, "draw_play_question", draw_question)
    turns = list(endgame_regret.draw_questions(3))
    endgame_regret.measure_regrets(tmp_path / "values", 3)
    for turn, at, line in zip(turns, laid, (tmp_path / "values").read_text("utf-8").splitlines(), strict=False):
        exact = ExactPlay(turn, at).evaluate_cards()
        assert json.loads(line) == pytest.approx({str(card): win for card, win in exact.items()})
