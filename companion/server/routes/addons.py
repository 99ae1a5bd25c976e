"""Files of add-ons, themes and sounds: `/packs/NAME/FILE`."""

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from companion.addons import Addons
from companion.http.pages.assets import MIMETYPES
from companion.http.responses import CachedBody


def addon_constants(addons: Addons) -> dict[str, Any]:
    """Return the addresses of the themes and sounds that a page may choose from."""
    sounds = {
        addon: {sound: f"/packs/{addon}/{name}" for sound, (name, _) in files.items()}
        for addon, files in addons.sounds.items()
    }
    return {"themes": {addon: f"/packs/{addon}/theme.css" for addon in addons.themes}, "sounds": sounds}


def addon_routes(addons: Addons) -> Blueprint:
    """Return the route of the add-ons' files. Files that an add-on does not name are not sent."""
    routes = Blueprint("packs", __name__)
    contents = {(addon, "theme.css"): content for addon, content in addons.themes.items()}
    contents |= {(addon, name): content for addon, files in addons.sounds.items() for name, content in files.values()}
    bodies = {key: CachedBody(content, MIMETYPES[key[1][key[1].rindex(".") :]]) for key, content in contents.items()}

    def get_file(pack: str, name: str) -> Response:
        if (pack, name) not in bodies:
            raise NotFound
        return bodies[pack, name].to_response()

    routes.add_url_rule("/packs/<pack>/<name>", "file", get_file)
    return routes
