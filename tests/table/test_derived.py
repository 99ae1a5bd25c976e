"""What is derived from a state never stops a game: whole random games of every kind, and faults put in on purpose."""

import logging
from contextlib import closing, suppress
from dataclasses import replace
from random import Random

import pytest

from companion.common.errors import CompanionError
from companion.display.lights import paint_frame
from companion.display.panel import choose_sound, write_screen
from companion.history.games import EveningGames
from companion.history.moves import MoveHistory
from companion.i18n.catalog import load_catalog
from companion.journal.journal import Journal
from companion.protocol.json_codec import dump_json, encode_snapshot, read_move, to_json_value
from companion.rules.cards import PACK
from companion.rules.moves import Correct, Misdeal, Starter, Undo
from companion.settings import Settings
from companion.table import inputs, state
from companion.table.courses import race
from companion.table.export import export_csv, export_jsonl
from companion.table.setup import create_plan
from companion.table.state import create_core, create_snapshot
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.table_driver import Hands

PROBABILITY_OF_DISTURBANCE = 0.04
GAMES_QUICK, GAMES_LONG = 60, 2000
SLICES = 20
"""The long games are tested in this many parts."""


class DerivingTable:
    """A table without sensors at which everything that can be derived is derived after each move, in two languages."""

    def __init__(self, key, setup, reads_pegs):
        settings = Settings() if reads_pegs else Settings(sensors="none:")
        self.core = create_core(create_plan(key, setup.seats, setup.dealer, dict(setup.options)), settings)
        self.german, self.entries, self.snapshot, self.ms = load_catalog("de"), [], None, 0

    def make_move(self, move):
        """Make the move; the rules may refuse it with a CompanionError."""
        self.ms += 5000
        done = inputs.on_move(self.core, move, "phone", self.ms)
        self.core, before = done.core, self.snapshot
        self.entries += done.entries
        self.snapshot = create_snapshot(self.core, number=self.ms, run="test", moves=len(self.entries))
        for translate in (lambda value: value, self.german.translate_value):
            dump_json(to_json_value(translate(encode_snapshot(self.snapshot))))
            write_screen(self.snapshot, 0, translate=translate)
        paint_frame(self.core.plan.board, self.snapshot, self.ms)
        choose_sound(before, self.snapshot)

    def disturb(self, chance):
        """Undo and repeat a move, correct a card that was played, or void the deal and undo that."""
        if not self.entries:
            return
        cards = [card for row in self.core.plan.game.view(self.core.past.state).get("played", ()) for card in row]
        again = self.core.past.move
        wrong = Correct(chance.choice(cards), chance.choice(PACK)) if cards else Misdeal()
        with suppress(CompanionError):
            self.make_move(chance.choice((Misdeal(), wrong)))
            self.make_move(Undo())
        self.make_move(Undo())
        self.make_move(again)

    def read_back(self, path):
        """Derive what is made of a journal: the history in both languages, exports, the evening with its statistics."""
        with closing(Journal(path)) as journal:
            journal.begin_game(self.core.plan.journal_json)
            journal.write(tuple(self.entries))
            for language in (None, self.german):
                MoveHistory(journal).read_page(journal.game_id, 0, language)
            assert list(export_jsonl(journal, journal.game_id))
            assert list(export_csv(journal, journal.game_id))
            assert EveningGames(journal).list_games()


def play_and_derive(path, seed):
    kind = list(KINDS.values())[seed % len(KINDS)]
    setup, moves, _ = play_game(kind, seed // len(KINDS))
    chance = Random(seed)
    table = DerivingTable(kind.key, setup, reads_pegs=seed % 2 == 0)
    for move in moves:
        table.make_move(read_move(move))
        if chance.random() < PROBABILITY_OF_DISTURBANCE:
            table.disturb(chance)
    if moves:
        table.read_back(path / f"{seed}.sqlite3")


@pytest.mark.parametrize("seed", range(GAMES_QUICK))
def test_everything_is_derived_in_random_games(tmp_path, caplog, seed):
    """No sentence, light, sound, text, history, statistics or export fails in a whole game."""
    with caplog.at_level(logging.ERROR):
        play_and_derive(tmp_path, seed)
    assert caplog.records == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(SLICES))
def test_everything_is_derived_in_many_games(tmp_path, caplog, part):
    """The same in 2,000 games."""
    with caplog.at_level(logging.ERROR):
        for seed in range(part, GAMES_LONG, SLICES):
            play_and_derive(tmp_path, seed)
    assert caplog.records == []


def fail(*_, **__):
    raise StopIteration


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (state, "describe_last_move"),
        (state, "dice_after_move"),
        (race.RaceCourse, "light_runs"),
        (race.RaceCourse, "advice"),
        (race.RaceCourse, "describe_pegs"),
        (race.RaceCourse, "expect_state"),
        (state.players, "personalize_snapshot"),
        (state, "describe_ruling"),
        (state, "_effects_after_move"),
    ],
)
def test_a_derived_fault_refuses_no_move(monkeypatch, caplog, place, name):
    """The move counts, the snapshot is complete, and the log names what failed and after which move."""
    hands = Hands("six-card")
    monkeypatch.setattr(place, name, fail)
    hands.move(Starter(PACK[0]))
    assert hands.core.past.state.phase == "play"
    assert hands.snapshot.last["said"]
    assert encode_snapshot(hands.snapshot)["phase"] == "play"
    if name == "describe_last_move":
        assert hands.snapshot.last["said"] == ["The move was made."]
        assert str(PACK[0]) in caplog.text


def test_a_faulty_view_leaves_phase_and_scores():
    """If a game's own view fails, a snapshot still has what every game has."""
    hands = Hands("six-card")
    hands.move(Starter(PACK[0]))
    plan = replace(hands.core.plan, game=replace(hands.core.plan.game, view=fail))
    assert state.build_view(replace(hands.core, plan=plan)) == {
        "phase": "play", "scores": [0, 0], "winner": None, "ruling": None
    }  # fmt: skip
