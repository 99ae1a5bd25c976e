"""The games of a journal, a line each, and the newest moves of a long one without the whole being folded."""

import json
from contextlib import closing

import pytest
from stories import told as story

from companion.history import moves
from companion.history.game_list import Shelf
from companion.history.moves import Chronicles
from companion.journal.journal import Entry, Journal
from companion.protocol.json_codec import write_move
from companion.settings import Settings
from companion.table import resume
from companion.table.players import Person, dump
from companion.table.setup import plan
from companion.table.state import begin


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def write(journal, text):
    journal.write(tuple(Entry("move", "cards", write_move(move)) for move in story(text)))


def listed(journal, before=1000):
    return Shelf(journal).listed(begin(plan("six-card"), Settings()), before)


def test_each_game_is_told_as_it_stands_the_newest_first(journal):
    journal.begin(plan("pegs-only", options={"target": "61"}).given, dump((Person("Ann"),)))
    journal.write(tuple(Entry("move", "board", {"type": "peg", "seat": 1, "points": 29}) for _ in range(3)))
    journal.begin(plan("six-card").given)
    journal.begin(plan("six-card").given)
    present, laid_aside, over = listed(journal)
    assert (present["id"], laid_aside["id"], over["id"]) == (3, 2, 1)
    assert over | {"began": "", "ended": ""} == {
        "id": 1, "game": plan("pegs-only", options={"target": "61"}).told["game"], "names": ["Ann", "Blue"],
        "colours": ["red", "blue"], "began": "", "ended": "", "scores": [0, 61], "winner": 1, "moves": 3,
    }  # fmt: skip
    assert over["began"] <= over["ended"]
    assert over["ended"].endswith("Z")
    assert (laid_aside["ended"], laid_aside["scores"], laid_aside["winner"]) == (None, [0, 0], None)
    assert [each["id"] for each in listed(journal, before=3)] == [2, 1]


def test_what_is_played_since_is_told_and_what_was_not_played_is_not_folded_again(journal, monkeypatch):
    journal.begin(plan("six-card").given)
    write(journal, "cut JD; 1 5H")
    journal.begin(plan("six-card").given)
    shelf, present = Shelf(journal), begin(plan("six-card"), Settings())
    assert shelf.listed(present, 1000)[1]["moves"] == 2
    monkeypatch.setattr(resume, "fold", lambda *_: 1 / 0)
    assert [each["scores"] for each in shelf.listed(present, 1000)] == [[0, 0], [2, 0]]
    monkeypatch.undo()
    journal.turn_to(1)
    write(journal, "0 TH")
    journal.turn_to(2)
    assert [(each["scores"], each["moves"]) for each in shelf.listed(present, 1000)] == [([0, 0], 0), ([4, 0], 3)]


def test_a_game_that_these_rules_do_not_know_is_listed_all_the_same(journal):
    journal.begin({"game": "whist"})
    write(journal, "cut JD")
    journal.begin(plan("six-card").given)
    assert (listed(journal)[1]["game"]["key"], listed(journal)[1]["moves"], listed(journal)[1]["scores"]) == (
        "whist",
        1,
        [],
    )


def test_the_newest_moves_of_a_long_game_are_told_from_a_checkpoint(journal, monkeypatch):
    """As the whole game tells them, whatever is undone, and each entry before it is left unread."""
    monkeypatch.setattr(moves, "MOST", 6)
    monkeypatch.setattr(resume, "BATCH", 4)
    core = begin(plan("pegs-only"), Settings())
    journal.begin(core.plan.given)
    said = [Entry("move", "board", {"type": "peg", "seat": n % 2, "points": 1 + n % 3}) for n in range(40)]
    said[20:20] = [Entry("move", "phone", {"type": "undo"})] * 3
    for n, entry in enumerate(said):
        journal.write((entry,))
        core = resume.fold(core, entry, resume.read_move(entry.body))
        if n % 5 == 4:
            journal.keep(1, n + 1, resume._dump(core))
    whole = Chronicles(journal)
    monkeypatch.setattr(moves, "MOST", 10_000)
    every = whole.after(1, 0)
    monkeypatch.setattr(moves, "MOST", 6)
    for number in (0, 10, 19, 22, 25, 37, 43):
        told = Chronicles(journal).told(1, number)
        start = max(number, 43 - 6)
        assert (told.moves, told.is_cut) == ([e for e in every if json.loads(e)["n"] > start], start > number)
    read, asked = journal.written, []
    monkeypatch.setattr(journal, "written", lambda *of: asked.append(of[1]) or read(*of))
    Chronicles(journal).told(1, 0)
    assert min(asked) >= 30
    write(journal, "undo; undo; undo; undo; undo; undo; undo; undo; undo; undo")
    after = Chronicles(journal)
    assert after.told(1, 0).moves == []
    monkeypatch.setattr(moves, "MOST", 100)
    assert after.told(1, 0).moves == [e for e in every if json.loads(e)["n"] <= 33]


def test_the_lines_of_a_game_call_people_by_their_names(journal):
    journal.begin(plan("six-card").given, dump((Person('Zoë "Z"'),)))
    write(journal, "cut JD; 1 5H; 0 TH")
    (_, blue, zoe) = (json.loads(text)["say"] for text in Chronicles(journal).after(1, 0))
    assert blue == ["Blue played the 5 of hearts."]
    assert zoe == ['Zoë "Z" played the 10 of hearts.', 'Zoë "Z": fifteen two.']
