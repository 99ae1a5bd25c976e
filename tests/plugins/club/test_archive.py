"""The archive saves each move once, refuses contradictions and impossible moves, and returns `upto`."""

import contextlib
import json
from dataclasses import replace

import pytest

from companion import rules
from companion.boards import catalog
from companion.common.errors import IllegalMove, SettingsError
from companion.plugins.club import archive as archive_module
from companion.plugins.club import board_results, queries
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database, DatabaseError
from companion.plugins.club.league_events import LeagueEvents
from companion.plugins.mqtt.outbox import Outbox
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Go, Next, Peg, Starter, Undo
from companion.settings import Settings
from companion.table.setup import create_plan
from tests.plugins.club.reported_moves import BELOW, BOARD, LOSS, WIN, report_later, report_moves, send_messages
from tests.support.tables import open_table


def upto(archive):
    return json.loads(archive.upto_message(BOARD))


def test_each_move_is_stored_once(store):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3), Undo()])
    kept = send_messages(archive, lines)
    assert (kept.boards, upto(archive)) == ({BOARD}, {"r1": 3})
    send_messages(archive, lines + lines)
    send_messages(Archive(store), lines)  # after a restart
    assert store.query("SELECT n FROM move ORDER BY n") == [(1,), (2,), (3,)]
    scores = [json.loads(body)["scores"] for (body,) in store.query("SELECT body FROM move ORDER BY n")]
    assert scores == [[5, 0], [5, 3], [5, 0]]
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


def test_a_different_second_copy_is_refused_and_reported(store):
    archive, lines = Archive(store), report_moves([Peg(0, 5), Peg(1, 3)])
    send_messages(archive, lines)
    changed = json.loads(lines[3][1]) | {"ms": 7}
    send_messages(archive, [(lines[3][0], json.dumps(changed))])
    (refused,) = queries.archive_health(store)["refused"]
    assert (refused["board"], refused["run"], refused["n"]) == ("table-3", "r1", 2)
    assert "different move" in refused["why"]
    assert json.loads(store.query("SELECT body FROM move WHERE n = 2")[0][0])["ms"] == 1002


@pytest.mark.parametrize("wrong", [
    {"move": {"type": "peg", "seat": 0, "points": 30}}, {"move": {"type": "go", "seat": 0}}, {"n": 7}, {"hash": None},
    {"move": {"type": "peg", "seat": 4, "points": 3}}, {"scores": [5, 121]}, {"awards": []}, {"run": "other"},
])  # fmt: skip
def test_an_invalid_move_stops_its_run(store, wrong):
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


def test_an_undo_takes_a_result_back(store):
    archive = Archive(store)
    send_messages(archive, report_moves(WIN))
    (result,) = queries.list_results(store)
    assert (result["players"], result["winner"], result["scores"]) == (["Ann", "Bob"], 1, [10, 121])
    send_messages(archive, report_moves([*WIN, Undo()]))
    assert queries.list_results(store) == []
    send_messages(archive, report_moves([*WIN, Undo(), Peg(1, 9), Next(), *WIN]))
    assert [result["n"] for result in queries.list_results(store)] == [15, 8]
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


def test_a_player_who_leaves_is_not_paired(store):
    events = LeagueEvents(store)
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
    later = [(game["one"], game["two"]) for game in events.describe_event(night)["games"][1:]]
    assert later == [("Ann", "Bob"), ("Cid", None)]
    assert events.describe_event(night)["gone"] == []
    events.record_result(night, {"round": 2, "number": 1, "winner": "Ann", "spread": 4}, "Dot")
    events.remove_player(night, "Ann")  # the results of a player who has left do not stop the next round
    events.pair_round(night)
    assert [(game["one"], game["two"]) for game in events.describe_event(night)["games"][3:]] == [("Cid", "Bob")]


def test_a_round_with_a_result_cannot_be_undone(store):
    events = LeagueEvents(store)
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


def test_boards_and_corrections_make_a_league_evening(store):
    events, archive = LeagueEvents(store), Archive(store)
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
    assert [entry["by"] for entry in told_now["games"][0]["results"]] == ["board table-3", "Dot"]
    send_messages(archive, report_later([*WIN, Undo()])[-1:])  # what a person has said stays
    assert events.describe_event(night)["games"][0]["winner"] == "Ann"
    events.add_player(night, "Eve")
    events.pair_round(night)
    assert len([game for game in events.describe_event(night)["games"] if game["round"] == 2]) == 2
    csv = "".join(queries.event_csv(events.describe_event(night)))
    assert "1,1,Ann,Bob,Ann,,4,Dot" in csv or "1,1,Bob,Ann,Ann,,4,Dot" in csv


SHIPPED = 'home-first   = ["out", "out", "out", "roll 2"'
OWN = 'home-first   = ["out", "out", "out", "out"'
HAND = ["AD", "5C", "KH", "AH", "TC", "AC", "2D", "go:1", "go:0", "3D", "8S", "TD", "8H", "6S", "6C"]
"""10 points against 6: on the shipped board the batter must roll at space 4, on one's own he is out there."""


