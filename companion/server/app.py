"""The application of a table: pages and API of docs/reference/http.md."""

import ssl
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from companion.addons import Addons
from companion.common.paths import resource_folder
from companion.common.snapshot import Snapshot
from companion.history.moves import MoveHistory
from companion.http.application import ErrorFormat, add_page_routes, create_bare_app, file_response
from companion.http.assets import Assets, register_themes
from companion.http.permissions import Permissions, join_routes
from companion.http.responses import NO_STORE, CachedBody, json_response, requested_language
from companion.http.sessions import SessionStore
from companion.http.wsgi.limits import FREE_THREAD_KEY
from companion.i18n import format_message
from companion.i18n.catalog import list_languages
from companion.opponent.private_hands import PrivateHands
from companion.ports import Bench
from companion.protocol.json_codec import dump_json
from companion.server.routes.bench import bench_routes
from companion.server.routes.coach import (
    count_response,
    daily_routes,
    lesson_response,
    practice_routes,
    review_routes,
    shuffle_hint_routes,
)
from companion.server.routes.games import game_routes
from companion.server.routes.pages import addon_constants, addon_routes, build_constants, help_routes, openapi_document
from companion.server.routes.players import JoinInfo, hand_routes, invite_routes, judge_routes
from companion.server.routes.table import board_routes, evening_routes, health_response, history_response, move_routes
from companion.server.routes.workshop import LogTail, WorkshopState, workshop_routes
from companion.server.sse import EventStreams, SnapshotEncoder
from companion.table.game_switcher import GameSwitcher
from companion.table.recent_inputs import RecentInputs
from companion.table.table import Table

TABLE_PAGES = {
    address: f"pages/{name}/{name}.html"
    for address, name in {
        "/": "phone", "/tv": "tv", "/invite": "invite", "/evening": "evening", "/workshop": "workshop",
        "/review": "review", "/train": "practice", "/daily": "daily", "/learn": "lesson", "/count": "count",
    }.items()
}  # fmt: skip
"""Template of each page by its address."""
STREAMS_EXTENSION = "event_streams"
"""Key of `Flask.extensions` under which an application keeps its `EventStreams`."""
CONSTANTS_EXTENSION = "page_constants"
"""Key of `Flask.extensions` under which plugins add to the constants of the pages."""
PAGE_ALIASES = {"/practice": "/train", "/lesson": "/learn"}
"""Addresses by the names that pages are called, and those of the pages."""


def create_app(  # noqa: PLR0913 - the parts of one program
    switcher: GameSwitcher,
    *,
    bench: Bench | None,
    key: str,
    how_to_join: str,
    hosts: frozenset[str],
    sessions: SessionStore | None = None,
    join_info: JoinInfo | None = None,
    workshop: WorkshopState | None = None,
    hands: PrivateHands | None = None,
    addons: Addons | None = None,
) -> Flask:
    """Return the application of a table.

    `bench` is given if devices are simulated. `key` is that of the join link, `how_to_join` a message for watchers.
    `hosts` are additional host names to answer to.
    """
    table = switcher.table
    sessions, join_info, addons = sessions or SessionStore(), join_info or JoinInfo(), addons or Addons()
    hands, workshop = hands or PrivateHands(table), workshop or WorkshopState(RecentInputs(), LogTail())
    permissions, encode = Permissions(key, hosts, sessions, join_info.key_path), SnapshotEncoder()
    assets = Assets(resource_folder("web"))
    app = create_bare_app(permissions, ErrorFormat(assets, how_to_join))
    register_themes(app, addons.themes)
    pages = TABLE_PAGES | ({} if bench is None else {"/bench": "pages/bench/bench.html"})
    add_site_routes(app, assets, pages, addons)
    for alias, address in PAGE_ALIASES.items():
        app.add_url_rule(alias, alias, partial(_redirect_page, address))
    _add_table_routes(app, table, encode, permissions)
    streams = EventStreams(table, encode)
    _add_stream_route(app, streams, permissions)
    app.extensions[STREAMS_EXTENSION] = streams
    app.add_url_rule("/authority.crt", "authority", lambda: _certificate_response(join_info.ca_certificate))
    app.register_blueprint(addon_routes(addons))
    app.register_blueprint(help_routes(assets, lambda: table.snapshot))
    app.register_blueprint(shuffle_hint_routes(table))
    app.register_blueprint(game_routes(permissions, switcher, partial(_snapshot_response, encode)))
    app.register_blueprint(evening_routes(table))
    app.register_blueprint(workshop_routes(permissions, table, workshop))
    app.register_blueprint(hand_routes(permissions, table, hands))
    app.register_blueprint(judge_routes(permissions, table, hands))
    app.register_blueprint(review_routes(table, hands))
    app.register_blueprint(practice_routes(permissions, table, hands))
    app.register_blueprint(daily_routes())
    app.add_url_rule("/api/count", "hand_count", count_response)
    app.add_url_rule("/api/learn", "learn", lesson_response)
    app.register_blueprint(invite_routes(permissions, join_info))
    app.register_blueprint(join_routes(permissions, sessions, how_to_join))
    if bench is not None:
        app.register_blueprint(bench_routes(bench, lambda: table.core.plan.board, lambda: len(table.snapshot.players)))
    return app


