"""Rulings (policy=tournament): what the rule book says of a move or a call, and what accepting or waiving it does."""

import contextlib
import json
import random
import re
from pathlib import Path

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.protocol.json_codec import answer_referee_line, dump_json, read_move, write_move
from companion.rules import advance
from companion.rules.cards import parse_cards
from companion.rules.moves import Infringement, Rule, Undo
from companion.rules.rulings import MOVE_RULINGS, called_rulings
from tests.rules.ruling_stories import read_stories, write_out
from tests.support.move_notation import parse_story
from tests.support.stories import Story

STORIES, HARMLESS, CALLED, REFUSED = map(read_stories, ("rulings", "harmless", "calls", "refused"))


class Told(Story):
    """A story in which a refused move that is an infringement is called, as at a table."""

    def __init__(self, options="", moves="", policy="tournament"):
        words = {"counting": "manual", "policy": policy} | dict(word.split("=") for word in options.split())
        self.moves = []
        key = words.pop("game", "six-card")
        super().__init__(key, moves, " ".join(map("=".join, words.items())))

    def tell(self, moves):
        for move in parse_story(write_out(moves)):
            self.moves.append(self.game.find_refused_move(self.past, move) or move)
            self.make(self.moves[-1])
        return self

    @property
    def ruling(self):
        return self.game.judge(self.game, self.past, "")

    @property
    def scores(self):
        return list(self.state.scores)

    def list_calls(self, caller=None):
        return list(self.game.list_calls(self.game, self.past, caller))


def numbers(text):
    return [int(word) for word in text.split()]


def test_every_rule_of_the_table_has_stories():
    assert {rule for rule, *_ in STORIES} == {row.rule for row in MOVE_RULINGS} - {"6.3c"}  # the pegs show it
    assert {rule for rule, *_ in CALLED} == {row.rule for row in called_rulings()}


def test_the_documentation_has_every_row():
    page = (Path(__file__).parents[2] / "docs/reference/rulings.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if re.match(r"\| \d", line)]
    rows = [row for row in rows if len(row) in (4, 5)]  # without "until" where the heading says it
    ruled = [(row.rule, row.caller) for row in (*MOVE_RULINGS, *called_rulings())]
    assert sorted((rule, caller) for rule, _, caller, *_ in rows) == sorted(ruled)
    assert all(map(all, rows))


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES + CALLED)
def test_a_ruling_names_its_rule_and_score(rule, options, story, accepted, waived):
    for accept, expected in ((True, accepted), (False, waived)):
        told = Told(options, story)
        before, ruling = told.past, told.ruling
        assert ruling is not None
        assert ruling.rule == rule
        if isinstance(before.move, Infringement):
            assert told.scores == numbers(waived)  # nothing happens by itself
        assert read_move(write_move(before.move)) == before.move
        told.make(Rule(accept))
        assert told.scores == numbers(expected)
        target = getattr(told.state.terms, "target", None)
        assert told.state.winner == next((side for side, n in enumerate(told.scores) if n == target), None)
        changes = [sum(award.points for award in told.step.awards if award.seat == side) for side in range(4)]
        assert [n + change for n, change in zip(before.state.scores, changes, strict=False)] == told.scores
        assert told.ruling is None  # 11.3: no penalty on a penalty
        told.make(Undo())
        assert (told.state, told.ruling) == (before.state, ruling)
        told.make(Undo())
        assert told.state == before.parent.state


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES)
def test_the_referee_tells_and_replays_a_ruling(rule, options, story, accepted, waived):
    told = Told(options, story)
    for accept, expected in ((True, accepted), (False, waived)):
        past = rules.begin_game(told.game, told.setup)
        for move in told.moves:
            past, answer = answer_referee_line(told.game, past, dump_json(write_move(move)))
        assert answer["ruling"]["rule"] == rule
        assert answer["ruling"]["side"] == told.ruling.side
        assert [read_move(move) for move in json.loads(dump_json(answer))["ruling"]["moves"]] == [*told.ruling.moves]
        past, answer = answer_referee_line(told.game, past, json.dumps({"type": "rule", "accept": accept}))
        assert answer["ok"]
        assert answer["scores"] == numbers(expected)
        assert "ruling" not in answer
        past, answer = answer_referee_line(told.game, past, '{"type":"undo"}')
        assert "ruling" not in answer


