"""The companion as an opponent that deals: a whole game, played with what a phone can see."""

import contextlib
import json
from dataclasses import replace
from random import Random

import pytest

from companion.common.errors import SettingsError
from companion.journal.journal import Journal
from companion.opponent.player import Opponent
from companion.opponent.private_hands import PrivateHands
from companion.rules.cards import parse_card
from companion.rules.moves import Go, Play
from companion.settings import Settings
from companion.table import resume
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from companion.table.setup import ComputerPlayer, check_computer_player, create_plan
from companion.table.table import Table
from tests.support.tables import open_table
from tests.support.waiting import PATIENCE_S, wait_until

from .conftest import clock, create_table_app, join_table

COMPANION_SEAT = 1


def is_mine(now):
    """Return whether it is the person's turn to play a card."""
    return now["phase"] == "play" and now["turn"] == 0


class Against:
    """A table with the companion as opponent, and a person's phone."""

    def __init__(self, folder, key="six-card", **options):
        plan = replace(create_plan(key, options=options), against=ComputerPlayer(COMPANION_SEAT, "club"))
        self.path = folder / "journal.sqlite3"
        self.open(open_table(folder, plan))

    def open(self, table, seed=3):
        self.table, self.hands = table, PrivateHands(table)
        pack = self.path.with_suffix(".pack")
        self.opponent = Opponent(table, self.hands, pack, random=Random(seed), think_s=0.001)
        app = create_table_app(GameSwitcher(table), hands=self.hands)
        self.phone = join_table(app.test_client())
        self.phone.post("/api/seat", json={"seat": 0})

    def close(self):
        self.opponent.close()
        self.table.close()

    def resume(self):
        """Open the table again, as after a restart of the program."""
        self.close()
        journal = Journal(self.path)
        self.open(Table(resume.resume_game(journal.last_game(), Settings()), journal, clock, run="again"), seed=9)

    def cards(self):
        return self.phone.get("/api/hand").json["cards"]

    def keep(self, cards):
        return self.phone.post("/api/hand", json={"cards": cards})

    def until(self, done):
        wait_until(lambda: done(self.table.snapshot.view))
        return self.table.snapshot.view

    def find_fitting(self, now):
        """Return the person's cards that fit the count, if it is their turn. Without one, a go is said for them."""
        held = self.cards() if is_mine(now) else []
        return [each for each in held if parse_card(each).value + now["count"] <= 31]

    def wait_for_person(self):
        """Wait until the person must decide something, and return the view."""
        return self.until(lambda now: now["phase"] in ("cut", "between", "over") or self.find_fitting(now))

    def play_on(self):
        """Make the person's next move: the first card that can be played."""
        view = self.wait_for_person()
        if view["phase"] == "cut":
            self.keep(self.cards()[:-2])
            self.until(lambda now: now["phase"] != "cut")
        elif view["phase"] == "play":
            move = {"type": "play", "seat": 0, "card": self.find_fitting(view)[0]}
            assert self.phone.post("/api/moves", json=move).status_code == 201
        elif view["phase"] == "between":
            assert self.phone.post("/api/moves", json={"type": "next"}).status_code == 201


@pytest.fixture
def against(tmp_path):
    with contextlib.closing(Against(tmp_path)) as opened:
        yield opened


def test_the_companion_deals_lays_away_cuts_and_plays(against):
    dealt = against.cards()
    assert len(set(dealt)) == 6
    assert against.cards() == dealt
    assert against.keep(dealt[:4]).status_code == 201
    view = against.until(lambda now: now["phase"] == "play")
    assert view["starter"] not in dealt
    assert against.cards() == dealt[:4]
    view = against.until(is_mine)
    assert len(view["played"][COMPANION_SEAT]) == 1


def test_a_phone_with_cards_stops_the_prompt(against):
    against.until(lambda _: "Take your seat" in against.table.snapshot.remark)
    against.cards()
    against.until(lambda _: against.table.snapshot.remark == "")
    deal = against.table.core.deal_count
    while against.table.core.deal_count == deal:
        against.play_on()
    against.opponent._update_prompt()
    assert against.table.snapshot.remark == ""


