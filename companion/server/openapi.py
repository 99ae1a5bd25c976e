"""The OpenAPI 3.1 description of the API: `openapi.json`, as `/api/openapi.json` serves it.

tests/server/test_openapi.py compares it with the routes, the checks of requests, and the answers of every game.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from companion.http.auth.permissions import PLAYER_COOKIE


@cache
def openapi_document(player_cookie: str = PLAYER_COOKIE) -> dict[str, Any]:
    """Return the document of a table whose players have this cookie."""
    document: dict[str, Any] = json.loads(files("companion.server").joinpath("openapi.json").read_text("utf-8"))
    document["components"]["securitySchemes"]["player"]["name"] = player_cookie
    return document
