"""The API described to programs: OpenAPI 3.1. What is sent and answered has its shape in `companion.server.schemas`."""

from functools import cache
from typing import Any

from companion.devices.simulation.faults import FAULT_KINDS
from companion.protocol.json_fields import CARD_FIELD
from companion.rules.moves import Swap
from companion.server.schemas import (
    BOOLEAN,
    INTEGER,
    SCHEMAS,
    STRING,
    array_of,
    map_of,
    move_schema,
    nullable,
    object_schema,
    schema_ref,
    with_optional,
)
from companion.table.players import PEG_COLOURS

_BUTTON = {"type": "string", "pattern": "^(?:dice|undo|go:[0-4])$"}


@cache
def openapi_document() -> dict[str, Any]:
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
            "schemas": SCHEMAS,
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": "companion_player"}},
        },
    }


def _table_paths() -> dict[str, Any]:
    full = {"503": {"description": "As many streams as there can be; poll /api/state. See Retry-After."}}
    me = object_schema(role={"enum": ["player", "watcher"]}, how_to_join=STRING)
    join = {"303": {"description": "To /, with the player's cookie."}, "403": _error(), "421": _error()}
    file = _get("A file of the pages, also at an address with a hash in it.", {}, "*/*", _missing())
    seat, hand = object_schema(seat=nullable(INTEGER)), object_schema(cards=array_of(schema_ref("Card")))
    hint = "Cribbage shuffle: a swap on the way to the best layout."
    return {
        "/": {"get": _get("The phone page.", STRING, "text/html")},
        "/invite": {"get": _get("Codes and links for players, watchers and the room's screen.", STRING, "text/html")},
        "/evening": {"get": _get("What was played.", STRING, "text/html")},
        "/train": {"get": _get("Practice: laying away.", STRING, "text/html")},
        "/review": {"get": _get("A game looked back on.", STRING, "text/html")},
        "/workshop": {"get": _get("How devices and board are.", STRING, "text/html")},
        "/sw.js": {"get": _get("What opens the page where no table answers.", {}, "text/javascript")},
        "/help/{key}": {
            "get": {
                **_get("How a game is played: a page that needs no script.", STRING, "text/html", _missing()),
                "parameters": [_in_path("key")],
            }
        },
        "/tv": {"get": _get("The room's view: nothing to press.", STRING, "text/html")},
        "/web/{name}": {"get": {**file, "parameters": [_in_path("name")]}},
        "/authority.crt": {"get": _get("Our own authority, for a phone to trust.", {}, "*/*", _missing())},
        "/packs/{pack}/{name}": {"get": {**file, "parameters": [_in_path("pack"), _in_path("name")]}},
        "/api/state": {"get": _get("The present snapshot.", schema_ref("Snapshot"))},
        "/api/stream": {"get": _get("Snapshots as server-sent events.", STRING, "text/event-stream", full)},
        "/api/me": {"get": _get("Whether this browser is a player's.", me)},
        "/api/evening": {
            "get": _get(
                "Tonight's games.",
                object_schema(games=array_of(schema_ref("Played")), series=array_of(schema_ref("Series"))),
            )
        },
        "/api/evening/players": {"get": _get("What each player has done.", _records())},
        "/api/evening/table": {"get": _table_s_games()},
        "/api/review": {"get": _looked_back()},
        "/api/train": {"get": _trained()},
        "/api/hand/hint": {"get": _get("Advice for this browser's hand, to it alone.", _advised(), more=_unadvised())},
        "/api/invite": {"get": _get("The addresses to invite by.", _invited(), more={"403": _error()})},
        "/api/invite.svg": {"get": _invitation()},
        "/api/invite/renew": {"post": _post("New players' links: all others are watchers.", {}, "200", _invited())},
        "/api/workshop": {"get": _get("The workshop, for players.", schema_ref("Workshop"), more={"403": _error()})},
        "/api/workshop/settings": {"post": _post("Change settings.", map_of(INTEGER), "200", schema_ref("Workshop"))},
        "/api/workshop/lights": {
            "post": _post("Light holes, or all.", _lit(), "202", object_schema(ok={"const": True}))
        },
        "/api/workshop/deck": {
            "post": _post(
                "Learn a card's code.",
                object_schema(card=nullable({"oneOf": [schema_ref("Card"), {"const": "next"}]})),
                "200",
                schema_ref("Workshop"),
            )
        },
        "/api/workshop/recording": {
            "get": _get("The last ten minutes.", STRING, "application/x-ndjson", {"403": _error(), "409": _error()})
        },
        "/api/phones": {
            "get": _get("The players' phones.", schema_ref("Phones"), more={"403": _error()}),
            "post": _end(),
        },
        "/api/board": {"get": _get("The board: holes and routes.", schema_ref("Board"))},
        "/api/constants": {
            "get": _get(
                "Names and numbers of cribbage, and what packs bring; nothing changes in a run.",
                schema_ref("Constants"),
            )
        },
        "/api/history": {"get": _history()},
        "/api/health": {"get": _health()},
        "/api/hint": {"get": _get(hint, _hint(), more=_conflict())},
        "/api/best": {"get": _get("Cribbage shuffle: the best layout.", _best(), more=_conflict())},
        "/api/words": {"get": _get("The languages that `?lang=` may name, also for every other answer.", _languages())},
        "/api/words/{language}": {"get": _words() | {"parameters": [_in_path("language")]}},
        "/api/openapi.json": {"get": _get("This document.", {"type": "object"})},
        "/api/games": {"get": _get("What can be played.", object_schema(games=array_of(schema_ref("Offered"))))},
        "/api/tables": {"get": _listed()},
        "/api/export": {"get": _exported()},
        "/api/table": {"post": _turn()},
        "/api/seat": {"get": _get("The seat that this browser is bound to.", seat), "post": _seat(seat)},
        "/api/hand": {
            "get": _get("What is left of this browser's own hand.", hand, more=_missing()),
            "post": _hand(hand),
        },
        "/api/players": {"post": _post("Name a player.", _named(), "201", schema_ref("Snapshot"))},
        "/api/moves": {
            "post": _post("Make a move; the snapshot after it.", schema_ref("Move"), "201", schema_ref("Snapshot"))
        },
        "/join/{key}": {
            "get": {"summary": "Become a player.", "parameters": [_in_path("key")], "responses": join},
        },
    }


