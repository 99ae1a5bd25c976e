"""The routes of tournaments, as docs/reference/club.md describes them. Changes need the organiser's link or a code."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, NotFound, ServiceUnavailable

from companion.common.errors import SettingsError
from companion.common.process import missing_extra
from companion.http.client_address import LoginThrottle
from companion.http.permissions import Permissions
from companion.http.requests import parse_query_number, read_json_object
from companion.http.responses import NO_STORE, json_response, requested_language
from companion.i18n import format_message
from companion.plugins.club.tournament.director import TournamentDirector, read_reason
from companion.plugins.club.tournament.duplicate_night import DuplicateNight
from companion.table.players import read_name

CARD_PATH = "/api/club/card"
"""Where players enter their games with the code of their card, without the organiser's link."""
HAND_PATH = f"{CARD_PATH}/hand"
"""Where the phones of a duplicate night show their cards, with the same code."""
_ROOT = "/api/club/tournaments"
_IS_PRINTING = format_message("Another paper is being printed. Try again in a moment.")
_WRONG_CODE = format_message("This code belongs to no card of this tournament.")


def add_tournament_routes(
    app: Flask, director: TournamentDirector, night: DuplicateNight, permissions: Permissions
) -> None:
    changes: Mapping[str, Callable[[int, Mapping[str, Any], str, str], Any]] = {
        "cards": lambda event, body, by, reason: director.enter_lines(
            event, body.get("player"), body.get("lines"), by, reason),
        "rulings": lambda event, body, by, reason: (
            director.rule_on_all_games(event, by, reason) if body.get("all") is True
            else director.rule_on_game(event, body, by, reason)),
        "players": lambda event, body, by, reason: (
            director.add_late_player(event, body.get("player"), by, reason) if body.get("joins") is True
            else director.remove_player(event, body.get("player"), by, reason)),
        "bracket": lambda event, body, _, __: (
            director.undo_bracket(event) if body.get("take_back") is True
            else director.draw_bracket(event, body.get("first", ()))),
        "matches": director.record_match,
        "end": lambda event, _, by, reason: director.end_night(event, by, reason),
    }  # fmt: skip

    def post_tournament() -> tuple[Response, int]:
        event = director.create_tournament(read_json_object())
        return json_response(director.describe_tournament(event)), 201

    def post_change(event: int, what: str) -> tuple[Response, int]:
        body = read_json_object()
        if what == "consolation":
            event = director.create_consolation(event, body)
        elif what in changes:
            changes[what](event, body, read_name(body.get("by")), read_reason(body.get("reason")))
        else:
            raise NotFound
        return json_response(director.describe_tournament(event)), 201

    printing = {True: Lock(), False: Lock()}  # for the organiser and for visitors: a paper can take a second or more

    def get_round(event: int, at: int) -> Response:
        return json_response({"games": director.describe_round(event, at)})

    def get_card(event: int) -> Response:
        player = request.args.get("player", "")
        card = director.describe_card(event, player)
        codes = {"code": director.card_code(event, card["player"])} if permissions.is_player(request) else {}
        return json_response(card | codes)

    def get_paper(event: int, what: str) -> Response:
        try:
            from companion.plugins.club.tournament import paper  # noqa: PLC0415 - reportlab is in another extra
        except ImportError as error:
            raise SettingsError(missing_extra("drawings")) from error
        address = request.host_url.rstrip("/")
        codes = permissions.is_player(request) and request.args.get("codes") is not None
        code_of = (lambda player: director.card_code(event, player)) if codes else None
        lock = printing[permissions.is_player(request)]
        if not lock.acquire(blocking=False):
            raise ServiceUnavailable(_IS_PRINTING)
        try:
            content = paper.print_paper(director.load_state(event), what, requested_language(), address, code_of)
        finally:
            lock.release()
        if content is None:
            raise NotFound
        headers = {"Content-Disposition": f'inline; filename="{what}.pdf"', **NO_STORE}
        return Response(content, headers=headers, mimetype="application/pdf")

    add = app.add_url_rule
    add(_ROOT, "create_tournament", post_tournament, methods=["POST"])
    add(f"{_ROOT}/<int:event>", "tournament", lambda event: json_response(director.describe_tournament(event)))
    add(f"{_ROOT}/<int:event>/<what>", "change_tournament", post_change, methods=["POST"])
    add(f"{_ROOT}/<int:event>/rounds/<int:at>", "tournament_round", get_round)
    add(f"{_ROOT}/<int:event>/cards", "tournament_card", get_card)
    add(f"{_ROOT}/<int:event>/paper/<what>.pdf", "tournament_paper", get_paper)
    _add_own_card_routes(app, director, night)
    permissions.admits_guests = lambda path: path in (CARD_PATH, HAND_PATH)


def _add_own_card_routes(app: Flask, director: TournamentDirector, night: DuplicateNight) -> None:
    throttle = LoginThrottle()

    def find_card_player(event: int, code: object) -> str:
        address = request.remote_addr or ""
        if not throttle.may_try(address):
            raise Forbidden(format_message("Too many attempts with a wrong code. Wait a moment."))
        player = director.find_code(event, code) if isinstance(code, str) else None
        if player is None:
            throttle.record_failure(address)
            raise Forbidden(_WRONG_CODE)
        return player

    def find_asking_player() -> tuple[int, str]:
        event = parse_query_number("event", 0)
        return event, find_card_player(event, request.args.get("code"))

    def find_posting_player() -> tuple[int, str, Mapping[str, Any]]:
        body = read_json_object()
        event = body.get("event")
        if type(event) is not int:
            raise Forbidden(_WRONG_CODE)
        return event, find_card_player(event, body.get("code")), body

    def post_own_card() -> tuple[Response, int]:
        event, player, body = find_posting_player()
        director.enter_own_game(event, player, body)
        return json_response(director.describe_card(event, player)), 201

    def post_hand() -> tuple[Response, int]:
        event, player, body = find_posting_player()
        night.make_move(event, player, body)
        return json_response(night.describe_hand(event, player)), 201

    def get_own_card() -> Response:
        return json_response(director.describe_card(*find_asking_player()))

    def get_hand() -> Response:
        return json_response(night.describe_hand(*find_asking_player()))

    app.add_url_rule(CARD_PATH, "own_card", get_own_card)
    app.add_url_rule(CARD_PATH, "enter_own_card", post_own_card, methods=["POST"])
    app.add_url_rule(HAND_PATH, "own_hand", get_hand)
    app.add_url_rule(HAND_PATH, "play_own_hand", post_hand, methods=["POST"])