def test_an_early_phone_is_told_of_the_deal(against):
    against.opponent.close()
    assert against.cards() == []
    assert not against.hands.has_phone(0)
    against.opponent = Opponent(against.table, against.hands, random=Random(3), think_s=0.001)
    against.until(lambda _: "I have dealt" in against.table.snapshot.remark)
    assert len(against.cards()) == 6
    assert against.hands.has_phone(0)


@pytest.mark.parametrize("key", ["six-card", "five-card"])
def test_a_whole_game_is_played_and_reviewed(tmp_path, key):
    against = Against(tmp_path, key)
    while against.table.snapshot.view["phase"] != "over":
        against.play_on()
    told = against.phone.get("/api/review").json
    chosen = {(each["seat"], each["kind"]) for each in told["choices"]}
    assert chosen >= {(0, "discard"), (COMPANION_SEAT, "discard"), (COMPANION_SEAT, "play")}
    assert told["unknown"] == []
    against.close()


def test_nothing_reveals_the_companions_cards(against):
    pack = against.opponent._current_pack()
    against.keep(against.cards()[:4])
    played = against.until(is_mine)["played"][COMPANION_SEAT]
    hidden = [str(each) for each in pack.kept[COMPANION_SEAT] if str(each) not in played]
    said = "".join(against.phone.get(f"/api/{path}").text for path in ("state", "history", "export", "hand"))
    assert not [each for each in hidden if f'"{each}"' in said]
    other = join_table(against.phone.application.test_client())
    other.post("/api/seat", json={"seat": COMPANION_SEAT})
    assert other.get("/api/hand").json == {"cards": []}
    assert other.post("/api/hand", json={"cards": hidden[:1]}).status_code == 409


def test_only_dealt_cards_are_kept_before_the_cut(against):
    dealt = against.cards()
    assert against.keep(dealt[:5]).status_code == 409
    assert against.keep([*dealt[:3], str(against.opponent._current_pack().starter)]).status_code == 409
    assert against.keep(dealt[1:5]).status_code == 201
    against.until(lambda now: now["phase"] == "play")
    assert against.keep(dealt[:4]).status_code == 409


def test_a_cut_taken_back_allows_another_discard(against):
    dealt = against.cards()
    against.keep(dealt[:4])
    against.until(lambda now: now["starter"])
    against.opponent._think_s = 0.2
    while against.table.snapshot.view["phase"] != "cut":
        against.phone.post("/api/moves", json={"type": "undo"})
    assert against.cards() == dealt
    assert against.keep(dealt[2:]).status_code == 201
    against.opponent._think_s = 0.001
    against.until(lambda now: now["starter"])
    assert against.cards() == dealt[2:]


def test_a_restart_keeps_the_cards(against):
    dealt = against.cards()
    against.keep(dealt[:4])
    against.until(is_mine)
    mine = against.opponent._current_pack().kept[COMPANION_SEAT]
    against.resume()
    assert against.cards() == dealt[:4]
    assert against.opponent._current_pack().kept[COMPANION_SEAT] == mine


def test_a_deal_without_stored_hands_is_finished(tmp_path):
    against = Against(tmp_path)
    against.keep(against.cards()[:4])
    against.until(is_mine)
    against.opponent.close()
    against.path.with_suffix(".pack").unlink()
    against.open(against.table, seed=9)
    assert len(against.cards()) == 4
    while against.table.snapshot.view["phase"] == "play":
        against.play_on()
    assert against.until(lambda now: now["phase"] in ("between", "over"))["crib"]
    against.close()


@pytest.mark.parametrize(("key", "options"), [("pegs-only", {}), ("six-card", {"counting": "manual"})])
def test_what_the_companion_does_not_play_is_said(tmp_path, key, options):
    plan = create_plan(key, options=options)
    with pytest.raises(SettingsError, match=r"(?i)leave out"):
        check_computer_player(plan, ComputerPlayer(COMPANION_SEAT, "club"))


def test_other_games_are_left_to_the_people(against):
    switcher = GameSwitcher(against.table)
    switcher.begin_game(NewGameRequest(game="pegs-only"))
    assert against.cards() == []
    switcher.begin_game(NewGameRequest(game="five-card"))
    assert against.cards() == []
    switcher.begin_game(NewGameRequest(game="five-card", against=ComputerPlayer(COMPANION_SEAT, "novice")))
    assert len(against.cards()) == 5


