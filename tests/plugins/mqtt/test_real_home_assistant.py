"""Checks a board in the real Home Assistant, if HOME_ASSISTANT_PYTHON names a Python that has it.

docs/how-to/home-assistant.md#what-was-tried says how that is made. Nothing is installed by the test.
"""

import json
import os
import subprocess
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.publisher import JournalPublisher
from companion.rules.moves import Peg
from tests.support.nats_nodes import HOW_TO
from tests.support.waiting import wait_until

PYTHON = os.environ.get("HOME_ASSISTANT_PYTHON")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not PYTHON, reason="HOME_ASSISTANT_PYTHON names no Python that has Home Assistant"),
]


class House:
    """Home Assistant in a process of its own."""

    def __init__(self, port):
        words = [PYTHON, Path(__file__).with_name("home_assistant.py"), str(port)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if not self._process.stdout.readline():
            raise AssertionError(self._process.communicate()[1])

    def calls(self, *service):
        """Call a service, or none, and return the states of all entities."""
        print(json.dumps(service), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self):
        self._process.kill()
        self._process.communicate()


@contextmanager
def publishing(table, at, **settings):
    """A board that publishes to Home Assistant."""
    report = ReportSettings(brokers=(at.url,), board="kitchen", club="home", **settings)
    with closing(JournalPublisher(table.journal, report, table)):
        yield


def test_a_board_is_a_device_with_working_entities(table, broker):
    at = broker()
    with ExitStack() as opened:
        house = opened.enter_context(closing(House(at.port)))
        with publishing(table, at, buttons="on"):
            wait_until(lambda: len(house.calls()) == 12)
            table.submit(Peg(0, 5))
            wait_until(lambda: house.calls()["sensor.kitchen_score_0"][0] == "5")
            time.sleep(3)  # a house shows an entity before it listens to its events
            table.submit(Peg(0, 4))
            wait_until(lambda: house.calls()["event.kitchen_award"][1]["event_type"] == "pegged")
            wait_until(lambda: house.calls()["sensor.kitchen_score_0"][0] == "9")
            states = house.calls()
            assert (states["binary_sensor.kitchen_connected"][0], states["sensor.kitchen_score_1"][0]) == ("on", "0")
            house.calls("button", "press", {"entity_id": "button.kitchen_undo"})
            wait_until(lambda: house.calls()["sensor.kitchen_score_0"][0] == "5")
            assert table.snapshot.view["scores"] == [5, 0]
        wait_until(lambda: house.calls()["sensor.kitchen_score_0"][0] == "unavailable")
        assert house.calls()["binary_sensor.kitchen_connected"][0] == "off"
        with publishing(table, at, home_assistant="remove"):
            wait_until(lambda: house.calls() == {})


def test_a_home_assistant_that_starts_later_receives_everything(table, broker):
    at = broker()
    table.submit(Peg(1, 7))
    with publishing(table, at), closing(House(at.port)) as house:
        wait_until(lambda: house.calls().get("sensor.kitchen_score_1", [""])[0] == "7")
        assert {name.partition(".")[0] for name in house.calls()} == {"sensor", "binary_sensor", "event"}


def test_the_blueprints_are_valid_in_home_assistant():
    files = sorted(HOW_TO.glob("home-assistant/*.yaml"))
    script = Path(__file__).with_name("home_assistant.py")
    done = subprocess.run([PYTHON, script, "blueprints", *files], capture_output=True, text=True, check=False)
    assert (len(files), done.returncode) == (3, 0), done.stderr
