"""The pages and their files, as they are sent: few, compressed, each at an address with a hash of all of them in it.

What is at such an address never changes, so a browser keeps it for ever and asks again for nothing but the page
itself. The page names its files as `"/web/NAME"`; the hash is put in as it is sent. Its modules are sent joined to one
file, its styles to another (`companion.server.pages.bundler`); each can still be read by itself.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any

from companion.i18n.catalog import SOURCE_LANGUAGE, MessageCatalog, list_languages
from companion.server.pages import bundler
from companion.server.pages.templates import translate_html
from companion.server.responses import CachedBody
from companion.server.routes.constants import data_words

MIMETYPES = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json", ".wav": "audio/wav", ".ogg": "audio/ogg", ".mp3": "audio/mpeg",
}  # fmt: skip
"""What lies in the folder and is none of these is not sent."""

_SCRIPT_NAME = re.compile(r'(?<=<script type="module" src="/web/)([\w./-]+)\.js(?=")')
_STYLE_LINKS = re.compile(r'(?: *<link rel="stylesheet" href="/web/[\w./-]+\.css">\n)+')
_STYLE_HREF = re.compile(r'href="/web/([\w./-]+\.css)"')
TABLE_PAGES = {
    "/": "index.html", "/tv": "tv.html", "/invite": "invite.html", "/evening": "evening.html",
    "/workshop": "workshop.html", "/review": "review.html", "/train": "practice.html",
}  # fmt: skip
"""The pages that are the same for every table, by their address."""

_STRING_LITERAL = re.compile(r'(?<=[(\s])"([^"\\\n]+)"')
"""A text in a module."""


_HASH = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class _FolderSnapshot:
    """The files at one moment, by name; `version` is the hash of them all, `seen` by what a change is noticed.

    `joins` makes those files that are joined of others, when one is asked for: then it is among the files.
    """

    file_stats: tuple[tuple[str, int, int], ...]
    version: str
    files: dict[str, CachedBody]
    pages: Mapping[str, CachedBody]
    bundles: Mapping[str, Callable[[], str]]
    find_texts: Callable[[str], frozenset[str]]
    translations: dict[tuple[str, MessageCatalog | None], CachedBody] = field(default_factory=dict)

    def get_page(self, name: str, language: MessageCatalog | None) -> CachedBody:
        """The page with the list of languages in it, in one of them."""
        if (name, language) not in self.translations:
            text = self.pages[name].content.decode()
            told = translate_html(text, language) if language else text
            chosen = language.language if language else SOURCE_LANGUAGE
            text = told.replace("data-languages>", f"data-languages>{_language_links(chosen)}")
            self.translations[name, language] = CachedBody(text.encode(), "text/html")
        return self.translations[name, language]

    def get_file(self, name: str) -> CachedBody | None:
        if name in self.bundles and name not in self.files:
            self.files[name] = CachedBody(self.bundles[name]().encode(), MIMETYPES[Path(name).suffix])
        return self.files.get(name)


class Assets:
    """The folder `web`. For any thread."""

    def __init__(self, folder: Path) -> None:
        self._where = folder
        self._now = _read_folder(folder, _stat_files(folder))

    def get_page(self, name: str, language: MessageCatalog | None = None) -> CachedBody:
        """A page, with its files' addresses in it, in a language. A file that was edited since counts from now on."""
        seen = _stat_files(self._where)
        if seen != self._now.file_stats:
            self._now = _read_folder(self._where, seen)
        return self._now.get_page(name, language)

    def filter_words(self, every: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Those of these patterns that the script `phone` or `evening` may say; with another name those of all pages.

        They are what stands in its modules as a text, and the names that the table tells it, such as colours.
        """
        texts = self._now.find_texts(name)
        return {pattern: said for pattern, said in every.items() if pattern in texts or pattern in data_words()}

    def get_file(self, address: str) -> tuple[CachedBody | None, bool]:
        """The file at an address below `/web/`, if there is one, and whether it will be the same there for ever.

        With another hash, as in a page from before an update, or with none, it is the file as it is now.
        """
        now = self._now
        version, _, name = address.partition("/")
        return now.get_file(name if _HASH.fullmatch(version) else address), version == now.version


def _language_links(chosen: str) -> str:
    """A link for each language, in its own words."""
    return "".join(
        f'<a href="?lang={each["language"]}" lang="{each["language"]}" hreflang="{each["language"]}"'
        + (' aria-current="true">' if each["language"] == chosen else ">")
        + f"{escape(each['name'])}</a>"
        for each in list_languages()
    )


def _stat_files(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Each file with its time and its size."""
    found = ((path, path.stat()) for path in sorted(folder.rglob("*")) if path.suffix in MIMETYPES)
    return tuple((path.relative_to(folder).as_posix(), stat.st_mtime_ns, stat.st_size) for path, stat in found)


def _read_folder(folder: Path, seen: tuple[tuple[str, int, int], ...]) -> _FolderSnapshot:
    texts = {name: (folder / name).read_bytes() for name, _, _ in seen}
    whole = hashlib.sha256()
    for name, text in texts.items():
        whole.update(f"{name} {len(text)}\n".encode() + text)
    version = whole.hexdigest()[:16]
    kinds = {name: MIMETYPES[Path(name).suffix] for name in texts}
    plain = {name: text.decode() for name, text in texts.items() if kinds[name].startswith("text/")}
    joins: dict[str, Callable[[], str]] = {}
    pages = {name: _bundle_page(plain, name, joins).replace('"/web/', f'"/web/{version}/')
             for name in texts if name.endswith(".html")}  # fmt: skip
    return _FolderSnapshot(
        seen,
        version,
        {name: CachedBody(text, kinds[name]) for name, text in texts.items() if name not in pages},
        {name: CachedBody(page.encode(), "text/html") for name, page in pages.items()},
        joins,
        _create_text_finder(plain),
    )


def _create_text_finder(plain: Mapping[str, str]) -> Callable[[str], frozenset[str]]:
    """Tells the texts in the modules of a page's script, of those that come later too; or of all, for another name."""

    @cache
    def told(script: str | None) -> frozenset[str]:
        modules = bundler.list_modules(plain, script) if script else plain
        return frozenset(each for module in modules for each in _STRING_LITERAL.findall(plain[module]))

    return lambda name: told(f"pages/{name}.js" if f"pages/{name}.js" in plain else None)


def _bundle_page(plain: Mapping[str, str], name: str, joins: dict[str, Callable[[], str]]) -> str:
    """A page that names one script and one style sheet; how each is made is added to `joins`."""

    def script(found: re.Match[str]) -> str:
        joins[f"{found[1]}.joined.js"] = lambda: bundler.bundle_script(plain, f"{found[1]}.js")
        for module in bundler.list_modules(plain, f"{found[1]}.js"):
            for late in bundler.lazy_imports(plain[module], module):
                joins[bundler.lazy_module_name(f"{found[1]}.js", late)] = partial(
                    bundler.bundle_lazy_module, plain, f"{found[1]}.js", late
                )
        return f"{found[1]}.joined.js"

    def style(found: re.Match[str]) -> str:
        sheet = f"{Path(name).stem}.joined.css"
        joins[sheet] = lambda: bundler.bundle_styles(plain, _STYLE_HREF.findall(found[0]))
        return f'  <link rel="stylesheet" href="/web/{sheet}">\n'

    return _STYLE_LINKS.sub(style, _SCRIPT_NAME.sub(script, plain[name]))
