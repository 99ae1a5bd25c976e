"""The lesson over HTTP: for everyone, in every language, beside any game of the table."""

from companion.coach.lesson import replay_lesson
from companion.server.routes.pages import openapi_document
from tests.server.test_openapi import find_undescribed, is_valid

START = "next.next.3HKC.next"


def test_a_watcher_may_learn_while_the_table_plays(watcher, player):
    before = watcher.get("/api/state").json
    told = watcher.get(f"/api/learn?done={START}.8C").json
    assert told == replay_lesson([*START.split("."), "8C"])
    assert watcher.get("/api/state").json == before
    schema = openapi_document()["components"]["schemas"]["Lesson"]
    for done in ("", START, f"{START}.8C.next.next.7H.next", f"{START}.KC"):
        told = player.get(f"/api/learn?done={done}").json
        assert is_valid(schema, told, openapi_document())
        assert find_undescribed(schema, told, openapi_document()) == set()


def test_the_lesson_is_in_the_language_of_the_page(watcher):
    told = watcher.get(f"/api/learn?lang=de&done={START}.8C").json
    assert told["titles"] == ["Fünfzehn"]
    assert told["events"][0] == "Du spielst Kreuz 8. Summe: 8."


def test_a_list_that_no_lesson_has_is_refused(watcher):
    assert watcher.get(f"/api/learn?done={'next.' * 401}").status_code == 400
    assert watcher.get("/api/learn?done=%00.%F0%9F%82%A1..").json["done"] == []
