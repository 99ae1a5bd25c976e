"""The folder `web`: pages rendered from templates, and static files at addresses that contain a hash.

The hash is that of all files, so the content of such an address never changes and a browser caches it for ever; only
the page itself is requested again. A template names its files by functions: `asset("icon.svg")`,
`script("pages/tv/tv.js")` and `stylesheets([…])`. The modules of a page are bundled into one file, its style sheets
into another (`companion.http.bundler`). Each file is also available under its own name.

A template marks its texts with `{% trans %}…{% endtrans %}`, and those of attributes with `_("…")`. The English text is
the key in the catalogue. The page saves what the browser prefers (a theme, cards in four colours) in cookies
(`web/components/setup/preferences.js`); they are applied when the page is rendered, so a page without a script has them
too.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from flask import Flask, current_app, request
from jinja2 import DictLoader, Environment, StrictUndefined, nodes, pass_context
from jinja2.ext import extract_from_ast
from jinja2.runtime import Context

from companion.boards import catalog
from companion.http import bundler
from companion.http.responses import CachedBody
from companion.i18n.catalog import SOURCE_LANGUAGE, MessageCatalog, list_languages
from companion.i18n.messages import MessagePattern
from companion.rules import GAMES
from companion.rules.sackson.grid import COLOURS, find_figures

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


@cache
def data_words() -> frozenset[str]:
    return frozenset(_iter_data_words())


def _iter_data_words() -> Iterator[str]:
    for game in GAMES:
        yield from (value for values in game.options.values() for value in values if value.isalpha())
    yield from COLOURS
    yield from find_figures().values()
    yield from find_figures("stairs").values()
    for name in catalog.list_board_names():
        for hole in catalog.load_board(name).holes:
            yield from (part for part in hole.id.split("-") if not part.isdecimal())


MIMETYPES = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json", ".wav": "audio/wav", ".ogg": "audio/ogg", ".mp3": "audio/mpeg",
}  # fmt: skip
"""Types by suffix. Files of other types are not sent."""

_STRING_LITERAL = re.compile(r'(?<=[(\s])"([^"\\\n]+)"')
"""A text in a module, which may be a key of the catalogue."""
_HASH = re.compile(r"[0-9a-f]{16}")

FileStats = tuple[tuple[str, int, int], ...]
"""Name, time of modification and size of each file."""


class Assets:
    """The files of a folder. Any thread may call it. A changed file is noticed when the next page is requested."""

    def __init__(self, folder: Path, *, is_bundled: bool = True) -> None:
        """Read the folder. Without bundles, pages name each module and each style sheet, without a hash: for tests."""
        self._folder, self._is_bundled = folder, is_bundled
        self._snapshot = _FolderSnapshot(folder, _stat_files(folder), is_bundled=is_bundled)

    def get_page(
        self, name: str, language: MessageCatalog | None = None, preferences: Preferences = NO_PREFERENCES
    ) -> CachedBody:
        """Return a page that needs no values, rendered once for each language and preferences."""
        return self._current_snapshot().get_page(name, language, preferences)

    def render_page(
        self, name: str, language: MessageCatalog | None, preferences: Preferences, **values: Any
    ) -> CachedBody:
        environment = self._current_snapshot().environment
        return CachedBody(render_template(environment, name, language, preferences, values).encode(), "text/html")

    def filter_words(self, words: Mapping[str, Any], page: str, part: str | None = None) -> dict[str, Any]:
        """Return the words that occur as texts in the bundle of a page, such as `phone`, and the data words.

        For an unknown page, the modules of all pages are searched. With a part, such as `components/help.js`, return
        only the words that this module, which the page loads on demand, adds.
        """
        texts = self._snapshot.find_texts(page, part) | (frozenset() if part else data_words())
        return {pattern: forms for pattern, forms in words.items() if pattern in texts}

    def get_file(self, address: str) -> tuple[CachedBody | None, bool]:
        """Return the file at an address below `/web/`, None if there is none, and whether it may be cached for ever.

        For another hash, as in a page from before an update, or for none, that is the present file, not to be cached.
        """
        snapshot = self._snapshot
        version, _, name = address.partition("/")
        return snapshot.get_file(name if _HASH.fullmatch(version) else address), version == snapshot.version

    def _current_snapshot(self) -> "_FolderSnapshot":
        stats = _stat_files(self._folder)
        if stats != self._snapshot.stats:
            self._snapshot = _FolderSnapshot(self._folder, stats, is_bundled=self._is_bundled)
        return self._snapshot


class _FolderSnapshot:
    """The files at one moment. `version` is the hash of them all."""

    def __init__(self, folder: Path, stats: FileStats, *, is_bundled: bool) -> None:
        contents = {name: (folder / name).read_bytes() for name, _, _ in stats}
        digest = hashlib.sha256()
        for name, content in contents.items():
            digest.update(f"{name} {len(content)}\n".encode() + content)
        self.stats, self.version = stats, digest.hexdigest()[:16]
        self._prefix = f"/web/{self.version}/" if is_bundled else "/web/"
        self._is_bundled = is_bundled
        types = {name: MIMETYPES[Path(name).suffix] for name in contents}
        self._texts = {name: content.decode() for name, content in contents.items() if types[name].startswith("text/")}
        self._templates = {name: text for name, text in self._texts.items() if types[name] == "text/html"}
        self._files = {name: CachedBody(contents[name], types[name]) for name in contents.keys() - self._templates}
        self._bundles: dict[str, Callable[[], str]] = {}
        self._pages: dict[tuple[str, MessageCatalog | None, Preferences], CachedBody] = {}
        self.environment = create_environment(
            self._templates, asset=self._prefix.__add__, script=self._script_address, stylesheets=self._style_addresses
        )
        self._find_texts = cache(self._search_texts)

    def get_page(self, name: str, language: MessageCatalog | None, preferences: Preferences) -> CachedBody:
        key = name, language, preferences
        if key not in self._pages:
            html = render_template(self.environment, name, language, preferences, {})
            self._pages[key] = CachedBody(html.encode(), "text/html")
        return self._pages[key]

    def get_file(self, name: str) -> CachedBody | None:
        """Return a static file or a bundle; None if there is none."""
        if name not in self._files and bundler.is_bundle_name(name):
            if name not in self._bundles:  # its page has not been rendered since the program started
                self._add_all_bundles()
            if name in self._bundles:
                self._files[name] = CachedBody(self._bundles[name]().encode(), MIMETYPES[Path(name).suffix])
        return self._files.get(name)

    def find_texts(self, page: str, part: str | None) -> frozenset[str]:
        """Return the texts in the bundle of a page, those that a part adds, or for an unknown page all texts."""
        scripts = {Path(script).stem: script for script in self._page_constants["page_script"].values()}
        return self._find_texts(scripts.get(page), part if part in self._texts else None)

    def _search_texts(self, script: str | None, part: str | None) -> frozenset[str]:
        if script is None:
            modules = list(self._texts.keys() - self._templates)
        elif part is None:
            modules = bundler.list_page_modules(self._texts, script)
        else:
            modules = bundler.list_part_modules(self._texts, script, part)
        return frozenset(text for module in modules for text in _STRING_LITERAL.findall(self._texts[module]))

    def _script_address(self, name: str) -> str:
        if not self._is_bundled:
            return self._prefix + name
        self._bundles.update(self._script_bundles(name))
        return self._prefix + bundler.script_bundle_name(name)

    @pass_context
    def _style_addresses(self, context: Context, names: Sequence[str]) -> list[str]:
        """Return the addresses of the style sheets of the page that is rendered."""
        if not self._is_bundled:
            return [self._prefix + name for name in names]
        bundle = bundler.style_bundle_name(str(context.name))
        self._bundles[bundle] = partial(bundler.bundle_styles, self._texts, list(names))
        return [self._prefix + bundle]

    def _script_bundles(self, name: str) -> Iterator[tuple[str, Callable[[], str]]]:
        yield bundler.script_bundle_name(name), partial(bundler.bundle_script, self._texts, name)
        for module in bundler.list_modules(self._texts, name):
            for lazy in bundler.lazy_imports(self._texts[module], module):
                bundle = partial(bundler.bundle_lazy_module, self._texts, name, lazy)
                yield bundler.lazy_module_name(name, lazy), bundle

    @cached_property
    def _page_constants(self) -> dict[str, dict[str, Any]]:
        """The constants `page_script` and `page_styles` that templates set, each by template."""
        constants: dict[str, dict[str, Any]] = {"page_script": {}, "page_styles": {}}
        for name, source in self._templates.items():
            for node in self.environment.parse(source).find_all(nodes.Assign):
                if isinstance(node.target, nodes.Name) and node.target.name in constants:
                    constants[node.target.name][name] = cast(nodes.Expr, node.node).as_const()
        return constants

    def _add_all_bundles(self) -> None:
        for script in self._page_constants["page_script"].values():
            self._bundles.update(self._script_bundles(script))
        for name, styles in self._page_constants["page_styles"].items():
            self._bundles[bundler.style_bundle_name(name)] = partial(bundler.bundle_styles, self._texts, styles)


def _stat_files(folder: Path) -> FileStats:
    found = ((path, path.stat()) for path in sorted(folder.rglob("*")) if path.suffix in MIMETYPES)
    return tuple((path.relative_to(folder).as_posix(), stat.st_mtime_ns, stat.st_size) for path, stat in found)
