"""The deck: codes of cards, learning them, and invalid files."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.common.errors import SettingsError
from companion.devices.deck import (
    LEARNING_TIMEOUT_MS,
    REPEAT_WINDOW_MS,
    Deck,
    card_for_code,
    open_deck,
    read_deck,
    unlearned_cards,
    with_learned_code,
    write_deck,
)


def test_a_code_is_the_card_that_the_deck_says_and_else_itself(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text('0A004CA1B2 = "5H"\nffff = "10D"\n')
    deck = read_deck(str(path))
    assert [card_for_code(deck, code) for code in ("0a004ca1b2", "FFFF", "5S", "what")] == ["5H", "TD", "5S", "what"]
    assert read_deck("") == {}


@pytest.mark.parametrize(
    ("code", "card"),
    [("5h", "5H"), ("10d", "TD"), ("]Q35H", "5H"), ("]C12s", "2S"), ("]q32S", "2S"), ("]C10A01", "AC"), ("]Q3KC", "QD"),
     ("]Q3XX", "]Q3XX"), ("]5H", "]5H"), ("Q35H", "Q35H"), ("]Q3", "]Q3"), ("]Q3]Q35H", "]Q3]Q35H")],
)  # fmt: skip
def test_case_and_symbology_of_a_code_are_ignored(code, card):
    """A code in lower case, or behind the identifier of its kind of barcode, is its card; a learned code wins."""
    assert card_for_code({"0A01": "AC", "]Q3KC": "QD"}, code) == card


def test_a_learned_code_is_known_behind_an_identifier():
    """A tag that one card has is refused for another card, with and without the identifier."""
    with pytest.raises(SettingsError, match="already the ace of clubs"):
        with_learned_code({"0A01": "AC"}, "]C10a01", "2C")
    with pytest.raises(SettingsError, match="card's own name"):
        with_learned_code({}, "]Q35H", "6H")


@pytest.mark.parametrize(
    ("held", "says"),
    [
        (b"0A = 5", 'Write 0A = "5H"'),
        (b'0A = "5X"', "has no valid card. Write 0A"),
        (b'0A = "5H"\n0a = "6H"', "twice"),
        (b'0A = "5H"\n0A = "6H"', "not valid TOML"),
        (b"\xff", "not valid TOML"),
        (b'[cards]\n0A = "5H"', "has no valid card. Write cards"),
    ],
)
def test_a_file_that_is_not_a_deck_is_reported_in_a_sentence(tmp_path, held, says):
    (tmp_path / "deck.toml").write_bytes(held)
    with pytest.raises(SettingsError, match=r"deck\.toml.*\.$") as refused:
        read_deck(str(tmp_path / "deck.toml"))
    assert says in str(refused.value)


def test_a_missing_deck_is_reported(tmp_path):
    with pytest.raises(SettingsError, match="Cannot read the deck"):
        read_deck(str(tmp_path / "deck.toml"))


def test_a_deck_is_learned_card_by_card_and_read_back_as_it_was_written(tmp_path):
    deck, path = {}, tmp_path / "folder" / "deck.toml"
    for number, name in enumerate(unlearned_cards(deck)):
        deck = with_learned_code(deck, f"0a0{number:02}", name)
        assert unlearned_cards(deck) == unlearned_cards({})[number + 1 :]
        write_deck(path, deck)
    assert len(deck) == 52
    assert read_deck(str(path)) == deck
    assert [file.name for file in path.parent.iterdir()] == ["deck.toml"]


def test_a_tag_that_is_another_card_already_is_refused_and_nothing_is_learned():
    deck = with_learned_code({}, "0a01", "5H")
    with pytest.raises(SettingsError, match=r"This is already the 5 of hearts. Scan the 6 of hearts\."):
        with_learned_code(deck, "0A01", "6H")
    assert deck == {"0A01": "5H"}


def test_a_card_may_have_several_codes_and_be_put_to_the_reader_twice():
    deck = with_learned_code(with_learned_code(with_learned_code({}, "A1", "5H"), "A2", "5H"), "a1", "5H")
    assert deck == {"A1": "5H", "A2": "5H"}


def test_a_printed_name_needs_no_learning():
    for code in ("5h", "TD", "10D"):
        with pytest.raises(SettingsError, match="card's own name"):
            with_learned_code({}, code, "6H")


@given(st.text(st.characters(exclude_categories=("C",)), min_size=1).map(str.upper))
def test_whatever_a_code_is_made_of_it_is_kept(tmp_path_factory, code):
    path = tmp_path_factory.mktemp("deck") / "deck.toml"
    write_deck(path, {code: "5H"})
    assert read_deck(str(path)) == {code.upper(): "5H"}


def test_a_deck_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "deck.toml"
    write_deck(path, {"A1": "5H"})
    (tmp_path / f"deck.toml.{os.getpid()}.new").mkdir()
    with pytest.raises(SettingsError, match="Cannot write the deck"):
        write_deck(path, {"A1": "6H"})
    assert read_deck(str(path)) == {"A1": "5H"}


def test_a_deck_is_learned_card_by_card_and_what_is_read_meanwhile_plays_nothing(tmp_path):
    now, path = [0], tmp_path / "journal.deck.toml"
    deck = open_deck("", path, lambda: now[0])
    assert deck.read_code("0A01") == "0A01"
    deck.learn_card("AC")
    assert (deck.read_code("0a01"), deck.card_to_learn) == (None, "2C")
    now[0] += REPEAT_WINDOW_MS - 1
    assert (deck.read_code("0a01"), deck.learning_error) == (None, "")  # it lies there still
    now[0] += REPEAT_WINDOW_MS
    assert (deck.read_code("0A01"), deck.card_to_learn) == (None, "2C")
    assert deck.learning_error == "This is already the ace of clubs. Scan the 2 of clubs."
    assert (deck.read_code("0A02"), deck.learning_error, deck.card_to_learn) == (None, "", "3C")
    now[0] += LEARNING_TIMEOUT_MS
    assert deck.card_to_learn is None
    assert deck.read_code("0A02") == "2C"
    assert open_deck("", path, lambda: 0).cards == {"0A01": "AC", "0A02": "2C"}


def test_the_last_card_ends_the_learning_and_an_unwritable_file_is_reported(tmp_path):
    now = [0]
    deck = Deck({}, tmp_path / "deck.toml", lambda: now[0])
    deck.learn_card("AC")
    for number in range(52):
        now[0] += REPEAT_WINDOW_MS
        assert deck.read_code(f"{number:04X}") is None
    assert (deck.card_to_learn, unlearned_cards(deck.cards)) == (None, ())
    (tmp_path / "file").write_text("")
    stuck = Deck({}, tmp_path / "file" / "deck.toml", lambda: now[0])
    stuck.learn_card("AC")
    assert stuck.read_code("0A01") is None
    assert "Cannot write the deck" in stuck.learning_error
    assert (stuck.card_to_learn, stuck.cards) == ("AC", {})
