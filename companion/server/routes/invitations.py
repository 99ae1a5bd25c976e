"""Invitations: links for players, watchers and the TV view, as text and as QR codes (`/api/invite`)."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import segno
from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from companion.http.auth.permissions import Permissions
from companion.http.requests import read_json_object
from companion.http.responses import NO_STORE, json_response
from companion.i18n import format_message

AUDIENCES = ("player", "watcher", "tv")
TABLE = "table"
"""Audience of the invitation to a remote game."""
_LOOPBACK_HOSTS = ("localhost", "127.", "[::1]")


class JoinInfo(NamedTuple):
    """How people reach the table.

    `key_path` is the file of the players' key. `addresses()` returns the URLs of the table, that with an IP address
    first. `ca_certificate` is the certificate of our own authority, if that issues the pages' certificate.
    `table_invitation()` returns the link for the other table of a remote game; empty if there is none to invite.
    """

    key_path: Path | None = None
    addresses: Callable[[], tuple[str, ...]] = tuple
    ca_certificate: Path | None = None
    table_invitation: Callable[[], str] = str


def invite_routes(permissions: Permissions, join_info: JoinInfo) -> Blueprint:
    """Return the routes below `/api/invite`."""
    find_addresses = join_info.addresses
    routes = Blueprint("invite", __name__, url_prefix="/api")

    def get_invitation() -> Response:
        links, table = _invitation_links(permissions, find_addresses()), join_info.table_invitation()
        return json_response(links | ({TABLE: table} if table else {}))

    def get_qr_code() -> Response:
        audience = request.args.get("for", "player")
        if audience not in (*AUDIENCES, TABLE):
            raise BadRequest(format_message("The audience must be one of {join}.", join=", ".join(AUDIENCES)))
        if audience in ("player", TABLE):
            _require_player(permissions)
        if audience == TABLE:
            if not join_info.table_invitation():
                raise NotFound(format_message("This table does not invite another table."))
            return qr_code_response(join_info.table_invitation())
        return qr_code_response(_invitation_url(permissions, _base_url(find_addresses()), audience))

    def post_renewal() -> Response:
        read_json_object()
        permissions.renew_key(request)
        return get_invitation()

    routes.add_url_rule("/invite", "invited", get_invitation)
    routes.add_url_rule("/invite.svg", "code", get_qr_code)
    routes.add_url_rule("/invite/renew", "renewed", post_renewal, methods=["POST"])
    return routes


def _invitation_links(permissions: Permissions, addresses: tuple[str, ...]) -> dict[str, object]:
    """Return the link of each audience; `others` has the same for the table's other addresses."""
    _require_player(permissions)
    base = _base_url(addresses)
    links = {audience: _invitation_url(permissions, base, audience) for audience in AUDIENCES}
    others = [
        {audience: _invitation_url(permissions, each, audience) for audience in AUDIENCES}
        for each in addresses
        if each != base
    ]
    return {**links, "others": others}


def _require_player(permissions: Permissions) -> None:
    if not permissions.is_player(request):
        raise Forbidden(format_message("Only players can invite players. Open the join link first."))


def _base_url(addresses: tuple[str, ...]) -> str:
    """Return the address that this request used, unless it came from the table's own machine."""
    if not addresses or not request.host.startswith(_LOOPBACK_HOSTS):
        return request.host_url
    return addresses[0]


def _invitation_url(permissions: Permissions, base: str, audience: str) -> str:
    return base + {"player": f"join/{permissions.key}", "watcher": "", "tv": "tv"}[audience]


def qr_code_response(text: str) -> Response:
    """Return a text, such as a URL, as a QR code in SVG."""
    out = io.BytesIO()
    segno.make(text, micro=False).save(
        out, kind="svg", border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return Response(out.getvalue(), mimetype="image/svg+xml", headers=NO_STORE)
