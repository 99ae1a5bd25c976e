"""Measurements of the coach: each is right where the answer is known, and goes on as if it had not been stopped."""

import ctypes
import json
from random import Random

import numpy as np
import pytest

from companion.coach.cribbage import tables
from companion.coach.cribbage.ranks import HANDS_OF_FOUR, RANK_PAIRS
from companion.rules import play
from companion.rules.cards import parse_cards
from tests.plugins.arena import (
    compiled_expert,
    discard_gain,
    end_corrections,
    endgame_regret,
    exploitability,
    two_card_endings,
)  # fmt: skip
from tests.plugins.arena.compiled_expert import TARGET
from tests.plugins.arena.exploitability import CoachHand, PlayedDeal
from tests.plugins.arena.generators import cribs, deals
from tests.plugins.arena.make_pegging import choose_discards
from tests.plugins.arena.result_lines import add_results, read_results
from tests.plugins.arena.two_card_endings import MAX_GAP_POINTS, draw_ending, lead_loss, solve_ending, weigh_pairs
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


@pytest.fixture
def few_deals(monkeypatch):
    monkeypatch.setattr(discard_gain, "DEALS", 400)
    monkeypatch.setattr(discard_gain, "SPREAD_DEALS", 20)


@pytest.mark.parametrize("role", [tables.DEALER, tables.PONE])
def test_the_ceiling_is_that_of_the_discards(role):
    known, hands = tables.load_tables("six-card"), cribs.list_hands(HANDS_OF_FOUR)
    worth, pegging, sign = known.mean_cribs[role], known.net_pegging[role], 1 if role == tables.DEALER else -1
    total = 0.0
    nothing = [0.0] * len(pegging)
    chosen = [cribs.choose_discards(hands, worth, each, dealer=role == tables.DEALER) for each in (pegging, nothing)]
    for hand, best, plain in zip(hands, *chosen, strict=True):
        points = {(pair, kept): mean + sign * worth[pair] + pegging[kept] for pair, kept, mean in hand.choices}
        total += hand.likely * (points[best] - points[plain])
    assert discard_gain.compute_ceiling(discard_gain.list_values(role)).points == pytest.approx(total)


def test_more_knowledge_has_a_higher_ceiling():
    values = discard_gain.list_values(tables.PONE)
    ceilings = [discard_gain.compute_ceiling(values, spread).points for spread in (0, 0.1, 0.3)]
    assert ceilings == sorted(ceilings)
    assert ceilings[2] > ceilings[0] + 0.01


def test_a_spread_is_found_beneath_errors():
    """True differences of two discards with a spread of 0.2 each, measured twice with an error of 0.5."""
    chance = Random(27)
    true = [chance.gauss(0, 0.2 * 2**0.5) for _ in range(20_000)]
    variance, error = discard_gain.estimate_spread([[each + chance.gauss(0, 0.5) for _ in range(2)] for each in true])
    assert variance == pytest.approx(0.04, abs=3 * error)
    assert error < 0.003


@needs_compiler
def test_a_player_gains_nothing_over_itself(few_deals):
    coach = compiled_expert.make_coach(compiled_expert.load_tables())
    dealer, pone, both = discard_gain.play_part(coach, coach, 0)
    assert not any(dealer + pone + both)


@needs_compiler
def test_the_gain_is_the_mean_of_roles(tmp_path, few_deals):
    for fixed_cribs in (False, True):
        for dealer, pone, both in discard_gain.measure_gain(tmp_path / f"{fixed_cribs}", 2, fixed_cribs=fixed_cribs):
            assert both[0] == pytest.approx((dealer[1] + pone[1]) / 2)
            assert min(dealer[0], pone[0]) > 0
            assert min(dealer[4], pone[4]) > 0  # no other discard has more points for the first player


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


STARTER = parse_cards("9H")[0]
KEPT = parse_cards("3C 4D 5S JH")
OWN = CoachHand(KEPT, parse_cards("8H QD"))
HANDS = [
    CoachHand(parse_cards("5C 5D TC QS"), parse_cards("AS 7D")),
    CoachHand(parse_cards("2C 3D 6S 6H"), parse_cards("KS TD")),
]


def play_at_random(deal, hand, role, chance):
    """Return the opponent's net points if it plays at random."""
    laid, net = play.begin_play(2, 1), 0
    while laid.turn is not None:
        if laid.turn == role:
            left = [card for card in KEPT if card not in laid.played[role] and card.value + laid.count <= 31]
            card = chance.choice(left) if left else None
        else:
            card = deal._choose(laid, hand)
        seat = laid.turn
        laid, *awards = play.say_go(laid, seat) if card is None else play.play_card(laid, seat, card)
        net += sum(a.points if a.seat == role else -a.points for each in awards for a in each)
    return net


