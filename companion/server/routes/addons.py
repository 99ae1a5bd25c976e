"""What packs bring to a page: themes and sounds, and their files. A file that is not among them is not there."""

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.addons import Addons
from companion.server.pages.assets import MIMETYPES
from companion.server.responses import CachedBody


def addon_constants(packs: Addons) -> dict[str, Any]:
    """The themes and sounds that a page may choose from, with their addresses."""
    sounds = {
        pack: {sound: f"/packs/{pack}/{name}" for sound, (name, _) in kept.items()}
        for pack, kept in packs.sounds.items()
    }
    return {"themes": {pack: f"/packs/{pack}/theme.css" for pack in packs.themes}, "sounds": sounds}


def addon_routes(packs: Addons) -> Blueprint:
    """`/packs/PACK/FILE`."""
    routes = Blueprint("packs", __name__)
    files = {(pack, "theme.css"): text for pack, text in packs.themes.items()}
    files |= {(pack, name): text for pack, kept in packs.sounds.items() for name, text in kept.values()}
    texts = {
        (pack, name): CachedBody(text, MIMETYPES[name[name.rindex(".") :]]) for (pack, name), text in files.items()
    }

    def get_file(pack: str, name: str) -> Response:
        if (pack, name) not in texts:
            raise NotFound
        return texts[pack, name].to_response()

    routes.add_url_rule("/packs/<pack>/<name>", "file", get_file)
    return routes
