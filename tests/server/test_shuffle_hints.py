"""Hints and the best layout of cribbage shuffle: correct by the rules and as documented."""

import contextlib
import math
from random import Random

import pytest

from companion.rules.cards import PACK, parse_cards
from companion.server import layout_hints
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import create_table_app, join_table
from tests.support.tables import open_table

VECTOR = {"type": "lay", "cards": list(map(str, parse_cards("5H5S6D7C JDQCKHTS 4C4D6H6S 2C4S6C8C"))), "starter": "5D"}
POOR = {"type": "lay", "cards": list(map(str, parse_cards("2C4C6H8D TSQSKC3D 7S9HJCAD 9CJH6CQD"))), "starter": "KD"}
"""Sixteen cards with few friends."""


@pytest.fixture
def sitting(tmp_path_factory, monkeypatch):
    """Return a function that begins a game and returns a player's phone. Proofs take the time they need."""
    monkeypatch.setattr(layout_hints, "MAX_PROOF_TIME_S", math.inf)
    with contextlib.ExitStack() as closing:

        def sit(key="shuffle", **options):
            table = open_table(tmp_path_factory.mktemp(key), key, **options)
            closing.callback(table.close)
            return join_table(create_table_app(GameSwitcher(table)).test_client())

        yield sit


def send(client, move):
    reply = client.post("/api/moves", json=move)
    assert reply.status_code == 201, reply.json
    return reply.json


def test_the_hint_is_a_true_swap(sitting):
    client = sitting()
    laid = send(client, VECTOR)
    hint = client.get("/api/hint").json
    assert hint["moves"] == laid["moves"]
    assert hint["total"] == laid["total"] + hint["points"]
    assert hint["say"].startswith(f"{hint['points']} more: swap the ")
    assert send(client, hint["swap"])["total"] == hint["total"]


def test_following_the_hints_ends_in_the_best_layout(sitting):
    client = sitting()
    now = send(client, VECTOR)
    for _ in range(16):
        hint = client.get("/api/hint").json
        if hint["swap"] is None:
            break
        now = send(client, hint["swap"])
    best = client.get("/api/best").json
    assert (best["proved"], best["swaps"], best["total"]) == (True, [], now["total"])
    assert "already the best layout" in hint["say"]


def test_the_best_layout_is_made_by_its_swaps(sitting):
    client = sitting()
    send(client, VECTOR)
    best = client.get("/api/best").json
    assert (best["proved"], best["reaches"]) == (True, True)
    for swap in best["swaps"]:
        now = send(client, swap)
    parts = ("grid", "rows", "columns", "heels", "total")
    assert [now[part] for part in parts] == [best[part] for part in parts]
    assert len(best["swaps"]) <= 15


def test_a_deal_that_cannot_reach_61_is_reported(sitting):
    client = sitting()
    send(client, POOR)
    best = client.get("/api/best").json
    assert (best["reaches"], best["proved"]) == (False, True)
    assert best["say"] == f"These cards can't reach 61. Their best layout is worth {best['total']}."


def test_a_hints_total_includes_adjustments(sitting):
    client = sitting()
    send(client, VECTOR)
    plain = client.get("/api/hint").json
    now = send(client, {"type": "adjust", "seat": 0, "points": 5})
    hint = client.get("/api/hint").json
    assert hint["total"] == plain["total"] + 5 == now["total"] + plain["points"]
    assert client.get("/api/best").json["total"] >= plain["total"]


def test_other_games_have_no_layout_hints(sitting):
    for client in (sitting(), sitting(variant="square"), sitting("six-card"), sitting("swap")):
        for path in ("/api/hint", "/api/best"):
            reply = client.get(path)
            assert (reply.status_code, list(reply.json)) == (409, ["error"])
            assert reply.json["error"].endswith(".")


def test_a_watcher_may_only_request_hints(sitting):
    player = sitting()
    send(player, VECTOR)
    client = player.application.test_client()
    for path in ("/api/hint", "/api/best"):
        reply = client.get(path)
        assert (reply.status_code, reply.mimetype) == (200, "application/json")
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert client.get(path, headers={"Host": "elsewhere.example"}).status_code == 421
        assert client.post(path, json={}).status_code in (403, 405)


def test_many_who_ask_at_once_have_one_answer(sitting):
    client = sitting()
    chance = Random(9)
    *sixteen, starter = (str(card) for card in chance.sample(PACK, 17))
    send(client, {"type": "lay", "cards": sixteen, "starter": starter})
    first = client.get("/api/best").json
    swapped = send(client, {"type": "swap", "a": [0, 0], "b": [3, 3]})
    again = client.get("/api/best").json
    assert (again["total"], again["moves"]) == (first["total"], swapped["moves"])
