"""'Round the Bases: run expectancy by exact dice, steals, and discards by their effect on the runners."""

import json
from random import Random

import pytest

from companion.coach import baseball
from companion.coach.baseball import InningState
from companion.common.paths import resource_folder
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import Diamond
from companion.rules.baseball.spaces import load_preset
from companion.rules.cards import parse_cards
from tests.arena import races

STANDARD, HARSH = load_preset("standard"), load_preset("harsh")


def simulate_half_inning(spaces, outs, on, chance):
    """Return the runs of a half-inning with random hands and dice."""
    field, runs = Diamond(on, outs), 0
    while field.outs < 3:
        if chance.random() < baseball.HOME_RUN_CHANCE:
            field = diamond.score_home_run(field)
        else:
            field = diamond.advance_runners(field, spaces, chance.choices(range(25), baseball.load_net_shares())[0])
        runs += field.runs
        while field.due_runner:
            number = field.due_runner.space.number
            if field.due_runner.space.kind == "pickle":
                safe = chance.random() < 0.5
            else:
                safe = number in (chance.randint(1, 6), chance.randint(1, 6))
            field = diamond.resolve_due_runner(field, safe=safe)
            runs += field.runs
    return runs


@pytest.mark.parametrize(("spaces", "outs", "on"), [
    (STANDARD, 0, (False, False, False)), (STANDARD, 1, (True, False, True)), (HARSH, 0, (True, True, False)),
])  # fmt: skip
def test_run_expectancy_is_the_mean_of_half_innings_that_are_rolled_out(spaces, outs, on):
    chance = Random(7)
    told = baseball.compute_run_expectancy(spaces)[outs, on]
    runs = [simulate_half_inning(spaces, outs, on, chance) for _ in range(1500)]
    assert told == pytest.approx(sum(runs) / len(runs), abs=0.25)


@pytest.mark.parametrize("name", ["standard", "harsh"])
def test_the_kept_table_is_what_the_chain_gives(name):
    table = json.loads((resource_folder("companion/coach") / "tables/bases-runs.json").read_text("utf-8"))[name]
    told = baseball.compute_run_expectancy(load_preset(name))
    for outs, row in enumerate(table):
        assert row == pytest.approx([told[outs, baseball.runners_from_bits(n)] for n in range(8)], abs=0.001)


def test_all_that_may_come_of_a_hand_adds_up():
    for net, some in enumerate(baseball.chances_for(HARSH).outcomes_by_net(1, (True, True, True))):
        assert sum(p for p, *_ in some) == pytest.approx(1), net


def test_no_runner_steals_while_a_hand_is_worth_more_than_the_dice():
    assert baseball.choose_steal(InningState(STANDARD, 0, (True, False, False)), [1]) is None
    assert baseball.choose_steal(InningState(STANDARD, 1, (False, False, True)), [3]) is None


def test_a_lead_in_the_last_half_inning_has_won():
    assert baseball.chances_for(STANDARD).chance_between_hands(0, 1, diamond.EMPTY_BASES, 1) == 1
    assert baseball.chances_for(STANDARD).chance_between_hands(0, 3, diamond.EMPTY_BASES, -1) == 0


def test_both_sides_of_a_half_inning_see_the_same_chance():
    """What the batter's discards and the fielder's are worth adds up to about one where both are usual."""
    at = InningState(STANDARD, 1, (True, False, False), 0, 2)
    held = parse_cards("2C 4D 7H 9S TC KD")
    batter, fielder = (baseball.rank_discards(held, at, batting=each)[0].win for each in (True, False))
    assert 0.85 < batter + fielder < 1.15


def test_a_discard_of_a_batter_is_by_runs_and_of_a_fielder_against_them():
    at = InningState(STANDARD, 0, diamond.EMPTY_BASES, 0, 1)
    held = parse_cards("5S 5D 5H JC QD KS")
    for is_batting in (True, False):
        found = baseball.rank_discards(held, at, batting=is_batting)
        assert len(found) == 15
        assert set(parse_cards("5S 5D 5H")) <= set(found[0].kept)
        wins = [each.win for each in found]
        assert wins == sorted(wins, reverse=True)
        assert all(0 <= each.win <= 1 and each.runs >= 0 for each in found)


@pytest.mark.long
def test_who_is_coached_wins_more_than_the_player_of_before():
    won = list(races.play_pairs("bases", "coached", "former", range(500, 504), {}))
    assert sum(won) >= 4


@pytest.mark.long
def test_who_is_coached_wins_most_games():
    won = list(races.play_pairs("bases", "coached", "former", range(150), {}))
    assert sum(won) / 300 > 0.54
