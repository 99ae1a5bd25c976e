"""The pages and the API of docs/reference/http.md. The only place that knows HTTP and the page; it decides no rule."""

import logging
import ssl
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from companion.addons import Packs
from companion.common.errors import BadCard, BadMove, CompanionError
from companion.common.paths import folder
from companion.common.snapshot import Snapshot
from companion.history.moves import Chronicles
from companion.i18n import say
from companion.i18n.catalog import catalogue, languages
from companion.opponent.private_hands import Hands, hand_routes
from companion.ports import Bench
from companion.protocol.json_codec import dumps, parse, read_move
from companion.server.auth.invitations import Door, invite_routes
from companion.server.auth.join import joining_routes
from companion.server.auth.permissions import RIGHTS, Rights
from companion.server.auth.sessions import Phones
from companion.server.openapi import document
from companion.server.pages.assets import SHEETS, Pages
from companion.server.pages.help import help_routes
from companion.server.pages.templates import offer
from companion.server.responses import (
    ASKED_AGAIN,
    FOR_EVER,
    NOT_KEPT,
    Text,
    asked_language,
    html_answer,
    is_for_a_page,
    json_answer,
    page_language,
    refused,
)
from companion.server.routes.addons import pack_routes, told
from companion.server.routes.bench import bench_routes
from companion.server.routes.board import board_routes
from companion.server.routes.constants import constants
from companion.server.routes.games import table_routes
from companion.server.routes.health import health
from companion.server.routes.history import evening_routes, history
from companion.server.routes.practice import practice_routes
from companion.server.routes.review import review_routes
from companion.server.routes.shuffle_hints import hint_routes
from companion.server.routes.workshop import Tail, Workshop, workshop_routes
from companion.server.sse import Encoded, Streams
from companion.table.game_switcher import Tables
from companion.table.recent_inputs import Recent
from companion.table.table import Table

PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

SENTENCES = {
    404: say("There is nothing at this address."),
    405: say("That cannot be done at this address."),
    413: say("That is too large: a move is at most 16 KiB."),
}
"""What is said where the library would say something of its own."""

FAULT = say("Something went wrong in the program: look at the table before you try again.")
"""What is said of a fault of ours outside the table: the move may have been made, and only its answer be missing."""

_LOG = logging.getLogger(__name__)


def create_app(  # noqa: PLR0913 - all that one program has
    tables: Tables,
    *,
    bench: Bench | None,
    key: str,
    how_to_join: str,
    hosts: frozenset[str],
    phones: Phones | None = None,
    door: Door | None = None,
    workshop: Workshop | None = None,
    hands: Hands | None = None,
    packs: Packs | None = None,
) -> Flask:
    """The application of a table and its games; `bench` where devices are simulated, `phones` that joined before."""
    table = tables.table
    phones, door = phones or Phones(), door or Door()
    hands = hands or Hands(table)
    rights, encoded = Rights(key, hosts, phones, door.kept_key), Encoded()
    app = bare_app(rights, how_to_join)
    packs = packs or Packs()
    _api(app, table, encoded)
    _stream(app, Streams(table, encoded))
    offer(app, packs.themes)
    pages = Pages(folder("web"))
    add_pages(app, pages, SHEETS | ({} if bench is None else {"/bench": "bench.html"}), packs)
    app.register_blueprint(pack_routes(packs))
    app.add_url_rule("/authority.crt", "authority", lambda: _authority(door.authority))
    app.register_blueprint(help_routes(pages, lambda: table.snapshot))
    app.register_blueprint(hint_routes(table))
    app.register_blueprint(table_routes(tables, lambda snapshot: _snapshot(snapshot, encoded)))
    app.register_blueprint(evening_routes(table))
    app.register_blueprint(workshop_routes(rights, table, workshop or Workshop(Recent(), Tail())))
    app.register_blueprint(hand_routes(rights, table, hands))
    app.register_blueprint(review_routes(table, hands))
    app.register_blueprint(practice_routes(rights, table, hands))
    app.register_blueprint(invite_routes(rights, door.here))
    app.register_blueprint(joining_routes(rights, phones, how_to_join))
    if bench is not None:
        app.register_blueprint(bench_routes(bench, lambda: table.core.plan.board, lambda: len(table.snapshot.players)))
    return app


def bare_app(rights: Rights, how_to_join: str) -> Flask:
    """An application without addresses: it looks at who asks, and says each refusal and each fault in a sentence."""
    app = Flask("companion", static_folder=None)
    app.url_map.merge_slashes = False  # a redirect would carry the key of a mistyped join link onward
    app.extensions[RIGHTS] = rights
    app.before_request(lambda: rights.check(request))
    app.after_request(_guarded)
    app.register_error_handler(Exception, lambda error: _told(error, how_to_join))
    return app


