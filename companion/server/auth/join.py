"""Who plays: the join link, the role of a browser, and the list of the players' phones, each of which can be ended."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from companion.common.errors import BadMove
from companion.i18n import format_message
from companion.protocol.json_codec import parse_json
from companion.server.auth.permissions import Permissions
from companion.server.auth.sessions import SessionStore
from companion.server.auth.throttle import LoginThrottle
from companion.server.responses import NO_STORE, json_response

HOW_TO_JOIN = format_message("Scan the code on the companion's screen, or open the players' address it prints.")
"""Told to a watcher."""

_WRONG_LINK = format_message("That is not this table's join link, or no longer: scan the code on its screen again.")
_TOO_MANY_ATTEMPTS = format_message("Too many wrong links came from there: wait a little.")


def join_routes(rights: Permissions, phones: SessionStore, how_to_join: str) -> Blueprint:
    """The routes of joining; `how_to_join` is a sentence for watchers."""
    routes, patience = Blueprint("joining", __name__), LoginThrottle()

    def open_join_link(key: str) -> Response:
        address = request.remote_addr or ""
        if not patience.may_try(address):
            raise Forbidden(_TOO_MANY_ATTEMPTS)
        if not rights.is_join_key(key):
            patience.record_failure(address)
            raise Forbidden(_WRONG_LINK)
        headers = {"Location": "/", "Set-Cookie": rights.create_cookie(request), **NO_STORE}
        return Response(status=303, headers=headers)

    def get_role() -> Response:
        role = "player" if rights.is_player(request) else "watcher"
        return json_response({"role": role, "how_to_join": how_to_join})

    def get_phones() -> Response:
        if not rights.is_player(request):
            raise Forbidden(format_message("Only players may see that: open the join link first."))
        return json_response({"phones": phones.list_sessions(rights.cookie_value(request))})

    def post_end_phone() -> Response:
        if not phones.end_session(_parse_session_id(request.get_data())):
            raise NotFound(format_message("There is no such phone any more."))
        return json_response({"phones": phones.list_sessions(rights.cookie_value(request))})

    routes.add_url_rule("/join/<key>", "join", open_join_link)
    routes.add_url_rule("/api/me", "me", get_role)
    routes.add_url_rule("/api/phones", "phones", get_phones)
    routes.add_url_rule("/api/phones", "end_phone", post_end_phone, methods=["POST"])
    return routes


def _parse_session_id(sent: bytes) -> int:
    try:
        body: Any = parse_json(sent)
    except BadMove as error:
        raise BadRequest(str(error)) from None
    number = body.get("end") if isinstance(body, Mapping) else None
    if type(number) is not int:
        raise BadRequest(format_message("Say which phone to end, by its number."))
    return number
