"""The API described to programs: OpenAPI 3.1. Moves are described from the very classes the rules use."""

from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from companion.rules.display import COLOURS
from companion.rules.moves import MOVES, Swap

_TEXT, _WHOLE = {"type": "string"}, {"type": "integer"}
_CARD = {"type": "string", "pattern": "^(?:[A2-9TJQK]|10)[CDHS]$"}
_BUTTON = {"type": "string", "pattern": "^(?:dice|undo|go:[0-4])$"}
_COLOUR = {"enum": COLOURS}


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _list(items: Any, least: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


_CELL = _list(_whole(0, 4), 2, 2)
_FIELDS: dict[str, Any] = {
    "seat": _whole(0, 4), "points": _whole(-1000, 1000), "base": _whole(1, 3), "dice": _list(_whole(1, 6), 1, 2),
    "card": _CARD, "starter": _CARD, "cards": _list(_CARD, 1, 16),
    "chip": _COLOUR, "chips": _list(_COLOUR, 1, 2), "colours": _list(_COLOUR, 25, 25),
    "also": _list(
        {"type": "object", "properties": (_PART := {"seat": _whole(0, 4), "points": _whole(-1000, 1000)}),
         "required": [*_PART]}, 1, 4), "a": _CELL, "b": _CELL, "cell": _CELL,
}  # fmt: skip
"""By the name of a field, what `companion.codec` reads there."""


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": "1",
            "description": "The cribbage board that knows. Anyone on the network may GET; who has joined may POST.",
        },
        "paths": _table_paths() | _bench_paths(),
        "components": {
            "schemas": {
                "Move": {
                    "oneOf": [_move(kind) for kind in MOVES] + [_object({"type": {"const": "card"}, "card": _CARD})]
                },
                "Error": _object({"error": _TEXT}),
                "Snapshot": _snapshot(),
            },
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": "companion_player"}},
        },
    }


def _table_paths() -> dict[str, Any]:
    snapshot, move = ({"$ref": f"#/components/schemas/{name}"} for name in ("Snapshot", "Move"))
    full = {"503": {"description": "As many streams as there can be; poll /api/state. See Retry-After."}}
    me = _object({"role": {"enum": ["player", "watcher"]}, "how_to_join": _TEXT})
    join = {"303": {"description": "To /, with the player's cookie."}, "403": _error(), "421": _error()}
    file = _get("A file of the pages.", {}, "*/*", _missing())
    hint = "Cribbage shuffle: a swap on the way to the best layout."
    return {
        "/": {"get": _get("The phone page.", _TEXT, "text/html")},
        "/web/{name}": {"get": {**file, "parameters": [_in_path("name")]}},
        "/api/state": {"get": _get("The present snapshot.", snapshot)},
        "/api/stream": {"get": _get("Snapshots as server-sent events.", _TEXT, "text/event-stream", full)},
        "/api/me": {"get": _get("Whether this browser is a player's.", me)},
        "/api/board": {"get": _get("The board: holes and routes.", {"type": "object"})},
        "/api/hint": {"get": _get(hint, _hint(), more=_conflict())},
        "/api/best": {"get": _get("Cribbage shuffle: the best layout.", _best(), more=_conflict())},
        "/api/openapi.json": {"get": _get("This document.", {"type": "object"})},
        "/api/moves": {"post": _post("Make a move; the snapshot after it.", move, "201", snapshot)},
        "/join/{key}": {
            "get": {"summary": "Become a player.", "parameters": [_in_path("key")], "responses": join},
        },
    }


