"""The lesson over HTTP: for everyone, in every language, beside any game of the table."""

from companion.coach.lesson import replay_lesson
from tests.server.test_openapi import check_answer

START = "next.next.3HKC.next"


def test_a_watcher_may_learn_while_the_table_plays(watcher, player):
    before = watcher.get("/api/state").json
    told = watcher.get(f"/api/learn?done={START}.8C").json
    assert told == replay_lesson([*START.split("."), "8C"])
    assert watcher.get("/api/state").json == before
    for done in ("", START, f"{START}.8C.next.next.7H.next", f"{START}.KC"):
        check_answer("/api/learn", player.get(f"/api/learn?done={done}").json)


def test_the_lesson_is_in_the_language_of_the_page(watcher):
    told = watcher.get(f"/api/learn?lang=de&done={START}.8C").json
    assert told["titles"] == ["Fünfzehn"]
    assert told["events"][0] == "Du spielst Kreuz 8. Summe: 8."


def test_a_list_that_no_lesson_has_is_refused(watcher):
    assert watcher.get(f"/api/learn?done={'next.' * 401}").status_code == 400
    assert watcher.get("/api/learn?done=%00.%F0%9F%82%A1..").json["done"] == []
