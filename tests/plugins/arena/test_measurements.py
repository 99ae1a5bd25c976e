"""Measurements and tables of the coach: right where the answer is known, resumed, and made again by their scripts."""

import ctypes
import json

import numpy as np
import pytest

from companion.coach.cribbage.ranks import HANDS_OF_THREE
from tests.plugins.arena import compiled_expert, end_corrections, endgame_regret, make_tables
from tests.plugins.arena.compiled_expert import TARGET
from tests.plugins.arena.generators import deals, play_graph, play_worths
from tests.plugins.arena.make_pegging import choose_discards
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
        pytest.param(lambda path, number: end_corrections.add_rounds(path, COUNTS, number), marks=needs_compiler),
    ],
)
def test_a_measurement_that_goes_on_is_the_same(measure, tmp_path, monkeypatch):
    monkeypatch.setattr(end_corrections, "DEALS", 20)
    monkeypatch.setattr(end_corrections, "REACH", 3)
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


def test_a_cut_off_line_is_made_again(tmp_path):
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


@needs_compiler
@pytest.mark.parametrize("scores", [(0, 0), (100, 85), (85, 100)])  # where the table's corrections are small
def test_deals_have_the_chances_of_the_table(scores):
    compiled_expert.load_keeps(choose_discards().rows)
    found = compiled_expert.load_tables()
    coach, sums, number = compiled_expert.make_coach(found), (ctypes.c_double * 5)(), 1000
    both = (ctypes.c_int * 2)(*scores)
    compiled_expert.load_library().value_deals(ctypes.addressof(coach), both, number, 118_000_000, sums)
    usual, squares = sums[2] / number, sums[3] / number  # played as at 0-0
    half_width = 1.96 * np.sqrt((squares - usual**2) / number)
    assert usual == pytest.approx(found["wins"]["dealer"][scores[0]][scores[1]], abs=1.5 * half_width + 0.005)


def draw_rounds(number, correction, seed):
    """Return rounds in which the play for the scores adds this to the chance of a deal."""
    chance, rounds = np.random.default_rng(seed), []
    for _ in range(number):
        rows = []
        for scores in end_corrections.list_scores():
            usual = chance.normal(0, 0.4, 20)
            actual = correction(*scores) + 0.7 * usual + chance.normal(0, 0.2, 20)
            rows.append([20, actual.sum(), (actual**2).sum(), usual.sum(), (usual**2).sum(), (actual * usual).sum()])
        rounds.append(rows)
    return rounds


def test_corrections_are_found_beneath_noise(monkeypatch):
    monkeypatch.setattr(end_corrections, "REACH", 12)

    def correct(dealer, pone):
        return 0.05 - 0.004 * (TARGET - dealer) + 0.002 * (TARGET - pone)

    rounds = draw_rounds(10, correct, 119)
    fitted = end_corrections.fit_corrections(rounds)
    errors = [fitted[each] - correct(*each) for each in end_corrections.list_scores()]
    assert np.sqrt(np.mean(np.square(errors))) < 0.01  # a mean of 200 deals alone has an error of 0.014
    error, without = end_corrections.measure_error(rounds)
    assert error < 0.012 < without
    assert without == pytest.approx(
        np.sqrt(np.mean([correct(*each) ** 2 for each in end_corrections.list_scores()])), rel=0.2
    )


def test_a_correction_changes_the_chances_before_it_too():
    corrections = np.zeros((10, 10))
    corrections[8, 7] = 0.1
    plain, corrected = (np.array(deals.compute_win_chances(COUNTS, 10, each)) for each in (None, corrections))
    assert corrected[8, 7] == pytest.approx(plain[8, 7] + 0.1)
    assert corrected[9, 9] == plain[9, 9]
    # The deal of 3 and 2 leads from 4-6 to 7-8, and that of 4 and 5 from 3-3; then pone is the dealer.
    assert corrected[4, 6] == pytest.approx(plain[4, 6] - 0.1 / 3)
    assert corrected[3, 3] == pytest.approx(plain[3, 3] - 0.1 / 3)


def test_chances_are_put_in_order():
    ordered = np.array(deals.order_chances([[0.5, 0.52, 0.1], [0.48, 0.6, 0.3], [0.9, 0.8, 0.7]]))
    assert (np.diff(ordered, axis=0) >= 0).all()
    assert (np.diff(ordered, axis=1) <= 0).all()
    assert ordered == pytest.approx(np.array([[0.5, 0.5, 0.1], [0.54, 0.54, 0.3], [0.9, 0.8, 0.7]]))
    assert deals.order_chances([[0.5, 0.1], [0.9, 0.7]]) == [[0.5, 0.1], [0.9, 0.7]]


def test_the_written_table_has_the_corrections_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(end_corrections, "REACH", 3)
    rounds = draw_rounds(6, lambda dealer, _: 0.05 if dealer == TARGET - 1 else 0.0, 120)
    end_corrections.write_wins(COUNTS, rounds, tmp_path)
    table = json.loads((tmp_path / "six-card-wins.json").read_text("utf-8"))
    wins, plain = np.array(table["dealer"]), np.array(deals.compute_win_chances(COUNTS))
    assert table["deals_played"] == 3
    assert table[end_corrections.CORRECTED] == 6 * 9 * 20
    assert (np.diff(wins, axis=0) >= 0).all()
    assert (np.diff(wins, axis=1) <= 0).all()
    assert abs(wins - plain).max() > 0.03


@pytest.mark.long
def test_the_script_makes_the_five_card_tables(tmp_path):
    make_tables.make_tables("five-card", HANDS_OF_THREE, 500, tmp_path)
    for name in ("cribs", "keeps", "pegging"):
        made, kept = (
            json.loads((folder / f"five-card-{name}.json").read_text("utf-8"))
            for folder in (tmp_path, make_tables.TABLES)
        )
        assert made.keys() == kept.keys()
        for part in made.keys() - {"made", "about"}:
            for ours, theirs in zip(made[part], kept[part], strict=True):
                assert ours == pytest.approx(theirs, abs=0.011)


def test_the_script_makes_the_play_graph():
    graph = play_graph.build_graph()
    assert graph + play_worths.build_worths(graph) == (make_tables.TABLES / "play-states.bin").read_bytes()


def test_who_is_out_first_has_won():
    """Two kinds of deals: the dealer pegs 3 before pone's 2, or pone has 5 before the dealer's 4."""
    wins = deals.compute_win_chances(deals.count_deals([[(0, 3), (1, 2)], [(1, 5), (0, 4)]]), target=10)
    assert wins[7][8] == 0.5  # the first deal wins for the dealer, the second for pone
    assert wins[7][5] == 0.5
    assert wins[6][9] == 0  # the dealer needs 4, and pone is out before, either way
    assert wins[9][9] == 0.5


def test_the_quick_play_ends_with_last_card():
    events = deals.play_hands(((9, 10, 11, 12), (9, 10, 11, 12)))
    assert sum(scored for _, scored in events) >= 3
    assert events[-1][1] >= 1


def test_hands_of_three_play_one_series():
    assert deals.play_hands(((9, 9, 12), (4, 4, 12)))[-1][1] in (1, 2)


def test_a_loser_far_behind_is_skunked():
    """The same two deals: in the first the dealer wins against 0, in the second against 5."""
    skunks = deals.compute_skunk_chances(deals.count_deals([[(0, 3), (1, 2)], [(1, 5), (0, 4)]]), limit=3, target=10)
    assert skunks[7][0] == 0.5
    assert skunks[2][5] == -0.5  # pone wins the second deal against 2; the first leads to scores without skunks
    assert skunks[7][4] == skunks[4][7] == 0