def add_site_routes(app: Flask, assets: Assets, pages: Mapping[str, str], addons: Addons) -> None:
    """Add pages by address, and what their scripts need: files, words, names and numbers, the service worker."""
    add_page_routes(app, assets, pages)
    app.extensions[CONSTANTS_EXTENSION] = {}
    app.add_url_rule("/api/constants", "constants", lambda: _constants_response(addons))
    app.add_url_rule("/api/words", "languages", lambda: json_response({"languages": list_languages()}))
    app.add_url_rule("/sw.js", "worker", lambda: file_response(assets, "sw.js"))  # it controls addresses below its own


def _add_table_routes(app: Flask, table: Table, encode: SnapshotEncoder, permissions: Permissions) -> None:
    def get_state() -> Response:
        return _snapshot_response(encode, table.snapshot)

    history = MoveHistory(table.journal)
    app.add_url_rule("/api/state", "state", get_state)
    app.register_blueprint(move_routes(table, partial(_snapshot_response, encode)))
    app.register_blueprint(board_routes(lambda: table.core.plan.board))
    app.add_url_rule("/api/health", "health", lambda: health_response(table))
    app.add_url_rule("/api/history", "history", lambda: history_response(table, history))
    app.add_url_rule("/api/openapi.json", "openapi", lambda: _openapi_response(permissions))


def _add_stream_route(app: Flask, streams: EventStreams, permissions: Permissions) -> None:
    def get_stream() -> Response:
        if request.method == "HEAD":  # without a length, waitress would end the response with a chunk
            return Response(mimetype="text/event-stream", headers=NO_STORE)
        address = request.remote_addr or ""
        if not streams.reserve(address):
            full = format_message("Too many pages are connected. This page updates a little later than the others.")
            refusal = json_response({"error": full}, 503)
            refusal.headers["Retry-After"] = "5"
            return refusal
        request.environ.get(FREE_THREAD_KEY, lambda: None)()
        is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
        cookies, was_player = request.headers.get("Cookie", ""), permissions.is_player(request)

        def is_over() -> bool:
            """Return whether the client is gone, or no longer what it was: then its page reconnects."""
            return is_gone() or permissions.has_player_cookie(cookies) != was_player

        events = streams.stream_events(is_over, requested_language())
        response = Response(events, mimetype="text/event-stream", headers=NO_STORE)
        response.call_on_close(lambda: streams.release(address))
        return response

    app.add_url_rule("/api/stream", "stream", get_stream)


def _redirect_page(address: str) -> BaseResponse:
    """Return a redirect to a page, with the query of the request, such as its language."""
    query = request.query_string.decode("latin-1")
    return redirect(f"{address}?{query}" if query else address, 308)


def _certificate_response(path: Path | None) -> Response:
    """Return the certificate of our own authority in DER, the format that phones install."""
    if path is None:
        raise NotFound
    certificate = ssl.PEM_cert_to_DER_cert(path.read_text("ascii"))
    return CachedBody(certificate, "application/x-x509-ca-cert").to_response()


def _constants_response(addons: Addons) -> Response:
    language, constants = requested_language(), build_constants()
    constants = language.translate_value(constants) if language else constants
    return _json_body(constants | current_app.extensions[CONSTANTS_EXTENSION] | addon_constants(addons)).to_response()


def _openapi_response(permissions: Permissions) -> Response:
    return _json_body(openapi_document(permissions.cookie_name)).to_response()


def _json_body(value: Any) -> CachedBody:
    return CachedBody(dump_json(value).encode())


def _snapshot_response(encode: SnapshotEncoder, snapshot: Snapshot) -> Response:
    return Response(encode(snapshot, requested_language()), mimetype="application/json", headers=NO_STORE)
