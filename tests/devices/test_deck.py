"""The deck: codes that mean cards, and files that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.common.errors import SettingsError
from companion.devices.deck import (
    LEARNING_MS,
    SAME_MS,
    Deck,
    deck_at,
    learned,
    meant,
    read_deck,
    unlearned,
    write_deck,
)


def test_a_code_is_the_card_that_the_deck_says_and_else_itself(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text('0A004CA1B2 = "5H"\nffff = "10D"\n')
    deck = read_deck(str(path))
    assert [meant(deck, code) for code in ("0a004ca1b2", "FFFF", "5S", "what")] == ["5H", "TD", "5S", "what"]
    assert read_deck("") == {}


@pytest.mark.parametrize(
    ("held", "says"),
    [
        (b"0A = 5", 'write 0A = "5H"'),
        (b'0A = "5X"', "gives 0A no card"),
        (b'0A = "5H"\n0a = "6H"', "twice"),
        (b'0A = "5H"\n0A = "6H"', "no TOML"),
        (b"\xff", "no TOML"),
        (b'[cards]\n0A = "5H"', "gives cards no card"),
    ],
)
def test_a_file_that_is_no_deck_is_told_in_a_sentence(tmp_path, held, says):
    (tmp_path / "deck.toml").write_bytes(held)
    with pytest.raises(SettingsError, match=r"deck\.toml.*\.$") as refused:
        read_deck(str(tmp_path / "deck.toml"))
    assert says in str(refused.value)


def test_a_deck_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read"):
        read_deck(str(tmp_path / "deck.toml"))


def test_a_deck_is_learned_card_by_card_and_read_back_as_it_was_written(tmp_path):
    deck, path = {}, tmp_path / "folder" / "deck.toml"
    for number, name in enumerate(unlearned(deck)):
        deck = learned(deck, f"0a0{number:02}", name)
        assert unlearned(deck) == unlearned({})[number + 1 :]
        write_deck(path, deck)
    assert len(deck) == 52
    assert read_deck(str(path)) == deck
    assert [file.name for file in path.parent.iterdir()] == ["deck.toml"]


def test_a_tag_that_is_another_card_already_is_refused_and_nothing_is_learned():
    deck = learned({}, "0a01", "5H")
    with pytest.raises(SettingsError, match=r"This is the 5 of hearts already: put the 6 of hearts to the reader\."):
        learned(deck, "0A01", "6H")
    assert deck == {"0A01": "5H"}


def test_a_card_may_have_several_codes_and_be_put_to_the_reader_twice():
    deck = learned(learned(learned({}, "A1", "5H"), "A2", "5H"), "a1", "5H")
    assert deck == {"A1": "5H", "A2": "5H"}


def test_a_printed_name_needs_no_learning():
    for code in ("5h", "TD", "10D"):
        with pytest.raises(SettingsError, match="card's own name"):
            learned({}, code, "6H")


@given(st.text(st.characters(exclude_categories=("C",)), min_size=1).map(str.upper))
def test_whatever_a_code_is_made_of_it_is_kept(tmp_path_factory, code):
    path = tmp_path_factory.mktemp("deck") / "deck.toml"
    write_deck(path, {code: "5H"})
    assert read_deck(str(path)) == {code.upper(): "5H"}


def test_a_deck_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "deck.toml"
    write_deck(path, {"A1": "5H"})
    (tmp_path / "deck.toml.new").mkdir()
    with pytest.raises(SettingsError, match="cannot be written"):
        write_deck(path, {"A1": "6H"})
    assert read_deck(str(path)) == {"A1": "5H"}


def test_a_deck_is_learned_card_by_card_and_what_is_read_meanwhile_plays_nothing(tmp_path):
    now, path = [0], tmp_path / "journal.deck.toml"
    deck = deck_at("", path, lambda: now[0])
    assert deck.read("0A01") == "0A01"
    deck.ask("AC")
    assert (deck.read("0a01"), deck.asked) == (None, "2C")
    now[0] += SAME_MS - 1
    assert (deck.read("0a01"), deck.said) == (None, "")  # it lies there still
    now[0] += SAME_MS
    assert (deck.read("0A01"), deck.asked) == (None, "2C")
    assert deck.said == "This is the ace of clubs already: put the 2 of clubs to the reader."
    assert (deck.read("0A02"), deck.said, deck.asked) == (None, "", "3C")
    now[0] += LEARNING_MS
    assert deck.asked is None
    assert deck.read("0A02") == "2C"
    assert deck_at("", path, lambda: 0).cards == {"0A01": "AC", "0A02": "2C"}


def test_the_last_card_ends_the_learning_and_a_file_that_cannot_be_written_is_told(tmp_path):
    now = [0]
    deck = Deck({}, tmp_path / "deck.toml", lambda: now[0])
    deck.ask("AC")
    for number in range(52):
        now[0] += SAME_MS
        assert deck.read(f"{number:04X}") is None
    assert (deck.asked, unlearned(deck.cards)) == (None, ())
    (tmp_path / "file").write_text("")
    stuck = Deck({}, tmp_path / "file" / "deck.toml", lambda: now[0])
    stuck.ask("AC")
    assert stuck.read("0A01") is None
    assert "cannot be written" in stuck.said
    assert (stuck.asked, stuck.cards) == ("AC", {})
