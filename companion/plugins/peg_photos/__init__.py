"""Finds the pegs of a plain board in a photograph. Experimental: only drawn photographs were tried.

Pure: a picture and the corners of the board in, pegs out. The modules import numpy and OpenCV, which only the extra
`[camera]` installs. This file imports neither: its loaders do so where a picture is read.
"""

from collections.abc import Callable, Iterable
from typing import Any

from companion.common.process import missing_extra
from companion.plugin import Closeable, Host, Plugin, load_object
from companion.plugins.cards import CameraNotInstalled, UnusablePhoto, is_photo_reader_installed

BRIGHT_COLOURS = ("red", "blue", "green", "yellow", "white")
"""Colours of pegs that are found."""
DARK_COLOURS = ("black", "wood", "brass")
"""Colours that look like a hole or like the board."""

OWN_BOARD_COUNTS = (121, 61, 60)
"""Holes that a lane of a player's own board may have, without the two at its start; 60 are gone round twice."""

PAGES = {"/check": "plugins/peg_photos/check.html", "/check/markers": "plugins/peg_photos/peg-markers.html"}
"""Template of each page by its address."""


def load_reader(place: str) -> Callable[..., dict[str, Any]]:
    """Return the function at "module:function" in this package. Raises CameraNotInstalled without the extra.

    Its module is imported now: a table without a camera loads none of them.
    """
    try:
        reader: Callable[..., dict[str, Any]] = load_object(f"{__name__}.{place}")
    except ImportError as error:
        raise CameraNotInstalled(missing_extra("camera")) from error
    return reader


def check_colours(colours: tuple[str, ...]) -> None:
    """Raise UnusablePhoto if pegs of these colours look like the board, or like one another."""
    if any(colour in DARK_COLOURS for colour in colours):
        raise UnusablePhoto(
            "Black, wooden and brass pegs look like a hole or like the board. "
            "Only red, blue, green, yellow and white pegs can be checked."
        )
    if len(set(colours)) < len(colours):
        raise UnusablePhoto("Each side needs pegs of its own colour. Choose different colours.")


def _start(host: Host) -> Iterable[Closeable]:
    from companion.plugins.cards.routes import photo_turns  # noqa: PLC0415 - with the pages
    from companion.plugins.peg_photos import routes  # noqa: PLC0415

    table = host.switcher.table
    for path in routes.PHOTO_PATHS:
        host.permissions.allow_photos(path)
    host.app.register_blueprint(
        routes.peg_photo_routes(
            photo_turns(host.app),
            lambda: routes.find_peg_scores(table.core.plan, table.snapshot),
            host.journal and host.journal.with_suffix(".board.toml"),
        )
    )
    host.add_pages(PAGES)
    if is_photo_reader_installed():
        host.add_menu_entry(routes.menu_entry())
    return ()


PLUGIN = Plugin(name="peg_photos", start=_start)
