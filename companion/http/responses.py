"""Responses: JSON that is not cached, and cacheable bodies with ETag and gzip. Also the language of a request."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import Response, request

from companion.i18n.catalog import SOURCE_LANGUAGE, MessageCatalog, find_catalog_files, load_catalog
from companion.protocol.json_codec import dump_json

NO_STORE = {"Cache-Control": "no-store"}
NO_CACHE = "no-cache"
"""`Cache-Control` of a body that is validated by its ETag each time."""
IMMUTABLE = "public, max-age=31536000, immutable"
"""`Cache-Control` of an address whose content never changes."""
LANGUAGE_COOKIE = "companion_language"
"""The cookie of the language that was chosen in this browser."""

_ONE_YEAR_S = 31_536_000
_MIN_GZIP_BYTES = 500
"""Shorter bodies are not compressed."""


def requested_language() -> MessageCatalog | None:
    """Return the language of `?lang=`; None for English, also if it is missing or unknown."""
    return load_catalog(request.args.get("lang", ""))


def page_language() -> MessageCatalog | None:
    """Return the language of a page: that of `?lang=`, of the cookie or of `Accept-Language`. None for English."""
    known = [SOURCE_LANGUAGE, *find_catalog_files()]
    for chosen in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if chosen in known:
            return load_catalog(chosen)
    return load_catalog(request.accept_languages.best_match(known) or SOURCE_LANGUAGE)


def json_response(body: Any, status: int = 200) -> Response:
    """Return a response with this JSON value, its messages in the requested language."""
    language = requested_language()
    body = language.translate_value(body) if language else body
    return Response(dump_json(body), status, NO_STORE, mimetype="application/json")


@dataclass(frozen=True)
class CachedBody:
    """A body that may be sent many times; ETag and gzip are computed once."""

    content: bytes
    mimetype: str = "application/json"

    @cached_property
    def etag(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:16]

    @cached_property
    def gzipped_body(self) -> bytes:
        return gzip.compress(self.content, mtime=0)

    def to_response(self, cache: str = NO_CACHE) -> Response:
        """Return the response to the current request: compressed if the client accepts that, or 304.

        `cache` is its `Cache-Control`.
        """
        is_gzipped = len(self.content) >= _MIN_GZIP_BYTES and request.accept_encodings.quality("gzip") > 0
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        etag = f"{self.etag}-gzip" if is_gzipped else self.etag
        if request.if_none_match.contains_weak(etag):
            response = Response(status=304, headers=headers, mimetype=self.mimetype)
        elif is_gzipped:
            response = Response(
                self.gzipped_body, headers={**headers, "Content-Encoding": "gzip"}, mimetype=self.mimetype
            )
        else:
            response = Response(self.content, headers=headers, mimetype=self.mimetype)
        response.set_etag(etag)
        return response


def page_response(page: CachedBody) -> Response:
    """Return the response with a page. The language of `?lang=` is saved in a cookie."""
    response = page.to_response()
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if (chosen := request.args.get("lang")) in [SOURCE_LANGUAGE, *find_catalog_files()]:
        response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_ONE_YEAR_S, samesite="Lax")
    return response
