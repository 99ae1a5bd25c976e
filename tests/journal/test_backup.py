"""A backup made while the table runs, and a table that continues from it."""

import contextlib
import shutil
import sqlite3

import pytest

from companion.common.errors import JournalError
from companion.journal.journal import Journal, JournalEntry
from companion.journal.recovery import backup_journal

PLAN = {"game": "pegs-only", "seats": 2, "board": "classic", "dealer": 0, "options": {"target": "121"}}


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path / "journal.sqlite3")
    opened.begin_game(PLAN)
    for points in range(1, 9):
        opened.write((JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": points}),))
    yield opened
    opened.close()


def test_a_copy_made_while_a_table_plays_is_a_whole_journal(journal, tmp_path):
    entries = journal.last_game().entries
    assert backup_journal(tmp_path / "journal.sqlite3", tmp_path / "copy", 7) == tmp_path / "copy"
    journal.write((JournalEntry("move", "phone", {"type": "undo"}),))
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy"]
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
    with contextlib.closing(Journal(tmp_path / "copy")) as copy:
        assert (copy.trouble, copy.move_count, copy.last_game().entries) == (None, 8, entries)
        copy.write((JournalEntry("move", "phone", {"type": "undo"}),))


def test_put_in_the_place_of_the_journal_it_goes_on_and_says_what_came_after_it(journal, tmp_path):
    backup_journal(tmp_path / "journal.sqlite3", tmp_path / "copy", 7)
    journal.write((JournalEntry("move", "phone", {"type": "undo"}),))
    journal.close()
    shutil.copy(tmp_path / "copy", tmp_path / "journal.sqlite3")
    with contextlib.closing(Journal(tmp_path / "journal.sqlite3")) as again:
        assert again.trouble.startswith("The journal journal.sqlite3 was damaged: 1 of 9 moves are missing. ")
        assert again.move_count == 8


def test_a_folder_keeps_the_newest_dated_copies_and_everything_else(journal, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "journal-mine.sqlite3").write_text("mine")
    for day in range(1, 5):
        (folder / f"journal-2026010{day}-120000.sqlite3").write_text("old")
    made = backup_journal(tmp_path / "journal.sqlite3", folder, 3)
    kept = ["journal-20260103-120000.sqlite3", "journal-20260104-120000.sqlite3", made.name, "journal-mine.sqlite3"]
    assert sorted(path.name for path in folder.iterdir()) == kept


def test_what_is_there_is_never_written_over(journal, tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(JournalError, match=r"The file .*mine already exists\. Choose another name\."):
        backup_journal(tmp_path / "journal.sqlite3", tmp_path / "mine", 7)
    with pytest.raises(JournalError, match="There is no journal"):
        backup_journal(tmp_path / "none", tmp_path / "copy", 7)
    with pytest.raises(JournalError, match=r"could not be copied to .*/nowhere/copy: "):
        backup_journal(tmp_path / "journal.sqlite3", tmp_path / "nowhere" / "copy", 7)
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_damaged_journal_is_not_copied_as_if_it_were_whole(journal, tmp_path):
    journal.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.sqlite3", isolation_level=None)) as db:
        db.execute("UPDATE entry SET body = replace(body, '3', '4')")
    with pytest.raises(JournalError, match=r"could not be copied .*: entry 3 has changed\."):
        backup_journal(tmp_path / "journal.sqlite3", tmp_path / "copy", 7)
    assert not list(tmp_path.glob("copy*"))
