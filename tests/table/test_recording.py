"""`companion trace` as docs/reference/trace.md specifies it: recordings in, conclusions with their times out."""

import json
import re

import pytest

from companion.boards import catalog
from companion.table.recording import run_recording

BOARD = catalog.load_board("classic")
HOME = ["red-start-1", "red-start-2", "blue-start-1", "blue-start-2"]


def holes(ms, *ids):
    return {"ms": ms, "holes": f"{sum(1 << BOARD.by_id[i].bit for i in ids):x}"}


def run(*lines):
    said = []
    run_recording([json.dumps(line).encode() for line in lines], said.append)
    return said


def table(key="pegs-only", **more):
    return {"ms": 0, "table": {"game": key, "seats": 2, "board": "classic", "dealer": 0, "options": {}, **more}}


def events(said):
    return [line for line in said if "event" in line]


def bit(name):
    return BOARD.by_id[name].bit


def test_a_claim_is_told_at_the_quiet_time_whatever_the_ticks():
    lines = [
        table(),
        holes(0, *HOME),
        holes(1000, *HOME[:1], *HOME[2:]),
        holes(1300, "red-start-1", "red-7", *HOME[2:]),
        {"ms": 5000, "tick": True},
    ]
    said = run(*lines)
    assert events(said)[0] == {"ms": 400, "event": "started", "seats": [0, 1]}
    pegged = events(said)[1]
    expected = {"event": "pegged", "seat": 0, "points": 7, "from": bit("red-start-2"), "to": bit("red-7")}
    assert {k: v for k, v in pegged.items() if k != "ms"} == expected
    assert pegged["ms"] == 1700
    ticks = [{"ms": ms, "tick": True} for ms in range(1310, 5000, 70)]
    assert run(*lines[:-1], *ticks, lines[-1]) == said


def test_nothing_later_than_the_last_line_is_concluded():
    said = run(table(), holes(0, *HOME), {"ms": 399, "tick": True})
    assert not events(said)
    assert events(run(table(), holes(0, *HOME), {"ms": 400, "tick": True}))


def test_only_the_last_levels_of_one_millisecond_count():
    once = run(table(), holes(0, *HOME), {"ms": 900, "tick": True})
    assert run(table(), holes(0, "red-5"), holes(0, *HOME), {"ms": 900, "tick": True}) == once


def test_a_second_table_starts_afresh():
    first = [table(), holes(0, *HOME), {"ms": 500, "tick": True}]
    again = [{**table(), "ms": 600}, holes(600, *HOME), {"ms": 1100, "tick": True}]
    assert [e["ms"] for e in events(run(*first, *again))] == [400, 1000]


def test_a_recording_begun_mid_game_knows_pegs_and_moves():
    pegs = [[bit("red-start-1"), bit("red-6")], [bit("blue-start-2"), bit("blue-start-1")]]
    stand = ["red-start-1", "red-6", "blue-start-1", "blue-start-2"]
    moves = [{"type": "peg", "seat": 0, "points": 6}]
    said = run(
        table(pegs=pegs, moves=moves),
        holes(0, *stand),
        holes(1000, "red-6", *stand[2:]),
        holes(1200, "red-6", "red-10", *stand[2:]),
        {"ms": 3000, "tick": True},
    )
    assert [(e["event"], e["points"]) for e in events(said)] == [("pegged", 4)]
    assert [line["award"]["points"] for line in said if "award" in line] == [4]


def test_cards_buttons_and_devices_are_heard_in_a_card_game():
    said = run(
        table("six-card"),
        holes(0, *HOME),
        {"ms": 500, "scan": "JD"},
        {"ms": 500, "press": "undo"},
        {"ms": 600, "move": {"type": "starter", "card": "JD"}},
        {"ms": 700, "device": "sensors", "ok": False},
        {"ms": 900, "device": "sensors", "ok": True},
    )
    assert [line["award"]["reason"] for line in said if "award" in line] == ["his heels", "his heels"]
    assert [e["event"] for e in events(said)] == ["started", "lost", "found"]
    (advised,) = said[-3]["advice"]
    assert advised["kind"] == "peg_forward"
    assert set(advised) == {"kind", "seat", "say", "points", "lift", "place"}


def test_every_wrong_line_is_answered_and_the_rest_goes_on():
    said = []
    wrong = [b"{", b"[]", b'{"ms":-1}', b'{"ms":true}', b"\xff\n", b'{"ms":5,"tick":true}']
    good = [json.dumps(table()).encode(), b'{"ms":1,"holes":"zz"}', b'{"ms":0,"tick":true}', b'{"ms":2,"x":1}']
    more = [json.dumps(holes(3, *HOME)).encode(), b'{"ms":3,"move":{"type":"fly"}}', b'{"ms":500,"tick":true}']
    run_recording([*wrong, json.dumps({**table(), "ms": 5}).encode(), *good, *more], said.append)
    assert all(line["error"].endswith(".") for line in said if "error" in line)
    assert sum("error" in line for line in said) >= 10
    said = run(table(), *[json.loads(line) for line in more[:1]], {"ms": 3, "holes": "zz"}, {"ms": 500, "tick": True})
    assert events(said)[0]["event"] == "started"


