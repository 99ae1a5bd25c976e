"""A game at a board decides one pairing, of its club, event and round, and only the organiser changes it afterwards."""

import contextlib
import json

import pytest

from companion.common.errors import IllegalMove
from companion.plugins.club import board_results, queries
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database
from companion.plugins.club.tournaments import Tournaments
from companion.rules.moves import Adjust, Next, Peg, Undo
from tests.plugins.club.reported_moves import LOSS, WIN, report_later, report_moves, send_messages

SOUTH = "cribbage/1/south/table-3"
OTHER = "cribbage/1/north/table-4"


@pytest.fixture
def night(store):
    """A league night of two players at one board, and its first round."""
    send_messages(Archive(store), report_moves([])[:1])
    events = Tournaments(store)
    assert events.create_event("Tuesday", "round-robin", ["Ann", "Bob"], 0) == 1
    events.pair_round(1)
    return events


def entries(events, event=1):
    return [(each["winner"], each["by"]) for each in events.describe_event(event)["games"][0]["results"]]


def test_a_result_is_entered_with_the_move_that_ends_the_game_or_neither_is_saved(store, night, monkeypatch):
    lines = report_later(WIN)
    with monkeypatch.context() as patched:
        patched.setattr(board_results, "enter_result", lambda *_: (_ for _ in ()).throw(RuntimeError("killed")))
        with pytest.raises(RuntimeError):
            send_messages(Archive(store), lines)
    assert store.query("SELECT count(*) FROM move") == [(0,)]
    send_messages(Archive(store), lines)
    assert entries(night) == [("Bob", "board table-3")]


def test_results_that_an_archive_saved_and_did_not_enter_are_entered_at_the_start(store, night, monkeypatch):
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


def test_a_rematch_of_the_last_round_does_not_decide_an_earlier_event(store, night):
    night.create_event("Wednesday", "round-robin", ["Ann", "Bob"], 0)
    night.pair_round(2)
    send_messages(Archive(store), report_later(WIN))
    send_messages(Archive(store), report_later(LOSS, "r2"))
    assert (entries(night, 1), entries(night, 2)) == ([], [("Bob", "board table-3")])


def test_a_game_that_began_before_its_round_was_paired_decides_nothing(store, night):
    send_messages(Archive(store), report_moves(WIN))
    assert entries(night) == []
    # the next game of the run begins with its first move, however early somebody asked for it
    late = report_later([*WIN, Next(), *LOSS])
    early = report_moves([*WIN, Next()])
    send_messages(Archive(store), early[:-1])
    send_messages(Archive(store), [early[-1], *late[len(early) :]])
    assert entries(night) == [("Ann", "board table-3")]


@pytest.mark.parametrize("below", [SOUTH, OTHER])
def test_a_game_at_a_board_that_is_not_in_the_event_decides_nothing(store, night, below):
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
    assert [each["board"] for each in night.describe_event(1)["boards"]] == ["table-3", "table-4"]
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


def test_a_game_that_a_correction_reopens_has_only_its_last_result(store, night):
    before, reopened = [*LOSS, Next()], [*LOSS, Next(), *WIN, Adjust(1, -5)]
    archive = Archive(store)

    send_messages(archive, report_later(reopened))
    assert [each["winner"] for each in queries.list_results(store)] == [0]
    send_messages(archive, report_later([*reopened, Undo()]))
    assert [each["winner"] for each in queries.list_results(store)] == [1, 0]
    send_messages(
        archive, report_later([*before, *WIN, Adjust(1, -5), Undo(), Undo(), *[Peg(0, 28)] * 3, Peg(0, 28)], "r2")
    )

    assert [each["winner"] for each in queries.list_results(store)] == [0, 0, 1, 0]


def test_a_game_belongs_to_its_players_even_if_others_sit_down_next(store, night):
    lines = report_later(WIN)
    state = json.loads(lines[1][1])
    state["players"][0]["name"], state["players"][1]["name"] = "Cid", "Dot"
    send_messages(Archive(store), [*lines, (lines[1][0], json.dumps(state))])
    assert entries(night) == [("Bob", "board table-3")]
    assert queries.list_results(store)[0]["players"] == ["Ann", "Bob"]


def test_a_database_of_an_earlier_version_is_taken_over(tmp_path):
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with contextlib.closing(Database(url)) as made:
        made.query("ALTER TABLE result DROP COLUMN game")
        made.query("DROP TABLE event_board")
        made.query("INSERT INTO result VALUES (1, 1, 1, 1, 'Ann', 0, 9, 'Zoe', 5)")
    with contextlib.closing(Database(url)) as opened:
        assert opened.query("SELECT winner, game FROM result") == [("Ann", None)]
        assert opened.query("SELECT * FROM event_board") == []
