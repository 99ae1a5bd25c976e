"""Exports replay to the same entries, and an invalid line is named."""

import csv
import io
import json
from contextlib import closing

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import write_move
from companion.table.export import export_csv, export_jsonl, replay_export
from companion.table.players import PlayerProfile, dump_players
from companion.table.setup import create_plan
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.move_notation import parse_story as story
from tests.support.whole_games import PLAYED_GAMES

UNDO = {"type": "undo"}


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def run(*args, text=None):
    return CliRunner().invoke(main, [str(arg) for arg in args], input=text)


@pytest.mark.parametrize("game", PLAYED_GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_played_replays_to_the_same_entries(game, seed, journal, tmp_path):
    setup, moves, _ = play_game(KINDS[game.key], seed)
    options = {name: str(value) for name, value in setup.options.items()}
    journal.begin_game(
        create_plan(game.key, setup.seats, setup.dealer, options).journal_json,
        dump_players((PlayerProfile("Ann", "green"),)),
    )
    for n, move in enumerate(moves):
        again = (
            [JournalEntry("move", "phone", UNDO), JournalEntry("move", "cards", move)] if n % 5 == 2 and n % 2 else []
        )
        journal.write((JournalEntry("move", "board", move), *again))
    text = "".join(export_jsonl(journal, 1))
    said = []
    _, entries = replay_export(text.encode().splitlines(), said.append)
    assert entries == [written.entry for written in journal.read_entries(1)]
    for line, again in zip(text.splitlines()[1:], said, strict=True):
        exported = json.loads(line)
        assert exported.pop("ms") > 0
        assert json.loads(again) == exported
    (tmp_path / "t.jsonl").write_text(text)
    done = run("replay", tmp_path / "t.jsonl", "--journal", tmp_path / "again.sqlite3")
    assert (done.exit_code, done.stdout.splitlines()) == (0, said)
    with closing(Journal(tmp_path / "again.sqlite3")) as other:
        assert "".join(export_jsonl(other, 1)).splitlines()[0] == text.splitlines()[0]
        assert [each.entry for each in other.read_entries(1)] == entries


def test_cards_that_lay_are_exported_and_replayed(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    entries = [
        JournalEntry("move", "cards", write_move(move))
        for move in story("cut JD; 1 5H; 0 5S; 1 KH; 0 TS; 1 AH; 0 KS; 1 2H; 0 2S")
    ]
    entries += [
        JournalEntry("card", "cards", "4H"),
        JournalEntry("card", "cards", "4S"),
        JournalEntry("uncard", "phone", None),
    ]
    journal.write(tuple(entries))
    assert replay_export("".join(export_jsonl(journal, 1)).encode().splitlines(), len)[1] == entries


WRONG = [
    (1, "", "The line is empty."),
    (1, "[]", "JSON object"),
    (1, '{"n":1}', 'its "table"'),
    (1, '{"table":{"game":"whist"}}', "Unknown game"),
    (1, '{"table":{"game":5}}', "texts for game"),
    (3, "{", "not JSON"),
    (3, '{"kind":"x","by":"phone"}', "An entry has a kind"),
    (3, '{"kind":"move","by":"me","body":{}}', "by one of"),
    (3, '{"kind":"move","by":"phone","body":5}', "JSON object with a type"),
    (3, '{"kind":"move","by":"phone","body":{"type":"play","seat":0,"card":"5H"}}', "turn"),
    (3, '{"kind":"card","by":"phone","body":"XX"}', "XX"),
    (3, '{"kind":"uncard","by":"phone","body":null}', "no pending card"),
]


@pytest.mark.parametrize(("at", "line", "why"), WRONG)
def test_a_line_that_cannot_be_is_named_and_ends_it(at, line, why, journal, tmp_path):
    journal.begin_game(create_plan("six-card").journal_json)
    journal.write((JournalEntry("move", "cards", {"type": "starter", "card": "JD"}),))
    lines = "".join(export_jsonl(journal, 1)).splitlines()
    lines[at - 1 : at] = [line]
    done = run("replay", "-", "--journal", tmp_path / "no", text="\n".join(lines))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"companion: Line {at}: ")
    assert why in done.stderr
    assert len(done.stdout.splitlines()) == max(0, at - 2)
    assert not (tmp_path / "no").exists()


def test_a_spreadsheet_reads_what_was_said_and_takes_no_name_for_a_formula(journal):
    journal.begin_game(create_plan("six-card").journal_json, dump_players((PlayerProfile("=1+1"),)))
    journal.write(tuple(JournalEntry("move", "cards", write_move(move)) for move in story("cut JD; 1 5H; 0 TH; undo")))
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(journal, 1)))))
    assert [(row["n"], row["type"], row["seat"], row["cards"], row["scores"]) for row in rows] == [
        ("1", "starter", "", "JD", "2 0"), ("2", "play", "1", "5H", "2 0"), ("3", "play", "0", "TH", "4 0"),
        ("4", "undo", "", "", "2 0"),
    ]  # fmt: skip
    assert rows[2]["said"] == "'=1+1 played the 10 of hearts. =1+1: fifteen two."
    assert all(row["time"].endswith("Z") for row in rows)


def test_the_table_that_is_on_is_exported_while_it_is_played_at(journal, tmp_path):
    path = tmp_path / "journal.sqlite3"
    journal.begin_game(create_plan("pegs-only").journal_json)
    journal.write((JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": 6}),))
    journal.begin_game(create_plan("swap").journal_json)
    assert json.loads(run("export", "--journal", path).stdout)["table"]["game"] == "swap"
    assert len(run("export", "--journal", path, "--table", 1, "--format", "csv").stdout.splitlines()) == 2
    gone = run("export", "--journal", path, "--table", 3)
    assert (gone.exit_code, gone.stderr) == (1, "companion: This journal has no table 3.\n")
    assert run("export", "--journal", tmp_path / "none").exit_code == 1
