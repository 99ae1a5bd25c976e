"""Rulings (policy=tournament): what the rule book says of a move, and what accepting or waiving it does."""

import json
import random
import re
from pathlib import Path

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.protocol.json_codec import answer_referee_line, dump_json, read_move, write_move
from companion.rules import Setup, advance
from companion.rules.cards import parse_card
from companion.rules.moves import Correct, Rule, Undo
from companion.rules.rulings import RULINGS
from tests.rules import ruling_stories
from tests.support.move_notation import parse_story


def split_lines(text: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in text.splitlines() if line.strip()]


STORIES, HARMLESS = split_lines(ruling_stories.STORIES), split_lines(ruling_stories.NO_INFRINGEMENTS)


class Told:
    """A story told to the rules: the game, its setup and the history after the last move."""

    def __init__(self, options: str, story: str, **others: str):
        chosen = {"counting": "manual", "policy": "tournament"} | dict(each.split("=") for each in options.split())
        self.game = rules.find_game(chosen.pop("game", "six-card"))
        self.setup = Setup(seats=int(chosen.pop("seats", "2")), options=chosen | others)
        self.past = rules.begin_game(self.game, self.setup)
        self.moves = []
        self.tell(story)

    def tell(self, story: str):
        """Make the moves of a story; a refused move that is an infringement is called, as at a table."""
        for word in ("PLAY", "HANDS", "SHOWN", "RENEGE"):
            story = story.replace(word, getattr(ruling_stories, word))
        for move in parse_story(story):
            self.moves.append(self.game.find_refused_move(self.past, move) or move)
            self.make(self.moves[-1])

    def make(self, move):
        self.past, step = advance(self.game, self.past, move)
        return step

    @property
    def ruling(self):
        return self.game.judge(self.game, self.past, "")

    @property
    def scores(self):
        return list(self.past.state.scores)


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.split()]


def test_there_are_enough_stories_and_every_rule_of_the_table_has_some():
    assert len(STORIES) >= 60
    assert {rule for rule, *_ in STORIES} == {row.rule for row in RULINGS if not row.what} - {
        "6.3c"
    }  # that one the pegs show


def test_the_documentation_has_every_row():
    """The page has the same rules as the table, with the same callers, and no column is empty."""
    page = (Path(__file__).parents[2] / "docs/reference/rulings.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if re.match(r"\| \d", line)]
    rows = [row for row in rows if len(row) == 5]
    assert sorted((rule, caller) for rule, _, caller, _, _ in rows) == sorted((row.rule, row.caller) for row in RULINGS)
    assert all(map(all, rows))


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES)
def test_a_ruling_names_its_rule_and_the_score_that_follows(rule, options, story, accepted, waived):
    for accept, expected in ((True, accepted), (False, waived)):
        told = Told(options, story)
        before, ruling = told.past, told.ruling
        assert ruling is not None
        assert ruling.rule == rule
        step = told.make(Rule(accept))
        assert told.scores == numbers(expected)
        assert told.past.state.winner == next(
            (side for side, score in enumerate(told.scores) if score == told.past.state.terms.target), None
        )
        changes = dict.fromkeys(range(len(told.scores)), 0) | {each.seat: each.points for each in step.awards}
        assert [now + changes[side] for side, now in enumerate(before.state.scores)] == told.scores
        assert told.ruling is None  # 11.3: no penalty on a penalty
        told.make(Undo())
        assert (told.past.state, told.ruling) == (before.state, ruling)


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES)
def test_the_referee_tells_the_ruling_and_replays_its_answer(rule, options, story, accepted, waived):
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
    with pytest.raises(IllegalMove, match="There is no ruling to answer"):
        told.make(Rule(True))


@pytest.mark.parametrize(("rule", "options", "story", "accepted", "waived"), STORIES)
def test_a_friendly_game_has_no_rulings(rule, options, story, accepted, waived):
    assert Told(options, story, policy="friendly").ruling is None


