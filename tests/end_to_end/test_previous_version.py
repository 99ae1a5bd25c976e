"""What earlier versions of the program wrote is still read, and means the same (tests/data/previous)."""

import json
import lzma
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

PREVIOUS = Path(__file__).parents[1] / "data" / "previous"
EVENINGS = sorted(path.parent.relative_to(PREVIOUS) for path in PREVIOUS.rglob("journal.xz"))


def run(*words):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(params=EVENINGS, ids=str)
def evening(request, tmp_path):
    """A folder with the files of an evening, under the names that the program gives them."""
    for packed in (PREVIOUS / request.param).glob("*.xz"):
        name = packed.stem.replace("journal", "journal.sqlite3")
        (tmp_path / name).write_bytes(lzma.decompress(packed.read_bytes()))
    return tmp_path


def test_a_journal_is_exported_as_it_was(evening):
    assert run("export", "--journal", evening / "journal.sqlite3") == (evening / "export.jsonl").read_text("utf-8")


def test_an_export_is_replayed(evening):
    entries = run("replay", evening / "export.jsonl").splitlines()
    exported = [json.loads(line) for line in (evening / "export.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(line)["n"] for line in entries] == [entry["n"] for entry in exported if "n" in entry]


def test_a_recording_gives_the_same_verdicts(evening):
    assert run("trace", evening / "recording.jsonl") == (evening / "verdicts.jsonl").read_text("utf-8")


def test_a_board_file_gives_the_same_holes_and_routes(tmp_path):
    own = shutil.copy(PREVIOUS / "board.toml", tmp_path / "loop-60.toml")
    assert json.loads(run("boards", "show", own, "--json")) == json.loads((PREVIOUS / "board.json").read_text("utf-8"))


def test_the_last_game_of_a_journal_goes_on(evening, program):
    state = program(home=evening).state
    exported = [json.loads(line) for line in (evening / "export.jsonl").read_text("utf-8").splitlines()]
    assert state["moves"] == sum(entry.get("kind") == "move" for entry in exported)
    assert state["notices"] == []
