"""Sackson's swap at the table: exchanges by taps, the score pegged on a track of 61 holes."""

from random import Random

import pytest

from companion.common.errors import IllegalMove
from companion.rules.moves import Exchange, Lay, Return, Take
from companion.rules.sackson import grid
from tests.support.swap_player import choose_swap_move
from tests.support.table_driver import Hands


def dues_of(hands: Hands) -> list[tuple[int, int, str, str]]:
    return [(due.seat, due.points, due.lift, due.place) for due in hands.snapshot.dues]


def play_until_figure(hands: Hands, seed: int = 0) -> tuple[int, str]:
    """Sensible players play on until one has made a figure: who, and which."""
    chance = Random(seed).random
    for _ in range(200):
        move = choose_swap_move(hands.core.plan.game.view(hands.core.past.state), {}, chance)
        hands.move(move)
        if isinstance(move, Exchange) and hands.core.recent_awards[-1]:
            return move.seat, hands.core.recent_awards[-1][0].reason
    raise AssertionError("no figure came")


def test_exchanges_are_pegged_as_what_their_figure_is_worth():
    hands = Hands("swap")
    seat, _ = play_until_figure(hands)
    name = ("red", "blue")[seat]
    assert dues_of(hands) == [(seat, 5, f"{name}-start-2", f"{name}-5")]
    assert hands.snapshot.advice[0].say == f"{name.title()}: back peg to 5."
    hands.peg(f"{name}-start-2", f"{name}-5")
    hands.play("rest, dues none")
    assert hands.snapshot.pegs[seat].front == f"{name}-5"


def test_a_peg_too_far_is_reported_with_the_figure_that_counts():
    hands = Hands("swap")
    seat, reason = play_until_figure(hands)
    name = ("red", "blue")[seat]
    hands.peg(f"{name}-start-2", f"{name}-7")
    hands.rest()
    (told,) = [advice for advice in hands.snapshot.advice if advice.kind == "over_pegged"]
    assert (told.seat, told.by, told.hole) == (seat, 2, f"{name}-7")
    assert told.say.startswith(f"{name.title()} pegged 7, the count is 5")
    assert reason.replace("zigzag", "zig") in told.say.replace("-", "")


def test_an_exchange_undone_takes_its_peg_back():
    hands = Hands("swap")
    seat, _ = play_until_figure(hands)
    name = ("red", "blue")[seat]
    hands.peg(f"{name}-start-2", f"{name}-5")
    hands.play("rest, undo")
    assert dues_of(hands) == [(seat, -5, f"{name}-5", f"{name}-start-2")]
    hands.peg(f"{name}-5", f"{name}-start-2")
    hands.play("rest, dues none")


def test_the_peg_stops_in_the_last_hole_though_the_score_goes_on():
    hands = Hands("swap").play("0 adjusts 59, peg red-start-2 red-59, rest")
    while play_until_figure(hands)[0] != 0:
        pass
    while hands.snapshot.view["phase"] == "return":
        hands.move(Return(0, hands.snapshot.view["held"][0][0]))
    shown = hands.snapshot
    assert shown.view["scores"][0] > 61
    assert (shown.view["phase"], shown.view["winner"]) == ("over", 0)
    assert dues_of(hands)[0] == (0, 2, "red-start-1", "red-61")
    assert [mark.hole for mark in shown.light_effects if mark.kind == "won"] == ["red-61"]
    hands.play("peg red-start-1 red-61, rest")
    assert [due for due in hands.snapshot.dues if due.seat == 0] == []
    hands.rest(20_000)
    assert hands.snapshot.question is None


def test_taking_the_winning_exchange_back_takes_only_what_was_pegged():
    hands = Hands("swap").play("1 adjusts 60, peg blue-start-2 blue-60, rest, 1 adjusts 9")
    assert (hands.snapshot.view["scores"][1], dues_of(hands)) == (69, [(1, 1, "blue-start-1", "blue-61")])
    hands.play("peg blue-start-1 blue-61, rest, undo")
    assert (hands.snapshot.view["scores"][1], dues_of(hands)) == (60, [(1, -1, "blue-61", "blue-start-1")])


def test_four_peg_for_their_sides_and_pass_the_chip_to_the_partner():
    hands = Hands("swap", seats=4)
    seat, _ = play_until_figure(hands)
    name = ("red", "blue")[seat % 2]
    assert dues_of(hands) == [(seat % 2, 5, f"{name}-start-2", f"{name}-5")]


def test_a_new_game_lights_every_peg_home_and_the_loser_begins():
    hands = Hands("swap").play("0 adjusts 61, peg red-start-2 red-61, rest, next")
    assert hands.snapshot.view["turn"] == 1
    while hands.snapshot.dues:
        due = hands.snapshot.dues[0]
        hands.peg(due.lift, due.place)
        hands.rest()
    assert {hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back} == {"red-start-1", "red-start-2"}


def test_a_pegs_answer_to_nothing_is_asked_and_makes_no_move():
    hands = Hands("swap").play("peg red-start-2 red-4, rest 3000")
    assert hands.snapshot.question is not None
    assert hands.snapshot.view["scores"] == [0, 0]


def test_cards_are_no_matter_of_this_game():
    hands = Hands("swap").play("scan 5H")
    assert "tiles and chips" in hands.snapshot.notices[-1].say


def test_an_exchange_that_leaves_a_marker_alone_says_which():
    hands = Hands("swap")
    hands.move(Take(0, ("red", "yellow")))
    legal = {(tuple(a), tuple(b)) for a, b in hands.snapshot.view["legal"]}
    rows = hands.snapshot.view["display"]
    cells = [(r, c) for r in range(5) for c in range(5)]
    alone = next(
        (a, b)
        for a in cells
        for b in cells
        if rows[a[0]][a[1]] == "red" and rows[b[0]][b[1]] == "yellow" and (a, b) not in legal
    )
    before = hands.core
    with pytest.raises(IllegalMove, match=r"(red|yellow) tile"):
        hands.move(Exchange(0, *alone))
    assert hands.core is before


def test_a_random_start_is_laid_before_anybody_takes():
    hands = Hands("swap", options={"start": "random"})
    assert hands.snapshot.view["phase"] == "lay"
    hands.move(Lay(colours=tuple(name for row in grid.colour_rows(grid.FIXED_START) for name in row)))
    assert (hands.snapshot.view["phase"], hands.snapshot.view["turn"]) == ("take", 0)