@needs_compiler
def test_no_other_line_of_play_gains_more():
    for role in (0, 1):
        deal, chance = PlayedDeal(OWN, STARTER, role), Random(role)
        best, _ = deal.find_best_net(HANDS[:1])
        lines = [play_at_random(deal, HANDS[0], role, chance) for _ in range(60)]
        assert max(lines) <= best
        assert best in lines  # 24 orders of four cards


@needs_compiler
def test_who_sees_the_hand_gains_no_less():
    for role in (0, 1):
        deal = PlayedDeal(OWN, STARTER, role)
        assert deal.find_best_net(HANDS)[0] <= sum(deal.find_best_net([hand])[0] for hand in HANDS) / 2


@needs_compiler
def test_a_known_hand_counts_as_an_unknown():
    for role in (0, 1):
        known, unknown = PlayedDeal(OWN, STARTER, role).find_best_net(HANDS[:1], HANDS[:1])
        assert known == unknown


@needs_compiler
def test_against_other_hands_it_plays_as_the_coach():
    for role in (0, 1):
        deal = PlayedDeal(OWN, STARTER, role)
        known, unknown = deal.find_best_net(HANDS[:1], HANDS[1:])
        assert unknown <= deal.find_best_net(HANDS[1:])[0]
        assert known == deal.find_best_net(HANDS[:1])[0]


@pytest.fixture(scope="module")
def nets():
    return two_card_endings.compute_nets()


@pytest.mark.parametrize("seed", range(3))
def test_a_line_scores_as_the_rules_say(nets, seed):
    chance = Random(seed)
    before = (parse_cards("KC KD"), parse_cards("QC QD"))
    for _ in range(100):
        pairs = [sorted(chance.sample(range(11), 2)) for _ in range(2)]
        lead, answer = chance.randrange(2), chance.randrange(2)
        cards = [[parse_cards("A23456789TJ"[rank] + suit)[0] for rank in pair]
                 for pair, suit in zip(pairs, "HS", strict=True)]  # fmt: skip
        orders = [[cards[0][lead], cards[0][1 - lead]], [cards[1][answer], cards[1][1 - answer]]]
        laid, net = play.PlayProgress(0, before), 0
        while laid.turn is not None:
            seat = laid.turn
            left = [card for card in orders[seat] if card not in laid.played[seat]]
            fits = left and left[0].value + laid.count <= 31
            laid, *awards = play.play_card(laid, seat, left[0]) if fits else play.say_go(laid, seat)
            net += sum(a.points if a.seat == 0 else -a.points for each in awards for a in each)
        places = [RANK_PAIRS.index(tuple(pair)) for pair in pairs]
        assert nets[places[0], lead, places[1], answer] == net


def test_no_player_gains_more_than_the_gap(nets):
    """With only two pairs on each side, all plans of both players can be listed."""
    weights = np.zeros((91, 91))
    mine, theirs = (
        [RANK_PAIRS.index(pair) for pair in ((4, 9), (4, 6))],
        [RANK_PAIRS.index(pair) for pair in ((9, 10), (4, 7))],
    )
    for n in mine:
        weights[n, theirs] = 0.25
    solution = solve_ending(weights, nets)
    value = sum(solution.lead_values[n].max() * solution.pair_shares[n] for n in mine)

    def worth_of_plan(leads):
        """Return the leader's points if the other player answers this plan as well as possible."""
        total = 0.0
        for rank in {RANK_PAIRS[n][lead] for n, lead in zip(mine, leads, strict=True)}:
            played = [(n, lead) for n, lead in zip(mine, leads, strict=True) if RANK_PAIRS[n][lead] == rank]
            for m in theirs:
                total += min(sum(0.25 * nets[n, lead, m, answer] for n, lead in played) for answer in (0, 1))
        return total

    best_plan = max(map(worth_of_plan, ((0, 0), (0, 1), (1, 0), (1, 1))))
    assert solution.gap <= MAX_GAP_POINTS
    assert value >= best_plan - 1e-9  # a mixed plan is worth at least as much as any plain one


def test_the_coachs_lead_agrees_with_the_solution(nets):
    chance = Random(5)
    losses = []
    for _ in range(4):
        ending = draw_ending(chance)
        solution = solve_ending(weigh_pairs(ending), nets)
        assert solution.gap <= MAX_GAP_POINTS
        losses.append(sum(lead_loss(ending, solution, pair) * share
                          for pair, share in zip(RANK_PAIRS, solution.pair_shares, strict=True) if share))  # fmt: skip
    assert sum(losses) / len(losses) <= 0.02
