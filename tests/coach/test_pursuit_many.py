"""Pursuit with three or more players: who is caught first, cards that catch, one coached seat in the arena."""

import pytest

from companion.coach import pursuit_many
from companion.coach.pursuit_many import PursuitLoop, PursuitTurn
from companion.rules.cards import parse_card, parse_cards
from tests.arena import races


def turn(held, series="", played=("", "", ""), gone=(False, False, False)):
    rows = tuple(parse_cards(row) for row in played)
    return PursuitTurn(parse_cards(held), (), parse_card("9D"), parse_cards(series), rows, gone)


def chance(loop, dealer=1):
    return pursuit_many.match_win_chance(*loop, dealer, by_front=False)


def test_where_all_stand_alike_each_is_as_likely_to_win():
    chances = [pursuit_many.match_win_chance((8, 8, 8, 8), (3, 3, 3, 3), dealer, by_front=False) for dealer in range(4)]
    assert sum(chances) == pytest.approx(1)
    assert all(0.2 < each < 0.3 for each in chances)


def test_to_be_far_ahead_of_who_chases_is_worth_more():
    even = chance(((20, 20, 20), (15, 15, 15)))
    assert chance(((28, 20, 20), (22, 15, 15))) > even
    assert chance(((20, 20, 28), (15, 15, 22))) < even, "the one behind has come near"
    assert chance(((20, 28, 20), (15, 22, 15))) > even, "the one ahead is nearer to catching another"


def test_points_that_catch_are_played():
    """Fifteen for two lands on the back peg of the next: then two are left."""
    found = pursuit_many.rank_plays(turn("5H 2C KD", "TS", ("9H", "", "TS")), PursuitLoop((29, 3, 9), (27, 1, 4), 2))
    assert found[0].card == parse_card("5H")
    assert found[0].win > 0.44
    assert len(found) == 3


def test_who_has_said_go_holds_nothing_that_fits():
    asked = turn("AH 2C", "TS 9H 8D", ("9H 3C", "TS 4D", "8D 6C"), (False, True, False))
    for seed in range(20):
        first, second = pursuit_many._draw_hands(asked, str(seed))
        assert len(first) == len(second) == 2
        assert min(first) >= 4, "27 is the count: a four would fit"


def test_the_seed_of_a_question_is_as_it_always_was():
    """Renaming a class or a field would change a representation, and so the coach's decisions."""
    asked = turn("5H 2C", "TS", ("9H", "", "TS"), (False, True, False))
    assert pursuit_many._seed_text(asked, PursuitLoop((29, 3, 9), (27, 1, 4), 2)) == (
        'Turn(held=(card("5H"), card("2C")), thrown=(), starter=card("9D"), series=(card("TS"),), '
        'played=((card("9H"),), (), (card("TS"),)), gone=(False, True, False)) '
        "Loop(fronts=(29, 3, 9), backs=(27, 1, 4), dealer=2, by_front=False)"
    )


def test_the_same_question_has_the_same_answer():
    asked, loop = turn("5H 2C KD 7S"), PursuitLoop((9, 3, 9), (7, 1, 4), 2)
    assert pursuit_many.rank_plays(asked, loop) == pursuit_many.rank_plays(asked, loop)


def test_all_of_five_cards_are_weighed_and_the_fives_are_kept():
    found = pursuit_many.rank_discards(parse_cards("5S 5D 5H JC 8D"), PursuitLoop((9, 3, 9), (7, 1, 4), 2))
    assert found[0].card == parse_card("8D")
    assert len(found) == 5


@pytest.mark.parametrize("seats", [3, 5])
def test_among_equals_each_seat_is_as_good_over_the_same_deals(seats):
    (share,) = races.play_shares("former", "former", seats, [7], {})
    assert share == 1 / seats


@pytest.mark.long
def test_one_who_is_coached_wins_more_than_a_fair_share():
    assert sum(races.play_shares("coached", "former", 3, range(704, 708), {})) > 1.4 * 4 / 3


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_one_who_is_coached_wins_most_over_many_deals(seats):
    won = list(races.play_shares("coached", "former", seats, range(200), {}))
    assert sum(won) / len(won) > 1.05 / seats
