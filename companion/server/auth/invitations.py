"""Inviting: the addresses of players, watchers and the room's screen, as texts and as codes for a phone's camera."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import segno
from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Forbidden

from companion.i18n import format_message
from companion.server.auth.permissions import Permissions
from companion.server.responses import NO_STORE, json_response
from companion.server.routes.games import read_json_object

AUDIENCES = ("player", "watcher", "tv")
_LOOPBACK_HOSTS = ("localhost", "127.", "[::1]")


class JoinInfo(NamedTuple):
    """Where people come in: the file of the players' key, and what tells the table's addresses, by number first.

    `authority` is the certificate of our own authority, where pages are served with its help.
    """

    key_path: Path | None = None
    addresses: Callable[[], tuple[str, ...]] = tuple
    ca_certificate: Path | None = None


def invite_routes(rights: Permissions, here: Callable[[], tuple[str, ...]]) -> Blueprint:
    """The routes below `/api/invite`; `here` gives the addresses of this table, the one by number first."""
    routes = Blueprint("invite", __name__, url_prefix="/api")

    def get_invitation() -> Response:
        return json_response(_invitation_links(rights, here()))

    def get_qr_code() -> Response:
        whom = request.args.get("for", "player")
        if whom not in AUDIENCES:
            raise BadRequest(format_message("A code is for one of {join}.", join=", ".join(AUDIENCES)))
        if whom == "player":
            _require_player(rights)
        return _qr_code_response(_invitation_url(rights, _base_url(here()), whom))

    def post_renewal() -> Response:
        read_json_object()
        rights.renew_key(request)
        return json_response(_invitation_links(rights, here()))

    routes.add_url_rule("/invite", "invited", get_invitation)
    routes.add_url_rule("/invite.svg", "code", get_qr_code)
    routes.add_url_rule("/invite/renew", "renewed", post_renewal, methods=["POST"])
    return routes


def _invitation_links(rights: Permissions, here: tuple[str, ...]) -> dict[str, object]:
    """By whom they are for; and under `others` the same by the table's other names."""
    _require_player(rights)
    reached = _base_url(here)
    told = {whom: _invitation_url(rights, reached, whom) for whom in AUDIENCES}
    others = [{whom: _invitation_url(rights, each, whom) for whom in AUDIENCES} for each in here if each != reached]
    return {**told, "others": others}


def _require_player(rights: Permissions) -> None:
    if not rights.is_player(request):
        raise Forbidden(format_message("Only players may invite players: open the join link first."))


def _base_url(here: tuple[str, ...]) -> str:
    """The address by which this phone has reached the table: others will too. Not where it is the table itself."""
    if not here or not request.host.startswith(_LOOPBACK_HOSTS):
        return request.host_url
    return here[0]


def _invitation_url(rights: Permissions, base: str, whom: str) -> str:
    return base + {"player": f"join/{rights.key}", "watcher": "", "tv": "tv"}[whom]


def _qr_code_response(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return Response(out.getvalue(), mimetype="image/svg+xml", headers=NO_STORE)
