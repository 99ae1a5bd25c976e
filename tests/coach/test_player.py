"""A player at the table: warmed up before the first card, and as good as its level."""

import subprocess
import sys

import pytest

from companion.coach import player
from companion.coach.player import GameTerms
from companion.common.constants import SKILL_LEVELS
from companion.rules import Setup, find_game
from companion.rules.cards import PACK, parse_cards

ASKED = """
import sys
from companion.coach import player
from companion.coach.player import GameTerms
from companion.rules import Setup, find_game
from companion.rules.cards import parse_cards
key = "{key}"
game = find_game(key)
terms = GameTerms(key, 2, game.target, {{"innings": "3", "preset": "standard", "capture_peg": "back"}})
player.warm_up(terms)
opened = []
sys.addaudithook(lambda event, given: event == "open" and opened.append(str(given[0])))
player.choose_hand(terms, game.view(game.start(Setup(2, 0, {{}}))), 0, parse_cards("2C 4D 7H 9S TC KD"))
print([path for path in opened if path.endswith(".json")])
"""


@pytest.mark.parametrize("key", ["bases", "pursuit"])
def test_who_is_warmed_up_reads_no_table_at_the_first_decision(key):
    """Runs in a process of its own, because other tests have filled the caches of this one."""
    told = subprocess.run([sys.executable, "-c", ASKED.format(key=key)], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_each_level_lays_away_in_its_own_way_and_below_an_expert_other_games_have_no_coach():
    six, held = find_game("six-card"), parse_cards("2C 3D 7H 9S TC KD")
    view = six.view(six.start(Setup(2, 0, {})))
    kept = {
        level: [
            player.choose_hand(GameTerms("six-card", 2, 121, {}, "", level), view, 0, PACK[n : n + 41 : 8])
            for n in range(9)
        ]
        for level in SKILL_LEVELS
    }
    assert kept["novice"] != kept["club"] != kept["expert"] != kept["novice"]
    chased = find_game("pursuit")
    view = chased.view(chased.start(Setup(3, 0, {})))
    assert player.choose_hand(GameTerms("pursuit", 3, 0, {}, "", "club"), view, 1, held[:5]) is None
    assert len(player.choose_hand(GameTerms("pursuit", 3, 0, {}), view, 1, held[:5])) == 4
