"""`companion club backup` copies a running archive's store, and an archive goes on with the copy."""

import contextlib
import sqlite3
import stat

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.plugins.club import queries
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database
from companion.rules.moves import Next
from tests.plugins.club.reported_moves import LOSS, WIN, report_moves, send_messages


def run(*words):
    return CliRunner().invoke(main, ["club", *map(str, words)])


@pytest.fixture
def running(tmp_path):
    """The URL of the store of an archive that runs and holds a game."""
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with contextlib.closing(Database(url)) as store:
        send_messages(Archive(store), report_moves(WIN))
        yield url


@pytest.mark.parametrize("order", [0, 1])
def test_the_copy_of_a_running_archive_can_be_restored(running, tmp_path, order):
    to = tmp_path / "copy.sqlite3"
    words = (("--store", running, "backup", to), ("backup", to, "--store", running))[order]
    done = run(*words)
    assert (done.exit_code, done.output) == (0, f"{to}\n")
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    assert sorted(each.name for each in tmp_path.glob("copy*")) == ["copy.sqlite3"]
    with contextlib.closing(Database(f"sqlite:///{to}")) as store:
        assert queries.list_results(store)[0]["scores"] == [10, 121]
        send_messages(Archive(store), report_moves([*WIN, Next(), *LOSS]))
        assert len(queries.list_results(store)) == 2


def test_a_copy_replaces_nothing_and_a_store_that_is_not_there_is_not_created(running, tmp_path):
    (tmp_path / "old").write_text("mine")
    done = run("--store", running, "backup", tmp_path / "old")
    assert (done.exit_code, (tmp_path / "old").read_text()) == (1, "mine")
    assert "already exists" in done.output
    done = run("--store", f"sqlite:///{tmp_path}/none", "backup", tmp_path / "new")
    assert (done.exit_code, "There is no store" in done.output) == (1, True)
    assert not (tmp_path / "none").exists()
    assert run("--store", "postgresql://club@db/club", "backup", tmp_path / "new").exit_code == 2
    assert not (tmp_path / "new").exists()


def test_a_damaged_store_gives_no_copy(running, tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "club.sqlite3")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA writable_schema=ON")
        db.execute("UPDATE sqlite_master SET rootpage = 999 WHERE name = 'move'")
        db.commit()
    assert run("--store", running, "backup", tmp_path / "copy").exit_code == 1
    assert list(tmp_path.glob("copy*")) == []


def test_the_store_is_beside_the_journal_unless_it_is_named(running, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = run("backup", tmp_path / "copy")
    assert f"{tmp_path}/data/companion/club.sqlite3" in done.output
