"""The effects of the 24 spaces around the bases, as a table that a board file can change to match a printed board.

The table is board data (`[spaces.…]` of a board file, docs/reference/games/bases.md); this module reads and checks it.
Pure except for reading that file. A space is a leg and an offset from 1 to 6; offset 6 is the next base.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import BoardError
from companion.common.files import read_toml
from companion.common.paths import resource_folder

LEGS = ("home-first", "first-second", "second-third", "third-home")
"""The legs in running order."""
LEG_LENGTH = 6
"""Spaces from one base to the next."""
HOME_SPACE = LEG_LENGTH * len(LEGS)
"""The space of home plate; a runner at or past it scores."""


class Space(NamedTuple):
    """The effect of a space: `out`, `safe` at the last base, on a `base`, or `roll` or `pickle` with a number."""

    kind: str
    number: int = 0


Spaces = tuple[tuple[Space, ...], ...]
"""The four legs, each with its six spaces."""


def find_space(spaces: Spaces, space: int) -> Space:
    """Return the space at a distance from home of 1 to 23."""
    leg, offset = divmod(space - 1, LEG_LENGTH)
    return spaces[leg][offset]


@cache
def load_preset(name: str, board: str = "") -> Spaces:
    """Return the table `standard` or `harsh` from the board file with this path; empty: from the shipped board.

    Raises BoardError.
    """
    path = Path(board) if board else resource_folder("hardware/boards") / "bases.toml"
    try:
        tables = read_toml(path)["spaces"]
        return parse_spaces(tables[name])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise BoardError(f"The board file {path.name} has no table of spaces named {name}.") from error
    except BoardError as error:
        raise BoardError(f"The spaces named {name} in the board file {path.name}: {error}") from None


def parse_spaces(table: Mapping[str, Any]) -> Spaces:
    """Return the spaces of a board file's table. Raises BoardError if no game can be played with it."""
    missing = next((leg for leg in LEGS if leg not in table), None)
    if missing:
        raise BoardError(f"the leg {missing} is missing.")
    spaces = tuple(_parse_leg(leg, table[leg]) for leg in LEGS)
    if any(space.kind == "safe" for space in spaces[0]):
        raise BoardError("no space between home and first can be safe, because a runner cannot stay at home.")
    for behind, ahead, leg in zip(spaces, spaces[1:], LEGS[1:], strict=False):
        for offset, (one, other) in enumerate(zip(behind, ahead, strict=True), 1):
            if other.kind == "safe" and one.kind not in ("safe", "out"):
                raise BoardError(f"space {offset} of {leg} cannot be safe: the runner behind could reach that base.")
    return spaces


def format_spaces(spaces: Spaces) -> dict[str, list[str]]:
    """Return a table in the form that `parse_spaces` reads."""
    return {
        leg: [f"{space.kind} {space.number or ''}".strip() for space in row]
        for leg, row in zip(LEGS, spaces, strict=True)
    }


def _parse_leg(name: str, value: Any) -> tuple[Space, ...]:
    if not isinstance(value, list) or len(value) != LEG_LENGTH:
        raise BoardError(f"the leg {name} must have {LEG_LENGTH} spaces.")
    leg = tuple(_parse_space(name, each) for each in value)
    if leg[-1].kind != "base" or any(space.kind == "base" for space in leg[:-1]):
        raise BoardError(f'the last space of {name}, and no other, must be "base".')
    return leg


def _parse_space(leg: str, value: Any) -> Space:
    kind, _, number = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if kind in ("out", "safe", "base") and not number:
        return Space(kind)
    if kind in ("roll", "pickle") and number in ("1", "2", "3", "4", "5", "6"):
        return Space(kind, int(number))
    raise BoardError(f'a space of {leg} must be "out", "safe", "base", or "roll" or "pickle" with a number of 1 to 6.')
