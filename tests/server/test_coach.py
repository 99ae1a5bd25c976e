"""Daily deals, counts, the lesson, practice, hints and reviews: for everyone, in every language."""

import contextlib

import pytest

from companion.coach import advise
from companion.coach.advise import describe_daily_deal
from companion.coach.lesson import replay_lesson
from companion.rules.moves import Next, Play, Starter, Undo
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from tests.plugins.arena.recorded_game import RecordedGame
from tests.server.conftest import create_table_app
from tests.server.test_openapi import check_answer
from tests.support.tables import open_table

from .conftest import join_table


def test_the_highest_hand_is_counted_with_its_items(watcher):
    told = watcher.get("/api/count?cards=5H5S5CJD&starter=5D").json
    assert told["points"] == 29
    assert [item["points"] for item in told["items"]] == 8 * [2] + 6 * [2] + [1]
    assert told["items"][-1] == {"points": 1, "say": "One for his nobs", "cards": ["JD"]}
    check_answer("/api/count", told)


@pytest.mark.parametrize(("query", "points"), [
    ("cards=4H5H6HJH&starter=5D", 20), ("cards=4H5H6HJH&starter=5D&crib=on", 16), ("cards=4H5H6HJH", 11),
    ("cards=5h, 10♠, Jd&starter=JC", 8), ("cards=2H4S6C8D&starter=TD", 0),
])  # fmt: skip
def test_each_kind_of_hand_has_its_rules(watcher, query, points):
    assert watcher.get(f"/api/count?{query}").json["points"] == points


def test_a_count_follows_the_pages_language(watcher):
    assert "fünfzehn" in watcher.get("/api/count?cards=5H5S5CJD&lang=de").json["say"]
    refused = watcher.get("/api/count?cards=5H5S5CJD&starter=5H&lang=de")
    assert (refused.status_code, "doppelt" in refused.json["error"]) == (400, True), refused.json


@pytest.mark.parametrize(
    "query",
    [
        "", "cards=5H", "cards=5H5S5C", "cards=5H5S5C5D5H", "cards=5H5S5CXX", "cards=5H5S5CJD&starter=5D6D",
        "cards=5H5S5C&starter=5D&crib=on", "cards=5H5S5CJD&starter=5D&crib=off", "cards=" + "5H" * 900,
    ],
)  # fmt: skip
def test_an_invalid_hand_is_refused_in_a_sentence(watcher, query):
    refused = watcher.get(f"/api/count?{query}")
    assert refused.status_code == 400
    assert refused.json["error"].endswith(".")


def test_a_date_is_a_deal_with_its_costs(watcher):
    told = watcher.get("/api/daily?date=2026-11-23").json
    assert told == describe_daily_deal("2026-11-23")
    check_answer("/api/daily", told)


