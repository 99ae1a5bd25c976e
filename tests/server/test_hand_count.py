"""`/api/count`: the count of any hand, for everyone."""

import pytest

from tests.server.test_openapi import check_answer


def test_the_highest_hand_is_counted_with_its_items(watcher):
    told = watcher.get("/api/count?cards=5H5S5CJD&starter=5D").json
    assert told["points"] == 29
    assert [item["points"] for item in told["items"]] == 8 * [2] + 6 * [2] + [1]
    assert told["items"][-1] == {"points": 1, "say": "One for his nobs", "cards": ["JD"]}
    check_answer("/api/count", told)


@pytest.mark.parametrize(
    ("query", "points"),
    [
        ("cards=4H5H6HJH&starter=5D", 20),
        ("cards=4H5H6HJH&starter=5D&crib=on", 16),
        ("cards=4H5H6HJH", 11),
        ("cards=5h, 10♠, Jd&starter=JC", 8),
        ("cards=2H4S6C8D&starter=TD", 0),
    ],
)
def test_a_crib_a_hand_alone_and_a_hand_of_three_have_their_own_rules(watcher, query, points):
    assert watcher.get(f"/api/count?{query}").json["points"] == points


def test_the_words_are_in_the_language_of_the_page(watcher):
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
def test_what_is_no_hand_is_refused_in_a_sentence(watcher, query):
    refused = watcher.get(f"/api/count?{query}")
    assert refused.status_code == 400
    assert refused.json["error"].endswith(".")
