"""All families of stories by name, in the order of the table."""

from tests.perception.acts import Family
from tests.perception.families_dead import DEAD
from tests.perception.families_dues import DUES
from tests.perception.families_games import GAMES
from tests.perception.families_mishaps import MISHAPS
from tests.perception.families_mixed import MIXED
from tests.perception.families_one import ONE
from tests.perception.families_sensors import SENSORS
from tests.perception.families_several import SEVERAL
from tests.perception.families_tempo import TEMPO, TEMPO_DUES
from tests.perception.families_unseen import UNSEEN, UNSEEN_DUES
from tests.perception.families_worn import WORN

PEGS_ONLY: dict[str, Family] = ONE | MISHAPS | SEVERAL | SENSORS | GAMES | MIXED
"""Families of games in which the pegs alone determine the score."""
CARDS: dict[str, Family] = DUES | TEMPO_DUES | UNSEEN_DUES | DEAD
"""Families in a card game."""
FAMILIES: dict[str, Family] = PEGS_ONLY | TEMPO | WORN | UNSEEN | CARDS
"""All families."""
DEFAULT_FAMILIES: dict[str, Family] = FAMILIES
"""The families that are played by default."""

__all__ = ["CARDS", "DEFAULT_FAMILIES", "FAMILIES", "Family"]
