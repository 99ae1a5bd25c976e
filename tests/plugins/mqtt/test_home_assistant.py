"""Home Assistant gets the board, its state and awards, and may press the allowed buttons."""

import contextlib
import json
import time

import pytest

from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.publisher import JournalPublisher
from companion.rules.moves import Peg
from tests.support.waiting import wait_until

CONFIG = "homeassistant/device/kitchen/config"
BELOW = "cribbage/1/home/kitchen"


@pytest.fixture
def start_publisher(table, broker, subscribe):
    """Start a publisher, and return a subscriber to all topics."""
    at = broker()
    subscriber = subscribe(at, "#")
    with contextlib.ExitStack() as closing:

        def made(**settings):
            report = ReportSettings(brokers=(at.url,), board="kitchen", **settings)
            report = JournalPublisher(table.journal, report, table)
            closing.callback(report.close)
            return subscriber

        yield made


def texts(subscriber, topic):
    with subscriber.lock:
        return [text for where, text, _ in subscriber.messages if where == topic]


def test_the_board_appears_with_all_its_entities(start_publisher):
    subscriber = start_publisher()
    config = json.loads(wait_until(lambda: texts(subscriber, CONFIG))[0])
    assert {"device", "origin", "components", "availability"} <= config.keys()
    assert config["availability"][0]["topic"] == f"{BELOW}/online"
    parts = config["components"]
    assert all(part["platform"] and part["unique_id"] for part in parts.values())
    assert len({part["unique_id"] for part in parts.values()}) == len(parts)
    assert {"score_0", "score_1", "turn", "count", "winner", "award", "connected", "pegs_wrong"} <= parts.keys()
    assert not {"undo", "dice"} & parts.keys()


def test_state_and_awards_are_published(start_publisher, table):
    subscriber = start_publisher()
    wait_until(lambda: texts(subscriber, f"{BELOW}/now"))
    table.submit(Peg(1, 8))
    wait_until(lambda: json.loads(texts(subscriber, f"{BELOW}/now")[-1])["scores"] == [0, 8])
    (award,) = wait_until(lambda: texts(subscriber, f"{BELOW}/award"))
    assert json.loads(award) == {"event_type": "pegged", "seat": 1, "name": "Blue", "points": 8, "total": 8}


def test_each_award_is_published_however_fast(start_publisher, table):
    subscriber = start_publisher()
    wait_until(lambda: texts(subscriber, f"{BELOW}/now"))
    for points in range(1, 8):
        table.submit(Peg(points % 2, points))
    wait_until(lambda: len(texts(subscriber, f"{BELOW}/award")) >= 7)
    assert [json.loads(each)["points"] for each in texts(subscriber, f"{BELOW}/award")] == list(range(1, 8))


def test_entities_and_topics_are_named_by_the_club(start_publisher):
    subscriber = start_publisher(club="north")
    topic = "homeassistant/device/north/kitchen/config"
    parts = json.loads(wait_until(lambda: texts(subscriber, topic))[0])["components"]
    assert parts["score_0"]["default_entity_id"] == "sensor.kitchen_score_0"
    assert parts["pegs_wrong"]["default_entity_id"] == "binary_sensor.kitchen_pegs_wrong"
    for part in parts.values():
        assert part["default_entity_id"] == f"{part['platform']}.{part['object_id']}"
    assert texts(subscriber, CONFIG) == []  # a board of this name in no club may be there


def test_a_restarted_home_assistant_gets_the_configuration(start_publisher):
    subscriber = start_publisher()
    wait_until(lambda: len(texts(subscriber, CONFIG)) == 1)
    subscriber.publish("homeassistant/status", "online", retain=False)
    wait_until(lambda: len(texts(subscriber, CONFIG)) == 2)


def test_a_button_works_only_where_it_is_allowed(start_publisher, table):
    table.submit(Peg(1, 8))
    subscriber = start_publisher()
    wait_until(lambda: texts(subscriber, CONFIG))
    subscriber.publish(f"{BELOW}/press", "undo", retain=False)
    time.sleep(0.5)
    assert list(table.snapshot.view["scores"]) == [0, 8]


def test_a_house_that_may_takes_a_move_back(start_publisher, table):
    table.submit(Peg(1, 8))
    subscriber = start_publisher(buttons="on")
    parts = json.loads(wait_until(lambda: texts(subscriber, CONFIG))[0])["components"]
    assert parts["undo"]["command_topic"] == f"{BELOW}/press"
    subscriber.publish(f"{BELOW}/press", "format the disk", retain=False)
    subscriber.publish(f"{BELOW}/press", parts["undo"]["payload_press"], retain=False)
    wait_until(lambda: list(table.snapshot.view["scores"]) == [0, 0])


def test_the_configuration_can_be_removed(start_publisher):
    subscriber = start_publisher(home_assistant="remove")
    assert wait_until(lambda: texts(subscriber, CONFIG)) == [""]
    time.sleep(0.3)
    assert texts(subscriber, f"{BELOW}/now") == []
