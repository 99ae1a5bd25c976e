"""Messages between two tables: sealed, numbered, read as they were written, and refused in one sentence."""

import base64
import json
from contextlib import suppress
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.common.errors import BadMove, SettingsError
from companion.common.files import NotSaved, PrivateValues
from companion.plugins.remote import messages
from companion.plugins.remote.deal import DealStatement
from companion.plugins.remote.invitation import MAX_INVITATIONS_KEPT, Invitation, load_secret, parse_invitation
from companion.plugins.remote.messages import (
    MAX_PAYLOAD_BYTES,
    NUMBERS_RESERVED,
    LoggedMove,
    MessageRefused,
    OldMessage,
    SecureChannel,
)
from companion.protocol.json_codec import write_move
from companion.rules.moves import Go, Undo

from .conftest import LINK, SECRET


def channel(path, secret=SECRET, **options):
    return SecureChannel(PrivateValues(path), secret, **{"is_host": True} | options)


@pytest.fixture
def ends(tmp_path):
    return channel(tmp_path / "ann"), channel(tmp_path / "bob", is_host=False)


def number_of(sealed):
    return int.from_bytes(base64.b64decode(sealed)[17:25], "big")


def test_a_message_is_read_by_the_other_alone(ends, tmp_path):
    ann, bob = ends
    sealed = ann.seal("game", '{"hand":["5H"]}')
    assert "5H" not in base64.b64decode(sealed).decode("latin-1")
    assert bob.open("game", sealed.encode()) == b'{"hand":["5H"]}'
    with pytest.raises(MessageRefused):
        channel(tmp_path / "eve", bytes(16), is_host=False).open("game", sealed.encode())


def test_every_changed_byte_is_noticed(ends):
    ann, bob = ends
    raw = base64.b64decode(ann.seal("game", "text"))
    for at in range(len(raw)):
        changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with pytest.raises(MessageRefused):
            bob.open("game", base64.b64encode(changed))
    assert bob.open("game", base64.b64encode(raw)) == b"text"


@pytest.mark.parametrize("payload", [b"", b"1", b"{}", b"\xff\xfe", b"AAAA", b"AgAA" * 20, b"AgAA" * MAX_PAYLOAD_BYTES])
def test_an_invalid_message_is_refused(ends, payload):
    with pytest.raises(MessageRefused):
        ends[1].open("game", payload)


def test_a_message_has_one_reader_kind_and_invitation(ends, tmp_path):
    ann, bob = ends
    sealed = ann.seal("game", "text").encode()
    with pytest.raises(MessageRefused):
        ann.open("game", sealed)
    with pytest.raises(MessageRefused):
        bob.open("here", sealed)
    with pytest.raises(MessageRefused):
        channel(tmp_path / "other", b"x" * 16, is_host=False).open("game", sealed)


def test_an_old_message_is_refused_after_a_restart(ends, tmp_path):
    ann, bob = ends
    first, second = (ann.seal("game", text).encode() for text in ("1", "2"))
    bob.open("game", second)
    assert bob.open("game", second) == b"2", "the broker may deliver the newest again"
    restarted = channel(tmp_path / "bob", is_host=False)
    for each in (bob, restarted):
        with pytest.raises(OldMessage):
            each.open("game", first)
    assert restarted.open("game", second) == b"2"


def test_numbers_only_grow_also_after_a_kill(ends, tmp_path):
    numbers = []
    for _ in range(3):
        ann = channel(tmp_path / "ann")
        numbers += [number_of(ann.seal("game", "text")) for _ in range(NUMBERS_RESERVED + 5)]
    assert numbers == sorted({*numbers})


def test_a_number_must_be_saved_before_its_use(ends, monkeypatch):
    ann, bob = ends
    sealed = ann.seal("game", "text").encode()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(NotSaved, match="No space left"):
        bob.open("game", sealed)
    for _ in range(NUMBERS_RESERVED - 1):
        ann.seal("game", "text")
    with pytest.raises(NotSaved, match="No space left"):
        ann.seal("game", "text")
    monkeypatch.undo()
    assert bob.open("game", sealed) == b"text"


