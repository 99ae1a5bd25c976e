"""Players: names and colours, unique names, names in sentences."""

import pytest

from companion.common.errors import BadMove
from companion.i18n import COMPANION_NAME, capitalize_message, format_message
from companion.i18n.catalog import load_catalog
from companion.table.players import (
    PlayerProfile,
    dump_players,
    list_people,
    load_players,
    read_colour,
    read_name,
    replace_names,
    seat_companion,
    seat_players,
    set_player,
)

UNREADABLE = [
    "Ann\u202enob", "\u202aAnn\u202c", "\u2066Ann\u2069", "Ann\u200eBob", "\u061cAnn", "An\u200bn", "An\u2060n",
    "An\ufeffn", "An\u00adn", "An\u200dn", "\u200cAnn", "\u2800", "\u3164", "\u115f\u1160", "\u00a0", "A\u034fnn",
    "A\U000e0041", "\u180e", "\ufe0f", "\u0301", "Ann\u200d", "\U0001f469\u200d\u200d\U0001f467", "A" + "\u0301" * 6,
]  # fmt: skip
"""Names that change the direction of their surroundings, hide a character or look empty."""


def names(people, seats=2, sides=2):
    return [each.name for each in seat_players(people, seats, sides)]


def test_who_has_no_name_is_called_after_the_pegs():
    assert names(()) == ["Red", "Blue"]
    assert names((), 4, 2) == ["Red", "Blue", "Red's partner", "Blue's partner"]
    people = set_player((), 2, 1, None, "green")
    assert names(people, 4, 2) == ["Red", "Green", "Red's partner", "Green's partner"]
    assert names(set_player(people, 2, 0, "Ann", None), 4, 2)[2] == "Ann's partner"


def test_the_companion_is_named_in_the_language_of_the_page():
    shown = names((PlayerProfile("Ann"), PlayerProfile(COMPANION_NAME)))
    assert shown == ["Ann", "Companion"]
    assert load_catalog("de").translate_value(shown) == ["Ann", "Begleiter"]


def test_a_seat_of_the_companion_keeps_its_person():
    """Also in the journal, from which the next start of the program reads it."""
    people = (PlayerProfile("Ann"), PlayerProfile("Bob", "green"))
    against = load_players(dump_players(seat_companion(people, 1)))
    assert names(against) == ["Ann", "Companion"]
    assert list_people(against) == ["Ann", "Bob"]
    assert names(seat_companion(against, 0)) == ["Companion", "Bob"]
    assert seat_companion(seat_companion(against, 0), None) == people
    assert dump_players(people) == [{"name": "Ann", "colour": ""}, {"name": "Bob", "colour": "green"}]
    assert names(seat_companion((), 1)) == ["Red", "Companion"]


def test_two_players_with_the_same_name_are_distinguished():
    people = (PlayerProfile("Ann"), PlayerProfile("ann", "green"))
    assert names(people) == ["Ann (red)", "ann (green)"]
    assert names((PlayerProfile("Ann"), PlayerProfile("Bob"), PlayerProfile("Ann")), 4, 2) == [
        "Ann (red 1)",
        "Bob",
        "Ann (red 2)",
        "Bob's partner",
    ]
    assert names((PlayerProfile("Blue"),)) == ["Blue (red)", "Blue (blue)"]


COLLISIONS = [
    (["Ann", "Ann", "Ann (red)"], 3),
    (["Ann", "Ann", "Ann (rot)"], 3),
    (["Ann (blue)", "ann", "ANN"], 3),
    (["Ann", "Ann", "Ann (red 1)", "Ann (blau 1)"], 4),
    (["Ann", "Ann", "Ann", "Ann (red 1)"], 2),
    (["Ann", "Ann (rot 2)", "Ann", "Ann (rot 1)"], 2),
    (["Ann", "Ann", "Ann", "Ann"], 2),
    (["Ann (red)", "Ann", "Ann (red)", "Ann"], 2),
    (["Blue", "", "Blue (red)", "Blue"], 4),
    (["Ann", "Ann's partner", "", "Ann"], 2),
]


