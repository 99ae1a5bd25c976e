"""The list of games, their options and setups, and adjustments, which every game has."""

from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

from companion import rules
from companion.common.errors import BadCard, SettingsError
from companion.rules import Setup, cards, seat_names
from companion.rules.moves import Adjust, AdjustmentPart, TakeBoard, Undo
from tests.support.stories import Story

KEY = attrgetter("key")
PAGES = Path(__file__).parents[2] / "docs" / "reference" / "games"


@pytest.mark.parametrize("game", rules.GAMES, ids=lambda game: game.key)
def test_every_game_has_a_page_of_its_options(game: rules.Game):
    assert rules.find_game(game.key) is game
    page = (PAGES / f"{game.key}.md").read_text()
    for key, values in game.options.items():
        assert f"`{key}`" in page
        assert all(f"`{value}`" in page for value in values)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("sixcard", "the nearest is six-card"),
        ("euchre", f"Unknown game: there are {', '.join(map(KEY, rules.GAMES))}."),
    ],
)
def test_an_unknown_game_names_the_nearest_or_all(key, says):
    with pytest.raises(SettingsError, match=says):
        rules.find_game(key)


def test_options_not_given_have_the_first_value():
    assert rules.complete_options(rules.find_game("six-card"), {"target": "61"}) == {
        "target": "61", "counting": "auto", "muggins": "off", "overclaim": "correct", "policy": "friendly",
        "first_deal": "loser", "game_points": "1,2,4", "hints": "off",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "given", "says"),
    [
        ("six-card", {"taget": "61"}, "has no option taget: the nearest is target"),
        ("six-card", {"first-deal": "loser"}, "the nearest is first_deal"),
        ("six-card", {"target": "120"}, "target cannot be 120: the nearest is 121"),
        ("six-card", {"target": "60"}, "the nearest is 61"),
        ("six-card", {"target": "999"}, "target cannot be 999: there are 121, 61"),
        ("six-card", {"target": "9" * 5000}, "target cannot be 9{40}: there are 121, 61"),
        ("six-card", {"9" * 5000: "61"}, "has no option 9{40}: there are target, counting, muggins"),
        ("six-card", {"innings": "3"}, "has no option innings: there are target, counting, muggins"),
        ("six-card", {"policy": "turnament"}, "the nearest is tournament"),
        ("six-card", {"game_points": "2,3,4"}, "the nearest is 2,3,3"),
        ("pegs-only", {"counting": "auto"}, "has no option counting: there is target"),
    ],
)
def test_an_unknown_option_or_value_names_the_nearest(key: str, given: dict[str, str], says: str):
    with pytest.raises(SettingsError, match=says):
        rules.complete_options(rules.find_game(key), given)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup(seats=5), "Seats for Six-card cribbage: 2, 3, 4, not 5."),
        (Setup(seats=1), "Six-card cribbage: 2, 3, 4"),
        (Setup(dealer=2), "Seat 2 cannot deal: the seats are 0 to 1."),
        (Setup(options={"target": "62"}), "the nearest is 61"),
    ],
)
def test_a_setup_unknown_to_the_game_is_refused(setup: Setup, says: str):
    with pytest.raises(SettingsError) as refusal:
        rules.begin_game(rules.find_game("six-card"), setup)
    assert says in str(refusal.value)


def test_seats_have_names_and_partners_their_sides():
    assert seat_names(3, 3) == ("Red", "Blue", "Green")
    assert seat_names(4, 2) == ("Red", "Blue", "Red's partner", "Blue's partner")
    assert seat_names(5, 5) == ("Red", "Blue", "Green", "Yellow", "White")


def test_every_card_is_written_as_it_is_read():
    assert [cards.parse_card(str(c)) for c in cards.PACK] == list(cards.PACK)
    assert [str(c) for c in cards.parse_cards("5H, 10D TD\tJSAC")] == ["5H", "TD", "TD", "JS", "AC"]
    assert cards.parse_card("QH").name == "queen of hearts"
    assert [card.value for card in cards.parse_cards("TDAS")] == [10, 1]


@pytest.mark.parametrize("text", ["5h5s5cjd", "5♥5♠5♣J♦", "5♡ 5♤,5♧ j♢", "5♥️5♠️5♣️J♦️"])
def test_a_person_may_type_small_letters_and_signs(text: str):
    assert cards.parse_typed_cards(text) == cards.parse_cards("5H5S5CJD")
    assert cards.parse_typed_cards("10d10♦10D td") == cards.parse_cards("TDTDTDTD")


@pytest.mark.parametrize("text", ["", "5", "5h", "1H", "H5", "5H5", "5H 5", "\ud800", "\u2660", "x" * 9000])
def test_a_text_that_names_no_card_is_refused(text: str):
    with pytest.raises(BadCard, match="write rank and suit") as refusal:
        cards.parse_card(text)
    assert len(str(refusal.value)) < 100
    assert str(refusal.value).isascii()


def test_an_option_of_values_alone_has_words():
    """A pack may give the values and a description."""
    options = {"target": ("100", "61"), "big_bang": ("off", "on")}
    game = replace(rules.find_game("pegs-only"), options=options, option_descriptions={"big_bang": "Whether it bangs."})
    assert rules.complete_options(game, {"big_bang": "on"}) == {"target": "100", "big_bang": "on"}
    target, bang = map(game.find_option, options)
    assert (target.name, dict(target.value_names)) == ("Play to", {"100": "100", "61": "first to 61"})
    assert (bang.name, bang.description, list(bang)) == ("big bang", "Whether it bangs.", ["off", "on"])


EVERY = pytest.mark.parametrize("key", [game.key for game in rules.GAMES])
SEVERAL = pytest.mark.parametrize("key", [game.key for game in rules.GAMES if game.seats != (1,)])


def tell(key, seats=None):
    return Story(key, "", f"seats={seats or rules.find_game(key).seats[0]}")


def adjust(seat, points, *also):
    return Adjust(seat, points, tuple(AdjustmentPart(*part) for part in also))


@SEVERAL
def test_two_sides_are_adjusted_and_undone_as_one(key):
    told = tell(key, 2)
    before = told.state.scores
    told.make(adjust(1, 7, (0, 4))).check(awards="1+7 adjust, 0+4 adjust", scores=(before[0] + 4, before[1] + 7))
    assert told.make(Undo()).state.scores == before


@SEVERAL
def test_one_refused_part_refuses_the_whole_adjustment(key):
    assert "a score cannot go below 0" in tell(key, 2).refuse(adjust(0, 7, (1, -9)))
    assert "the seats are 0 to 1" in tell(key, 2).refuse(adjust(0, 7, (4, 1)))


@EVERY
def test_an_adjustment_of_nothing_is_refused(key):
    for nothing in (adjust(0, 0), adjust(0, 2, (0, 0))):
        assert "0 points would change nothing" in tell(key).refuse(nothing)


@pytest.mark.parametrize("also", [((0, 2),), ((1, 2), (1, 3)), ((2, 1),), ((1, 1), (3, 1))])
def test_one_move_adjusts_no_side_twice(also):
    """Partners are one side."""
    assert "changes each score once" in tell("six-card", 4).refuse(adjust(0, 5, *also))


def test_the_first_part_at_the_target_wins():
    tell("six-card").make(adjust(1, 121, (0, 121))).check(scores=(121, 121), winner=1)


@EVERY
def test_no_game_has_pegs_to_accept(key):
    assert "no pegs to accept" in tell(key).refuse(TakeBoard())
