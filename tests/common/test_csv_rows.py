"""No cell of a table becomes a formula, and no number a text."""

import pytest

from companion.common.files import format_csv_row


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r"])
def test_a_cell_that_begins_like_a_formula_is_escaped(sign):
    """The wide signs are those of Japanese and Chinese keyboards."""
    assert format_csv_row([f"{sign}A1", "Ann"]).lstrip('"').startswith(f"'{sign}A1")


def test_numbers_and_empty_cells_stay_as_they_are():
    """A spread of -5 is a number."""
    assert format_csv_row([-5, "+12", None, "", 0]) == "-5,+12,,,0\r\n"
