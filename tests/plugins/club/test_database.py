"""The archive's database: what both kinds refuse, a server of PostgreSQL that stops, and copies of a running store."""

import contextlib
import os
import signal
import sqlite3
import stat

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.common.errors import BadMove, IllegalMove
from companion.plugins.club import database, queries
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database, DatabaseError
from companion.plugins.club.league_events import LeagueEvents
from companion.rules.moves import Next, Undo
from tests.plugins.club.reported_moves import LOSS, WIN, report_moves, send_messages
from tests.support.waiting import run_together, wait_until


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, "a\0b"])
def test_both_databases_refuse_what_one_cannot_store(store, value):
    with pytest.raises(BadMove):
        store.query("INSERT INTO qualifier VALUES (?, 1, ?)", 1, value)
    assert store.query("SELECT * FROM qualifier") == []


@pytest.mark.parametrize(("club", "board"), [("north", "a\0"), ("\0", "5"), ("north", 5), (7, "5"), (None, None)])
def test_a_boards_name_is_a_storable_text(store, club, board):
    store.query("INSERT INTO board VALUES ('north', '5', 1, '')")
    store.query("INSERT INTO board VALUES ('7', '5', 1, '')")
    events = LeagueEvents(store)
    event = events.create_event("Night", "swiss", ["Ann", "Bob"], 0)
    with pytest.raises((BadMove, IllegalMove)):
        events.add_board(event, club, board)


@pytest.fixture
def stopped(postgres):
    """A database whose server process for it has been stopped, as if its machine did not answer any more."""
    with contextlib.closing(Database(postgres)) as opened:
        ((process,),) = opened.query("SELECT pg_backend_pid()")
        os.kill(process, signal.SIGSTOP)
        yield opened
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def test_a_silent_server_is_not_waited_for_long(stopped, monkeypatch):
    monkeypatch.setattr(database, "MAX_WAIT_S", 0.3)

    def ask():
        try:
            stopped.query("SELECT 1")
        except DatabaseError:
            return True

    assert any(run_together(ask, 5))  # the one that waits for the answer, at least

    def goes_on():
        with contextlib.suppress(DatabaseError):
            return stopped.query("SELECT 1") == [(1,)]

    wait_until(goes_on)


def test_only_one_client_tries_an_unreachable_server(monkeypatch, tmp_path):
    with contextlib.closing(Database(f"sqlite:///{tmp_path}/club.sqlite3")) as opened:
        now_s, attempts = [1000.0], []
        monkeypatch.setattr(database.time, "monotonic", lambda: now_s[0])

        def fail_slowly():
            attempts.append(now_s[0])
            now_s[0] += 5
            raise opened._error

        opened.close()
        monkeypatch.setattr(opened, "_open", fail_slowly)
        for _ in range(10):
            with pytest.raises(DatabaseError):
                opened.query("SELECT 1")
        assert attempts == [1000.0]
        now_s[0] += 1.1
        with pytest.raises(DatabaseError):
            opened.query("SELECT 1")
        assert len(attempts) == 2


def test_all_results_are_read_once_until_a_change(store, monkeypatch):
    now_s, reads = [1000.0], []
    monkeypatch.setattr(queries.time, "monotonic", lambda: now_s[0])
    real = queries.list_results
    monkeypatch.setattr(queries, "list_results", lambda *args, **more: reads.append(1) or real(*args, **more))
    results, archive = queries.ResultsCache(store), Archive(store)
    assert [results.load_standings() for _ in range(5)] == 5 * [[]]
    assert len(reads) == 1
    send_messages(archive, report_moves(WIN))
    assert [row["player"] for row in results.load_standings()] == ["Bob", "Ann"]
    assert (results.load_csv().count("Ann / Bob"), results.load_csv().count("Ann / Bob"), len(reads)) == (1, 1, 4)
    send_messages(archive, report_moves([*WIN, Undo()])[-1:])
    assert (results.load_standings(), len(reads)) == ([], 5)
    now_s[0] += 11  # another program may have changed them
    assert (results.load_standings(), len(reads)) == ([], 6)


def read_modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777], ids=oct)
def test_a_store_is_its_owners_alone(tmp_path, umask):
    """A store that is created has mode 0600, and its folders have 0700, whatever the umask: it holds the seed."""
    folder = tmp_path / "share" / "club"
    before = os.umask(umask)
    try:
        with contextlib.closing(Database(f"sqlite:///{folder}/club.sqlite3")) as opened:
            opened.query("SELECT * FROM tournament")
            modes = read_modes(folder)
    finally:
        os.umask(before)
    files = {f"club.sqlite3{end}": 0o600 for end in ("", "-wal", "-shm")}
    assert modes == {"club": 0o700} | files
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


def test_an_existing_store_is_tightened(tmp_path):
    """A store of an earlier version loses the rights of others, also its WAL. The existing folder stays as it is."""
    tmp_path.chmod(0o755)
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with contextlib.closing(Database(url)) as first:
        for each in tmp_path.iterdir():
            each.chmod(0o644)
        with contextlib.closing(Database(url)) as second:
            second.query("SELECT * FROM tournament")
            first.query("SELECT * FROM tournament")
            modes = read_modes(tmp_path)
    files = {f"club.sqlite3{end}": 0o600 for end in ("", "-wal", "-shm")}
    assert modes == {tmp_path.name: 0o755} | files


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
def test_a_running_archives_copy_can_be_restored(running, tmp_path, order):
    to = tmp_path / "copy.sqlite3"
    words = (("--store", running, "backup", to), ("backup", to, "--store", running))[order]
    done = run(*words)
    assert (done.exit_code, done.output) == (0, f"{to}\n")
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.sqlite3"]
    with contextlib.closing(Database(f"sqlite:///{to}")) as store:
        assert queries.list_results(store)[0]["scores"] == [10, 121]
        send_messages(Archive(store), report_moves([*WIN, Next(), *LOSS]))
        assert len(queries.list_results(store)) == 2


def test_a_copy_replaces_and_creates_nothing(running, tmp_path):
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


def test_the_store_is_beside_the_journal(running, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = run("backup", tmp_path / "copy")
    assert f"{tmp_path}/data/companion/club.sqlite3" in done.output
