"""The scoreboard, pages and API (docs/reference/club.md): all may look, who has the organiser's link may write."""

import logging
from collections.abc import Mapping
from pathlib import Path

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from companion.club import queries
from companion.club.database import Database, DatabaseError
from companion.club.queries import ClubPageCache
from companion.club.tournaments import Tournaments
from companion.common.errors import BadMove, CompanionError
from companion.common.paths import resource_folder
from companion.i18n import format_message
from companion.server.app import PAGE_HEADERS, words_response
from companion.server.auth.join import join_routes
from companion.server.auth.permissions import PERMISSIONS_EXTENSION, Permissions
from companion.server.auth.sessions import SessionStore
from companion.server.pages.assets import Assets
from companion.server.responses import (
    IMMUTABLE,
    NO_CACHE,
    NO_STORE,
    html_response,
    json_response,
    page_language,
    requested_language,
)
from companion.server.routes.games import read_json_object
from companion.server.routes.history import parse_query_number
from companion.table.players import read_name

HOW_TO_JOIN = format_message("Open the organiser's address that the program prints.")
_FAULT_MESSAGE = format_message("Something went wrong in the program: look at what is there before you try again.")
_LOG = logging.getLogger(__name__)


def create_app(store: Database, key: str, *, hosts: frozenset[str] = frozenset(), phones: Path | None = None) -> Flask:
    """The application of a store; `key` is the organiser's, `phones` the file of the browsers that have it."""
    app = Flask("companion.club", static_folder=None)
    app.url_map.merge_slashes = False
    known = SessionStore(phones)
    rights = Permissions(key, hosts, known)
    app.extensions[PERMISSIONS_EXTENSION] = rights
    app.before_request(lambda: rights.check_request(request))
    app.after_request(_add_security_headers)
    app.register_error_handler(Exception, _error_response)
    app.register_blueprint(join_routes(rights, known, HOW_TO_JOIN))
    _add_read_routes(app, store)
    _add_event_routes(app, Tournaments(store))
    _add_page_routes(app, Assets(resource_folder("web")))
    return app


def _add_read_routes(app: Flask, store: Database) -> None:
    def get_standings() -> Response:
        if (event := request.args.get("event")) is None:
            return json_response({"event": None, "standings": queries.overall_standings(store), "games": []})
        return json_response(Tournaments(store).describe_event(_parse_event_id(event)))

    def get_export() -> Response:
        event = request.args.get("event")
        lines = (
            queries.results_csv(store)
            if event is None
            else queries.event_csv(Tournaments(store).describe_event(_parse_event_id(event)))
        )
        name = "results" if event is None else f"event-{_parse_event_id(event)}"
        headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', **NO_STORE}
        return Response("".join(lines), headers=headers, mimetype="text/csv")

    def get_results() -> Response:
        return json_response(
            {"results": queries.list_results(store, parse_query_number("before", queries.MAX_RESULT_ID))}
        )

    def get_room() -> Response:
        event = request.args.get("event")
        return seen.get_response(None if event is None else _parse_event_id(event), requested_language())

    seen = ClubPageCache(store, Tournaments(store))
    add = app.add_url_rule
    add("/api/club/room", "room", get_room)
    add("/api/club/tables", "tables", lambda: json_response({"tables": queries.list_tables(store)}))
    add("/api/club/results", "results", get_results)
    add("/api/club/standings", "standings", get_standings)
    add("/api/club/health", "health", lambda: json_response(queries.archive_health(store)))
    add("/api/club/export", "export", get_export)


def _add_event_routes(app: Flask, events: Tournaments) -> None:
    def get_events() -> Response:
        return json_response({"events": events.list_events()})

    def post_event() -> tuple[Response, int]:
        body = read_json_object()
        name, kind, players = (body.get(each) for each in ("name", "kind", "players"))
        made = events.create_event(name, kind, players, body.get("rounds", 0))
        return json_response(events.describe_event(made)), 201

    def post_event_change(event: int, what: str) -> tuple[Response, int]:
        body = read_json_object()
        events.describe_event(event)
        if what == "players":
            (events.remove_player if body.get("leaves") is True else events.add_player)(event, body.get("name"))
        elif what == "rounds":
            (events.undo_round if body.get("take_back") is True else events.pair_round)(event)
        elif what == "results":
            events.record_result(event, body, read_name(body.get("by")))
        else:
            raise NotFound
        return json_response(events.describe_event(event)), 201

    app.add_url_rule("/api/club/events", "events", get_events)
    app.add_url_rule("/api/club/events", "begin_event", post_event, methods=["POST"])
    app.add_url_rule("/api/club/events/<int:event>/<what>", "change_event", post_event_change, methods=["POST"])


def _add_page_routes(app: Flask, pages: Assets) -> None:
    def get_file(name: str) -> Response:
        found, for_ever = pages.get_file(name)
        if found is None:
            raise NotFound
        return found.to_response(IMMUTABLE if for_ever else NO_CACHE)

    app.add_url_rule("/", "page", lambda: html_response(pages.get_page("club.html", page_language())))
    app.add_url_rule("/web/<path:name>", "web", get_file)
    app.add_url_rule("/api/words/<language>", "words", lambda language: words_response(pages, language))


def _parse_event_id(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadRequest(format_message("An event is named by its number."))
    return int(text)


def _add_security_headers(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.mimetype == "text/html":
        response.headers.update(PAGE_HEADERS)
    return response


def _error_response(error: Exception) -> Response:
    """Every refusal is a sentence; no error of ours shows a client its insides."""
    said: Mapping[type[Exception], int] = {BadMove: 400, DatabaseError: 503}
    if isinstance(error, HTTPException):
        return json_response({"error": error.description or format_message("That did not work.")}, error.code or 500)
    if isinstance(error, CompanionError):
        code = next((code for kind, code in said.items() if isinstance(error, kind)), 409)
        return json_response({"error": str(error)}, code)
    _LOG.error("A request failed.", exc_info=error)
    return json_response({"error": _FAULT_MESSAGE}, 409)
