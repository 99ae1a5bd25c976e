"""JSON of moves and answers: what is read, what is refused with which message, and what an answer looks like."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import rules
from companion.common.errors import BadMove
from companion.common.snapshot import Advice, AnswerChoice, DeviceStatus, Due, Notice, PegPair, PegQuestion, Snapshot
from companion.protocol import json_codec
from companion.rules import moves
from companion.rules.cards import parse_card, parse_cards

EVERY_MOVE = [
    {"type": "starter", "card": "5D"}, {"type": "play", "seat": 0, "card": "TH"}, {"type": "go", "seat": 1},
    {"type": "crib", "cards": ["5H", "TD", "JS", "AC"]}, {"type": "hand", "seat": 0, "cards": ["5H", "TD", "JS"]},
    {"type": "claim", "seat": 0, "points": 0}, {"type": "muggins", "seat": 1, "points": 2}, {"type": "misdeal"},
    {"type": "adjust", "seat": 0, "points": -2}, {"type": "undo"}, {"type": "next"},
    {"type": "correct", "card": "5H", "to": "6H"}, {"type": "rule", "accept": True},
    {"type": "infringement", "seat": 1, "what": "crib-seen"}, {"type": "rule", "accept": False},
    {"type": "roll", "seat": 0, "dice": [3, 4]}, {"type": "steal", "seat": 0, "base": 1},
    {"type": "take", "seat": 0, "chips": ["red"]}, {"type": "exchange", "seat": 0, "a": [0, 1], "b": [2, 3]},
    {"type": "return", "seat": 0, "chip": "red"},
    {"type": "lay", "cards": [str(c) for c in parse_cards("5H5S6D7CJDQCKHTS4C4D6H6S2C4S6C8C")], "starter": "5D"},
    {"type": "lay", "colours": ["red", "yellow", "green", "blue", "brown"] * 5},
    {"type": "swap", "a": [0, 1], "b": [2, 3]}, {"type": "place", "card": "5H", "cell": [0, 1]},
    {"type": "peg", "seat": 0, "points": 6}, {"type": "take_board"},
    {"type": "count_crib", "points": 5},
    {"type": "adjust", "seat": 0, "points": -2, "also": [{"seat": 1, "points": 5}]},
]  # fmt: skip


@pytest.mark.parametrize("told", EVERY_MOVE, ids=lambda told: told["type"])
def test_every_move_is_read_and_written_back_the_same(told: dict):
    assert json_codec.write_move(json_codec.read_move(told)) == told


def test_every_kind_of_move_is_tried_above():
    assert {told["type"] for told in EVERY_MOVE} == {made.kind for made in moves.MOVES}


def test_a_ten_is_read_in_both_ways_and_written_in_one():
    assert json_codec.write_move(json_codec.read_move({"type": "starter", "card": "10D"})) == {
        "type": "starter",
        "card": "TD",
    }


def test_unknown_fields_are_ignored():
    assert json_codec.read_move({"type": "go", "seat": 1, "card": 7, "mood": [None]}) == moves.Go(1)
    clocked = '{"type":"undo","at_ns":1700000000123456789,"drift":-0.12345678901234567890123e-7}'
    assert json_codec.read_move(json_codec.parse_json(clocked)) == moves.Undo()


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([], "a JSON object with a type"),
        ({}, "needs a type"),
        ({"type": None}, "needs a type"),
        ({"type": "plya", "seat": 0, "card": "5H"}, "the nearest is play"),
        ({"type": "\ud800" * 9000}, "Unknown type of move"),
        ({"type": "play", "seat": 0}, "A play needs its card"),
        ({"type": "adjust", "seat": 0}, "An adjust needs its points"),
        ({"type": "correct", "card": "5H"}, "A correct needs the card it is to be: to"),
        ({"type": "play", "seat": True, "card": "5H"}, "seat must be a whole number from 0 to 4"),
        ({"type": "play", "seat": 1.0, "card": "5H"}, "seat must be a whole number"),
        ({"type": "play", "seat": "1", "card": "5H"}, "seat must be a whole number"),
        ({"type": "play", "seat": -1, "card": "5H"}, "seat must be a whole number"),
        ({"type": "play", "seat": 10**12, "card": "5H"}, "seat must be a whole number"),
        ({"type": "play", "seat": 0, "card": "1H"}, "There is no card 1H"),
        ({"type": "play", "seat": 0, "card": "\ud800"}, "There is no such card"),
        ({"type": "play", "seat": 0, "card": ["5H"]}, "must be a card such as 5H"),
        ({"type": "crib", "cards": "5H5S5C5D"}, "The cards must be a list"),
        ({"type": "crib", "cards": []}, "The cards must be a list"),
        ({"type": "adjust", "seat": 0, "points": 10**9}, "points must be a whole number"),
        ({"type": "adjust", "seat": 0, "points": 1, "also": []}, "The also must be a list of 1 to 4"),
        ({"type": "adjust", "seat": 0, "points": 1, "also": [{"seat": 1}]}, "an object with a seat and points"),
        ({"type": "adjust", "seat": 0, "points": 1, "also": [{"seat": 5, "points": 1}]}, "seat must be a whole number"),
        ({"type": "adjust", "seat": 0, "points": 1, "also": [7]}, "an object with a seat and points"),
        ({"type": "roll", "seat": 0, "dice": [7]}, "dice must be a whole number from 1 to 6"),
        ({"type": "swap", "a": [0, 5], "b": [0, 0]}, "The cell a must be a row and a column"),
        ({"type": "swap", "a": [0], "b": [0, 0]}, "The cell a must be a row and a column"),
        ({"type": "place", "card": "5H", "cell": [True, 0]}, "The cell must be a row and a column"),
        ({"type": "return", "seat": 0, "chip": "pink"}, "chip must be one of red, yellow"),
    ],
)
def test_an_invalid_move_is_refused_with_a_sentence(told: object, says: str):
    with pytest.raises(BadMove, match=says) as refusal:
        json_codec.read_move(told)
    assert len(str(refusal.value)) <= 400
    assert str(refusal.value).isprintable()


def test_a_seat_that_is_not_at_the_table_is_refused():
    assert json_codec.read_move({"type": "go", "seat": 1}, seats=2) == moves.Go(1)
    with pytest.raises(BadMove, match="seats are 0 to 1"):
        json_codec.read_move({"type": "go", "seat": 2}, seats=2)
    with pytest.raises(BadMove, match="seats are 0 to 1"):
        json_codec.read_move({"type": "adjust", "seat": 0, "points": 1, "also": [{"seat": 2, "points": 1}]}, seats=2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "The line is empty"),
        (b"  \r\n", "The line is empty"),
        (b"\xff\xfe{", "not UTF-8"),
        ("{'type': 'undo'}", "not JSON"),
        ('{"type":"undo"} {}', "not JSON"),
        ("\ufeff{}", "not JSON"),
        ('{"type":"adjust","seat":0,"points":NaN}', "NaN is not allowed"),
        ('{"points":-Infinity}', "NaN is not allowed"),
        ('{"points":1e999}', "too large"),
        ('{"points":' + "9" * 5000 + "}", "too large"),
        ('{"points":0.' + "9" * 5000 + "}", "too large"),
        ("[" * 17 + "]" * 17, "nested too deeply"),
        ("[" * 30_000, "nested too deeply"),
        ('{"a":' * 9000 + "1" + "}" * 9000, "nested too deeply"),
        ('{"type":"undo","x":"\\ud800"}', "half a character"),
        ('{"type":"undo","\\udfff":1}', "half a character"),
        ("[" + "1," * 40_000 + "1]", "too long"),
        ('{"type":"undo","type":"next"}', "same field twice"),
        ('{"type":"undo","x":{"seat":0,"s\\u0065at":1}}', "same field twice"),
    ],
)
def test_invalid_json_is_refused_with_a_sentence(text: str | bytes, says: str):
    with pytest.raises(BadMove, match=says) as refusal:
        json_codec.parse_json(text)
    assert len(str(refusal.value)) <= 400


def test_whole_characters_beyond_the_first_plane_are_fine():
    assert json_codec.parse_json('{"say":"\\ud83c\\udccf"}') == {"say": "\U0001f0cf"}


def test_the_referee_answers_with_the_whole_state():
    game = rules.find_game("six-card")
    past, told = json_codec.answer_referee_line(
        game, rules.begin_game(game, rules.Setup()), b'{"type":"starter","card":"JD"}'
    )
    assert told == {
        "ok": True, "awards": [{"seat": 0, "points": 2, "reason": "his heels", "cards": ["JD"]}], "phase": "play",
        "dealer": 0, "turn": 1, "count": 0, "series": [], "starter": "JD", "gone": [], "played": [[], []], "crib": [],
        "scores": [2, 0], "winner": None,
    }  # fmt: skip
    assert json_codec.answer_referee_line(game, past, '{"type":"undo"}')[1]["scores"] == [0, 0]


def test_a_refusal_leaves_the_history_as_it_was():
    game = rules.find_game("six-card")
    past = rules.begin_game(game, rules.Setup())
    for line in ("", "null", '{"type":"go","seat":0}', '{"type":"undo"}', '{"type":"adjust","seat":4,"points":1}'):
        after, told = json_codec.answer_referee_line(game, past, line)
        assert after is past
        assert (told["ok"], set(told)) == (False, {"ok", "error"})


@settings(max_examples=300)
@given(st.binary() | st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_whatever_is_said_to_the_referee_gets_an_answer(line: str | bytes):
    game = rules.find_game("six-card")
    _, told = json_codec.answer_referee_line(game, rules.begin_game(game, rules.Setup()), line)
    assert json.loads(json_codec.dump_json(told))["ok"] is False


def test_the_snapshot_has_the_shape_of_the_interface():
    told = json_codec.encode_snapshot(SNAPSHOT)
    choices = [{"say": "This.", "move": {"type": "undo"}}]
    assert told["question"] == {"why": "Which?", "choices": choices, "seat": 0, "holes": ["red-2"]}
    assert told["notices"] == [{"id": 1, "kind": "refused", "from": "cards", "say": "No."}]
    assert told["advice"] == [{"kind": "ask", "seat": None, "say": "Who?"}]
    assert told["dues"] == [{"seat": 0, "points": 2, "lift": "red-start-2", "place": "red-2"}]
    assert told["pegs"] == [{"seat": 0, "front": "red-start-1", "back": "red-start-2"}]
    assert told["devices"] == {"cards": {"url": "sim:", "ok": True, "say": ""}}
    assert (told["starter"], told["scores"]) == ("JD", [2, 0])
    assert json.loads(json_codec.dump_json(told)) == told


ASKED = PegQuestion("Which?", (AnswerChoice("This.", {"type": "undo"}),), 0, ("red-2",))
SNAPSHOT = Snapshot(
    number=1, run="9f2c01ab", moves=1, game={"key": "six-card"}, board="classic", settings={"quiet_ms": 400},
    players=({"seat": 0, "side": 0, "name": "Red"},), view={"starter": parse_card("JD"), "scores": (2, 0)},
    pegs=(PegPair(0, "red-start-1", "red-start-2"),), dues=(Due(0, 2, "red-start-2", "red-2"),),
    advice=(Advice("ask", None, "Who?"),), question=ASKED,
    devices={"cards": DeviceStatus("sim:", True)}, notices=(Notice(1, "refused", "cards", "No."),),
)  # fmt: skip