@pytest.mark.parametrize(("_", "options", "story"), HARMLESS)
def test_there_is_nothing_to_rule_on(_, options, story):
    told = Told(options, story)
    assert told.ruling is None
    assert "There is no ruling to answer" in told.refuse(Rule(True))


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES)
def test_a_friendly_game_has_no_rulings(rule, options, story, accepted, waived):
    assert Told(options, story, policy="friendly").ruling is None


@pytest.mark.parametrize(("_", "options", "story"), REFUSED)
def test_what_is_no_infringement_is_refused(_, options, story):
    before, _, last = story.rpartition("; ")
    told = Told(options, before)
    past = told.past
    with pytest.raises(IllegalMove):
        told.tell(last)
    assert told.past == past


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), CALLED)
def test_each_listed_call_gives_a_ruling(rule, options, story, accepted, waived):
    before, _, last = story.rpartition("; ")
    told = Told(options, before)
    listed = told.list_calls()
    assert len({move for *_, move in listed}) == len(listed)
    for number, say, move in listed:
        told.make(move)
        assert (told.ruling.rule, "{" in say + told.ruling.say) == (number, False)
        told.make(Undo())
    if last.startswith("judge"):
        told.tell(last)
        assert told.past.move in [move for _, _, move in listed]


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), CALLED)
def test_in_a_friendly_game_nothing_can_be_called(rule, options, story, accepted, waived):
    told = Told(options, policy="friendly")
    calls = [move for move in story.split("; ") if move.startswith("judge")]
    for move in story.split("; "):
        if not move.startswith(("judge", "accept")):
            with contextlib.suppress(IllegalMove):
                told.tell(move)
            assert (told.ruling, told.list_calls()) == (None, [])
    before = told.past
    for call in calls:
        with pytest.raises(IllegalMove):
            told.tell(call)
    assert told.past == before


@pytest.mark.parametrize(
    ("story", "says"),
    [
        ("cut 8S; 1 5H; 0 TD; 0 claims 5", "Red pegged too many and goes back: 3 points for Blue."),
        ("cut 8S; 1 5H; 0 TD; 0 claims 1", "Red pegged 1 point too few, and the peg stays."),
        ("1 adjusts 112; PLAY; 1 claims 0; 1 claims 12",
         "Blue claimed the game without the points: 1 point for Red, and Blue goes 15 holes back."),
        ("cut 8S; 1 5H; 0 TD; 0 claims 121",
         "Red claimed the game without the points: 119 points for Blue, and Red goes 2 holes back."),
        ("1 adjusts 110; cut 8S; judge 1 claimed-game",
         "Blue claimed the game without the points: 11 points for Red, and Blue goes 15 holes back."),
        ("RENEGE", "Red said go although a card fitted: 4 points for Blue."),
    ],
)  # fmt: skip
def test_a_ruling_is_said_in_a_sentence(story, says):
    assert Told("", story).ruling.say == says


