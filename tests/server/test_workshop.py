"""The workshop: settings that change while the table runs, scans, and a recording of the last ten minutes."""

import contextlib
import gc
import json
import logging
import weakref

import pytest

from companion.devices.deck import Deck
from companion.display.lights import paint_frame
from companion.rules.cards import parse_card
from companion.rules.moves import Starter
from companion.server import LogTail, WorkshopState
from companion.settings import Settings
from companion.table import recording as recents
from companion.table.game_switcher import GameSwitcher
from companion.table.recording import RecentInputs, run_recording
from tests.server.conftest import KEY, create_table_app
from tests.support.tables import open_table


@pytest.fixture
def recent():
    return RecentInputs()


@pytest.fixture
def clock():
    return [1000]


@pytest.fixture
def table(tmp_path, recent, clock):
    settings = Settings(quiet_ms=40)
    opened = open_table(tmp_path, "pegs-only", settings=settings, clock=lambda: clock[0], record_line=recent)
    with contextlib.closing(opened):
        recent.attach(opened)
        yield opened


@pytest.fixture
def app(table, recent):
    tail = LogTail()
    logging.getLogger("companion.workshop").addHandler(tail)
    yield create_table_app(GameSwitcher(table), workshop=WorkshopState(recent, tail, Deck()))
    logging.getLogger("companion.workshop").removeHandler(tail)


def bits(table, *holes):
    return sum(1 << table.core.plan.board.by_id[hole].bit for hole in holes)


def set_pegs(table, clock, *holes):
    """Let pegs rest in these holes for a second."""
    for _ in range(10):
        clock[0] += 100
        table.on_levels(bits(table, *holes))


START = ("red-start-1", "red-start-2", "blue-start-1", "blue-start-2")


def test_settings_change_and_pegs_stay_known(player, table, clock):
    set_pegs(table, clock, *START)
    told = player.post("/api/workshop/settings", json={"quiet_ms": 700, "repeat_ms": 0})
    assert told.status_code == 200
    assert {each["key"]: each["value"] for each in told.json["settings"]} == {
        "quiet_ms": 700, "doubt_ms": 1500, "missing_ms": 10000, "repeat_ms": 0,
    }  # fmt: skip
    assert player.get("/api/state").json["settings"] == {"quiet_ms": 700, "repeat_ms": 0}
    table.on_levels(bits(table, "red-6", *START[1:]))
    clock[0] += 500
    table.on_levels(bits(table, "red-6", *START[1:]))
    assert table.snapshot.view["scores"] == [0, 0]
    set_pegs(table, clock, "red-6", *START[1:])
    assert table.snapshot.view["scores"] == [6, 0]


WRONG = [
    {}, [], {"quiet_ms": 1}, {"quiet_ms": "400"}, {"quiet_ms": True}, {"port": 80}, {"host": "x"}, {"quiet_ms": 10**9},
]  # fmt: skip


@pytest.mark.parametrize("sent", WRONG)
def test_what_cannot_be_set_changes_nothing(player, table, sent):
    before = table.core.settings
    assert player.post("/api/workshop/settings", json=sent).status_code == 400
    assert table.core.settings == before


def test_the_workshop_is_for_players(watcher):
    for path in ("", "/recording"):
        assert watcher.get(f"/api/workshop{path}").status_code == 403
    assert watcher.post("/api/workshop/settings", json={"quiet_ms": 500}).status_code == 403


def test_the_last_ten_minutes_can_be_replayed(player, table, clock, monkeypatch):
    monkeypatch.setattr(recents, "MIN_PART_MS", 2000)
    monkeypatch.setattr(recents, "KEEP_MS", 6000)
    assert player.get("/api/workshop/recording").status_code == 409
    set_pegs(table, clock, *START)
    for n in range(1, 15):
        front = f"red-{2 * n - 2}" if n > 1 else "red-start-1"
        set_pegs(table, clock, front, f"red-{2 * n}", *START[2:])
    assert table.snapshot.view["scores"] == [28, 0]
    table.on_scan("XX")
    file = player.get("/api/workshop/recording")
    lines = [json.loads(line) for line in file.text.splitlines()]
    assert "table" in lines[0]
    assert lines[0]["ms"] > 2000
    said = []
    run_recording(file.text.encode().splitlines(), said.append)
    points = [each["points"] for each in said if each.get("event") == "pegged"]
    assert 2 <= len(points) < 14
    assert set(points) == {2}
    assert sum(points) + 2 * len(lines[0]["table"]["moves"]) == 28
    assert not [each for each in said if each.get("event") == "unclear"]
    assert player.get("/api/workshop").json["seen"][0]["scan"] == "XX"


def test_a_recording_keeps_no_table_of_the_past(table, clock):
    before = weakref.ref(table.core)
    set_pegs(table, clock, *START)
    gc.collect()
    assert before() is None


def test_a_game_begun_meanwhile_begins_the_recording(player, table, clock):
    set_pegs(table, clock, *START)
    player.post("/api/table", json={"game": "six-card", "names": ["Ann"]})
    table.submit(Starter(parse_card("JD")))
    text = player.get("/api/workshop/recording").text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [each["table"]["game"] for each in lines if "table" in each] == ["six-card"]
    assert lines[-1]["move"] == {"type": "starter", "card": "JD"}
    assert KEY not in text
    assert "Ann" not in text


def test_the_logs_end_shows_no_internals(player):
    fault = ZeroDivisionError("inside")
    logging.getLogger("companion.workshop").error("It has stumbled.", exc_info=fault)
    told = player.get("/api/workshop").json
    assert (told["log"][0]["level"], told["log"][0]["say"]) == ("error", "It has stumbled.")
    assert "ZeroDivisionError" not in json.dumps(told)
    assert told["version"]


def test_a_light_test_shows_its_holes_and_ends(player, table, clock):
    board = table.core.plan.board
    dark = paint_frame(board, table.snapshot, clock[0])
    assert player.post("/api/workshop/lights", json={"holes": ["green-60"]}).status_code == 202
    pixel = board.by_id["green-60"].pixel
    assert dark[pixel] == (0, 0, 0) != paint_frame(board, table.snapshot, clock[0])[pixel]
    assert paint_frame(board, table.snapshot, clock[0] + 3001)[pixel] == (0, 0, 0)
    assert player.post("/api/workshop/lights", json={}).status_code == 202
    assert all(any(colour) for colour in paint_frame(board, table.snapshot, clock[0] + 500))
    assert player.post("/api/workshop/lights", json={"holes": ["x-1"]}).status_code == 400


def test_a_deck_is_learned_by_players(player, watcher):
    assert player.get("/api/workshop").json["deck"] == {"asked": None, "missing": 52, "left": [], "said": ""}
    assert player.post("/api/workshop/deck", json={"card": "next"}).json["deck"]["asked"] == "AC"
    told = player.post("/api/workshop/deck", json={"card": "5H"})
    assert (told.status_code, told.json["deck"]["asked"], len(told.json["deck"]["left"])) == (200, "5H", 52)
    for sent in ({"card": "5X"}, {"card": 5}, {}):
        assert player.post("/api/workshop/deck", json=sent).status_code == 400
    assert player.get("/api/workshop").json["deck"]["asked"] == "5H"
    assert player.post("/api/workshop/deck", json={"card": None}).json["deck"]["asked"] is None
    assert watcher.post("/api/workshop/deck", json={"card": "5H"}).status_code == 403
