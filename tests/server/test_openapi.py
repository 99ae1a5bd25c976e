"""The OpenAPI document: complete, consistent, and true of requests and answers."""

import json
import re
from dataclasses import MISSING, fields
from typing import get_args

import pytest
from jsonschema import Draft202012Validator, validators

from companion.common.constants import CARDS_DEALT, SKILL_LEVELS
from companion.common.errors import BadMove
from companion.common.snapshot import AdviceKind
from companion.devices.simulated_board import FAULT_KINDS
from companion.http.permissions import END_PHONE_BODY, PHOTO_TYPES
from companion.plugins.cards.routes import PHOTO_PATH
from companion.plugins.peg_photos.routes import PHOTO_PATHS
from companion.plugins.wifi.hotspot import Phase
from companion.plugins.wifi.routes import WIFI_BODY
from companion.protocol.json_codec import MOVES, encode_snapshot, read_move
from companion.rules import GAMES
from companion.rules.engine import PHASE_DESCRIPTIONS
from companion.rules.rulings import infringement_names
from companion.server.routes.bench import BUTTON_BODY, CABLE_BODY, FAULT_BODIES, PEG_BODIES, SCAN_BODY
from companion.server.routes.games import EXPORT_FORMATS, NEW_GAME_BODY, PLAYER_BODY, RESUME_BODY
from companion.server.routes.pages import openapi_document
from companion.server.routes.players import AUDIENCES, HAND_BODY, SEAT_BODY, TABLE
from companion.server.routes.workshop import DECK_BODY, LIGHTS_BODY, SETTINGS_BODY
from companion.table.players import PEG_COLOURS
from companion.table.state import create_snapshot
from tests.support.table_driver import Hands
from tests.support.whole_games import play_whole_games

STRICT = validators.extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
"""Of JSON Schema, but 1.0 is no integer, as for the program."""


def iter_objects(value):
    """Yield every object within a JSON value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from iter_objects(each)


def resolve_response(response, document):
    """Return a response, also one that the document has for several routes."""
    return document["components"]["responses"][response["$ref"].rpartition("/")[2]] if "$ref" in response else response


def is_valid(schema, value, document):
    """Return whether a value is valid for a schema of this document."""
    return STRICT({"allOf": [schema], "components": document["components"]}).is_valid(value)


def find_undescribed(schema, value, document, way=""):
    """Return the paths of all fields that the schema does not name."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        return find_undescribed(next(s for s in schema["oneOf"] if is_valid(s, value, document)), value, document, way)
    if isinstance(value, list):
        return {name for each in value for name in find_undescribed(schema["items"], each, document, way)}
    if not isinstance(value, dict):
        return set()
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    found = {f"{way}.{name}" for name in value if name not in known and more is None}
    for name, each in value.items():
        if f"{way}.{name}" not in found:
            found |= find_undescribed(known.get(name, more), each, document, f"{way}.{name}")
    return found


def check_value(schema, value):
    """Check that a value is valid for a schema of the document, which names all its fields."""
    document = openapi_document()
    STRICT(schema | {"components": document["components"]}).validate(value)
    assert find_undescribed(schema, value, document) == set()


def check_answer(path, answer):
    """Check that this is described as the answer to a GET."""
    described = openapi_document()["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
    check_value(described["schema"], answer)


def test_it_describes_every_route_and_no_other(bench_app, bench):
    document = bench.get("/api/openapi.json").json
    assert re.fullmatch(r"3\.1\.\d+", document["openapi"])
    assert set(document["info"]) >= {"title", "version"}
    described = {(path, verb.upper()) for path, verbs in document["paths"].items() for verb in verbs}
    routed = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), verb)
        for rule in bench_app.url_map.iter_rules()
        for verb in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert described == routed


