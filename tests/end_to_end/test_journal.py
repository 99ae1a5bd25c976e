"""One journal, one program; and what the program says of a journal that is not as it was."""

import os
import re
import shutil
import sqlite3

import pytest
from click.testing import CliRunner

from companion.cli import main


def test_a_damaged_journal_goes_on_and_page_terminal_and_exit_code_say_so(program, tmp_path):
    table = program()
    for card in ("JD", "5H", "TH"):
        table.scan(card)
    table.kill()
    with sqlite3.connect(tmp_path / "home" / "journal.sqlite3") as db:
        db.execute("UPDATE entry SET body = replace(body, '5H', '6H')")
    db.close()
    table = program(ready=False)
    said = (
        r"The journal journal\.sqlite3 was damaged: 2 of 3 moves are missing\. .* kept as journal\.sqlite3\.damaged-\S+"
    )
    assert re.fullmatch(said, table.state["notices"][0]["say"])
    assert re.fullmatch(said, table.get("/api/health")["journal"]["say"])
    assert table.state["scores"] == [2, 0]
    assert table.scan("6H")["moves"] == 2
    assert table.end() == 1
    assert re.fullmatch(rf"(companion: {said}\n){{2}}", table.errors)
    table.errors = ""


def test_without_the_file_moves_are_refused_and_all_phones_see_why(program, tmp_path):
    table = program()
    table.scan("JD")
    journal, away = tmp_path / "home" / "journal.sqlite3", tmp_path / "away"
    journal.rename(away)
    table.until(lambda now: any("was removed or replaced" in notice["say"] for notice in now["notices"]))
    assert "was removed or replaced" in table.move("undo", code=409)["error"]
    assert table.ask("GET", "/api/health")[0] == 503
    shutil.copy(away, journal)
    assert "was removed or replaced" in table.move("undo", code=409)["error"]
    away.replace(journal)
    assert table.move("undo")["moves"] == 2
    table.end()
    assert "was removed or replaced" in table.errors
    table.errors = ""


def test_two_names_of_one_journal_are_one_journal(program, run_in_process, tmp_path):
    table = program()
    (tmp_path / "symbolic").symlink_to(tmp_path / "home" / "journal.sqlite3")
    os.link(tmp_path / "home" / "journal.sqlite3", tmp_path / "hard")
    for name in ("symbolic", "hard"):
        code, told = run_in_process("--journal", str(tmp_path / name))
        assert (code, "Another companion" in told) == (1, True)
    assert table.scan("JD")["scores"] == [2, 0]


@pytest.mark.parametrize("name", ["journal.sqlite3", "journal.sqlite3-wal", "other/../journal.sqlite3", "journal.key"])
def test_a_recording_never_destroys_the_journal(program, run_in_process, tmp_path, name):
    program().end()
    (tmp_path / "home" / "other").mkdir()
    held = (tmp_path / "home" / "journal.sqlite3").read_bytes()
    code, told = run_in_process("--record", str(tmp_path / "home" / name))
    assert (code, "--record" in told) == (2, True)
    assert (tmp_path / "home" / "journal.sqlite3").read_bytes() == held


def test_a_recording_never_destroys_another(run_in_process, tmp_path):
    (tmp_path / "first.jsonl").write_text("what was played\n")
    code, told = run_in_process("--record", str(tmp_path / "first.jsonl"))
    assert (code, told) == (
        2,
        f"companion: The file {tmp_path}/first.jsonl already exists. Pass another with --record.\n",
    )
    assert (tmp_path / "first.jsonl").read_text() == "what was played\n"


def test_a_journal_is_a_file(run_in_process):
    code, told = run_in_process("--journal", ":memory:")
    assert (code, told) == (2, "companion: The journal must be a file. Pass one with --journal.\n")


def test_a_table_goes_on_from_a_backup_that_was_made_while_it_ran(program, tmp_path):
    table = program()
    table.scan("JD")
    words = ["backup", str(tmp_path / "copy"), "--journal", str(tmp_path / "home" / "journal.sqlite3")]
    made = CliRunner().invoke(main, words, env={"XDG_CONFIG_HOME": str(tmp_path)})
    assert (made.exit_code, made.output) == (0, f"{tmp_path}/copy\n")
    table.scan("5H")
    table.end()
    (tmp_path / "other").mkdir()
    (tmp_path / "copy").rename(tmp_path / "other" / "journal.sqlite3")
    again = program(home=tmp_path / "other")
    assert (again.state["moves"], again.state["scores"], again.state["notices"]) == (1, [2, 0], [])
    assert CliRunner().invoke(main, [*words[:3], str(tmp_path / "none")]).exit_code == 1
