"""The club's application: pages and API of docs/reference/club.md. Changes need the organiser's link."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.errors import BadMove, IllegalMove
from companion.common.paths import resource_folder
from companion.http.application import ErrorFormat, add_page_routes, create_bare_app
from companion.http.assets import Assets
from companion.http.permissions import Permissions, join_routes
from companion.http.requests import parse_query_number, read_json_object
from companion.http.responses import NO_STORE, json_response, requested_language
from companion.http.sessions import SessionStore
from companion.i18n import format_message
from companion.plugins.club import queries
from companion.plugins.club.database import Database, DatabaseError
from companion.plugins.club.league_events import LeagueEvents
from companion.plugins.club.queries import ClubPageCache
from companion.plugins.club.tournament.director import TournamentDirector
from companion.plugins.club.tournament.duplicate_night import DuplicateNight
from companion.plugins.club.tournament.routes import add_tournament_routes
from companion.plugins.club.tournament.store import TOURNAMENT_KIND
from companion.table.players import read_name

HOW_TO_JOIN = format_message("Open the organiser's link that the program shows.")

CLUB_PAGES = {
    "/": "plugins/club/club.html",
    "/tournament": "plugins/club/tournament.html",
    "/card": "plugins/club/card.html",
}
_ERROR_CODES = {BadMove: 400, DatabaseError: 503}
_FAULT_MESSAGE = format_message("Something went wrong. Check what was saved before you try again.")
_MAX_ID_DIGITS = 9


def create_club_app(
    database: Database, key: str, *, hosts: frozenset[str] = frozenset(), sessions_path: Path | None = None
) -> Flask:
    """Return the application. `key` is that of the organiser's link, `sessions_path` the file of its sessions."""
    sessions = SessionStore(sessions_path)
    permissions = Permissions(key, hosts, sessions)
    app = create_bare_app(permissions, ErrorFormat(codes=_ERROR_CODES, fault=_FAULT_MESSAGE))
    app.register_blueprint(join_routes(permissions, sessions, HOW_TO_JOIN))
    add_page_routes(app, Assets(resource_folder("web")), CLUB_PAGES)
    events = LeagueEvents(database)
    _add_read_routes(app, database, events)
    _add_event_routes(app, events)
    director = TournamentDirector(database, key)
    add_tournament_routes(app, director, DuplicateNight(database, director), permissions)
    return app


def _add_read_routes(app: Flask, database: Database, events: LeagueEvents) -> None:
    def get_standings() -> Response:
        event = _parse_event_id()
        if event is None:
            return json_response({"event": None, "standings": page.results.load_standings(), "games": []})
        return json_response(events.describe_event(event))

    def get_export() -> Response:
        event = _parse_event_id()
        if event is None:
            name, text = "results", page.results.load_csv()
        else:
            name, text = f"event-{event}", "".join(queries.event_csv(events.describe_event(event)))
        headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', **NO_STORE}
        return Response(text, headers=headers, mimetype="text/csv")

    def get_results() -> Response:
        before = parse_query_number("before", queries.MAX_RESULT_ID)
        return json_response({"results": queries.list_results(database, before)})

    def get_room() -> Response:
        return page.get_body(_parse_event_id(), requested_language()).to_response()

    page = ClubPageCache(database, events)
    add = app.add_url_rule
    add("/api/club/room", "room", get_room)
    add("/api/club/tables", "tables", lambda: json_response({"tables": queries.list_tables(database)}))
    add("/api/club/results", "results", get_results)
    add("/api/club/standings", "standings", get_standings)
    add("/api/club/health", "health", lambda: json_response(queries.archive_health(database)))
    add("/api/club/export", "export", get_export)


def _add_event_routes(app: Flask, events: LeagueEvents) -> None:
    changes: Mapping[str, Callable[[int, Mapping[str, Any]], None]] = {
        "players": lambda event, body: (
            events.remove_player if body.get("leaves") is True else events.add_player
        )(event, body.get("name")),
        "boards": lambda event, body: (
            events.remove_board(event, body.get("board")) if body.get("leaves") is True
            else events.add_board(event, body.get("club"), body.get("board"))),
        "rounds": lambda event, body: (
            events.undo_round if body.get("take_back") is True else events.pair_round)(event),
        "results": lambda event, body: events.record_result(event, body, read_name(body.get("by"))),
    }  # fmt: skip

    def get_events() -> Response:
        return json_response({"events": events.list_events()})

    def post_event() -> tuple[Response, int]:
        body = read_json_object()
        name, kind, players = (body.get(field) for field in ("name", "kind", "players"))
        event = events.create_event(name, kind, players, body.get("rounds", 0))
        return json_response(events.describe_event(event)), 201

    def post_event_change(event: int, what: str) -> tuple[Response, int]:
        body = read_json_object()
        kind = events.describe_event(event)["event"]["kind"]  # raises IllegalMove if there is none
        if kind == TOURNAMENT_KIND and what != "boards":
            raise IllegalMove("This is a tournament: change it on its own page.")
        if what not in changes:
            raise NotFound
        changes[what](event, body)
        return json_response(events.describe_event(event)), 201

    app.add_url_rule("/api/club/events", "events", get_events)
    app.add_url_rule("/api/club/events", "begin_event", post_event, methods=["POST"])
    app.add_url_rule("/api/club/events/<int:event>/<what>", "change_event", post_event_change, methods=["POST"])


def _parse_event_id() -> int | None:
    """Return the number in `?event=`, None if there is none. Raises BadRequest."""
    text = request.args.get("event")
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _MAX_ID_DIGITS:
        raise BadRequest(format_message("The event must be a number."))
    return int(text)
