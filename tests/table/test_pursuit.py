"""Pursuit at the table: shared lane, knock-outs, shrinking loops, recordings."""

import json
from dataclasses import replace

import pytest

from companion.display.lights import paint_frame
from companion.pegs.events import Pegged
from companion.protocol.json_codec import encode_advice, write_move
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Next, Play, Starter, TakeBoard, Undo
from companion.settings import Settings
from companion.table.recording import describe_table, run_recording
from companion.table.state import create_core, on_tick, restore_pegs
from tests.support.table_driver import Hands

LOOPS = {
    2: ("circle-left", "circle-right"),
    3: ("upper-left", "apex", "upper-right"),
    4: ("lower-left", "upper-left", "upper-right", "lower-right"),
    5: ("lower-left", "upper-left", "apex", "upper-right", "lower-right"),
}
"""Start holes of each player, by the number of players."""


class Chase(Hands):
    """Someone at a table of pursuit. Seat 0 leads; with a ten and a five the one who plays second has two."""

    def __init__(self, seats: int, **options: str) -> None:
        super().__init__("pursuit", seats=seats, dealer=seats - 1, options=options)

    def set_scores(self, *scores: int) -> None:
        for seat, score in enumerate(scores):
            if score:
                self.move(Adjust(seat, score))
        self.peg_dues()

    def deal_fifteen(self) -> None:
        """A new deal, in which the second to play has two."""
        self.move(Starter(parse_card("2D")))
        for code in ("5H", "TH"):
            self.move(Play(self.snapshot.view["turn"], parse_card(code)))

    def follow_advice(self, *kinds: str) -> None:
        """Do all that is advised, of these kinds, one peg after the other."""
        for _ in range(20):
            todo = [a for a in self.snapshot.advice if a.kind in kinds]
            if not todo:
                return
            self.carry(todo[0].lift, todo[0].place)
            self.rest()
        raise AssertionError(f"there is no end: {todo}")

    def advised_moves(self, kind: str) -> list[tuple[int | None, str | None, str | None]]:
        return [(a.seat, a.lift, a.place) for a in self.snapshot.advice if a.kind == kind]

    def peg_positions(self) -> list[tuple[int, str, str]]:
        return [(p.seat, p.front, p.back) for p in self.snapshot.pegs]


def start_positions(seats: int, *players: int) -> list[tuple[int, str, str]]:
    """Return the pegs of these players in the start holes of a loop for this number of seats."""
    return [(p, f"{at}-start-1", f"{at}-start-2") for p, at in zip(players, LOOPS[seats], strict=True)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_starts_at_his_own_place_and_the_first_points_go_clockwise(seats: int):
    hands = Chase(seats)
    assert hands.peg_positions() == start_positions(seats, *range(seats))
    hands.deal_fifteen()
    (due,) = hands.snapshot.dues
    way = hands.core.plan.board.routes[seats][1].way
    assert (due.seat, due.points, due.lift) == (1, 2, f"{LOOPS[seats][1]}-start-2")
    assert hands.core.plan.board.by_id[due.place].bit == way[1]
    hands.peg_dues()
    assert hands.peg_positions()[1] == (1, due.place, f"{LOOPS[seats][1]}-start-1")
    assert not hands.snapshot.advice


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_who_is_out_is_named_and_those_left_are_led_to_the_next_loop(seats: int):
    hands = Chase(seats).play("1 adjusts 28")
    hands.peg_dues()
    before = hands.peg_positions()
    hands.deal_fifteen()
    out, left = 2, [s for s in range(seats) if s != 2]
    assert hands.snapshot.last["knocked_out"] == hands.snapshot.view["knocked_out"] == [out]
    assert (hands.snapshot.pegs, hands.snapshot.dues, hands.snapshot.question) == ((), (), None)
    took = hands.advised_moves("take_off")
    assert {(seat, lift) for seat, lift, _ in took} == {(out, before[out][1]), (out, before[out][2])}
    assert {a.say for a in hands.snapshot.advice if a.kind == "take_off"} == {
        "Green is out: take this peg off the board."
    }
    hands.follow_advice("take_off")
    assert not hands.snapshot.pegs
    hands.follow_advice("set_up")
    assert hands.peg_positions() == start_positions(seats - 1, *left)
    assert not hands.snapshot.advice
    hands.move(Starter(parse_card("JD")))
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(1, 2)]
    hands.peg_dues()
    assert hands.snapshot.view["scores"][1] == 2
    assert hands.events[-1].seat == 1


