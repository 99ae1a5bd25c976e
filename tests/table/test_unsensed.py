"""Boards without sensors: games are played by phone, and the shown pegs follow the scores."""

import contextlib

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.display.lights import OFF, paint_frame
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import read_move, write_move
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Claim, Correct, Next, Peg, Play, TakeBoard, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.resume import resume_game
from companion.table.setup import create_plan
from companion.table.state import create_core, create_snapshot, next_deadline_ms, on_tick
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.move_notation import parse_story

PLAIN = Settings(sensors="none:", lights="none:", cards="none:", buttons="none:")


class Phone:
    """Somebody with a phone and a wooden board."""

    def __init__(self, key="six-card", **plan_of):
        self.core, self.ms = create_core(create_plan(key, **plan_of), PLAIN), 0

    def move(self, move):
        self.ms += 1000
        self.core = inputs.on_move(self.core, move, "phone", self.ms).core

    def play_story(self, story):
        for move in parse_story(story):
            self.move(move)

    @property
    def snapshot(self):
        return create_snapshot(self.core, number=1, run="test", moves=0)

    def occupied_holes(self):
        return [(pegs.front, pegs.back) for pegs in self.snapshot.pegs]


def test_the_picture_follows_the_scores_move_by_move_and_nothing_is_owed():
    phone = Phone()
    assert phone.occupied_holes() == [("red-start-1", "red-start-2"), ("blue-start-1", "blue-start-2")]
    phone.play_story("cut KD; 1 5H; 0 TH")
    assert phone.occupied_holes()[0] == ("red-2", "red-start-1")
    phone.play_story("1 TS; 0 6C")
    assert phone.occupied_holes() == [("red-4", "red-2"), ("blue-2", "blue-start-1")]
    shown = phone.snapshot
    assert (shown.dues, shown.advice, shown.question) == ((), (), None)
    assert next_deadline_ms(phone.core) is None


def test_an_undo_leads_back_peg_by_peg():
    phone, before = Phone(), []
    for move in parse_story("cut KD; 1 5H; 0 TH; 1 TS; 0 6C; 0 adjusts -3; 0 adjusts 9; 1 2C"):
        before.append(phone.occupied_holes())
        phone.move(move)
    assert phone.occupied_holes()[0] == ("red-10", "red-1")
    while before:
        phone.move(Undo())
        assert phone.occupied_holes() == before.pop()


def test_a_correction_moves_them_too():
    phone = Phone()
    phone.play_story("cut KD; 1 5H; 0 TH; 1 TS")
    phone.move(Correct(parse_card("TH"), parse_card("9H")))
    assert phone.occupied_holes()[0] == ("red-start-1", "red-start-2")


def test_where_players_count_the_claim_is_typed_and_nobody_reads_pegs():
    phone = Phone(options={"counting": "manual"})
    phone.play_story("cut KD; 1 5H; 0 TH")
    phone.move(Claim(0, 2))
    assert phone.occupied_holes()[0] == ("red-2", "red-start-1")
    with pytest.raises(IllegalMove, match="This board has no sensors"):
        phone.move(TakeBoard())


def test_in_pegs_only_the_phone_pegs():
    phone = Phone("pegs-only", options={"target": "61"})
    for points in (8, 24, 29):
        phone.move(Peg(0, points))
    assert phone.snapshot.view["winner"] == 0
    assert phone.occupied_holes()[0] == ("red-61", "red-32")
    phone.move(Next())
    assert phone.occupied_holes()[0] == ("red-start-1", "red-start-2")


def test_three_for_last_is_pegged_at_the_start():
    phone = Phone("five-card")
    assert phone.occupied_holes()[1] == ("blue-3", "blue-start-1")
    phone.play_story("cut KD; 1 5H; 0 TH; 1 TS")
    assert phone.occupied_holes()[1] == ("blue-5", "blue-3")


def test_on_one_lane_who_comes_later_waits_in_the_start():
    phone = Phone(board="loop-60")
    phone.move(Adjust(0, 35))
    phone.move(Adjust(1, 5))
    (red, _), blue = phone.occupied_holes()
    assert red == "lane-35"
    assert blue == ("blue-start-2", "blue-start-1")
    phone.move(Adjust(1, 2))
    assert phone.occupied_holes() == [("lane-35", "red-start-1"), ("lane-37", "blue-start-1")]
    phone.move(Adjust(0, 2))
    assert phone.occupied_holes() == [("red-start-1", "lane-35"), ("lane-37", "blue-start-1")]


