"""Routes of the join link, of the browser's role and of the players' phones."""

from flask import Blueprint, Response, request
from werkzeug.exceptions import Forbidden, NotFound

from companion.http.auth.permissions import Permissions
from companion.http.auth.sessions import SessionStore
from companion.http.auth.throttle import LoginThrottle
from companion.http.json_schema import INTEGER
from companion.http.requests import BodyField, RequestBody
from companion.http.responses import NO_STORE, json_response
from companion.i18n import format_message, gettext_noop

HOW_TO_JOIN = format_message("Scan the code on the table's screen, or open the players' link shown there.")
"""Shown to watchers."""

END_PHONE_BODY = RequestBody(end=BodyField(INTEGER, gettext_noop("Send the number of the phone to sign out.")))

_WRONG_LINK = format_message("This link has expired. Scan the code on the table's screen again.")
_TOO_MANY_ATTEMPTS = format_message("Too many attempts with a wrong link. Wait a moment.")


def join_routes(permissions: Permissions, sessions: SessionStore, how_to_join: str) -> Blueprint:
    """Return the routes `/join/KEY`, `/api/me` and `/api/phones`. `how_to_join` is a message for watchers."""
    routes, throttle = Blueprint("joining", __name__), LoginThrottle()

    def open_join_link(key: str) -> Response:
        address = request.remote_addr or ""
        if not throttle.may_try(address):
            raise Forbidden(_TOO_MANY_ATTEMPTS)
        if not permissions.is_join_key(key):
            throttle.record_failure(address)
            raise Forbidden(_WRONG_LINK)
        headers = {"Location": "/", "Set-Cookie": permissions.create_cookie(request), **NO_STORE}
        return Response(status=303, headers=headers)

    def get_role() -> Response:
        role = "player" if permissions.is_player(request) else "watcher"
        return json_response({"role": role, "how_to_join": how_to_join})

    def get_phones() -> Response:
        if not permissions.is_player(request):
            raise Forbidden(format_message("Only players can see this. Open the join link first."))
        return json_response({"phones": sessions.list_sessions(permissions.cookie_value(request))})

    def post_end_phone() -> Response:
        if not sessions.end_session(END_PHONE_BODY.read()["end"]):
            raise NotFound(format_message("This phone is already signed out."))
        return json_response({"phones": sessions.list_sessions(permissions.cookie_value(request))})

    routes.add_url_rule("/join/<key>", "join", open_join_link)
    routes.add_url_rule("/api/me", "me", get_role)
    routes.add_url_rule("/api/phones", "phones", get_phones)
    routes.add_url_rule("/api/phones", "end_phone", post_end_phone, methods=["POST"])
    return routes
