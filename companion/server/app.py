"""The pages and the API of docs/reference/http.md. The only place that knows HTTP and the page; it decides no rule."""

import logging
import ssl
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from companion.addons import Addons
from companion.common.errors import BadCard, BadMove, CompanionError
from companion.common.paths import resource_folder
from companion.common.snapshot import Snapshot
from companion.history.moves import MoveHistory
from companion.i18n import format_message
from companion.i18n.catalog import list_languages, load_catalog
from companion.opponent.private_hands import PrivateHands
from companion.ports import Bench
from companion.protocol.json_codec import dump_json, parse_json, read_move
from companion.server.auth.invitations import JoinInfo, invite_routes
from companion.server.auth.join import join_routes
from companion.server.auth.permissions import PERMISSIONS_EXTENSION, Permissions
from companion.server.auth.sessions import SessionStore
from companion.server.openapi import openapi_document
from companion.server.pages.assets import TABLE_PAGES, Assets
from companion.server.pages.help import help_routes
from companion.server.pages.templates import register_themes
from companion.server.responses import (
    IMMUTABLE,
    NO_CACHE,
    NO_STORE,
    CachedBody,
    error_page,
    html_response,
    is_page_request,
    json_response,
    page_language,
    requested_language,
)
from companion.server.routes.addons import addon_constants, addon_routes
from companion.server.routes.bench import bench_routes
from companion.server.routes.board import board_routes
from companion.server.routes.constants import build_constants
from companion.server.routes.games import game_routes
from companion.server.routes.health import health_response
from companion.server.routes.history import evening_routes, history_response
from companion.server.routes.practice import practice_routes
from companion.server.routes.private_hands import hand_routes
from companion.server.routes.review import review_routes
from companion.server.routes.shuffle_hints import shuffle_hint_routes
from companion.server.routes.workshop import LogTail, WorkshopState, workshop_routes
from companion.server.sse import EventStreams, SnapshotEncoder
from companion.table.game_switcher import GameSwitcher
from companion.table.recent_inputs import RecentInputs
from companion.table.table import Table

PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

STATUS_MESSAGES = {
    404: format_message("There is nothing at this address."),
    405: format_message("That cannot be done at this address."),
    413: format_message("That is too large: a move is at most 16 KiB."),
}
"""What is said where the library would say something of its own."""

FAULT_MESSAGE = format_message("Something went wrong in the program: look at the table before you try again.")
"""What is said of a fault of ours outside the table: the move may have been made, and only its answer be missing."""

_LOG = logging.getLogger(__name__)


def create_app(  # noqa: PLR0913 - all that one program has
    tables: GameSwitcher,
    *,
    bench: Bench | None,
    key: str,
    how_to_join: str,
    hosts: frozenset[str],
    phones: SessionStore | None = None,
    door: JoinInfo | None = None,
    workshop: WorkshopState | None = None,
    hands: PrivateHands | None = None,
    packs: Addons | None = None,
) -> Flask:
    """The application of a table and its games; `bench` where devices are simulated, `phones` that joined before."""
    table = tables.table
    phones, door = phones or SessionStore(), door or JoinInfo()
    hands = hands or PrivateHands(table)
    rights, encoded = Permissions(key, hosts, phones, door.key_path), SnapshotEncoder()
    app = create_bare_app(rights, how_to_join)
    packs = packs or Addons()
    _add_api_routes(app, table, encoded)
    _add_stream_route(app, EventStreams(table, encoded))
    register_themes(app, packs.themes)
    pages = Assets(resource_folder("web"))
    add_page_routes(app, pages, TABLE_PAGES | ({} if bench is None else {"/bench": "bench.html"}), packs)
    app.register_blueprint(addon_routes(packs))
    app.add_url_rule("/authority.crt", "authority", lambda: _certificate_response(door.ca_certificate))
    app.register_blueprint(help_routes(pages, lambda: table.snapshot))
    app.register_blueprint(shuffle_hint_routes(table))
    app.register_blueprint(game_routes(tables, lambda snapshot: _snapshot_response(snapshot, encoded)))
    app.register_blueprint(evening_routes(table))
    app.register_blueprint(workshop_routes(rights, table, workshop or WorkshopState(RecentInputs(), LogTail())))
    app.register_blueprint(hand_routes(rights, table, hands))
    app.register_blueprint(review_routes(table, hands))
    app.register_blueprint(practice_routes(rights, table, hands))
    app.register_blueprint(invite_routes(rights, door.addresses))
    app.register_blueprint(join_routes(rights, phones, how_to_join))
    if bench is not None:
        app.register_blueprint(bench_routes(bench, lambda: table.core.plan.board, lambda: len(table.snapshot.players)))
    return app


def create_bare_app(rights: Permissions, how_to_join: str) -> Flask:
    """An application without addresses: it looks at who asks, and says each refusal and each fault in a sentence."""
    app = Flask("companion", static_folder=None)
    app.url_map.merge_slashes = False  # a redirect would carry the key of a mistyped join link onward
    app.extensions[PERMISSIONS_EXTENSION] = rights
    app.before_request(lambda: rights.check_request(request))
    app.after_request(_add_security_headers)
    app.register_error_handler(Exception, lambda error: _error_response(error, how_to_join))
    return app


