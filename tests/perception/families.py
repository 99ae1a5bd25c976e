"""All families of stories by name, in the order of the table."""

from tests.perception.acts import Family
from tests.perception.families_accidents import GAMES, MISHAPS, UNSEEN, UNSEEN_DUES
from tests.perception.families_dues import DUES, TEMPO, TEMPO_DUES
from tests.perception.families_hands import MIXED, ONE, SEVERAL
from tests.perception.families_sensors import DEAD, SENSORS, WORN

PEGS_ONLY: dict[str, Family] = ONE | MISHAPS | SEVERAL | SENSORS | GAMES | MIXED
"""Families of games in which the pegs alone determine the score."""
CARDS: dict[str, Family] = DUES | TEMPO_DUES | UNSEEN_DUES | DEAD
"""Families in a card game."""
FAMILIES: dict[str, Family] = PEGS_ONLY | TEMPO | WORN | UNSEEN | CARDS
"""All families."""
DEFAULT_FAMILIES: dict[str, Family] = FAMILIES
"""The families that are played by default."""

__all__ = ["CARDS", "DEFAULT_FAMILIES", "FAMILIES", "Family"]