@pytest.mark.parametrize(
    ("options", "story", "says"),
    [
        ("", "cut 8S; 1 5H; 0 TD; 0 claims 5", "Red pegged too many and goes back: 3 points for Blue."),
        ("", "cut 8S; 1 5H; 0 TD; 0 claims 1", "Red pegged 1 point too few, and the peg stays."),
        (
            "",
            "1 adjusts 112; PLAY; 1 claims 0; 1 claims 12",
            "Blue claimed the game without the points: 1 point for Red, and Blue goes 15 holes back.",
        ),
        (
            "",
            "cut 8S; 1 5H; 0 TD; 0 claims 121",
            "Red claimed the game without the points: 119 points for Blue, and Red goes 2 holes back.",
        ),
        ("", "RENEGE", "Red said go although a card fitted: 4 points for Blue."),
    ],
)
def test_a_ruling_is_said_in_a_sentence(options, story, says):
    assert Told(options, story).ruling.say == says


def test_a_game_won_by_a_penalty_goes_on_if_the_penalty_is_waived():
    told = Told("", "1 adjusts 119; RENEGE; waive")
    assert (told.past.state.phase, told.past.state.turn, told.past.state.winner) == ("claim", 0, None)


def test_a_corrected_card_takes_the_ruling_on_it_back():
    told = Told("", "cut 8S; 1 5H; 0 TD; 1 6C; 0 claims 5; accept")
    assert told.scores == [2, 3]
    told.make(Correct(parse_card("5H"), parse_card("4H")))
    assert told.scores == [0, 5]
    told = Told("", "cut 8S; 1 4H; 0 TD; 0 claims 2; accept")
    assert told.scores == [0, 2]
    told.make(Correct(parse_card("4H"), parse_card("5H")))
    assert told.scores == [2, 0]


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
def test_heels_that_the_pegs_show_to_be_missing_are_lost_with_the_dealers_first_card(story, rule, accepted):
    told = Told("", story)
    ruling = told.game.judge(told.game, told.past, "heels")
    assert (ruling and ruling.rule) == rule
    if rule:
        told.make(Rule(True, "heels"))
        assert told.scores == accepted


@pytest.mark.parametrize("seed", range(12))
def test_random_games_with_random_answers_keep_every_score_and_replay_to_the_same_state(seed: int):
    chance = random.Random(seed)
    muggins = chance.choice(["on", "off"])
    overclaim = chance.choice(["correct", "two", "excess"])
    told = Told(f"muggins={muggins} overclaim={overclaim} target=61", "")
    answered = 0
    made = []
    for _ in range(250):
        move = choose_move(chance, told)
        try:
            told.make(move)
        except IllegalMove:
            continue
        made.append(move)
        answered += isinstance(move, Rule)
        assert all(0 <= score <= 61 for score in told.scores), f"seed {seed}"
        assert (told.past.state.winner is not None) == (61 in told.scores), f"seed {seed}"
    assert answered
    again = rules.begin_game(told.game, told.setup)
    for move in made:
        again, _ = advance(told.game, again, read_move(write_move(move)))
    assert again.state == told.past.state


def choose_move(chance: random.Random, told: Told):
    """Choose a move that may be legal: the next of the deal, often claimed wrongly, or an answer to a ruling."""
    if told.ruling is not None and chance.random() < 0.8:
        return Rule(chance.random() < 0.5)
    state = told.past.state
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


def draw(chance: random.Random, count: int = 1) -> list[str]:
    return chance.sample([rank + suit for rank in "A23456789TJQK" for suit in "CDHS"], count)


def play_text(chance: random.Random, state) -> str:
    kind = chance.random()
    if kind < 0.25:
        return f"{chance.randrange(2)} claims {chance.choice([0, 1, 2, 3, 5, 40])}"
    return f"go {state.turn}" if kind < 0.4 else f"{state.turn} {draw(chance)[0]}"


def claim(chance: random.Random, state) -> int:
    truth = sum(award.points for award in state.deal.claims.pending.truth)
    return max(0, truth + chance.choice([0, 0, -2, 3, 15]))
