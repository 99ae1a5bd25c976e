"""All moves reach the broker, each as it is, whatever happens to the broker."""

import contextlib
import json
import random
import socket
import time

import pytest

from companion.common.errors import SettingsError
from companion.journal.journal import Journal, JournalEntry
from companion.plugins.mqtt import ReportSettings, connection, publisher
from companion.plugins.mqtt.broker_url import parse_brokers
from companion.plugins.mqtt.outbox import Outbox
from companion.plugins.mqtt.publisher import JournalPublisher
from companion.protocol.json_codec import read_move, to_json_value, write_move
from companion.rules.moves import Peg, Undo
from companion.settings import Settings
from companion.table import resume
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.waiting import wait_until


class Evening:
    """A table of pegs-only on a plain board, at which moves are made."""

    def __init__(self, folder):
        self.path, self.chance = folder / "journal.sqlite3", random.Random(7)
        self.journal = Journal(self.path)
        core = create_core(create_plan("pegs-only"), Settings(sensors="none:"))
        self.journal.begin_game(core.plan.journal_json)
        self.table = Table(core, self.journal, lambda: time.monotonic_ns() // 1_000_000, run="r")
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
def reports(evening):
    """Start a publisher for the table."""
    with contextlib.ExitStack() as closing:

        def made(*brokers, **settings):
            told = JournalPublisher(
                evening.journal,
                ReportSettings(
                    brokers=tuple(each if isinstance(each, str) else each.url for each in brokers),
                    board="b",
                    **settings,
                ),
            )
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


def test_each_move_is_published_in_its_place_and_an_undo_as_an_undo(broker, subscribe, evening, reports):
    at = broker()
    subscriber = subscribe(at)
    reports(at)
    evening.table.submit(Peg(0, 5))
    evening.table.submit(Peg(1, 3))
    evening.table.submit(Undo())
    wait_until(lambda: has_all_moves(subscriber, evening))
    told = [json.loads(text) for (_, n), text in sorted(subscriber.moves().items())]
    assert [each["move"] for each in told] == [
        {"type": "peg", "seat": 0, "points": 5},
        {"type": "peg", "seat": 1, "points": 3},
        {"type": "undo"},
    ]
    assert [each["scores"] for each in told] == [[5, 0], [5, 3], [5, 0]]
    assert [[a["points"] for a in each["awards"]] for each in told] == [[5], [3], []]
    (state,) = subscriber.payloads("/state")
    assert set(state) == {"run", "moves", "game", "players", "scores", "phase", "winner"}
    assert (state["game"]["key"], state["moves"], state["scores"]) == ("pegs-only", 0, [0, 0])


def test_the_end_of_a_game_is_kept_for_who_comes_later(broker, subscribe, evening, reports):
    at = broker()
    reports(at)
    while evening.table.snapshot.view["winner"] is None:
        evening.table.submit(Peg(1, 29))
    time.sleep(1)
    subscriber = subscribe(at)
    wait_until(lambda: [state["winner"] for state in subscriber.payloads("/state")][-1:] == [1])
    assert subscriber.payloads("/state")[-1]["phase"] == "over"


def test_a_board_says_that_it_is_there_that_it_goes_and_when_it_dies(broker, subscribe, evening, reports, monkeypatch):
    at = broker()
    subscriber = subscribe(at)
    told = reports(at)
    wait_until(lambda: subscriber.payloads("/online") == [1])
    told.close()
    wait_until(lambda: subscriber.payloads("/online") == [1, 0])
    dying = reports(at)
    wait_until(lambda: subscriber.payloads("/online") == [1, 0, 1])
    # As if the program died, without DISCONNECT.
    monkeypatch.setattr(publisher.Outbox, "next_message", lambda *_: 1 / 0)
    wait_until(lambda: subscriber.payloads("/online")[3:4] == [0])
    assert dying


def test_a_broker_that_is_killed_again_and_again_hears_every_move(broker, subscribe, evening, reports, monkeypatch):
    monkeypatch.setattr(connection, "MAX_RETRY_S", 0.5)
    at = broker()
    subscriber = subscribe(at)
    reports(at)
    chance = random.Random(18)
    for _ in range(8):
        evening.play(chance.randrange(1, 15))
        time.sleep(chance.random() / 4)
        at.kill()
        evening.play(3)
        at.start()
    wait_until(lambda: has_all_moves(subscriber, evening))


def test_interrupted_and_resumed_games_are_each_published_completely(broker, subscribe, evening, reports):
    at = broker()
    subscriber = subscribe(at)
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
    wait_until(
        lambda: (
            subscriber.payloads("/state")[-1]["run"]
            == evening.journal.query("SELECT hash FROM game WHERE id = 2")[0][0][:16]
        )
    )


def test_a_restarted_board_sends_what_the_archive_lacks(broker, subscribe, evening, reports):
    at = broker()
    evening.play(20)
    ((run, _), *_) = evening.written()
    subscriber = subscribe(at)
    subscriber.publish("cribbage/1/home/b/upto", {run: 15})
    reports(at)
    wait_until(lambda: len(subscriber.moves()) == 5)
    assert sorted(n for _, n in subscriber.moves()) == [16, 17, 18, 19, 20]


@pytest.mark.parametrize("lie", [{"RUN": 999}, {"another": 7}, {"RUN": "15"}, {"RUN": -1}, {"RUN": True}, [], "{"])
def test_an_impossible_upto_makes_the_board_publish_everything(broker, subscribe, evening, reports, lie):
    at = broker()
    evening.play(6)
    ((run, _), *_) = evening.written()
    subscriber = subscribe(at)
    told = {run if key == "RUN" else key: value for key, value in lie.items()} if isinstance(lie, dict) else lie
    subscriber.publish("cribbage/1/home/b/upto", told)
    reports(at)
    wait_until(lambda: has_all_moves(subscriber, evening))


def test_a_falling_upto_makes_the_board_publish_all_above_it_again(broker, subscribe, evening, reports):
    at = broker()
    subscriber = subscribe(at)
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


def test_a_broker_that_takes_everything_and_answers_nothing_delays_no_move(
    evening, reports, broker, subscribe, monkeypatch
):
    monkeypatch.setattr(connection, "ANSWER_TIMEOUT_S", 0.5)
    at = broker()
    subscriber = subscribe(at)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as deaf:
        reports(f"mqtt://127.0.0.1:{deaf.getsockname()[1]}", at)
        evening.play(30)
        wait_until(lambda: has_all_moves(subscriber, evening))  # the next of the list hears it


def test_a_broker_that_welcomes_and_then_falls_silent_is_left(evening, reports, broker, subscribe, monkeypatch):
    monkeypatch.setattr(connection, "ANSWER_TIMEOUT_S", 0.5)
    at = broker()
    subscriber = subscribe(at)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as silent:
        reports(f"mqtt://127.0.0.1:{silent.getsockname()[1]}", at)
        line, _ = silent.accept()
        line.sendall(bytes([0x20, 2, 0, 0]))  # CONNACK, and nothing ever after
        evening.play(10)
        wait_until(lambda: has_all_moves(subscriber, evening))
        line.close()


def test_a_full_broker_receives_everything_when_it_has_room(evening, reports, broker, subscribe):
    at = broker("max_connections 2")
    subscriber, other = subscribe(at), subscribe(at)
    reports(at)
    evening.play(4)
    time.sleep(0.5)
    assert subscriber.moves() == {}
    other.close()
    wait_until(lambda: has_all_moves(subscriber, evening))


def test_a_long_game_is_published_from_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_INTERVAL", 50)
    with contextlib.closing(Evening(tmp_path)) as evening:
        for _ in range(90):
            evening.table.submit(Peg(0, 1))
            evening.table.submit(Undo())
        ((run, _), *_) = evening.written()
        outbox, told = Outbox(evening.journal, {run: 170}), []
        while line := outbox.next_message():
            told.append(line)
        assert told[0].topic == "state"
        assert [line.topic for line in told[1:]] == [f"move/{run}/{n}" for n in range(171, 181)]
        assert json.loads(told[-1].text)["scores"] == [0, 0]
        assert to_json_value(read_move(json.loads(told[-2].text)["move"])) == write_move(Peg(0, 1))


def test_cards_without_a_move_are_not_published(tmp_path):
    with contextlib.closing(Evening(tmp_path)) as evening:
        evening.play(2)
        evening.journal.write((JournalEntry("card", "cards", "5H"),))
        outbox, told = Outbox(evening.journal, {}), []
        while line := outbox.next_message():
            told.append(line)
        assert len(told) == 3
        assert not any("5H" in line.text for line in told)


@pytest.mark.parametrize("url", ["mqtt://broker.example", "http://a", "mqtts://", "mqtts://u:p@a", "mqtt://a:99999"])
def test_an_invalid_broker_is_refused_with_a_sentence(url):
    with pytest.raises(SettingsError, match=r"\.$"):
        parse_brokers(ReportSettings(brokers=(url,)))


def test_without_tls_only_this_machine_is_contacted_unless_it_is_allowed():
    assert (
        len(
            parse_brokers(
                ReportSettings(brokers=("mqtt://127.0.0.1", "mqtt://localhost:1", "mqtt://[::1]", "mqtts://a.example"))
            )
        )
        == 4
    )
    assert parse_brokers(ReportSettings(brokers=("mqtt://10.0.0.7",), without_tls="on"))[0].port == 1883