def test_the_same_text_is_sealed_differently(tmp_path):
    """Not even if the file of the numbers is lost, so that numbers come again."""
    first = channel(tmp_path / "ann").seal("game", "text")
    (tmp_path / "ann").unlink()
    second = channel(tmp_path / "ann").seal("game", "text")
    assert number_of(first) == number_of(second)
    assert base64.b64decode(first)[25:] != base64.b64decode(second)[25:]


def test_neither_topic_nor_message_reveals_the_secret(ends):
    ann, bob = ends
    assert ann.session == bob.session
    sealed = base64.b64decode(ann.seal("game", "text"))
    for told in (ann.session, sealed.hex()):
        assert SECRET.hex()[:12] not in told
        assert LINK.partition("#")[2] not in told


def test_an_invitation_is_a_link_with_128_bits():
    invitation = parse_invitation(LINK, "home")
    assert invitation == Invitation("home", "ann", SECRET)
    assert len(SECRET) * 8 == 128


@pytest.mark.parametrize("text", ["cribbage://home/ann#", LINK[:-1], LINK + "A", "http://home/ann", "a b", "x" * 65])
def test_an_incomplete_invitation_is_refused(text):
    with pytest.raises(SettingsError, match="whole invitation"):
        parse_invitation(text, "home")


def test_secrets_are_saved_for_their_owner_alone(tmp_path):
    path = tmp_path / "secrets"
    made = load_secret(PrivateValues(path), "to bob", b"", is_host=True)
    assert made == load_secret(PrivateValues(path), "to bob", b"", is_host=True)
    assert made != load_secret(PrivateValues(path), "to carol", b"", is_host=True)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(SettingsError, match="whole invitation once"):
        load_secret(PrivateValues(path), "from dora", b"", is_host=False)


OTHER_SECRET = b"n" * 16


def join(path, secret, name="from ann"):
    """Return the channel of a guest that starts with this invitation."""
    saved = PrivateValues(path)
    return SecureChannel(saved, load_secret(saved, name, secret, is_host=False), is_host=False)


@pytest.mark.parametrize("name", ["from ann", "from anna"])
def test_an_invitation_that_returns_keeps_its_numbers(tmp_path, name):
    """A, then B, then A again, also if the host's board was renamed meanwhile."""
    ann, path = channel(tmp_path / "ann"), tmp_path / "bob"
    old, new = (ann.seal("game", text).encode() for text in ("old", "new"))
    bob = join(path, SECRET)
    assert bob.open("game", new) == b"new"
    last = number_of(bob.seal("game", "mine"))
    other = join(path, OTHER_SECRET)
    assert number_of(other.seal("game", "mine")) == 1
    assert other.open("game", channel(tmp_path / "eve", OTHER_SECRET).seal("game", "first").encode()) == b"first"
    again = join(path, SECRET, name)
    with pytest.raises(OldMessage):
        again.open("game", old)
    assert again.open("game", new) == b"new"
    assert number_of(again.seal("game", "mine")) > last


def test_an_older_versions_numbers_stay_with_their_secret(tmp_path):
    numbers = {"sent from ann": 500, "received from ann": {"game": 2}, "secret from ann": SECRET.hex()}
    PrivateValues(tmp_path / "bob").save(numbers)
    ann = channel(tmp_path / "ann")
    old, new = (ann.seal("game", text).encode() for text in ("old", "new"))
    join(tmp_path / "bob", OTHER_SECRET)
    again = join(tmp_path / "bob", SECRET)
    assert number_of(again.seal("game", "mine")) == 501
    assert again.open("game", new) == b"new"
    with pytest.raises(OldMessage):
        again.open("game", old)
    assert "sent from ann" not in {k for k, v in json.loads((tmp_path / "bob").read_text()).items() if v}


def test_numbers_of_the_last_invitations_are_kept(tmp_path):
    for number in range(MAX_INVITATIONS_KEPT + 5):
        join(tmp_path / "bob", number.to_bytes(16, "big")).seal("game", "mine")
        join(tmp_path / "bob", SECRET).seal("game", "mine")
    assert len(json.loads((tmp_path / "bob").read_text())["numbers"]) == MAX_INVITATIONS_KEPT
    assert number_of(join(tmp_path / "bob", SECRET).seal("game", "mine")) > NUMBERS_RESERVED * MAX_INVITATIONS_KEPT


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
