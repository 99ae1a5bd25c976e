"""What the program wrote before its modules were renamed is still read, and means the same."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

PREVIOUS = Path(__file__).parents[1] / "data" / "previous"


def run(*words):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


def copy_journal(folder):
    """The journal and its seal, under the names that the program gives them."""
    for end in ("", "-seal"):
        shutil.copy(PREVIOUS / f"journal.db{end}", folder / f"journal.sqlite3{end}")
    return folder / "journal.sqlite3"


@pytest.fixture
def journal(tmp_path):
    return copy_journal(tmp_path)


def test_a_journal_is_exported_as_it_was(journal):
    assert run("export", "--journal", journal) == (PREVIOUS / "export.jsonl").read_text("utf-8")


def test_an_export_is_replayed():
    entries = run("replay", PREVIOUS / "export.jsonl").splitlines()
    exported = [json.loads(line) for line in (PREVIOUS / "export.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(line)["n"] for line in entries] == [each["n"] for each in exported if "n" in each]


def test_a_recording_gives_the_same_verdicts():
    assert run("trace", PREVIOUS / "recording.jsonl") == (PREVIOUS / "verdicts.jsonl").read_text("utf-8")


def test_a_board_file_gives_the_same_holes_and_routes(tmp_path):
    own = shutil.copy(PREVIOUS / "board.toml", tmp_path / "loop-60.toml")
    assert json.loads(run("boards", "show", own, "--json")) == json.loads((PREVIOUS / "board.json").read_text("utf-8"))


def test_the_last_game_of_a_journal_goes_on(tmp_path, program):
    home = tmp_path / "table"
    home.mkdir()
    copy_journal(home)
    state = program(home=home).state
    exported = [json.loads(line) for line in (PREVIOUS / "export.jsonl").read_text("utf-8").splitlines()]
    assert state["moves"] == sum(each.get("kind") == "move" for each in exported)
    assert state["notices"] == []
