"""The archive saves each move once, refuses contradictions and impossible moves, and returns `upto`."""

import json

import pytest

from companion.common.errors import IllegalMove, SettingsError
from companion.plugins.club import archive as archive_module
from companion.plugins.club import queries
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database, DatabaseError
from companion.plugins.club.tournaments import Tournaments
from companion.rules.moves import Next, Peg, Undo
from tests.plugins.club.reported_moves import BELOW, BOARD, WIN, report_later, report_moves, send_messages


def upto(archive):
    return json.loads(archive.upto_message(BOARD))


def test_each_move_is_stored_once_however_often_it_is_published(store):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3), Undo()])
    kept = send_messages(archive, lines)
    assert (kept.boards, upto(archive)) == ({BOARD}, {"r1": 3})
    send_messages(archive, lines + lines)
    send_messages(Archive(store), lines)  # after a restart
    assert store.query("SELECT n FROM move ORDER BY n") == [(1,), (2,), (3,)]
    assert [json.loads(body)["scores"] for (body,) in store.query("SELECT body FROM move ORDER BY n")] == [
        [5, 0],
        [5, 3],
        [5, 0],
    ]
    assert queries.archive_health(store) == {"boards": 1, "behind": 0, "refused": []}
    (table,) = queries.list_tables(store)
    assert (table["scores"], table["board"], table["online"]) == ([5, 0], "table-3", True)


@pytest.mark.parametrize(("limit", "boards"), [("MAX_CACHED_RUNS_OF_BOARD", 1), ("MAX_CACHED_RUNS", 10)])
def test_many_runs_do_not_fill_the_memory(store, monkeypatch, limit, boards):
    monkeypatch.setattr(archive_module, limit, 3)
    archive = Archive(store)
    told = [report_moves([Peg(0, 5)], f"r{n}", below=f"{BELOW}{n % boards}") for n in range(10)]
    send_messages(archive, [line for lines in told for line in lines])
    assert [run.run for run in archive._runs] == ["r7", "r8", "r9"]
    send_messages(archive, report_moves([Peg(0, 5), Peg(1, 3)], "r0", below=f"{BELOW}0"))
    assert len(archive._runs) == 3
    assert store.query("SELECT moves FROM run WHERE run = 'r0'") == [(2,)]


def test_a_second_copy_that_differs_is_refused_and_reported(store):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3)])
    send_messages(archive, lines)
    changed = json.loads(lines[3][1]) | {"ms": 7}
    send_messages(archive, [(lines[3][0], json.dumps(changed))])
    (refused,) = queries.archive_health(store)["refused"]
    assert (refused["board"], refused["run"], refused["n"]) == ("table-3", "r1", 2)
    assert "different move" in refused["why"]
    assert json.loads(store.query("SELECT body FROM move WHERE n = 2")[0][0])["ms"] == 1002


@pytest.mark.parametrize(
    "wrong",
    [
        {"move": {"type": "peg", "seat": 0, "points": 30}},
        {"move": {"type": "go", "seat": 0}},
        {"move": {"type": "peg", "seat": 4, "points": 3}},
        {"scores": [5, 121]},
        {"awards": []},
        {"n": 7},
        {"run": "other"},
        {"hash": None},
    ],
)
def test_what_does_not_fold_is_refused_and_the_run_stops_there(store, wrong):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3), Peg(0, 2)])
    lines[3] = (lines[3][0], json.dumps(json.loads(lines[3][1]) | wrong))
    send_messages(archive, lines)
    (refused,) = queries.archive_health(store)["refused"]
    assert (refused["board"], refused["run"], refused["n"]) == ("table-3", "r1", 2)
    assert refused["why"].endswith(".")
    assert upto(archive) == {"r1": 1}
    assert send_messages(archive, lines[4:]).gaps == set()  # nobody asks for what would be refused again
    send_messages(archive, report_moves([Peg(0, 5), Peg(1, 3), Peg(0, 2)]))
    assert upto(archive) == {"r1": 3}


def test_a_gap_is_asked_for(store):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3), Peg(0, 2)])
    assert send_messages(archive, lines[4:]).gaps == {BOARD}  # nobody has told what is played
    send_messages(archive, lines[:3])
    assert send_messages(archive, lines[4:]).gaps == {BOARD}
    assert upto(archive) == {"r1": 1}
    assert queries.archive_health(store)["behind"] == 2


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("state", "{"), ("state", "[]"), ("state", '{"run":"r1","moves":1,"game":{"key":"whist"}}'),
        ("state", '{"run":3}'), ("state", '{"run":"r1","moves":1,"game":{"key":"six-card","seats":9}}'),
        ("move/r1/x", "{}"), ("move/r1/0", "{}"), ("move/r1/1", "[" * 9000), ("move/r1/1/2", "{}"), ("online", "?"),
        ("upto", "{}"),
    ],
)  # fmt: skip
def test_nonsense_ends_nothing(store, topic, payload):
    archive = Archive(store)
    send_messages(archive, [(f"{BELOW}/{topic}", payload), *report_moves([Peg(0, 5)])])
    assert upto(archive) == {"r1": 1}


