"""A player at the table: warmed up before the first card, and as good as its level."""

import subprocess
import sys

import pytest

from companion.coach import skill_levels
from companion.coach.skill_levels import GameTerms
from companion.common.constants import SKILL_LEVELS
from companion.rules import Setup, find_game
from companion.rules.cards import PACK, parse_cards

ASKED = """
import sys
from companion.coach import skill_levels
from companion.coach.skill_levels import GameTerms
from companion.rules import Setup, find_game
from companion.rules.cards import parse_cards
key = "{key}"
game = find_game(key)
terms = GameTerms(key, 2, game.target, {{}})
skill_levels.warm_up(terms)
opened = []
sys.addaudithook(lambda event, given: event == "open" and opened.append(str(given[0])))
skill_levels.choose_hand(terms, game.view(game.start(Setup(2, 0, {{}}))), 0, parse_cards("{cards}"))
print([path for path in opened if path.endswith(".json")])
"""


@pytest.mark.parametrize(("key", "cards"), [("six-card", "2C 4D 7H 9S TC KD"), ("five-card", "2C 4D 7H 9S TC")])
def test_a_first_decision_reads_no_table(key, cards):
    """Runs in a process of its own, because other tests have filled the caches of this one."""
    script = ASKED.format(key=key, cards=cards)
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_each_level_discards_in_its_own_way():
    six = find_game("six-card")
    view = six.view(six.start(Setup(2, 0, {})))
    kept = {}
    for level in SKILL_LEVELS:
        terms = GameTerms("six-card", 2, 121, {}, level)
        kept[level] = [skill_levels.choose_hand(terms, view, 0, PACK[n : n + 41 : 8]) for n in range(9)]
    assert kept["novice"] != kept["club"] != kept["expert"] != kept["novice"]


@pytest.mark.parametrize(("key", "seats"), [("pursuit", 2), ("bases", 2), ("six-card", 3), ("five-card", 4)])
def test_other_games_have_no_coach(key, seats):
    game = find_game(key)
    terms = GameTerms(key, seats, game.target, {})
    view = game.view(game.start(Setup(seats, 0, {"innings": "3", "preset": "standard"})))
    skill_levels.warm_up(terms)
    assert skill_levels.choose_hand(terms, view, 0, parse_cards("2C 4D 7H 9S TC")) is None
    assert skill_levels.choose_card(terms, view, 0, parse_cards("2C 4D"), ()) is None