def play_knock_out(seats: int = 3, **options: str) -> Chase:
    """Blue, with 28 on the board, has just had two for a fifteen: Green is out."""
    return Chase(seats, **options).play("set_scores 0 28, deal_fifteen")


def test_the_pegs_to_take_off_blink_and_the_start_holes_pulse():
    hands = play_knock_out()
    board, frames = (
        hands.core.plan.board,
        [paint_frame(hands.core.plan.board, hands.snapshot, ms) for ms in range(0, 1200, 60)],
    )
    for _, lift, _ in hands.advised_moves("take_off"):
        reds = {frame[board.by_id[lift].pixel] for frame in frames}
        assert len(reds) == 2
        assert all(r > 0 and g == b == 0 for r, g, b in reds)
    for _, lift, place in hands.advised_moves("set_up"):
        assert len({frame[board.by_id[place].pixel] for frame in frames}) > 2
        assert all(max(frame[board.by_id[hole].pixel]) > 0 for frame in frames for hole in (lift, place))


def test_nothing_is_due_or_asked_until_the_pegs_stand_at_the_next_start():
    hands = play_knock_out().play("cut JD")
    hands.play("scores 0 2 0, rest 60000")
    assert (hands.snapshot.dues, hands.snapshot.question, hands.snapshot.pegs) == ((), None, ())
    hands.follow_advice("set_up")
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(1, 2)]
    hands.play("peg_dues, stands 1 circle-32 circle-right-start-1")


def test_a_peg_of_who_is_out_may_stay_and_is_named_until_it_is_lifted():
    hands = play_knock_out().play("follow_advice set_up")
    assert [p.seat for p in hands.snapshot.pegs] == [0, 1]
    assert len(hands.advised_moves("take_off")) == 2
    hands.play("cut JD, peg_dues, rest 70000")
    assert len(hands.advised_moves("take_off")) == 2
    assert not hands.snapshot.quarantined
    hands.carry("upper-right-start-1", None)
    assert [lift for _, lift, _ in hands.advised_moves("take_off")] == ["upper-right-start-2"]
    assert {a.kind for a in hands.snapshot.advice} == {"take_off"}


def test_a_knock_out_is_undone_before_a_peg_is_lifted():
    hands = Chase(3).play("set_scores 0 28")
    before = hands.peg_positions()
    hands.play("deal_fifteen, undo")
    assert hands.peg_positions() == before
    assert (hands.snapshot.dues, hands.snapshot.advice, hands.snapshot.question) == ((), (), None)
    hands.play("1 9H, 2 AH")
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(2, 2)]
    hands.peg_dues()
    assert (hands.peg_positions()[2][1:], hands.snapshot.advice) == (("square-59", "upper-right-start-1"), ())


def test_a_knock_out_is_undone_after_the_pegs_have_been_moved_and_each_is_led_back():
    hands = Chase(3).play("set_scores 0 28")
    before, holes = hands.peg_positions(), set(hands.holes)
    hands.play("deal_fifteen, follow_advice take_off set_up, cut JD, peg_dues, undo, undo, rest 3000, scores 0 28 0")
    assert hands.peg_positions() == before
    undone = {"circle-left-start-1", "circle-left-start-2", "circle-right-start-1", "circle-32"}
    assert {lift for _, lift, _ in hands.advised_moves("take_off")} == undone
    assert not hands.snapshot.quarantined
    assert {a.place for a in hands.snapshot.advice if a.place} == {hole for _, *two in before for hole in two}
    for _ in range(10):
        for advice in [a for a in hands.snapshot.advice if a.lift or a.place][:1]:
            hands.carry(advice.lift, advice.place)
            hands.rest(3000)
    assert hands.holes == holes
    assert (hands.snapshot.advice, hands.snapshot.question, hands.peg_positions()) == ((), None, before)


