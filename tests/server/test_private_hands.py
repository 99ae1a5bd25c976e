"""Private hands: visible only to their browser until a card is played."""

import contextlib
import errno
import itertools
import json
import sqlite3

import pytest

from companion.common.errors import JournalError
from companion.http.sessions import MAX_SESSIONS
from companion.opponent import private_hands
from companion.opponent.private_hands import PrivateHands
from companion.rules import Setup
from companion.rules import find_game as game_by_key
from companion.rules.cards import parse_card
from tests.server.conftest import join_table

HAND = ["5H", "TD", "JS", "AC", "9C", "2S"]


def phone(app, seat=None):
    """Return a phone that has joined, with a seat unless that is None."""
    client = join_table(app.test_client())
    if seat is not None:
        assert client.post("/api/seat", json={"seat": seat}).status_code == 201
    return client


def move(client, kind, code=201, **fields):
    reply = client.post("/api/moves", json={"type": kind, **fields})
    assert reply.status_code == code, reply.json
    return reply.json


def enter(client, *cards, code=201):
    reply = client.post("/api/hand", json={"cards": list(cards)})
    assert reply.status_code == code, reply.json
    return reply.json


def test_a_hand_is_for_its_browser_alone(app, watcher):
    ann, ben = phone(app, 0), phone(app, 0)
    assert enter(ann, *HAND) == {"cards": HAND}
    assert ann.get("/api/hand").json == {"cards": HAND}
    assert ben.get("/api/hand").json == {"cards": []}
    for other in (watcher, phone(app)):
        reply = other.get("/api/hand")
        assert (reply.status_code, list(reply.json)) == (404, ["error"])
    assert ann.get("/api/seat").json == {"seat": 0}
    assert watcher.get("/api/seat").json == {"seat": None}


@pytest.mark.parametrize(("hand", "left"), [
    (["5H", "TD", "JS", "AC"], ["TD", "JS", "AC"]), (["5H", "6H", "JS", "AC"], ["5H", "JS", "AC"]),
])  # fmt: skip
def test_a_corrected_card_leaves_the_hand_as_meant(app, hand, left):
    ann = phone(app, 1)
    move(ann, "starter", card="KD")
    enter(ann, *hand)
    move(ann, "play", seat=1, card="5H")
    move(ann, "correct", card="5H", to="6H")
    assert ann.get("/api/hand").json == {"cards": left}
    move(ann, "undo")
    move(ann, "undo")
    assert ann.get("/api/hand").json == {"cards": hand}


def test_another_seat_has_no_hand(app):
    ann = phone(app, 0)
    enter(ann, *HAND)
    ann.post("/api/seat", json={"seat": 0})
    assert ann.get("/api/hand").json == {"cards": HAND}
    ann.post("/api/seat", json={"seat": 1})
    assert ann.get("/api/hand").json == {"cards": []}
    assert ann.post("/api/seat", json={"seat": None}).json == {"seat": None}
    assert ann.get("/api/hand").status_code == 404


def test_played_cards_return_with_an_undo(app):
    ann = phone(app, 1)
    enter(ann, *HAND)
    move(ann, "starter", card="KD")
    assert ann.get("/api/hand").json == {"cards": HAND}, "entered before the cut, it stays"
    move(ann, "play", seat=1, card="5H")
    assert ann.get("/api/hand").json == {"cards": HAND[1:]}
    move(ann, "undo")
    assert ann.get("/api/hand").json == {"cards": HAND}
    move(ann, "card", card="TD")
    assert enter(ann, "TD", "5H") == {"cards": ["5H"]}, "a hand may name what it has played"


def played_through(client):
    """Play the rest of a deal, from the cut to its end."""
    move(client, "starter", card="KD")
    for seat, card in ((1, "5H"), (0, "TH"), (1, "3D"), (0, "2C"), (1, "6S"), (0, "4H"), (1, "AH"), (0, "8H")):
        move(client, "play", seat=seat, card=card)
    move(client, "crib", cards=["2H", "3H", "7C", "QS"])


@pytest.mark.parametrize("kind", ["next", "starter", "misdeal"])
def test_the_next_deal_empties_it(app, kind):
    ann = phone(app, 0)
    if kind == "misdeal":
        move(ann, "starter", card="KD")
    else:
        played_through(ann)
    enter(ann, "9C", "9D")
    assert ann.get("/api/hand").json == {"cards": ["9C", "9D"]}
    move(ann, kind, **({"card": "KS"} if kind == "starter" else {}))
    assert ann.get("/api/hand").json == {"cards": []}
    if kind == "next":
        move(ann, "undo")
        assert ann.get("/api/hand").json == {"cards": []}


def test_another_game_empties_it(app):
    ann = phone(app, 1)
    enter(ann, *HAND)
    assert ann.post("/api/table", json={"game": "five-card"}).status_code == 201
    assert ann.get("/api/hand").json == {"cards": []}
    enter(ann, *HAND, code=409)
    assert ann.post("/api/table", json={"game": "shuffle"}).status_code == 201
    assert ann.get("/api/hand").status_code == 404, "there is no seat 1 there"


@pytest.mark.parametrize("key", ["swap", "pegs-only", "shuffle"])
def test_a_game_without_hands_has_an_empty_one(app, caplog, key):
    ann = phone(app, 0)
    enter(ann, *HAND)
    assert ann.post("/api/table", json={"game": key}).status_code == 201
    assert ann.get("/api/hand").json == {"cards": []}
    assert ann.get("/api/hand/hint").status_code == 409
    assert not caplog.records