def _api(app: Flask, table: Table, encoded: Encoded) -> None:
    def state() -> Response:
        return _snapshot(table.snapshot, encoded)

    def moves() -> tuple[Response, int]:
        return _snapshot(_moved(table, request), encoded), 201

    chronicles = Chronicles(table.journal)
    app.add_url_rule("/api/state", "state", state)
    app.add_url_rule("/api/moves", "moves", moves, methods=["POST"])
    app.register_blueprint(board_routes(lambda: table.core.plan.board))
    app.add_url_rule("/api/health", "health", lambda: health(table))
    app.add_url_rule("/api/history", "history", lambda: history(table, chronicles))
    app.add_url_rule("/api/openapi.json", "openapi", lambda: _text(document()).answer())


def _authority(kept: Path | None) -> Response:
    """What a phone is to trust: no secret, and in the form that phones take."""
    if kept is None:
        raise NotFound
    return Text(ssl.PEM_cert_to_DER_cert(kept.read_text("ascii")), "application/x-x509-ca-cert").answer()


def _constants(packs: Packs) -> Response:
    language = asked_language()
    return _text((language.value(constants()) if language else constants()) | told(packs)).answer()


def words(pages: Pages, language: str) -> Response:
    """The words of a language for these pages."""
    found = catalogue(language)
    if found is None:
        raise NotFound
    told = found.page()
    if (page := request.args.get("page")) is not None:
        told |= {"words": pages.words(told["words"], page)}
    return _text(told).answer()


def _text(value: Any) -> Text:
    return Text(dumps(value).encode())


def _moved(table: Table, asked: Request) -> Snapshot:
    """Make the move that was sent: 400 for what is none, 409 for what the rules refuse."""
    try:
        sent = parse(asked.get_data())
        if isinstance(sent, dict) and sent.get("type") == "card":
            return table.card(_code(sent))
        move = read_move(sent, len(table.snapshot.players))
    except (BadMove, BadCard) as error:
        raise BadRequest(str(error)) from None
    return table.submit(move)


def _code(sent: dict[str, Any]) -> str:
    code = sent.get("card")
    if not isinstance(code, str):
        raise BadMove("The card must be a text such as 5H.")
    return code


def _stream(app: Flask, streams: Streams) -> None:
    def stream() -> Response:
        if request.method == "HEAD":  # of no length, the server would send its end in chunks
            return Response(mimetype="text/event-stream", headers=NOT_KEPT)
        address = request.remote_addr or ""
        if not streams.enter(address):
            full = {"error": say("There are as many live pages as there can be; this one asks from time to time.")}
            told = json_answer(full, 503)
            told.headers["Retry-After"] = "5"
            return told
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        live = Response(streams.events(gone, asked_language()), mimetype="text/event-stream", headers=NOT_KEPT)
        live.call_on_close(lambda: streams.leave(address))
        return live

    app.add_url_rule("/api/stream", "stream", stream)


def add_pages(app: Flask, pages: Pages, sheets: Mapping[str, str], packs: Packs) -> None:
    """The pages, `sheets` by their address, with all that they are made of: files, words, names and numbers."""

    def file(name: str) -> Response:
        found, for_ever = pages.file(name)
        if found is None:
            raise NotFound
        return found.answer(FOR_EVER if for_ever else ASKED_AGAIN)

    for address, name in sheets.items():
        app.add_url_rule(address, name, partial(_page, pages, name))
    app.add_url_rule("/web/<path:name>", "web", file)
    app.add_url_rule("/api/constants", "constants", lambda: _constants(packs))
    app.add_url_rule("/api/words", "languages", lambda: json_answer({"languages": languages()}))
    app.add_url_rule("/api/words/<language>", "words", partial(words, pages))
    app.add_url_rule("/sw.js", "worker", lambda: file("sw.js"))  # it may only look after pages at or below its address


def _page(pages: Pages, name: str) -> Response:
    return html_answer(pages.page(name, page_language()))


def _snapshot(snapshot: Snapshot, encoded: Encoded) -> Response:
    return Response(encoded(snapshot, asked_language()), mimetype="application/json", headers=NOT_KEPT)


def _guarded(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.mimetype == "text/html":
        response.headers.update(PAGE_HEADERS)
    return response


def _told(error: Exception, how_to_join: str) -> Response:
    """Every refusal is a sentence; no error of ours shows a client its insides."""
    error = getattr(error, "original_exception", None) or error  # a fault in the last touch of an answer comes wrapped
    if isinstance(error, HTTPException):
        code = error.code or 500
        own = error.description != type(error).description
        say = (None if own else SENTENCES.get(code)) or error.description or say("That did not work.")
        headers = {"Allow": ", ".join(error.valid_methods)} if getattr(error, "valid_methods", None) else {}  # type: ignore[attr-defined]
    elif isinstance(error, CompanionError):
        code, say, headers = 409, str(error), {}
    else:
        _LOG.error("A request failed.", exc_info=error)
        code, say, headers = 409, FAULT, {}  # docs/reference/http.md#refusals knows no 500
    told = refused(say, code, how_to_join) if is_for_a_page(request, code) else json_answer({"error": say}, code)
    told.headers.update(headers)
    return told
