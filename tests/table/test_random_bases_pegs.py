"""Whole games of 'Round the Bases: sixteen pegs always suffice and are always guided."""

import random

import pytest

from companion.common.errors import IllegalMove
from companion.pegs import marker_reader
from companion.rules.cards import PACK
from companion.rules.moves import Adjust, Next, Steal
from tests.support.table_driver import Hands

PEGS = 16


class Players(Hands):
    """Players whose cards and dice come at random."""

    def __init__(self, seed: int, **plan_of: object) -> None:
        self.chance = random.Random(seed)
        self.pack = list(PACK)
        super().__init__("bases", **plan_of)

    def act(self) -> None:
        view, draw = self.snapshot.view, self.chance.random()
        if draw < 0.03:
            self.press("undo")
        elif view["phase"] == "roll":
            self.press("dice", (self.chance.randint(1, 6), self.chance.randint(1, 6)))
        elif view["phase"] == "over":
            self.move(Next())
        elif view["phase"] == "between" and view["steals"] and draw < 0.5:
            self.move(Steal(view["batting"], view["steals"][0]))
        elif view["phase"] == "between" and draw < 0.6:
            self.move(Adjust(self.chance.randrange(2), self.chance.choice((-1, 1, 7))))
        else:
            self.card(view)

    def card(self, view: dict) -> None:
        """The next card that will be taken, else a go."""
        if view["phase"] in ("cut", "between"):
            self.chance.shuffle(self.pack)
        self.rest(2000)
        before = (self.core.past, self.core.pending_cards)
        for found in self.pack:
            self.scan(str(found))
            if (self.core.past, self.core.pending_cards) != before:
                return
        self.press(f"go:{view['turn']}")

    def follow_advice(self) -> None:
        """Every peg as advised; then there is nothing to say."""
        for advice in self.snapshot.advice:
            assert advice.kind in ("peg_forward", "peg_back")
            self.peg(advice.lift, advice.place)
        self.rest()
        assert self.snapshot.advice == ()


@pytest.mark.parametrize(("seed", "plan_of"), [(1, {}), (2, {"seats": 4}), (3, {"options": {"preset": "harsh"}})])
def test_sixteen_pegs_are_always_led_to_where_the_game_says(seed, plan_of):
    players, ends = Players(seed, **plan_of), 0
    for _ in range(700):
        try:
            players.act()
        except IllegalMove:
            continue
        assert marker_reader.count_pegs(players.core.course.known.expected) == PEGS
        assert len({advice.place for advice in players.snapshot.advice}) == len(players.snapshot.advice)
        ends += players.snapshot.view["phase"] == "over"
        if players.chance.random() < 0.2:
            players.follow_advice()
    players.follow_advice()
    assert len(players.holes) == PEGS
    assert ends
