"""The messages of the program that need translations; `make words` updates the catalogues with them.

In Python these are the first arguments of `format_message`, `gettext_noop` and of errors, and the first two of
`format_plural`; in the modules of the page those of `formatMessage`, `gettextNoop` and `formatPlural`; in the HTML
pages the texts and the attributes that screen readers read; in the lesson and the infringements the fields that their
files name; in boards their titles. Options, colours and tracks are data of games and boards.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from companion.boards.catalog import list_shipped_boards, load_board
from companion.http.assets import data_words, extract_messages
from companion.i18n import catalog

ROOT = Path(__file__).parents[2]


def error_classes() -> list[str]:
    """Return the names of all subclasses of CompanionError, whose messages a player may read."""
    bases = {}
    for path in (ROOT / "companion").rglob("*.py"):
        bases |= {name: set(_NAME.findall(parents)) for name, parents in _CLASS.findall(path.read_text("utf-8"))}
    found = {"CompanionError"}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return sorted(found)


_CLASS = re.compile(r"^class (\w+)\(([^)]*)\):", re.MULTILINE)
_NAME = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
KEYWORDS = {**dict.fromkeys(("format_message", "gettext_noop", *error_classes())), "format_plural": (1, 2)}
TERMINAL_MODULES = (
    "plugins/arena", "commands", "plugins/doctor", "plugins/service", "plugins/drawing",
    "coach/questions.py", "coach/cribbage/opponent_hand.py",
    "coach/advise.py", "coach/cribbage/discard.py",
    "coach/shuffle.py", "coach/cribbage/expected_values.py", "demo", "plugins/mqtt", "plugins/wiring_wizard/session.py",
    "plugins/wiring_wizard/learn_command.py", "plugins/cards/cards_command.py", "plugins/club/club_command.py",
    *(f"boards/{each}.py" for each in ("board_file", "catalog", "board")),
    "app/program.py", "app/launch.py", "settings.py", "app/device_manager.py", "app/network.py",
    "devices/flash.py", "devices/deck.py", "devices/simulated_bench.py",
    "table/recording.py", "table/export.py", "table/courses/race_dump.py", "journal/schema.py",
    "i18n/catalog.py",
)  # fmt: skip
"""Modules whose messages are shown in a terminal only, in English."""

_SCRIPT_MESSAGE = re.compile(r'\b(?:formatMessage|gettextNoop)\(\s*"((?:[^"\\]|\\.)+)"')
_SCRIPT_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*) *\n", re.MULTILINE | re.DOTALL)
_SCRIPT_PLURAL = re.compile(r'\bformatPlural\(\s*"((?:[^"\\]|\\.)+)",\s*"((?:[^"\\]|\\.)+)"')

Pattern = str | tuple[str, str]
"""A message; with a plural, both forms."""


def python_messages() -> Iterator[Pattern]:
    """Yield the messages of the Python modules, and no separators: since Python 3.12 babel sees those in f-strings."""
    for path in sorted((ROOT / "companion").rglob("*.py")):
        name = path.relative_to(ROOT / "companion").as_posix()
        if not name.startswith(TERMINAL_MODULES):
            found = (each[1] for each in extract_from_file("python", path, KEYWORDS))
            yield from (each for each in found if _LETTER.search(each if isinstance(each, str) else each[0]))


def script_messages(folder: Path = ROOT / "web") -> Iterator[Pattern]:
    """Yield the messages of the JavaScript modules."""
    for path in sorted(folder.rglob("*.js")):
        text = _SCRIPT_COMMENT.sub("", path.read_text("utf-8"))
        yield from (_unescape(one) for one in _SCRIPT_MESSAGE.findall(text))
        yield from ((_unescape(one), _unescape(many)) for one, many in _SCRIPT_PLURAL.findall(text))


def page_messages(folder: Path = ROOT / "web") -> Iterator[Pattern]:
    """Yield the texts of the HTML pages."""
    for path in sorted(folder.rglob("*.html")):
        yield from extract_messages(path.read_text("utf-8"))


def lesson_messages() -> Iterator[Pattern]:
    """Yield the texts of the lesson."""
    course = tomllib.loads((ROOT / "companion/coach/lesson.toml").read_text("utf-8"))
    yield from course["texts"].values()
    for table in (*course["ideas"].values(), *course["meanings"], *course["deals"]):
        for prompt in (table, table.get("discard", {}), *table.get("plays", ())):
            yield from (prompt[key] for key in ("word", "say", "again") if key in prompt)
        yield from (*table.get("counts", ()), *table.get("answers", ()))


def infringement_messages() -> Iterator[Pattern]:
    """Yield the texts of the rulings that players call."""
    table = tomllib.loads((ROOT / "companion/rules/infringements.toml").read_text("utf-8"))
    yield from (row[key] for row in table["infringements"] for key in ("offer", "say") if key in row)


def board_messages() -> Iterator[Pattern]:
    """Yield the titles of the boards."""
    boards = map(load_board, list_shipped_boards())
    yield from (board.title for board in boards if board.title != board.name)


def all_messages() -> set[Pattern]:
    """Return every message once. One with a plural replaces its singular alone."""
    every = {catalog.LANGUAGE_NAME_PATTERN, *python_messages(), *script_messages(), *page_messages(), *data_words()}
    every.update(lesson_messages(), infringement_messages(), board_messages())
    ones = {each[0] for each in every if not isinstance(each, str)}
    return {each for each in every if each not in ones}


def create_template(patterns: Iterable[Pattern]) -> Catalog:
    """Return a catalogue of these messages without translations."""
    made = Catalog()
    for each in sorted(patterns, key=lambda pattern: pattern if isinstance(pattern, str) else pattern[0]):
        made.add(each)
    return made


def update_catalog(path: Path, wanted: Catalog) -> Catalog:
    """Return the catalogue of a file with exactly the wanted messages; their translations are kept."""
    with path.open("rb") as file:
        found = read_po(file, locale=path.parent.name, abort_invalid=True)
    found.update(wanted, no_fuzzy_matching=True)
    found.obsolete.clear()
    for each in found:
        each.flags.clear()
    return found


def format_catalog(path: Path, wanted: Catalog) -> bytes:
    """Return the content of the updated file: sorted and without line numbers, for small diffs."""
    head = re.match(rb".*?\n\n", path.read_bytes(), re.DOTALL)
    lines: list[bytes] = []

    class Out:
        def write(self, text: bytes) -> None:
            lines.append(text)

    write_po(Out(), update_catalog(path, wanted), no_location=True, sort_output=True, width=0, omit_header=True)
    return (head[0] if head else b"") + b"".join(lines).lstrip(b"\n")


def _unescape(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


if __name__ == "__main__":
    wanted = create_template(all_messages())
    for path in catalog.find_catalog_files().values():
        path.write_bytes(format_catalog(path, wanted))
