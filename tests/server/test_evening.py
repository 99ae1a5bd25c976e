"""The routes of the evening."""

CUT, FIVE, TEN = (
    {"type": "starter", "card": "JD"},
    {"type": "play", "seat": 1, "card": "5H"},
    {"type": "play", "seat": 0, "card": "TH"},
)


def test_the_games_of_the_evening_are_shown_to_all_phones(player, watcher):
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


def test_a_table_that_was_not_played_at_is_named(watcher):
    assert watcher.get("/api/evening/table?table=9").status_code == 404
    assert watcher.get("/api/evening/table?table=x").status_code == 400