def _bench_paths() -> dict[str, Any]:
    hands = {"oneOf": [object_schema(lift=STRING), object_schema(place=STRING), object_schema(set=array_of(STRING))]}
    colour = array_of(INTEGER, 3)
    pips = object_schema(pips=array_of(array_of(colour, 7)), button=BOOLEAN)
    cable = object_schema(device={"enum": ["sensors", "lights", "cards", "buttons"]}, plugged=BOOLEAN)
    kind = {"enum": list(FAULT_KINDS)}
    fails = {"oneOf": [object_schema(hole=STRING, kind=nullable(kind)), object_schema(row=STRING, kind=nullable(kind))]}
    done = object_schema(ok={"const": True})
    return {
        "/bench": {"get": _get("The bench page, where devices are simulated.", STRING, "text/html", _missing())},
        "/api/bench/holes": {
            "get": _get("The holes that hold a peg.", object_schema(occupied=array_of(STRING))),
            "post": _post("Lift or place pegs.", hands, "202", done),
        },
        "/api/bench/fault": {
            "get": _get(
                "The holes whose sensors fail.",
                object_schema(faults=array_of(object_schema(kind=kind, holes=array_of(STRING)))),
            ),
            "post": _post("Have a hole's sensor fail, or those of its row, or mend them.", fails, "202", done),
        },
        "/api/bench/lights": {"get": _lights(map_of(colour))},
        "/api/bench/dice": {"get": _get("The pips of the dice as last sent, and the dice button's lamp.", pips)},
        "/api/bench/scan": {"post": _post("Scan a card.", object_schema(card=STRING), "202", done)},
        "/api/bench/press": {"post": _post("Press a button.", object_schema(button=_BUTTON), "202", done)},
        "/api/bench/cable": {"post": _post("Pull or replug a cable.", cable, "202", done)},
    }


def _get(summary: str, schema: Any, kind: str = "application/json", more: Any = None) -> dict[str, Any]:
    answers = {"200": _content("As asked.", schema, kind), "421": _error(), **(more or {})}
    return {"summary": summary, "responses": answers}


def _history() -> dict[str, Any]:
    said = "What was played: the accepted moves not undone, in order."
    asked = _get(said, schema_ref("History"), more={code: _error() for code in ("304", "400", "404", "409")})
    asked["responses"]["304"] = {"description": "As it was: see ETag."}
    query = {"in": "query", "schema": {"type": "integer", "minimum": 0}}
    return asked | {
        "parameters": [
            {"name": "table", "description": "The table; without it the present one.", **query},
            {"name": "after", "description": "Only moves with a greater number.", **query},
        ]
    }


def _languages() -> Any:
    return object_schema(languages=array_of(object_schema(language=STRING, name=STRING)))


def _words() -> dict[str, Any]:
    told = object_schema(language=STRING, name=STRING, words=map_of(array_of(STRING)), plural=array_of(INTEGER))
    return _get("A language's catalogue: what stands for each English pattern.", told, more=_missing())


def _health() -> dict[str, Any]:
    well = object_schema(ok=BOOLEAN, say=STRING)
    told = object_schema(ok=BOOLEAN, journal=well, devices=map_of(well), version=STRING)
    unkept = _content("No move can be kept now.", told)
    return _get("How the program is: well, or what is not.", told, more={"503": unkept})


def _hint() -> Any:
    return object_schema(moves=INTEGER, swap=nullable(move_schema(Swap)), points=INTEGER, total=INTEGER, say=STRING)


def _best() -> Any:
    four = array_of(INTEGER, 4)
    return object_schema(
        moves=INTEGER, total=INTEGER, reaches=BOOLEAN, proved=BOOLEAN, grid=array_of(array_of(schema_ref("Card"), 4), 4), rows=four,
        columns=four, heels=INTEGER, swaps=array_of(move_schema(Swap)), say=STRING,
    )  # fmt: skip


