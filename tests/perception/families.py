"""All families of stories, by name, in the order of the table: what one hand does, what befalls it, and so on."""

from acts import Family
from families_dues import DUES
from families_games import GAMES
from families_mishaps import MISHAPS
from families_mixed import MIXED
from families_one import ONE
from families_sensors import SENSORS
from families_several import SEVERAL

PEGS_ONLY: dict[str, Family] = ONE | MISHAPS | SEVERAL | SENSORS | GAMES | MIXED
"""Families where pegs alone tell the score."""
FAMILIES: dict[str, Family] = PEGS_ONLY | DUES
"""All families; the last ones, `DUES`, in a card game."""

__all__ = ["DUES", "FAMILIES", "PEGS_ONLY", "Family"]
