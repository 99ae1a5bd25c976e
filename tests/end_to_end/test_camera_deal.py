"""A whole deal by camera: the real program watches a marked spot, and everything is said by the cards but go."""

import json
import random

import pytest

from companion.rules.cards import PACK
from companion.rules.play import MAX_COUNT, begin_play, play_card, say_go
from tests.plugins.cards.spot import add_noise, draw_spot, reach_over, write_picture

NO_BOARD = ("--sensors", "none:", "--lights", "none:", "--buttons", "none:")
STARTER, NEXT_STARTER = "5D", "6H"
PLAY = ("KD", "JC", "TS", "go", "go", "9H", "8C", "3S", "4H", "2D")
"""Blue leads. At 30 neither can play: the only thing that no card says."""
CRIB = ("2C", "3C", "9C", "KC")


class Spot:
    """The spot as its camera sees it: a folder of pictures."""

    def __init__(self, folder):
        self._folder, self._count, self._card = folder, 0, None

    def show(self, picture, frames):
        for seed in range(frames):
            write_picture(self._folder, self._count, add_noise(picture, self._count % 4 + seed))
            self._count += 1

    def lay(self, card):
        """A hand takes the last card away and lays the next one."""
        self.show(reach_over(draw_spot(self._card)), 1)
        self._card = card
        self.show(reach_over(draw_spot(card)), 1)
        self.show(draw_spot(card), 3)

    def hide(self):
        """A hand lies over the card for a while, then the card is seen again."""
        self.show(reach_over(draw_spot(self._card)), 4)
        self.show(draw_spot(self._card), 3)


@pytest.fixture
def spot(tmp_path):
    folder = tmp_path / "spot"
    folder.mkdir()
    seen = Spot(folder)
    seen.show(draw_spot(), 3)
    return seen


def test_a_whole_deal_is_played_by_laying_cards_on_the_spot(program, spot, tmp_path):
    camera = f"camera:folder:{tmp_path / 'spot'}?fps=60"
    table = program(*NO_BOARD, "--cards", camera, "--set", "repeat_ms=0")
    taps = 0

    def lay(card):
        before = table.state
        spot.lay(card)
        return table.until(lambda now: (now["moves"], now["crib"]) != (before["moves"], before["crib"]))

    assert lay(STARTER)["starter"] == STARTER
    spot.hide()
    for card in PLAY:
        if card == "go":
            table.move("go", seat=table.state["turn"])
            taps += 1
        else:
            lay(card)
    assert (table.state["phase"], table.state["played"]) == (
        "crib",
        [["JC", "9H", "3S", "2D"], ["KD", "TS", "8C", "4H"]],
    )
    for card in CRIB:
        lay(card)
    now = table.state
    assert (now["phase"], now["scores"], now["crib"]) == ("between", [12, 5], list(CRIB))
    spot.hide()
    now = lay(NEXT_STARTER)
    assert (now["phase"], now["dealer"], now["starter"], now["notices"]) == ("play", 1, NEXT_STARTER, [])
    assert taps <= 3
    _, headers, jpeg = table.ask("GET", "/api/workshop/cameras/0")
    assert [card["card"] for card in json.loads(headers["Spot"])["cards"]] == [NEXT_STARTER]
    assert jpeg.startswith(b"\xff\xd8")


def count_goes(rng, choose):
    """Return how often go is said if each player plays what `choose` takes of the cards that fit."""
    dealt, play, goes = rng.sample(PACK, 8), begin_play(2, 1), 0
    hands = [dealt[:4], dealt[4:]]
    while play.turn is not None:
        hand = hands[play.turn]
        if fitting := [card for card in hand if play.count + card.value <= MAX_COUNT]:
            card = choose(rng, fitting)
            hand.remove(card)
            play = play_card(play, play.turn, card)[0]
        else:
            goes, play = goes + 1, say_go(play, play.turn)[0]
    return goes


@pytest.mark.parametrize(
    "choose", [lambda rng, cards: rng.choice(cards), lambda _, cards: max(cards), lambda _, cards: min(cards)]
)
def test_few_deals_need_more_than_three_taps(choose):
    rng = random.Random(1)

    taps = [count_goes(rng, choose) for _ in range(500)]

    assert max(taps) <= 4
    assert sum(count > 3 for count in taps) <= 25