def _listed() -> dict[str, Any]:
    asked = _get(
        "The tables of the journal, the newest first.",
        object_schema(tables=array_of(schema_ref("Table"))),
        more={"400": _error()},
    )
    before = {"in": "query", "schema": {"type": "integer", "minimum": 0}}
    return asked | {"parameters": [{"name": "before", "description": "Only tables with a lower number.", **before}]}


def _exported() -> dict[str, Any]:
    refused = {code: _error() for code in ("400", "404", "409")}
    told = _get("A table of the journal as text, entry by entry.", STRING, "application/x-ndjson", more=refused)
    told["responses"]["200"]["content"]["text/csv"] = {"schema": STRING}
    table = {"name": "table", "description": "The table; without it the present one.", "schema": INTEGER}
    form = {"name": "format", "schema": {"enum": ["jsonl", "csv"]}}
    return told | {"parameters": [{"in": "query", **each} for each in (table, form)]}


def _invited() -> dict[str, Any]:
    links = object_schema(player=STRING, watcher=STRING, tv=STRING)
    return with_optional(links, others=array_of(links))


def _invitation() -> dict[str, Any]:
    told = _get("An address as a code for a camera.", STRING, "image/svg+xml", more={"400": _error(), "403": _error()})
    return told | {"parameters": [{"in": "query", "name": "for", "schema": {"enum": ["player", "watcher", "tv"]}}]}


def _records() -> dict[str, Any]:
    return object_schema(players=array_of(schema_ref("Record")), series=array_of(schema_ref("Series")))


def _table_s_games() -> dict[str, Any]:
    raced = with_optional(SCHEMAS["Played"], race=array_of(object_schema(ms=INTEGER, scores=array_of(INTEGER))))
    told = _get(
        "A table's games, each with its race.",
        object_schema(games=array_of(raced)),
        more={"400": _error()} | _missing(),
    )
    return told | {"parameters": [{"in": "query", "name": "table", "schema": INTEGER}]}


def _looked_back() -> dict[str, Any]:
    refused = {code: _error() for code in ("400", "404", "409")}
    told = _get("A game looked back on: what each choice cost.", schema_ref("Review"), more=refused)
    asked = {
        "table": "The table; without it the present one.",
        "game": "Its game of this number, from 1; without it the newest.",
        "hand": "Only the deal of this number, from 1, and then each entry with all that could have been done.",
    }
    query = {"in": "query", "schema": {"type": "integer", "minimum": 0}}
    return told | {"parameters": [{"name": name, "description": said, **query} for name, said in asked.items()]}


def _advised() -> dict[str, Any]:
    return object_schema(asked=schema_ref("Asked"), ranked=array_of(schema_ref("Ranked")))


def _unadvised() -> dict[str, Any]:
    return _missing() | _conflict()


def _trained() -> dict[str, Any]:
    told = _get("A deal to practise on.", with_optional(_advised(), seed=INTEGER), more={"400": _error()})
    seed = {"name": "seed", "required": True, "description": "Which deal.", "schema": {"type": "integer", "minimum": 0}}
    game = {"name": "game", "schema": {"enum": ["six-card", "five-card"]}}
    return told | {"parameters": [{"in": "query", **each} for each in (seed, game)]}


def _lit() -> dict[str, Any]:
    return with_optional(object_schema(), holes=array_of(STRING))


def _named() -> dict[str, Any]:
    return with_optional(object_schema(seat=INTEGER), name=STRING, colour={"enum": PEG_COLOURS})


def _turn() -> dict[str, Any]:
    new = with_optional(
        object_schema(game=STRING),
        seats=INTEGER,
        dealer=INTEGER,
        options=map_of(STRING),
        board=STRING,
        names=array_of(STRING),
    )
    said = "Begin another game, or take up one that was laid aside; its snapshot."
    told = _post(said, {"oneOf": [new, object_schema(resume=INTEGER)]}, "201", schema_ref("Snapshot"))
    return {**told, "responses": told["responses"] | _missing()}


def _seat(seat: Any) -> dict[str, Any]:
    return _post("Bind this browser to a seat, or with null to none.", seat, "201", seat)


def _hand(hand: Any) -> dict[str, Any]:
    said = "Keep the hand dealt to this browser's seat, for it alone; in place of the one before."
    return _post(said, object_schema(cards=array_of(CARD_FIELD.schema)), "201", hand)


def _end() -> dict[str, Any]:
    told = _post(
        "Make a phone a watcher's again; those that are left.", object_schema(end=INTEGER), "200", schema_ref("Phones")
    )
    return {**told, "responses": told["responses"] | _missing()}


def _lights(colours: Any) -> dict[str, Any]:
    told = _get("The frame last sent, after the current limit, by hole.", colours)
    number = {"description": "The number of the snapshot it was painted from.", "schema": INTEGER}
    told["responses"]["200"]["headers"] = {"Snapshot": number}
    return told


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": STRING}


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
    return _content("Refused, with the reason.", schema_ref("Error"))