RENEGE_SHOWN = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C"


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        # a corrected card takes the ruling on it back
        ("cut 8S; 1 5H; 0 TD; 1 6C; 0 claims 5; accept", {"scores": (2, 3)}),
        ("cut 8S; 1 5H; 0 TD; 1 6C; 0 claims 5; accept; correct 5H 4H", {"scores": (0, 5)}),
        ("cut 8S; 1 4H; 0 TD; 0 claims 2; accept", {"scores": (0, 2)}),
        ("cut 8S; 1 4H; 0 TD; 0 claims 2; accept; correct 4H 5H", {"scores": (2, 0)}),
        ("cut JS; 1 5H; 0 6D; judge 0 late-heels; accept; correct JS 9S", {"scores": (0, 0)}),
        # a game won by a penalty goes on if it is waived, one won by heels without them
        ("1 adjusts 119; RENEGE; waive", {"phase": "claim", "turn": 0, "winner": None}),
        ("0 adjusts 119; cut JS; judge 0 late-heels; accept; 1 5H; 0 TD; 0 claims 2",
         {"scores": (121, 0), "winner": 0}),
        # the companion follows a wrong lead that was played on
        ("cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; 1 claims 2; 0 6D",
         {"turn": 1, "count": 16, "scores": (0, 2)}),
        # a cut that was wrong is cut again
        ("cut JS; judge 0 starter-early; accept", {"phase": "cut", "starter": None}),
        ("cut JS; judge 0 starter-early; accept; cut 8S; 1 5H", {"phase": "play"}),
        # a go that was said by mistake is taken back
        ("cut 8S; 1 KH; 0 QD; 1 5C; go 0; judge 0 wrong-go; accept", {"turn": 0}),
        ("cut 8S; 1 KH; 0 QD; 1 5C; go 0; judge 0 wrong-go; accept; 0 2D", {"turn": 1}),
        # a renege takes the play back to before the go
        (f"{RENEGE_SHOWN}; judge 0 renege 2; accept", {"turn": 0, "count": 25, "gone": ()}),
        # a card is dead, but counts in the hand
        (f"{RENEGE_SHOWN}; judge 0 renege-dead 2; accept",
         {"turn": 1, "count": 25, "series": parse_cards("KHQD5C")}),
        # a crib on the wrong side changes hands with the next deal
        ("PLAY; 1 claims 1; judge 0 crib-side; accept", {"dealer": 1, "turn": 0}),
        ("PLAY; 1 claims 1; judge 0 crib-side; accept; 0 claims 3; 1 claims 8; crib 2H2D3S3H; 1 claims 8",
         {"scores": (3, 17), "phase": "between", "dealer": 0}),
    ],
)  # fmt: skip
def test_the_game_goes_on_after_a_ruling(story, expected):
    Told("", story).check(**expected)


def test_a_renege_takes_the_play_before_the_go():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege 2; accept")
    assert told.state.deal.play.goes == ()
    assert told.tell("0 2C; go 1; 0 3D; 0 claims 4; go 0; judge 0 wrong-go; waive").ruling is None


def test_a_dead_card_counts_in_the_hand():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege-dead 2; accept; go 1; 1 claims 1; 0 3D; 1 8H; 0 TS; 1 TC")
    told.tell("1 claims 2; 1 claims 2")
    pending = told.state.deal.claims.pending
    assert (pending.seat, told.state.deal.hands[0]) == (0, parse_cards("QD2C3DTS"))
    assert sum(award.points for award in pending.truth) == 4  # fifteen with each ten-card, the 2 and the 3


def test_the_hand_is_judged_after_a_dead_card():
    told = Told("", f"{RENEGE_SHOWN}; judge 0 renege-dead 2; accept; go 1; 1 claims 1; 0 3D; 1 TC; 0 6S")
    assert (told.ruling.rule, told.ruling.say) == ("7.3", "Red said go although a card fitted: 4 points for Blue.")
    assert told.scores == [0, 7]


def test_a_call_belongs_to_the_last_move():
    told = Told("", "cut 8S; judge 0 crib-seen; 1 5H")
    assert told.ruling is None
    assert told.refuse(Rule(True))


@pytest.mark.parametrize(("caller", "offered"), [(None, {0, 2}), (3, {0, 2}), (2, set())])
def test_a_player_cannot_call_the_own_side(caller, offered):
    listed = Told("seats=4", "cut 8S; 1 5H").list_calls(caller)
    assert offered == {move.seat for *_, move in listed if move.what == "opponent-peg"} & {0, 2}


