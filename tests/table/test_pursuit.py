"""Pursuit at the table: told as stories of hands, on one lane that everybody shares."""

import pytest
from hands import Hands

from companion.rules.cards import card
from companion.rules.moves import Adjust, Play, Starter

LOOPS = {
    2: ("circle-left", "circle-right"),
    3: ("upper-left", "apex", "upper-right"),
    4: ("lower-left", "upper-left", "upper-right", "lower-right"),
    5: ("lower-left", "upper-left", "apex", "upper-right", "lower-right"),
}
"""Where each of so many players starts."""


class Chase(Hands):
    """Someone at a table of pursuit. Seat 0 leads; with a ten and a five the one who plays second has two."""

    def __init__(self, seats: int, **options: str) -> None:
        super().__init__("pursuit", seats=seats, dealer=seats - 1, options=options)

    def at(self, *scores: int) -> None:
        """Everybody has so many points, by adjustment, and the pegs stand there."""
        for seat, score in enumerate(scores):
            if score:
                self.move(Adjust(seat, score))
        self.peg_dues()

    def peg_dues(self) -> None:
        """All pegs to where they are due."""
        while dues := self.shown.dues:
            self.peg(dues[0].lift, dues[0].place)
            self.rest()

    def fifteen(self) -> None:
        """A new deal, in which the second to play has two."""
        self.move(Starter(card("2D")))
        for code in ("5H", "TH"):
            self.move(Play(self.shown.view["turn"], card(code)))

    def obey(self, *kinds: str) -> None:
        """Do all that is advised, of these kinds, one peg after the other."""
        for _ in range(20):
            todo = [a for a in self.shown.advice if a.kind in kinds]
            if not todo:
                return
            self.carry(todo[0].lift, todo[0].place)
            self.rest()
        raise AssertionError(f"there is no end: {todo}")

    def carry(self, lift: str | None, place: str | None) -> None:
        """A peg from a hole, or from beside the board; to a hole, or off the board."""
        by_id = self.core.plan.board.by_id
        if lift:
            self.holes.remove(by_id[lift].bit)
            self._see()
            self.rest(200)
        if place:
            self.holes.add(by_id[place].bit)
            self._see()

    def advised(self, kind: str) -> list[tuple[int | None, str | None, str | None]]:
        return [(a.seat, a.lift, a.place) for a in self.shown.advice if a.kind == kind]

    def standing(self) -> list[tuple[int, str, str]]:
        return [(p.seat, p.front, p.back) for p in self.shown.pegs]


def starting(seats: int, *players: int) -> list[tuple[int, str, str]]:
    """The pegs of these players in the start holes of a loop for so many."""
    return [(p, f"{at}-start-1", f"{at}-start-2") for p, at in zip(players, LOOPS[seats], strict=True)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_starts_at_his_own_place_and_the_first_points_go_clockwise(seats: int):
    hands = Chase(seats)
    assert hands.standing() == starting(seats, *range(seats))
    hands.fifteen()
    (due,) = hands.shown.dues
    way = hands.core.plan.board.routes[seats][1].way
    assert (due.seat, due.points, due.lift) == (1, 2, f"{LOOPS[seats][1]}-start-2")
    assert hands.core.plan.board.by_id[due.place].bit == way[1]
    hands.peg_dues()
    assert hands.standing()[1] == (1, due.place, f"{LOOPS[seats][1]}-start-1")
    assert not hands.shown.advice


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_is_out_is_named_and_those_left_are_led_to_the_next_loop(seats: int):
    hands = Chase(seats)
    hands.move(Adjust(1, 28))
    hands.peg_dues()
    before = hands.standing()
    hands.fifteen()
    out, left = 2, [s for s in range(seats) if s != 2]
    assert hands.shown.last["knocked_out"] == [out]
    assert (hands.shown.pegs, hands.shown.dues, hands.shown.question) == ((), (), None)
    took = hands.advised("take_off")
    assert {(seat, lift) for seat, lift, _ in took} == {(out, before[out][1]), (out, before[out][2])}
    assert {a.say for a in hands.shown.advice if a.kind == "take_off"} == {"Green is out: take this peg off the board."}
    hands.obey("take_off")
    assert not hands.shown.pegs
    hands.obey("set_up")
    assert hands.standing() == starting(seats - 1, *left)
    assert not hands.shown.advice
    hands.move(Starter(card("JD")))
    assert [(d.seat, d.points) for d in hands.shown.dues] == [(1, 2)]
    hands.peg_dues()
    assert hands.shown.view["scores"][1] == 2
    assert hands.told[-1].seat == 1