def test_a_line_that_is_wrong_is_answered_in_its_place():
    lines = [table("six-card"), {"ms": 1, "scan": "JD"}, "nonsense", {"ms": 1, "scan": "5D"}, {"ms": 0, "tick": True}]
    said = [next(iter(line.keys() - {"ms"})) for line in run(*lines, {"ms": 1, "move": {"type": "go", "seat": 0}})]
    assert [kind for kind in said if kind != "advice"] == ["award", "error", "error", "error"]
    assert said.index("award") < said.index("error")


def test_a_line_is_answered_before_the_next_is_read():
    """Each line is applied when it is fed; only levels wait for later ones of the same millisecond."""
    said, heard = [], []

    def fed():
        for line in (table("six-card"), {"ms": 5, "scan": "JD"}, *[{"ms": 5, "press": "undo"}] * 2):
            yield json.dumps(line).encode()
            heard.append([next(iter(told.keys() - {"ms"})) for told in said])

    run_recording(fed(), said.append)
    assert ["award" in each for each in heard] == [False, True, True, True]
    assert ["error" in each for each in heard] == [False, False, False, True]


def test_a_tap_counts_at_once_what_a_reader_sees_twice_only_after_a_while():
    scans = [{"ms": 1, "scan": "JD"}, {"ms": 2, "press": "undo"}, {"ms": 3, "scan": "JD"}]
    assert sum("award" in line for line in run(table("six-card"), *scans)) == 1
    assert sum("award" in line for line in run(table("six-card"), *scans[:2], {**scans[2], "tapped": True})) == 2


WRONG = [
    {"device": "toaster", "ok": True}, {"device": "sensors"}, {"device": ["sensors"], "ok": True}, {"scan": 5},
    {"scan": "5D", "seat": 2}, {"scan": "5D", "seat": True}, {"scan": "5X", "tapped": True}, {"press": None},
    {"press": "dice", "dice": [7, 1]}, {"move": None}, {"holes": None}, {"holes": "1" + "0" * 200}, {"tick": False}, {},
]  # fmt: skip
NO_TABLES = [
    None, [], {"game": 5}, {"game": "chess"}, {"seats": "2"}, {"seats": True}, {"seats": 9}, {"dealer": 5},
    {"board": []}, {"board": "clasic"}, {"options": "x"}, {"options": {"target": 60}}, {"settings": "x"},
    {"settings": {"quiet": 1}}, {"settings": {"quiet_ms": True}},
    {"moves": 5}, {"moves": [5]}, {"moves": [{"type": "next"}]}, {"pegs": 5},
    {"pegs": [[0, 1]]}, {"pegs": [[0, 1], [2, 999]]}, {"pegs": [[0, 1], [0, 1]]},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_no_line_may_say_is_one_error_and_changes_nothing(wrong):
    around = [table("six-card"), {"ms": 9, "scan": "JD"}]
    alone = run(*around)
    said = run(around[0], {"ms": 9, **wrong}, around[1])
    (error,) = [line for line in said if "error" in line]
    assert re.fullmatch(r"[A-Z\"].+\.", error["error"])
    assert [line for line in said if "error" not in line] == alone


@pytest.mark.parametrize("given", NO_TABLES, ids=str)
def test_what_is_no_table_is_one_error_and_there_is_none(given):
    said = run({"ms": 0, "table": given}, {"ms": 5, "scan": "JD"})
    assert [set(line) for line in said] == [{"ms", "error"}] * 2
    assert all(re.fullmatch(r"[A-Z\"].+\.", line["error"]) for line in said)


def test_a_table_says_only_what_is_not_as_usual():
    whole = table("six-card", settings={}, moves=[])
    lines = [{"ms": 5, "scan": "JD"}, holes(9, *HOME), {"ms": 999, "tick": True}]
    assert run({"ms": 0, "table": {}}, *lines) == run(whole, *lines)
    assert not any("error" in line for line in run({"ms": 0, "table": {}}))


def put_last_claim_back(back):
    """Return what is said where Red, with the back peg in this hole, moves the front peg from 15 to 4."""
    claims = [{"type": "peg", "seat": 0, "points": points} for points in (4, 6, 5)]
    pegs = [[bit(back), bit("red-15")], [bit("blue-start-2"), bit("blue-start-1")]]
    return events(
        run(
            table(pegs=pegs, moves=claims),
            holes(0, back, "red-15", *HOME[2:]),
            holes(1000, back, *HOME[2:]),
            holes(1200, back, "red-4", *HOME[2:]),
            {"ms": 3000, "tick": True},
        )
    )


def test_a_recording_begun_mid_game_knows_where_its_claims_came_from():
    undone = {"ms": 1600, "event": "undone", "seat": 0, "points": 5, "from": bit("red-15"), "to": bit("red-4")}
    assert put_last_claim_back("red-10") == [undone]


def test_pegs_that_the_moves_would_not_have_put_there_have_no_past():
    assert [event["event"] for event in put_last_claim_back("red-7")] == ["unclear"]