def test_two_are_knocked_out_at_once_and_the_loop_shrinks_by_two():
    hands = Chase(4).play("set_scores 0 58, deal_fifteen")
    assert hands.snapshot.last["knocked_out"] == [2, 3]
    assert {seat for seat, _, _ in hands.advised_moves("take_off")} == {2, 3}
    hands.follow_advice("take_off", "set_up")
    assert hands.peg_positions() == start_positions(2, 0, 1)


def test_the_last_one_left_has_won_and_for_the_next_match_all_set_up_again():
    hands = play_knock_out().play("follow_advice take_off set_up, cut 2D, 1 adjusts 28, peg_dues, 0 5H, 1 TH")
    assert (hands.snapshot.view["phase"], hands.snapshot.view["winner"]) == ("over", 1)
    assert hands.core.light_effects[-1].kind == "won"
    assert {seat for seat, _, _ in hands.advised_moves("take_off")} == {0}
    assert not hands.advised_moves("set_up")
    hands.follow_advice("take_off")
    assert not hands.snapshot.advice
    hands.move(Next())
    assert {seat for seat, _, _ in hands.advised_moves("set_up")} == {0, 1, 2}
    hands.follow_advice("set_up")
    assert hands.peg_positions() == start_positions(3, 0, 1, 2)
    hands.play("undo, undo, rest 3000")
    assert [p.seat for p in hands.snapshot.pegs] == [0, 1]
    hands.move(Undo())
    assert hands.snapshot.view["scores"][:2] == [0, 28]


def test_a_target_hole_is_counted_from_a_peg_as_numbers_are_shared():
    hands = Chase(3).play("deal_fifteen")
    assert [a.say for a in hands.snapshot.advice] == ["Blue: back peg to the lit hole, 2 from the start."]
    hands.play("peg_dues, 2 9S, 0 AH, 1 6D")  # 31
    assert [a.say for a in hands.snapshot.advice] == ["Blue: back peg to the lit hole, 2 ahead of the front peg."]
    hands.play("peg_dues, stands 1 roof-34 roof-32, undo")
    assert [a.say for a in hands.snapshot.advice] == ["Blue: front peg back to the start."]
    hands.play("peg_dues, 1 adjusts 5, peg_dues, undo")
    assert [a.say for a in hands.snapshot.advice] == ["Blue: front peg to the lit hole, 5 back."]


def test_an_adjustment_moves_the_front_peg_and_a_score_after_it_the_back_peg():
    hands = Chase(3).play("cut JD")
    hands.peg_dues()
    _, front, back = hands.peg_positions()[2]
    hands.move(Adjust(2, 5))
    (due,) = hands.snapshot.dues
    assert (due.seat, due.points, due.lift) == (2, 5, front)
    assert hands.snapshot.advice[0].say == "Green: front peg to the lit hole, 5 ahead."
    hands.peg_dues()
    assert hands.peg_positions()[2] == (2, due.place, back)
    hands.play("0 5H, 1 QH")
    assert [(d.seat, d.points) for d in hands.snapshot.dues] == [(1, 2)]
    hands.move(Adjust(1, 1))
    assert [(d.seat, d.points, d.lift) for d in hands.snapshot.dues] == [(1, 3, "apex-start-2")]
    hands.peg_dues()
    assert hands.peg_positions()[1][2] == "apex-start-1"
    hands.move(Adjust(2, -3))
    assert [(d.seat, d.points, d.lift) for d in hands.snapshot.dues] == [(2, -3, due.place)]
    hands.peg_dues()
    assert hands.peg_positions()[2][2] == back


