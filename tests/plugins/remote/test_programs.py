"""A whole game by two real programs, while both and their broker are killed repeatedly."""

import contextlib
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests.support.waiting import PATIENCE_S, wait_until

from .two_programs import LINK, Player, fronts

OUTAGE_S = 600
"""How long the broker is away, in the test of a long outage."""


def agree(players):
    """Return whether both have the same moves and nothing is waiting."""
    ann, bob = players
    return ann.moves() == bob.moves() and not ann.now["devices"]["remote"]["say"] + bob.now["devices"]["remote"]["say"]


def step(players):
    """Play until at least one more move is made."""
    before, end = len(players[0].moves()), time.monotonic() + PATIENCE_S
    while len(players[0].moves()) == before:
        assert time.monotonic() < end, [each.now for each in players]
        for each in players:
            each.act()
        time.sleep(0.02)


@pytest.fixture
def players(broker, tmp_path):
    at = broker()
    with contextlib.ExitStack() as closing, ThreadPoolExecutor() as both:
        made = list(both.map(lambda seat: Player(seat, tmp_path, at.url), (0, 1)))
        for each in made:
            closing.callback(each.close)
        yield at, made


def test_two_programs_meet_deal_and_play(players):
    _, both = players
    wait_until(lambda: all(len(each.cards) == 6 for each in both))
    assert [each.table.get("/api/invite").get("table") for each in both] == [LINK, None]
    for _ in range(2):  # both lay away, and one plays
        step(both)
    wait_until(lambda: agree(both))
    assert [body["type"] for _, body in both[0].moves()][:2] == ["starter", "play"]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--invite", "bob"], "set report.brokers"),
        (["--invite", "bob", "--demo"], "Leave out --demo and --against"),
        (["--join", LINK, "--game", "five-card"], "Leave out --game, --dealer and --option"),
        (["--invite", "bob", "--game", "swap"], "six-card or five-card cribbage"),
        (["--invite", "bob", "--option", "counting=manual"], "leave out counting=manual"),
        (["--invite", "my board"], "a name of up to 64 letters"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(tmp_path, flags, said):
    broker = [] if "report.brokers" in said else ["--set", "report.brokers=mqtt://localhost"]
    plain = ["--port", "0", "--journal", str(tmp_path / "journal.sqlite3"), "--set", "announce=off"]
    done = CliRunner().invoke(main, ["play", *plain, *broker, *flags])
    assert (done.exit_code, said in done.output) == (2, True), done.output


@pytest.mark.long
def test_a_whole_game_outlives_kills(players):
    at, both = players
    ann, bob = both
    chance, moves = random.Random(5), 0
    wait_until(lambda: len(ann.cards) == len(bob.cards) == 6)
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
    wait_until(lambda: agree(both))
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


@pytest.mark.long
def test_a_deal_outlives_a_long_outage(players):
    at, both = players
    wait_until(lambda: len(both[0].cards) == len(both[1].cards) == 6)
    for _ in range(3):
        step(both)
    wait_until(lambda: agree(both))  # or the guest could lack the last move
    before = both[0].moves()
    at.kill()
    for each in both:  # what can be done alone is done, and is not lost
        each.act()
    time.sleep(OUTAGE_S / 2)
    for each in both:
        each.kill()
    for each in both:
        each.start()
        assert each.moves()[: len(before)] == before
    time.sleep(OUTAGE_S / 2)
    at.start()
    for _ in range(10):
        step(both)
    wait_until(lambda: agree(both))
    made = [json.dumps(body) for _, body in both[0].moves() if body["type"] == "play"]
    assert len(made) == len(set(made))
