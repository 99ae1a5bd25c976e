"""How every route answers: JSON that nobody keeps, or a text that is sent compressed, to who has it not yet."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from flask import Request, Response, request

from companion.i18n import say
from companion.i18n.catalog import ENGLISH, Catalogue, catalogue, folders
from companion.protocol.json_codec import dumps
from companion.server.pages.templates import translated, worn

NOT_KEPT = {"Cache-Control": "no-store"}
ASKED_AGAIN = "no-cache"
"""May be kept, but it is asked each time whether it still holds."""
FOR_EVER = "public, max-age=31536000, immutable"

_YEAR_S = 31_536_000
_WORTH_PACKING = 500
"""Shorter texts are sent as they are."""


def asked_language() -> Catalogue | None:
    """The language that the present request asks for with `?lang=`; None for English, and for one there is not."""
    return catalogue(request.args.get("lang", ""))


LANGUAGE = "companion_language"
"""The cookie in which a browser keeps the language that was chosen there."""


def page_language() -> Catalogue | None:
    """The language of a page: that of `?lang=`, else what was chosen in this browser, else what it asks for."""
    known = [ENGLISH, *folders()]
    for chosen in (request.args.get("lang"), request.cookies.get(LANGUAGE)):
        if chosen in known:
            return catalogue(chosen)
    return catalogue(request.accept_languages.best_match(known) or ENGLISH)


def html_answer(text: "Text") -> Response:
    """A page, as the browser likes it. The language that `?lang=` chooses is kept there."""
    plain = text.plain.decode()
    liked = worn(plain)
    reply = (text if liked == plain else Text(liked.encode(), text.kind)).answer()
    reply.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if (chosen := request.args.get("lang")) in [ENGLISH, *folders()]:
        reply.set_cookie(LANGUAGE, chosen, max_age=_YEAR_S, samesite="Lax")
    return reply


def json_answer(body: Any, status: int = 200) -> Response:
    """This value as JSON, its sentences in the language that is asked for."""
    language = asked_language()
    body = language.value(body) if language else body
    return Response(dumps(body), status, NOT_KEPT, mimetype="application/json")


@dataclass(frozen=True)
class Text:
    """What may be sent many times: `plain`, and compressed the first time that this is asked."""

    plain: bytes
    kind: str = "application/json"

    @cached_property
    def mark(self) -> str:
        """By what a browser knows that it has it."""
        return hashlib.sha256(self.plain).hexdigest()[:16]

    @cached_property
    def packed(self) -> bytes:
        """The same, compressed."""
        return gzip.compress(self.plain, mtime=0)

    def answer(self, cache: str = ASKED_AGAIN) -> Response:
        """The answer to the present request: the text, compressed where that is welcome, or 304."""
        packs = len(self.plain) >= _WORTH_PACKING and request.accept_encodings.quality("gzip") > 0
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        mark = f"{self.mark}-gzip" if packs else self.mark
        if request.if_none_match.contains_weak(mark):
            reply = Response(status=304, headers=headers, mimetype=self.kind)
        elif packs:
            reply = Response(self.packed, headers={**headers, "Content-Encoding": "gzip"}, mimetype=self.kind)
        else:
            reply = Response(self.plain, headers=headers, mimetype=self.kind)
        reply.set_etag(mark)
        return reply


_NO_PAGE = ("/api", "/web", "/packs")
PAGE = """<!doctype html>
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
_TITLES = {403: say("This link does not let you in"), 404: say("There is no such page")}


def is_for_a_page(request: Request, code: int) -> bool:
    """Whether a person reads this refusal in a browser's window, not a program."""
    return code in _TITLES and request.method in ("GET", "HEAD") and not request.path.startswith(_NO_PAGE)


def refused(sentence: str, code: int, how_to_join: str) -> Response:
    """The page."""
    language = page_language()
    page = translated(PAGE, language) if language else PAGE
    told = [_TITLES[code], sentence, how_to_join]
    title, said, join = language.value(told) if language else told
    text = page.format(title=title, say=escape(said), how_to_join=escape(join))
    return Response(worn(text), code, NOT_KEPT, mimetype="text/html")