def _add_api_routes(app: Flask, table: Table, encoded: SnapshotEncoder) -> None:
    def get_state() -> Response:
        return _snapshot_response(table.snapshot, encoded)

    def post_move() -> tuple[Response, int]:
        return _snapshot_response(_make_move(table, request), encoded), 201

    chronicles = MoveHistory(table.journal)
    app.add_url_rule("/api/state", "state", get_state)
    app.add_url_rule("/api/moves", "moves", post_move, methods=["POST"])
    app.register_blueprint(board_routes(lambda: table.core.plan.board))
    app.add_url_rule("/api/health", "health", lambda: health_response(table))
    app.add_url_rule("/api/history", "history", lambda: history_response(table, chronicles))
    app.add_url_rule("/api/openapi.json", "openapi", lambda: _json_body(openapi_document()).to_response())


def _certificate_response(kept: Path | None) -> Response:
    """What a phone is to trust: no secret, and in the form that phones take."""
    if kept is None:
        raise NotFound
    return CachedBody(ssl.PEM_cert_to_DER_cert(kept.read_text("ascii")), "application/x-x509-ca-cert").to_response()


def _constants_response(packs: Addons) -> Response:
    language = requested_language()
    return _json_body(
        (language.translate_value(build_constants()) if language else build_constants()) | addon_constants(packs)
    ).to_response()


def words_response(pages: Assets, language: str) -> Response:
    """The words of a language for these pages."""
    found = load_catalog(language)
    if found is None:
        raise NotFound
    told = found.export_for_page()
    if (page := request.args.get("page")) is not None:
        told |= {"words": pages.filter_words(told["words"], page)}
    return _json_body(told).to_response()


def _json_body(value: Any) -> CachedBody:
    return CachedBody(dump_json(value).encode())


def _make_move(table: Table, asked: Request) -> Snapshot:
    """Make the move that was sent: 400 for what is none, 409 for what the rules refuse."""
    try:
        sent = parse_json(asked.get_data())
        if isinstance(sent, dict) and sent.get("type") == "card":
            return table.tap_card(_parse_card_code(sent))
        move = read_move(sent, len(table.snapshot.players))
    except (BadMove, BadCard) as error:
        raise BadRequest(str(error)) from None
    return table.submit(move)


def _parse_card_code(sent: dict[str, Any]) -> str:
    code = sent.get("card")
    if not isinstance(code, str):
        raise BadMove("The card must be a text such as 5H.")
    return code


def _add_stream_route(app: Flask, streams: EventStreams) -> None:
    def get_stream() -> Response:
        if request.method == "HEAD":  # of no length, the server would send its end in chunks
            return Response(mimetype="text/event-stream", headers=NO_STORE)
        address = request.remote_addr or ""
        if not streams.reserve(address):
            full = {
                "error": format_message(
                    "There are as many live pages as there can be; this one asks from time to time."
                )
            }
            told = json_response(full, 503)
            told.headers["Retry-After"] = "5"
            return told
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        live = Response(
            streams.stream_events(gone, requested_language()), mimetype="text/event-stream", headers=NO_STORE
        )
        live.call_on_close(lambda: streams.release(address))
        return live

    app.add_url_rule("/api/stream", "stream", get_stream)


def add_page_routes(app: Flask, pages: Assets, sheets: Mapping[str, str], packs: Addons) -> None:
    """The pages, `sheets` by their address, with all that they are made of: files, words, names and numbers."""

    def get_file(name: str) -> Response:
        found, for_ever = pages.get_file(name)
        if found is None:
            raise NotFound
        return found.to_response(IMMUTABLE if for_ever else NO_CACHE)

    for address, name in sheets.items():
        app.add_url_rule(address, name, partial(_page_response, pages, name))
    app.add_url_rule("/web/<path:name>", "web", get_file)
    app.add_url_rule("/api/constants", "constants", lambda: _constants_response(packs))
    app.add_url_rule("/api/words", "languages", lambda: json_response({"languages": list_languages()}))
    app.add_url_rule("/api/words/<language>", "words", partial(words_response, pages))
    app.add_url_rule(
        "/sw.js", "worker", lambda: get_file("sw.js")
    )  # it may only look after pages at or below its address


def _page_response(pages: Assets, name: str) -> Response:
    return html_response(pages.get_page(name, page_language()))


def _snapshot_response(snapshot: Snapshot, encoded: SnapshotEncoder) -> Response:
    return Response(encoded(snapshot, requested_language()), mimetype="application/json", headers=NO_STORE)


def _add_security_headers(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.mimetype == "text/html":
        response.headers.update(PAGE_HEADERS)
    return response


def _error_response(error: Exception, how_to_join: str) -> Response:
    """Every refusal is a sentence; no error of ours shows a client its insides."""
    error = getattr(error, "original_exception", None) or error  # a fault in the last touch of an answer comes wrapped
    if isinstance(error, HTTPException):
        code = error.code or 500
        own = error.description != type(error).description
        say = (None if own else STATUS_MESSAGES.get(code)) or error.description or format_message("That did not work.")
        headers = {"Allow": ", ".join(error.valid_methods)} if getattr(error, "valid_methods", None) else {}  # type: ignore[attr-defined]
    elif isinstance(error, CompanionError):
        code, say, headers = 409, str(error), {}
    else:
        _LOG.error("A request failed.", exc_info=error)
        code, say, headers = 409, FAULT_MESSAGE, {}  # docs/reference/http.md#refusals knows no 500
    told = error_page(say, code, how_to_join) if is_page_request(request, code) else json_response({"error": say}, code)
    told.headers.update(headers)
    return told
