"""A long game resumes from a checkpoint as fast as a short one, and can be undone to its start."""

import contextlib
from random import Random

import pytest

from companion.common.errors import IllegalMove
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import write_move
from companion.rules.moves import Go, Peg, Undo
from companion.settings import Settings
from companion.table import resume
from companion.table.setup import create_plan
from companion.table.state import apply_move, create_core
from tests.support.move_notation import parse_story as story
from tests.support.whole_games import PLAYED_GAMES, play_whole_games


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_INTERVAL", 7)
    monkeypatch.setattr(resume, "BATCH_ENTRIES", 5)


def entry(move):
    return JournalEntry("move", "phone", write_move(move))


def make_move(core, journal, move):
    """Return the states after a move with and without a journal."""
    after = apply_move(core, move, "phone")
    journal.write((entry(move),))
    return resume.checkpoint_if_due(after, journal)


def visible_state(core):
    return core.past.state, core.past.move, core.past.awards, core.past.parent_or_loader is None, core.pending_cards


@pytest.mark.parametrize("game", PLAYED_GAMES, ids=lambda game: game.key)
def test_a_game_with_undos_stands_as_if_all_had_been_remembered(game, tmp_path):
    chance, whole = Random(3), list(play_whole_games(game))[:120]
    core = plain = create_core(whole[0].plan, Settings())
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(core.plan.journal_json)
        for wanted in whole:
            if wanted.past.parent.state != plain.past.state:
                break  # another game of this kind
            core, plain = make_move(core, journal, wanted.past.move), apply_move(plain, wanted.past.move, "phone")
            if chance.random() < 0.1:
                back = []
                for _ in range(chance.randint(1, 20)):
                    if plain.past.parent is not None:
                        back.append(plain.past.move)
                        core, plain = make_move(core, journal, Undo()), apply_move(plain, Undo(), "phone")
                        assert visible_state(core) == visible_state(plain)
                for move in back[::-1]:
                    core, plain = make_move(core, journal, move), apply_move(plain, move, "phone")
            assert (visible_state(core), core.last_move) == (visible_state(plain), plain.last_move)
            if chance.random() > 0.2:
                continue
            again = resume.resume_game(journal.last_game(), Settings())
            assert (visible_state(again), again.last_move, again.recent_awards) == (
                visible_state(plain),
                plain.last_move,
                plain.recent_awards,
            )
        while plain.past.parent is not None:
            core, plain = make_move(core, journal, Undo()), apply_move(plain, Undo(), "phone")
            assert (visible_state(core), core.last_move) == (visible_state(plain), plain.last_move)
        with pytest.raises(IllegalMove):
            apply_move(core, Undo(), "phone")


@pytest.fixture
def pegged_game(tmp_path):
    """A journal with 100 claims, and the table as it then stands."""
    journal, core = Journal(tmp_path / "j"), create_core(create_plan("pegs-only"), Settings())
    journal.begin_game(core.plan.journal_json)
    for n in range(100):
        core = make_move(core, journal, Peg(n % 2, 1))
    yield journal, core
    journal.close()


def test_a_start_folds_no_more_than_from_a_checkpoint_on(pegged_game, monkeypatch):
    journal, core = pegged_game
    folded = []
    monkeypatch.setattr(
        resume, "apply_entry", lambda *of, fold=resume.apply_entry, **how: folded.append(1) or fold(*of, **how)
    )
    assert visible_state(resume.resume_game(journal.last_game(), Settings())) == visible_state(core)
    assert len(folded) <= 3 * 7


def test_a_checkpoint_of_other_rules_is_no_checkpoint(pegged_game, monkeypatch):
    journal, core = pegged_game
    _, old = journal.load_checkpoint(journal.game_id, 100)
    monkeypatch.setattr(resume, "_compute_rules_digest", lambda: b"other")
    assert visible_state(resume.resume_game(journal.last_game(), Settings())) == visible_state(core)
    _, new = journal.load_checkpoint(journal.game_id, 100)
    assert resume._load_checkpoint(old) is None
    assert resume._load_checkpoint(new) is not None


def test_a_checkpoint_that_the_moves_do_not_lead_to_is_made_anew(pegged_game):
    journal, core = pegged_game
    entry, _ = journal.load_checkpoint(journal.game_id, 100)
    wrong = create_core(create_plan("pegs-only"), Settings())
    journal.save_checkpoint(journal.game_id, entry, resume._dump_checkpoint(apply_move(wrong, Peg(0, 29), "phone")))
    assert visible_state(resume.resume_game(journal.last_game(), Settings())) == visible_state(core)


def test_cards_that_lie_are_kept_at_a_checkpoint_too(tmp_path):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(create_plan("six-card").journal_json)
        journal.write(tuple(map(entry, story("cut JD"))))
        for card in ("2C", "3C", "4C") * 5:
            journal.write((JournalEntry("card", "cards", card), JournalEntry("uncard", "phone", None)))
        journal.write((JournalEntry("card", "cards", "9H"),))
        again = resume.resume_game(journal.last_game(), Settings())
        assert [str(card) for card in again.pending_cards] == ["9H"]


def test_an_adjustment_of_nothing_that_an_earlier_program_took_is_folded_and_undone(tmp_path):
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(create_plan("six-card").journal_json)
        nothing = {"type": "adjust", "seat": 0, "points": 0}
        journal.write((*map(entry, story("cut JD")), JournalEntry("move", "phone", nothing)))
        again = resume.resume_game(journal.last_game(), Settings())
        assert again.past.state.scores == (2, 0)
        assert apply_move(again, Undo(), "phone").past.state.phase == "play"


def test_a_refusal_that_has_named_a_seat_leaves_the_checkpoints_readable(tmp_path):
    core = create_core(create_plan("six-card"), Settings())
    with contextlib.closing(Journal(tmp_path / "j")) as journal:
        journal.begin_game(core.plan.journal_json)
        for move in story("cut KD; 1 5H; 0 TH; 1 3D; 0 2C; 1 6S; 0 4H; 1 AC"):
            core = make_move(core, journal, move)
            with pytest.raises(IllegalMove, match=r"It is (Red|Blue)'s turn"):
                apply_move(core, Go(1 - core.past.state.turn), "phone")
        again = resume.resume_game(journal.last_game(), Settings())
        assert visible_state(again) == visible_state(core)
