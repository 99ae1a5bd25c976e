"""A broker, or somebody who writes to it, reads nothing and changes nothing; what is tried is told once."""

import base64
import math

import pytest

from companion.common.files import PrivateValues
from companion.plugins.mqtt.connection import MqttConnection
from companion.plugins.remote.messages import SecureChannel
from companion.rules.cards import PACK
from companion.rules.moves import Adjust
from companion.table.game_switcher import NewGameRequest
from tests.support.waiting import wait_until

from .conftest import LINK, SECRET


def list_seat_messages(subscriber, board, what="game"):
    """Return the topics and messages of a board that were heard."""
    heard = list(subscriber.messages)
    return [each[:2] for each in heard if f"/{board}/seat/" in each[0] and each[0].endswith(what)]


def go_on(game):
    """Make one more move, to show that the game goes on."""
    before = game.agree()
    game.bob.table.submit(Adjust(0, 1))
    wait_until(lambda: len(game.agree()) == len(before) + 1)
    return game.agree()


def test_the_broker_sees_no_secret_of_the_game(game, at, subscribe):
    subscriber = subscribe(at)
    game.ann.tables.set_player(0, "Annabella", None)
    game.play_deal()
    seen = subscriber.messages
    texts = [topic + base64.b64decode(text).decode("latin-1") for topic, text, _ in seen if "/seat/" in topic]
    assert len(texts) > 30
    words = [f'"{card}"' for card in PACK] + ["Annabella", "starter", "play", "phone", SECRET.hex(), SECRET.decode()]
    assert not [word for word in (*words, LINK.partition("#")[2]) for text in texts if word in text]


def change_byte(text):
    raw = bytearray(base64.b64decode(text))
    raw[40] ^= 1
    return base64.b64encode(raw).decode()


@pytest.mark.parametrize("attack", ["old", "changed", "reflected", "kind", "foreign", "plain", "empty"])
def test_only_the_newest_message_is_taken(game, at, subscribe, tmp_path, attack):
    subscriber = subscribe(at)
    game.cut()
    go_on(game)
    wait_until(lambda: all(len(list_seat_messages(subscriber, own)) > 3 for own in ("ann", "bob")))
    before = game.agree()
    sent = {own: list_seat_messages(subscriber, own) for own in ("ann", "bob")}  # the attack itself is not in it
    for own, other, side in (("ann", "bob", game.bob), ("bob", "ann", game.ann)):
        topic, newest = sent[own][-1]
        foreign = SecureChannel(PrivateValues(tmp_path / f"eve {own}"), b"e" * 16, is_host=own == "ann")
        text = {
            "old": sent[own][0][1],
            "changed": change_byte(newest),
            "reflected": sent[other][-1][1],
            "kind": list_seat_messages(subscriber, own, "here")[-1][1],
            "foreign": foreign.seal("game", "{}"),
            "plain": '{"run":"","count":0}',
            "empty": "",
        }[attack]
        for _ in range(3):
            subscriber.publish(topic, text)
        wait_until(lambda side=side: side.talk.refused >= 3)
        assert side.talk.refused == 3
        assert len([each for each in side.notices if "was ignored" in each]) == 1
    assert game.agree() == before
    assert len(go_on(game)) == len(before) + 1


def test_a_flooded_broker_stops_no_game(game, at, subscribe):
    """Five thousand messages to each table while a deal is played: one notice, and both have the same moves."""
    subscriber, flooder = subscribe(at), subscribe(at, "nothing")
    game.cut()
    wait_until(lambda: all(list_seat_messages(subscriber, own) for own in ("ann", "bob")))
    for own in ("ann", "bob"):
        topic = list_seat_messages(subscriber, own)[-1][0]
        for size in range(5_000):
            flooder._client.publish(topic, b"A" * size, qos=0)
    game.play_on()
    assert all(side.talk.refused for side in game.both)
    for side in game.both:
        assert len([each for each in side.notices if "was ignored" in each]) == 1


def test_a_move_outlives_lost_messages(game, monkeypatch):
    """A flooded broker drops messages; the next regular repetition may be long away."""
    monkeypatch.setattr("companion.plugins.remote.session.REPEAT_INTERVAL_S", math.inf)
    game.cut()
    game.agree()
    lost, publish = [], MqttConnection.publish

    def lose_some(line, topic, payload, **options):
        if topic.endswith("/game") and len(lost) < 4:
            lost.append(topic)
        else:
            publish(line, topic, payload, **options)

    monkeypatch.setattr(MqttConnection, "publish", lose_some)
    go_on(game)
    assert len(lost) == 4


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_message_of_an_earlier_game_is_ignored(game, at, subscribe, is_restarted):
    subscriber = subscribe(at)
    game.cut()
    game.agree()
    old = list_seat_messages(subscriber, "ann")
    game.ann.tables.begin_game(NewGameRequest(game="five-card"))
    wait_until(lambda: game.bob.table.snapshot.game["key"] == "five-card" and all(each.cards for each in game.both))
    if is_restarted:
        game.ann.talk.close()
        game.bob.close()
        subscriber.publish(*old[-1])
        game.bob.open()
        wait_until(lambda: game.bob.talk.refused == 1)
    for each in old:
        subscriber.publish(*each)
    wait_until(lambda: game.bob.talk.refused >= len(old))
    assert game.bob.table.snapshot.game["key"] == "five-card"
    assert game.bob.tables.remote_table
    if not is_restarted:
        game.cut()


def test_a_board_with_another_invitation_is_not_heard(game, at, subscribe):
    """Also one with the right name: its topics are of another session."""
    subscriber = subscribe(at)
    session = game.ann.talk._channel.session
    assert all(f"/{session}/" in topic for topic, _, _ in subscriber.messages if "/seat/" in topic)
    other = SecureChannel(PrivateValues(game.bob.path.with_suffix(".eve")), b"e" * 16, is_host=False)
    subscriber.publish(f"cribbage/1/home/bob/seat/ann/{other.session}/game", other.seal("game", "{}"))
    go_on(game)
    assert game.ann.talk.refused == 0
