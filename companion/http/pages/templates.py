"""Jinja2 templates of the pages: gettext, and what a browser prefers (a theme, cards in four colours).

A template marks its texts with `{% trans %}…{% endtrans %}`, and those of attributes with `_("…")`. The English text is
the key in the catalogue. The page saves its preferences in cookies (`web/components/setup/preferences.js`); they are
applied when the page is rendered, so a page without a script has them too.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from flask import Flask, current_app, request
from jinja2 import DictLoader, Environment, StrictUndefined
from jinja2.ext import extract_from_ast

from companion.i18n.catalog import SOURCE_LANGUAGE, MessageCatalog, list_languages
from companion.i18n.messages import MessagePattern

THEME_COOKIE, SUITS_COOKIE = "companion_theme", "companion_suits"
_THEMES_EXTENSION = "companion.themes"


class Preferences(NamedTuple):
    """Preferences of a browser. `theme` is the name of an add-on, empty for the standard theme."""

    theme: str = ""
    has_four_colours: bool = False


NO_PREFERENCES = Preferences()


def register_themes(app: Flask, themes: Collection[str]) -> None:
    """Let the pages of this application use the themes of these add-ons."""
    app.extensions[_THEMES_EXTENSION] = frozenset(themes)


def read_preferences() -> Preferences:
    """Return the preferences in the cookies of the current request. Unknown themes are ignored."""
    theme = request.cookies.get(THEME_COOKIE, "")
    known = current_app.extensions.get(_THEMES_EXTENSION, ())
    return Preferences(theme if theme in known else "", request.cookies.get(SUITS_COOKIE) == "four")


def create_environment(sources: Mapping[str, str], **functions: Callable[..., Any]) -> Environment:
    """Return the environment of these templates, by name. The templates may call the functions."""
    environment = Environment(
        loader=DictLoader(sources),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.globals.update(functions, list_languages=list_languages)
    return environment


def render_template(
    environment: Environment,
    name: str,
    language: MessageCatalog | None,
    preferences: Preferences,
    values: Mapping[str, Any],
) -> str:
    """Return the HTML of a template in this language, None for English."""

    def gettext(text: str) -> str:
        return language.translate_pattern(MessagePattern(text)) if language else text

    chosen = language.language if language else SOURCE_LANGUAGE
    return environment.get_template(name).render(values, gettext=gettext, language=chosen, preferences=preferences)


def extract_messages(source: str) -> Iterator[str]:
    """Yield the texts of a template that are translated."""
    environment = create_environment({})
    for _, _, message in extract_from_ast(environment.parse(source)):
        if isinstance(message, str):
            yield message