@pytest.mark.parametrize(("typed", "sides"), COLLISIONS)
def test_an_added_colour_makes_no_two_names_equal(typed, sides):
    """In no language, and whatever somebody typed stays as it is if it is the only such name."""
    shown = names(tuple(map(PlayerProfile, typed)), len(typed), sides)
    for labels in (shown, load_catalog("de").translate_value(shown)):
        assert len({label.casefold() for label in labels}) == len(typed), labels
    for name, label in zip(typed, shown, strict=True):
        assert label == name or not name or label.startswith(f"{name} (")


def test_a_colour_that_another_side_has_is_exchanged():
    people = set_player((), 2, 0, None, "blue")
    assert [each.colour for each in seat_players(people, 2, 2)] == ["blue", "red"]
    people = set_player(people, 2, 0, None, "white")
    assert [each.colour for each in seat_players(people, 3, 3)] == ["white", "red", "green"]
    assert [each.colour for each in seat_players((PlayerProfile("", "green"),), 3, 3)] == ["green", "blue", "red"]


def test_partners_share_the_colour_of_their_side():
    people = set_player((), 2, 2, None, "yellow")
    assert [each.colour for each in seat_players(people, 4, 2)] == ["yellow", "blue", "yellow", "blue"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ann ", "Ann"),
        ("Zoe\u0308", "Zoë"),
        ("李雷", "李雷"),
        ("❤️", "❤️"),
        ("محمد", "محمد"),
        ("नेहा", "नेहा"),
        ("می\u200cنا", "می\u200cنا"),
        ("अक्\u200dष", "अक्\u200dष"),
        ("x" * 24, "x" * 24),
        ("👩‍👧", "👩‍👧"),
    ],
)
def test_a_name_is_kept_as_a_person_reads_it(given, kept):
    assert read_name(given) == kept


@pytest.mark.parametrize(
    "given", ["", "   ", "x" * 25, "a\nb", "a\x00", "\ud800", 5, None, ["Ann"], "a\u2028b", *UNREADABLE]
)
def test_an_invalid_name_is_refused_with_a_sentence(given):
    with pytest.raises(BadMove, match="name"):
        read_name(given)
    with pytest.raises(BadMove, match="peg colour must be one of red"):
        read_colour(given)


def test_names_are_put_where_the_rules_have_theirs_all_at_once():
    assert replace_names(
        "Red: Blue's peg. Redder, Red's partner", ["Red", "Blue", "Red's partner"], ["Blue", "Ann", "Bo"]
    ) == ("Blue: Ann's peg. Redder, Bo")


def test_a_sentence_with_a_name_in_it_can_still_be_said_in_another_language():
    said = format_message("{name} pegged {points}.", name=format_message("Red"), points=3)
    named = replace_names(capitalize_message(said), ["Red", "Blue"], ["Ann", "Blue"])
    assert named == "Ann pegged 3."
    assert named.translate_with(lambda pattern: f"<{pattern}>") == "<Ann pegged 3.>"
    assert (
        replace_names(said, ["Red", "Blue"], [format_message("Red"), "Bo"]).translate_with(
            lambda pattern: f"<{pattern}>"
        )
        == "<<Red> pegged 3.>"
    )


def test_a_damaged_file_of_players_names_no_player():
    assert load_players([{"name": "Ann", "colour": "red"}]) == (PlayerProfile("Ann", "red"),)
    assert (
        load_players([{"name": 5}])
        == load_players("x")
        == load_players(None)
        == load_players([{"name": "a\nb", "colour": ""}])
        == ()
    )


def test_a_name_that_an_earlier_version_took_is_kept():
    saved = [{"name": "Zoe", "colour": "green"}, {"name": "Ann\u00ad", "colour": ""}]
    assert load_players(saved) == (PlayerProfile("Zoe", "green"), PlayerProfile("Ann\u00ad", ""))
