"""A message with an invalid field is refused with its reason, and nothing of it is stored."""

import json

import pytest

from companion.plugins.club import archive as archive_module
from companion.plugins.club import queries
from companion.plugins.club.app import create_club_app
from companion.plugins.club.archive import Archive
from companion.rules.moves import Peg
from tests.plugins.club.reported_moves import BELOW, WIN, report_moves, send_messages

ANN, BOB = {"seat": 0, "side": 0, "name": "Ann"}, {"seat": 1, "side": 1, "name": "Bob"}
DEEP = json.loads("[" * 40 + "]" * 40)
STATES = [
    {"run": "a\ud800"}, {"run": "a/b"}, {"run": "x" * 65}, {"run": None}, {"moves": 10**30}, {"moves": -1},
    {"moves": True}, {"moves": 1.0}, {"moves": None}, {"players": None}, {"players": []}, {"players": [ANN]},
    {"players": [ANN, ANN]}, {"players": [BOB, ANN]}, {"players": [ANN, BOB, BOB]}, {"players": {"0": "Ann"}},
    {"players": [ANN, "Bob"]}, {"players": [ANN, BOB | {"name": ["Bob"]}]}, {"players": [ANN, BOB | {"name": 3}]},
    {"players": [ANN, BOB | {"name": ""}]}, {"players": [ANN, BOB | {"name": "Bob\u202e"}]},
    {"players": [ANN, BOB | {"name": "B" * 49}]}, {"players": [ANN, BOB | {"side": 0}]},
    {"players": [ANN, BOB | {"seat": "1"}]}, {"game": None}, {"game": "pegs-only"}, {"game": {}},
    {"game": {"key": ["six-card"]}}, {"game": {"key": "pegs-only", "seats": True}},
    {"game": {"key": "pegs-only", "seats": 10**9}}, {"game": {"key": "pegs-only", "dealer": "0"}},
    {"game": {"key": "pegs-only", "dealer": 4}}, {"game": {"key": "pegs-only", "options": {"target": 61}}},
    {"game": {"key": "pegs-only", "options": [1]}}, {"game": {"key": "bases", "spaces": {"home-first": 3}}},
    {"game": {"key": "bases", "spaces": [1]}}, {"more": DEEP},
]  # fmt: skip
MOVES = [
    {"ms": 10**30}, {"ms": -1}, {"ms": 253_402_300_800_000}, {"ms": True}, {"ms": "1"}, {"by": None}, {"by": "x" * 200},
    {"hash": None}, {"hash": 3}, {"move": []}, {"move": {"type": "peg", "seat": True, "points": 10}},
    {"move": {"type": "peg", "seat": 2, "points": 10}}, {"awards": None}, {"awards": [[]]}, {"awards": []},
    {"scores": [10.0, 0]}, {"scores": [True, 0]}, {"scores": None}, {"scores": [10]}, {"n": True}, {"run": "r2"},
    {"more": DEEP},
]  # fmt: skip
TOPICS = [
    (f"{BELOW}/online", "yes"), (f"{BELOW}/online", ""), (f"{BELOW}/state", "{"), (f"{BELOW}/state", "[]"),
    (f"{BELOW}/state", '{"run":"r1","run":"r2"}'), (f"{BELOW}/state", " " * 70000), (f"{BELOW}/move/r1/x", "{}"),
    (f"{BELOW}/move/r1/0", "{}"), (f"{BELOW}/move/r1/9999999999", "{}"), (f"{BELOW}/move/r 1/1", "{}"),
    (f"{BELOW}/state", '{"run":"r1","moves":1,"game":{"key":"whist"}}'), (f"{BELOW}/state", '{"run":3}'),
    (f"{BELOW}/state", '{"run":"r1","moves":1,"game":{"key":"six-card","seats":9}}'), (f"{BELOW}/move/r1/1/2", "{}"),
    (f"{BELOW}/move/r1/1", "[" * 9000), (f"{BELOW}/online", "?"),
    (f"{BELOW}/move/r1", "{}"), ("cribbage/1/no rth/table-3/online", "1"), ("cribbage/1/north/a\0b/online", "1"),
]  # fmt: skip


