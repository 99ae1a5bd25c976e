"""Precomputed tables: cribs, what good players keep, pegging, chances to win, and what scores are worth to a player.

The JSON files are in `companion/coach/tables`; each says how it was made. `make tables` makes them again. In all of
them 0 is the dealer and 1 is pone.

A player plays for games, points, or game points of a match. A value is scaled to 0 (the worst end of a game) to 1 (the
best), so that the opponent's value is 1 less the player's.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.coach.cribbage.ranks import HANDS_OF_FOUR, HANDS_OF_THREE, Ranks
from companion.common.constants import CARDS_DEALT
from companion.rules.engine import CRIBBAGE_OPTIONS
from companion.rules.match_terms import find_game_points, parse_game_points

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


WIN, POINTS, MATCH = OBJECTIVES = ("win", "points", "match")

GamePoints = tuple[int, int, int]
"""Game points for a game, a skunk and a double skunk."""

GAME_POINTS = {text: parse_game_points(text) for text in CRIBBAGE_OPTIONS["game_points"]}
"""The values of the option `game_points`. The first is the default."""
DEFAULT_GAME_POINTS = next(iter(GAME_POINTS.values()))

_MAX_POINTS = 120
"""Points beyond the target in the padding of the tables."""


@dataclass(frozen=True, eq=False)
class ScoreValues:
    """Values of scores for one objective."""

    rows: list[list[float]]
    """Value to the dealer before a deal: by the dealer's score, then by pone's. Pone beyond the target has won."""
    won: list[float]
    """Value of a won game, by the loser's score. To the loser, it is 1 less this."""

    @property
    def target(self) -> int:
        """Points of a whole game."""
        return len(self.won)

    def before_deal(self, own: int, other: int, *, dealer: bool) -> float:
        """Return the value to a player before a deal."""
        return self.rows[own][other] if dealer else 1 - self.rows[other][own]


@cache
def load_values(game: str, target: int, game_points: GamePoints | None = None) -> ScoreValues:
    """Return the values of scores for games won, or for these game points (cached)."""
    chances = load_tables(game).win_chances(target)
    if game_points is None:
        return _pad_values(chances, [1.0] * target)
    plain, skunk, double = game_points
    most = 2 * max(game_points)
    won = [0.5 + find_game_points(target, score, game_points) / most for score in range(target)]
    double = find_game_points(target, 0, game_points)  # a game to 61 has none
    skunks, doubles = load_skunk_chances(game, target)
    rows = [
        [
            0.5 + (plain * (2 * chance - 1) + (skunk - plain) * one + (double - skunk) * two) / most
            for chance, one, two in zip(*row, strict=True)
        ]
        for row in zip(chances, skunks, doubles, strict=True)
    ]
    return _pad_values(rows, won)


def load_objective_values(game: str, target: int, objective: str, game_points: GamePoints) -> list[ScoreValues]:
    """Return the values of scores for games won and, for a match, those for game points too."""
    wanted = (None, game_points) if objective == MATCH else (None,)
    return [load_values(game, target, points) for points in wanted]


def _pad_values(rows: list[list[float]], won: list[float]) -> ScoreValues:
    return ScoreValues([[*row, *[1 - lost] * _MAX_POINTS] for row, lost in zip(rows, won, strict=True)], won)


def expected_game_points(value: float, game_points: GamePoints) -> float:
    """Return a value for game points as the player's expected game points less the opponent's."""
    return (2 * value - 1) * max(game_points)


def objective_of_table(game_points: GamePoints) -> tuple[str, GamePoints]:
    """Return what a table plays for: game points if they are not the usual ones, else games."""
    return (WIN if game_points == DEFAULT_GAME_POINTS else MATCH), game_points


def question_fields(game_points: GamePoints) -> dict[str, str]:
    """Return the fields of a question of `companion advise` that say what a table plays for; empty for games."""
    objective, _ = objective_of_table(game_points)
    return {"for": MATCH, "game_points": ",".join(map(str, game_points))} if objective == MATCH else {}
