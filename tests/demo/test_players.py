"""The demo's players go on after whatever surprises them, and do not delay the end of the program."""

import threading
from types import SimpleNamespace

import pytest

from companion.demo import actions
from companion.demo.actions import SimulatedPlayers
from companion.rules.moves import TakeBoard
from tests.support.waiting import PATIENCE_S


class FakeTable:
    """A table whose snapshot the test sets; `submitted` are the moves tapped on a phone."""

    def __init__(self):
        self.is_closed, self.journal, self.submitted = False, SimpleNamespace(game_id=1), []
        self.answered = threading.Event()
        self.snapshot = SimpleNamespace(
            view={"phase": "play"}, players=(1, 2), dues=(), question=None, moves=0, notices=(), dice=None
        )

    def subscribe(self):
        return SimpleNamespace(next_snapshot=lambda _: None)

    def submit(self, move):
        self.submitted.append(move)
        self.snapshot.question = None
        self.answered.set()


class Players(SimulatedPlayers):
    """Players who do what the test says."""

    def __init__(self, table, act):
        self.act = act
        super().__init__(table, None, None, 1000, None)

    def phase_actions(self):
        return {"play": self.act}


@pytest.fixture
def play():
    """Return a function that starts players at a table; they are closed after the test."""
    opened = []

    def start(table, act):
        opened.append(Players(table, act))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.mark.parametrize("error", [StopIteration, ValueError("list.remove(x): x not in list"), KeyError, TypeError])
def test_an_error_in_an_action_does_not_end_the_demo(play, error, caplog):
    acted = threading.Event()

    def act(_now):
        if not caplog.records and not failed:
            failed.append(error)
            raise error
        acted.set()

    failed = []
    play(FakeTable(), act)
    assert acted.wait(PATIENCE_S)
    assert failed == [error]


def test_an_open_question_is_answered(play):
    table = FakeTable()
    choices = (
        SimpleNamespace(say="Put it back.", move=None),
        SimpleNamespace(say="Take it.", move={"type": "take_board"}),
    )
    table.snapshot.question = SimpleNamespace(choices=choices)
    play(table, lambda _now: None)
    assert table.answered.wait(PATIENCE_S)
    assert table.submitted == [TakeBoard()]


def test_a_due_that_is_not_read_does_not_hold_up_everything_else(play, monkeypatch):
    table, acted = FakeTable(), threading.Event()
    table.snapshot.dues = ("a due",)
    monkeypatch.setattr(Players, "carry_due", lambda _self, _due: None)
    monkeypatch.setattr(Players, "wait_until", lambda *_: None)
    play(table, lambda _now: acted.set())
    assert acted.wait(PATIENCE_S)


def test_the_end_does_not_wait_for_a_player_who_thinks(play):
    thinking, released = threading.Event(), threading.Event()

    def think(_now):
        thinking.set()
        released.wait(PATIENCE_S)

    players = play(FakeTable(), think)
    assert thinking.wait(PATIENCE_S)
    players.close()
    assert players._thread.is_alive()
    assert actions.CLOSE_TIMEOUT_S < 1
    released.set()
