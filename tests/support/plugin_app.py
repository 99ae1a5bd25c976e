"""Start plugins of the pages at an application that a test has created, as the program does."""

from functools import partial

from companion.http.application import add_pages
from companion.http.permissions import PERMISSIONS_EXTENSION
from companion.opponent.private_hands import PrivateHands
from companion.plugin import Host
from companion.plugins import cards, peg_photos
from companion.settings import Settings


def add_photo_plugins(app, switcher, journal=None):
    """Add the plugins that read photographs; return the application. Files are kept beside `journal`."""
    host = Host(
        switcher=switcher,
        hands=PrivateHands(switcher.table),
        settings=Settings(),
        journal=journal,
        app=app,
        permissions=app.extensions[PERMISSIONS_EXTENSION],
        add_pages=partial(add_pages, app),
    )
    for plugin in (cards.PLUGIN, peg_photos.PLUGIN):
        assert list(plugin.start(host)) == []
    return app
