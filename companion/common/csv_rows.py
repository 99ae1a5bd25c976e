"""Rows of CSV for spreadsheets, which take a cell that begins like a formula for one."""

import csv
import io
from collections.abc import Iterable

_FORMULA_PREFIXES = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
"""A spreadsheet in Japanese or Chinese reads the wide signs as the narrow ones."""


def format_csv_row(cells: Iterable[object]) -> str:
    """Return a row with its line end. A cell that would be a formula begins with an apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerow(["" if cell is None else _escape_formula(str(cell)) for cell in cells])
    return out.getvalue()


def _escape_formula(text: str) -> str:
    is_number = text[1:].isdecimal()
    return f"'{text}" if text.startswith(_FORMULA_PREFIXES) and not is_number else text
