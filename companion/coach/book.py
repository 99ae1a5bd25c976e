"""What was worked out beforehand: cribs, what good players keep, pegging by hand, the chance to win from any scores.

The tables lie in `companion/coach/tables`, each with how it was made; `make tables` makes them again.
Dealer and pone are 0 and 1 in all of them.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

DEALER, PONE = 0, 1


@cache
def table(name: str) -> dict[str, Any]:
    """One table by its file's name."""
    text = files("companion.coach").joinpath("tables", f"{name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def cribs(who: int) -> list[float]:
    """By pair (`ranks.PAIRS`): the mean crib that the dealer's or pone's throw ends in, suits aside."""
    found: list[float] = table("cribs")["worth"][who]
    return found


@cache
def throws(who: int) -> list[float]:
    """By pair: how often the dealer or pone throws it, of all deals."""
    found: list[float] = table("cribs")["thrown"][who]
    return found


@cache
def keeps(who: int) -> list[float]:
    """By four (`ranks.FOURS`): how often it is kept, of the deals in which it could have been."""
    found: list[float] = table("keeps")["kept"][who]
    return found


@cache
def pegging(who: int) -> list[float]:
    """By four: own pegging less the other's, in the mean."""
    found: list[float] = table("pegging")["net"][who]
    return found


@cache
def wins(target: int) -> list[list[float]]:
    """The dealer's chance to win before a deal: by the dealer's score, then by pone's."""
    top = table("wins")["dealer"]
    short = 121 - target
    return [row[short:] for row in top[short:]]


@cache
def pegged() -> dict[tuple[int, int], float]:
    """How likely the dealer and pone peg so many points in a deal."""
    return {(d, p): share for d, p, share in table("deals")["pegged"]}


@cache
def shown(who: int) -> list[float]:
    """How likely the dealer's or pone's hand is worth so many points, by points."""
    found: list[float] = table("deals")["hands"][who]
    return found


@cache
def any_crib() -> list[float]:
    """How likely a crib is worth so many points, by points."""
    found: list[float] = table("deals")["crib"]
    return found