def undo(against):
    return against.phone.post("/api/moves", json={"type": "undo"})


def undone_moves(against):
    """Return the types and seats of the moves that the journal has undone, in their order."""
    made, undone = [], []
    for (text,) in against.table.journal.query("SELECT body FROM entry WHERE kind = 'move' ORDER BY id"):
        move = json.loads(text)
        if move["type"] == "undo":
            undone.append(made.pop())
        else:
            made.append(move)
    return [(each["type"], each.get("seat")) for each in undone]


def play_until_answered(against):
    """Play until the companion has answered a card; return the game and the hand before that card."""
    while against.table.snapshot.view["phase"] != "over":
        view, cards = against.table.snapshot.view, against.cards()
        if is_mine(view):
            moves = against.table.core.past
            against.play_on()
            own = against.table.core.past
            while own.parent is not moves:
                own = own.parent
            now = against.until(lambda now: now["turn"] == 0 or now["phase"] != "play")
            if isinstance(own.move, Play) and is_mine(now) and against.table.core.past.move.seat == COMPANION_SEAT:
                return view, cards
        else:
            against.play_on()
            against.until(lambda now: now["phase"] == "cut" or now["turn"] == 0 or now["phase"] in ("between", "over"))
    raise AssertionError("the game has ended")


def reach_count(against):
    """Play until a deal is counted."""
    while against.until(lambda now: now["phase"] in ("cut", "between") or is_mine(now))["phase"] != "between":
        against.play_on()


def test_an_undo_takes_back_answer_and_move(against):
    before, cards = play_until_answered(against)
    assert undo(against).status_code == 201
    view = against.table.snapshot.view
    assert (view["turn"], view["count"], view["played"]) == (0, before["count"], before["played"])
    assert against.cards() == cards
    *answers, own = undone_moves(against)
    assert own == ("play", 0)
    assert {seat for _, seat in answers} == {COMPANION_SEAT}
    against.play_on()


def list_answers(against):
    """Return the moves since the person's last card, newest first."""
    past, moves = against.table.core.past, []
    while past.parent is not None and not (isinstance(past.move, Play) and past.move.seat == 0):
        moves.append(past.move)
        past = past.parent
    return moves


def test_a_go_without_a_choice_is_said_and_undone_with_the_card_before(against):
    while Go(0) not in list_answers(against):
        against.play_on()
        against.wait_for_person()
    assert undo(against).status_code == 201
    *answers, own = undone_moves(against)
    assert ("go", 0) in answers
    assert own == ("play", 0)
    assert against.find_fitting(against.table.snapshot.view)


def test_an_undo_of_the_first_answer_returns_discards(against):
    dealt = against.cards()
    against.keep(dealt[:4])
    against.until(is_mine)
    assert undo(against).status_code == 201
    assert against.table.snapshot.view["phase"] == "cut"
    assert against.cards() == dealt
    assert undone_moves(against) == [("play", COMPANION_SEAT), ("starter", None)]
    against.keep(dealt[2:])
    against.until(is_mine)
    assert against.cards() == dealt[2:]


def test_a_discard_is_taken_back_before_the_cut(against):
    assert (undo(against).status_code, undone_moves(against)) == (409, [])  # nothing to undo at the start
    against.opponent._think_s = PATIENCE_S
    dealt = against.cards()
    against.keep(dealt[:4])
    assert undo(against).status_code == 201
    assert against.cards() == dealt
    assert undone_moves(against) == []


def test_an_undo_in_a_new_deal_ends_it(against):
    reach_count(against)
    crib = against.table.snapshot.view["crib"]
    against.play_on()
    against.until(lambda now: now["phase"] == "cut")
    assert undo(against).status_code == 201
    view = against.table.snapshot.view
    assert (view["phase"], view["crib"]) == ("between", crib)
    assert undone_moves(against) == [("next", None)]


def test_an_undo_after_the_count_returns_a_card(against):
    reach_count(against)
    assert undo(against).status_code == 201
    view = against.table.snapshot.view
    assert (view["phase"], view["turn"]) == ("play", 0)
    assert len(against.cards()) > 0
    against.table.on_press("undo")
    assert undone_moves(against)[-1][1] in (0, None)
