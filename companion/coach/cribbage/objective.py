"""What a player plays for: games, points, or game points of a match, with the value of scores for each. Pure.

A value is scaled to 0 (the worst end of a game) to 1 (the best), so that the opponent's value is 1 less the player's.
"""

from dataclasses import dataclass
from functools import cache

from companion.coach.cribbage import tables
from companion.rules.engine import CRIBBAGE_OPTIONS
from companion.rules.match_terms import find_game_points, parse_game_points

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
    chances = tables.load_tables(game).win_chances(target)
    if game_points is None:
        return _pad_values(chances, [1.0] * target)
    plain, skunk, double = game_points
    most = 2 * max(game_points)
    won = [0.5 + find_game_points(target, score, game_points) / most for score in range(target)]
    double = find_game_points(target, 0, game_points)  # a game to 61 has none
    skunks, doubles = tables.load_skunk_chances(game, target)
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
