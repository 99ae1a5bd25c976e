"""All moves reach the broker, each as it is, whatever happens to the broker or is sent by it."""

import contextlib
import json
import random
import socket
import struct
import threading
import time

import pytest

from companion.common.errors import SettingsError
from companion.journal.journal import JournalEntry
from companion.plugins.mqtt import ReportSettings, connection, publisher
from companion.plugins.mqtt.broker_url import BrokerAddress, Credentials, parse_brokers
from companion.plugins.mqtt.connection import MAX_MESSAGES_PER_POLL, MAX_PACKET_BYTES, BrokerLost, MqttConnection
from companion.plugins.mqtt.outbox import Outbox
from companion.plugins.mqtt.publisher import JournalPublisher
from companion.protocol.json_codec import read_move, to_json_value, write_move
from companion.rules.moves import Peg, Undo
from companion.settings import Settings
from companion.table import resume
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from tests.support.tables import open_table
from tests.support.waiting import PATIENCE_S, wait_until


class Evening:
    """A table of pegs-only on a plain board, at which moves are made."""

    def __init__(self, folder):
        self.path, self.chance = folder / "journal.sqlite3", random.Random(7)
        self.table = open_table(folder, "pegs-only", settings=Settings(sensors="none:"))
        self.journal = self.table.journal
        self.tables = GameSwitcher(self.table)

    def play(self, count=1):
        for _ in range(count):
            self.table.submit(Peg(self.chance.randrange(2), 1))

    def written(self):
        """Return the moves of all games of the journal by game and number, as they must be published."""
        found = {}
        for game, mark in self.journal.query("SELECT id, hash FROM game"):
            moves = [each for each in self.journal.read_entries(game) if each.entry.kind == "move"]
            found |= {(mark[:16], n): each for n, each in enumerate(moves, 1)}
        return found

    def close(self):
        self.table.close()


@pytest.fixture
def evening(tmp_path):
    with contextlib.closing(Evening(tmp_path)) as made:
        yield made


@pytest.fixture
def at(broker):
    return broker()


@pytest.fixture
def subscriber(at, subscribe):
    return subscribe(at)


@pytest.fixture
def reports(evening):
    """Start a publisher for the table."""
    with contextlib.ExitStack() as closing:

        def made(*brokers):
            urls = tuple(each if isinstance(each, str) else each.url for each in brokers)
            told = JournalPublisher(evening.journal, ReportSettings(brokers=urls, board="b"))
            closing.callback(told.close)
            return told

        yield made


def has_all_moves(subscriber, evening):
    """Return whether every move of the journal was published as it is."""
    told, written = subscriber.moves(), evening.written()
    if told.keys() != written.keys():
        return False
    for (run, n), text in told.items():
        has, entry = json.loads(text), written[run, n]
        assert (has["run"], has["n"], has["ms"], has["by"]) == (run, n, entry.ms, entry.entry.by)
        assert (has["move"], has["hash"]) == (entry.entry.body, entry.hash)
        assert set(has) == {"run", "n", "ms", "by", "move", "awards", "scores", "hash"}
    return True


def test_moves_and_undos_are_published_in_order(at, subscriber, evening, reports):
    reports(at)
    evening.table.submit(Peg(0, 5))
    evening.table.submit(Peg(1, 3))
    evening.table.submit(Undo())
    wait_until(lambda: has_all_moves(subscriber, evening))
    told = [json.loads(text) for (_, n), text in sorted(subscriber.moves().items())]
    pegged = [{"type": "peg", "seat": seat, "points": points} for seat, points in ((0, 5), (1, 3))]
    assert [message["move"] for message in told] == [*pegged, {"type": "undo"}]
    assert [message["scores"] for message in told] == [[5, 0], [5, 3], [5, 0]]
    assert [[a["points"] for a in message["awards"]] for message in told] == [[5], [3], []]
    (state,) = subscriber.payloads("/state")
    assert set(state) == {"run", "moves", "game", "players", "scores", "phase", "winner"}
    assert (state["game"]["key"], state["moves"], state["scores"]) == ("pegs-only", 0, [0, 0])


def test_the_end_of_a_game_is_retained(at, subscribe, evening, reports):
    reports(at)
    while evening.table.snapshot.view["winner"] is None:
        evening.table.submit(Peg(1, 29))
    time.sleep(1)
    subscriber = subscribe(at)
    wait_until(lambda: [state["winner"] for state in subscriber.payloads("/state")][-1:] == [1])
    assert subscriber.payloads("/state")[-1]["phase"] == "over"


