"""The history of moves with its ETag, and the evening."""

import pytest

from companion.server.routes.pages import openapi_document


def list_moves(player, *moves):
    for move in moves:
        assert player.post("/api/moves", json=move).status_code == 201


CUT = {"type": "starter", "card": "JD"}
FIVE, TEN = ({"type": "play", "seat": seat, "card": card} for seat, card in ((1, "5H"), (0, "TH")))


def test_a_watcher_reads_what_the_table_has_played(player, app):
    watcher = app.test_client()
    assert watcher.get("/api/history").json == {"table": 1, "moves": []}
    list_moves(player, CUT, FIVE, TEN)
    told = watcher.get("/api/history").json
    assert told["table"] == 1
    assert [(made["n"], made["by"], made["move"], made["scores"]) for made in told["moves"]] == [
        (1, "phone", CUT, [2, 0]), (2, "phone", FIVE, [2, 0]), (3, "phone", TEN, [4, 0]),
    ]  # fmt: skip
    assert told["moves"][-1]["say"] == player.get("/api/state").json["last"]["said"]
    assert watcher.get("/api/history?table=1").json == told
    assert [made["n"] for made in watcher.get("/api/history?after=2").json["moves"]] == [3]


def test_who_has_it_is_not_sent_it_again(player):
    list_moves(player, CUT, FIVE)
    first = player.get("/api/history")
    assert first.headers["Cache-Control"] == "no-cache"
    mark = {"If-None-Match": first.headers["ETag"]}
    again = player.get("/api/history", headers=mark)
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    list_moves(player, {"type": "undo"})
    changed = player.get("/api/history", headers=mark)
    assert (changed.status_code, len(changed.json["moves"])) == (200, 1)


@pytest.mark.parametrize("asked", ["table=x", "table=-1", "table=1.5", "after=", "after=1e3", "table=" + "9" * 40])
def test_an_invalid_number_is_refused_with_a_sentence(watcher, asked):
    refused = watcher.get(f"/api/history?{asked}")
    assert (refused.status_code, refused.json["error"]) == (400, f"Ask with {asked[:5]}=N, a whole number from 0.")


def test_a_table_that_is_not_there_is_named(watcher):
    refused = watcher.get("/api/history?table=7")
    assert (refused.status_code, refused.json["error"]) == (404, "There is no table 7.")


def test_it_is_as_described(player):
    list_moves(player, CUT, FIVE, TEN, {"type": "adjust", "seat": 0, "points": 2, "also": [{"seat": 1, "points": 1}]})
    described = openapi_document()["components"]["schemas"]["Made"]
    for made in player.get("/api/history").json["moves"]:
        assert set(made) == set(described["required"])


def test_the_evenings_games_are_shown_to_all(player, watcher):
    assert watcher.get("/api/evening").json == {"games": [], "series": []}
    for move in (CUT, FIVE, TEN):
        assert player.post("/api/moves", json=move).status_code == 201
    (now,) = watcher.get("/api/evening").json["games"]
    assert (now["names"], now["scores"], now["ended_ms"]) == (["Red", "Blue"], [4, 0], None)
    assert now["points"][0] == {"play": 2, "hand": 0, "crib": 0, "other": 2}
    assert "race" not in now
    (whole,) = watcher.get("/api/evening/table").json["games"]
    assert [each["scores"] for each in whole["race"]] == [[2, 0], [4, 0]]
    assert watcher.get("/api/evening/players").json == {"players": [], "series": [], "evenings": []}
    player.post("/api/players", json={"seat": 0, "name": "Ann"})
    assert watcher.get("/api/evening").json["games"][0]["names"] == ["Ann", "Blue"]


def test_an_unknown_table_is_named(watcher):
    assert watcher.get("/api/evening/table?table=9").status_code == 404
    assert watcher.get("/api/evening/table?table=x").status_code == 400