def test_everything_it_points_at_is_there(watcher):
    document = watcher.get("/api/openapi.json").json
    known = {
        f"#/components/{kind}/{name}" for kind in ("schemas", "responses") for name in document["components"][kind]
    }
    assert {part["$ref"] for part in iter_objects(document) if "$ref" in part} == known
    for path, verbs in document["paths"].items():
        for told in verbs.values():
            assert all(re.fullmatch(r"[1-5]\d\d", code) for code in told["responses"])
            assert all("description" in resolve_response(r, document) for r in told["responses"].values())
            named = {parameter["name"] for parameter in told.get("parameters", ()) if parameter["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))


def test_every_post_lists_its_refusals_and_sender(watcher):
    document = watcher.get("/api/openapi.json").json
    posts = [verbs["post"] for verbs in document["paths"].values() if "post" in verbs]
    assert len(posts) >= 7
    for told in posts:
        assert set(told["responses"]) >= {"400", "403", "409", "413", "415", "421"}
        (scheme,) = told["security"]
        assert set(scheme) <= set(document["components"]["securitySchemes"])
        assert told["requestBody"]["required"]


def test_every_kind_of_move_is_described(watcher):
    document = watcher.get("/api/openapi.json").json
    shapes = document["components"]["schemas"]["Move"]["oneOf"]
    described = {s["properties"]["type"]["const"]: ([*s["properties"]], s["required"]) for s in shapes}
    taken = {
        move.kind: (
            ["type", *(field.name for field in fields(move))],
            ["type", *(field.name for field in fields(move) if field.default is MISSING)],
        )
        for move in MOVES
    }
    assert described == taken | {"card": (["type", "card"], ["type", "card"])}
    for move in (
        {"type": "starter", "card": "5D"}, {"type": "play", "seat": 0, "card": "5H"}, {"type": "undo"},
        {"type": "crib", "cards": ["5H", "6H", "7H", "TH"]}, {"type": "roll", "seat": 0, "dice": [3, 4]},
        {"type": "exchange", "seat": 0, "a": [0, 1], "b": [2, 3]}, {"type": "lay", "cards": ["5H"], "starter": "5D"},
        {"type": "place", "card": "5H", "cell": [0, 1]}, {"type": "peg", "seat": 0, "points": 6},
    ):  # fmt: skip
        assert is_valid({"$ref": "#/components/schemas/Move"}, move, document), move
    for wrong in ({"type": "starter"}, {"type": "play", "seat": True, "card": "5H"}, {"type": "starter", "card": "5X"}):
        assert not is_valid({"$ref": "#/components/schemas/Move"}, wrong, document), wrong


@pytest.mark.parametrize(
    ("move", "field", "values"),
    [
        ({"type": "adjust", "seat": 0}, "points", [-1001, -1000, 0, 1000, 1001, 1.0, True]),
        ({"type": "go"}, "seat", [-1, 0, 4, 5, None]),
        ({"type": "steal", "seat": 0}, "base", [0, 1, 3, 4]),
        ({"type": "roll", "seat": 0}, "dice", [[], [0], [1], [1, 6], [1, 7], [1, 1, 1]]),
        ({"type": "starter"}, "card", ["5H", "10D", "1D", "5h", "", 5]),
        ({"type": "lay", "cards": ["5H"]}, "starter", ["KC", "KX"]),
        ({"type": "crib"}, "cards", [[], ["5H"], ["5H"] * 16, ["5H"] * 17, ["5X"], "5H"]),
        ({"type": "return", "seat": 0}, "chip", ["red", "Red", "", 0]),
        ({"type": "take", "seat": 0}, "chips", [[], ["red"], ["red", "blue"], ["red"] * 3, ["pink"]]),
        ({"type": "lay"}, "colours", [["red"] * 24, ["red"] * 25, ["red"] * 26, ["pink"] * 25]),
        ({"type": "swap", "b": [0, 0]}, "a", [[0, 4], [0, 5], [-1, 0], [0], [0, 0, 0], [True, 0]]),
        ({"type": "swap", "a": [0, 0]}, "b", [[4, 0], [5, 0]]),
        ({"type": "place", "card": "5H"}, "cell", [[4, 4], [4, 5], "00"]),
        ({"type": "correct", "card": "5H"}, "to", ["4H", "4X"]),
        ({"type": "rule"}, "accept", [True, False, 1, "yes", None]),
        ({"type": "rule", "accept": True}, "seen", ["", "heels", "cards", None]),
        ({"type": "infringement", "seat": 0}, "what", [*infringement_names(), "", "talking"]),
        (
            {"type": "adjust", "seat": 0, "points": 1},
            "also",
            [[], [{"seat": 1}], [{"seat": 1, "points": 2}], [{"seat": 5, "points": 2}], [{"seat": 1, "points": 2}] * 5],
        ),
    ],
)
def test_what_is_described_is_what_is_read(watcher, move, field, values):
    document = watcher.get("/api/openapi.json").json
    described, is_read = [], []
    for value in values:
        described.append(is_valid({"$ref": "#/components/schemas/Move"}, move | {field: value}, document))
        try:
            is_read.append(bool(read_move(move | {field: value})))
        except BadMove:
            is_read.append(False)
    assert described == is_read
    assert set(is_read) == {True, False}


BODIES = {
    "/api/phones": END_PHONE_BODY,
    "/api/table": {"new": NEW_GAME_BODY, "resume": RESUME_BODY},
    "/api/wifi": WIFI_BODY,
    "/api/players": PLAYER_BODY,
    "/api/seat": SEAT_BODY,
    "/api/hand": HAND_BODY,
    "/api/workshop/settings": SETTINGS_BODY,
    "/api/workshop/lights": LIGHTS_BODY,
    "/api/workshop/deck": DECK_BODY,
    "/api/bench/holes": PEG_BODIES,
    "/api/bench/fault": FAULT_BODIES,
    "/api/bench/scan": SCAN_BODY,
    "/api/bench/press": BUTTON_BODY,
    "/api/bench/cable": CABLE_BODY,
}
"""What validates the requests."""


def test_each_body_is_described_as_it_is_checked():
    posts = {path: ways["post"] for path, ways in openapi_document()["paths"].items() if "post" in ways}
    described = {path: told["requestBody"]["content"] for path, told in posts.items()}
    others = {path: [*kinds] for path, kinds in described.items() if path not in BODIES}
    assert others == {"/api/moves": ["application/json"], "/api/invite/renew": ["application/json"]} | {
        path: [*PHOTO_TYPES] for path in (PHOTO_PATH, *PHOTO_PATHS)
    }
    for path, checked in BODIES.items():
        schemas = [body.schema for body in checked.values()] if isinstance(checked, dict) else checked.schema
        schema = {"oneOf": schemas} if isinstance(checked, dict) else schemas
        assert described[path] == {"application/json": {"schema": json.loads(json.dumps(schema))}}, path


@pytest.mark.parametrize(("path", "values"), [
    ("components schemas Snapshot properties phase", PHASE_DESCRIPTIONS),
    ("components schemas Player properties colour", PEG_COLOURS),
    ("components schemas Advice properties kind", get_args(AdviceKind)),
    ("components schemas Game properties against oneOf 0 properties level", SKILL_LEVELS),
    ("paths /api/export get parameters 1 schema", EXPORT_FORMATS),
    ("paths /api/invite.svg get parameters 0 schema", (*AUDIENCES, TABLE)),
    ("paths /api/train get parameters 1 schema", CARDS_DEALT),
    ("paths /api/wifi get responses 200 content application/json schema properties phase", [p.value for p in Phase]),
    ("paths /api/bench/fault get responses 200 content application/json schema properties faults items properties kind",
     FAULT_KINDS),
])  # fmt: skip
def test_a_choice_is_described_with_all_its_values(path, values):
    place = openapi_document()
    for name in path.split():
        place = place[int(name) if isinstance(place, list) else name]
    assert place["enum"] == [*values]


def test_what_is_answered_is_as_described(bench):
    document = bench.get("/api/openapi.json").json
    bench.post("/api/bench/scan", json={"card": "JD"})
    for path in ("/api/state", "/api/me", "/api/board", "/api/bench/holes", "/api/bench/lights", "/api/bench/dice"):
        schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert is_valid(schema, bench.get(path).json, document), path
    for path, body, code in (
        ("/api/moves", {"type": "adjust", "seat": 0, "points": 2}, "201"),
        ("/api/moves", {"type": "next"}, "409"),
        ("/api/bench/holes", {"lift": "red-start-1"}, "202"),
        ("/api/bench/press", {"button": "dice"}, "202"),
        ("/api/bench/cable", {"device": "cards", "plugged": True}, "202"),
    ):
        reply = bench.post(path, json=body)
        assert reply.status_code == int(code)
        told = document["paths"][path]["post"]
        assert is_valid(told["requestBody"]["content"]["application/json"]["schema"], body, document)
        answer = resolve_response(told["responses"][code], document)
        assert is_valid(answer["content"]["application/json"]["schema"], reply.json, document)


@pytest.mark.parametrize("host", ["localhost", "elsewhere.example"])
def test_each_gets_status_and_type_are_described(bench, host):
    """Also those of refusals, which are pages where a browser shows them to a person."""
    document = bench.get("/api/openapi.json").json
    for path, operations in document["paths"].items():
        if "get" not in operations or path == "/api/stream":
            continue
        reply = bench.get(re.sub(r"{\w+}", "0", path), headers={"Host": host})
        described = operations["get"]["responses"]
        assert str(reply.status_code) in described, path
        types = resolve_response(described[str(reply.status_code)], document).get("content", {})
        assert reply.mimetype in types or "*/*" in types or not reply.data, (path, reply.status_code, reply.mimetype)


def check_described(snapshot):
    check_value({"$ref": "#/components/schemas/Snapshot"}, encode_snapshot(snapshot))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_field_of_every_snapshot_is_described(game):
    for number, core in enumerate(play_whole_games(game)):
        check_described(create_snapshot(core, number=number, run="test", moves=number))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_schema_describes_scans_dice_and_devices(game):
    hands = Hands(game.key)
    hands.scan("no card")
    hands.press("dice", (3, 4))
    hands.press("go:9")
    check_described(hands.snapshot)
    assert hands.snapshot.notices
    assert hands.snapshot.dice


def test_a_questions_holes_and_choices_are_described():
    hands = Hands("pegs-only")
    hands.peg("red-start-2", "red-40")
    hands.rest(5000)
    told = encode_snapshot(hands.snapshot)["question"]
    assert "red-40" in told["holes"]
    assert (told["seat"], len(told["choices"]) > 0) == (0, True)
    check_described(hands.snapshot)
