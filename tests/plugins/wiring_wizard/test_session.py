"""The walk with devices: the shipped firmware on a shuffled chain, a strip in any order, and a hand that obeys."""

import json
import queue
import threading
from random import Random

import pytest
from click.testing import CliRunner

from companion.boards import catalog
from companion.cli import main
from companion.devices import open_lights, open_sensors
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.learn_command import _replace_wiring
from companion.plugins.wiring_wizard.session import WizardInput, WizardSession
from tests.support.received import clock
from tests.support.waiting import PATIENCE_S, wait_until

LOOP = catalog.load_board("loop-60")
IDS = [hole.id for hole in LOOP.holes]
INPUTS = 70


class Bench:
    """A simulated board whose inputs and pixels are in an order of their own, and a walk over it."""

    def __init__(self, seed, walk=None):
        wires = Random(seed)
        self.input_of = dict(zip(IDS, wires.sample(range(INPUTS), len(IDS)), strict=True))
        self.shown_by = dict(enumerate(wires.sample(IDS, len(IDS))))
        raw = {"board": "learn", "chain": [f"in-{each}" for each in range(INPUTS)]}
        self.sensors = open_sensors("sim:", INPUTS, clock, board=raw)
        self.lights = open_lights("sim:", LOOP.pixel_count, 2000)
        self.said, self.kept = queue.Queue(), []
        self.walk = WizardSession(
            walk or steps.create_wizard(LOOP, INPUTS), self.lights, self.said.put, self.kept.append
        )

    def __enter__(self):
        self.walk.start(self.sensors)
        self.done = []
        self.thread = threading.Thread(target=lambda: self.done.append(self.walk.run()))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.walk.inbox.put(WizardInput("stop"))
        self.thread.join(PATIENCE_S)
        self.sensors.close()
        self.lights.close()

    def follow(self):
        """Read one sentence, and do what it says."""
        say = self.said.get(timeout=PATIENCE_S)
        if say.startswith("Take out all pegs"):
            self.walk.inbox.put(WizardInput("skip"))
        elif say.startswith("Take the peg"):
            self.sensors.move_pegs(lift=-1)
        elif "lit" in say:
            wait_until(self.lit)
            self.sensors.move_pegs(place=1 << self.input_of[self.shown_by[self.lit()[0]]])
        elif (hole := say.split()[-1].rstrip(".")) in self.input_of:  # else the board speaks: this machine was slow
            self.sensors.move_pegs(place=1 << self.input_of[hole])
        return say

    def lit(self):
        """The pixels that are lit, once the strip shows the present step."""
        wanted = self.walk.state.current_step.pixel
        found = [pixel for pixel, colour in enumerate(self.lights.sent_frame()[0]) if any(colour)]
        return found if found == [wanted] else []


@pytest.fixture(autouse=True)
def _fast(monkeypatch):
    monkeypatch.setattr("companion.plugins.wiring_wizard.session.LEVELS_REST_S", 0.02)


def test_a_shuffled_wiring_is_learned_by_following_what_is_said():
    with Bench(1) as bench:
        while not bench.walk.state.is_over:
            bench.follow()
            wait_until(lambda: not bench.said.empty() or bench.walk.state.is_over)
        bench.thread.join(PATIENCE_S)
        assert bench.done == [True]
    wiring = steps.build_wiring(bench.walk.state, LOOP)
    assert {wire: at for at, wire in enumerate(wiring.chain) if wire} == bench.input_of
    assert dict(enumerate(wiring.pixels)) == bench.shown_by
    assert bench.kept[-1].answers == bench.walk.state.answers


def test_who_stops_goes_on_where_the_walk_was():
    with Bench(2) as bench:
        for _ in range(7):
            bench.follow()
        wait_until(lambda: len(bench.kept) == 3)
        bench.walk.inbox.put(WizardInput("stop"))
        bench.thread.join(PATIENCE_S)
        assert bench.done == [False]
    kept = steps.dump_wizard(bench.kept[-1], "loop-60")
    walk = steps.restore_wizard(steps.create_wizard(LOOP, INPUTS), "loop-60", json.loads(json.dumps(kept)))
    with Bench(2, walk) as again:
        assert again.follow().startswith("4 of 64")


def test_the_command_writes_what_was_kept_as_a_board_file(tmp_path):
    walk = steps.create_wizard(LOOP, INPUTS, lights=False)
    inputs = Random(3).sample(range(INPUTS), len(IDS))
    answered = steps.dump_wizard(walk, "loop-60") | {"answers": inputs}
    (tmp_path / "mine.walk.json").write_text(json.dumps(answered))
    flags = ["--out", str(tmp_path / "mine.toml"), "--inputs", str(INPUTS), "--sensors", "sim:", "--lights", "none:"]
    told = CliRunner().invoke(main, ["learn", "loop-60", *flags], input="")
    assert told.exit_code == 0, told.output
    mine = catalog.load_board(str(tmp_path / "mine.toml"))
    assert [mine.wiring.chain.index(hole) for hole in IDS] == inputs
    assert not (tmp_path / "mine.walk.json").exists()


def test_a_walk_that_is_left_says_where_it_is_kept_and_what_cannot_be_is_a_sentence(tmp_path):
    flags = ["--sensors", "sim:", "--lights", "none:"]
    left = CliRunner().invoke(main, ["learn", "loop-60", "--out", str(tmp_path / "mine.toml"), *flags], input="\nq\n")
    assert left.exit_code == 0
    assert "Stopped." in left.output
    (tmp_path / "mine.walk.json").write_text("{}")
    refused = CliRunner().invoke(main, ["learn", "loop-60", "--out", str(tmp_path / "mine.toml"), *flags])
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert CliRunner().invoke(main, ["learn", "loop-60", "--out", "mine", *flags]).exit_code == 2


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_a_wiring_takes_the_place_of_the_one_before_and_nothing_else_goes(name):
    text = catalog._find_board_file(name).read_text("utf-8")
    anew = _replace_wiring(text, "[wiring]\nend = 1\n")
    assert anew.count("[wiring]") == 1
    assert _replace_wiring(anew, "[wiring]\nend = 1\n").count("# Learned") <= 2
    assert [line for line in text.split("[wiring]")[0].splitlines() if line.startswith("[")] == [
        line for line in anew.split("[wiring]")[0].splitlines() if line.startswith("[")
    ]
