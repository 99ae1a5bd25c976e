"""The page of `companion learn`: the state it shows, permissions, and invalid answers."""

import json
import threading
from contextlib import closing

import pytest

from companion.boards import catalog
from companion.devices import open_lights, open_sensors
from companion.http.sessions import SessionStore
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.routes import SimulatedHand, create_wizard_app
from companion.plugins.wiring_wizard.session import WizardInput, WizardSession
from tests.support.received import clock
from tests.support.waiting import PATIENCE_S, wait_until

KEY = "a-key-that-nobody-guesses"
LOOP = catalog.load_board("loop-60")


@pytest.fixture(params=["sim:"])
def walk(request, monkeypatch):
    """Return a session over a simulated board that waits for the first peg."""
    monkeypatch.setattr("companion.plugins.wiring_wizard.session.LEVELS_REST_S", 0.02)
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
    return create_wizard_app(walk, LOOP, hand, key=KEY, phones=SessionStore(), hosts=frozenset()).test_client()


@pytest.fixture
def maker(watcher):
    assert watcher.get(f"/join/{KEY}").status_code == 303
    return watcher


def test_the_page_shows_the_step_and_a_simulated_hand_continues(maker):
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


def test_an_answer_is_to_the_question_that_was_shown(maker):
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


def test_who_has_not_opened_the_link_sees_and_moves_nothing(watcher):
    assert watcher.get("/api/walk").status_code == 403
    assert watcher.post("/api/walk", json={"answer": "skip", "at": 0}).status_code == 403
    assert watcher.post("/api/walk/peg", json={"hole": "lane-1"}).status_code == 403
    assert watcher.get("/join/" + "x" * 20).status_code == 403


def test_a_real_board_is_not_moved_from_the_page(walk):
    with closing(open_sensors("serial:/dev/nothing", 64, clock)) as real:
        hand = SimulatedHand(LOOP, real, None)
        client = create_wizard_app(walk, LOOP, hand, key=KEY, phones=SessionStore(), hosts=frozenset()).test_client()
        client.get(f"/join/{KEY}")
        assert client.get("/api/walk").json["simulated"] is None
        assert client.post("/api/walk/peg", json={"hole": "lane-1"}).status_code == 400


def test_a_hole_that_is_none_is_refused_and_the_end_says_where_the_file_is(maker, walk):
    assert maker.post("/api/walk/peg", json={"hole": "nowhere"}).status_code == 400
    walk.written_path = "/home/maker/mine.toml"
    assert json.loads(maker.get("/api/walk").data)["written"] == walk.written_path
    assert maker.post("/api/walk", json={"answer": "back", "at": 0}).status_code == 409
