"""Unexpected exceptions anywhere in a request: a message is answered, a traceback logged, the table goes on."""

import pytest

from companion.history.moves import MoveHistory
from companion.http.assets import Assets
from companion.http.permissions import Permissions
from companion.server import layout_hints, sse
from companion.server.routes import bench as benching
from companion.server.routes import pages
from companion.server.routes import table as table_routes
from companion.table import inputs

NOTHING = {"error": "Something went wrong in the program; nothing was changed."}
LOOK = {"error": "Something went wrong. Check the table before you try again."}
STARTER = {"type": "starter", "card": "5D"}


def stumble(*_, **__):
    """Raise an error whose text must not be shown."""
    raise ZeroDivisionError("/home/somebody/secret.py")


@pytest.mark.parametrize(
    ("asked", "body", "owner", "name"),
    [
        ("POST /api/moves", STARTER, inputs, "on_move"),
        ("POST /api/moves", {"type": "card", "card": "5D"}, inputs, "on_card_tap"),
        ("POST /api/moves", STARTER, table_routes, "read_move"),
        ("POST /api/moves", STARTER, sse, "encode_snapshot"),
        ("POST /api/bench/holes", {"lift": "red-start-1"}, benching, "_move_pegs"),
        ("POST /api/bench/fault", {"hole": "red-1", "kind": "dead"}, benching, "_parse_fault"),
        ("POST /api/bench/scan", {"card": "5D"}, benching, "_parse_code"),
        ("POST /api/bench/press", {"button": "dice"}, benching, "_parse_button"),
        ("POST /api/bench/cable", {"device": "cards", "plugged": True}, benching.CABLE_BODY, "parse"),
        ("GET /api/state", None, sse, "encode_snapshot"),
        ("GET /api/me", None, Permissions, "is_player"),
        ("GET /api/openapi.json", None, pages, "openapi_document"),
        ("GET /api/hint", None, layout_hints, "suggest_swap"),
        ("GET /api/best", None, layout_hints, "describe_best"),
        ("GET /api/bench/holes", None, benching, "_read_device"),
        ("GET /api/bench/lights", None, benching, "_read_device"),
        ("GET /api/bench/dice", None, benching, "_read_device"),
        ("GET /api/stream", None, sse.EventStreams, "reserve"),
        ("GET /", None, Assets, "get_page"),
        ("GET /bench", None, Assets, "get_page"),
        ("GET /web/pages/phone/phone.js", None, Assets, "get_file"),
        ("GET /api/constants", None, pages, "build_constants"),
        ("GET /api/history", None, MoveHistory, "read_page"),
        ("GET /api/health", None, table_routes, "health_response"),
        ("GET /join/wrong", None, Permissions, "is_join_key"),
        ("GET /nothing", None, Permissions, "check_request"),
    ],
)
def test_a_fault_anywhere_is_a_sentence_with_its_traceback_in_the_log(
    bench, monkeypatch, caplog, asked, body, owner, name
):
    method, path = asked.split()
    with monkeypatch.context() as broken:
        broken.setattr(owner, name, stumble)
        reply = bench.open(path, method=method, json=body)
    told = NOTHING if owner is inputs else LOOK
    assert (reply.status_code, reply.mimetype, reply.json) == (409, "application/json", told)
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert caplog.text.count("Traceback") == 1
    assert "ZeroDivisionError: /home/somebody/secret.py" in caplog.text
    made = bench.get("/api/state").json["moves"]
    assert made == (name == "encode_snapshot" and body is STARTER)  # it was made, and only its answer was missing
    assert bench.post("/api/moves", json={"type": "undo"} if made else STARTER).status_code == 201


def test_a_fault_while_an_answer_is_finished_is_reported_too(app, caplog):
    app.after_request(stumble)
    reply = app.test_client().get("/api/me")
    assert (reply.status_code, reply.json) == (409, LOOK)
    assert "ZeroDivisionError" in caplog.text


def test_a_stream_that_stumbles_ends_and_gives_its_place_back(phone, monkeypatch, caplog, until):
    monkeypatch.setattr(sse, "MAX_STREAMS", 1)
    with monkeypatch.context() as broken:
        broken.setattr(sse, "encode_snapshot", stumble)
        status, _, body = phone.ask("GET", "/api/stream")
        assert (status, body) == (200, b"retry: 1000\n\n")
        assert "ZeroDivisionError" in caplog.text
        assert until(lambda: phone.ask("GET", "/api/stream")[0] == 200)
    assert phone.post("/api/moves", STARTER)[0] == 201
