"""Precomputed tables: cribs, what good players keep, pegging by hand, and chances to win by scores.

The JSON files are in `companion/coach/tables`; each says how it was made. `make tables` makes them again. In all of
them 0 is the dealer and 1 is pone.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.coach.cribbage.ranks import HANDS_OF_FOUR, HANDS_OF_THREE, Ranks
from companion.common.constants import CARDS_DEALT

DEALER, PONE = 0, 1

_MAX_TARGET = 121
"""Target of the table of win chances. A shorter game is the end of a longer one."""

_JsonTable = dict[str, Any]
Shares = list[float]


@dataclass(frozen=True, eq=False)
class CribbageTables:
    """All tables of one game. In a list of two parts, the first is the dealer's and the second is pone's."""

    hands: tuple[Ranks, ...]
    """Every hand that can be kept, without suits. Tables by hand are in this order."""
    hand_index: dict[Ranks, int]
    mean_cribs: list[list[float]]
    """By pair (`ranks.RANK_PAIRS`): mean points of the crib, without suits."""
    discard_shares: list[list[float]]
    """By pair: how often it is discarded."""
    keep_rates: list[list[float]]
    """By hand: how often it is kept, relative to random cards (1)."""
    net_pegging: list[list[float]]
    """By hand: mean pegging less the opponent's."""
    pegging_shares: dict[tuple[int, int], float]
    """Probability of the points that dealer and pone peg in a deal."""
    hand_point_shares: list[Shares]
    """Probability of each number of points of a hand."""
    crib_point_shares: Shares
    """Probability of each number of points of a crib."""
    _wins: list[list[float]]

    @property
    def hand_size(self) -> int:
        return len(self.hands[0])

    def win_chances(self, target: int) -> list[list[float]]:
        """Return the dealer's chance to win before a deal: by the dealer's score, then by pone's."""
        short = _MAX_TARGET - target
        if not short:
            return self._wins
        return [row[short:] for row in self._wins[short:]]


@cache
def load_tables(game: str) -> CribbageTables:
    """Return the tables of a game of `CARDS_DEALT` (cached)."""
    cribs, keeps, pegging, deals, wins = (
        _load_table(f"{game}-{name}") for name in ("cribs", "keeps", "pegging", "deals", "wins")
    )
    kept = HANDS_OF_FOUR if CARDS_DEALT[game] == 6 else HANDS_OF_THREE
    return CribbageTables(
        hands=kept,
        hand_index={hand: place for place, hand in enumerate(kept)},
        mean_cribs=cribs["worth"],
        discard_shares=[_normalize_shares(row) for row in cribs["thrown"]],
        keep_rates=keeps["kept"],
        net_pegging=pegging["net"],
        pegging_shares={
            (dealer, pone): share
            for (dealer, pone, _), share in zip(
                deals["pegged"], _normalize_shares([share for *_, share in deals["pegged"]]), strict=True
            )
        },
        hand_point_shares=[_normalize_shares(row) for row in deals["hands"]],
        crib_point_shares=_normalize_shares(deals["crib"]),
        _wins=wins["dealer"],
    )


def load_skunk_chances(game: str, target: int) -> tuple[list[list[float]], list[list[float]]]:
    """Return the dealer's chance to skunk less pone's, and to double-skunk, before a deal: by both scores."""
    table, short = _load_table(f"{game}-skunks"), _MAX_TARGET - target
    skunk, double = ([row[short:] for row in table[name][short:]] for name in ("skunk", "double"))
    return skunk, double


def _normalize_shares(shares: Shares) -> Shares:
    """Return shares that add up to 1. Those in the files are rounded."""
    total = sum(shares)
    return [share / total for share in shares]


def _load_table(name: str) -> _JsonTable:
    text = files("companion.coach").joinpath("tables", f"{name}.json").read_text(encoding="utf-8")
    found: _JsonTable = json.loads(text)
    return found
