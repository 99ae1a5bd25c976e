"""'Round the Bases: run expectancy from exact dice, steals by it, and discards by what a hand does to the runners."""

import json
from random import Random

import pytest
from arena import races

from companion.coach import baseball
from companion.coach.baseball import Field
from companion.common.paths import folder
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import Diamond
from companion.rules.baseball.spaces import preset
from companion.rules.cards import cards

STANDARD, HARSH = preset("standard"), preset("harsh")


def simulated(spaces, outs, on, chance):
    """The runs of a half-inning, by hands drawn from the table and dice that are rolled."""
    field, runs = Diamond(on, outs), 0
    while field.outs < 3:
        if chance.random() < baseball.JACK:
            field = diamond.homer(field)
        else:
            field = diamond.hit(field, spaces, chance.choices(range(25), baseball.nets())[0])
        runs += field.runs
        while field.due:
            number = field.due.says.number
            if field.due.says.kind == "pickle":
                safe = chance.random() < 0.5
            else:
                safe = number in (chance.randint(1, 6), chance.randint(1, 6))
            field = diamond.judged(field, safe=safe)
            runs += field.runs
    return runs


@pytest.mark.parametrize(("spaces", "outs", "on"), [
    (STANDARD, 0, (False, False, False)), (STANDARD, 1, (True, False, True)), (HARSH, 0, (True, True, False)),
])  # fmt: skip
def test_run_expectancy_is_the_mean_of_half_innings_that_are_rolled_out(spaces, outs, on):
    chance = Random(7)
    told = baseball.expected(spaces)[outs, on]
    runs = [simulated(spaces, outs, on, chance) for _ in range(1500)]
    assert told == pytest.approx(sum(runs) / len(runs), abs=0.25)


@pytest.mark.parametrize("name", ["standard", "harsh"])
def test_the_kept_table_is_what_the_chain_gives(name):
    table = json.loads((folder("companion/coach") / "tables/bases-runs.json").read_text("utf-8"))[name]
    told = baseball.expected(preset(name))
    for outs, row in enumerate(table):
        assert row == pytest.approx([told[outs, baseball.runners(n)] for n in range(8)], abs=0.001)


def test_all_that_may_come_of_a_hand_adds_up():
    for net, some in enumerate(baseball.of(HARSH).outcomes(1, (True, True, True))):
        assert sum(p for p, *_ in some) == pytest.approx(1), net


def test_nobody_steals_while_a_hand_is_worth_more_than_the_dice():
    assert baseball.steal(Field(STANDARD, 0, (True, False, False)), [1]) is None
    assert baseball.steal(Field(STANDARD, 1, (False, False, True)), [3]) is None


def test_a_lead_in_the_last_half_inning_has_won():
    assert baseball.of(STANDARD).between(0, 1, diamond.EMPTY, 1) == 1
    assert baseball.of(STANDARD).between(0, 3, diamond.EMPTY, -1) == 0


def test_both_sides_of_a_half_inning_see_the_same_chance():
    """What the batter's discards and the fielder's are worth adds up to about one where both are usual."""
    at = Field(STANDARD, 1, (True, False, False), 0, 2)
    held = cards("2C 4D 7H 9S TC KD")
    batter, fielder = (baseball.discards(held, at, batting=each)[0].win for each in (True, False))
    assert 0.85 < batter + fielder < 1.15


def test_a_discard_of_a_batter_is_by_runs_and_of_a_fielder_against_them():
    at = Field(STANDARD, 0, diamond.EMPTY, 0, 1)
    held = cards("5S 5D 5H JC QD KS")
    for is_batting in (True, False):
        found = baseball.discards(held, at, batting=is_batting)
        assert len(found) == 15
        assert set(cards("5S 5D 5H")) <= set(found[0].kept)
        wins = [each.win for each in found]
        assert wins == sorted(wins, reverse=True)
        assert all(0 <= each.win <= 1 and each.runs >= 0 for each in found)


def test_who_is_coached_wins_more_than_the_player_of_before():
    won = list(races.pairs("bases", "coached", "former", range(500, 504), {}))
    assert sum(won) >= 4


@pytest.mark.long
def test_who_is_coached_wins_most_games():
    won = list(races.pairs("bases", "coached", "former", range(150), {}))
    assert sum(won) / 300 > 0.54
