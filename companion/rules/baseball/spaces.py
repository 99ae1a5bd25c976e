"""What each of the 24 spaces round the bases does: a table that an owner edits to match a printed board.

The table is board data (`[spaces.…]` of a board file, docs/reference/games/bases.md); here it is read and
checked. Pure but for that one file. A space is named by its leg and its offset 1 to 6 in the leg; the next base is 6.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import BoardError
from companion.common.paths import folder

LEGS = ("home-first", "first-second", "second-third", "third-home")
"""The legs in the order they are run."""
LEG = 6
"""Spaces from one base to the next."""
HOME = LEG * len(LEGS)
"""The space of home plate: at or past it a run scores."""


class Space(NamedTuple):
    """What a runner meets: `out`, `safe` at the base just passed, on `base`, or must `roll` or `pickle` a number."""

    kind: str
    number: int = 0


Spaces = tuple[tuple[Space, ...], ...]
"""The four legs, each with its six spaces."""


def at(spaces: Spaces, space: int) -> Space:
    """What the space so far from home does, 1 to 23."""
    leg, offset = divmod(space - 1, LEG)
    return spaces[leg][offset]


@cache
def preset(name: str, board: str = "") -> Spaces:
    """A table by name, `standard` or `harsh`: of the board file with this path, else of the shipped one.

    Raises BoardError.
    """
    path = Path(board) if board else folder("hardware/boards") / "bases.toml"
    try:
        tables = tomllib.loads(path.read_text("utf-8"))["spaces"]
        return read(tables[name])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise BoardError(f"The board file {path.name} has no table of spaces named {name}.") from error
    except BoardError as error:
        raise BoardError(f"The spaces named {name} in the board file {path.name}: {error}") from None


def read(table: Mapping[str, Any]) -> Spaces:
    """The spaces of a board file's table. Raises BoardError with a sentence where no game can be played by it."""
    missing = next((leg for leg in LEGS if leg not in table), None)
    if missing:
        raise BoardError(f"the leg {missing} is not there.")
    spaces = tuple(_leg(leg, table[leg]) for leg in LEGS)
    if any(space.kind == "safe" for space in spaces[0]):
        raise BoardError("no space between home and first is safe, for home is no base to stay on.")
    for behind, ahead, leg in zip(spaces, spaces[1:], LEGS[1:], strict=False):
        for offset, (one, other) in enumerate(zip(behind, ahead, strict=True), 1):
            if other.kind == "safe" and one.kind not in ("safe", "out"):
                raise BoardError(f"space {offset} of {leg} keeps a runner on the base that the one behind can reach.")
    return spaces


def told(spaces: Spaces) -> dict[str, list[str]]:
    """A table as `read` takes it."""
    return {
        leg: [f"{space.kind} {space.number or ''}".strip() for space in row]
        for leg, row in zip(LEGS, spaces, strict=True)
    }


def _leg(name: str, given: Any) -> tuple[Space, ...]:
    if not isinstance(given, list) or len(given) != LEG:
        raise BoardError(f"the leg {name} has {LEG} spaces.")
    leg = tuple(_space(name, each) for each in given)
    if leg[-1].kind != "base" or any(space.kind == "base" for space in leg[:-1]):
        raise BoardError(f'the last space of {name} is its base, and no other is: write "base" there.')
    return leg


def _space(leg: str, given: Any) -> Space:
    kind, _, number = given.partition(" ") if isinstance(given, str) else ("", "", "")
    if kind in ("out", "safe", "base") and not number:
        return Space(kind)
    if kind in ("roll", "pickle") and number in ("1", "2", "3", "4", "5", "6"):
        return Space(kind, int(number))
    raise BoardError(f'a space of {leg} is "out", "safe", "base", or "roll" or "pickle" with a number from 1 to 6.')
