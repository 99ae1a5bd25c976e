"""What a phone has chosen, worn by every page from its first moment: the theme of a pack, cards in four colours.

The page keeps each choice in a cookie (`web/parts/tastes.js`); a page is changed as it is sent, so that also one
without a script wears it.
"""

from collections.abc import Collection

from flask import Flask, current_app, request

THEME, SUITS = "companion_theme", "companion_suits"
"""The cookies."""
_THEMES = "companion.themes"


def offer(app: Flask, themes: Collection[str]) -> None:
    """The pages of this application may wear these themes, by the names of their packs."""
    app.extensions[_THEMES] = frozenset(themes)


def worn(page: str) -> str:
    """The page as this request's browser likes it."""
    if request.cookies.get(SUITS) == "four":
        page = page.replace("<html ", '<html class="four" ', 1)
    if (theme := request.cookies.get(THEME)) in current_app.extensions.get(_THEMES, ()):
        page = page.replace(
            "</head>", f'  <link id="theme" rel="stylesheet" href="/packs/{theme}/theme.css">\n</head>', 1
        )
    return page
