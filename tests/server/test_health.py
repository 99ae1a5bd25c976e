"""The health of the program, and a full disk shown on every page."""

import contextlib

import pytest
from click.testing import CliRunner

from companion.app import disk_monitor
from companion.app.disk_monitor import DiskMonitor, describe_disk_fault
from companion.cli import main
from companion.common.errors import JournalError
from companion.journal.journal import Journal
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import create_table_app, join_table
from tests.support.disk import record_disk
from tests.support.tables import open_table

STARTER = {"type": "starter", "card": "5D"}
READ_ONLY = "The journal journal.sqlite3 is read-only, so moves cannot be saved. Make its disk writable."
FULL = "The disk is full. Free some space so that moves can be saved."


class Disk:
    """The state of a disk, as returned by `os.statvfs`."""

    f_frsize, f_files, f_favail, f_flag, f_bavail = 4096, 1000, 900, 0, 10_000


def test_all_is_well(bench, until):
    assert until(lambda: bench.get("/api/health").json["ok"])
    reply = bench.get("/api/health")
    assert (reply.status_code, list(reply.json)) == (200, ["ok", "journal", "devices", "version"])
    assert reply.json["journal"] == {"ok": True, "say": ""}
    assert set(reply.json["devices"]) == {"sensors", "lights", "cards", "buttons"}
    assert CliRunner().invoke(main, ["--version"]).output.endswith(f"version {reply.json['version']}\n")


def test_a_lost_device_is_no_failure(bench, table):
    table.on_device("cards", False, "The card reader's cable is out.")
    reply = bench.get("/api/health")
    assert (reply.status_code, reply.json["ok"]) == (200, False)
    assert reply.json["devices"]["cards"] == {"ok": False, "say": "The card reader's cable is out."}


def test_a_move_that_cannot_be_stored_is_shown(bench, table, monkeypatch, until):
    assert until(lambda: table.core.course.placement is not None)

    fault = "The journal could not be written: disk I/O error."

    def write(*_):
        raise JournalError(fault)

    with monkeypatch.context() as broken:
        broken.setattr(table.journal, "write", write)
        refused = bench.post("/api/moves", json=STARTER)
        assert (refused.status_code, refused.json) == (409, {"error": fault})
        assert bench.get("/api/state").json["phase"] == "cut"
        table.on_scan("5D")
        assert bench.get("/api/state").json["notices"][-1]["from"] == "journal"
        assert table.snapshot.notices[-1].say == fault
        assert table.snapshot.trouble == table.snapshot.notices[-1].say
        reply = bench.get("/api/health")
        assert (reply.status_code, reply.json["journal"]["ok"]) == (503, False)
        table.on_disk_fault("")
        assert bench.get("/api/health").status_code == 503
    table.on_disk_fault("")
    assert bench.get("/api/health").status_code == 200
    assert table.snapshot.trouble == ""
    assert bench.post("/api/moves", json=STARTER).status_code == 201


@pytest.fixture
def watched(tmp_path):
    """Return a disk that can become read-only, and the table with its journal there."""
    with record_disk() as disk, contextlib.closing(open_table(tmp_path)) as table:
        yield disk, table


