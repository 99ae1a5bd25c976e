"""Dues and advice as docs/reference/http.md specifies them: which peg moves to which hole."""

import pytest

from companion.display.lights import paint_frame
from companion.rules.moves import Adjust
from tests.support.table_driver import Hands


def dues_of(hands: Hands) -> list[tuple[int, int, str, str]]:
    return [(d.seat, d.points, d.lift, d.place) for d in hands.snapshot.dues]


def advice_fields(hands: Hands) -> list[dict[str, object]]:
    """The advice, without its sentence and the fields that do not apply."""
    return [{k: v for k, v in _fields(a) if v is not None and k != "say"} for a in hands.snapshot.advice]


def _fields(advice):
    return [(k, getattr(advice, k)) for k in ("kind", "seat", "points", "by", "hole", "lift", "place")]


def cut_jack(**plan_of: object) -> Hands:
    """Red has two for a jack."""
    return Hands("six-card", **plan_of).play("cut JD")


def peg_scores(*points: int) -> Hands:
    """Red has pegged these scores by adjustment, one after the other."""
    hands = Hands("six-card")
    for each in points:
        hands.move(Adjust(0, each))
        hands.peg_dues()
    return hands


def test_what_is_not_pegged_is_one_due_of_the_sum_an_adjustment_included():
    hands = cut_jack().play("0 adjusts 3")
    hands.play("dues 0 5 red-start-2 red-5, 0 adjusts -4, dues 0 1 red-start-2 red-1, 0 adjusts -1, dues none")


def test_each_side_has_its_due_and_the_back_peg_is_lifted():
    hands = cut_jack().play("1 TH, 0 5H, 1 5C")
    hands.play("dues 0 4 red-start-2 red-4 1 2 blue-start-2 blue-2, peg_dues, 1 adjusts 6")
    hands.play("dues 1 6 blue-start-1 blue-8")
    assert advice_fields(hands) == [
        {"kind": "peg_forward", "seat": 1, "points": 6, "lift": "blue-start-1", "place": "blue-8"}
    ]


def test_an_undo_takes_the_front_peg_back_to_the_hole_it_came_from():
    hands = peg_scores(4, 6).play("undo")
    assert dues_of(hands) == [(0, -6, "red-10", "red-start-1")]
    assert advice_fields(hands) == [
        {"kind": "peg_back", "seat": 0, "points": -6, "lift": "red-10", "place": "red-start-1"}
    ]
    hands.play("peg_dues, stands 0 red-4 red-start-1")


def test_points_taken_back_put_the_front_peg_in_the_hole_of_the_score():
    hands = peg_scores(4, 6).play("0 adjusts -3")
    hands.play("dues 0 -3 red-10 red-7, peg_dues, stands 0 red-7 red-4")


def test_a_back_peg_at_or_beyond_the_score_goes_first_to_the_free_hole_behind_it():
    hands = peg_scores(4, 6).play("0 adjusts -7")
    hands.play("dues 0 -7 red-4 red-2, peg red-4 red-2, rest, dues 0 -7 red-10 red-3, peg_dues, stands 0 red-3 red-2")


def test_at_0_the_back_peg_goes_to_the_farther_start_hole_and_the_front_peg_to_the_nearer():
    hands = peg_scores(4, 6).play("0 adjusts -10")
    hands.play("dues 0 -10 red-4 red-start-2, peg red-4 red-start-2, rest, dues 0 -10 red-10 red-start-1, peg_dues")
    hands.play("stands 0 red-start-1 red-start-2")


@pytest.mark.parametrize(("hole", "kind", "by"), [("red-3", "over_pegged", 1), ("red-1", "under_pegged", 1)])
def test_too_far_or_too_short_is_named_by_how_much_and_goes_when_the_peg_is_lifted(hole: str, kind: str, by: int):
    hands = cut_jack()
    hands.peg("red-start-2", hole)
    hands.rest()
    assert advice_fields(hands) == [
        {"kind": kind, "seat": 0, "points": 2, "by": by, "hole": hole, "lift": hole, "place": "red-2"}
    ]
    assert dues_of(hands) == [(0, 2, "red-start-2", "red-2")]
    hands.carry(hole, None)
    assert [a["kind"] for a in advice_fields(hands)] == ["peg_forward"]
    hands.play("carry - red-2, rest")
    assert (dues_of(hands), advice_fields(hands)) == ([], [])


def test_the_front_peg_moved_instead_of_the_back_one_is_as_good():
    hands = peg_scores(4).play("0 adjusts 6, peg red-4 red-10, rest")
    assert (dues_of(hands), advice_fields(hands)) == ([], [])
    assert (hands.snapshot.pegs[0].front, hands.snapshot.pegs[0].back) == ("red-10", "red-start-1")


def test_another_players_peg_in_the_due_hole_is_the_wrong_peg():
    hands = cut_jack().play("peg blue-start-2 red-2, rest")
    assert advice_fields(hands) == [
        {"kind": "wrong_peg", "seat": 0, "hole": "red-2", "lift": "red-2", "place": "blue-start-2"}
    ]
    hands.play("peg red-2 blue-start-2, rest")
    assert [a["kind"] for a in advice_fields(hands)] == ["peg_forward"]


def test_a_peg_on_anothers_track_is_led_back():
    hands = cut_jack().play("peg red-start-2 blue-2, rest")
    assert advice_fields(hands) == [
        {"kind": "wrong_track", "seat": 0, "hole": "blue-2", "lift": "blue-2", "place": "red-start-2"}
    ]


