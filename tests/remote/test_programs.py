"""A whole game by two real programs, while both and their broker are killed again and again."""

import contextlib
import json
import random
import time

import pytest
from brokers import until

from .two import Player, fronts


def agree(players):
    """Whether both have the same moves and nothing waits."""
    ann, bob = players
    return ann.moves() == bob.moves() and not ann.now["devices"]["remote"]["say"] + bob.now["devices"]["remote"]["say"]


def step(players, seconds=60):
    """One more move, by whosever turn it is; both then have it."""
    before, end = len(players[0].moves()), time.monotonic() + seconds
    while len(players[0].moves()) == before:
        assert time.monotonic() < end, [each.now for each in players]
        for each in players:
            each.act()
        time.sleep(0.02)


@pytest.fixture
def players(broker, tmp_path):
    at = broker()
    with contextlib.ExitStack() as closing:
        made = [Player(seat, tmp_path, at.url) for seat in (0, 1)]
        for each in made:
            closing.callback(each.close)
        yield at, made


@pytest.mark.long
def test_a_whole_game_outlives_programs_and_brokers_that_are_killed(players):
    at, both = players
    ann, bob = both
    chance, moves = random.Random(5), 0
    until(lambda: len(ann.cards) == len(bob.cards) == 6, 60)
    while ann.now["phase"] != "over":
        step(both)
        moves += 1
        for each in both:
            each.peg()
        if moves % 6:
            continue
        killed = chance.choice([[ann], [bob], [at], [ann, bob], [ann, at], [bob, at]])
        for each in killed:
            each.kill()
        for each in both:  # who is left does what can be done alone
            if each not in killed:
                each.act()
        for each in killed:
            each.start()
    until(lambda: agree(both), 60)
    made = [body for _, body in ann.moves()]
    assert len(made) > 60
    assert ann.now["scores"] == bob.now["scores"]
    for each in both:
        each.peg()
        assert fronts(each) == ann.now["scores"]
    deal = []
    for body in made:  # no card is played twice, no deal counted twice
        deal = [] if body["type"] == "next" else [*deal, *([json.dumps(body)] if body["type"] != "go" else [])]
        assert len(set(deal)) == len(deal)
