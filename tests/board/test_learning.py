"""A walk over a board whose wires were soldered in any order: each hole is learned, and what is amiss is named."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.wiring_wizard.steps import (
    back,
    begin,
    findings,
    kept,
    learned,
    resumed,
    seen,
    skip,
    without_pegs,
    written,
)

LOOP = catalog.load("loop-60")
HOLES = [hole.id for hole in LOOP.holes]


class Copper:
    """Wires in an order of their own. `dead` holes never answer, `dark` pixels never light, `stuck` inputs are on."""

    def __init__(self, board, seed, inputs=None):
        wires = Random(seed)
        self.board = board
        self.inputs = inputs or len(board.holes) + 7
        ids = [hole.id for hole in board.holes]
        self.input_of = dict(zip(ids, wires.sample(range(self.inputs), len(ids)), strict=True))
        names = [*ids, *board.bare]
        self.shown_by = dict(enumerate(wires.sample(names, len(names))))
        self.dead, self.dark, self.stuck = set(), set(), 0

    def levels(self, *holes):
        return self.stuck | sum(1 << self.input_of[hole] for hole in holes if hole not in self.dead)

    def walked(self, walk=None):
        """The walk to its end, a peg in and out at each step."""
        walk = walk or without_pegs(begin(self.board, self.inputs), self.stuck)
        while not walk.over:
            walk = self.stepped(walk)
        return walk

    def stepped(self, walk):
        hole = walk.step.hole or self.shown_by[walk.step.pixel]
        in_sight = walk.step.pixel is None or walk.step.pixel not in self.dark
        if hole in self.dead or hole not in self.board.by_id or not in_sight:
            return skip(walk)
        return seen(seen(walk, self.levels(hole)), self.stuck)


@pytest.mark.parametrize("name", catalog.names())
@pytest.mark.parametrize("seed", [1, 2])
def test_any_wiring_of_any_board_becomes_a_board_file_that_reads_it(name, seed, tmp_path):
    board = catalog.load(name)
    copper = Copper(board, seed)
    wiring = learned(copper.walked(), board)
    assert {wire: at for at, wire in enumerate(wiring.chain) if wire} == copper.input_of
    shown = {at: name for at, name in enumerate(wiring.pixels) if name in board.by_id}
    assert shown == {at: name for at, name in copper.shown_by.items() if name in board.by_id}
    assert findings(copper.walked(), board) == []
    path = tmp_path / "mine.toml"
    source = catalog._path(name).read_text("utf-8")
    path.write_text(source.split("[wiring]")[0] + written(wiring, board))
    read = catalog.load(str(path))
    assert (read.wiring.chain, read.wiring.pixels) == (wiring.chain, wiring.pixels)


def test_a_dead_hole_a_dark_pixel_and_a_stuck_input_are_named_and_the_rest_is_learned():
    copper = Copper(LOOP, 3)
    free = next(each for each in range(copper.inputs) if each not in copper.input_of.values())
    copper.dead, copper.dark, copper.stuck = {"lane-7"}, {20}, 1 << free
    walk = copper.walked()
    told = findings(walk, LOOP)
    assert f"Input {free} is on without a peg: it is stuck." in told
    assert "lane-7 is dead: no input answers there." in told
    assert "Pixel 20 was seen in no hole." in told
    wiring = learned(walk, LOOP)
    assert sorted(wire for wire in wiring.chain if wire) == sorted(HOLES)
    assert sum(wiring.chain[at] == hole for hole, at in copper.input_of.items()) >= len(HOLES) - 2


def test_an_input_that_stays_on_after_its_peg_is_out_is_stuck_and_the_walk_goes_on():
    copper = Copper(LOOP, 12)
    walk = copper.stepped(begin(LOOP, copper.inputs))
    walk = seen(walk, copper.levels(HOLES[1]))
    copper.stuck = copper.levels(HOLES[1])
    assert seen(walk, copper.stuck).step.say == "Take the peg out again."
    walk = skip(walk)
    assert findings(walk, LOOP) == [f"{HOLES[1]} is stuck: its input {copper.input_of[HOLES[1]]} is on without a peg."]
    assert copper.stepped(walk).input_of[HOLES[2]] == copper.input_of[HOLES[2]]
    assert (back(walk).stuck, back(walk).step.hole) == (0, HOLES[1])


def test_what_was_taken_for_stuck_and_goes_off_is_not():
    copper = Copper(LOOP, 14)
    walk = without_pegs(begin(LOOP, copper.inputs), copper.levels("lane-5"))
    walk = skip(seen(walk, copper.levels("lane-5", HOLES[0])))
    assert walk.stuck == copper.levels("lane-5", HOLES[0])
    walk = seen(walk, 0)
    assert (walk.stuck, walk.step.hole, findings(copper.walked(walk), LOOP)) == (0, HOLES[1], [])


def test_a_hole_that_was_stuck_from_the_start_is_named_where_the_wires_are_as_drawn():
    copper = Copper(LOOP, 13, inputs=len(LOOP.wiring.chain))
    copper.input_of = {wire: at for at, wire in enumerate(LOOP.wiring.chain) if isinstance(wire, str)}
    copper.dead, copper.stuck = {"lane-9", "lane-30"}, 1 << copper.input_of["lane-9"]
    told = findings(copper.walked(), LOOP)
    stuck = f"lane-9 is stuck: its input {copper.input_of['lane-9']} is on without a peg."
    assert told[:2] == [stuck, "lane-30 is dead: no input answers there."]


def test_two_wires_that_are_swapped_are_named():
    copper = Copper(LOOP, 4, inputs=len(LOOP.wiring.chain))
    copper.input_of = {wire: at for at, wire in enumerate(LOOP.wiring.chain) if isinstance(wire, str)}
    one, other = "lane-3", "lane-40"
    copper.input_of[one], copper.input_of[other] = copper.input_of[other], copper.input_of[one]
    assert findings(copper.walked(), LOOP) == ["lane-3 and lane-40 are swapped."]


def test_an_input_that_is_tied_on_purpose_is_no_fault_and_stays_a_sentinel(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'track = [{ name = "row", path = [{ holes = 3, line = [[10, 10], [30, 10]] }] }]\n'
        "routes = {}\n"
        '[wiring]\ntiles = [{ name = "row", chain = [["row", 1, 3], ["gap", 4]], sentinel = 1 }]\n'
    )
    board = catalog.load(str(path))
    copper = Copper(board, 11, inputs=8)
    copper.input_of, copper.stuck = {"row-1": 2, "row-2": 0, "row-3": 1}, 1 << 7
    walk = copper.walked()
    assert findings(walk, board) == []
    assert learned(walk, board).chain == ("row-2", "row-3", "row-1", None, None, None, None, 1)
    path.write_text(path.read_text().split("[wiring]")[0] + written(learned(walk, board), board))
    assert catalog.load(str(path)).wiring.chain == learned(walk, board).chain
    copper.stuck |= 1 << 5
    assert findings(copper.walked(), board) == ["Input 5 is on without a peg: it is stuck."]


def test_another_order_of_all_wires_is_no_fault():
    assert not any("swapped" in told for told in findings(Copper(LOOP, 5).walked(), LOOP))


def test_a_peg_must_be_out_before_the_next_counts():
    copper = Copper(LOOP, 6)
    walk = seen(begin(LOOP, copper.inputs), copper.levels(HOLES[0]))
    assert walk.step.say == "Take the peg out again."
    assert seen(walk, copper.levels(HOLES[0], HOLES[1])).answers == walk.answers
    assert seen(walk, 0).step.hole == HOLES[1]


def test_two_inputs_at_once_and_one_that_is_known_already_are_told_and_nothing_is_learned():
    copper = Copper(LOOP, 7)
    walk = seen(begin(LOOP, copper.inputs), copper.levels(HOLES[0], HOLES[1]))
    assert "answer at once" in walk.said
    assert walk.answers == ()
    walk = copper.stepped(replace(walk, said=""))
    walk = seen(walk, copper.levels(HOLES[0]))
    assert f"is that of {HOLES[0]} already" in walk.said
    assert len(walk.answers) == 1


def test_a_step_can_be_taken_back_and_made_again():
    copper = Copper(LOOP, 8)
    walk = copper.stepped(copper.stepped(begin(LOOP, copper.inputs)))
    assert copper.stepped(back(walk)) == walk
    assert back(begin(LOOP, copper.inputs)) == begin(LOOP, copper.inputs)


@given(st.integers(0, 2 * len(HOLES)))
def test_a_walk_that_was_left_goes_on_where_it_was(steps):
    copper = Copper(LOOP, 9)
    walk = without_pegs(begin(LOOP, copper.inputs), 0)
    for _ in range(steps):
        walk = walk if walk.over else copper.stepped(walk)
    again = resumed(begin(LOOP, copper.inputs), "loop-60", kept(walk, "loop-60"))
    assert copper.walked(again) == copper.walked(walk)


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"board": "classic", "inputs": 71, "stuck": 0, "answers": []},
        {"board": "loop-60", "inputs": 71, "stuck": 0, "answers": [99]},
    ],
)
def test_what_is_no_walk_over_this_board_is_refused(given):
    with pytest.raises(BoardError, match="What was kept is"):
        resumed(begin(LOOP, 71), "loop-60", given)


def test_a_chain_that_is_too_short_is_refused_and_a_board_without_lights_is_learned():
    with pytest.raises(BoardError, match="a chain of 63 inputs is too short"):
        begin(LOOP, 63)
    copper = Copper(LOOP, 10)
    walk = copper.walked(begin(LOOP, copper.inputs, lights=False))
    assert len(walk.answers) == len(HOLES)
    assert list(learned(walk, LOOP).pixels) == [hole.id for hole in sorted(LOOP.holes, key=lambda h: h.pixel)]
