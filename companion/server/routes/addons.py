"""What packs bring to a page: themes and sounds, and their files. A file that is not among them is not there."""

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.addons import Packs
from companion.server.pages.assets import KINDS
from companion.server.responses import Text


def told(packs: Packs) -> dict[str, Any]:
    """The themes and sounds that a page may choose from, with their addresses."""
    sounds = {
        pack: {sound: f"/packs/{pack}/{name}" for sound, (name, _) in kept.items()}
        for pack, kept in packs.sounds.items()
    }
    return {"themes": {pack: f"/packs/{pack}/theme.css" for pack in packs.themes}, "sounds": sounds}


def pack_routes(packs: Packs) -> Blueprint:
    """`/packs/PACK/FILE`."""
    routes = Blueprint("packs", __name__)
    files = {(pack, "theme.css"): text for pack, text in packs.themes.items()}
    files |= {(pack, name): text for pack, kept in packs.sounds.items() for name, text in kept.values()}
    texts = {(pack, name): Text(text, KINDS[name[name.rindex(".") :]]) for (pack, name), text in files.items()}

    def file(pack: str, name: str) -> Response:
        if (pack, name) not in texts:
            raise NotFound
        return texts[pack, name].answer()

    routes.add_url_rule("/packs/<pack>/<name>", "file", file)
    return routes
