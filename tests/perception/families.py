"""All families of stories, by name, in the order of the table: what one hand does, what befalls it, and so on."""

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
"""Families where pegs alone tell the score."""
CARDS: dict[str, Family] = DUES | TEMPO_DUES | UNSEEN_DUES | DEAD
"""Families in a card game."""
FAMILIES: dict[str, Family] = PEGS_ONLY | TEMPO | WORN | UNSEEN | CARDS
"""All families."""
PLAYED: dict[str, Family] = FAMILIES
"""The families that are played where none is named."""

__all__ = ["CARDS", "FAMILIES", "PLAYED", "Family"]
