"""Rulings at a table: a peg is a claim, the answer moves pegs back, and a journal replays to the same ruling."""

import contextlib

import pytest

from companion.common.errors import IllegalMove
from companion.i18n.catalog import load_catalog
from companion.journal.journal import Journal, JournalEntry
from companion.protocol.json_codec import encode_snapshot, write_move
from companion.rules.moves import Claim, Infringement, Rule, Undo
from companion.settings import Settings
from companion.table import resume
from companion.table.players import PlayerProfile
from companion.table.setup import create_plan
from companion.table.state import apply_move, create_core, create_snapshot, replace
from tests.rules.ruling_stories import write_out
from tests.support.move_notation import parse_story
from tests.support.table_driver import Hands

TOURNAMENT = {"counting": "manual", "policy": "tournament"}
OVERPEGGED = {
    "rule": "8.4c",
    "side": 0,
    "say": "Red pegged too many and goes back: 3 points for Blue.",
    "moves": [{"type": "adjust", "seat": 1, "points": 3}],
}


def peg_too_far() -> Hands:
    return Hands("six-card", options=TOURNAMENT).play("scan 8S TD 5H, peg red-start-2 red-5, rest 1250")


def test_a_peg_that_goes_too_far_is_ruled_on_and_lit_where_it_goes_back():
    hands = peg_too_far()
    assert hands.snapshot.view["ruling"] == OVERPEGGED
    assert [(due.seat, due.lift, due.place) for due in hands.snapshot.dues] == [(0, "red-5", "red-2")]
    hands.move(Rule(True))
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"]) == ([2, 3], None)
    assert [(due.seat, due.points) for due in hands.snapshot.dues][-1] == (1, 3)
    assert hands.snapshot.last["said"] == ["The ruling was accepted.", "Blue: corrected by +3."]
    hands.move(Undo())
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"]) == ([2, 0], OVERPEGGED)


def test_a_waived_ruling_leaves_the_score():
    hands = peg_too_far().play("waive")
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"]) == ([2, 0], None)
    assert hands.snapshot.last["said"] == ["The ruling was waived."]


@pytest.mark.parametrize("counting", ["auto", "manual"])
def test_heels_that_are_not_pegged_before_the_dealers_first_card_are_lost(counting):
    hands = Hands("six-card", options={"counting": counting, "policy": "tournament"})
    for code in ("JS", "TD"):
        hands.scan(code)
        assert hands.snapshot.view["ruling"] is None
    hands.scan("4H")
    ruling = hands.snapshot.view["ruling"]
    assert (ruling["rule"], ruling["say"]) == ("6.3c", "Red played before pegging his heels: the 2 points are lost.")
    (entry,) = [each for each in hands.make_move_entries(Rule(True)) if each.kind == "move"]
    assert entry.body == {"type": "rule", "accept": True, "seen": "heels"}
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"], hands.snapshot.dues) == ([0, 0], None, ())
    hands.move(Undo())
    assert hands.snapshot.view["ruling"] == ruling


def test_heels_that_are_pegged_in_time_stay():
    hands = Hands("six-card", options={"policy": "tournament"}).play("scan JS, peg red-start-2 red-2, rest 1250")
    hands.play("scan TD 5H")
    assert hands.snapshot.view["ruling"] is None
    assert hands.snapshot.view["scores"] == [4, 0]


def test_a_ruling_is_said_in_german_too():
    german = load_catalog("de")
    assert german is not None
    said = german.translate_value(encode_snapshot(create_snapshot(peg_too_far().core, number=1, run="test", moves=4)))
    assert said["ruling"]["say"] == "Rot hat zu viel gesteckt und geht zurück: 3 Punkte für Blau."


def test_a_ruling_names_the_players():
    hands = peg_too_far()
    core = replace(hands.core, players=(PlayerProfile("Ann", "#c62828"), PlayerProfile("Bob", "#1565c0")))
    shown = encode_snapshot(create_snapshot(core, number=1, run="test", moves=4))
    assert shown["ruling"]["say"] == "Ann pegged too many and goes back: 3 points for Bob."