def test_a_board_reports_start_end_and_death(at, subscriber, reports, monkeypatch):
    told = reports(at)
    wait_until(lambda: subscriber.payloads("/online") == [1])
    told.close()
    wait_until(lambda: subscriber.payloads("/online") == [1, 0])
    reports(at)
    wait_until(lambda: subscriber.payloads("/online") == [1, 0, 1])
    # As if the program died, without DISCONNECT.
    monkeypatch.setattr(publisher.Outbox, "next_message", lambda *_: 1 / 0)
    wait_until(lambda: subscriber.payloads("/online")[3:4] == [0])


def test_a_repeatedly_killed_broker_hears_every_move(at, subscriber, evening, reports, monkeypatch):
    monkeypatch.setattr(connection, "MAX_RETRY_S", 0.5)
    reports(at)
    chance = random.Random(18)
    for _ in range(8):
        evening.play(chance.randrange(1, 15))
        time.sleep(chance.random() / 4)
        at.kill()
        evening.play(3)
        at.start()
    wait_until(lambda: has_all_moves(subscriber, evening))


def test_interrupted_and_resumed_games_are_each_published_completely(at, subscriber, evening, reports):
    evening.play(5)
    evening.tables.begin_game(NewGameRequest(game="pegs-only"))
    evening.play(4)
    reports(at)
    evening.tables.resume_game(1)
    evening.play(3)
    evening.tables.resume_game(2)
    evening.play(2)
    wait_until(lambda: has_all_moves(subscriber, evening))
    assert len({run for run, _ in subscriber.moves()}) == 2
    ((second,),) = evening.journal.query("SELECT substr(hash, 1, 16) FROM game WHERE id = 2")
    wait_until(lambda: subscriber.payloads("/state")[-1]["run"] == second)


def test_a_restarted_board_sends_what_the_archive_lacks(at, subscribe, evening, reports):
    evening.play(20)
    ((run, _), *_) = evening.written()
    subscriber = subscribe(at)
    subscriber.publish("cribbage/1/home/b/upto", {run: 15})
    reports(at)
    wait_until(lambda: len(subscriber.moves()) == 5)
    assert sorted(n for _, n in subscriber.moves()) == [16, 17, 18, 19, 20]


@pytest.mark.parametrize("lie", [{"RUN": 999}, {"another": 7}, {"RUN": "15"}, {"RUN": -1}, {"RUN": True}, [], "{"])
def test_an_impossible_upto_makes_the_board_publish_everything(at, subscriber, evening, reports, lie):
    evening.play(6)
    ((run, _), *_) = evening.written()
    told = {run if key == "RUN" else key: value for key, value in lie.items()} if isinstance(lie, dict) else lie
    subscriber.publish("cribbage/1/home/b/upto", told)
    reports(at)
    wait_until(lambda: has_all_moves(subscriber, evening))


def test_a_falling_upto_repeats_all_moves_above(at, subscriber, evening, reports):
    reports(at)
    evening.play(9)
    wait_until(lambda: has_all_moves(subscriber, evening))
    ((run, _), *_) = evening.written()
    subscriber.publish("cribbage/1/home/b/upto", {run: 9})
    time.sleep(0.3)
    subscriber.messages.clear()
    subscriber.publish("cribbage/1/home/b/upto", {run: 4})
    wait_until(lambda: len(subscriber.moves()) == 5)
    time.sleep(0.3)
    assert sorted(n for _, n in subscriber.moves()) == [5, 6, 7, 8, 9]


CONNACK = b"\x20\x02\x00\x00"


@pytest.mark.parametrize("said", [b"", CONNACK], ids=["deaf", "falls silent"])
def test_a_broker_without_answers_delays_no_move(evening, reports, at, subscriber, monkeypatch, said):
    monkeypatch.setattr(connection, "ANSWER_TIMEOUT_S", 0.5)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as silent:
        reports(f"mqtt://127.0.0.1:{silent.getsockname()[1]}", at)
        line, _ = silent.accept()
        line.sendall(said)
        evening.play(30)
        wait_until(lambda: has_all_moves(subscriber, evening))  # the next of the list hears it
        line.close()


def test_a_full_broker_receives_everything_later(evening, reports, broker, subscribe):
    at = broker("max_connections 2")
    subscriber, other = subscribe(at), subscribe(at)
    reports(at)
    evening.play(4)
    time.sleep(0.5)
    assert subscriber.moves() == {}
    other.close()
    wait_until(lambda: has_all_moves(subscriber, evening))


def read_outbox(journal, has):
    """Return all messages of a publisher to an archive that has these moves."""
    return list(iter(Outbox(journal, has).next_message, None))