def test_results_are_taken_back_by_an_undo_and_a_run_has_several_games(store):
    archive = Archive(store)
    send_messages(archive, report_moves(WIN))
    (result,) = queries.list_results(store)
    assert (result["players"], result["winner"], result["scores"]) == (["Ann", "Bob"], 1, [10, 121])
    send_messages(archive, report_moves([*WIN, Undo()]))
    assert queries.list_results(store) == []
    send_messages(archive, report_moves([*WIN, Undo(), Peg(1, 9), Next(), *WIN]))
    assert [each["n"] for each in queries.list_results(store)] == [15, 8]
    rows = queries.overall_standings(store)
    assert [(row["player"], row["won"]) for row in rows] == [("Bob", 2), ("Ann", 0)]
    assert "Ann / Bob,Bob,10 121" in "".join(queries.results_csv(store))


def test_a_store_that_is_away_loses_nothing(store, monkeypatch):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3)])
    opened = store._open
    store.close()
    monkeypatch.setattr(store, "_open", lambda: (_ for _ in ()).throw(store._error("gone")))
    with pytest.raises(DatabaseError):
        send_messages(archive, lines)
    monkeypatch.setattr(store, "_open", opened)
    archive.list_boards()
    send_messages(archive, lines)
    assert upto(archive) == {"r1": 2}


def test_who_goes_home_is_paired_no_more_until_he_is_back(store):
    events = Tournaments(store)
    night = events.create_event("Tuesday", "swiss", ["Ann", "Bob", "Cid"], 0)
    events.remove_player(night, "bob")
    events.pair_round(night)
    (game,) = events.describe_event(night)["games"]
    assert ({game["one"], game["two"]}, events.describe_event(night)["gone"]) == ({"Ann", "Cid"}, ["Bob"])
    with pytest.raises(IllegalMove, match="not in the event"):
        events.remove_player(night, "Bob")
    events.add_player(night, "BOB")
    events.record_result(night, {"round": 1, "number": 1, "winner": "Ann", "spread": 4}, "Dot")
    events.pair_round(night)
    assert [(game["one"], game["two"]) for game in events.describe_event(night)["games"][1:]] == [
        ("Ann", "Bob"),
        ("Cid", None),
    ]
    assert events.describe_event(night)["gone"] == []


def test_a_round_is_taken_back_until_something_was_said_of_it(store):
    events = Tournaments(store)
    night = events.create_event("Tuesday", "swiss", ["Ann", "Bob"], 0)
    with pytest.raises(IllegalMove, match="No round"):
        events.undo_round(night)
    events.pair_round(night)
    events.undo_round(night)
    assert events.describe_event(night)["games"] == []
    events.pair_round(night)
    events.record_result(night, {"round": 1, "number": 1, "winner": "Ann"}, "Dot")
    events.record_result(night, {"round": 1, "number": 1, "winner": None}, "Dot")
    with pytest.raises(IllegalMove, match="can't be undone"):
        events.undo_round(night)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "mysql://a", "club.sqlite3"])
def test_an_invalid_store_is_refused_with_a_sentence(url):
    with pytest.raises(SettingsError, match=r"\.$"):
        Database(url)


def test_an_evening_of_a_league_with_results_from_boards_and_corrections(store):
    events, archive = Tournaments(store), Archive(store)
    send_messages(archive, report_moves([])[:1])
    night = events.create_event("Tuesday", "swiss", ["Ann", "Bob", "Cid"], 0)
    events.pair_round(night)
    (game, bye) = events.describe_event(night)["games"]
    assert ({game["one"], game["two"]}, bye["one"], bye["two"]) == ({"Ann", "Bob"}, "Cid", None)
    send_messages(archive, report_later(WIN))
    told_now = events.describe_event(night)
    assert [(r["player"], r["points"]) for r in told_now["standings"]] == [("Bob", 3), ("Cid", 2), ("Ann", 0)]
    assert told_now["games"][0]["results"][0]["by"] == "board table-3"
    events.record_result(night, {"round": 1, "number": 1, "winner": "Ann", "spread": 4}, "Dot")
    told_now = events.describe_event(night)
    assert [(r["player"], r["points"]) for r in told_now["standings"]] == [("Ann", 2), ("Cid", 2), ("Bob", 0)]
    assert [each["by"] for each in told_now["games"][0]["results"]] == ["board table-3", "Dot"]
    send_messages(archive, report_later([*WIN, Undo()])[-1:])  # what a person has said stays
    assert events.describe_event(night)["games"][0]["winner"] == "Ann"
    events.add_player(night, "Eve")
    events.pair_round(night)
    assert len([game for game in events.describe_event(night)["games"] if game["round"] == 2]) == 2
    csv = "".join(queries.event_csv(events.describe_event(night)))
    assert "1,1,Ann,Bob,Ann,,4,Dot" in csv or "1,1,Bob,Ann,Ann,,4,Dot" in csv
