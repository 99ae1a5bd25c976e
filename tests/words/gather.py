"""Every sentence of the program that wants translating, and `make words`, which puts them into the catalogues.

In Python it is what stands first in `say("…")`, `phrase("…")` and in each error that a player may read, and both forms
of `say_many`. In the page's modules `formatMessage`, `formatPlural` and `gettextNoop`. In the pages, their texts and the attributes that are read.
Words that are data stand in the games and on the boards: options, colours, tracks.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from companion.i18n import catalog
from companion.http import responses
from companion.http.pages.templates import html_messages
from companion.server.routes.constants import data_words

ROOT = Path(__file__).parents[2]
ERRORS = "CompanionError IllegalMove BadMove BadCard BoardError SettingsError DeviceError JournalError Unfit Costly"
KEYWORDS = {**dict.fromkeys(("format_message", "gettext_noop", *ERRORS.split())), "format_plural": (1, 2)}
MAKERS = (
    "commands", "doctor", "install", "drawing", "coach/questions.py", "coach/cribbage/opponent_hand.py",
    "coach/advise.py", "coach/cribbage/discard.py", "coach/sackson.py",
    "coach/shuffle.py", "coach/cribbage/expected_values.py", "demo", "mqtt", "wiring_wizard/session.py",
    *(f"boards/{each}.py" for each in ("light_positions", "board_file", "catalog", "wiring", "board")),
    "app/program.py", "app/launch.py", "settings.py", "app/device_manager.py", "app/network.py",
    "devices/flash.py", "devices/deck.py", "devices/simulation/bench.py",
    "table/recording.py", "table/export.py", "table/courses/race_dump.py", "journal/backup.py", "journal/schema.py",
    "rules/baseball/spaces.py",
    "i18n/catalog.py",
)  # fmt: skip
"""What is said there is read in a terminal."""

_SAID = re.compile(r'\b(?:formatMessage|gettextNoop)\(\s*"((?:[^"\\]|\\.)+)"')
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*) *\n", re.MULTILINE | re.DOTALL)
_MANY = re.compile(r'\bformatPlural\(\s*"((?:[^"\\]|\\.)+)",\s*"((?:[^"\\]|\\.)+)"')

Pattern = str | tuple[str, str]
"""One with a plural is both forms."""


def of_python() -> Iterator[Pattern]:
    """What the program says."""
    for path in sorted((ROOT / "companion").rglob("*.py")):
        name = path.relative_to(ROOT / "companion").as_posix()
        if not name.startswith(MAKERS):
            yield from (found[1] for found in extract_from_file("python", path, KEYWORDS))


def of_scripts(folder: Path = ROOT / "web") -> Iterator[Pattern]:
    """What the page's modules say."""
    for path in sorted(folder.rglob("*.js")):
        text = _COMMENT.sub("", path.read_text("utf-8"))
        yield from (_plain(one) for one in _SAID.findall(text))
        yield from ((_plain(one), _plain(many)) for one, many in _MANY.findall(text))


def of_pages(folder: Path = ROOT / "web") -> Iterator[Pattern]:
    """What stands in the pages themselves."""
    for path in sorted(folder.rglob("*.html")):
        yield from html_messages(path.read_text("utf-8"))
    yield from html_messages(responses.ERROR_PAGE)


def all_patterns() -> set[Pattern]:
    """Each once. A pattern with a plural stands for its singular too."""
    every = {catalog.LANGUAGE_NAME_PATTERN, *of_python(), *of_scripts(), *of_pages(), *data_words()}
    ones = {each[0] for each in every if not isinstance(each, str)}
    return {each for each in every if each not in ones}


def template(patterns: Iterable[Pattern]) -> Catalog:
    """As a catalogue without translations."""
    made = Catalog()
    for each in sorted(patterns, key=lambda pattern: pattern if isinstance(pattern, str) else pattern[0]):
        made.add(each)
    return made


def updated(path: Path, wanted: Catalog) -> Catalog:
    """The catalogue in a file with exactly the wanted patterns; what it says of these is kept."""
    with path.open("rb") as file:
        found = read_po(file, locale=path.parent.name, abort_invalid=True)
    found.update(wanted, no_fuzzy_matching=True)
    found.obsolete.clear()
    for each in found:
        each.flags.clear()
    return found


def written(path: Path, wanted: Catalog) -> bytes:
    """The file anew: sorted, without line numbers, so that a change is a change of few lines."""
    head = re.match(rb".*?\n\n", path.read_bytes(), re.DOTALL)
    lines: list[bytes] = []

    class Out:
        def write(self, text: bytes) -> None:
            lines.append(text)

    write_po(Out(), updated(path, wanted), no_location=True, sort_output=True, width=0, omit_header=True)
    return (head[0] if head else b"") + b"".join(lines).lstrip(b"\n")


def _plain(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


if __name__ == "__main__":
    wanted = template(all_patterns())
    for path in catalog.find_catalog_files().values():
        path.write_bytes(written(path, wanted))
