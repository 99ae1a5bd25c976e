"""The move history: the moves that were not undone, with their results, also after a restart."""

import contextlib
import json
import sqlite3
import time

import pytest

from companion.common.errors import JournalError
from companion.history import moves
from companion.history.moves import MoveHistory
from companion.i18n.catalog import load_catalog
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import write_move
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import apply_move, create_core
from tests.support.move_notation import parse_story as story
from tests.support.whole_games import PLAYED_GAMES, play_whole_games


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path / "journal.sqlite3")
    yield opened
    opened.close()


def write(journal, text, by="cards"):
    journal.write(tuple(JournalEntry("move", by, write_move(move)) for move in story(text)))


def read_moves(journal, game=None, after=0):
    return [json.loads(text) for text in MoveHistory(journal).read_page(game or journal.game_id, after).moves]


def test_the_current_moves_are_listed_with_their_results(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    before = time.time() * 1000
    write(journal, "cut JD; 1 5H; 0 TH")
    cut, _, ten = read_moves(journal)
    assert ten | {"ms": 0} == {
        "n": 3, "ms": 0, "by": "cards", "move": {"type": "play", "seat": 0, "card": "TH"},
        "awards": [{"seat": 0, "points": 2, "reason": "fifteen", "cards": ["5H", "TH"]}], "scores": [4, 0],
        "say": ["Red played the 10 of hearts.", "Red: fifteen two."],
    }  # fmt: skip
    assert cut["scores"] == [2, 0]
    assert before - 1 <= cut["ms"] <= ten["ms"] <= time.time() * 1000 + 1


def test_moves_are_described_in_another_language(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H; 0 TH")
    told = MoveHistory(journal).read_page(journal.game_id, 2, load_catalog("de"))
    assert json.loads(told.moves[0])["say"] == ["Rot spielt Herz 10.", "Rot: fünfzehn zwei."]


def test_undone_moves_are_not_listed_and_no_number_is_used_twice(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H; undo; 1 6H")
    assert [(made["n"], made["move"].get("card")) for made in read_moves(journal)] == [(1, "JD"), (4, "6H")]
    assert [made["n"] for made in read_moves(journal, after=1)] == [4]
    write(journal, "undo; undo")
    assert read_moves(journal) == []


def test_cards_that_make_no_move_are_no_part_of_it(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD")
    journal.write(
        (
            JournalEntry("card", "cards", "5H"),
            JournalEntry("uncard", "phone", None),
            JournalEntry("card", "cards", "6H"),
        )
    )
    write(journal, "1 7H")
    assert [made["move"]["card"] for made in read_moves(journal)] == ["JD", "7H"]


def test_it_goes_on_where_it_was_and_each_entry_is_read_once(journal, monkeypatch):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H")
    chronicles, asked = MoveHistory(journal), []
    read = journal.read_entries
    monkeypatch.setattr(journal, "read_entries", lambda *of: asked.append(read(*of)) or asked[-1])
    assert len(chronicles.read_page(journal.game_id, 0).moves) == 2
    write(journal, "0 TH; undo; 0 4H")
    assert [json.loads(text)["move"]["card"] for text in chronicles.read_page(journal.game_id, 0).moves] == [
        "JD",
        "5H",
        "4H",
    ]
    assert len(chronicles.read_page(journal.game_id, 0).moves) == 3
    assert [len(entries) for entries in asked] == [2, 0, 3, 0, 0]


@pytest.mark.parametrize("game", PLAYED_GAMES, ids=lambda game: game.key)
def test_whole_games_are_listed_as_the_table_played_them(game, tmp_path):
    """With an undo now and then: what stands in the end is what the rules have come to."""
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        core, expected, begun = None, [], 0
        for after in play_whole_games(game):
            if core is None or after.past.parent is not core.past:
                begun += 1
                core, expected, n = create_core(after.plan, Settings()), [], 0
                journal.begin_game(after.plan.journal_json)
            n += 1
            if n % 7 == 0:
                journal.write(
                    (
                        JournalEntry("move", "board", after.last_move["move"]),
                        JournalEntry("move", "phone", {"type": "undo"}),
                    )
                )
                assert apply_move(after, Undo(), "phone").past is core.past
                n += 2
            journal.write((JournalEntry("move", "phone", after.last_move["move"]),))
            last = after.last_move
            expected.append((n, last["move"], last["awards"], list(after.past.state.scores), last["said"]))
            core = after
        found = read_moves(journal)
    assert begun >= 1
    assert [(m["n"], m["move"], m["awards"], m["scores"], m["say"]) for m in found] == expected


def test_a_long_game_is_listed_without_keeping_its_past_in_memory(journal, monkeypatch):
    monkeypatch.setattr(moves, "CHECKPOINT_INTERVAL", 3)
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H; 0 TH; 1 6H; 0 4S; undo; undo; undo; undo; 1 7H")
    chronicles = moves.MoveHistory(journal)
    assert [json.loads(text)["move"]["card"] for text in chronicles.read_page(journal.game_id, 0).moves] == ["JD", "7H"]
    write(journal, "undo; undo; cut 5D")
    assert [json.loads(text)["n"] for text in chronicles.read_page(journal.game_id, 0).moves] == [13]
    write(journal, "1 KH; 0 KD; 1 2S")
    chronicles.read_page(journal.game_id, 0)
    assert callable(chronicles._games[journal.game_id]._core.past.parent_or_loader)


def test_every_game_of_a_journal_has_its_own(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    write(journal, "cut JD; 1 5H")
    journal.begin_game(create_plan("pegs-only").journal_json)
    journal.write((JournalEntry("move", "board", {"type": "peg", "seat": 0, "points": 6}),))
    assert [made["by"] for made in read_moves(journal)] == ["board"]
    assert len(read_moves(journal, game=1)) == 2
    assert MoveHistory(journal).read_page(3, 0) is None


def test_a_journal_of_an_earlier_version_is_listed_to_the_second(tmp_path):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(create_plan("six-card").journal_json)
        write(journal, "cut JD")
        with contextlib.closing(sqlite3.connect(tmp_path / "j", isolation_level=None)) as other:
            other.execute("UPDATE entry SET at = '2026-01-02 03:04:05'")
        assert read_moves(journal)[0]["ms"] == 1767323045000


def test_a_game_that_these_rules_cannot_play_is_refused_in_words(journal):
    journal.begin_game(create_plan("six-card").journal_json | {"game": "whist"})
    with pytest.raises(JournalError, match="The moves of game 1 cannot be read: Unknown game"):
        MoveHistory(journal).read_page(1, 0)
    journal.begin_game({})
    with pytest.raises(JournalError, match="game 2 cannot be read"):
        MoveHistory(journal).read_page(2, 0)
