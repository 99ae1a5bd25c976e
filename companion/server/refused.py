"""A page for who came to a wrong address by a link: what is the matter, and a way on."""

from html import escape

from flask import Request, Response

from companion.server.answer import NOT_KEPT, page_language
from companion.server.translated import translated
from companion.server.wearing import worn
from companion.words import say

_NO_PAGE = ("/api", "/web", "/packs")
PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">
  <title>Cribbage companion</title>
  <link rel="icon" href="/web/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/web/css/parts.css">
  <link rel="stylesheet" href="/web/css/table.css">
  <link rel="stylesheet" href="/web/css/help.css">
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
