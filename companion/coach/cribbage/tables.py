"""What was worked out beforehand: cribs, what good players keep, pegging by hand, the chance to win from any scores.

The tables lie in `companion/coach/tables`, each with how it was made; `make tables` makes them again.
Dealer and pone are 0 and 1 in all of them.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.coach.cribbage.ranks import FOURS, THREES, Ranks

DEALER, PONE = 0, 1
GAMES = {"six-card": 6, "five-card": 5}
"""How many cards are dealt; two of them are laid away."""

_TOP = 121
"""The tables of wins go as far; a shorter game is the end of a longer one."""

Table = dict[str, Any]
Shares = list[float]


@dataclass(frozen=True, eq=False)
class Book:
    """All that is known of one game. Where a list has two parts, the first is the dealer's, the second pone's."""

    kept: tuple[Ranks, ...]
    """Every hand that can be kept, without suits; the tables by hand are in this order."""
    place_of: dict[Ranks, int]
    cribs: list[list[float]]
    """By pair (`ranks.PAIRS`): the mean crib that it ends in, suits aside."""
    throws: list[list[float]]
    """By pair: how often it is thrown."""
    keeps: list[list[float]]
    """By hand: how gladly it is kept; 1 is as often as by chance."""
    pegging: list[list[float]]
    """By hand: own pegging less the other's, in the mean."""
    pegged: dict[tuple[int, int], float]
    """How likely dealer and pone peg so many points in a deal."""
    shown: list[Shares]
    """By points: how likely a hand is worth so many."""
    any_crib: Shares
    """By points: how likely a crib is worth so many."""
    _wins: list[list[float]]

    @property
    def size(self) -> int:
        """Cards in a hand."""
        return len(self.kept[0])

    def wins(self, target: int) -> list[list[float]]:
        """The dealer's chance to win before a deal: by the dealer's score, then by pone's."""
        short = _TOP - target
        if not short:
            return self._wins
        return [row[short:] for row in self._wins[short:]]


@cache
def of(game: str) -> Book:
    """The book of a game of `GAMES`."""
    cribs, keeps, pegging, deals, wins = (
        _table(f"{game}-{name}") for name in ("cribs", "keeps", "pegging", "deals", "wins")
    )
    kept = FOURS if GAMES[game] == 6 else THREES
    return Book(
        kept=kept,
        place_of={hand: place for place, hand in enumerate(kept)},
        cribs=cribs["worth"],
        throws=cribs["thrown"],
        keeps=keeps["kept"],
        pegging=pegging["net"],
        pegged={(dealer, pone): share for dealer, pone, share in deals["pegged"]},
        shown=deals["hands"],
        any_crib=deals["crib"],
        _wins=wins["dealer"],
    )


def _table(name: str) -> Table:
    text = files("companion.coach").joinpath("tables", f"{name}.json").read_text(encoding="utf-8")
    found: Table = json.loads(text)
    return found
