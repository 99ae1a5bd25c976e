"""The deck: codes that mean cards, and files that are none."""

import pytest

from companion.devices.deck import meant, read_deck
from companion.errors import SettingsError


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