def test_a_player_who_pegs_another_players_due_is_shown_it():
    hands = cut_jack().play("peg blue-start-2 blue-2, rest")
    assert advice_fields(hands)[0] == {
        "kind": "other_pegged", "seat": 1, "hole": "blue-2", "lift": "blue-2", "place": "blue-start-2"
    }  # fmt: skip
    assert hands.snapshot.advice[0].say == "Blue pegged 2, but Red's 2 are due."
    assert [(a["kind"], a["seat"]) for a in advice_fields(hands)[1:]] == [("peg_forward", 0)]


def test_a_peg_moved_where_nothing_is_due_is_to_be_put_back():
    hands = Hands("six-card").play("peg red-start-2 red-7, rest")
    assert advice_fields(hands) == [
        {"kind": "put_back", "seat": 0, "hole": "red-7", "lift": "red-7", "place": "red-start-2"}
    ]


def test_partners_are_sides_in_pegs_dues_and_advice():
    hands = Hands("six-card", seats=4, dealer=2).play("cut JD")
    assert dues_of(hands) == [(0, 2, "red-start-2", "red-2")]
    assert advice_fields(hands) == [
        {"kind": "peg_forward", "seat": 0, "points": 2, "lift": "red-start-2", "place": "red-2"}
    ]
    assert [p.seat for p in hands.snapshot.pegs] == [0, 1]
    hands.play("3 TH, 0 5H, 1 5C")
    assert [(seat, points) for seat, points, _, _ in dues_of(hands)] == [(0, 4), (1, 2)]


def play_on_circle() -> Hands:
    """Two to 121 on the circle: Blue, at 2, stands in Red's hole of 32."""
    hands = Hands("six-card", board="pursuit").play("1 adjusts 2")
    hands.peg_dues()
    return hands


def test_a_peg_waits_in_the_start_while_its_hole_is_taken_and_its_next_due_starts_there():
    hands = play_on_circle().play("0 adjusts 20, peg_dues, 0 adjusts 10, peg_dues, 0 adjusts 2")
    assert dues_of(hands) == [(0, 2, "circle-20", "circle-left-start-1")]
    assert advice_fields(hands) == [
        {"kind": "waiting", "seat": 0, "points": 2, "lift": "circle-20", "place": "circle-left-start-1"}
    ]
    hands.peg_dues()
    assert (hands.snapshot.view["scores"], advice_fields(hands)) == ([32, 2], [])
    hands.play("stands 0 circle-left-start-1 circle-30, undo, dues 0 -2 circle-left-start-1 circle-20, 0 adjusts 5")
    hands.play("dues 0 3 circle-left-start-1 circle-35, peg_dues, stands 0 circle-35 circle-30")


def test_while_both_pegs_are_in_the_start_the_peg_waits_where_it_is_until_the_hole_is_free():
    hands = play_on_circle().play("0 adjusts 32")
    assert dues_of(hands) == []
    assert [a["kind"] for a in advice_fields(hands)] == ["waiting"]
    for points in (5, 6):
        hands.move(Adjust(1, points))
        hands.peg(hands.snapshot.dues[0].lift, hands.snapshot.dues[0].place)
        hands.rest()
    assert dues_of(hands) == [(0, 32, "circle-left-start-2", "circle-32")]


def test_a_new_game_brings_home_a_peg_that_waits_in_the_start():
    hands = play_on_circle().play("0 adjusts 20")
    hands.play("peg_dues, 0 adjusts 12, peg_dues")
    assert hands.snapshot.pegs[0].front in ("circle-left-start-1", "circle-left-start-2")
    hands.play("1 adjusts 119, next, peg_dues")
    assert (advice_fields(hands), hands.snapshot.question) == ([], None)
    assert hands.holes == {hole for way in hands.core.plan.routes for hole in way.start}


def test_a_wrong_peg_blinks_red_and_the_place_of_one_that_is_out_pulses_white():
    hands = cut_jack().play("peg red-start-2 red-3, rest, carry blue-start-1 -, rest 10000")
    assert {"kind": "put_back", "seat": 1, "hole": "blue-start-1", "place": "blue-start-1"} in advice_fields(hands)
    board = hands.core.plan.board
    frames = [paint_frame(board, hands.snapshot, ms) for ms in range(0, 1000, 50)]
    wrong, *places = ([f[board.by_id[h].pixel] for f in frames] for h in ("red-3", "red-2", "blue-start-1"))
    assert all(red > 0 and (green, blue) == (0, 0) for red, green, blue in wrong)
    assert all(len(set(colour)) == 1 and min(colour) > 0 for frame in places for colour in frame)


def test_a_whole_lap_taken_back_is_done_where_the_pegs_stand():
    hands = play_on_circle().play("0 adjusts 40, peg_dues, 0 adjusts 24, peg_dues, 0 adjusts 1, peg_dues")
    hands.play("0 adjusts -60")
    assert (dues_of(hands), advice_fields(hands)) == ([], [])
    hands.play("stands 0 circle-5 circle-4, 0 adjusts 2, dues 0 2 circle-4 circle-7")


def test_a_back_peg_two_laps_ahead_makes_way_once():
    hands = play_on_circle().play("0 adjusts 59, peg_dues, 0 adjusts 40, peg_dues, 0 adjusts 10, peg_dues")
    hands.play("stands 0 circle-49 circle-39, 0 adjusts -89, dues 0 -89 circle-39 circle-19, peg circle-39 circle-19")
    hands.play("rest, dues 0 -89 circle-49 circle-20, peg_dues")
    assert (advice_fields(hands), hands.snapshot.pegs[0].back) == ([], "circle-19")
