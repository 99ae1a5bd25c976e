"""The measurement of regrets can be continued, and its exact values are those of the rules."""

import json

import pytest

from tests.plugins.arena import endgame_regret
from tests.support.exact_play import ExactPlay
from tests.support.play_positions import draw_position


def test_a_measurement_that_goes_on_later_is_the_same(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    regrets = endgame_regret.measure_regrets(whole, 4)
    endgame_regret.measure_regrets(parts, 2)
    assert endgame_regret.measure_regrets(parts, 4) == regrets
    assert parts.read_bytes() == whole.read_bytes()


def test_the_stored_values_are_exact(tmp_path, monkeypatch):
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
