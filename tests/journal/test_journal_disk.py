"""Failing disks and power cuts: refused moves are gone, promised ones are there."""

import contextlib
import shutil
from random import Random

import pytest

from companion.common.errors import JournalError
from companion.journal.journal import Journal, JournalEntry
from tests.support.disk import FULL, IOERR_FSYNC, IOERR_WRITE, record_disk

PLAN = {"game": "pegs-only", "seats": 2, "board": "classic", "dealer": 0, "options": {"target": "121"}}
NAME = "journal.sqlite3"
FAULTS = [("sync", IOERR_FSYNC), ("sync", IOERR_FSYNC), ("write", IOERR_WRITE), ("write", FULL)]


def move(points):
    return JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": points})


def read_points(path):
    """Return the points of each move of an undamaged journal."""
    with contextlib.closing(Journal(path)) as journal:
        assert journal.trouble is None
        kept = journal.last_game()
        return [entry.body["points"] for entry in kept.entries] if kept else []


@pytest.fixture
def disk():
    with record_disk() as recorded:
        yield recorded


def play_on_failing_disk(folder, disk, seed):
    """An evening on a disk that refuses now and then; what was promised."""
    chance, promised = Random(seed), []
    journal = Journal(folder / NAME)
    journal.begin_game(PLAN)
    said = 0
    for n in range(1, 13):
        what, code = chance.choice(FAULTS)
        left = [chance.choice([0, 0, 1, 1, 2, 5])] if n > 2 else [0]

        def fail(asked, path, what=what, code=code, left=left):
            if asked != what or not left[0]:
                return 0
            left[0] -= 1
            return code

        disk.fail = fail
        try:
            journal.write((move(n),))
            promised.append(n)
        except JournalError:
            said += 1
            assert journal.move_count == len(promised)
        disk.fail = lambda what, path: 0
        if chance.random() < 0.2:
            break
    shutil.copytree(folder, folder.with_name(f"{folder.name}-killed"))
    journal.close()
    return promised, said


def check_refused(tmp_path, disk, seed):
    promised, said = play_on_failing_disk(tmp_path / f"{seed}", disk, seed)
    for end in ("-killed", ""):
        assert read_points(tmp_path / f"{seed}{end}" / NAME) == promised, f"{seed}{end}"
    return said


def test_a_move_refused_for_the_disk_stays_refused(tmp_path, disk):
    assert sum(check_refused(tmp_path, disk, seed) for seed in range(12)) >= 8


@pytest.mark.long
def test_a_move_refused_for_the_disk_stays_refused_100_times(tmp_path, disk):
    said = 0
    for seed in range(100, 200):
        said += check_refused(tmp_path, disk, seed)
    assert said >= 100


def test_while_the_disk_fails_moves_are_refused_and_the_failure_is_shown(tmp_path, disk):
    journal = Journal(tmp_path / NAME)
    journal.begin_game(PLAN)
    disk.fail = lambda what, path: IOERR_FSYNC if what == "sync" else 0
    for _ in range(3):
        with pytest.raises(JournalError, match=r"could not be written: .*\.$"):
            journal.write((move(1),))
    assert journal.trouble.startswith(f"The journal {NAME} could not be written")
    disk.fail = lambda what, path: 0
    journal.write((move(2),))
    assert journal.trouble is None
    journal.close()
    assert read_points(tmp_path / NAME) == [2]


def play_evening(folder, disk, moves):
    """Play a journal on this disk. Return after which disk operation each move was promised, and the seal then."""
    journal = Journal(folder / NAME)
    journal.begin_game(PLAN)
    seal, marks = folder / f"{NAME}-seal", []
    for n in range(1, moves + 1):
        journal.write((move(n),), pegs=[n] * 200)
        if n % 20 == 0:
            journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        marks.append((len(disk.operations), n, seal.read_bytes()))
    journal.close()
    return marks


def check_cut(tmp_path, disk, marks, seed):
    chance = Random(seed)
    upto = chance.randrange(marks[0][0], marks[-1][0] + 1)
    known = [mark for mark in marks if mark[0] <= upto]
    folder = tmp_path / "cut"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    disk.write_crash_image(upto, folder, chance)
    (folder / f"{NAME}-seal").write_bytes(chance.choice(known[-3:])[2])
    found, promised = read_points(folder / NAME), known[-1][1]
    assert found == list(range(1, len(found) + 1)), f"{seed}"
    assert len(found) in (promised, promised + 1), f"{seed}: {promised} were promised"


@pytest.fixture(scope="module")
def recorded_evening(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played")
    with record_disk() as disk:
        marks = play_evening(folder, disk, 60)
    return disk, marks


def test_a_power_cut_loses_and_doubles_nothing(recorded_evening, tmp_path):
    for seed in range(20):
        check_cut(tmp_path, *recorded_evening, seed)


@pytest.mark.long
def test_500_power_cuts_lose_and_double_nothing(recorded_evening, tmp_path):
    for seed in range(1000, 1500):
        check_cut(tmp_path, *recorded_evening, seed)
