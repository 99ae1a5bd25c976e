"""Switching between games: each game stays what its own moves say."""

import json
import threading
from contextlib import closing
from random import Random

import pytest

from companion import rules
from companion.app.launch import LaunchOptions, resume_game
from companion.common.errors import BoardError, CompanionError, IllegalMove, JournalError
from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move
from companion.rules.cards import parse_card
from companion.rules.moves import Starter
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS

STEPS = 60


class Evening:
    """People at a table, and a list of what each of its games has seen: the rules alone must come to the same."""

    def __init__(self, path, seed):
        self.path, self.chance = path, Random(seed)
        self.games, self.moves, self.on = {}, 0, 0
        self.number = self.run = 0
        self.open(NewGameRequest(game="pegs-only"))

    def open(self, asked=None):
        """The program starts: with a new game, or with the one that was on."""
        self.run += 1
        self.number = 0
        journal = Journal(self.path)
        if asked:
            made = create_plan(asked.game)
            journal.begin_game(made.journal_json)
            self.table = Table(create_core(made, Settings()), journal, lambda: 1000, run=str(self.run))
            self.remember_game(made.setup, asked.game, [])
        else:
            core = resume_game(journal.last_game(), LaunchOptions(journal=self.path))
            self.table = Table(core, journal, lambda: 1000, run=str(self.run))
        self.tables = GameSwitcher(self.table)

    def remember_game(self, setup, key, ahead):
        self.on = len(self.games) + 1
        game = rules.find_game(key)
        self.games[self.on] = [key, rules.begin_game(game, setup), list(ahead)]

    def begin(self):
        key = self.chance.choice(sorted(KINDS))
        setup, moves, _ = play_game(KINDS[key], self.chance.randrange(8))
        options = {name: str(value) for name, value in setup.options.items()}
        self.tables.begin_game(NewGameRequest(game=key, seats=setup.seats, dealer=setup.dealer, options=options))
        self.remember_game(setup, key, moves)

    def play(self):
        key, past, ahead = self.games[self.on]
        for _ in range(self.chance.randrange(1, 8)):
            undoes = self.chance.random() < 0.25
            move = {"type": "undo"} if undoes or not ahead else ahead[0]
            try:
                self.table.submit(read_move(move))
            except IllegalMove:
                assert undoes or not ahead or self.table.core.past.state == past.state
                return
            past, _ = rules.advance(rules.find_game(key), past, read_move(move))
            self.moves += 1
            if not undoes and ahead:
                del ahead[0]
            elif ahead is not None:
                ahead.clear()  # what was to come no longer follows
            self.games[self.on][1] = past

    def resume(self):
        self.on = self.chance.choice(sorted(self.games))
        assert self.tables.resume_game(self.on) is not None

    def restart(self):
        self.table.close()
        self.open()

    def try_impossible_games(self):
        before, rows = self.table.snapshot, self.table.journal.query("SELECT count(*) FROM game")
        wrong = self.chance.choice(
            [{"game": "whist"}, {"game": "swap", "seats": 3}, {"game": "bases", "board": "loop-60"}]
        )
        with pytest.raises(CompanionError):
            self.tables.begin_game(NewGameRequest(**wrong))
        assert self.tables.resume_game(len(self.games) + 1) is None
        assert (self.table.snapshot, self.table.journal.query("SELECT count(*) FROM game")) == (before, rows)

    def check_game(self):
        key, past, _ = self.games[self.on]
        core, now = self.table.core, self.table.snapshot
        assert (core.plan.game.key, core.past.state) == (key, past.state)
        assert (now.moves, now.run, self.table.journal.game_id) == (self.moves, str(self.run), self.on)
        assert now.number >= self.number
        self.number = now.number


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_begin_play_and_take_up_each_game_is_what_its_own_moves_say(seed, tmp_path):
    evening = Evening(tmp_path / "journal.sqlite3", seed)
    ways = [
        evening.begin,
        evening.play,
        evening.play,
        evening.play,
        evening.resume,
        evening.restart,
        evening.try_impossible_games,
    ]
    for _ in range(STEPS):
        evening.chance.choice(ways)()
        evening.check_game()
    for game in sorted(evening.games):
        evening.on = game
        evening.tables.resume_game(game)
        evening.check_game()
    evening.table.close()


@pytest.fixture
def table(tmp_path):
    made = create_plan("six-card")
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    with closing(Table(create_core(made, Settings()), journal, lambda: 1000, run="test")) as opened:
        yield opened


class Attached:
    """Devices with a real board, which record the calls in order."""

    def __init__(self, attached):
        self.attached_board, self.calls = attached, []

    def check_plan(self, plan):
        self.calls.append("check")

    def leave_board(self):
        self.calls.append("leave")

    def enter_board(self, core):
        self.calls.append(f"enter {core.plan.game.key}")

    def resume_input(self):
        self.calls.append("go on")


def test_what_can_be_played_on_a_real_board_is_decided_by_that_board(table):
    tables = GameSwitcher(table, Attached("classic"))
    with pytest.raises(BoardError, match="attached board is classic"):
        tables.begin_game(NewGameRequest(game="six-card", board="loop-60"))
    with pytest.raises(BoardError):
        tables.begin_game(NewGameRequest(game="bases"))
    assert tables.begin_game(NewGameRequest(game="five-card")).board == "classic"


def test_a_game_of_another_board_is_not_taken_up(table):
    GameSwitcher(table).begin_game(NewGameRequest(game="bases", dealer=0))
    with pytest.raises(BoardError, match="needs the board classic, but another board is attached"):
        GameSwitcher(table, Attached("bases")).resume_game(1)
    assert table.snapshot.game["key"] == "bases"


