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

from companion.i18n.catalog import ENGLISH, Catalogue, languages
from companion.server.pages import bundler
from companion.server.pages.templates import translated
from companion.server.responses import Text
from companion.server.routes.constants import names

KINDS = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json", ".wav": "audio/wav", ".ogg": "audio/ogg", ".mp3": "audio/mpeg",
}  # fmt: skip
"""What lies in the folder and is none of these is not sent."""

_SCRIPT = re.compile(r'(?<=<script type="module" src="/web/)([\w./-]+)\.js(?=")')
_STYLES = re.compile(r'(?: *<link rel="stylesheet" href="/web/[\w./-]+\.css">\n)+')
_STYLE = re.compile(r'href="/web/([\w./-]+\.css)"')
SHEETS = {
    "/": "index.html", "/tv": "tv.html", "/invite": "invite.html", "/evening": "evening.html",
    "/workshop": "workshop.html", "/review": "review.html", "/train": "practice.html",
}  # fmt: skip
"""The pages that are the same for every table, by their address."""

_TEXT = re.compile(r'(?<=[(\s])"([^"\\\n]+)"')
"""A text in a module."""


_VERSION = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class _Folder:
    """The files at one moment, by name; `version` is the hash of them all, `seen` by what a change is noticed.

    `joins` makes those files that are joined of others, when one is asked for: then it is among the files.
    """

    seen: tuple[tuple[str, int, int], ...]
    version: str
    files: dict[str, Text]
    pages: Mapping[str, Text]
    joins: Mapping[str, Callable[[], str]]
    texts: Callable[[str], frozenset[str]]
    said: dict[tuple[str, Catalogue | None], Text] = field(default_factory=dict)

    def page(self, name: str, language: Catalogue | None) -> Text:
        """The page with the list of languages in it, in one of them."""
        if (name, language) not in self.said:
            text = self.pages[name].plain.decode()
            told = translated(text, language) if language else text
            chosen = language.language if language else ENGLISH
            text = told.replace("data-languages>", f"data-languages>{_languages(chosen)}")
            self.said[name, language] = Text(text.encode(), "text/html")
        return self.said[name, language]

    def file(self, name: str) -> Text | None:
        if name in self.joins and name not in self.files:
            self.files[name] = Text(self.joins[name]().encode(), KINDS[Path(name).suffix])
        return self.files.get(name)


class Pages:
    """The folder `web`. For any thread."""

    def __init__(self, folder: Path) -> None:
        self._where = folder
        self._now = _read(folder, _look(folder))

    def page(self, name: str, language: Catalogue | None = None) -> Text:
        """A page, with its files' addresses in it, in a language. A file that was edited since counts from now on."""
        seen = _look(self._where)
        if seen != self._now.seen:
            self._now = _read(self._where, seen)
        return self._now.page(name, language)

    def words(self, every: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Those of these patterns that the script `phone` or `evening` may say; with another name those of all pages.

        They are what stands in its modules as a text, and the names that the table tells it, such as colours.
        """
        texts = self._now.texts(name)
        return {pattern: said for pattern, said in every.items() if pattern in texts or pattern in names()}

    def file(self, address: str) -> tuple[Text | None, bool]:
        """The file at an address below `/web/`, if there is one, and whether it will be the same there for ever.

        With another hash, as in a page from before an update, or with none, it is the file as it is now.
        """
        now = self._now
        version, _, name = address.partition("/")
        return now.file(name if _VERSION.fullmatch(version) else address), version == now.version


def _languages(chosen: str) -> str:
    """A link for each language, in its own words."""
    return "".join(
        f'<a href="?lang={each["language"]}" lang="{each["language"]}" hreflang="{each["language"]}"'
        + (' aria-current="true">' if each["language"] == chosen else ">")
        + f"{escape(each['name'])}</a>"
        for each in languages()
    )


def _look(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Each file with its time and its size."""
    found = ((path, path.stat()) for path in sorted(folder.rglob("*")) if path.suffix in KINDS)
    return tuple((path.relative_to(folder).as_posix(), stat.st_mtime_ns, stat.st_size) for path, stat in found)


def _read(folder: Path, seen: tuple[tuple[str, int, int], ...]) -> _Folder:
    texts = {name: (folder / name).read_bytes() for name, _, _ in seen}
    whole = hashlib.sha256()
    for name, text in texts.items():
        whole.update(f"{name} {len(text)}\n".encode() + text)
    version = whole.hexdigest()[:16]
    kinds = {name: KINDS[Path(name).suffix] for name in texts}
    plain = {name: text.decode() for name, text in texts.items() if kinds[name].startswith("text/")}
    joins: dict[str, Callable[[], str]] = {}
    pages = {name: _joined(plain, name, joins).replace('"/web/', f'"/web/{version}/')
             for name in texts if name.endswith(".html")}  # fmt: skip
    return _Folder(
        seen,
        version,
        {name: Text(text, kinds[name]) for name, text in texts.items() if name not in pages},
        {name: Text(page.encode(), "text/html") for name, page in pages.items()},
        joins,
        _texts(plain),
    )


def _texts(plain: Mapping[str, str]) -> Callable[[str], frozenset[str]]:
    """Tells the texts in the modules of a page's script, of those that come later too; or of all, for another name."""

    @cache
    def told(script: str | None) -> frozenset[str]:
        modules = bundler.modules(plain, script) if script else plain
        return frozenset(each for module in modules for each in _TEXT.findall(plain[module]))

    return lambda name: told(f"pages/{name}.js" if f"pages/{name}.js" in plain else None)


def _joined(plain: Mapping[str, str], name: str, joins: dict[str, Callable[[], str]]) -> str:
    """A page that names one script and one style sheet; how each is made is added to `joins`."""

    def script(found: re.Match[str]) -> str:
        joins[f"{found[1]}.joined.js"] = lambda: bundler.script(plain, f"{found[1]}.js")
        for module in bundler.modules(plain, f"{found[1]}.js"):
            for late in bundler.asked_later(plain[module], module):
                joins[bundler.later_name(f"{found[1]}.js", late)] = partial(
                    bundler.later, plain, f"{found[1]}.js", late
                )
        return f"{found[1]}.joined.js"

    def style(found: re.Match[str]) -> str:
        sheet = f"{Path(name).stem}.joined.css"
        joins[sheet] = lambda: bundler.styles(plain, _STYLE.findall(found[0]))
        return f'  <link rel="stylesheet" href="/web/{sheet}">\n'

    return _STYLES.sub(style, _SCRIPT.sub(script, plain[name]))
