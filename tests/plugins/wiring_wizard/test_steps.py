"""A walk over a board whose wires were soldered in any order: the wizard learns each hole and names the faults."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.plugins.wiring_wizard.steps import (
    build_wiring,
    create_wizard,
    describe_faults,
    dump_wizard,
    format_wiring,
    mark_stuck_inputs,
    on_levels,
    restore_wizard,
    skip_step,
    step_back,
)

LOOP = catalog.load_board("loop-60")
HOLES = [hole.id for hole in LOOP.holes]


class Copper:
    """Wires in an order of their own. `dead` holes never answer, `dark` pixels never light, `stuck` inputs are on."""

    def __init__(self, board, seed, inputs=None):
        wires = Random(seed)
        self.board = board
        self.inputs = inputs or len(board.holes) + 7
        ids = [hole.id for hole in board.holes]
        self.input_of = dict(zip(ids, wires.sample(range(self.inputs), len(ids)), strict=True))
        names = [*ids, *board.holeless_pixels, *[""] * board.wiring.pixels.count(None)]
        self.shown_by = dict(enumerate(wires.sample(names, len(names))))
        self.dead, self.dark, self.stuck = set(), set(), 0

    def levels(self, *holes):
        return self.stuck | sum(1 << self.input_of[hole] for hole in holes if hole not in self.dead)

    def run_wizard(self, walk=None):
        """The walk to its end, a peg in and out at each step."""
        walk = walk or mark_stuck_inputs(create_wizard(self.board, self.inputs), self.stuck)
        while not walk.is_over:
            walk = self.do_step(walk)
        return walk

    def do_step(self, walk):
        hole = walk.current_step.hole or self.shown_by[walk.current_step.pixel]
        in_sight = walk.current_step.pixel is None or walk.current_step.pixel not in self.dark
        if hole in self.dead or hole not in self.board.by_id or not in_sight:
            return skip_step(walk)
        return on_levels(on_levels(walk, self.levels(hole)), self.stuck)


@pytest.mark.parametrize("name", catalog.list_board_names())
@pytest.mark.parametrize("seed", [1, 2])
def test_any_wiring_becomes_a_working_board_file(name, seed, tmp_path):
    board = catalog.load_board(name)
    copper = Copper(board, seed)
    wiring = build_wiring(copper.run_wizard(), board)
    assert {wire: at for at, wire in enumerate(wiring.chain) if wire} == copper.input_of
    shown = {at: name for at, name in enumerate(wiring.pixels) if name in board.by_id}
    assert shown == {at: name for at, name in copper.shown_by.items() if name in board.by_id}
    assert describe_faults(copper.run_wizard(), board) == []
    path = tmp_path / "mine.toml"
    source = catalog._find_board_file(name).read_text("utf-8")
    path.write_text(source.split("[wiring]")[0] + format_wiring(wiring, board))
    read = catalog.load_board(str(path)).wiring
    assert (read.chain, read.pixels, read.panel) == (wiring.chain, wiring.pixels, board.wiring.panel)


def test_dead_dark_and_stuck_parts_are_named():
    copper = Copper(LOOP, 3)
    free = next(each for each in range(copper.inputs) if each not in copper.input_of.values())
    copper.dead, copper.dark, copper.stuck = {"lane-7"}, {20}, 1 << free
    walk = copper.run_wizard()
    faults = describe_faults(walk, LOOP)
    assert f"Input {free} is on without a peg: it is stuck." in faults
    assert "lane-7 is dead: no input responds." in faults
    assert "Pixel 20 lit no hole." in faults
    wiring = build_wiring(walk, LOOP)
    assert sorted(wire for wire in wiring.chain if wire) == sorted(HOLES)
    assert sum(wiring.chain[at] == hole for hole, at in copper.input_of.items()) >= len(HOLES) - 2


def test_an_input_that_stays_on_is_stuck():
    copper = Copper(LOOP, 12)
    walk = copper.do_step(create_wizard(LOOP, copper.inputs))
    walk = on_levels(walk, copper.levels(HOLES[1]))
    copper.stuck = copper.levels(HOLES[1])
    assert on_levels(walk, copper.stuck).current_step.text == "Take the peg out again."
    walk = skip_step(walk)
    stuck = f"{HOLES[1]} is stuck: its input {copper.input_of[HOLES[1]]} is on without a peg."
    assert describe_faults(walk, LOOP) == [stuck]
    assert copper.do_step(walk).inputs_by_hole[HOLES[2]] == copper.input_of[HOLES[2]]
    assert (step_back(walk).stuck_bits, step_back(walk).current_step.hole) == (0, HOLES[1])


def test_an_input_that_goes_off_is_not_stuck():
    copper = Copper(LOOP, 14)
    walk = mark_stuck_inputs(create_wizard(LOOP, copper.inputs), copper.levels("lane-5"))
    walk = skip_step(on_levels(walk, copper.levels("lane-5", HOLES[0])))
    assert walk.stuck_bits == copper.levels("lane-5", HOLES[0])
    walk = on_levels(walk, 0)
    assert (walk.stuck_bits, walk.current_step.hole) == (0, HOLES[1])
    assert describe_faults(copper.run_wizard(walk), LOOP) == []


def test_an_initially_stuck_hole_is_named():
    copper = Copper(LOOP, 13, inputs=len(LOOP.wiring.chain))
    copper.input_of = {wire: at for at, wire in enumerate(LOOP.wiring.chain) if isinstance(wire, str)}
    copper.dead, copper.stuck = {"lane-9", "lane-30"}, 1 << copper.input_of["lane-9"]
    faults = describe_faults(copper.run_wizard(), LOOP)
    stuck = f"lane-9 is stuck: its input {copper.input_of['lane-9']} is on without a peg."
    assert faults[:2] == [stuck, "lane-30 is dead: no input responds."]


def test_two_wires_that_are_swapped_are_named():
    copper = Copper(LOOP, 4, inputs=len(LOOP.wiring.chain))
    copper.input_of = {wire: at for at, wire in enumerate(LOOP.wiring.chain) if isinstance(wire, str)}
    one, other = "lane-3", "lane-40"
    copper.input_of[one], copper.input_of[other] = copper.input_of[other], copper.input_of[one]
    assert describe_faults(copper.run_wizard(), LOOP) == ["lane-3 and lane-40 are swapped."]


def test_a_tied_input_is_no_fault(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'track = [{ name = "row", path = [{ holes = 3, line = [[10, 10], [30, 10]] }] }]\n'
        "routes = {}\n"
        '[wiring]\ntiles = [{ name = "row", chain = [["row", 1, 3], ["gap", 4]], sentinel = 1 }]\n'
    )
    board = catalog.load_board(str(path))
    copper = Copper(board, 11, inputs=8)
    copper.input_of, copper.stuck = {"row-1": 2, "row-2": 0, "row-3": 1}, 1 << 7
    walk = copper.run_wizard()
    assert describe_faults(walk, board) == []
    assert build_wiring(walk, board).chain == ("row-2", "row-3", "row-1", None, None, None, None, 1)
    path.write_text(path.read_text().split("[wiring]")[0] + format_wiring(build_wiring(walk, board), board))
    assert catalog.load_board(str(path)).wiring.chain == build_wiring(walk, board).chain
    copper.stuck |= 1 << 5
    assert describe_faults(copper.run_wizard(), board) == ["Input 5 is on without a peg: it is stuck."]


def test_another_order_of_all_wires_is_no_fault():
    assert not any("swapped" in faults for faults in describe_faults(Copper(LOOP, 5).run_wizard(), LOOP))


def test_a_peg_must_leave_before_the_next():
    copper = Copper(LOOP, 6)
    walk = on_levels(create_wizard(LOOP, copper.inputs), copper.levels(HOLES[0]))
    assert walk.current_step.text == "Take the peg out again."
    assert on_levels(walk, copper.levels(HOLES[0], HOLES[1])).answers == walk.answers
    assert on_levels(walk, 0).current_step.hole == HOLES[1]


def test_ambiguous_inputs_are_named_and_not_learned():
    copper = Copper(LOOP, 7)
    walk = on_levels(create_wizard(LOOP, copper.inputs), copper.levels(HOLES[0], HOLES[1]))
    assert "respond at the same time" in walk.error
    assert walk.answers == ()
    walk = copper.do_step(replace(walk, error=""))
    walk = on_levels(walk, copper.levels(HOLES[0]))
    assert f"already belongs to {HOLES[0]}" in walk.error
    assert len(walk.answers) == 1


def test_a_step_can_be_repeated():
    copper = Copper(LOOP, 8)
    walk = copper.do_step(copper.do_step(create_wizard(LOOP, copper.inputs)))
    assert copper.do_step(step_back(walk)) == walk
    assert step_back(create_wizard(LOOP, copper.inputs)) == create_wizard(LOOP, copper.inputs)


@given(st.integers(0, 2 * len(HOLES)))
def test_a_left_walk_goes_on(steps):
    copper = Copper(LOOP, 9)
    walk = mark_stuck_inputs(create_wizard(LOOP, copper.inputs), 0)
    for _ in range(steps):
        walk = walk if walk.is_over else copper.do_step(walk)
    again = restore_wizard(create_wizard(LOOP, copper.inputs), "loop-60", dump_wizard(walk, "loop-60"))
    assert copper.run_wizard(again) == copper.run_wizard(walk)


@pytest.mark.parametrize("given", [
    None, {}, {"board": "classic", "inputs": 71, "stuck": 0, "answers": []},
    {"board": "loop-60", "inputs": 71, "stuck": 0, "answers": [99]},
])  # fmt: skip
def test_a_walk_of_another_board_is_refused(given):
    with pytest.raises(BoardError, match="The saved progress"):
        restore_wizard(create_wizard(LOOP, 71), "loop-60", given)


def test_a_short_chain_is_refused_and_lights_optional():
    with pytest.raises(BoardError, match="the chain has only 63 inputs"):
        create_wizard(LOOP, 63)
    copper = Copper(LOOP, 10)
    walk = copper.run_wizard(create_wizard(LOOP, copper.inputs, lights=False))
    assert len(walk.answers) == len(HOLES)
    assert list(build_wiring(walk, LOOP).pixels) == [hole.id for hole in sorted(LOOP.holes, key=lambda h: h.pixel)]
