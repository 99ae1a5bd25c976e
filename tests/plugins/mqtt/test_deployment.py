"""The configuration files of the club pages: boards are separated, and a league survives the loss of a node."""

import contextlib
import json
import subprocess
import time

import paho.mqtt.client as mqtt
import pytest

from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database
from companion.plugins.club.subscriber import ArchiveSubscriber
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.publisher import JournalPublisher
from companion.rules.moves import Peg
from tests.support.brokers import Subscriber, free_port
from tests.support.nats_nodes import HOW_TO, NATS, Node
from tests.support.waiting import wait_until


def password(tmp_path, name):
    path = tmp_path / f"{name}.password"
    path.write_text(f"REPLACE-{name}\n")
    return str(path)


@pytest.fixture
def store(tmp_path):
    with contextlib.closing(Database(f"sqlite:///{tmp_path}/club.sqlite3")) as made:
        yield made


def read_archive(store):
    return store.query("SELECT count(*) FROM move")[0][0]


@pytest.fixture
def club(tmp_path, broker):
    """A Mosquitto with the rights of docs/how-to/club/club.acl, and three credentials."""
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for name in ("table-3", "table-4", "archive"):
        subprocess.run(["mosquitto_passwd", "-b", passwords, name, f"REPLACE-{name}"], check=True)
    return broker("allow_anonymous false", f"password_file {passwords}", f"acl_file {HOW_TO}/club/club.acl")


def connect_subscriber(subscribe, club, user, below="cribbage/1/#"):
    return subscribe(club, below, user=user, password=f"REPLACE-{user}")


def test_a_board_writes_its_own_topics_alone(club, subscribe):
    archive, board = connect_subscriber(subscribe, club, "archive"), connect_subscriber(subscribe, club, "table-3")
    for name in ("table-3", "table-4"):
        for what in ("online", "state", "move/r/1", "upto"):
            board.publish(f"cribbage/1/north/{name}/{what}", f'"{name}"')
        archive.publish(f"cribbage/1/north/{name}/upto", {name: 1})
    board.publish("cribbage/1/south/table-3/state", "1")
    wait_until(lambda: len(board.messages) >= 1)
    time.sleep(0.5)
    assert sorted(topic for topic, _, _ in archive.messages) == [
        f"cribbage/1/north/table-3/{what}" for what in ("move/r/1", "online", "state")
    ]
    assert [(topic, json.loads(text)) for topic, text, _ in board.messages] == [
        ("cribbage/1/north/table-3/upto", {"table-3": 1})
    ]


def test_messages_between_two_boards_stay_between_them(club, subscribe):
    ann, bob, archive = (connect_subscriber(subscribe, club, user) for user in ("table-3", "table-4", "archive"))
    for writer in ("table-3", "table-4"):
        ann.publish(f"cribbage/1/north/{writer}/seat/table-4/game", f'"{writer}"')
    wait_until(lambda: bob.messages)
    time.sleep(0.3)
    assert [(topic, json.loads(text)) for topic, text, _ in bob.messages] == [
        ("cribbage/1/north/table-3/seat/table-4/game", "table-3")
    ]
    assert not ann.messages + archive.messages


def test_a_club_keeps_moves_with_these_rights(club, table, store, tmp_path):
    def report(user):
        return ReportSettings(
            brokers=(club.url,), user=user, password_file=password(tmp_path, user), club="north", board="table-3"
        )

    with contextlib.closing(ArchiveSubscriber(Archive(store), report("archive"))):
        with contextlib.closing(JournalPublisher(table.journal, report("table-3"), table)):
            for _ in range(30):
                table.submit(Peg(0, 1))
            wait_until(lambda: read_archive(store) == 30)
        with contextlib.closing(JournalPublisher(table.journal, report("table-4"))):  # in another's name
            table.submit(Peg(0, 1))
            time.sleep(1)
            assert read_archive(store) == 30


@pytest.fixture
def league(tmp_path):
    if not NATS:
        pytest.skip("nats-server is not installed")
    routes = {name: free_port() for name in "abc"}
    nodes = [Node(tmp_path, name, (free_port(), free_port()), routes) for name in "abc"]
    with contextlib.ExitStack() as closing:
        for node in nodes:
            closing.callback(node.kill)
        wait_until(lambda: all(node.accepts_clients() for node in nodes))
        yield nodes


def test_a_league_outlives_one_of_its_nodes(league, table, store, tmp_path):
    def report(user, *nodes):
        name = user.removeprefix("north-")
        return ReportSettings(
            brokers=tuple(node.url for node in nodes), user=user, password_file=password(tmp_path, name), club="north",
            board="table-3", home_assistant="off",
        )  # fmt: skip

    a, b, c = league
    with (
        contextlib.closing(ArchiveSubscriber(Archive(store), report("archive", b, a, c))),
        contextlib.closing(JournalPublisher(table.journal, report("north-table-3", a, b, c), table)),
    ):
        for _ in range(20):
            table.submit(Peg(0, 1))
        wait_until(lambda: read_archive(store) == 20)
        a.kill()
        for _ in range(20):
            table.submit(Peg(1, 1))
        wait_until(lambda: read_archive(store) == 40)
    assert store.query("SELECT count(*) FROM refused") == [(0,)]


def test_a_leagues_credential_is_for_one_board(league, tmp_path):
    with contextlib.closing(
        Subscriber(league[0], "cribbage/1/north/+/state", user="archive", password="REPLACE-archive")
    ) as heard:
        board = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        board.username_pw_set("north-table-3", "REPLACE-table-3")
        board.connect("127.0.0.1", league[0].port)
        board.loop_start()
        board.publish("cribbage/1/north/table-4/state", "4", qos=0)
        board.publish("cribbage/1/north/table-3/state", "3", qos=1)
        wait_until(lambda: heard.messages)
        time.sleep(0.5)
        board.disconnect()
        board.loop_stop()
        assert [text for _, text, _ in heard.messages] == ["3"]


def test_a_league_board_cannot_read_the_others(league):
    """NATS passes all messages on under subjects of its own as well."""
    granted, heard = [], []
    spy = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    spy.username_pw_set("north-table-3", "REPLACE-table-3")
    spy.on_subscribe = lambda *args: granted.extend(args[3])
    spy.on_message = lambda *args: heard.append(args[2].topic)
    spy.connect("127.0.0.1", league[0].port)
    spy.loop_start()
    own = "cribbage/1/north/table-3/upto"
    topics = ("#", "$MQTT/#", "$MQTT/msgs/#", "$MQTT/rmsgs/#", "$MQTT/sub/#", "$MQTT/sess/#", "$MQTT/JSA/#",
              "cribbage/1/#", "cribbage/1/north/+/upto", "$JS/#", "$SYS/#", "_INBOX/#", own)  # fmt: skip
    for topic in topics:
        spy.subscribe(topic, 0)
    wait_until(lambda: len(granted) == len(topics))
    with contextlib.closing(Subscriber(league[0], user="archive", password="REPLACE-archive")) as archive:
        archive.publish("cribbage/1/north/table-4/upto", "{}")
        archive.publish(own, "{}")
        wait_until(lambda: own in heard)
        time.sleep(0.5)
    spy.disconnect()
    spy.loop_stop()
    assert set(heard) == {own}
