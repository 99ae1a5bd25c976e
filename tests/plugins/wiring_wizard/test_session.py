"""The walk with devices, and its page: the state it shows, permissions, and invalid answers."""

import json
import queue
import threading
from contextlib import closing
from random import Random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.boards import catalog
from companion.cli import main
from companion.devices import open_lights, open_sensors
from companion.http.sessions import SessionStore
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.learn_command import _replace_wiring
from companion.plugins.wiring_wizard.routes import SimulatedHand, create_wizard_app
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


def test_a_shuffled_wiring_is_learned_by_obeying():
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


def test_repeated_levels_delay_no_step(monkeypatch):
    """A board repeats its levels for 1.5 s after a change, every 50 ms: the step follows 0.3 s after the peg."""
    said, now_s = [], 0.0
    walk = WizardSession(steps.create_wizard(LOOP, INPUTS, lights=False), None, said.append, str)

    def next_input(timeout_s):
        nonlocal now_s
        wait_s = 0.05 if timeout_s is None else min(timeout_s, 0.05)
        now_s += wait_s
        if wait_s < 0.05:
            return None
        return WizardInput("stop") if said[-1].startswith("Take the peg out") or now_s > 1.5 else 1

    monkeypatch.setattr("companion.plugins.wiring_wizard.session.LEVELS_REST_S", 0.3)
    monkeypatch.setattr("companion.plugins.wiring_wizard.session.time", SimpleNamespace(monotonic=lambda: now_s))
    monkeypatch.setattr(walk, "_next_input", next_input)
    monkeypatch.setattr(walk, "_wait_for_empty_board", lambda: 0)
    assert not walk.run()
    assert (said[-1], now_s) == ("Take the peg out again.", pytest.approx(0.4))


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


def test_the_command_writes_a_board_file(tmp_path):
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


def test_an_interrupted_walk_says_where_it_is(tmp_path):
    flags = ["--sensors", "sim:", "--lights", "none:"]
    left = CliRunner().invoke(main, ["learn", "loop-60", "--out", str(tmp_path / "mine.toml"), *flags], input="\nq\n")
    assert left.exit_code == 0
    assert "Stopped." in left.output
    (tmp_path / "mine.walk.json").write_text("{}")
    refused = CliRunner().invoke(main, ["learn", "loop-60", "--out", str(tmp_path / "mine.toml"), *flags])
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert CliRunner().invoke(main, ["learn", "loop-60", "--out", "mine", *flags]).exit_code == 2


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_a_wiring_replaces_only_the_one_before(name):
    text = catalog._find_board_file(name).read_text("utf-8")
    anew = _replace_wiring(text, "[wiring]\nend = 1\n")
    assert anew.count("[wiring]") == 1
    assert _replace_wiring(anew, "[wiring]\nend = 1\n").count("# Learned") <= 2
    heads = [[line for line in each.split("[wiring]")[0].splitlines() if line[:1] == "["] for each in (text, anew)]
    assert heads[0] == heads[1]


KEY = "a-key-that-nobody-guesses"


@pytest.fixture(params=["sim:"])
def walk(request):
    """Return a session over a simulated board that waits for the first peg."""
    raw = {"board": "learn", "chain": [f"in-{each}" for each in range(64)], "pixels": [None] * 64}
    with (
        closing(open_sensors("sim:", 64, clock, board=raw)) as sensors,
        closing(open_lights(request.param, 64, 2000, sensors)) as lights,
    ):
        session = WizardSession(steps.create_wizard(LOOP, 64), lights, lambda _: None, lambda _: None)
        session.sensors = sensors
        session.start(sensors)
        session.inbox.put(WizardInput("skip"))
        thread = threading.Thread(target=session.run)
        thread.start()
        wait_until(lambda: session.has_started)
        yield session
        session.inbox.put(WizardInput("stop"))
        thread.join(PATIENCE_S)


@pytest.fixture
def watcher(walk):
    hand = SimulatedHand(LOOP, walk.sensors, walk.lights)
    return create_wizard_app(walk, LOOP, hand, key=KEY, phones=SessionStore()).test_client()


