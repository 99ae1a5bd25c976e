"""The last two cards are solved as a zero-sum game, and the coach's leads agree with the solution."""

from random import Random

import numpy as np
import pytest

from companion.coach.cribbage.ranks import RANK_PAIRS
from companion.rules import play
from companion.rules.cards import parse_cards
from tests.plugins.arena import two_card_endings
from tests.plugins.arena.two_card_endings import MAX_GAP_POINTS, draw_ending, lead_loss, solve_ending, weigh_pairs


@pytest.fixture(scope="module")
def nets():
    return two_card_endings.compute_nets()


@pytest.mark.parametrize("seed", range(3))
def test_the_points_of_a_line_are_those_of_the_rules(nets, seed):
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


def test_the_solution_gives_no_player_more_than_the_gap(nets):
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


def test_the_lead_of_the_coach_agrees_with_the_solution(nets):
    chance = Random(5)
    losses = []
    for _ in range(4):
        ending = draw_ending(chance)
        solution = solve_ending(weigh_pairs(ending), nets)
        assert solution.gap <= MAX_GAP_POINTS
        losses.append(sum(lead_loss(ending, solution, pair) * share
                          for pair, share in zip(RANK_PAIRS, solution.pair_shares, strict=True) if share))  # fmt: skip
    assert sum(losses) / len(losses) <= 0.02
