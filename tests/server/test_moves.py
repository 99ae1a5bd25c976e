"""Moves and rulings over HTTP: invalid, illegal, answered, and refused where there is nothing to rule on."""

import contextlib
import json
import socket
from dataclasses import replace

import pytest

from companion.protocol.json_codec import encode_snapshot
from companion.table.setup import create_plan
from tests.support.tables import open_table
from tests.support.waiting import PATIENCE_S, run_together

STARTER = {"type": "starter", "card": "JD"}
UNDO = {"type": "undo"}
NO_MOVES = [
    b"", b" ", b"null", b"[]", b"1", b'"next"', b"{", b"{}", b'{"type":null}', b'{"type":1}', b'{"type":"nxt"}',
    b'{"type":"next"}{"type":"next"}', b'{"type":"next",}', b"\xff\xfe", b"\x00",
    b'{"type":"play","seat":true,"card":"5H"}', b'{"type":"play","seat":1.0,"card":"5H"}',
    b'{"type":"play","seat":"1","card":"5H"}', b'{"type":"play","seat":2,"card":"5H"}',
    b'{"type":"play","seat":-1,"card":"5H"}', b'{"type":"play","seat":1}', b'{"type":"play","card":"5H"}',
    b'{"type":"play","seat":1,"card":"5X"}', b'{"type":"play","seat":1,"card":5}',
    b'{"type":"adjust","seat":0,"points":NaN}', b'{"type":"adjust","seat":0,"points":Infinity}',
    b'{"type":"adjust","seat":0,"points":1e400}', b'{"type":"adjust","seat":0,"points":' + b"9" * 5000 + b"}",
    b'{"type":"adjust","seat":0,"points":true}', b'{"type":"adjust","seat":5,"points":1}',
    b'{"type":"crib","cards":[' + b"[" * 4000 + b"]" * 4000 + b"]}", b"[" * 15000, b'{"a":' * 2700 + b"1" + b"}" * 2700,
    b'{"type":"starter","card":"5D","x":"\\ud800"}', b'{"type":"starter","card":"5D","x":NaN}',
    b'{"type":"card"}', b'{"type":"card","card":5}', b'{"type":"card","card":"5X"}', b'{"type":"starter","card":"5D"',
]  # fmt: skip


def send(client, data):
    return client.post("/api/moves", data=data, content_type="application/json")


def test_an_invalid_move_is_refused_and_changes_nothing(player, table):
    number = table.snapshot.number
    for body in NO_MOVES:
        reply = send(player, body)
        assert (body[:60], reply.status_code, list(reply.json)) == (body[:60], 400, ["error"])
        assert 0 < len(reply.json["error"]) <= 400
    assert table.snapshot.number == number


def test_an_illegal_move_is_a_conflict(player, table):
    number = table.snapshot.number
    for move in ({"type": "next"}, UNDO, {"type": "go", "seat": 0}, {"type": "peg", "seat": 0, "points": 2}):
        reply = player.post("/api/moves", json=move)
        assert (move, reply.status_code, list(reply.json)) == (move, 409, ["error"])
    assert table.snapshot.number == number


def test_the_answer_is_the_snapshot_after_the_move(player, table):
    reply = player.post("/api/moves", json={"type": "starter", "card": "JD", "and": "unknown fields are ignored"})
    assert (reply.status_code, reply.mimetype) == (201, "application/json")
    assert reply.json == encode_snapshot(table.snapshot) == player.get("/api/state").json
    assert (reply.json["moves"], reply.json["phase"], reply.json["scores"]) == (1, "play", [2, 0])
    assert reply.json["last"]["by"] == "phone"


def test_ten_has_two_forms_and_is_written_t(player):
    assert player.post("/api/moves", json={"type": "starter", "card": "10D"}).json["starter"] == "TD"


def test_a_tapped_card_does_what_scanning_it_would(player):
    shown = player.post("/api/moves", json={"type": "card", "card": "5D"}).json
    assert (shown["phase"], shown["starter"]) == ("play", "5D")
    shown = player.post("/api/moves", json={"type": "card", "card": "TH"}).json
    assert (shown["played"], shown["turn"]) == ([[], ["TH"]], 0)
    assert player.post("/api/moves", json={"type": "card", "card": "TH"}).status_code == 409


def test_only_json_with_any_charset_is_read(player):
    for kind, code in (
        ("application/json; charset=utf-8", 201), ("text/json", 415), ("application/jsonx", 415), ("", 415),
    ):  # fmt: skip
        reply = player.post("/api/moves", data=b'{"type":"starter","card":"5D"}', content_type=kind)
        assert (kind, reply.status_code) == (kind, code)
        player.post("/api/moves", json=UNDO)