@pytest.fixture
def maker(watcher):
    assert watcher.get(f"/join/{KEY}").status_code == 303
    return watcher


def test_a_simulated_hand_continues_on_the_page(maker):
    assert maker.get("/").status_code == maker.get("/api/board").status_code == 200
    told = maker.get("/api/walk?lang=de").json
    assert (told["hole"], told["done"], told["of"], told["findings"]) == ("lane-1", 0, 128, [])
    assert told["say"] == "1 von 64: Stecke einen Peg in lane-1."
    for pegs in (["lane-1"], []):
        assert maker.post("/api/walk/peg", json={"hole": "lane-1"}).status_code == 202
        assert maker.get("/api/walk").json["simulated"]["pegs"] == pegs
        wait_until(lambda pegs=pegs: maker.get("/api/walk").json["resting"] == bool(pegs))
    told = maker.get("/api/walk").json
    assert (told["acts"], told["found"], told["hole"]) == (2, ["lane-1"], "lane-2")


def test_an_answer_is_to_the_shown_question(maker):
    assert maker.post("/api/walk", json={"answer": "skip", "at": 0}).status_code == 202
    wait_until(lambda: maker.get("/api/walk").json["dead"] == ["lane-1"])
    late = maker.post("/api/walk", json={"answer": "skip", "at": 0})
    assert (late.status_code, late.json) == (409, {"error": "The wizard is already at a later step."})
    assert maker.post("/api/walk", json={"answer": "back", "at": 2}).status_code == 202
    wait_until(lambda: maker.get("/api/walk").json["dead"] == [])


@pytest.mark.parametrize("walk", ["sim:", "node:"], indirect=True)
def test_a_simulated_strip_shows_which_hole_is_lit(maker, walk):
    for acts in range(0, 128, 2):
        walk.inbox.put(WizardInput("skip", acts))
    for pixel in (0, 1):
        lit = next(hole.id for hole in LOOP.holes if hole.pixel == pixel)
        wait_until(lambda lit=lit: maker.get("/api/walk").json["simulated"]["lit"] == [lit])
        walk.inbox.put(WizardInput("skip"))


def test_two_taps_at_once_are_one_answer(walk):
    for _ in range(2):
        walk.inbox.put(WizardInput("skip", 0))
    walk.inbox.put(WizardInput("back"))
    wait_until(lambda: walk.inbox.empty() and walk.state.act_count == 0)


@pytest.mark.parametrize(
    "body", [{}, {"answer": "skip"}, {"answer": "stop", "at": 0}, {"answer": "skip", "at": True}, [], 1]
)
def test_an_invalid_answer_is_refused(maker, body):
    assert maker.post("/api/walk", json=body).status_code == 400
    assert maker.get("/api/walk").json["acts"] == 0


def test_without_the_link_nothing_is_shown_or_moved(watcher):
    assert watcher.get("/api/walk").status_code == 403
    assert watcher.post("/api/walk", json={"answer": "skip", "at": 0}).status_code == 403
    assert watcher.post("/api/walk/peg", json={"hole": "lane-1"}).status_code == 403
    assert watcher.get("/join/" + "x" * 20).status_code == 403


def test_a_real_board_is_moved_by_no_page(walk):
    with closing(open_sensors("serial:/dev/nothing", 64, clock)) as real:
        hand = SimulatedHand(LOOP, real, None)
        client = create_wizard_app(walk, LOOP, hand, key=KEY, phones=SessionStore()).test_client()
        client.get(f"/join/{KEY}")
        assert client.get("/api/walk").json["simulated"] is None
        assert client.post("/api/walk/peg", json={"hole": "lane-1"}).status_code == 400


def test_an_unknown_hole_is_refused(maker, walk):
    assert maker.post("/api/walk/peg", json={"hole": "nowhere"}).status_code == 400
    walk.written_path = "/home/maker/mine.toml"
    assert json.loads(maker.get("/api/walk").data)["written"] == walk.written_path
    assert maker.post("/api/walk", json={"answer": "back", "at": 0}).status_code == 409