def test_an_unchanged_deal_is_not_sent_again(watcher):
    first = watcher.get("/api/daily?date=2026-11-23")
    again = watcher.get("/api/daily?date=2026-11-23", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = watcher.get("/api/daily?date=2026-11-24", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


def test_counts_come_in_the_requested_language(watcher):
    english, german = (watcher.get(f"/api/daily?date=2026-11-23&lang={lang}").json for lang in ("en", "de"))
    assert english["asked"] == german["asked"]
    assert english["ranked"][0]["count"]["say"] != german["ranked"][0]["count"]["say"]


@pytest.mark.parametrize(
    "day",
    ["", "today", "2026-02-30", "20261123", "2026-W48-1", "2025-12-31", "2100-01-01", "9999-12-31", "1" * 5000,
     "2026-11-23T00:00", "２０２６-11-23"],
)  # fmt: skip
def test_another_text_or_a_far_date_is_refused(watcher, day):
    refused = watcher.get("/api/daily", query_string={"date": day})
    assert refused.status_code == 400
    assert len(refused.json["error"]) < 100


def test_a_missing_date_is_refused(watcher):
    assert watcher.get("/api/daily").json == {"error": "Ask with date=YYYY-MM-DD, such as date=2026-01-31."}


START = "next.next.3HKC.next"


def test_a_watcher_may_learn_while_the_table_plays(watcher, player):
    before = watcher.get("/api/state").json
    told = watcher.get(f"/api/learn?done={START}.8C").json
    assert told == replay_lesson([*START.split("."), "8C"])
    assert watcher.get("/api/state").json == before
    for done in ("", START, f"{START}.8C.next.next.7H.next", f"{START}.KC"):
        check_answer("/api/learn", player.get(f"/api/learn?done={done}").json)


def test_the_lesson_follows_the_pages_language(watcher):
    told = watcher.get(f"/api/learn?lang=de&done={START}.8C").json
    assert told["titles"] == ["Fünfzehn"]
    assert told["events"][0] == "Du spielst Kreuz 8. Summe: 8."


def test_a_list_that_no_lesson_has_is_refused(watcher):
    assert watcher.get(f"/api/learn?done={'next.' * 401}").status_code == 400
    assert watcher.get("/api/learn?done=%00.%F0%9F%82%A1..").json["done"] == []


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


def test_own_cards_cannot_be_practised_during_a_game(watcher, player):
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


def test_a_hint_goes_to_its_hands_phone(hints_app):
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


def test_a_hint_in_the_play_is_in_turn(hints_app):
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


@pytest.fixture(scope="module")
def game():
    return RecordedGame(4)


def test_the_review_comes_only_after_the_end(table, player, watcher, game):
    *most, last = game.taken
    for each in most:
        table.submit(each.move)
    refused = watcher.get("/api/review")
    assert (refused.status_code, "not over" in refused.json["error"]) == (409, True)

    table.submit(last.move)
    told = watcher.get("/api/review?table=1").json

    assert (told["over"], told["names"]) == (True, ["Red", "Blue"])
    assert [each["win_lost"] for each in told["choices"]] == sorted(
        (each["win_lost"] for each in told["choices"]), reverse=True
    )
    assert told["unknown"]
    check_answer("/api/review", told)
    worst = told["choices"][0]
    ranked = advise.answer_question(worst["asked"])["choices"]
    best = ranked[0]["play" if worst["kind"] == "play" else "discard"]
    assert worst["best"] == best
    deal = watcher.get(f"/api/review?hand={worst['hand']}").json
    assert deal["choices"][0]["ranked"] == ranked
    assert {each["hand"] for each in deal["choices"]} == {worst["hand"]}

    table.submit(Next())
    assert watcher.get("/api/review").status_code == 409
    assert watcher.get("/api/review?game=1").json["choices"] == told["choices"]
    table.submit(Undo())
    table.submit(Undo())
    assert watcher.get("/api/review").status_code == 409


def test_a_saved_hand_shows_who_discarded_what(table, player, game):
    player.post("/api/seat", json={"seat": 0})
    wholes = [whole for seat, whole in game.wholes if seat == 0 and len(whole) == 6]
    for each in game.taken:
        if isinstance(each.move, Starter):
            sent = {"cards": [str(card) for card in wholes.pop(0)]}
            assert player.post("/api/hand", json=sent).status_code == 201
        table.submit(each.move)
    told = player.get("/api/review").json
    discards = [each for each in told["choices"] if each["kind"] == "discard"]
    assert {each["seat"] for each in discards} == {0, 1}
    assert len(discards) >= 2 * len({each["hand"] for each in discards}) - 1


def test_with_hints_counted_deals_are_reviewed(tmp_path, game):
    table = open_table(tmp_path, hints="on")
    player = join_table(create_table_app(GameSwitcher(table)).test_client())
    assert player.get("/api/review").status_code == 404
    cuts = 0
    for each in game.taken:
        cuts += isinstance(each.move, Starter)
        table.submit(each.move)
        if cuts == 3 and isinstance(each.move, Play):
            break
    told = player.get("/api/review").json
    table.close()
    assert told["over"] is False
    assert {each["hand"] for each in told["choices"]} == {1, 2}


def test_other_games_have_no_review(table, player, watcher):
    tables = GameSwitcher(table)
    tables.begin_game(NewGameRequest(game="pegs-only"))
    assert "six-card" in watcher.get("/api/review").json["error"]
    tables.begin_game(NewGameRequest(game="six-card", seats=3))
    assert watcher.get("/api/review").status_code == 409
    assert watcher.get("/api/review?table=99").status_code == 404
    assert watcher.get("/api/review?hand=x").status_code == 400