def test_a_table_that_is_killed_in_the_middle_of_the_set_up_goes_on_with_it():
    hands = Chase(3).play("set_scores 0 28")
    before = hands.peg_positions()
    hands.play("deal_fifteen, follow_advice take_off, carry roof-58 circle-right-start-1, rest")
    after = restart_table(hands)
    assert after.core.past.state == hands.core.past.state
    assert after.advised_moves("set_up") == hands.advised_moves("set_up")
    after.follow_advice("set_up")
    assert after.peg_positions() == start_positions(2, 0, 1)
    after.play("undo, rest 3000")
    assert after.peg_positions() == before


def restart_table(hands: Chase) -> Chase:
    """The same table after a kill and a restart, with the same pegs in the wood."""
    kept = json.loads(json.dumps(hands.core.course.dump()))
    after = Chase(len(hands.snapshot.players))
    core = replace(
        create_core(hands.core.plan, Settings()), past=hands.core.past, recent_awards=hands.core.recent_awards
    )
    after.core, after.holes = restore_pegs(core, kept), set(hands.holes)
    after._apply(on_tick(after.core, after.ms))
    after._report_levels()
    after.rest()
    return after


def test_an_adjustment_not_yet_pegged_moves_the_front_peg_after_a_restart_too():
    hands = Chase(3).play("deal_fifteen, peg_dues, 1 adjusts 4")
    after = restart_table(hands)
    assert after.snapshot.dues == hands.snapshot.dues
    assert after.snapshot.dues[0].lift == hands.peg_positions()[1][1]