def test_a_read_only_journal_loses_no_move(watched, tmp_path):
    """Moves, names and new games are refused in a sentence; once it is writable, the trouble ends by itself."""
    disk, table = watched
    player = join_table(create_table_app(GameSwitcher(table)).test_client())
    assert player.post("/api/moves", json=STARTER).status_code == 201
    disk.is_read_only = True
    for path, body in (
        ("/api/moves", {"type": "play", "seat": 1, "card": "6H"}),
        ("/api/moves", {"type": "undo"}),
        ("/api/players", {"seat": 0, "name": "Ann"}),
        ("/api/table", {"game": "five-card"}),
    ):
        reply = player.post(path, json=body)
        assert (path, reply.status_code, reply.json) == (path, 409, {"error": READ_ONLY})
    table.on_disk_fault("")  # as the monitor says every second
    reply = player.get("/api/health")
    assert (reply.status_code, reply.json["journal"]) == (503, {"ok": False, "say": READ_ONLY})
    state = player.get("/api/state").json
    assert (state["moves"], state["trouble"]) == (1, READ_ONLY)
    assert [notice["say"] for notice in state["notices"]] == [READ_ONLY]
    disk.is_read_only = False
    table.on_disk_fault("")
    assert (player.get("/api/health").status_code, player.get("/api/state").json["trouble"]) == (200, "")
    assert player.post("/api/moves", json={"type": "play", "seat": 1, "card": "6H"}).status_code == 201
    table.close()
    with contextlib.closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        entries = journal.last_game().entries
        assert [entry.body["type"] for entry in entries if entry.kind == "move"] == ["starter", "play"]
        assert journal.trouble is None


def test_a_refused_name_is_tried_again_too(watched):
    """Also where no move was refused: the trouble ends without a move."""
    disk, table = watched
    disk.is_read_only = True
    with pytest.raises(JournalError):
        GameSwitcher(table).set_player(0, "Ann", None)
    assert table.trouble == READ_ONLY
    disk.is_read_only = False
    table.on_disk_fault("")
    assert table.trouble == ""


def test_a_removed_journal_is_reported(watcher, table, tmp_path, until):
    for path in tmp_path.glob("journal.sqlite3*"):
        path.unlink()
    assert until(lambda: watcher.get("/api/health").status_code == 503)
    assert not watcher.get("/api/health").json["journal"]["ok"]


def test_missing_moves_are_reported_at_the_start(watcher, table, monkeypatch):
    monkeypatch.setattr(table.journal, "damage", "The journal was damaged: 3 moves are missing.")
    reply = watcher.get("/api/health")
    assert (reply.status_code, reply.json["ok"]) == (200, False)
    assert reply.json["journal"] == {"ok": False, "say": "The journal was damaged: 3 moves are missing."}


@pytest.mark.parametrize(
    ("changed", "said"),
    [({}, ""), ({"f_bavail": 10}, FULL), ({"f_favail": 0}, FULL), ({"f_flag": 1}, "The journal's disk is read-only")],
)
def test_each_disk_fault_is_a_sentence(monkeypatch, tmp_path, changed, said):
    monkeypatch.setattr(disk_monitor.os, "statvfs", lambda _: type("Changed", (Disk,), changed))
    assert describe_disk_fault(tmp_path).startswith(said)
    assert bool(describe_disk_fault(tmp_path)) == bool(said)


def test_a_lost_disk_is_reported(tmp_path):
    lost = "Cannot reach the journal's disk (No such file or directory). Moves cannot be saved."
    assert (describe_disk_fault(tmp_path), describe_disk_fault(tmp_path / "gone")) == ("", lost)


def test_a_full_disk_is_shown_until_it_ends(watcher, table, tmp_path, monkeypatch, until):
    looking = DiskMonitor(table, tmp_path)
    try:
        assert watcher.get("/api/health").status_code == 200
        monkeypatch.setattr(disk_monitor.os, "statvfs", lambda _: type("Changed", (Disk,), {"f_bavail": 0}))
        assert until(lambda: any(each["say"] == FULL for each in watcher.get("/api/state").json["notices"]))
        reply = watcher.get("/api/health")
        assert (reply.status_code, reply.json["journal"]) == (503, {"ok": False, "say": FULL})
        assert until(lambda: watcher.get("/api/state").json["trouble"] == FULL)
        monkeypatch.setattr(disk_monitor.os, "statvfs", lambda _: Disk)
        assert until(lambda: watcher.get("/api/health").status_code == 200)
        assert until(lambda: watcher.get("/api/state").json["trouble"] == "")
        assert [each["say"] for each in watcher.get("/api/state").json["notices"]].count(FULL) == 1
    finally:
        looking.close()
