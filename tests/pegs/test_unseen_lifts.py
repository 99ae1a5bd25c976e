"""Two pegs on one lane, of which one came from a hole whose sensor has died: nothing shows whose peg is whose."""

import pytest


@pytest.fixture
def lane(table):
    """Return a lane whose sensor in Red's front hole has died; Blue's and then Red's peg came to rest on it."""
    t = table(board_name="loop-60", stands={0: (-1, 0), 1: (72, 88)})
    dead = "red-start-1"
    for _ in range(7):
        t.lift(dead, after=150)
        t.place(dead, after=150)
    t.lift(dead, after=150)
    assert t.short_events == ["quarantined"]
    t.lift("lane-42", after=3000)
    t.place("lane-16", after=600)  # 106 for Blue, 16 for Red
    t.place("lane-4", after=300)  # 94 for Blue, 4 for Red
    return t


def test_the_players_are_asked_once(lane):
    lane.wait(20_000)
    assert lane.short_events == ["quarantined", ("unclear", None)]


@pytest.mark.parametrize("scores", [(4, 106), (16, 94)])
def test_scores_given_on_a_phone_decide_whose_peg_is_whose(lane, scores):
    lane.wait(5000)
    lane.adopt(*scores)
    assert lane.fronts == list(scores)
    assert lane.reader.open_questions == ()


def test_taking_the_board_as_it_stands_lets_the_game_go_on(lane):
    lane.play("wait 5000, take_board")
    assert lane.fronts == [4, 106]
    lane.lift("lane-58", after=2000)  # Blue's back peg
    lane.play("place lane-20 @600, wait 1500")
    assert lane.short_events[2:] == ["resolved", ("pegged", 1, 4)]
