"""Heuristics: keep good hands, take points in the play, leave no easy fifteen."""

from companion.coach.heuristics import choose_card, choose_hand
from companion.rules.cards import parse_card, parse_cards


def test_the_dealer_keeps_the_fives():
    kept = choose_hand(parse_cards("5S 5D JD 5H 2C 9H"), own_crib=True)
    assert set(parse_cards("5S 5D 5H JD")) == set(kept)


def test_of_five_cards_one_is_laid_away():
    assert set(choose_hand(parse_cards("4S 5D 6D 6H KC"), own_crib=False)) == set(parse_cards("4S 5D 6D 6H"))


def test_points_are_taken():
    assert choose_card(parse_cards("KH 5C 2D"), parse_cards("TH"), 10) == parse_card("5C")


def test_a_series_is_not_led_with_a_five_nor_brought_to_twenty_one():
    assert choose_card(parse_cards("5C 4D"), (), 0) == parse_card("4D")
    assert choose_card(parse_cards("AC 3D"), parse_cards("TH QH"), 20) == parse_card("3D")
