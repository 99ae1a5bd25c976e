"""Committed entries are there again, in order, after closing the file or killing the program."""

import contextlib
import sqlite3

import pytest

from companion.common.errors import JournalError
from companion.journal.journal import Journal, JournalEntry

PLAN = {"game": "six-card", "seats": 2, "board": "classic", "dealer": 0, "options": {}}
UNDO = JournalEntry("move", "phone", {"type": "undo"})


def test_the_last_game_comes_back_in_order(tmp_path):
    path = tmp_path / "deep" / "journal.sqlite3"
    journal = Journal(path)
    journal.begin_game(PLAN)
    journal.begin_game(PLAN | {"seats": 3})
    journal.write((JournalEntry("card", "cards", "5H"), UNDO), pegs={"stands": [1, 2]})
    journal.write((JournalEntry("uncard", "phone", None),))
    journal.close()
    again = Journal(path)
    kept = again.last_game()
    assert kept.plan["seats"] == 3
    assert [e.kind for e in kept.entries] == ["card", "move", "uncard"]
    assert kept.entries[1] == UNDO
    assert kept.pegs == {"stands": [1, 2]}
    assert again.move_count == 1
    again.close()


def test_moves_are_counted_over_all_games(tmp_path):
    journal = Journal(tmp_path / "j")
    for _ in range(3):
        journal.begin_game(PLAN)
        journal.write((UNDO, UNDO))
    assert journal.move_count == 6
    journal.close()


def test_a_new_journal_has_no_game(tmp_path):
    journal = Journal(tmp_path / "j")
    assert journal.last_game() is None
    journal.close()
    journal.close()


def test_a_file_that_is_not_a_journal_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database, " * 100)
    with pytest.raises(JournalError, match=r"notes\.txt"):
        Journal(path)


def test_a_write_is_whole_or_not_at_all(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.begin_game(PLAN)
    with pytest.raises(TypeError):
        journal.write((UNDO, JournalEntry("move", "phone", object())))
    assert journal.last_game().entries == ()
    journal.write((UNDO,))
    assert journal.last_game().entries == (UNDO,)
    journal.close()


def test_the_pegs_are_a_reading_and_block_no_game(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.begin_game(PLAN)
    journal.write((UNDO,), pegs={"stands": []})
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "j", isolation_level=None)) as damaged:
        damaged.execute("UPDATE game SET pegs = '{\"type\":'")
    again = Journal(tmp_path / "j")
    assert (again.trouble, again.last_game().pegs, again.last_game().entries) == (None, None, (UNDO,))
    again.close()


def test_its_files_are_readable_by_their_owner_alone(tmp_path):
    path = tmp_path / "journal.sqlite3"
    journal = Journal(path)
    journal.begin_game(PLAN)
    modes = {each.name: oct(each.stat().st_mode & 0o777) for each in tmp_path.iterdir()}
    journal.close()
    assert modes == {f"journal.sqlite3{end}": "0o600" for end in ("", "-wal", "-shm", "-seal")}


def test_a_journal_of_an_earlier_version_becomes_its_owners_alone(tmp_path):
    path = tmp_path / "journal.sqlite3"
    Journal(path).close()
    seal = tmp_path / "journal.sqlite3-seal"
    path.chmod(0o644)
    seal.chmod(0o644)
    Journal(path).close()
    assert (path.stat().st_mode & 0o777, seal.stat().st_mode & 0o777) == (0o600, 0o600)


def test_a_journal_that_replaces_a_damaged_one_and_the_damaged_copy_are_private(tmp_path):
    path = tmp_path / "journal.sqlite3"
    journal = Journal(path)
    journal.begin_game(PLAN)
    journal.close()
    body = bytearray(path.read_bytes())
    body[4096:8192] = bytes(4096)
    path.write_bytes(body)
    Journal(path).close()
    files = list(tmp_path.iterdir())
    assert any(".damaged-" in each.name for each in files)
    assert {oct(each.stat().st_mode & 0o777) for each in files} == {"0o600"}
