"""Messages between two tables survive a round trip; invalid ones are refused with one sentence."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.common.errors import BadMove
from companion.remote import deal_protocol, messages
from companion.remote.move_log import LoggedMove
from companion.rules.moves import Go, Undo

GUEST = messages.GameStateMessage(
    is_host=False,
    run="0123456789abcdef",
    name="Zoë",
    count=7,
    mark="f" * 16,
    request=messages.MoveRequest("a1", 7, (("cards", Go(1)), ("phone", Undo()))),
)
HOST = messages.GameStateMessage(
    is_host=True,
    run="0123456789abcdef",
    plan={"game": "six-card"},
    first=3,
    moves=(LoggedMove("phone", {"type": "go", "seat": 0}),),
    refusal=messages.MoveRefusal("a1", "No."),
    why="Because.",
)
FIELDS = st.sampled_from(sorted(json.loads(messages.format_game_message(GUEST))))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("told", [GUEST, HOST], ids=["guest", "host"])
def test_a_letter_is_read_as_it_was_written(told):
    assert messages.parse_game_message(messages.format_game_message(told).encode()) == told


@settings(max_examples=60)
@given(told=st.sampled_from([GUEST, HOST]), changes=st.dictionaries(FIELDS, JSON))
def test_a_field_that_is_another_is_read_or_refused(told, changes):
    changed = json.loads(messages.format_game_message(told)) | changes
    with suppress(BadMove):
        found = messages.parse_game_message(json.dumps(changed).encode())
        assert messages.parse_game_message(messages.format_game_message(found).encode()) == found


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_bytes_that_are_no_letter_are_refused(payload):
    for read in (messages.parse_game_message, deal_protocol.parse_deal_message):
        with pytest.raises(BadMove):
            read(payload)


def test_a_sentence_of_the_other_table_is_short_and_on_one_line():
    assert messages.clean_sentence("One\nTwo\x1b[31m " + "x" * 999) == ("One Two[31m " + "x" * 999)[:400]