@pytest.fixture
def evening(tmp_path):
    """Return a table of 'Round the Bases on an own board without dice at space 4."""
    path = tmp_path / "mine.toml"
    text = (catalog.resource_folder("hardware/boards") / "bases.toml").read_text("utf-8")
    assert SHIPPED in text
    path.write_text(text.replace(SHIPPED, OWN), "utf-8")
    plan = create_plan("bases", dealer=0, board=str(path))
    with contextlib.closing(open_table(tmp_path, plan, settings=Settings(sensors="none:"))) as table:
        yield table


def play_hand(table):
    """Play a hand and cut the next starter, which would need dice on the shipped board; return the number of moves."""
    for word in HAND:
        if word.startswith("go"):
            table.submit(Go(int(word[-1])))
        else:
            table.tap_card(word)
    table.submit(Starter(parse_card("9C")))
    return table.snapshot.moves


def hears(archive, table):
    outbox = Outbox(table.journal, {})
    while (line := outbox.next_message()) is not None:
        archive.handle_message(f"{BELOW}/{line.topic}", line.text.encode())
    archive.commit()
    return json.loads(archive.upto_message(BOARD))


def test_a_custom_board_is_replayed_with_its_spaces(store, evening):
    count = play_hand(evening)
    assert list(hears(Archive(store), evening).values()) == [count]
    assert queries.archive_health(store)["refused"] == []
    assert list(hears(Archive(store), evening).values()) == [count]  # after a restart, from what it has kept


def test_impossible_spaces_are_refused_with_the_reason(store, evening):
    line = Outbox(evening.journal, {}).next_message()
    state = json.loads(line.text)
    state["game"]["spaces"]["first-second"] = ["out"]
    archive = Archive(store)
    archive.handle_message(f"{BELOW}/state", json.dumps(state).encode())
    archive.commit()
    (refused,) = queries.archive_health(store)["refused"]
    assert refused["why"] == "The board's own spaces cannot be used: the leg first-second must have 6 spaces."


@pytest.fixture
def pack():
    """Register the game of an add-on for the time of a test."""
    game = replace(next(game for game in rules.GAMES if game.key == "pegs-only"), key="pig")
    yield game
    rules.register_games(())


def test_a_packs_game_is_taken_once_there(store, pack):
    archive = Archive(store)
    lines = [(topic, text.replace('"pegs-only"', '"pig"')) for topic, text in report_moves([Peg(0, 5), Peg(1, 3)])]

    def send_messages():
        for topic, text in lines:
            archive.handle_message(topic, text.encode())
        return archive.commit().gaps

    send_messages()
    (refused,) = queries.archive_health(store)["refused"]
    assert (refused["n"], refused["run"]) == (0, "r1")
    assert refused["why"].startswith("The archive has no game pig. If the game comes from an add-on,")
    lines, every = lines[1:], lines
    assert send_messages() == set()  # nobody is asked again and again for what would be refused again
    lines = every
    rules.register_games([pack])
    send_messages()
    assert json.loads(archive.upto_message(BOARD)) == {"r1": 2}
    assert queries.archive_health(store)["refused"] == []


SOUTH = "cribbage/1/south/table-3"
OTHER = "cribbage/1/north/table-4"


@pytest.fixture
def night(store):
    """A league night of two players at one board, and its first round."""
    send_messages(Archive(store), report_moves([])[:1])
    events = LeagueEvents(store)
    assert events.create_event("Tuesday", "round-robin", ["Ann", "Bob"], 0) == 1
    events.pair_round(1)
    return events


def entries(events, event=1):
    return [(entry["winner"], entry["by"]) for entry in events.describe_event(event)["games"][0]["results"]]


def test_a_last_move_is_saved_with_its_result(store, night, monkeypatch):
    lines = report_later(WIN)
    with monkeypatch.context() as patched:
        patched.setattr(board_results, "enter_result", lambda *_: (_ for _ in ()).throw(RuntimeError("killed")))
        with pytest.raises(RuntimeError):
            send_messages(Archive(store), lines)
    assert store.query("SELECT count(*) FROM move") == [(0,)]
    send_messages(Archive(store), lines)
    assert entries(night) == [("Bob", "board table-3")]