def test_a_journal_that_cannot_be_written_keeps_the_present_game_and_its_devices(table, monkeypatch):
    table.submit(Starter(parse_card("JD")))
    devices = Attached(None)

    def full(*_):
        raise JournalError("The disk is full.")

    monkeypatch.setattr(table.journal, "begin_game", full)
    with pytest.raises(JournalError):
        GameSwitcher(table, devices).begin_game(NewGameRequest(game="swap"))
    assert devices.calls == ["check", "leave", "enter six-card", "go on"]
    assert [notice.say for notice in table.snapshot.notices] == ["The disk is full."]
    assert table.submit(read_move({"type": "undo"})).moves == 2


def test_no_peg_of_another_game_is_missing_before_the_first_report(table):
    assert GameSwitcher(table).begin_game(NewGameRequest(game="six-card")).advice == ()
    table.on_levels(0)
    assert {advice.kind for advice in table.snapshot.advice} == {"set_up"}


def test_a_recording_tells_which_game_is_begun_and_what_was_made_of_one_taken_up(tmp_path):
    lines, made = [], create_plan("pegs-only")
    journal = Journal(tmp_path / "j")
    journal.begin_game(made.journal_json)
    with closing(
        Table(create_core(made, Settings()), journal, lambda: 1000, run="test", record_line=lines.append)
    ) as table:
        tables = GameSwitcher(table)
        tables.begin_game(NewGameRequest(game="six-card"))
        table.submit(Starter(parse_card("JD")))
        tables.resume_game(1)
        tables.resume_game(2)
    told = [line["table"] for line in json.loads(json.dumps(lines)) if "table" in line]
    assert [each["game"] for each in told] == ["six-card", "pegs-only", "six-card"]
    assert [each.get("moves") for each in told] == [None, None, [{"type": "starter", "card": "JD"}]]


PURSUIT = NewGameRequest(game="pursuit", seats=3, names=("Ann", None, "Bob"))


class Shared:
    """A table with a clock that the test sets. `begin` says whether a phone's request made a new game."""

    def __init__(self, table):
        self.table, self.tables = table, GameSwitcher(table)
        self.now_ms = 1000
        table.clock = lambda: self.now_ms

    def begin(self, phone, request=PURSUIT):
        games = self.table.journal.query("SELECT count(*) FROM game")
        self.snapshot = self.tables.begin_game(request, phone)
        assert self.snapshot.game["key"] == request.game
        return self.table.journal.query("SELECT count(*) FROM game") != games


@pytest.fixture
def shared(table):
    opened = Shared(table)
    assert opened.begin("ann")
    return opened


@pytest.mark.parametrize(("later_ms", "is_new"), [(0, False), (2000, False), (2001, True)])
def test_another_phone_soon_gets_the_same_game(shared, later_ms, is_new):
    first = shared.snapshot
    shared.now_ms += later_ms
    assert shared.begin("bob") == is_new
    assert (shared.snapshot is first) == (not is_new)


def test_one_phone_that_asks_twice_gets_two_games(shared):
    assert shared.begin("ann")


def test_another_request_makes_another_game(shared):
    assert shared.begin("bob", NewGameRequest(game="pursuit", seats=3))
    assert shared.begin("cid")
    shared.tables.resume_game(1)
    assert shared.begin("dan")


def test_a_game_in_which_somebody_moved_is_not_shared(shared):
    shared.table.submit(Starter(parse_card("4D")))
    assert shared.begin("bob")


def test_a_refused_request_is_not_remembered(shared):
    for phone in ("ann", "bob"):
        with pytest.raises(BoardError):
            shared.begin(phone, NewGameRequest(game="bases", board="loop-60"))


def test_a_request_during_the_first_gets_its_game(table):
    """Also of the same phone, which may repeat what was not answered."""
    shared, second = Shared(table), []
    has_arrived = threading.Event()
    worker = threading.Thread(target=lambda: second.append(shared.tables.begin_game(PURSUIT, "ann")))

    def tell_time():
        if threading.current_thread() is worker:
            has_arrived.set()
        return shared.now_ms

    def ask_meanwhile(_):
        worker.start()
        has_arrived.wait()
        shared.now_ms += 1

    table.clock = tell_time
    shared.tables.on_begin = ask_meanwhile
    assert shared.begin("ann")
    worker.join()
    assert second == [shared.snapshot]
    assert table.journal.query("SELECT count(*) FROM game") == [(2,)]


def test_the_end_of_the_program_begins_no_game(table):
    table.close()
    with pytest.raises(IllegalMove, match="ending"):
        GameSwitcher(table).begin_game(NewGameRequest(game="swap"))


def test_a_device_that_is_found_while_another_game_begins_is_known(tmp_path, monkeypatch):
    evening = Evening(tmp_path / "journal.sqlite3", 1)
    shown = Table._wait_until_known

    def begins(sight):  # as it may, while a board is asked how its pegs stand
        monkeypatch.setattr(Table, "_wait_until_known", shown)
        evening.tables.begin_game(NewGameRequest(game="five-card"))
        return shown(sight)

    with closing(evening.table):
        evening.table.on_device("buttons", False, "Not yet seen.", "sim:")
        monkeypatch.setattr(Table, "_wait_until_known", begins)
        evening.table.on_device("buttons", True, "")
        assert evening.table.snapshot.devices["buttons"].ok
