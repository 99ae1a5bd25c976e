"""After any damage to the file, either all moves are there or the journal reports that some are missing."""

import os
import re
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.common.errors import JournalError
from companion.journal import schema
from companion.journal.journal import Journal, JournalEntry
from companion.journal.recovery import backup_journal

PLAN = {"game": "pegs-only", "seats": 2, "board": "classic", "dealer": 0, "options": {"target": "121"}}
NAME = "journal.sqlite3"
KEPT = 60
"""Moves in each of the three games."""


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch):
    monkeypatch.setattr(schema, "MIN_BLOCK_ENTRIES", 50)


@pytest.fixture(scope="module")
def unplugged_folders(tmp_path_factory):
    """Folders as a pulled plug leaves them, WAL and all: one in the middle of the second game, one in the third."""
    folder = tmp_path_factory.mktemp("kept")
    journal = Journal(folder / "now" / NAME)
    for game in range(3):
        journal.begin_game(PLAN)
        for n in range(KEPT):
            if (game, n) == (1, KEPT // 2):
                shutil.copytree(folder / "now", folder / "early")
                journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            journal.write(
                (JournalEntry("move", "board", {"type": "peg", "seat": n % 2, "points": n % 9 + 1}),), [game, n]
            )
    shutil.copytree(folder / "now", folder / "late")
    journal.close()
    return folder


def read_journal(path):
    """All that a journal has, and its trouble; None where it is refused, with a sentence."""
    try:
        journal = Journal(path)
    except JournalError as refused:
        return None, str(refused)
    with closing(journal):
        games = [(journal.load_plan(game), [w.entry for w in journal.read_entries(game)]) for game in range(1, 4)]
        return games, journal.trouble


def flip(path, chance, first=0):
    held = bytearray(path.read_bytes())
    held[chance.randrange(first, len(held))] ^= 1 << chance.randrange(8)
    path.write_bytes(held)


def change_a_digit(path, chance):
    held = bytearray(path.read_bytes())
    marks = b'"points": '
    places = [at + len(marks) for at in range(len(held)) if held[at : at + len(marks)] == marks]
    if places:
        at = chance.choice(places)
        held[at] = ord("1") + (held[at] - ord("0")) % 9
        path.write_bytes(held)


def blank_a_page(path, chance):
    held = bytearray(path.read_bytes())
    at = chance.randrange(len(held) // 4096) * 4096
    held[at : at + 4096] = bytes(4096)
    path.write_bytes(held)


def cut(path, chance):
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


KINDS = {
    "flipped": lambda folder, wal, chance: flip(folder, chance),
    "WAL flipped": lambda folder, wal, chance: flip(wal, chance),
    "cut": lambda folder, wal, chance: cut(folder, chance),
    "WAL cut": lambda folder, wal, chance: cut(wal, chance),
    "WAL gone": lambda folder, wal, chance: wal.unlink(),
    "gone": lambda folder, wal, chance: folder.unlink(),
    "emptied": lambda folder, wal, chance: folder.write_bytes(b""),
    "WAL emptied": lambda folder, wal, chance: wal.write_bytes(b""),
    "digit": lambda folder, wal, chance: change_a_digit(folder, chance),
    "WAL digit": lambda folder, wal, chance: change_a_digit(wal, chance),
    "page": lambda folder, wal, chance: blank_a_page(folder, chance),
}


def swap(folder, unplugged_folders, what):
    """A file of an hour before in the place of today's."""
    for end in what:
        shutil.copy(unplugged_folders / "early" / f"{NAME}{end}", folder / f"{NAME}{end}")


def damage_journal(unplugged_folders, folder, seed):
    """The last game's journal with one seeded damage; what kind it was."""
    chance = Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(unplugged_folders / "late", folder)
    kinds = [*KINDS, "swap", "WAL swap", "both swapped"]
    kind = kinds[seed % len(kinds)]
    if kind in KINDS:
        KINDS[kind](folder / NAME, folder / f"{NAME}-wal", chance)
    else:
        swap(folder, unplugged_folders, {"swap": [""], "WAL swap": ["-wal"], "both swapped": ["", "-wal"]}[kind])
    return kind


def check(unplugged_folders, folder, seed):
    whole, trouble = describe_game(unplugged_folders, folder)
    assert (trouble, [len(entries) for _, entries in whole]) == (None, [KEPT] * 3)
    kind = damage_journal(unplugged_folders, folder, seed)
    games, trouble = read_journal(folder / NAME)
    if games != whole:
        assert trouble, f"{seed}, {kind}: unsaid"
    if games is None:
        return kind, "refused"
    for (plan, entries), (wanted, played) in zip(games, whole, strict=True):
        assert plan in (None, wanted), f"{seed}, {kind}"
        assert entries == played[: len(entries)], f"{seed}, {kind}: other moves than were played"
    assert read_journal(folder / NAME) == (games, None), f"{seed}, {kind}: what is left is no journal"
    return kind, "whole" if games == whole else "part"


def describe_game(unplugged_folders, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(unplugged_folders / "late", folder)
    return read_journal(folder / NAME)


@pytest.mark.parametrize("seed", range(14))
def test_damage_is_reported(unplugged_folders, tmp_path, seed):
    check(unplugged_folders, tmp_path / "it", seed)


@pytest.mark.long
def test_damage_is_reported_200_times(unplugged_folders, tmp_path):
    for seed in range(1000, 1200):
        check(unplugged_folders, tmp_path / "it", seed)


def test_a_changed_digit_costs_the_rest_of_its_own_game_alone(unplugged_folders, tmp_path):
    folder = tmp_path / "it"
    describe_game(unplugged_folders, folder)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as db:
        db.execute("UPDATE entry SET body = replace(body, '\"points\": 2', '\"points\": 9') WHERE id = 71")
    games, trouble = read_journal(folder / NAME)
    assert [len(entries) for _, entries in games] == [60, 10, 60]
    kept = next(folder.glob(f"{NAME}.damaged-*[0-9]"))
    assert trouble == (
        f"The journal {NAME} was damaged: 50 of 180 moves are missing. The damaged file is kept as {kept.name}."
    )


def test_a_journal_cut_short_in_silence_says_how_many_moves_are_missing(unplugged_folders, tmp_path):
    describe_game(unplugged_folders, tmp_path / "it")
    shutil.copytree(unplugged_folders / "late", tmp_path / "it", dirs_exist_ok=True)
    held = (tmp_path / "it" / f"{NAME}-wal").read_bytes()[:-5000]
    (tmp_path / "it" / f"{NAME}-wal").write_bytes(held)
    _, trouble = read_journal(tmp_path / "it" / NAME)
    said = rf"The journal {NAME} was damaged: \d of 180 moves are missing\. The damaged file is kept as (.*\d)\."
    kept = re.fullmatch(said, trouble)[1]
    assert (tmp_path / "it" / f"{kept}-wal").read_bytes() == held


def test_without_its_seal_an_unclosed_journal_cannot_be_checked(unplugged_folders, tmp_path):
    shutil.copytree(unplugged_folders / "late", tmp_path / "it")
    (tmp_path / "it" / f"{NAME}-seal").unlink()
    assert read_journal(tmp_path / "it" / NAME)[1].startswith("The seal of the journal")
    (tmp_path / "it" / f"{NAME}-seal").unlink()
    assert read_journal(tmp_path / "it" / NAME)[1] is None


def test_one_damaged_beyond_reading_is_left_as_it_is_and_the_way_on_is_said(unplugged_folders, tmp_path):
    shutil.copytree(unplugged_folders / "late", tmp_path / "it")
    (tmp_path / "it" / NAME).write_bytes(b"no journal any more" * 500)
    (tmp_path / "it" / f"{NAME}-wal").unlink()
    with pytest.raises(JournalError, match=r"journal\.sqlite3 is damaged beyond repair .*\. Put a backup in its place"):
        Journal(tmp_path / "it" / NAME)
    assert (tmp_path / "it" / NAME).read_bytes() == b"no journal any more" * 500


def move(points):
    return JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": points})


@pytest.fixture
def synced(monkeypatch):
    """What is on the disk of each file, its content, and of each folder, the names in it, when it was synced last."""
    content, sync = {}, os.fsync

    def note(file):
        sync(file)
        path = Path(f"/proc/self/fd/{file}")
        is_file = stat.S_ISREG(os.fstat(file).st_mode)
        content[os.fstat(file).st_ino] = path.read_bytes() if is_file else [entry.name for entry in path.iterdir()]

    monkeypatch.setattr(os, "fsync", note)
    return content


def test_a_power_cut_in_the_first_seconds_of_a_journal_leaves_its_seal(tmp_path, synced):
    journal = Journal(tmp_path / NAME)
    journal.begin_game(PLAN)
    journal.write((move(1), move(2)))
    shutil.copytree(tmp_path, tmp_path / "cut")
    (tmp_path / "cut" / f"{NAME}-seal").write_bytes(synced.get((tmp_path / f"{NAME}-seal").stat().st_ino, b""))
    journal.close()
    with closing(Journal(tmp_path / "cut" / NAME)) as again:
        assert (again.move_count, again.damage, again.remark) == (2, None, "")


def test_a_power_cut_after_a_backup_leaves_the_copy(tmp_path, synced):
    with closing(Journal(tmp_path / NAME)) as journal:
        journal.begin_game(PLAN)
        copy = backup_journal(tmp_path / NAME, tmp_path / "copy.sqlite3", 1)
    assert copy.name in synced[tmp_path.stat().st_ino]
    assert synced[copy.stat().st_ino] == copy.read_bytes()


@pytest.mark.parametrize("content", [b"", b"\0" * 96], ids=["empty", "zeros"])
def test_an_empty_seal_is_reported_but_is_not_damage(tmp_path, content):
    journal = Journal(tmp_path / NAME)
    journal.begin_game(PLAN)
    journal.write((move(1), move(2)))
    shutil.copytree(tmp_path, tmp_path / "cut")
    journal.close()
    (tmp_path / "cut" / f"{NAME}-seal").write_bytes(content)
    with closing(Journal(tmp_path / "cut" / NAME)) as again:
        assert (again.move_count, again.damage, again.trouble) == (2, None, None)
        assert again.remark.startswith(f"The seal of the journal {NAME} was empty, as a power cut")
        assert again.remark.endswith("The journal is intact and has 2 moves.")
        again.write((move(3),))
    with closing(Journal(tmp_path / "cut" / NAME)) as last:
        assert (last.move_count, last.damage, last.remark) == (3, None, "")