def test_a_taken_hole_leaves_the_peg_waiting_in_its_own_start_until_the_next_score():
    hands = Chase(3).play("set_scores 0 28 4")  # Green stands 34 ahead of Blue's start, and its back peg 30
    hands.move(Adjust(1, 6))
    (due,) = hands.snapshot.dues
    assert (due.points, due.lift, due.place) == (6, "roof-58", "apex-start-1")
    (waiting,) = hands.snapshot.advice
    assert (waiting.kind, waiting.seat, waiting.lift, waiting.place) == ("waiting", 1, due.lift, due.place)
    assert waiting.say == "Blue's hole is taken: the peg waits in the start until the next score."
    hands.play("peg_dues, stands 1 apex-start-1 apex-start-2")
    assert (hands.snapshot.advice, hands.snapshot.view["scores"]) == ((), [0, 34, 4])
    hands.move(Adjust(1, 3))
    assert [(d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(3, "apex-start-1", "square-54")]
    hands.play("peg_dues, stands 1 square-54 apex-start-2")


def test_a_waiting_peg_goes_on_waiting():
    """If its next hole is taken too, the score stands at once and the peg stays in its start hole."""
    # Red stands where Blue's next point belongs
    hands = Chase(3).play("set_scores 0 28 4, 1 adjusts 6, peg_dues, set_scores 67")
    hands.play("1 adjusts 3, rest")
    assert (hands.snapshot.dues, hands.snapshot.advice) == ((), ())
    hands.play("stands 1 apex-start-1 apex-start-2, 1 adjusts 1")
    assert [(due.points, due.lift, due.place) for due in hands.snapshot.dues] == [(1, "apex-start-1", "square-53")]


def test_a_first_score_into_a_taken_hole_moves_no_peg_and_is_named():
    hands = Chase(3).play("set_scores 32, 1 adjusts 2")
    assert not hands.snapshot.dues
    assert [(a.kind, a.seat) for a in hands.snapshot.advice] == [("waiting", 1)]
    hands.move(Adjust(1, 1))
    assert [(d.points, d.place) for d in hands.snapshot.dues] == [(3, "roof-33")]
    hands.peg_dues()
    assert not hands.snapshot.advice


def test_points_taken_back_into_a_taken_hole_wait_in_the_start_too():
    hands = Chase(3).play("set_scores 0 58 30, 2 adjusts -2")
    assert [(d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(-2, "square-31", "upper-right-start-1")]
    assert [a.kind for a in hands.snapshot.advice] == ["waiting"]
    hands.play("peg_dues, stands 2 upper-right-start-1 upper-right-start-2, 2 adjusts 3")
    assert [(d.points, d.lift, d.place) for d in hands.snapshot.dues] == [(3, "upper-right-start-1", "roof-1")]


def test_where_the_players_count_a_peg_that_claims_knocks_out_and_later_claims_are_void():
    hands = Chase(3, counting="manual").play("set_scores 0 28, cut 2D, 0 5H, 1 5S, 2 5D")
    for lift in ("apex-start-2", "upper-right-start-2"):
        hands.holes.remove(hands.core.plan.board.by_id[lift].bit)
    hands._report_levels()
    hands.rest(300)
    for place in ("roof-60", "square-55"):
        hands.holes.add(hands.core.plan.board.by_id[place].bit)
    hands._report_levels()
    hands.rest(1250)
    assert hands.snapshot.last["knocked_out"] == [2]
    assert hands.snapshot.view["scores"] == [0, 30, 0]
    assert [e.seat for e in hands.events if isinstance(e, Pegged)] == [1, 1, 2]
    assert not hands.snapshot.notices
    assert {seat for seat, _, _ in hands.advised_moves("take_off")} == {2}


def test_a_back_peg_that_stands_where_a_score_a_lap_later_belongs_is_pegged_there():
    hands = Chase(2, capture_peg="front").play("cut JD")
    hands.play("peg_dues, 0 5H, 1 TH, peg_dues, set_scores 40 56, stands 1 circle-30 circle-32, 0 3H, 1 3D")
    hands.play("scores 40 62, dues none, stands 1 circle-32 circle-30")
    assert (hands.events[-1].points, hands.events[-1].origin == hands.events[-1].to) == (2, True)


class Recorder(Chase):
    """A table with a recording that begins in the middle of a game."""

    def record(self) -> None:
        self.lines = [{"ms": self.ms, "table": {**describe_table(self.core), "moves": self.moves}}]
        self.lines.append({"ms": self.ms, "holes": self.hexadecimal()})
        self.events.clear()

    moves: list[dict[str, object]]
    lines: list[dict[str, object]] | None = None

    def move(self, move: object) -> None:
        self.moves = [*getattr(self, "moves", []), write_move(move)]
        super().move(move)
        self._write({"move": write_move(move)})

    def _report_levels(self) -> None:
        super()._report_levels()
        self._write({"holes": self.hexadecimal()})

    def hexadecimal(self) -> str:
        return f"{sum(1 << hole for hole in self.holes):x}"

    def _write(self, line: dict[str, object]) -> None:
        if self.lines is not None:
            self.lines.append({"ms": self.ms, **line})


def run_lines(lines: list[dict[str, object]]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """The events of a recording, and the last advice."""
    said: list[dict[str, object]] = []
    run_recording([json.dumps(line).encode() for line in lines], said.append)
    assert not [line for line in said if "error" in line]
    advised = [line["advice"] for line in said if "advice" in line]
    return [line for line in said if "event" in line], advised[-1] if advised else []


def test_a_recording_begun_in_the_middle_of_a_set_up_goes_on_as_the_table_did():
    hands = Recorder(3).play("set_scores 0 28, deal_fifteen, carry upper-right-start-1 -, rest")
    hands.record()
    assert "pegs" not in hands.lines[0]["table"]
    hands.play("follow_advice take_off set_up, rest 1000")
    events, advised = run_lines([*hands.lines, {"ms": hands.ms, "tick": True}])
    assert [e["seats"] for e in events] == [[0, 1]]
    assert advised == []
    hands.move(Undo())
    events, advised = run_lines([*hands.lines, {"ms": hands.ms, "tick": True}])
    assert advised == [encode_advice(each) for each in hands.snapshot.advice]


def test_a_recording_begun_on_a_later_loop_lists_the_pegs_by_seat_and_null_for_who_is_out():
    hands = Recorder(4).play("set_scores 28, cut 2D, 0 3H, 1 KH, 2 3D, 3 KD, 0 5D")  # 31 for two: Blue is out
    assert hands.snapshot.last["knocked_out"] == [1]
    hands.play("follow_advice set_up, follow_advice take_off, follow_advice set_up, cut JD, peg_dues, 0 adjusts 4")
    hands.record()
    pairs = hands.lines[0]["table"]["pegs"]
    assert [pair is None for pair in pairs] == [False, True, False, False]
    assert [hands.core.plan.board.holes[hole].id for hole in pairs[0]] == ["upper-left-start-1", "roof-2"]
    assert hands.snapshot.dues[0].lift == "roof-2"
    hands.play("peg_dues, 0 adjusts -5")
    for _ in range(4):
        events, advised = run_lines([*hands.lines, {"ms": hands.ms, "tick": True}])
        assert advised == [encode_advice(each) for each in hands.snapshot.advice]
        assert [(e["seat"], e["points"]) for e in events[:1]] == [(0, 4)]
        hands.move(Undo())


def test_pegs_of_a_recording_may_be_given_by_hand():
    board = Chase(2).core.plan.board
    bit = {name: hole.bit for name, hole in board.by_id.items()}
    stand = [[bit["circle-18"], bit["circle-20"]], [bit["circle-35"], bit["circle-39"]]]
    moves = [write_move(move) for move in (Adjust(0, 80), Adjust(1, 9))]
    begun_at = {"game": "pursuit", "seats": 2, "dealer": 1, "board": "pursuit", "pegs": stand, "moves": moves}
    taken = sum(1 << hole for pair in stand for hole in pair)
    lines = [
        {"ms": 0, "table": begun_at},
        {"ms": 0, "holes": f"{taken:x}"},
        {"ms": 10, "move": write_move(Adjust(0, 3))},
    ]
    events, advised = run_lines([*lines, {"ms": 5000, "tick": True}])
    assert events == []
    assert [(a["seat"], a["points"], a["place"]) for a in advised] == [(0, 3, "circle-23")]


def test_a_peg_of_a_recording_that_waits_in_the_start_counts_the_score():
    board = Chase(2).core.plan.board
    bit = {name: hole.bit for name, hole in board.by_id.items()}
    stand = [[bit["circle-30"], bit["circle-left-start-1"]], [bit["circle-right-start-1"], bit["circle-32"]]]
    moves = [write_move(move) for move in (Adjust(0, 32), Adjust(1, 2))]
    begun_at = {"game": "pursuit", "seats": 2, "dealer": 1, "board": "pursuit", "pegs": stand, "moves": moves}
    line = {"ms": 10, "move": write_move(Adjust(0, 3))}
    _, advised = run_lines([{"ms": 0, "table": begun_at}, line, {"ms": 5000, "tick": True}])
    wanted = (0, 3, "circle-left-start-1", "circle-35")
    assert [(a["seat"], a["points"], a["lift"], a["place"]) for a in advised if a["seat"] == 0] == [wanted]


def test_an_invalid_placement_is_refused_with_a_sentence():
    said: list[dict[str, object]] = []
    pairs = [[0, 1], [2, 3]]
    wrong = [{"pegs": [None, [0, 1]]}, {"pegs": [[0, 999], [0, 1]]}, {"known": 5}, {"known": {"stands": pairs}}]
    wrong += [{"known": {"stands": [[0, 999, 0, 1], [2, 3, 0, 1]], "past": [[], []]}}, {"known": {"loop": [0, 1, 2]}}]
    none, far = {"stands": None, "past": [[], []]}, 10**30
    wrong += [{"pegs": [[0, far], [0, 1]]}, {"known": {**none, "past": [[[0, far, 0, 1]], []]}}]
    wrong += [{"known": {"stands": [[0, 1, -1, far], [2, 3, -1, 0]], "past": [[], []]}}]
    wrong += [{"known": {**none, "loop": [0, [[0, 10**14]], []]}}, {"known": {**none, "doubted": [[far, 1]]}}]
    wrong += [{"known": {**none, "loop": [0, [], [[0, [0, 1], {**none, "stands": [[far, 1, 0, 0]] * 2}]]]}}]
    wrong += [{"known": {**none, "stands": [[0, 1, -1, 0]]}}, {"known": {**none, "past": [[[True, 1, 0, 0]], []]}}]
    for each in wrong:
        run_recording([json.dumps({"ms": 0, "table": {"game": "pursuit", "seats": 2, **each}}).encode()], said.append)
    assert len(said) == len(wrong)
    assert all(line["error"].startswith(("The pegs of", "A peg of", "The known pegs")) for line in said)


def test_two_hands_at_once_cross_each_other_in_the_lane_that_all_share():
    hands = Chase(3).play("set_scores 28 0 58")  # Red just behind Blue's start, Green just behind Red's
    hands.play("0 adjusts 5, 1 adjusts 4, 2 adjusts 7")
    dues = hands.snapshot.dues
    by_id = hands.core.plan.board.by_id
    hands.holes -= {by_id[due.lift].bit for due in dues}
    hands._report_levels()
    for due in reversed(dues):
        hands.rest(150)
        hands.holes.add(by_id[due.place].bit)
        hands._report_levels()
    hands.rest(1000)
    assert (hands.snapshot.dues, hands.snapshot.advice, hands.snapshot.question) == ((), (), None)
    assert [front for _, front, _ in hands.peg_positions()] == ["roof-33", "roof-34", "roof-35"]


def play_until_red_is_knocked_out():
    """Return a game of three in which Red pegged the count of 15 and was knocked out."""
    hands = Chase(3, counting="manual").play("set_scores 0 0 28, cut 2D, 0 3H, 1 5H, 2 7D")
    assert hands.snapshot.view["count"] == 15
    hands.play("peg square-33 square-31, rest 1250")
    assert hands.snapshot.last["knocked_out"] == [0]
    hands.follow_advice("take_off", "set_up")
    return hands


def test_taking_the_board_before_the_next_loop_begins_keeps_the_scores_of_the_last_one():
    hands = play_until_red_is_knocked_out().play("peg circle-right-start-2 circle-38, rest 3000")
    assert hands.snapshot.question.why == "Green pegged 8, and nothing is due."
    hands.move(TakeBoard())
    assert (hands.snapshot.question, hands.snapshot.view["scores"]) == (None, [0, 0, 30])


def test_on_a_later_loop_a_seat_keeps_its_number_in_claims_and_questions():
    hands = play_until_red_is_knocked_out()
    assert hands.peg_positions() == start_positions(2, 1, 2)
    hands.play("cut 2D, 1 5H, 2 TD, peg circle-right-start-2 circle-32, rest 1250")
    assert hands.snapshot.last["move"] == {"type": "claim", "seat": 2, "points": 2}
    assert (hands.snapshot.view["scores"], hands.snapshot.dues) == ([0, 0, 2], ())
    hands.play("peg circle-right-start-1 circle-39, rest 3000")
    question = hands.snapshot.question
    assert (question.seat, question.why) == (2, "Green pegged 7, and nothing is due.")
    assert question.choices[0].move == {"type": "adjust", "seat": 2, "points": 7}
    assert [a.seat for a in hands.snapshot.advice] == [2, 2]
