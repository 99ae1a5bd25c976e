"""Journals of every version open; newer ones and files of other programs are refused with a sentence."""

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.app.launch import LaunchOptions, resume_game
from companion.common.errors import BoardError, CompanionError, JournalError, SettingsError
from companion.journal.journal import Journal, JournalEntry
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import apply_move

DATA = Path(__file__).parents[1] / "data"
PLAN = {"game": "six-card", "seats": 2, "board": "classic", "dealer": 0, "options": {"target": "121"}}


@pytest.fixture
def first_version(tmp_path):
    """A journal as the first version wrote it: pegs-only, then six-card with an adjustment of 0, which was a move."""
    return Path(shutil.copy(DATA / "journal_v1.db", tmp_path / "journal.sqlite3"))


def resume_at(path):
    with contextlib.closing(Journal(path)) as journal:
        return resume_game(journal.last_game(), LaunchOptions(journal=path))


def test_a_journal_of_the_first_version_goes_on(first_version):
    with contextlib.closing(Journal(first_version)) as journal:
        assert (journal.move_count, journal.game_id, journal.trouble) == (7, 2, None)
        assert journal.read_entries(2)[0].ms == 1767323045000
    core = resume_at(first_version)
    assert core.past.state.scores == (4, 0)
    assert [str(card) for card in core.plan.game.view(core.past.state)["series"]] == ["5H", "TH"]
    for scores in ((2, 0), (2, 0), (2, 0), (0, 0)):
        core = apply_move(core, Undo(), "phone")
        assert core.past.state.scores == scores


def test_brought_up_to_date_it_is_watched_over_like_a_new_one(first_version):
    Journal(first_version).close()
    with contextlib.closing(sqlite3.connect(first_version, isolation_level=None)) as db:
        assert [db.execute(f"PRAGMA {each}").fetchone()[0] for each in ("application_id", "user_version")] == [
            0x43524942,
            3,
        ]
        db.execute("UPDATE entry SET body = replace(body, '6', '9') WHERE id = 1")
    with contextlib.closing(Journal(first_version)) as journal:
        assert "1 of 7 moves are missing" in journal.trouble


def mark_version(path, **numbers):
    Journal(path).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        for name, number in numbers.items():
            db.execute(f"PRAGMA {name} = {number}")


def test_a_newer_journal_is_refused_with_a_way_on_and_left_as_it_is(tmp_path):
    mark_version(tmp_path / "j", user_version=4)
    held = (tmp_path / "j").read_bytes()
    with pytest.raises(
        JournalError, match=r"written by a newer companion .*\. Update the companion, or choose another"
    ):
        Journal(tmp_path / "j")
    assert (tmp_path / "j").read_bytes() == held


def test_another_programs_file_is_refused_with_a_way_on_and_left_as_it_is(tmp_path):
    mark_version(tmp_path / "marked", application_id=7)
    with contextlib.closing(sqlite3.connect(tmp_path / "unmarked")) as db:
        db.execute("CREATE TABLE bookmarks (id INTEGER PRIMARY KEY)")
    for name in ("marked", "unmarked"):
        held = (tmp_path / name).read_bytes()
        with pytest.raises(
            JournalError, match=rf"{name} belongs to another program\. Choose another journal with --journal\."
        ):
            Journal(tmp_path / name)
        assert (tmp_path / name).read_bytes() == held


PLANS = [
    {}, [], None, 7, "six-card", {"game": "six-card"}, {**PLAN, "game": "whist"}, {**PLAN, "game": 7},
    {**PLAN, "seats": "two"}, {**PLAN, "seats": 9}, {**PLAN, "options": []}, {**PLAN, "options": {"target": 7}},
    {**PLAN, "options": None}, {**PLAN, "board": "none-such"}, {**PLAN, "board": 7}, {**PLAN, "dealer": "Ann"},
    {**PLAN, "board": "/nowhere/kitchen.toml"}, {**PLAN, "game": []}, {**PLAN, "dealer": 9},
]  # fmt: skip
ENTRIES = [
    JournalEntry("dance", "phone", {}), JournalEntry("move", "phone", {"type": "dance"}),
    JournalEntry("move", "phone", 7), JournalEntry("card", "cards", 7), JournalEntry("card", "cards", None),
    JournalEntry("card", "cards", "9X"),
    JournalEntry("move", "phone", {"type": "undo"}),
    JournalEntry("move", "phone", {"type": "play", "seat": 7, "card": "5H"}),
]  # fmt: skip
PEGS = [[], 7, "pegs", {}, {"stands": 7}, {"pegs": 7}, {"stands": [[1]], "past": []}, {"loop": 7, "past": []}]


@pytest.mark.parametrize("odd", PLANS, ids=str)
def test_an_odd_plan_is_a_sentence(tmp_path, odd):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(odd)
    for wanted in ({}, {"game": "six-card"}, {"seats": 3}, {"options": {"target": "61"}}):
        with contextlib.closing(Journal(tmp_path / "j")) as journal, pytest.raises(CompanionError) as said:
            assert resume_game(journal.last_game(), LaunchOptions(journal=tmp_path / "j", **wanted)) is None
        assert isinstance(said.value, JournalError | SettingsError | BoardError)


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_an_odd_entry_is_a_sentence(tmp_path, entry):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(PLAN)
        journal.write((entry,))
    with pytest.raises(
        JournalError, match=r"The journal j has a game that cannot be read \(.*\)\. Begin another with --new"
    ):
        resume_at(tmp_path / "j")


@pytest.mark.parametrize("game", ["six-card", "bases", "pegs-only", "shuffle", "pursuit"])
@pytest.mark.parametrize("pegs", PEGS, ids=str)
def test_odd_pegs_block_no_game(tmp_path, game, pegs):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(create_plan(game).journal_json)
        journal.write((), pegs=pegs)
    assert resume_at(tmp_path / "j").settings == Settings()


def test_which_game_is_on_and_who_plays_outlives_a_restart_and_a_damage(tmp_path):
    path = tmp_path / "journal.sqlite3"
    with contextlib.closing(Journal(path)) as journal:
        journal.begin_game(create_plan("six-card").journal_json, [{"name": "Ann", "colour": "green"}])
        journal.begin_game(create_plan("pegs-only").journal_json)
        for n in range(3):
            journal.write((JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": n + 1}),))
        journal.switch_game(1)
    with contextlib.closing(Journal(path)) as journal:
        assert (journal.game_id, journal.read_game_column(1, "players")) == (1, [{"name": "Ann", "colour": "green"}])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE entry SET body = 'x' WHERE id = 3")
    with contextlib.closing(Journal(path)) as journal:
        assert "1 of 3 moves are missing" in journal.damage
        assert (journal.game_id, journal.read_game_column(1, "players")) == (1, [{"name": "Ann", "colour": "green"}])
        journal.begin_game(create_plan("swap").journal_json)
        assert journal.game_id == 3
