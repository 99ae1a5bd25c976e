"""Who plays: the join link, the role of a browser, and the list of the players' phones, each of which can be ended."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from companion.common.errors import BadMove
from companion.i18n import say
from companion.protocol.json_codec import parse
from companion.server.auth.permissions import Rights
from companion.server.auth.sessions import Phones
from companion.server.auth.throttle import Patience
from companion.server.responses import NOT_KEPT, json_answer

HOW_TO_JOIN = say("Scan the code on the companion's screen, or open the players' address it prints.")
"""Told to a watcher."""

_WRONG = say("That is not this table's join link, or no longer: scan the code on its screen again.")
_TOO_MANY = say("Too many wrong links came from there: wait a little.")


def joining_routes(rights: Rights, phones: Phones, how_to_join: str) -> Blueprint:
    """The routes of joining; `how_to_join` is a sentence for watchers."""
    routes, patience = Blueprint("joining", __name__), Patience()

    def join(key: str) -> Response:
        address = request.remote_addr or ""
        if not patience.may_try(address):
            raise Forbidden(_TOO_MANY)
        if not rights.opens(key):
            patience.was_wrong(address)
            raise Forbidden(_WRONG)
        headers = {"Location": "/", "Set-Cookie": rights.cookie(request), **NOT_KEPT}
        return Response(status=303, headers=headers)

    def me() -> Response:
        role = "player" if rights.is_player(request) else "watcher"
        return json_answer({"role": role, "how_to_join": how_to_join})

    def listed() -> Response:
        if not rights.is_player(request):
            raise Forbidden(say("Only players may see that: open the join link first."))
        return json_answer({"phones": phones.listed(rights.value(request))})

    def ended() -> Response:
        if not phones.end(_number(request.get_data())):
            raise NotFound(say("There is no such phone any more."))
        return json_answer({"phones": phones.listed(rights.value(request))})

    routes.add_url_rule("/join/<key>", "join", join)
    routes.add_url_rule("/api/me", "me", me)
    routes.add_url_rule("/api/phones", "phones", listed)
    routes.add_url_rule("/api/phones", "end_phone", ended, methods=["POST"])
    return routes


def _number(sent: bytes) -> int:
    try:
        body: Any = parse(sent)
    except BadMove as error:
        raise BadRequest(str(error)) from None
    number = body.get("end") if isinstance(body, Mapping) else None
    if type(number) is not int:
        raise BadRequest(say("Say which phone to end, by its number."))
    return number