@pytest.mark.parametrize(("cards", "code", "says"), [
    ([*HAND, "3C"], 409, "A hand has at most 6 cards here."), (["5H", "5H"], 409, "The same card was entered twice."),
    (["KD"], 409, "The king of diamonds has already been seen in this deal."), (["5X"], 400, "The cards must be"),
    ([5], 400, "a list of texts"), ("5H", 400, "a list of texts"),
])  # fmt: skip
def test_an_invalid_hand_leaves_the_one_before(app, cards, code, says):
    ann = phone(app, 1)
    move(ann, "starter", card="KD")
    enter(ann, *HAND)
    refused = ann.post("/api/hand", json={"cards": cards})
    assert (refused.status_code, says in refused.json["error"]) == (code, True)
    assert ann.get("/api/hand").json == {"cards": HAND}


def test_a_hand_needs_a_seat_and_a_player(app, watcher):
    ann = phone(app)
    assert "Take a seat first" in enter(ann, *HAND, code=409)["error"]
    for path, body in (("/api/seat", {"seat": 0}), ("/api/hand", {"cards": HAND})):
        assert watcher.post(path, json=body).status_code == 403
    for seat in (2, -1, True, 1.0, "0"):
        assert ann.post("/api/seat", json={"seat": seat}).status_code == 400
    assert ann.post("/api/seat", json={}).status_code == 400
    assert ann.post("/api/hand", json=[]).status_code == 400


@pytest.mark.parametrize(
    ("key", "seats", "dealt"),
    [
        ("six-card", 2, (6, 6)), ("six-card", 3, (5, 5, 5)), ("six-card", 4, (5,) * 4), ("five-card", 2, (5, 5)),
        ("pursuit", 2, (6, 6)), ("pursuit", 5, (4, 5, 5, 5, 5)), ("bases", 2, (6, 6)), ("bases", 4, (5,) * 4),
        ("swap", 2, ()), ("shuffle", 1, ()), ("pegs-only", 2, ()),
    ],
)  # fmt: skip
def test_the_right_number_of_cards_is_dealt(key, seats, dealt):
    game = game_by_key(key)
    assert game.count_cards_dealt(game.start(Setup(seats, 0))) == dealt


def test_no_other_phone_receives_an_unplayed_card(app, watcher, table, tmp_path, caplog):
    """The cards are searched for in every answer to other cookies, in the journal's files and in the log."""
    caplog.set_level(0)
    ann, ben = phone(app, 1), phone(app, 0)
    hidden = ["7H", "8D", "9S", "TC"]
    enter(ann, *hidden)
    enter(ann, *hidden, "7H", code=409)
    move(ben, "starter", card="KD")
    enter(ann, *hidden)
    left = list(hidden)
    for turn in itertools.count():
        others = [watcher.get(path) for path in paths(app)] + [ben.get(path) for path in paths(app)]
        told = b"".join(reply.get_data() for reply in others)
        with contextlib.closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as db:
            db.execute("PRAGMA wal_checkpoint")
        on_disk = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        shown = json.dumps([record.getMessage() for record in caplog.records]).encode()
        for card in left:
            quoted = f'"{card}"'.encode()
            assert quoted not in told
            assert quoted not in on_disk
            assert card.encode() not in shown
        if turn == len(hidden):
            break
        card = left.pop(0) if turn % 2 == 0 else None
        if card:
            move(ann, "play", seat=1, card=card)
            assert f'"{card}"'.encode() in ben.get("/api/state").get_data()
        else:
            move(ben, "play", seat=0, card=f"A{'CD'[turn // 2]}")


def paths(app):
    """Return all addresses without parameters that answer a GET at once."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments]
    return [rule.rule for rule in rules if rule.rule != "/api/stream"]


@pytest.fixture
def saved(table, tmp_path):
    """Return a function that returns the hands as read from the file, and the file."""
    path = tmp_path / "journal.hands"
    return lambda: PrivateHands(table, path), path


def test_a_hand_that_cannot_be_saved_changes_nothing(saved, monkeypatch):
    load, _ = saved
    hands = load()
    hands.bind_seat("ann", 1)
    hands.enter_hand("ann", [parse_card("5H")])

    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(private_hands, "write_private_file", fail)
    for attempt in (
        lambda: hands.bind_seat("ann", 0),
        lambda: hands.bind_seat("ann", None),
        lambda: hands.enter_hand("ann", [parse_card("6H")]),
    ):
        with pytest.raises(JournalError, match="could not be saved"):
            attempt()
    for known in (hands, load()):
        assert (known.seat_of("ann"), known.remaining_hand("ann")) == (1, [parse_card("5H")])


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "[[1]]", "null", '{"ann":1}', '{"ann":{"seat":"x"}}', '{"ann":{"seat":1}}',
        '{"ann":{"seat":1,"cards":["XX"],"deal":1,"entry":0,"is_early":false}}',
        '{"ann":{"seat":1,"cards":["5H"],"deal":1,"entry":99,"is_early":false}}',
        '{"ann":{"seat":1,"cards":["5H"],"deal":2,"entry":0,"is_early":false}}',
    ],
)  # fmt: skip
def test_a_damaged_file_shows_no_cards(saved, text):
    load, path = saved
    path.write_text(text)
    hands = load()
    assert hands.remaining_hand("ann") in (None, [])
    hands.bind_seat("ann", 0)
    assert load().seat_of("ann") == 0


def test_the_file_keeps_a_hand_per_session(saved):
    load, _ = saved
    hands = load()
    for number in range(MAX_SESSIONS + 5):
        hands.bind_seat(str(number), 0)
    assert [load().seat_of(str(number)) for number in (0, 4, 5, MAX_SESSIONS + 4)] == [None, None, 0, 0]
