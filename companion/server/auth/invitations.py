"""Inviting: the addresses of players, watchers and the room's screen, as texts and as codes for a phone's camera."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import segno
from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Forbidden

from companion.i18n import say
from companion.server.auth.permissions import Rights
from companion.server.responses import NOT_KEPT, json_answer
from companion.server.routes.games import sent_object

WHOM = ("player", "watcher", "tv")
_LOOPBACK = ("localhost", "127.", "[::1]")


class Door(NamedTuple):
    """Where people come in: the file of the players' key, and what tells the table's addresses, by number first.

    `authority` is the certificate of our own authority, where pages are served with its help.
    """

    kept_key: Path | None = None
    here: Callable[[], tuple[str, ...]] = tuple
    authority: Path | None = None


def invite_routes(rights: Rights, here: Callable[[], tuple[str, ...]]) -> Blueprint:
    """The routes below `/api/invite`; `here` gives the addresses of this table, the one by number first."""
    routes = Blueprint("invite", __name__, url_prefix="/api")

    def invited() -> Response:
        return json_answer(_addresses(rights, here()))

    def code() -> Response:
        whom = request.args.get("for", "player")
        if whom not in WHOM:
            raise BadRequest(say("A code is for one of {join}.", join=", ".join(WHOM)))
        if whom == "player":
            _only_players(rights)
        return _code(_address(rights, _reached(here()), whom))

    def renewed() -> Response:
        sent_object()
        rights.renew(request)
        return json_answer(_addresses(rights, here()))

    routes.add_url_rule("/invite", "invited", invited)
    routes.add_url_rule("/invite.svg", "code", code)
    routes.add_url_rule("/invite/renew", "renewed", renewed, methods=["POST"])
    return routes


def _addresses(rights: Rights, here: tuple[str, ...]) -> dict[str, object]:
    """By whom they are for; and under `others` the same by the table's other names."""
    _only_players(rights)
    reached = _reached(here)
    told = {whom: _address(rights, reached, whom) for whom in WHOM}
    others = [{whom: _address(rights, each, whom) for whom in WHOM} for each in here if each != reached]
    return {**told, "others": others}


def _only_players(rights: Rights) -> None:
    if not rights.is_player(request):
        raise Forbidden(say("Only players may invite players: open the join link first."))


def _reached(here: tuple[str, ...]) -> str:
    """The address by which this phone has reached the table: others will too. Not where it is the table itself."""
    if not here or not request.host.startswith(_LOOPBACK):
        return request.host_url
    return here[0]


def _address(rights: Rights, base: str, whom: str) -> str:
    return base + {"player": f"join/{rights.key}", "watcher": "", "tv": "tv"}[whom]


def _code(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return Response(out.getvalue(), mimetype="image/svg+xml", headers=NOT_KEPT)
