"""Games with their own board file or of an add-on: the archive replays them, or reports what it needs."""

import contextlib
import json
import time
from dataclasses import replace

import pytest

from companion import rules
from companion.boards import catalog
from companion.journal.journal import Journal
from companion.plugins.club import queries
from companion.plugins.club.archive import Archive
from companion.plugins.mqtt.outbox import Outbox
from companion.rules.cards import parse_card
from companion.rules.moves import Go, Peg, Starter
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.plugins.club.reported_moves import BELOW, BOARD, report_moves

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
    journal = Journal(tmp_path / "journal.sqlite3")
    core = create_core(create_plan("bases", dealer=0, board=str(path)), Settings(sensors="none:"))
    journal.begin_game(core.plan.journal_json)
    with contextlib.closing(Table(core, journal, lambda: time.monotonic_ns() // 1_000_000, run="r")) as table:
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


def test_a_game_on_a_custom_board_is_replayed_with_its_spaces(store, evening):
    count = play_hand(evening)
    assert list(hears(Archive(store), evening).values()) == [count]
    assert queries.archive_health(store)["refused"] == []
    assert list(hears(Archive(store), evening).values()) == [count]  # after a restart, from what it has kept


def test_spaces_that_no_game_can_be_played_by_are_refused_with_what_is_wrong(store, evening):
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


def test_a_packs_game_says_once_what_it_needs_and_is_taken_when_it_is_there(store, pack):
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
