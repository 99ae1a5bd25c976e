"""A sensible player: keeps what counts, takes points in the play, and leaves no easy fifteen."""

from companion.coach.heuristics import choose, keep
from companion.rules.cards import card, cards


def test_the_dealer_keeps_the_fives():
    kept = keep(cards("5S 5D JD 5H 2C 9H"), own_crib=True)
    assert set(cards("5S 5D 5H JD")) == set(kept)


def test_of_five_cards_one_is_laid_away():
    assert set(keep(cards("4S 5D 6D 6H KC"), own_crib=False)) == set(cards("4S 5D 6D 6H"))


def test_points_are_taken():
    assert choose(cards("KH 5C 2D"), cards("TH"), 10) == card("5C")


def test_a_series_is_not_led_with_a_five_nor_brought_to_twenty_one():
    assert choose(cards("5C 4D"), (), 0) == card("4D")
    assert choose(cards("AC 3D"), cards("TH QH"), 20) == card("3D")
