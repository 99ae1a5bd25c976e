"""Players: invitations as links and QR codes, the seat and hand of a phone, and what they can call the judge for."""

import io

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from companion.http.permissions import Permissions
from companion.http.requests import INTEGER, BodyField, RequestBody, array_of, nullable, read_json_object
from companion.http.responses import NO_STORE, json_response
from companion.i18n import format_message, gettext_noop
from companion.protocol.json_codec import to_json_value
from companion.protocol.json_fields import CARD_SCHEMA
from companion.rules.cards import parse_card
from companion.server.site import Site
from companion.table.players import personalize_texts

AUDIENCES = ("player", "watcher", "tv")
TABLE = "table"
"""Audience of the invitation to a remote game."""
_LOOPBACK_HOSTS = ("localhost", "127.", "[::1]")


def add_routes(app: Flask, site: Site) -> None:
    routes = Blueprint("players", __name__, url_prefix="/api")
    _add_invitations(routes, site)
    _add_hands(routes, site)
    routes.add_url_rule("/judge", "judge", lambda: _judge_response(site))
    app.register_blueprint(routes)


def _add_invitations(routes: Blueprint, site: Site) -> None:
    permissions, join_info = site.permissions, site.join_info
    find_addresses = join_info.addresses

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


def _invitation_links(permissions: Permissions, addresses: tuple[str, ...]) -> dict[str, object]:
    """Return the link of each audience; `others` has the same for the table's other addresses."""
    _require_player(permissions)
    base = _base_url(addresses)
    links = {audience: _invitation_url(permissions, base, audience) for audience in AUDIENCES}
    others = [
        {audience: _invitation_url(permissions, address, audience) for audience in AUDIENCES}
        for address in addresses
        if address != base
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
    import segno  # noqa: PLC0415 - takes 30 ms, and the first page needs none of it

    out = io.BytesIO()
    segno.make(text, micro=False).save(
        out, kind="svg", border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return Response(out.getvalue(), mimetype="image/svg+xml", headers=NO_STORE)


_MISSING = gettext_noop("Send a JSON object with {name}.")
_SEAT_REFUSAL = gettext_noop("The seat must be a whole number from 0 to {word}, or null for none.")
SEAT_BODY = RequestBody(_MISSING, seat=BodyField(nullable(INTEGER), _SEAT_REFUSAL))
HAND_BODY = RequestBody(
    _MISSING,
    cards=BodyField(array_of(CARD_SCHEMA), gettext_noop("The cards must be a list of texts such as 5H.")),
)


def _add_hands(routes: Blueprint, site: Site) -> None:
    table, hands = site.table, site.hands

    def post_seat() -> tuple[Response, int]:
        last = len(table.snapshot.players) - 1
        seat = SEAT_BODY.read(word=last)["seat"]
        if seat is not None and not 0 <= seat <= last:
            raise BadRequest(format_message(_SEAT_REFUSAL, word=last))
        hands.bind_seat(site.requesting_phone(), seat)
        return json_response({"seat": seat}), 201

    def get_seat() -> Response:
        return json_response({"seat": hands.seat_of(site.requesting_phone()) if site.is_player() else None})

    def post_hand() -> tuple[Response, int]:
        hands.enter_hand(site.requesting_phone(), [parse_card(text) for text in HAND_BODY.read()["cards"]])
        return get_hand(), 201

    def get_hand() -> Response:
        cards = hands.remaining_hand(site.requesting_phone()) if site.is_player() else None
        if cards is None:
            raise NotFound(format_message("Take a seat first."))
        return json_response({"cards": [str(card) for card in cards]})

    routes.add_url_rule("/seat", "own_seat", get_seat)
    routes.add_url_rule("/seat", "sit", post_seat, methods=["POST"])
    routes.add_url_rule("/hand", "hand", get_hand)
    routes.add_url_rule("/hand", "enter_hand", post_hand, methods=["POST"])


def _judge_response(site: Site) -> Response:
    """Return the infringements that can be called now; none in a friendly game or with another table.

    A phone with a seat cannot call its own side for what only the opponent may call.
    """
    core, caller = site.table.core, site.hands.seat_of(site.requesting_phone())
    game, setup = core.plan.game, core.plan.setup
    calls = [] if core.plan.remote_table else [*game.list_calls(game, core.past, caller)]
    texts: list[str] = [say for _, say, _ in calls]
    if core.players:
        texts = personalize_texts(texts, core.players, setup.seats, game.count_sides(setup.seats))
    listed = [{"rule": rule, "say": say, "move": move} for (rule, _, move), say in zip(calls, texts, strict=True)]
    return json_response({"calls": to_json_value(listed)})
