"""The pages and their files, as they are sent: compressed, each file at an address with a hash of all of them in it.

What is at such an address never changes, so a browser keeps it for ever and asks again for nothing but the page
itself. The page names its files as `"/web/NAME"`; the hash is put in as it is sent. Modules name each other by where
they lie, so they need not know of it.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.server.answer import Text

_KINDS = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
}  # fmt: skip
"""What lies in the folder and is none of these is not sent."""

_SCRIPT = re.compile(r'^( *)<script type="module" src="/web/([\w./-]+)"', re.MULTILINE)
_IMPORT = re.compile(r'\b(?:from|import) "(\.{1,2}/[\w./-]+)"')
_VERSION = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class _Folder:
    """The files at one moment, by name; `version` is the hash of them all, `seen` by what a change is noticed."""

    seen: tuple[tuple[str, int, int], ...]
    version: str
    files: Mapping[str, Text]
    pages: Mapping[str, Text]


class Pages:
    """The folder `web`. For any thread."""

    def __init__(self, folder: Path) -> None:
        self._where = folder
        self._now = _read(folder, _look(folder))

    def page(self, name: str) -> Text:
        """A page, with its files' addresses in it. A file that was edited since counts from now on."""
        seen = _look(self._where)
        if seen != self._now.seen:
            self._now = _read(self._where, seen)
        return self._now.pages[name]

    def file(self, address: str) -> tuple[Text | None, bool]:
        """The file at an address below `/web/`, if there is one, and whether it will be the same there for ever.

        With another hash, as in a page from before an update, or with none, it is the file as it is now.
        """
        now = self._now
        version, _, name = address.partition("/")
        return now.files.get(name if _VERSION.fullmatch(version) else address), version == now.version


def _look(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Each file with its time and its size."""
    found = ((path, path.stat()) for path in sorted(folder.rglob("*")) if path.suffix in _KINDS)
    return tuple((path.relative_to(folder).as_posix(), stat.st_mtime_ns, stat.st_size) for path, stat in found)


def _read(folder: Path, seen: tuple[tuple[str, int, int], ...]) -> _Folder:
    texts = {name: (folder / name).read_bytes() for name, _, _ in seen}
    whole = hashlib.sha256()
    for name, text in texts.items():
        whole.update(f"{name} {len(text)}\n".encode() + text)
    version = whole.hexdigest()[:16]
    kinds = {name: _KINDS[Path(name).suffix] for name in texts}
    pages = {name: _addressed(texts, name, version) for name, kind in kinds.items() if kind == "text/html"}
    return _Folder(
        seen,
        version,
        {name: Text(text, kinds[name]) for name, text in texts.items() if name not in pages},
        {name: Text(page.encode(), "text/html") for name, page in pages.items()},
    )


def _addressed(texts: Mapping[str, bytes], name: str, version: str) -> str:
    """A page with the hash in its files' addresses. It names all modules at once: none waits for another to be read."""

    def preloaded(script: re.Match[str]) -> str:
        links = (f'{script[1]}<link rel="modulepreload" href="/web/{each}">\n' for each in _modules(texts, script[2]))
        return "".join(links) + script[0]

    page = _SCRIPT.sub(preloaded, texts[name].decode())
    return page.replace('"/web/', f'"/web/{version}/')


def _modules(texts: Mapping[str, bytes], script: str) -> Iterator[str]:
    """The modules that a script imports, and those that they import."""
    known, ahead = {script}, [script]
    while ahead:
        importer = ahead.pop(0)
        for path in _IMPORT.findall(texts[importer].decode()):
            name = _from(importer, path)
            if name in texts and name not in known:
                known.add(name)
                ahead.append(name)
                yield name


def _from(importer: str, path: str) -> str:
    """The name of a file that another one calls so: `../words.js` in `parts/turn.js` is `words.js`."""
    parts = importer.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
