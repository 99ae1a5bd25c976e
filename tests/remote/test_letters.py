"""What two tables write to each other is read back as it was; what is no letter is refused in one sentence."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.common.errors import BadMove
from companion.remote import deal_protocol, messages
from companion.remote.move_log import Made
from companion.rules.moves import Go, Undo

GUEST = messages.Letter(
    is_host=False,
    run="0123456789abcdef",
    name="Zoë",
    count=7,
    mark="f" * 16,
    ask=messages.Ask("a1", 7, (("cards", Go(1)), ("phone", Undo()))),
)
HOST = messages.Letter(
    is_host=True,
    run="0123456789abcdef",
    plan={"game": "six-card"},
    first=3,
    told=(Made("phone", {"type": "go", "seat": 0}),),
    answer=messages.Answer("a1", "No."),
    why="Because.",
)
FIELDS = st.sampled_from(sorted(json.loads(messages.write(GUEST))))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("told", [GUEST, HOST], ids=["guest", "host"])
def test_a_letter_is_read_as_it_was_written(told):
    assert messages.read(messages.write(told).encode()) == told


@settings(max_examples=60, deadline=None)
@given(told=st.sampled_from([GUEST, HOST]), changes=st.dictionaries(FIELDS, JSON))
def test_a_field_that_is_another_is_read_or_refused(told, changes):
    changed = json.loads(messages.write(told)) | changes
    with suppress(BadMove):
        found = messages.read(json.dumps(changed).encode())
        assert messages.read(messages.write(found).encode()) == found


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60))
def test_bytes_that_are_no_letter_are_refused(payload):
    for read in (messages.read, deal_protocol.read):
        with pytest.raises(BadMove):
            read(payload)


def test_a_sentence_of_the_other_table_is_short_and_on_one_line():
    assert messages.said("One\nTwo\x1b[31m " + "x" * 999) == ("One Two[31m " + "x" * 999)[:400]
