"""The OpenAPI 3.1 description of the API: `/api/openapi.json`.

Request bodies are those that validate the requests (`RequestBody` in the routes); the schemas of responses are in
`companion.server.schemas`.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from companion.common.constants import CARDS_DEALT
from companion.devices.simulation.faults import FAULT_KINDS
from companion.http.application import is_error_page
from companion.http.auth.join import END_PHONE_BODY
from companion.http.auth.permissions import (
    MARKERS_PATH,
    OWN_BOARD_PATH,
    PEG_PHOTO_PATH,
    PHOTO_PATH,
    PHOTO_TYPES,
    PLAYER_COOKIE,
)
from companion.http.json_schema import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    array_of,
    map_of,
    nullable,
    object_of,
    ref,
    with_optional,
)
from companion.http.requests import QUERY_NUMBER, RequestBody
from companion.protocol.json_fields import JsonSchema
from companion.rules.moves import Swap
from companion.server.routes.bench import BUTTON_BODY, CABLE_BODY, FAULT_BODIES, PEG_BODIES, SCAN_BODY
from companion.server.routes.games import EXPORT_FORMATS, NEW_GAME_BODY, PLAYER_BODY, RESUME_BODY
from companion.server.routes.invitations import AUDIENCES, TABLE
from companion.server.routes.moves import KEY_HEADER, KEY_SCHEMA
from companion.server.routes.private_hands import HAND_BODY, SEAT_BODY
from companion.server.routes.wifi import WIFI_BODY, WIFI_PATH
from companion.server.routes.workshop import DECK_BODY, LIGHTS_BODY, SETTINGS_BODY
from companion.server.schemas import SCHEMAS, move_schema
from companion.wifi.hotspot import Phase

Operation = dict[str, Any]
"""An operation object of OpenAPI."""

HTML, JSON, JSON_LINES = "text/html", "application/json", "application/x-ndjson"
_POST_REFUSALS = ("400", "403", "409", "413", "415", "421")


@cache
def openapi_document(player_cookie: str = PLAYER_COOKIE) -> dict[str, Any]:
    """Return the document of a table whose players have this cookie."""
    paths = _page_paths() | _table_paths() | _player_paths() | _coach_paths() | _workshop_paths() | _bench_paths()
    _describe_error_pages(paths)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": "1",
            "description": "The cribbage board that knows. Anyone may GET; POST needs the join link's cookie.",
        },
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"player": {"type": "apiKey", "in": "cookie", "name": player_cookie}},
        },
    }


def _describe_error_pages(paths: dict[str, Any]) -> None:
    """Replace the errors that browsers show to people: they are pages."""
    for path, operations in paths.items():
        for method, operation in operations.items():
            for code in operation["responses"]:
                if is_error_page(method.upper(), path, int(code)):
                    operation["responses"][code] = _content("Refused, with the reason.", STRING, HTML)


def _page_paths() -> dict[str, Any]:
    file = "A file of the pages, also at an address that contains a hash."
    return {
        "/": _get("The phone page.", STRING, HTML),
        "/tv": _get("The TV view; it has no controls.", STRING, HTML),
        "/invite": _get("Codes and links for players, watchers and the TV view.", STRING, HTML),
        "/evening": _get("The games of an evening.", STRING, HTML),
        "/train": _get("Practice: discarding.", STRING, HTML),
        "/practice": _get_redirect("/train"),
        "/daily": _get("The daily deal.", STRING, HTML),
        "/learn": _get("The lesson: a first game.", STRING, HTML),
        "/lesson": _get_redirect("/learn"),
        "/count": _get("The count of any hand, photographed or tapped.", STRING, HTML),
        "/check": _get("The check of the pegs of a plain board by a photograph.", STRING, HTML),
        "/check/markers": _get("Markers to print, for the corners of a plain board.", STRING, HTML),
        "/review": _get("Review of a game.", STRING, HTML),
        "/workshop": _get("State of the devices and the board.", STRING, HTML),
        "/help/{key}": _get("How a game is played; needs no script.", STRING, HTML, refusals=["404"], path=["key"]),
        "/wifi": _get("The choice of a Wi-Fi network; only with the setting hotspot.", STRING, HTML, refusals=["404"]),
        "/sw.js": _get("The service worker, which opens the page without a connection.", {}, "text/javascript"),
        "/web/{name}": _get(file, {}, "*/*", refusals=["404"], path=["name"]),
        "/packs/{pack}/{name}": _get("A file of an add-on.", {}, "*/*", refusals=["404"], path=["pack", "name"]),
        "/authority.crt": _get(
            "The certificate of our own authority, to be trusted by a phone.",
            {},
            "application/x-x509-ca-cert",
            refusals=["404"],
        ),
        "/api/constants": _get(
            "Names and numbers of cribbage and of add-ons; they do not change in a run.", ref("Constants")
        ),
        "/api/words": _get(
            "The languages that `?lang=` may name, also for every other answer.",
            object_of(languages=array_of(object_of(language=STRING, name=STRING))),
        ),
        "/api/words/{language}": _get(
            "A language's catalogue: the translation of each English pattern.",
            object_of(language=STRING, name=STRING, words=map_of(array_of(STRING)), plural=array_of(INTEGER)),
            refusals=["404"],
            path=["language"],
        ),
        "/api/openapi.json": _get("This document.", {"type": "object"}),
    }


def _table_paths() -> dict[str, Any]:
    full = {"503": {"description": "The maximum number of streams is open; poll /api/state. See Retry-After."}}
    new_or_resumed: JsonSchema = {"oneOf": [NEW_GAME_BODY.schema, RESUME_BODY.schema]}
    series = array_of(ref("Series"))
    raced = with_optional(SCHEMAS["Played"], race=array_of(object_of(ms=INTEGER, scores=array_of(INTEGER))))
    history = _get(
        "The accepted moves without undone ones, in order.",
        ref("History"),
        refusals=["400", "404", "409"],
        query=[
            ("table", QUERY_NUMBER, "The table; by default the present one."),
            ("after", QUERY_NUMBER, "Only moves with a greater number."),
        ],
    )
    history["get"]["responses"]["304"] = {"description": "Unchanged: see ETag."}
    moves = _post("Make a move; returns the snapshot after it.", ref("Move"), ref("Snapshot"), "201")
    tap = "The tap, as RUN/MOVES/TAP; a request with the key of an earlier one gets its answer and makes no move."
    moves["post"]["parameters"] = [{"name": KEY_HEADER, "in": "header", "description": tap, "schema": KEY_SCHEMA}]
    export = _get(
        "A table of the journal as text, entry by entry.",
        STRING,
        JSON_LINES,
        refusals=["400", "404", "409"],
        query=[
            ("table", INTEGER, "The table; by default the present one."),
            ("format", {"enum": [*EXPORT_FORMATS]}, "The format."),
        ],
    )
    export["get"]["responses"]["200"]["content"]["text/csv"] = {"schema": STRING}
    return {
        "/api/state": _get("The present snapshot.", ref("Snapshot")),
        "/api/stream": _get("Snapshots as server-sent events.", STRING, "text/event-stream", more=full),
        "/api/moves": moves,
        "/api/board": _get("The board: holes and routes.", ref("Board")),
        "/api/health": _health(),
        "/api/history": history,
        "/api/judge": _get(
            "What players can call the judge for now.",
            object_of(calls=array_of(object_of(rule=STRING, say=STRING, move=ref("Move")))),
        ),
        "/api/games": _get("The games that can be played.", object_of(games=array_of(ref("Offered")))),
        "/api/table": _post(
            "Begin another game, or resume one; returns its snapshot.",
            new_or_resumed,
            ref("Snapshot"),
            "201",
            refusals=["404"],
        ),
        "/api/tables": _get(
            "The tables of the journal, newest first.",
            object_of(tables=array_of(ref("Table"))),
            refusals=["400"],
            query=[("before", QUERY_NUMBER, "Only tables with a lower number.")],
        ),
        "/api/export": export,
        "/api/evening": _get("The games of this evening.", object_of(games=array_of(ref("Played")), series=series)),
        "/api/evening/players": _get(
            "The record of each player, and the evenings, newest first.",
            object_of(players=array_of(ref("Record")), series=series, evenings=array_of(ref("Evening"))),
        ),
        "/api/evening/table": _get(
            "The games of a table, each with its race.",
            object_of(games=array_of(raced)),
            refusals=["400", "404"],
            query=[("table", INTEGER, "The table; by default the present one.")],
        ),
    }


def _player_paths() -> dict[str, Any]:
    seat, hand = object_of(seat=nullable(INTEGER)), object_of(cards=array_of(ref("Card")))
    links = object_of(player=STRING, watcher=STRING, tv=STRING)
    invitation = with_optional(links, others=array_of(links), table=STRING)
    wifi = object_of(
        phase={"enum": [each.value for each in Phase]},
        networks=array_of(object_of(name=STRING, strength=INTEGER, has_password=BOOLEAN)),
        network=STRING,
        problem=STRING,
        hotspot=nullable(object_of(name=STRING, password=STRING)),
    )
    join = {"303": {"description": "To /, with the player's cookie."}, "403": _error(), "421": _error()}
    return {
        "/join/{key}": {
            "get": {"summary": "Become a player.", "parameters": _path_parameters(["key"]), "responses": join}
        },
        "/api/me": _get(
            "Whether this browser is a player's.", object_of(role={"enum": ["player", "watcher"]}, how_to_join=STRING)
        ),
        "/api/phones": _get("The players' phones.", ref("Phones"), refusals=["403"])
        | _post("End the session of a phone; returns the others.", END_PHONE_BODY, ref("Phones"), refusals=["404"]),
        PHOTO_PATH: _photo_path(),
        PEG_PHOTO_PATH: _peg_photo_path(),
        OWN_BOARD_PATH: _own_board_path(),
        MARKERS_PATH: _post_photo(
            "Find four printed markers on the corners of a board; keeps nothing.",
            object_of(corners=nullable(array_of(array_of(NUMBER, 2), 4)), length_mm=nullable(INTEGER)),
        ),
        "/api/invite": _get("The addresses for invitations.", invitation, refusals=["403"]),
        "/api/invite.svg": _get(
            "An address as a QR code.",
            STRING,
            "image/svg+xml",
            refusals=["400", "403", "404"],
            query=[("for", {"enum": [*AUDIENCES, TABLE]}, "The audience; by default player.")],
        ),
        "/api/invite/renew": _post("Renew the players' link and end all other sessions.", {}, invitation),
        WIFI_PATH: _get("The Wi-Fi: its state, and the networks in sight.", wifi, refusals=["404"])
        | _post("Join a Wi-Fi network; needs no cookie while the own network is open.", WIFI_BODY, {}, "202"),
        "/api/wifi.svg": _get("The own network as a QR code.", STRING, "image/svg+xml", refusals=["403", "404"]),
        "/api/players": _get(
            "The names of the people by seat, kept for the next games.", object_of(names=array_of(STRING))
        )
        | _post("Name a player or choose the colour of a side.", PLAYER_BODY, ref("Snapshot"), "201"),
        "/api/seat": _get("The seat of this browser.", seat)
        | _post("Bind this browser to a seat, or with null to none.", SEAT_BODY, seat, "201"),
        "/api/hand": _get("The cards left in this browser's own hand.", hand, refusals=["404"])
        | _post("Save the hand dealt to this browser's seat; only this browser sees it.", HAND_BODY, hand, "201"),
    }


def _photo_path() -> dict[str, Any]:
    corners = array_of(array_of(NUMBER, 2), 4)
    answer = object_of(
        cards=array_of(object_of(card=ref("Card"), corners=corners, sure=NUMBER)),
        unsure=array_of(object_of(corners=corners, likely=array_of(ref("Card")))),
    )
    return _post_photo("Read the cards in a photograph; plays and keeps nothing.", answer)


def _peg_photo_path() -> dict[str, Any]:
    peg = object_of(hole=STRING, at=array_of(NUMBER, 2))
    side = object_of(seat=INTEGER, score=INTEGER, points=nullable(INTEGER), pegs=array_of(peg), say=STRING)
    answer = object_of(board=STRING, sides=array_of(side))
    query = {
        "corners": _CORNERS,
        "colours": "The colour of each side's pegs, separated by commas.",
        "whole": "Left, top, width and height of the photograph of which the picture is a part.",
        "board": "own: the board that players photographed instead of the board of the game.",
    }
    summary = "Compare the pegs in a photograph with the scores; changes and keeps nothing."
    return _post_photo(summary, answer, query, {"whole", "board"})


def _own_board_path() -> dict[str, Any]:
    points = array_of(array_of(NUMBER, 2))
    query = {
        "corners": _CORNERS,
        "length": "The length of the wood in millimetres.",
        "holes": "The holes of each lane without the two at its start: 121, 61 or 60.",
        "lines": "A line over each lane, from its farther start hole: x,y,x,y … in pixels; separated by semicolons.",
        "keep": "yes: save the board, in place of an older one.",
    }
    own = object_of(can_keep=BOOLEAN, seats=array_of(INTEGER), holes=nullable(INTEGER))
    answer = object_of(holes=points, lanes=array_of(points), is_kept=BOOLEAN)
    return _get("The players' own plain board.", own) | _post_photo(
        "Find the holes of a plain board, and those of each lane under a line; changes no score.",
        answer,
        query,
        {"lines", "keep"},
    )


_CORNERS = "The corners of the wood, the upper left first: eight numbers, in pixels."


def _post_photo(
    summary: str, answer: JsonSchema, query: Mapping[str, str] | None = None, optional: Collection[str] = ()
) -> dict[str, Any]:
    path = _post(summary, STRING, answer, refusals=["501", "503"])
    picture: JsonSchema = {"type": "string", "format": "binary"}
    path["post"]["requestBody"]["content"] = {kind: {"schema": picture} for kind in PHOTO_TYPES}
    path["post"]["parameters"] = [
        {"name": name, "in": "query", "description": say, "schema": STRING, "required": name not in optional}
        for name, say in (query or {}).items()
    ]
    return path


def _coach_paths() -> dict[str, Any]:
    four = array_of(INTEGER, 4)
    advice = object_of(asked=ref("Asked"), ranked=array_of(ref("Ranked")))
    hint = object_of(moves=INTEGER, swap=nullable(move_schema(Swap)), points=INTEGER, total=INTEGER, say=STRING)
    best = object_of(
        moves=INTEGER,
        total=INTEGER,
        reaches=BOOLEAN,
        proved=BOOLEAN,
        grid=array_of(array_of(ref("Card"), 4), 4),
        rows=four,
        columns=four,
        heels=INTEGER,
        swaps=array_of(move_schema(Swap)),
        say=STRING,
    )
    return {
        "/api/hint": _get("Cribbage shuffle: a swap on the way to the best layout.", hint, refusals=["409"]),
        "/api/best": _get("Cribbage shuffle: the best layout.", best, refusals=["409"]),
        "/api/hand/hint": _get("Advice for this browser's own hand.", advice, refusals=["404", "409"]),
        "/api/train": _get(
            "A practice deal.",
            with_optional(advice, seed=INTEGER),
            refusals=["400", "409"],
            query=[
                ("seed", QUERY_NUMBER, "The number of the deal; needed without a hand."),
                ("game", {"enum": [*CARDS_DEALT]}, "The game."),
                ("hand", STRING, "Cards of one's own instead, such as 5H5S5CJD2C3C."),
                ("dealer", {"enum": ["on"]}, "With a hand: the crib is one's own."),
            ],
        ),
        "/api/daily": _get(
            "The daily deal.",
            object_of(date=STRING, asked=ref("Asked"), starter=ref("Card"), ranked=array_of(ref("DailyChoice"))),
            refusals=["400"],
            more={"304": {"description": "Unchanged: see ETag."}},
            query=[("date", STRING, "The day, such as 2026-01-31.")],
            required={"date"},
        ),
        "/api/count": _get(
            "The count of a hand, of any cards and independent of the game.",
            object_of(
                points=INTEGER,
                say=STRING,
                items=array_of(object_of(points=INTEGER, say=STRING, cards=array_of(ref("Card")))),
            ),
            refusals=["400"],
            query=[
                ("cards", STRING, "The cards of the hand, such as 5H5S5CJD: four, or three of five-card cribbage."),
                ("starter", STRING, "The starter, such as 5D; without it, the hand alone is counted."),
                ("crib", {"enum": ["on"]}, "The cards are the crib: a flush needs all five."),
            ],
            required={"cards"},
        ),
        "/api/learn": _get(
            "The lesson after the learner's decisions.",
            ref("Lesson"),
            refusals=["400"],
            query=[("done", STRING, "The decisions so far, joined by dots; empty or missing at the beginning.")],
        ),
        "/api/review": _get(
            "Review of a game: what each choice cost.",
            ref("Review"),
            refusals=["400", "404", "409"],
            query=[
                ("table", QUERY_NUMBER, "The table; by default the present one."),
                ("game", QUERY_NUMBER, "The number of its game, from 1; by default the newest."),
                ("hand", QUERY_NUMBER, "Only the deal of this number, from 1, with all alternatives."),
            ],
        ),
    }


def _workshop_paths() -> dict[str, Any]:
    workshop = ref("Workshop")
    picture = {"type": "string", "contentMediaType": "image/jpeg"}
    camera = _get("A camera's marked spot.", picture, "image/jpeg", refusals=["403", "404", "409"], path=["number"])
    spot = {"description": "What is read in the picture, as JSON.", "schema": STRING}
    camera["get"]["responses"]["200"]["headers"] = {"Spot": spot}
    return {
        "/api/workshop": _get("The workshop, for players.", workshop, refusals=["403"]),
        "/api/workshop/settings": _post("Change settings.", SETTINGS_BODY, workshop),
        "/api/workshop/lights": _post("Light some holes, or all.", LIGHTS_BODY, object_of(ok={"const": True}), "202"),
        "/api/workshop/deck": _post("Learn the code of a card.", DECK_BODY, workshop),
        "/api/workshop/cameras/{number}": camera,
        "/api/workshop/recording": _get(
            "A recording of the last ten minutes.", STRING, JSON_LINES, refusals=["403", "409"]
        ),
    }


def _bench_paths() -> dict[str, Any]:
    colour = array_of(INTEGER, 3)
    pips = object_of(pips=array_of(array_of(colour, 7)), button=BOOLEAN)
    faults = array_of(object_of(kind={"enum": [*FAULT_KINDS]}, holes=array_of(STRING)))
    ok = object_of(ok={"const": True})
    lights = _get("The frame last sent, after the current limit, by hole.", map_of(colour))
    number = {"description": "The number of the snapshot that it shows.", "schema": INTEGER}
    lights["get"]["responses"]["200"]["headers"] = {"Snapshot": number}
    return {
        "/bench": _get("The bench page with the simulated devices.", STRING, HTML, refusals=["404"]),
        "/api/bench/holes": _get("The holes with a peg.", object_of(occupied=array_of(STRING)))
        | _post("Lift or place pegs.", _one_of(PEG_BODIES), ok, "202"),
        "/api/bench/fault": _get("The simulated sensor faults.", object_of(faults=faults))
        | _post("Set or remove the fault of a hole's sensor, or of its row.", _one_of(FAULT_BODIES), ok, "202"),
        "/api/bench/lights": lights,
        "/api/bench/dice": _get("The pips of the dice as last sent, and the lamp of the dice button.", pips),
        "/api/bench/display": _get("The picture of the board's display.", object_of(rows=array_of(STRING))),
        "/api/bench/scan": _post("Scan a card.", SCAN_BODY, ok, "202"),
        "/api/bench/press": _post("Press a button.", BUTTON_BODY, ok, "202"),
        "/api/bench/cable": _post("Plug in or unplug a cable.", CABLE_BODY, ok, "202"),
    }


def _health() -> dict[str, Operation]:
    state = object_of(ok=BOOLEAN, say=STRING)
    body = object_of(ok=BOOLEAN, journal=state, devices=map_of(state), version=STRING)
    unwritable = {"503": _content("Moves cannot be written at present.", body)}
    return _get("Health of the program.", body, more=unwritable)


def _get(  # noqa: PLR0913 - one place for all GETs
    summary: str,
    schema: JsonSchema,
    mimetype: str = JSON,
    *,
    refusals: list[str] | None = None,
    more: dict[str, Any] | None = None,
    path: list[str] | None = None,
    query: list[tuple[str, JsonSchema, str]] | None = None,
    required: set[str] | None = None,
) -> dict[str, Operation]:
    """Return the GET of a path. `query` has name, schema and description of each parameter."""
    errors = {code: _error() for code in ["421", *(refusals or [])]}
    operation: Operation = {
        "summary": summary,
        "responses": {"200": _content("As requested.", schema, mimetype), **errors, **(more or {})},
    }
    parameters = _path_parameters(path or []) + [
        {"name": name, "in": "query", "description": description, "schema": kind}
        | ({"required": True} if name in (required or ()) else {})
        for name, kind, description in query or []
    ]
    return {"get": operation | ({"parameters": parameters} if parameters else {})}


def _get_redirect(address: str) -> dict[str, Operation]:
    """Return the GET of another name of a page."""
    responses = {"308": _content("The address of the page, with the query.", STRING, HTML), "421": _error()}
    return {"get": {"summary": f"Leads to {address}.", "responses": responses}}


def _post(
    summary: str,
    body: RequestBody | JsonSchema,
    answer: JsonSchema,
    code: str = "200",
    refusals: list[str] | None = None,
) -> dict[str, Operation]:
    """Return the POST of a path."""
    schema = body.schema if isinstance(body, RequestBody) else body
    errors = {refusal: _error() for refusal in (*_POST_REFUSALS, *(refusals or []))}
    return {
        "post": {
            "summary": summary,
            "security": [{"player": []}],
            "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
            "responses": {code: _content("Done.", answer), **errors},
        }
    }


def _one_of(bodies: dict[str, RequestBody]) -> JsonSchema:
    return {"oneOf": [body.schema for body in bodies.values()]}


def _path_parameters(names: list[str]) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": STRING} for name in names]


def _content(description: str, schema: JsonSchema, mimetype: str = JSON) -> dict[str, Any]:
    return {"description": description, "content": {mimetype: {"schema": schema}}}


def _error() -> dict[str, Any]:
    return _content("Refused, with the reason.", ref("Error"))
