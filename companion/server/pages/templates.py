"""A page's HTML in another language: its texts, and the attributes that are read out. Pure.

A text is what stands between two tags, with those of single words (`<b>`) in it; the English text is its pattern in
the catalogue. So a page is written once, in plain HTML, and no text is marked.
"""

import re
from collections.abc import Callable, Collection, Iterator
from html import escape, unescape

from flask import Flask, current_app, request

from companion.i18n.catalog import MessageCatalog
from companion.i18n.messages import MessagePattern

_INLINE = "b|i|em|strong|code|kbd|small|br"
_TAG = re.compile(rf"<!--.*?-->|<(?!/?(?:{_INLINE})\b)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_READ = re.compile(r'(?<=\s)(aria-label|title|alt|placeholder|content)="([^"]*)"')
_BLANKS = re.compile(r"\s+")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_PLACE = re.compile(r"\{\w+\}")
_NO_TEXT = ("width=device-width", "light dark")
"""How the `content` of `<meta>` begins that no person reads."""


def translate_html(html: str, language: MessageCatalog) -> str:
    """The page in this language."""
    made = _each(html, lambda text: language.translate_pattern(MessagePattern(text)))
    return made.replace('<html lang="en">', f'<html lang="{escape(language.language)}">')


def html_messages(html: str) -> Iterator[str]:
    """All that would be translated."""
    found: dict[str, str] = {}
    _each(html, lambda text: found.setdefault(text, text))
    yield from found


def _each(html: str, say: Callable[[str], str]) -> str:
    """The page with each of its texts said otherwise."""
    made, end = [], 0
    for tag in _TAG.finditer(html):
        made += [_text(html[end : tag.start()], say), _READ.sub(lambda found: _attribute(found, say), tag[0])]
        end = tag.end()
    return "".join([*made, _text(html[end:], say)])


def _text(text: str, say: Callable[[str], str]) -> str:
    plain = _BLANKS.sub(" ", text).strip()
    if not _LETTERS.search(_PLACE.sub("", plain)):
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return before + escape(say(unescape(plain)), quote=False).replace("&lt;", "<").replace("&gt;", ">") + after


def _attribute(found: re.Match[str], say: Callable[[str], str]) -> str:
    name, value = found[1], found[2]
    if not _LETTERS.search(value) or value.startswith(_NO_TEXT):
        return found[0]
    return f'{name}="{escape(say(unescape(value)))}"'


THEME_COOKIE, SUITS_COOKIE = "companion_theme", "companion_suits"
"""The cookies."""
_THEMES_EXTENSION = "companion.themes"


def register_themes(app: Flask, themes: Collection[str]) -> None:
    """The pages of this application may wear these themes, by the names of their packs."""
    app.extensions[_THEMES_EXTENSION] = frozenset(themes)


def apply_preferences(page: str) -> str:
    """The page as this request's browser likes it."""
    if request.cookies.get(SUITS_COOKIE) == "four":
        page = page.replace("<html ", '<html class="four" ', 1)
    if (theme := request.cookies.get(THEME_COOKIE)) in current_app.extensions.get(_THEMES_EXTENSION, ()):
        page = page.replace(
            "</head>", f'  <link id="theme" rel="stylesheet" href="/packs/{theme}/theme.css">\n</head>', 1
        )
    return page