def test_one_byte_above_sixteen_kib_is_too_large(player):
    body = json.dumps({"type": "starter", "card": "5D"}).encode()
    assert send(player, body.ljust(16 * 1024 + 1)).status_code == 413
    assert send(player, body.ljust(16 * 1024)).status_code == 201


def send_chunked(port, cookie, body, more=""):
    """Send a POST with a chunked body; return the status."""
    head = "POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Transfer-Encoding: chunked\r\nConnection: close\r\nCookie: {cookie}\r\n{more}\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.sendall(head.encode())
        for at in range(0, len(body), 1000):
            part = body[at : at + 1000]
            line.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        line.sendall(b"0\r\n\r\n")
        return int(line.makefile("rb").readline().split()[1])


def test_a_body_in_chunks_is_measured_too(serving, phone, table):
    cookie = phone.cookie["Cookie"]
    body = json.dumps({"type": "starter", "card": "5D"}).encode()
    assert send_chunked(serving.port, cookie, body.ljust(16 * 1024 + 1)) == 413
    assert send_chunked(serving.port, "", body.ljust(16 * 1024 + 1)) == 413
    assert send_chunked(serving.port, cookie, body.ljust(200_000), "Origin: null\r\n") == 403
    assert table.snapshot.moves == 0
    assert send_chunked(serving.port, cookie, body) == 201
    assert table.snapshot.moves == 1


def test_many_phones_make_one_line_of_moves(phone, table):
    def tap():
        return [phone.post("/api/moves", move)[0] for move in (STARTER, UNDO) * 5]

    codes = [code for answers in run_together(tap) for code in answers]
    assert set(codes) <= {201, 409}
    assert codes.count(201) == table.snapshot.moves >= 10


def test_a_closed_table_takes_no_move(player, table):
    table.close()
    reply = player.post("/api/moves", json={"type": "starter", "card": "5D"})
    assert (reply.status_code, list(reply.json)) == (409, ["error"])


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_no_other_verb_does_anything(player, table, method):
    number = table.snapshot.number
    for path in ("/api/moves", "/api/state", "/api/stream", "/", "/api/me"):
        reply = player.open(path, method=method, json={"type": "starter", "card": "5D"})
        assert (path, reply.status_code, list(reply.json)) == (path, 405, ["error"])
    assert table.snapshot.number == number


@pytest.mark.parametrize("address", ["/api/moves", "/api/players"])
def test_a_repeated_field_is_refused(player, address):
    reply = player.post(address, data='{"type":"undo","seat":0,"seat":1}', content_type="application/json")
    assert (reply.status_code, reply.json) == (400, {"error": "The JSON has the same field twice."})


def post_tap(client, move, key):
    return client.post("/api/moves", json=move, headers={"Idempotency-Key": key})


def test_a_tap_sent_twice_is_one_move(player, table):
    """A request that is repeated, because its answer was lost, gets the first answer and changes nothing."""
    first = post_tap(player, STARTER, "test/0/a")
    player.post("/api/moves", json={"type": "play", "seat": 1, "card": "5H"})
    again = post_tap(player, STARTER, "test/0/a")
    assert (again.status_code, again.json) == (201, first.json)
    for key, moves in (("test/2/b", 3), ("test/2/b", 3), ("test/3/c", 4)):
        assert post_tap(player, UNDO, key).json["moves"] == moves
    assert (table.snapshot.moves, player.get("/api/state").json["phase"]) == (4, "cut")


def test_taps_of_two_phones_both_count(player):
    """The key names the tap: two phones that undo the same state take back two moves."""
    for move in (STARTER, {"type": "play", "seat": 1, "card": "5H"}):
        player.post("/api/moves", json=move)
    assert [post_tap(player, UNDO, f"test/2/{tap}").status_code for tap in ("a", "b")] == [201, 201]
    assert player.get("/api/state").json["phase"] == "cut"


def test_a_refused_tap_is_refused_again(player):
    """Even if the same move has become legal: whoever repeats a request wants its answer."""
    refusals = [post_tap(player, UNDO, "test/0/a")]
    player.post("/api/moves", json=STARTER)
    refusals.append(post_tap(player, UNDO, "test/0/a"))
    assert [(each.status_code, each.json) for each in refusals] == [(409, refusals[0].json)] * 2
    assert player.get("/api/state").json["moves"] == 1


def test_a_tap_repeated_at_once_waits(phone, table):
    """The same tap on eight connections at the same moment is one move with one answer."""

    def send_tap():
        body, headers = json.dumps(STARTER), {"Content-Type": "application/json", "Idempotency-Key": "test/0/a"}
        return phone.ask("POST", "/api/moves", body, headers)[::2]

    answers = run_together(send_tap)
    assert answers == [(201, answers[0][1])] * 8
    assert table.snapshot.moves == 1