def test_either_player_may_call_a_claimed_game():
    listed = Told("seats=4", "cut 8S; 1 5H").list_calls(0)
    assert (0, "claimed-game") in {(move.seat, move.what) for *_, move in listed}


@pytest.mark.parametrize(
    ("story", "rule", "accepted"),
    [
        ("cut JS; 1 5H; 0 TD", "6.3c", [0, 0]),
        ("0 adjusts 4; cut JS; 1 5H; 0 TD", "6.3c", [4, 0]),
        ("cut JS; 1 5H", None, None),
        ("cut 8S; 1 5H; 0 TD", None, None),
        ("cut JS; 1 5H; 0 TD; 1 6C; 0 9D", "7.2", [2, 0]),
    ],
)
def test_unpegged_heels_are_lost_with_the_dealers_card(story, rule, accepted):
    told = Told("", story)
    ruling = told.game.judge(told.game, told.past, "heels")
    assert (ruling and ruling.rule) == rule
    if rule:
        told.make(Rule(True, "heels"))
        assert told.scores == accepted


def check_scores(told):
    assert all(0 <= score <= 61 for score in told.scores)
    assert (told.state.winner is not None) == (61 in told.scores)


@pytest.mark.parametrize("seed", range(12))
def test_random_answers_keep_scores_and_replay(seed):
    chance = random.Random(seed)
    muggins, overclaim = chance.choice(["on", "off"]), chance.choice(["correct", "two", "excess"])
    told, made = Told(f"muggins={muggins} overclaim={overclaim} target=61"), []
    for _ in range(250):
        move = choose_move(chance, told)
        with contextlib.suppress(IllegalMove):
            told.make(move)
            made.append(move)
            check_scores(told)
    assert any(isinstance(move, Rule) for move in made)
    again = rules.begin_game(told.game, told.setup)
    for move in made:
        again, _ = advance(told.game, again, read_move(write_move(move)))
    assert again.state == told.state


@pytest.mark.parametrize("seed", range(8))
def test_random_calls_keep_every_score_and_are_undone(seed):
    chance = random.Random(seed)
    told = Told(f"muggins={chance.choice(['on', 'off'])} counting={chance.choice(['auto', 'manual'])} target=61")
    called = 0
    for _ in range(150):
        calls = told.list_calls() if chance.random() < 0.3 else []
        if not calls:
            with contextlib.suppress(IllegalMove):
                told.make(choose_move(chance, told))
            continue
        told.make(chance.choice(calls)[2])
        before = told.state
        told.make(Rule(True))
        called += 1
        check_scores(told)
        if chance.random() < 0.5:
            told.make(Undo())
            assert told.state == before
    assert called


def choose_move(chance, told):
    """Choose a move that may be legal: the next of the deal, often claimed wrongly, or an answer to a ruling."""
    if told.ruling is not None and chance.random() < 0.8:
        return Rule(chance.random() < 0.5)
    state = told.state
    text = {
        "cut": lambda: f"cut {draw(chance)[0]}",
        "play": lambda: play_text(chance, state),
        "claim": lambda: f"{state.turn} claims {claim(chance, state)}",
        "crib": lambda: "crib " + "".join(draw(chance, 4)),
        "between": lambda: "next",
        "over": lambda: "next",
    }[state.phase]()
    if chance.random() < 0.08:
        text = chance.choice(["undo", "0 calls 2", "1 calls 4", "misdeal", "0 adjusts 1"])
    return parse_story(text)[0]


def draw(chance, count=1):
    return chance.sample([rank + suit for rank in "A23456789TJQK" for suit in "CDHS"], count)


def play_text(chance, state):
    kind = chance.random()
    if kind < 0.25:
        return f"{chance.randrange(2)} claims {chance.choice([0, 1, 2, 3, 5, 40])}"
    return f"go {state.turn}" if kind < 0.4 else f"{state.turn} {draw(chance)[0]}"


def claim(chance, state):
    truth = sum(award.points for award in state.deal.claims.pending.truth)
    return max(0, truth + chance.choice([0, 0, -2, 3, 15]))