def test_the_due_hole_is_lit_for_a_moment():
    phone = Phone()
    phone.play_story("cut KD; 1 5H; 0 TH")
    board = phone.core.plan.board
    lit = {ms: paint_frame(board, phone.snapshot, phone.ms + ms)[board.by_id["red-2"].pixel] for ms in (100, 600, 4900)}
    assert len(set(lit.values())) > 1
    steady = {
        paint_frame(board, phone.snapshot, phone.ms + ms)[board.by_id["red-2"].pixel] for ms in (5100, 5400, 5900)
    }
    assert len(steady) == 1
    assert OFF not in {*lit.values(), *steady}
    phone.move(Undo())
    assert not phone.snapshot.light_effects


@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_every_game_is_played_by_phone_alone(key, seed):
    setup, moves, _ = play_game(KINDS[key], seed)
    core = create_core(create_plan(key, setup.seats, setup.dealer, dict(setup.options)), PLAIN)
    earlier = []
    for ms, move in enumerate(moves):
        core = inputs.on_move(core, read_move(move), "phone", 1000 * ms).core
        shown = create_snapshot(core, number=1, run="test", moves=0)
        assert (shown.dues, shown.advice, shown.question) == ((), (), None)
        assert pegs_follow_scores(core, shown), (move, shown.pegs, shown.view["scores"])
        earlier.append((shown.pegs, shown.markers, shown.lit_holes))
    for ms in range(min(len(moves), 60)):
        assert (shown.pegs, shown.markers, shown.lit_holes) == earlier.pop()
        core = inputs.on_move(core, Undo(), "phone", 10**7 + ms).core
        shown = create_snapshot(core, number=1, run="test", moves=0)


def pegs_follow_scores(core, shown):
    """Whether each peg is where the score is, or in a start hole while its own is taken; no two in one hole."""
    state, board = core.past.state, core.plan.board
    if not shown.pegs:
        return core.plan.game.peg_role in ("mark", "none") and (shown.markers or shown.lit_holes or not state.scores[0])
    routes = board.routes[len(shown.pegs)]
    holes = [hole for pegs in shown.pegs for hole in (pegs.front, pegs.back)]
    for route, pegs in zip(routes, shown.pegs, strict=False):
        score = min(state.scores[pegs.seat], core.plan.target)
        own = board.holes[route.hole_at(score, core.plan.target)].id
        waits = pegs.front != own and board.by_id[pegs.front].number <= 0 and own in holes
        if pegs.front != own and not waits:
            return False
        if pegs.front == pegs.back:
            return False
    return True


def test_in_pursuit_the_pegs_stay_until_the_next_loop_begins():
    phone = Phone("pursuit", seats=3, dealer=2)
    phone.move(Adjust(1, 28))
    phone.play_story("cut 2D; 0 5H; 1 TH")
    assert phone.core.past.state.knocked_out == (2,)
    assert [pegs.seat for pegs in phone.snapshot.pegs] == [0, 1, 2]
    phone.move(Next())
    assert [(p.seat, p.front) for p in phone.snapshot.pegs] == [(0, "circle-left-start-1"), (1, "circle-right-start-1")]
    phone.move(Undo())
    phone.move(Undo())
    assert [pegs.seat for pegs in phone.snapshot.pegs] == [0, 1, 2]


def save_game(path, key, moves, **plan_of):
    journal = Journal(path)
    core = create_core(create_plan(key, **plan_of), PLAIN)
    journal.begin_game(core.plan.journal_json)
    for ms, move in enumerate(moves):
        core = inputs.on_move(core, move, "phone", ms).core
        journal.write((JournalEntry("move", "phone", write_move(move)),), core.course.dump())
    return journal, core


@pytest.mark.parametrize("key", ["six-card", "pursuit", "bases", "pegs-only", "shuffle", "swap"])
def test_a_game_goes_on_with_sensors_and_without_again(tmp_path, key):
    setup, said, _ = play_game(KINDS[key], 1)
    moves = [read_move(move) for move in said[:40]]
    journal, plain = save_game(
        tmp_path / "j", key, moves, seats=setup.seats, dealer=setup.dealer, options=dict(setup.options)
    )
    with contextlib.closing(journal):
        again = on_tick(resume_game(journal.last_game(), PLAIN), 0).core
        assert again.course.describe_pegs() == plain.course.describe_pegs()
        seen = on_tick(resume_game(journal.last_game(), Settings()), 0).core
        assert seen.past.state == plain.past.state
        if not rules.find_game(key).race_status(plain.past.state).knocked_out:
            assert seen.course.resting_holes() == plain.course.resting_holes()
            assert seen.course.describe_pegs().pegs == plain.course.describe_pegs().pegs
        journal.write((), seen.course.dump())
        back = on_tick(resume_game(journal.last_game(), PLAIN), 0).core
        assert back.course.describe_pegs() == plain.course.describe_pegs()


def test_cards_are_tapped():
    phone = Phone()
    phone.play_story("cut KD")
    phone.core = inputs.on_card_tap(phone.core, parse_card("5H"), 5000).core
    assert phone.core.past.move == Play(1, parse_card("5H"))
