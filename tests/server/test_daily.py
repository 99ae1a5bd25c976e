"""`/api/daily`: the deal of a date, for everyone, in one answer that a browser may keep."""

import pytest

from companion.coach.advise import describe_daily_deal
from tests.server.test_openapi import check_answer


def test_a_date_is_a_deal_with_all_its_costs_and_counts(watcher):
    told = watcher.get("/api/daily?date=2026-11-23").json
    assert told == describe_daily_deal("2026-11-23")
    check_answer("/api/daily", told)


def test_an_unchanged_deal_is_not_sent_again(watcher):
    first = watcher.get("/api/daily?date=2026-11-23")
    again = watcher.get("/api/daily?date=2026-11-23", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = watcher.get("/api/daily?date=2026-11-24", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


def test_counts_come_in_the_language_that_was_asked_for(watcher):
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
