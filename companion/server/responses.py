"""How every route answers: JSON that nobody keeps, or a text that is sent compressed, to who has it not yet."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from flask import Request, Response, request

from companion.i18n import format_message
from companion.i18n.catalog import SOURCE_LANGUAGE, MessageCatalog, find_catalog_files, load_catalog
from companion.protocol.json_codec import dump_json
from companion.server.pages.templates import apply_preferences, translate_html

NO_STORE = {"Cache-Control": "no-store"}
NO_CACHE = "no-cache"
"""May be kept, but it is asked each time whether it still holds."""
IMMUTABLE = "public, max-age=31536000, immutable"

_ONE_YEAR_S = 31_536_000
_MIN_GZIP_BYTES = 500
"""Shorter texts are sent as they are."""


def requested_language() -> MessageCatalog | None:
    """The language that the present request asks for with `?lang=`; None for English, and for one there is not."""
    return load_catalog(request.args.get("lang", ""))


LANGUAGE_COOKIE = "companion_language"
"""The cookie in which a browser keeps the language that was chosen there."""


def page_language() -> MessageCatalog | None:
    """The language of a page: that of `?lang=`, else what was chosen in this browser, else what it asks for."""
    known = [SOURCE_LANGUAGE, *find_catalog_files()]
    for chosen in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if chosen in known:
            return load_catalog(chosen)
    return load_catalog(request.accept_languages.best_match(known) or SOURCE_LANGUAGE)


def html_response(text: "CachedBody") -> Response:
    """A page, as the browser likes it. The language that `?lang=` chooses is kept there."""
    plain = text.content.decode()
    liked = apply_preferences(plain)
    reply = (text if liked == plain else CachedBody(liked.encode(), text.mimetype)).to_response()
    reply.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if (chosen := request.args.get("lang")) in [SOURCE_LANGUAGE, *find_catalog_files()]:
        reply.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_ONE_YEAR_S, samesite="Lax")
    return reply


def json_response(body: Any, status: int = 200) -> Response:
    """This value as JSON, its sentences in the language that is asked for."""
    language = requested_language()
    body = language.translate_value(body) if language else body
    return Response(dump_json(body), status, NO_STORE, mimetype="application/json")


@dataclass(frozen=True)
class CachedBody:
    """What may be sent many times: `plain`, and compressed the first time that this is asked."""

    content: bytes
    mimetype: str = "application/json"

    @cached_property
    def etag(self) -> str:
        """By what a browser knows that it has it."""
        return hashlib.sha256(self.content).hexdigest()[:16]

    @cached_property
    def gzipped(self) -> bytes:
        """The same, compressed."""
        return gzip.compress(self.content, mtime=0)

    def to_response(self, cache: str = NO_CACHE) -> Response:
        """The answer to the present request: the text, compressed where that is welcome, or 304."""
        packs = len(self.content) >= _MIN_GZIP_BYTES and request.accept_encodings.quality("gzip") > 0
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        mark = f"{self.etag}-gzip" if packs else self.etag
        if request.if_none_match.contains_weak(mark):
            reply = Response(status=304, headers=headers, mimetype=self.mimetype)
        elif packs:
            reply = Response(self.gzipped, headers={**headers, "Content-Encoding": "gzip"}, mimetype=self.mimetype)
        else:
            reply = Response(self.content, headers=headers, mimetype=self.mimetype)
        reply.set_etag(mark)
        return reply


_API_PREFIXES = ("/api", "/web", "/packs")
ERROR_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">
  <title>Cribbage companion</title>
  <link rel="icon" href="/web/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/web/core/core.css">
  <link rel="stylesheet" href="/web/components/components.css">
  <link rel="stylesheet" href="/web/board/board.css">
  <link rel="stylesheet" href="/web/games/games.css">
  <link rel="stylesheet" href="/web/pages/article.css">
</head>
<body>
  <main class="help">
    <h1>{title}</h1>
    <p>{say}</p>
    <p><a href="/">Look at the table</a></p>
    <h2>To play</h2>
    <p>{how_to_join}</p>
  </main>
</body>
</html>
"""
_ERROR_TITLES = {403: format_message("This link does not let you in"), 404: format_message("There is no such page")}


def is_page_request(request: Request, code: int) -> bool:
    """Whether a person reads this refusal in a browser's window, not a program."""
    return code in _ERROR_TITLES and request.method in ("GET", "HEAD") and not request.path.startswith(_API_PREFIXES)


def error_page(sentence: str, code: int, how_to_join: str) -> Response:
    """The page."""
    language = page_language()
    page = translate_html(ERROR_PAGE, language) if language else ERROR_PAGE
    told = [_ERROR_TITLES[code], sentence, how_to_join]
    title, said, join = language.translate_value(told) if language else told
    text = page.format(title=title, say=escape(said), how_to_join=escape(join))
    return Response(apply_preferences(text), code, NO_STORE, mimetype="text/html")