@pytest.mark.parametrize(("key", "code"), [("old/0/a", 409), ("old/1/a", 201), ("test/0/a", 201)])
def test_a_restart_forgets_taps(player, key, code):
    """After a restart a tap is made only if no move was made since it: the table no longer knows what it was told."""
    player.post("/api/moves", json=STARTER)
    assert post_tap(player, UNDO, key).status_code == code


@pytest.mark.parametrize("key", ["", "a", "test/0", "test/x/a", "test/0/a/b", "test/0/" + "a" * 41, "test/0/ä"])
def test_an_invalid_key_is_refused(player, table, key):
    assert post_tap(player, STARTER, key).status_code == 400
    assert table.snapshot.moves == 0


def test_only_the_newest_keys_are_remembered(player, monkeypatch):
    monkeypatch.setattr("companion.server.routes.table.MAX_KEYS", 2)
    for key, code in (("a", 201), ("b", 409), ("b", 409), ("a", 201), ("c", 409), ("a", 409)):
        assert (key, post_tap(player, STARTER, f"test/0/{key}").status_code) == (key, code)


@pytest.fixture
def table(tmp_path):
    plan = replace(create_plan("six-card", options={"counting": "manual", "policy": "tournament"}), is_plain=True)
    with contextlib.closing(open_table(tmp_path, plan)) as opened:
        yield opened


def test_a_ruling_stays_until_it_is_answered(player):
    for move in (
        {"type": "starter", "card": "8S"},
        {"type": "play", "seat": 1, "card": "5H"},
        {"type": "play", "seat": 0, "card": "TD"},
        {"type": "claim", "seat": 0, "points": 5},
    ):
        assert player.get("/api/state").json["ruling"] is None
        assert player.post("/api/moves", json=move).status_code == 201
    ruling = player.get("/api/state").json["ruling"]
    assert ruling == {
        "rule": "8.4c",
        "side": 0,
        "say": "Red pegged too many and goes back: 3 points for Blue.",
        "moves": [{"type": "adjust", "seat": 1, "points": 3}],
    }
    for body in (b'{"type":"rule"}', b'{"type":"rule","accept":1}', b'{"type":"rule","accept":true,"seen":"all"}'):
        assert send(player, body).status_code == 400
    reply = player.post("/api/moves", json={"type": "rule", "accept": True})
    assert (reply.status_code, reply.json["ruling"], reply.json["scores"]) == (201, None, [2, 3])
    assert player.post("/api/moves", json={"type": "rule", "accept": True}).status_code == 409
    assert player.post("/api/moves", json={"type": "undo"}).json["ruling"] == ruling
    reply = player.post("/api/moves", json={"type": "rule", "accept": False})
    assert (reply.json["ruling"], reply.json["scores"]) == (None, [2, 0])


def test_a_phone_cannot_say_what_the_pegs_saw(player):
    for move in (
        {"type": "starter", "card": "JS"},
        {"type": "play", "seat": 1, "card": "5H"},
        {"type": "play", "seat": 0, "card": "6D"},
    ):
        player.post("/api/moves", json=move)
    reply = player.post("/api/moves", json={"type": "rule", "accept": True, "seen": "heels"})
    assert (reply.status_code, player.get("/api/state").json["scores"]) == (409, [2, 0])


def test_a_player_calls_what_the_page_lists(player):
    calls = player.get("/api/judge").json["calls"]
    chosen = next(each for each in calls if each["move"] == {"type": "infringement", "seat": 1, "what": "crib-first"})
    assert (chosen["rule"], chosen["say"]) == ("5.2b", "Blue looked at the crib before discarding")
    ruling = player.post("/api/moves", json=chosen["move"]).json["ruling"]
    assert ruling["say"].startswith("Blue looked at the crib before discarding: 2 points for Red")
    assert player.post("/api/moves", json={"type": "rule", "accept": True}).json["scores"] == [2, 0]
    assert player.post("/api/moves", json=chosen["move"] | {"what": "all"}).status_code == 400
    assert player.post("/api/moves", json=chosen["move"] | {"what": "late-heels"}).status_code == 409
    german = player.get("/api/judge?lang=de").json["calls"]
    assert "Blau hat vor dem Ablegen in den Crib gesehen" in [each["say"] for each in german]


def test_a_phone_cannot_call_its_own_seat(player):
    def count_offers(seat):
        calls = [each["move"] for each in player.get("/api/judge").json["calls"]]
        return sum((each["seat"], each["what"]) == (seat, "crib-first") for each in calls)

    assert (count_offers(0), count_offers(1)) == (1, 1)
    assert player.post("/api/seat", json={"seat": 1}).status_code == 201
    assert (count_offers(0), count_offers(1)) == (1, 0)
