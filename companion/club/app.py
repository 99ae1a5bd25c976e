"""The scoreboard, pages and API (docs/reference/club.md): all may look, who has the organiser's link may write."""

import logging
from collections.abc import Mapping
from pathlib import Path

from flask import Flask, Response, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from companion.club import queries
from companion.club.database import Store, StoreError
from companion.club.queries import Shown
from companion.club.tournaments import Events
from companion.common.errors import BadMove, CompanionError
from companion.common.paths import folder
from companion.i18n import say
from companion.server.app import PAGE_HEADERS, words
from companion.server.auth.join import joining_routes
from companion.server.auth.permissions import RIGHTS, Rights
from companion.server.auth.sessions import Phones
from companion.server.pages.assets import Pages
from companion.server.responses import (
    ASKED_AGAIN,
    FOR_EVER,
    NOT_KEPT,
    asked_language,
    html_answer,
    json_answer,
    page_language,
)
from companion.server.routes.games import sent_object
from companion.server.routes.history import number
from companion.table.players import read_name

HOW_TO_JOIN = say("Open the organiser's address that the program prints.")
_FAULT = say("Something went wrong in the program: look at what is there before you try again.")
_LOG = logging.getLogger(__name__)


def create_app(store: Store, key: str, *, hosts: frozenset[str] = frozenset(), phones: Path | None = None) -> Flask:
    """The application of a store; `key` is the organiser's, `phones` the file of the browsers that have it."""
    app = Flask("companion.club", static_folder=None)
    app.url_map.merge_slashes = False
    known = Phones(phones)
    rights = Rights(key, hosts, known)
    app.extensions[RIGHTS] = rights
    app.before_request(lambda: rights.check(request))
    app.after_request(_guarded)
    app.register_error_handler(Exception, _told)
    app.register_blueprint(joining_routes(rights, known, HOW_TO_JOIN))
    _reading(app, store)
    _events(app, Events(store))
    _pages(app, Pages(folder("web")))
    return app


def _reading(app: Flask, store: Store) -> None:
    def standings() -> Response:
        if (event := request.args.get("event")) is None:
            return json_answer({"event": None, "standings": queries.everybody(store), "games": []})
        return json_answer(Events(store).told(_event(event)))

    def export() -> Response:
        event = request.args.get("event")
        lines = queries.results_csv(store) if event is None else queries.event_csv(Events(store).told(_event(event)))
        name = "results" if event is None else f"event-{_event(event)}"
        headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', **NOT_KEPT}
        return Response("".join(lines), headers=headers, mimetype="text/csv")

    def results() -> Response:
        return json_answer({"results": queries.results(store, number("before", queries.LAST))})

    def shown() -> Response:
        event = request.args.get("event")
        return seen.answer(None if event is None else _event(event), asked_language())

    seen = Shown(store, Events(store))
    add = app.add_url_rule
    add("/api/club/room", "room", shown)
    add("/api/club/tables", "tables", lambda: json_answer({"tables": queries.tables(store)}))
    add("/api/club/results", "results", results)
    add("/api/club/standings", "standings", standings)
    add("/api/club/health", "health", lambda: json_answer(queries.health(store)))
    add("/api/club/export", "export", export)


def _events(app: Flask, events: Events) -> None:
    def listed() -> Response:
        return json_answer({"events": events.listed()})

    def begun() -> tuple[Response, int]:
        body = sent_object()
        name, kind, players = (body.get(each) for each in ("name", "kind", "players"))
        made = events.begin(name, kind, players, body.get("rounds", 0))
        return json_answer(events.told(made)), 201

    def changed(event: int, what: str) -> tuple[Response, int]:
        body = sent_object()
        events.told(event)
        if what == "players":
            (events.leave if body.get("leaves") is True else events.enter)(event, body.get("name"))
        elif what == "rounds":
            (events.unpair if body.get("take_back") is True else events.pair)(event)
        elif what == "results":
            events.result(event, body, read_name(body.get("by")))
        else:
            raise NotFound
        return json_answer(events.told(event)), 201

    app.add_url_rule("/api/club/events", "events", listed)
    app.add_url_rule("/api/club/events", "begin_event", begun, methods=["POST"])
    app.add_url_rule("/api/club/events/<int:event>/<what>", "change_event", changed, methods=["POST"])


def _pages(app: Flask, pages: Pages) -> None:
    def file(name: str) -> Response:
        found, for_ever = pages.file(name)
        if found is None:
            raise NotFound
        return found.answer(FOR_EVER if for_ever else ASKED_AGAIN)

    app.add_url_rule("/", "page", lambda: html_answer(pages.page("club.html", page_language())))
    app.add_url_rule("/web/<path:name>", "web", file)
    app.add_url_rule("/api/words/<language>", "words", lambda language: words(pages, language))


def _event(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadRequest(say("An event is named by its number."))
    return int(text)


def _guarded(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.mimetype == "text/html":
        response.headers.update(PAGE_HEADERS)
    return response


def _told(error: Exception) -> Response:
    """Every refusal is a sentence; no error of ours shows a client its insides."""
    said: Mapping[type[Exception], int] = {BadMove: 400, StoreError: 503}
    if isinstance(error, HTTPException):
        return json_answer({"error": error.description or say("That did not work.")}, error.code or 500)
    if isinstance(error, CompanionError):
        code = next((code for kind, code in said.items() if isinstance(error, kind)), 409)
        return json_answer({"error": str(error)}, code)
    _LOG.error("A request failed.", exc_info=error)
    return json_answer({"error": _FAULT}, 409)
