"""Practice deals for everyone; hints only for the phone's own hand, if the table allows them."""

import contextlib

import pytest

from companion.coach import advise
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import create_table_app
from tests.server.test_openapi import check_answer
from tests.support.tables import open_table

from .conftest import join_table

SIX = ["5S", "4D", "JD", "4C", "5C", "5H"]


@pytest.mark.parametrize(("game", "cards"), [("six-card", 6), ("five-card", 5)])
def test_a_seed_is_a_deal_to_practise_on(watcher, game, cards):
    told = watcher.get(f"/api/train?game={game}&seed=7").json
    assert told == watcher.get(f"/api/train?game={game}&seed=7").json
    assert told["asked"] != watcher.get(f"/api/train?game={game}&seed=8").json["asked"]
    assert len(told["asked"]["hand"]) == cards
    assert told["ranked"] == advise.answer_question(told["asked"])["choices"]
    check_answer("/api/train", told)


def test_every_deal_to_practise_on_can_be_asked(watcher):
    for seed in range(40):
        low, high = sorted(watcher.get(f"/api/train?seed={seed}").json["asked"]["scores"])
        assert 0 <= low <= high < 121
        assert high - low <= 30
    assert watcher.get("/api/train?game=pegs-only&seed=1").status_code == 400
    assert watcher.get("/api/train").status_code == 400


def test_cards_of_ones_own_can_be_practised_but_not_during_a_game_without_hints(watcher, player):
    told = watcher.get("/api/train?hand=5S4DJD4C5C5H&dealer=on").json
    assert (told["asked"]["hand"], told["asked"]["dealer"], told["asked"]["scores"]) == (SIX, True, [0, 0])
    assert told["ranked"] == advise.answer_question(told["asked"])["choices"]
    assert not watcher.get("/api/train?hand=5S4DJD4C5C5H").json["asked"]["dealer"]
    for wrong in ("5S4DJD4C5C", "5S4DJD4C5C5S", "5S4DJD4C5CXX", ""):
        refused = watcher.get(f"/api/train?hand={wrong}")
        assert (refused.status_code, refused.json["error"][-1:]) == (400, "."), wrong
    player.post("/api/moves", json={"type": "starter", "card": "2H"})
    assert watcher.get("/api/train?hand=5S4DJD4C5C5H").status_code == 409
    assert watcher.get("/api/train?seed=7").status_code == 200


@pytest.fixture
def hints_app(tmp_path):
    with contextlib.closing(open_table(tmp_path, hints="on")) as table:
        yield create_table_app(GameSwitcher(table))


def test_a_hint_goes_to_the_phone_whose_hand_it_is(hints_app):
    player, other = join_table(hints_app.test_client()), join_table(hints_app.test_client())
    assert player.get("/api/hand/hint").status_code == 404
    for phone, seat in ((player, 0), (other, 1)):
        phone.post("/api/seat", json={"seat": seat})
    assert player.post("/api/hand", json={"cards": SIX}).status_code == 201
    told = player.get("/api/hand/hint").json
    assert (told["asked"]["hand"], told["asked"]["dealer"]) == (SIX, True)
    assert told["ranked"] == advise.answer_question(told["asked"])["choices"]
    assert other.get("/api/hand/hint").status_code == 409
    player.post("/api/moves", json={"type": "starter", "card": "2H"})
    assert other.get("/api/train?hand=5S4DJD4C5C5H").status_code == 200  # the table allows hints
    assert hints_app.test_client().get("/api/hand/hint").status_code == 404


def test_in_the_play_there_is_a_hint_for_who_is_to_play(hints_app):
    player = join_table(hints_app.test_client())
    player.post("/api/seat", json={"seat": 0})
    player.post("/api/hand", json={"cards": SIX[:4]})
    player.post("/api/moves", json={"type": "starter", "card": "2H"})
    assert player.get("/api/hand/hint").status_code == 409  # the other leads
    player.post("/api/moves", json={"type": "play", "seat": 1, "card": "TC"})
    told = player.get("/api/hand/hint").json
    assert (told["asked"]["series"], told["asked"]["count"], told["asked"]["discarded"]) == (["TC"], 10, None)
    assert told["ranked"][0]["play"] == "5S"
    player.post("/api/moves", json={"type": "play", "seat": 0, "card": "5S"})
    player.post("/api/moves", json={"type": "play", "seat": 1, "card": "6C"})
    assert set(player.get("/api/hand/hint").json["asked"]["hand"]) == {"4D", "JD", "4C"}


def test_without_the_option_there_is_none(player):
    player.post("/api/seat", json={"seat": 0})
    player.post("/api/hand", json={"cards": SIX})
    refused = player.get("/api/hand/hint")
    assert (refused.status_code, "hints=on" in refused.json["error"]) == (409, True)


@pytest.mark.parametrize(("name", "address"), [("/practice", "/train"), ("/lesson", "/learn")])
def test_a_page_is_found_by_its_name(watcher, name, address):
    assert watcher.get(name).headers["Location"] == address
    moved = watcher.get(f"{name}?lang=de&seed=%3Cb%3E%0d%0aX:1")
    assert (moved.status_code, moved.headers["Location"]) == (308, f"{address}?lang=de&seed=%3Cb%3E%0d%0aX:1")
    page = watcher.get(f"{name}?lang=de", follow_redirects=True)
    assert (page.status_code, page.request.path) == (200, address)
    assert b'<html lang="de"' in page.data
