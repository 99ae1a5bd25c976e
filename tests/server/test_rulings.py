"""The ruling over HTTP: in the state, answered by a player, refused where there is none."""

import contextlib
from dataclasses import replace

import pytest

from companion.table.setup import create_plan
from tests.server.test_moves import send
from tests.support.tables import open_table


@pytest.fixture
def table(tmp_path):
    plan = replace(create_plan("six-card", options={"counting": "manual", "policy": "tournament"}), is_plain=True)
    with contextlib.closing(open_table(tmp_path, plan)) as opened:
        yield opened


def test_a_ruling_stays_until_it_is_answered(player):
    for move in (
        {"type": "starter", "card": "8S"},
        {"type": "play", "seat": 1, "card": "5H"},
        {"type": "play", "seat": 0, "card": "TD"},
        {"type": "claim", "seat": 0, "points": 5},
    ):
        assert player.get("/api/state").json["ruling"] is None
        assert player.post("/api/moves", json=move).status_code == 201
    ruling = player.get("/api/state").json["ruling"]
    assert ruling == {
        "rule": "8.4c",
        "side": 0,
        "say": "Red pegged too many and goes back: 3 points for Blue.",
        "moves": [{"type": "adjust", "seat": 1, "points": 3}],
    }
    for body in (b'{"type":"rule"}', b'{"type":"rule","accept":1}', b'{"type":"rule","accept":true,"seen":"all"}'):
        assert send(player, body).status_code == 400
    reply = player.post("/api/moves", json={"type": "rule", "accept": True})
    assert (reply.status_code, reply.json["ruling"], reply.json["scores"]) == (201, None, [2, 3])
    assert player.post("/api/moves", json={"type": "rule", "accept": True}).status_code == 409
    assert player.post("/api/moves", json={"type": "undo"}).json["ruling"] == ruling
    reply = player.post("/api/moves", json={"type": "rule", "accept": False})
    assert (reply.json["ruling"], reply.json["scores"]) == (None, [2, 0])


def test_a_phone_cannot_say_what_the_pegs_saw(player):
    for move in (
        {"type": "starter", "card": "JS"},
        {"type": "play", "seat": 1, "card": "5H"},
        {"type": "play", "seat": 0, "card": "6D"},
    ):
        player.post("/api/moves", json=move)
    reply = player.post("/api/moves", json={"type": "rule", "accept": True, "seen": "heels"})
    assert (reply.status_code, player.get("/api/state").json["scores"]) == (409, [2, 0])


def test_a_player_calls_what_the_page_lists(player):
    calls = player.get("/api/judge").json["calls"]
    chosen = next(each for each in calls if each["move"] == {"type": "infringement", "seat": 1, "what": "crib-first"})
    assert (chosen["rule"], chosen["say"]) == ("5.2b", "Blue looked at the crib before discarding")
    ruling = player.post("/api/moves", json=chosen["move"]).json["ruling"]
    assert ruling["say"].startswith("Blue looked at the crib before discarding: 2 points for Red")
    assert player.post("/api/moves", json={"type": "rule", "accept": True}).json["scores"] == [2, 0]
    assert player.post("/api/moves", json=chosen["move"] | {"what": "all"}).status_code == 400
    assert player.post("/api/moves", json=chosen["move"] | {"what": "late-heels"}).status_code == 409
    german = player.get("/api/judge?lang=de").json["calls"]
    assert "Blau hat vor dem Ablegen in den Crib gesehen" in [each["say"] for each in german]


def test_a_phone_cannot_call_its_own_seat(player):
    def count_offers(seat):
        calls = [each["move"] for each in player.get("/api/judge").json["calls"]]
        return sum((each["seat"], each["what"]) == (seat, "crib-first") for each in calls)

    assert (count_offers(0), count_offers(1)) == (1, 1)
    assert player.post("/api/seat", json={"seat": 1}).status_code == 201
    assert (count_offers(0), count_offers(1)) == (1, 0)
