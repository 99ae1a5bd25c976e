"""Start plugins of the pages at an application that a test has created, as the program does."""

from functools import partial

from companion.http.application import add_pages
from companion.http.permissions import PERMISSIONS_EXTENSION
from companion.opponent.private_hands import PrivateHands
from companion.plugin import Host
from companion.plugins import cards, peg_photos
from companion.plugins.wifi.monitor import WifiCredentials, WifiMonitor
from companion.plugins.wifi.network_manager import NetworkManager
from companion.plugins.wifi.routes import add_wifi_pages
from companion.server.app import STREAMS_EXTENSION
from companion.settings import Settings


def create_host(app, switcher, journal=None):
    """Return what plugins see of this application. They keep files beside `journal`."""
    return Host(
        switcher=switcher,
        hands=PrivateHands(switcher.table),
        settings=Settings(),
        journal=journal,
        app=app,
        permissions=app.extensions[PERMISSIONS_EXTENSION],
        add_pages=partial(add_pages, app),
        page_url=lambda host: f"http://{host}:8123/",
        has_visitors=app.extensions[STREAMS_EXTENSION].has_visitors,
    )


def add_photo_plugins(app, switcher, journal=None):
    """Add the plugins that read photographs; return the application. Files are kept beside `journal`."""
    host = create_host(app, switcher, journal)
    for plugin in (cards.PLUGIN, peg_photos.PLUGIN):
        assert list(plugin.start(host)) == []
    return app


def add_wifi(app, switcher):
    """Add the pages of a monitor of the Wi-Fi that no thread runs; return the monitor."""
    host = create_host(app, switcher)
    credentials = WifiCredentials("Cribbage-ab12", "a password")
    monitor = WifiMonitor(
        credentials, NetworkManager(), lambda: 0, lambda ok, say: None, lambda: "http://10.42.0.1/wifi"
    )
    add_wifi_pages(host, monitor)
    return monitor