def _bench_paths() -> dict[str, Any]:
    ids, colour = {"type": "array", "items": _TEXT}, {"type": "array", "items": _WHOLE}
    hands = {"oneOf": [_object({"lift": _TEXT}), _object({"place": _TEXT}), _object({"set": ids})]}
    colours = {"type": "object", "additionalProperties": colour}
    pips = _object({"pips": {"type": "array", "items": _list(colour, 7, 7)}, "button": {"type": "boolean"}})
    cable = _object({"device": {"enum": ["sensors", "lights", "cards", "buttons"]}, "plugged": {"type": "boolean"}})
    done = _object({"ok": {"const": True}})
    return {
        "/bench": {"get": _get("The bench page, where devices are simulated.", _TEXT, "text/html", _missing())},
        "/api/bench/holes": {
            "get": _get("The holes that hold a peg.", _object({"occupied": ids})),
            "post": _post("Lift or place pegs.", hands, "202", done),
        },
        "/api/bench/lights": {"get": _lights(colours)},
        "/api/bench/dice": {"get": _get("The pips of the dice as last sent, and the dice button's lamp.", pips)},
        "/api/bench/scan": {"post": _post("Scan a card.", _object({"card": _TEXT}), "202", done)},
        "/api/bench/press": {"post": _post("Press a button.", _object({"button": _BUTTON}), "202", done)},
        "/api/bench/cable": {"post": _post("Pull or replug a cable.", cable, "202", done)},
    }


def _get(summary: str, schema: Any, kind: str = "application/json", more: Any = None) -> dict[str, Any]:
    answers = {"200": _content("As asked.", schema, kind), "421": _error(), **(more or {})}
    return {"summary": summary, "responses": answers}


def _hint() -> dict[str, Any]:
    swap = {"oneOf": [_move(Swap), {"type": "null"}]}
    return _object({"moves": _WHOLE, "swap": swap, "points": _WHOLE, "total": _WHOLE, "say": _TEXT})


def _best() -> dict[str, Any]:
    numbers, truth, grid = _list(_WHOLE, 4, 4), {"type": "boolean"}, _list(_list(_CARD, 4, 4), 4, 4)
    return _object({
        "moves": _WHOLE, "total": _WHOLE, "reaches": truth, "proved": truth, "grid": grid, "rows": numbers,
        "columns": numbers, "heels": _WHOLE, "swaps": {"type": "array", "items": _move(Swap)}, "say": _TEXT,
    })  # fmt: skip


def _lights(colours: Any) -> dict[str, Any]:
    told = _get("The frame last sent, after the current limit, by hole.", colours)
    number = {"description": "The number of the snapshot it was painted from.", "schema": _WHOLE}
    told["responses"]["200"]["headers"] = {"Snapshot": number}
    return told


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _TEXT}


def _conflict() -> dict[str, Any]:
    return {"409": _error()}


def _missing() -> dict[str, Any]:
    return {"404": _error()}


def _post(summary: str, body: Any, code: str, answer: Any) -> dict[str, Any]:
    refusals = {refused: _error() for refused in ("400", "403", "409", "413", "415", "421")}
    return {
        "summary": summary,
        "security": [{"player": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {code: _content("Done.", answer), **refusals},
    }


def _content(description: str, schema: Any, kind: str = "application/json") -> dict[str, Any]:
    return {"description": description, "content": {kind: {"schema": schema}}}


def _error() -> dict[str, Any]:
    return _content("Refused, with the reason.", {"$ref": "#/components/schemas/Error"})


def _move(kind: Any) -> dict[str, Any]:
    known = fields(kind)
    shape = _object({"type": {"const": kind.kind}, **{f.name: _FIELDS[f.name] for f in known}})
    shape["required"] = ["type", *(f.name for f in known if f.default is MISSING)]
    return shape


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _snapshot() -> dict[str, Any]:
    many, thing, maybe = {"type": "array"}, {"type": "object"}, {"type": ["object", "null"]}
    seat = {"type": ["integer", "null"]}
    properties: dict[str, Any] = {
        "number": _WHOLE, "run": _TEXT, "moves": _WHOLE, "game": thing, "board": _TEXT, "settings": thing,
        "players": many, "phase": _TEXT, "scores": {"type": "array", "items": _WHOLE}, "winner": seat, "last": maybe,
        "pegs": many, "dues": many, "advice": many, "question": maybe, "devices": thing, "notices": many,
    }  # fmt: skip
    whole = _object(properties)
    whole["properties"] |= {"dealer": seat, "turn": seat, "count": _WHOLE, "starter": {"type": ["string", "null"]}}
    whole["description"] = "The table at one moment, the same for every reader; a game adds fields of its own."
    return whole