def test_saved_results_are_entered_at_the_next_start(store, night, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(board_results, "enter_result", lambda *_: "")
        send_messages(Archive(store), report_later(WIN))
    assert entries(night) == []
    Archive(store)
    Archive(store)
    assert entries(night) == [("Bob", "board table-3")]


@pytest.mark.parametrize("rematch", [[*WIN, Next(), *LOSS], LOSS])
def test_a_friendly_rematch_changes_nothing(store, night, rematch):
    archive = Archive(store)
    send_messages(archive, report_later(WIN))
    send_messages(archive, report_later(rematch, "r1" if rematch != LOSS else "r2"))
    assert entries(night) == [("Bob", "board table-3")]
    assert len(queries.list_results(store)) == 2
    Archive(store)
    assert entries(night) == [("Bob", "board table-3")]


def test_a_late_rematch_decides_no_earlier_event(store, night):
    night.create_event("Wednesday", "round-robin", ["Ann", "Bob"], 0)
    night.pair_round(2)
    send_messages(Archive(store), report_later(WIN))
    send_messages(Archive(store), report_later(LOSS, "r2"))
    assert (entries(night, 1), entries(night, 2)) == ([], [("Bob", "board table-3")])


def test_a_game_begun_before_its_pairing_decides_nothing(store, night):
    send_messages(Archive(store), report_moves(WIN))
    assert entries(night) == []
    # the next game of the run begins with its first move, however early somebody asked for it
    late = report_later([*WIN, Next(), *LOSS])
    early = report_moves([*WIN, Next()])
    send_messages(Archive(store), early[:-1])
    send_messages(Archive(store), [early[-1], *late[len(early) :]])
    assert entries(night) == [("Ann", "board table-3")]


@pytest.mark.parametrize("below", [SOUTH, OTHER])
def test_a_board_outside_the_event_decides_nothing(store, night, below):
    send_messages(Archive(store), report_later(WIN, below=below))
    assert entries(night) == []
    assert len(queries.list_results(store)) == 1


def test_the_organiser_chooses_the_boards_of_an_event(store, night):
    send_messages(Archive(store), report_later(WIN, below=OTHER))
    send_messages(Archive(store), report_later(LOSS, below=SOUTH))
    with pytest.raises(IllegalMove, match="of one club"):
        night.add_board(1, "south", "table-3")
    with pytest.raises(IllegalMove, match="No board of this name"):
        night.add_board(1, "north", "table-9")
    night.add_board(1, "north", "table-4")
    assert entries(night) == [("Bob", "board table-4")]
    assert [board["board"] for board in night.describe_event(1)["boards"]] == ["table-3", "table-4"]
    night.remove_board(1, "table-4")
    with pytest.raises(IllegalMove, match="not in the event"):
        night.remove_board(1, "table-4")
    assert entries(night) == [("Bob", "board table-4")]
    assert night.create_event("Both clubs", "swiss", [], 0) == 2
    assert night.describe_event(2)["boards"] == []


@pytest.mark.parametrize(
    "after", [[Undo()], [Undo(), Undo(), *[Peg(0, 28)] * 3, Peg(0, 24), Peg(0, 3)], [Adjust(0, 3)], [Adjust(1, -5)]]
)
def test_a_decided_pairing_changes_only_by_the_organiser(store, night, after):
    archive = Archive(store)
    send_messages(archive, report_later(WIN))
    send_messages(archive, report_later([*WIN, *after]))
    assert entries(night) == [("Bob", "board table-3")]
    (refused,) = queries.archive_health(store)["refused"]
    assert "Correct the result by hand." in refused["why"]
    night.record_result(1, {"round": 1, "number": 1, "winner": "Ann", "spread": 4}, "Dot")
    night.record_result(1, {"round": 1, "number": 1, "winner": None}, "Dot")
    send_messages(Archive(store), report_later(WIN, "r2"))
    assert entries(night)[1:] == [("Ann", "Dot"), (None, "Dot")]


def test_a_reopened_game_has_only_its_last_result(store, night):
    before, reopened = [*LOSS, Next()], [*LOSS, Next(), *WIN, Adjust(1, -5)]
    archive = Archive(store)

    send_messages(archive, report_later(reopened))
    assert [result["winner"] for result in queries.list_results(store)] == [0]
    send_messages(archive, report_later([*reopened, Undo()]))
    assert [result["winner"] for result in queries.list_results(store)] == [1, 0]
    send_messages(
        archive, report_later([*before, *WIN, Adjust(1, -5), Undo(), Undo(), *[Peg(0, 28)] * 3, Peg(0, 28)], "r2")
    )

    assert [result["winner"] for result in queries.list_results(store)] == [0, 0, 1, 0]


def test_a_game_belongs_to_its_own_players(store, night):
    lines = report_later(WIN)
    state = json.loads(lines[1][1])
    state["players"][0]["name"], state["players"][1]["name"] = "Cid", "Dot"
    send_messages(Archive(store), [*lines, (lines[1][0], json.dumps(state))])
    assert entries(night) == [("Bob", "board table-3")]
    assert queries.list_results(store)[0]["players"] == ["Ann", "Bob"]


def test_an_earlier_versions_database_is_taken_over(tmp_path):
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with contextlib.closing(Database(url)) as made:
        made.query("ALTER TABLE result DROP COLUMN game")
        made.query("DROP TABLE event_board")
        made.query("INSERT INTO result VALUES (1, 1, 1, 1, 'Ann', 0, 9, 'Zoe', 5)")
    with contextlib.closing(Database(url)) as opened:
        assert opened.query("SELECT winner, game FROM result") == [("Ann", None)]
        assert opened.query("SELECT * FROM event_board") == []
