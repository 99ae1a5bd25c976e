"""Messages between two tables survive a round trip; invalid ones are refused with one sentence."""

import json
from contextlib import suppress
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.common.errors import BadMove
from companion.plugins.remote import messages
from companion.plugins.remote.deal import DealStatement
from companion.plugins.remote.messages import LoggedMove
from companion.protocol.json_codec import write_move
from companion.rules.moves import Go, Undo

RUN = "0123456789abcdef"
GO, UNDO = LoggedMove("cards", write_move(Go(1))), LoggedMove("phone", write_move(Undo()))
GUEST = messages.GameStateMessage(
    run=RUN, name="Zoë", count=7, mark="f" * 16, request=messages.MoveRequest(7, (GO, UNDO))
)
DEALS = (
    DealStatement(run=RUN, number=0, locks=("0" * 64, "1" * 64), seed="2" * 64),
    DealStatement(
        run=RUN, number=7, locks=("a" * 64, "b" * 64), cut="c" * 64, hand=("AC", "TD"), starter="5H", discard="d" * 64,
        crib=("2C", "3C"),
    ),
)  # fmt: skip
HOST = messages.GameStateMessage(
    run=RUN, plan={"game": "six-card"}, first=3, moves=(LoggedMove("phone", {"type": "go", "seat": 0}),),
    refusal=messages.MoveRefusal("a1" * 8, "No."), why="Because.", deals=DEALS,
)  # fmt: skip
FIELDS = st.sampled_from(sorted(json.loads(messages.format_game_message(GUEST))))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def check_round_trip(message):
    assert messages.parse_game_message(messages.format_game_message(message).encode()) == message


@pytest.mark.parametrize("told", [GUEST, HOST], ids=["guest", "host"])
def test_a_letter_is_read_as_it_was_written(told):
    check_round_trip(told)


@settings(max_examples=60)
@given(told=st.sampled_from([GUEST, HOST]), changes=st.dictionaries(FIELDS, JSON))
def test_a_changed_field_is_read_or_refused(told, changes):
    changed = json.loads(messages.format_game_message(told)) | changes
    with suppress(BadMove):
        check_round_trip(messages.parse_game_message(json.dumps(changed).encode()))


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_bytes_that_are_no_letter_are_refused(payload):
    with pytest.raises(BadMove):
        messages.parse_game_message(payload)


@settings(max_examples=60)
@given(changes=st.dictionaries(st.sampled_from(sorted(asdict(HOST.deals[1]))), JSON, min_size=1))
def test_a_changed_statement_is_read_or_refused(changes):
    changed = json.loads(messages.format_game_message(HOST))
    changed["deals"][1] |= changes
    with suppress(BadMove):
        check_round_trip(messages.parse_game_message(json.dumps(changed).encode()))


def test_a_foreign_sentence_is_short_and_one_line():
    assert messages.clean_sentence("One\nTwo\x1b[31m " + "x" * 999) == ("One Two[31m " + "x" * 999)[:400]
