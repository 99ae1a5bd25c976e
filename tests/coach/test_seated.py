"""A player at the table: ready before the first card, and as good as its level."""

import subprocess
import sys

import pytest

from companion.coach import player, skill_levels
from companion.coach.player import Agreed
from companion.rules import Setup, game
from companion.rules.cards import PACK, cards

ASKED = """
import time
from companion.coach import seated
from companion.coach.player import Agreed
from companion.rules import Setup, game
from companion.rules.cards import cards
key = "{key}"
made = game(key)
agreed = Agreed(key, 2, made.target, {{"innings": "3", "preset": "standard", "capture_peg": "back"}})
seated.ready(agreed)
begun = time.process_time()
seated.kept(agreed, made.view(made.start(Setup(2, 0, {{}}))), 0, cards("2C 4D 7H 9S TC KD"))
print(time.process_time() - begun)
"""


@pytest.mark.parametrize("key", ["bases", "pursuit"])
def test_who_is_ready_does_not_think_long_the_first_time(key):
    """In a program of its own: elsewhere another test has asked before."""
    told = subprocess.run([sys.executable, "-c", ASKED.format(key=key)], capture_output=True, text=True, check=True)
    assert float(told.stdout) < 0.1


def test_each_level_lays_away_in_its_own_way_and_below_an_expert_other_games_have_no_coach():
    six, held = game("six-card"), cards("2C 3D 7H 9S TC KD")
    view = six.view(six.start(Setup(2, 0, {})))
    kept = {
        level: [player.kept(Agreed("six-card", 2, 121, {}, "", level), view, 0, PACK[n : n + 41 : 8]) for n in range(9)]
        for level in skill_levels.LEVELS
    }
    assert kept["novice"] != kept["club"] != kept["expert"] != kept["novice"]
    chased = game("pursuit")
    view = chased.view(chased.start(Setup(3, 0, {})))
    assert player.kept(Agreed("pursuit", 3, 0, {}, "", "club"), view, 1, held[:5]) is None
    assert len(player.kept(Agreed("pursuit", 3, 0, {}), view, 1, held[:5])) == 4