def test_a_refused_claim_is_recorded_as_an_infringement():
    hands = Hands("six-card", options=TOURNAMENT).play("scan 8S")
    (entry,) = [each for each in hands.make_move_entries(Claim(0, 3)) if each.kind == "move"]
    assert entry.body == {"type": "infringement", "seat": 0, "what": "unearned", "points": 3}
    assert hands.snapshot.view["ruling"]["rule"] == "8.4c"
    assert hands.snapshot.last["said"] == ["The judge was called."]
    hands.move(Rule(True))
    assert [(due.seat, due.points) for due in hands.snapshot.dues] == [(1, 3)]
    hands.play("undo, undo")
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"]) == ([0, 0], None)


def test_a_player_who_goes_back_is_lit():
    hands = Hands("six-card", options=TOURNAMENT).play("1 adjusts 30, peg blue-start-2 blue-30, rest 1250")
    hands.play("judge 1 hidden-number, accept")
    assert [(due.seat, due.lift, due.place) for due in hands.snapshot.dues] == [(1, "blue-30", "blue-20")]


@pytest.mark.parametrize(
    ("what", "turn", "played"),
    [("renege", 0, [["QD"], ["KH", "5C"]]), ("renege-dead", 1, [["QD", "2C"], ["KH", "5C"]])],
)
def test_a_renege_takes_the_cards_back_and_lights_the_peg(what, turn, played):
    hands = Hands("six-card", options={"policy": "tournament"}).play("scan 8S KH QD 5C, go 0, go 1")
    hands.play("peg blue-start-2 blue-1, rest 1250, scan 2C")
    hands.move(Infringement(0, what, 2))
    hands.move(Rule(True))
    view = hands.snapshot.view
    assert (view["turn"], view["count"], view["scores"], view["played"]) == (turn, 25, [0, 2], played)
    assert [(due.seat, due.place, due.points) for due in hands.snapshot.dues] == [(1, "blue-2", 1)]
    hands.move(Undo())
    assert (hands.snapshot.view["scores"], hands.snapshot.view["ruling"]["rule"]) == ([0, 1], "7.3")


def test_in_a_friendly_game_such_a_claim_is_only_refused():
    hands = Hands("six-card", options={"counting": "manual"}).play("scan 8S")
    with pytest.raises(IllegalMove):
        hands.move(Claim(0, 3))


def test_no_other_game_has_a_ruling():
    assert all(
        Hands(key).snapshot.view["ruling"] is None for key in ("pursuit", "bases", "swap", "shuffle", "pegs-only")
    )


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize(
    "story",
    [
        "1 adjusts 112; PLAY; 1 claims 0; 1 claims 12",
        "1 adjusts 119; RENEGE",
        "PLAY; 1 claims 1; judge 1 crib-seen",
        "PLAY; 1 claims 1; judge 0 crib-side",
        "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C; judge 0 renege-dead 2",
    ],
)
def test_a_journal_replays_to_the_same_ruling_and_answer(story, accept, tmp_path, monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_INTERVAL", 3)
    plan = create_plan("six-card", options=TOURNAMENT)
    core = create_core(plan, Settings())
    with contextlib.closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        journal.begin_game(plan.journal_json)
        for move in [*parse_story(write_out(story)), None, Rule(accept), Undo(), Rule(accept)]:
            if move is not None:
                core = apply_move(core, move, "phone")
                journal.write((JournalEntry("move", "phone", write_move(move)),))
                core = resume.checkpoint_if_due(core, journal)
            again = resume.load_core(journal, journal.game_id)
            assert (again.past.state, judge(again)) == (core.past.state, judge(core))


def judge(core):
    return core.plan.game.judge(core.plan.game, core.past, "")
