"""The Wi-Fi of the table's machine: `/api/wifi` (docs/reference/http.md#wi-fi).

Only players may change it and see the password of the table's own network; while that is open, everybody may, because
all phones that reach the page know the password.
"""

from flask import Blueprint, Response, request
from segno import helpers
from werkzeug.exceptions import BadRequest, Forbidden

from companion.http.permissions import Permissions
from companion.http.requests import STRING, BodyField, RequestBody
from companion.http.responses import json_response
from companion.i18n import format_message, gettext_noop
from companion.plugin import Host
from companion.plugins.wifi.hotspot import is_network_name, is_network_password
from companion.plugins.wifi.monitor import WifiMonitor
from companion.server.routes.players import qr_code_response

WIFI_PATH = "/api/wifi"
WIFI_PAGES = {"/wifi": "plugins/wifi/wifi.html"}
_NAME_REFUSAL = gettext_noop("The name of a Wi-Fi has 1 to 32 characters.")
_PASSWORD_REFUSAL = gettext_noop("The password of a Wi-Fi has 8 to 63 characters. Leave it empty if there is none.")
WIFI_BODY = RequestBody(network=BodyField(STRING, _NAME_REFUSAL), password=BodyField(STRING, _PASSWORD_REFUSAL))


def add_wifi_pages(host: Host, wifi: WifiMonitor) -> None:
    """Add page and routes. While the table's own network is open, everybody may choose another one."""
    wifi.has_visitors = host.has_visitors
    host.permissions.admits_guests = lambda path: path == WIFI_PATH and wifi.is_open
    host.app.register_blueprint(_wifi_routes(host.permissions, wifi))
    host.add_pages(WIFI_PAGES)


def _wifi_routes(permissions: Permissions, wifi: WifiMonitor) -> Blueprint:
    routes = Blueprint("wifi", __name__)

    def may_know_password() -> bool:
        return wifi.is_open or permissions.is_player(request)

    def get_wifi() -> Response:
        status = wifi.read_status()
        return json_response(
            {
                "phase": status.phase.value,
                "networks": [network._asdict() for network in status.networks],
                "network": status.network,
                "problem": status.problem,
                "hotspot": wifi.credentials._asdict() if may_know_password() else None,
            }
        )

    def post_wifi() -> tuple[Response, int]:
        wanted = WIFI_BODY.read()
        if not is_network_name(wanted["network"]):
            raise BadRequest(format_message(_NAME_REFUSAL))
        if not is_network_password(wanted["password"]):
            raise BadRequest(format_message(_PASSWORD_REFUSAL))
        wifi.join(wanted["network"], wanted["password"])
        return json_response({}), 202

    def get_qr_code() -> Response:
        if not may_know_password():
            raise Forbidden(format_message("Only players can do this. Open the join link first."))
        name, password = wifi.credentials
        return qr_code_response(helpers.make_wifi_data(ssid=name, password=password, security="WPA"))

    routes.add_url_rule(WIFI_PATH, "wifi", get_wifi)
    routes.add_url_rule(WIFI_PATH, "join", post_wifi, methods=["POST"])
    routes.add_url_rule("/api/wifi.svg", "code", get_qr_code)
    return routes
