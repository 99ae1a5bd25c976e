"""Drawings are written completely, only into the given folder; missing libraries are named."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.plugins.drawing import boards_commands

COMMANDS = [
    ("boards", "template", "loop-60"),
    ("boards", "parts", "loop-60"),
    ("boards", "wiring", "loop-60"),
    ("deck", "labels"),
]


def run(*args):
    return CliRunner().invoke(main, list(map(str, args)))


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_a_folder_that_is_a_file_is_one_sentence(command, tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("mine")
    for out in (blocked, blocked / "below"):
        done = run(*command, "--out", out)
        assert done.exit_code == 1
        assert done.output == f"companion: {out} cannot be written: it is a file, not a folder.\n"
    assert blocked.read_text() == "mine"


def test_a_folder_on_a_system_that_takes_no_files_is_one_sentence():
    done = run("boards", "parts", "loop-60", "--out", "/proc/drawings")
    assert done.exit_code == 1
    assert done.output.startswith("companion: /proc/drawings cannot be written: ")


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_nothing_is_written_outside_the_folder(command, tmp_path):
    out = tmp_path / "new" / "folder"
    first = run(*command, "--out", out)
    assert first.exit_code == 0
    written = [line for line in first.output.splitlines() if line]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("not ours")
    for path in written:
        Path(path).unlink()
        Path(path).symlink_to(elsewhere)
    assert run(*command, "--out", out).exit_code == 0
    assert elsewhere.read_text() == "not ours"  # a link is replaced, not followed
    assert sorted(str(path) for path in out.iterdir()) == sorted(written)
    assert {path.name for path in tmp_path.iterdir()} == {"new", "elsewhere"}


def test_a_folder_must_be_named_and_a_board_must_exist(tmp_path):
    assert run("boards", "parts", "loop-60").exit_code == 2
    done = run("boards", "template", "lop-60", "--out", tmp_path / "none")
    assert done.exit_code == 2
    assert "the nearest is loop-60" in done.output
    assert not (tmp_path / "none").exists()


def test_a_missing_library_is_named_with_the_line_to_type(tmp_path, monkeypatch):
    monkeypatch.setattr(boards_commands, "find_spec", lambda module: None if module == "ezdxf" else object())
    done = run("boards", "template", "loop-60", "--out", tmp_path / "none")
    assert done.exit_code == 1
    assert done.output == f"companion: A library is missing. Install it first: {sys.executable} -m pip install ezdxf\n"
    assert not (tmp_path / "none").exists()


def test_a_library_of_a_family_that_is_not_there_at_all_is_missing(monkeypatch):
    monkeypatch.setitem(boards_commands.MODULES_BY_PACKAGE, "ppf-datamatrix", "no_such_family.datamatrix")
    with pytest.raises(boards_commands.DrawingError, match="ppf-datamatrix"):
        boards_commands.require_libraries("ppf-datamatrix")