def refusals(store):
    return [(refusal["club"], refusal["board"], refusal["why"]) for refusal in queries.archive_health(store)["refused"]]


def check_pages(store):
    """Every page and file of the club answers, with what was stored before."""
    client = create_club_app(store, "key").test_client()
    for address in ("/", *(f"/api/club/{page}" for page in ("room", "tables", "results", "standings", "export"))):
        assert client.get(address).status_code == 200, address


INVALID = [(1, "run", wrong) for wrong in STATES] + [(2, "move", wrong) for wrong in MOVES]


@pytest.mark.parametrize(("line", "table", "wrong"), INVALID, ids=lambda part: json.dumps(part)[:60])
def test_an_invalid_message_is_refused_and_pages_stay(store, line, table, wrong):
    """A wrong state or move stores nothing in its table. The right messages are taken afterwards."""
    archive, lines = Archive(store), report_moves(WIN)
    topic, text = lines[line]
    send_messages(archive, [*lines[:line], (topic, json.dumps(json.loads(text) | wrong))])
    ((club, board, why),) = refusals(store)
    assert (club, board, why.endswith(".")) == ("north", "table-3", True)
    assert store.query(f"SELECT * FROM {table}") == []
    send_messages(archive, lines)
    assert store.query("SELECT count(*) FROM move") == [(len(WIN),)]
    assert queries.list_results(store)[0]["players"] == ["Ann", "Bob"]
    check_pages(store)


@pytest.mark.parametrize(("topic", "payload"), TOPICS)
def test_other_nonsense_is_refused_under_a_printable_name(store, topic, payload):
    archive = Archive(store)
    send_messages(archive, [(topic, payload), *report_moves([Peg(0, 5)])])
    ((club, board, why),) = refusals(store)
    assert (club, board) in [("north", "table-3"), ("no?rth", "table-3"), ("north", "a?b")]
    assert why.endswith(".")
    assert store.query("SELECT board FROM board") == [("table-3",)]
    assert store.query("SELECT count(*) FROM move") == [(1,)]


def test_unused_fields_are_not_stored(store):
    lines = report_moves([Peg(0, 5)])
    lines[1:] = [(topic, json.dumps(json.loads(text) | {"more": "secret"})) for topic, text in lines[1:]]
    send_messages(Archive(store), [(f"{BELOW}/upto", "{}"), *lines])
    assert (store.query("SELECT count(*) FROM move"), refusals(store)) == ([(1,)], [])
    assert "secret" not in str([store.query(f"SELECT * FROM {table}") for table in ("run", "move", "board")])


def test_endless_nonsense_fills_neither_list_nor_disk(store, monkeypatch):
    monkeypatch.setattr(archive_module, "MAX_REFUSALS_KEPT", 10)
    clock = iter(range(10**6))
    monkeypatch.setattr(archive_module, "now_ms", lambda: next(clock))
    archive = Archive(store)
    for n in range(100):
        send_messages(archive, [(f"{BELOW}/move/r1/{n + 1}", "{}")])
    send_messages(archive, [("cribbage/1/north/table-4/online", "?")])
    assert [board for _, board, _ in refusals(store)].count("table-3") == 10
    assert [board for _, board, _ in refusals(store)].count("table-4") == 1


def test_a_bug_costs_one_message_alone(store, monkeypatch):
    archive, lines = Archive(store), report_moves([Peg(0, 5)])
    with monkeypatch.context() as patched:
        patched.setattr(archive_module.messages, "read_state_message", lambda *_: 1 / 0)
        send_messages(archive, lines[1:2])
    assert refusals(store) == [("north", "table-3", "The archive cannot use this message. Its log says why.")]
    send_messages(archive, lines)
    assert store.query("SELECT count(*) FROM move") == [(1,)]