def test_a_long_game_is_published_from_a_checkpoint(evening, monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_INTERVAL", 50)
    for _ in range(90):
        evening.table.submit(Peg(0, 1))
        evening.table.submit(Undo())
    ((run, _), *_) = evening.written()
    state, *told = read_outbox(evening.journal, {run: 170})
    assert state.topic == "state"
    assert [line.topic for line in told] == [f"move/{run}/{n}" for n in range(171, 181)]
    assert json.loads(told[-1].text)["scores"] == [0, 0]
    assert to_json_value(read_move(json.loads(told[-2].text)["move"])) == write_move(Peg(0, 1))


def test_cards_without_a_move_are_not_published(evening):
    evening.play(2)
    evening.journal.write((JournalEntry("card", "cards", "5H"),))
    told = read_outbox(evening.journal, {})
    assert (len(told), [line for line in told if "5H" in line.text]) == (3, [])


@pytest.mark.parametrize("url", ["mqtt://broker.example", "http://a", "mqtts://", "mqtts://u:p@a", "mqtt://a:99999"])
def test_an_invalid_broker_is_refused_with_a_sentence(url):
    with pytest.raises(SettingsError, match=r"\.$"):
        parse_brokers(ReportSettings(brokers=(url,)))


def test_without_tls_only_this_machine_is_contacted():
    urls = ("mqtt://127.0.0.1", "mqtt://localhost:1", "mqtt://[::1]", "mqtts://a.example")
    assert len(parse_brokers(ReportSettings(brokers=urls))) == 4
    assert parse_brokers(ReportSettings(brokers=("mqtt://10.0.0.7",), without_tls="on"))[0].port == 1883


def publish_packet(length, payload, qos=0):
    """Return a PUBLISH packet of this length whose payload begins like this."""
    head = struct.pack(">H", 1) + b"t" + (b"\x00\x07" if qos else b"")
    size, left = b"", length
    while left:
        left, digit = divmod(left, 128)
        size += bytes([digit | (128 if left else 0)])
    return bytes([0x30 | qos << 1]) + size + head + payload


@pytest.fixture
def hostile():
    """A broker that welcomes each client and then sends what it is told to. Return its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads = []

    def serve(*parts):
        def send():
            client, _ = listening.accept()
            with client, contextlib.suppress(OSError):
                client.recv(65536)
                for each in (CONNACK, *parts):
                    client.sendall(each)
                while client.recv(65536):
                    pass

        threads.append(threading.Thread(target=send, daemon=True))
        threads[-1].start()
        return BrokerAddress(*listening.getsockname(), tls=False)

    yield serve
    listening.close()
    for each in threads:
        each.join(PATIENCE_S)


def test_only_a_huge_messages_beginning_is_kept(hostile):
    length = 40 * MAX_PACKET_BYTES
    huge = publish_packet(length, b"huge")
    chunk = bytes(MAX_PACKET_BYTES)
    parts = [huge, *[chunk] * 39, chunk[: length - 39 * MAX_PACKET_BYTES - 7]]
    with MqttConnection(hostile(*parts, publish_packet(7, b"next")), Credentials()) as line:
        longest, heard = 0, []
        while not heard or heard[-1].payload != b"next":
            heard += line.poll_messages(0.1)
            longest = max(longest, len(line._client._in_packet["packet"]))
    assert longest <= MAX_PACKET_BYTES
    assert heard[0].payload.startswith(b"huge")
    assert MAX_PACKET_BYTES / 2 < len(heard[0].payload) < 10 * MAX_PACKET_BYTES


def test_messages_that_are_never_released_end_the_session(hostile):
    kept = publish_packet(9, b"kept", qos=2)
    broker = hostile(kept, publish_packet(7, b"next"))
    with MqttConnection(broker, Credentials()) as line, pytest.raises(BrokerLost):
        wait_until(lambda: line.poll_messages(0.1))


def test_a_topic_not_in_utf_8_is_ignored(hostile):
    odd, usual = publish_packet(5, b"").replace(b"\0\1t", b"\0\3\xff\xfet"), publish_packet(5, b"ok")
    with MqttConnection(hostile(odd, usual), Credentials()) as connection:
        (message,) = wait_until(lambda: connection.poll_messages(0.1))
    assert message[:2] == ("t", b"ok")


@pytest.mark.parametrize("count", [2, MAX_MESSAGES_PER_POLL + 1])
def test_messages_that_wait_are_read_together(hostile, count):
    """None is lost, also if the broker closes the connection after them."""
    with MqttConnection(hostile(publish_packet(5, b"ok") * count), Credentials()) as connection:
        first = wait_until(lambda: connection.poll_messages(0.1))
        rest = [] if len(first) == count else wait_until(lambda: connection.poll_messages(0.1))
    assert (len(first), len(rest)) == (min(count, MAX_MESSAGES_PER_POLL), max(0, count - MAX_MESSAGES_PER_POLL))
