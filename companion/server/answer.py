"""How every route answers: JSON that nobody keeps, or a text that is sent compressed, to who has it not yet."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import Response, request

from companion.codec import dumps
from companion.server.wearing import worn
from companion.words.catalogue import ENGLISH, Catalogue, catalogue, folders

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
