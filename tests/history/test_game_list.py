"""The list of games, and pages of a long move history without replaying the whole game."""

import json
from contextlib import closing

import pytest

from companion.history import moves
from companion.history.games import GameList
from companion.history.moves import MoveHistory
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import write_move
from companion.settings import Settings
from companion.table import resume
from companion.table.players import PlayerProfile, dump_players
from companion.table.setup import create_plan
from companion.table.state import create_core
from tests.support.move_notation import parse_story as story


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def write(journal, text):
    journal.write(tuple(JournalEntry("move", "cards", write_move(move)) for move in story(text)))


def list_games(journal, before=1000):
    return GameList(journal).list_games(create_core(create_plan("six-card"), Settings()), before)


def test_each_game_is_listed_with_its_state_the_newest_first(journal):
    journal.begin_game(
        create_plan("pegs-only", options={"target": "61"}).journal_json, dump_players((PlayerProfile("Ann"),))
    )
    journal.write(tuple(JournalEntry("move", "board", {"type": "peg", "seat": 1, "points": 29}) for _ in range(3)))
    journal.begin_game(create_plan("six-card").journal_json)
    journal.begin_game(create_plan("six-card").journal_json)
    present, laid_aside, over = list_games(journal)
    assert (present["id"], laid_aside["id"], over["id"]) == (3, 2, 1)
    assert over | {"began": "", "ended": ""} == {
        "id": 1, "game": create_plan("pegs-only", options={"target": "61"}).snapshot_fields["game"],
        "names": ["Ann", "Blue"], "colours": ["red", "blue"],
        "began": "", "ended": "", "scores": [0, 61], "winner": 1, "moves": 3,
    }  # fmt: skip
    assert over["began"] <= over["ended"]
    assert over["ended"].endswith("Z")
    assert (laid_aside["ended"], laid_aside["scores"], laid_aside["winner"]) == (None, [0, 0], None)
    assert [each["id"] for each in list_games(journal, before=3)] == [2, 1]


def test_new_moves_are_listed_and_unchanged_games_are_not_computed_again(journal, monkeypatch):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H")
    journal.begin_game(create_plan("six-card").journal_json)
    shelf, present = GameList(journal), create_core(create_plan("six-card"), Settings())
    assert shelf.list_games(present, 1000)[1]["moves"] == 2
    monkeypatch.setattr(resume, "apply_entry", lambda *_: 1 / 0)
    assert [each["scores"] for each in shelf.list_games(present, 1000)] == [[0, 0], [2, 0]]
    monkeypatch.undo()
    journal.switch_game(1)
    write(journal, "0 TH")
    journal.switch_game(2)
    assert [(each["scores"], each["moves"]) for each in shelf.list_games(present, 1000)] == [([0, 0], 0), ([4, 0], 3)]


def test_a_game_that_these_rules_do_not_know_is_listed_all_the_same(journal):
    journal.begin_game({"game": "whist"})
    write(journal, "cut JD")
    journal.begin_game(create_plan("six-card").journal_json)
    assert (
        list_games(journal)[1]["game"]["key"],
        list_games(journal)[1]["moves"],
        list_games(journal)[1]["scores"],
    ) == ("whist", 1, [])


def test_the_newest_moves_of_a_long_game_are_listed_from_a_checkpoint(journal, monkeypatch):
    """The same moves as from the whole game, also after undos, without reading the earlier entries."""
    monkeypatch.setattr(moves, "MAX_MOVES_PER_PAGE", 6)
    monkeypatch.setattr(resume, "BATCH_ENTRIES", 4)
    core = create_core(create_plan("pegs-only"), Settings())
    journal.begin_game(core.plan.journal_json)
    said = [JournalEntry("move", "board", {"type": "peg", "seat": n % 2, "points": 1 + n % 3}) for n in range(40)]
    said[20:20] = [JournalEntry("move", "phone", {"type": "undo"})] * 3
    for n, entry in enumerate(said):
        journal.write((entry,))
        core = resume.apply_entry(core, entry, resume.read_move(entry.body))
        if n % 5 == 4:
            journal.save_checkpoint(1, n + 1, resume._dump_checkpoint(core))
    whole = MoveHistory(journal)
    monkeypatch.setattr(moves, "MAX_MOVES_PER_PAGE", 10_000)
    every = whole.read_page(1, 0).moves
    monkeypatch.setattr(moves, "MAX_MOVES_PER_PAGE", 6)
    for number in (0, 10, 19, 22, 25, 37, 43):
        told = MoveHistory(journal).read_page(1, number)
        start = max(number, 43 - 6)
        assert (told.moves, told.is_cut) == ([e for e in every if json.loads(e)["n"] > start], start > number)
    read, asked = journal.read_entries, []
    monkeypatch.setattr(journal, "read_entries", lambda *of: asked.append(of[1]) or read(*of))
    MoveHistory(journal).read_page(1, 0)
    assert min(asked) >= 30
    write(journal, "undo; undo; undo; undo; undo; undo; undo; undo; undo; undo")
    after = MoveHistory(journal)
    assert after.read_page(1, 0).moves == []
    monkeypatch.setattr(moves, "MAX_MOVES_PER_PAGE", 100)
    assert after.read_page(1, 0).moves == [e for e in every if json.loads(e)["n"] <= 33]


def test_the_lines_of_a_game_call_people_by_their_names(journal):
    journal.begin_game(create_plan("six-card").journal_json, dump_players((PlayerProfile('Zoë "Z"'),)))
    write(journal, "cut JD; 1 5H; 0 TH")
    (_, blue, zoe) = (json.loads(text)["say"] for text in MoveHistory(journal).read_page(1, 0).moves)
    assert blue == ["Blue played the 5 of hearts."]
    assert zoe == ['Zoë "Z" played the 10 of hearts.', 'Zoë "Z": fifteen two.']
