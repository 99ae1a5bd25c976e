"""The demo's players go on after whatever surprises them, and do not delay the end of the program."""

import threading
from types import SimpleNamespace

import pytest

from companion.demo import actions
from companion.demo.actions import SimulatedPlayers
from tests.support.waiting import PATIENCE_S


class FakeTable:
    """A table whose snapshot does not change."""

    def __init__(self):
        self.is_closed, self.journal = False, SimpleNamespace(game_id=1)
        self.snapshot = SimpleNamespace(view={"phase": "play"}, dues=())


class Players(SimulatedPlayers):
    """Players who do what the test says."""

    def __init__(self, table, act):
        self.act = act
        super().__init__(table, None, None, 1000, None)

    def phase_actions(self):
        return {"play": self.act}


@pytest.fixture
def play():
    opened = []

    def start(table, act):
        opened.append(Players(table, act))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.mark.parametrize("error", [StopIteration, ValueError("list.remove(x): x not in list"), KeyError, TypeError])
def test_an_error_does_not_end_the_demo(play, error, caplog):
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


def test_the_end_waits_for_no_player(play):
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
