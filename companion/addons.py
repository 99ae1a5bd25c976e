"""Add-ons: folders outside the checkout with a language, a theme, sounds, light effects, a board or a game.

An add-on is one folder, and the folder's name is the name of its contents; docs/how-to/make-a-pack.md lists the files.
A file that cannot be used is skipped with a message. A game is Python code and runs with the program's permissions
(docs/explanation/threats.md); everything else is data and is validated here.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from companion import rules
from companion.boards import catalog
from companion.common.constants import suggest_nearest
from companion.common.errors import CompanionError, SettingsError
from companion.common.files import decode_text, parse_toml
from companion.common.paths import config_home
from companion.display import theme
from companion.display.theme import LightTheme
from companion.i18n import Message, format_message
from companion.i18n import catalog as languages
from companion.rules.engine import Game, Setup
from companion.settings import Settings, read_settings_or_default

SOUND_NAMES = ("right", "wrong", "go", "capture", "home-run", "win")
"""Sounds of a page. `web/audio/chimes.js` plays notes for each sound that an add-on lacks."""
_SOUND_SUFFIXES = (".wav", ".ogg", ".mp3")
_MAX_FILE_BYTES = 2 * 2**20
"""Maximum size of an add-on's file in bytes. A phone must load a sound before it can play it."""
_MAX_TEXT_BYTES = 512 * 2**10
"""Maximum size of an add-on's text file in bytes. TOML has a smaller one of its own."""
_MAX_REASON_LENGTH = 300
"""Maximum number of characters of the reason in a message. A reason may repeat a word of the file."""

_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_PROPERTY_PATTERN = re.compile(r"\s*--[\w-]+\s*:[^{}\\;]*")
_COMMENT_PATTERN = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BLOCK_PATTERN = re.compile(r"\s*(:root|\.four)\s*\{([^{}]*)\}")
_MEDIA_PATTERN = re.compile(r"\s*@media\s*\(prefers-color-scheme:\s*(?:dark|light)\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_EXTERNAL_PATTERN = re.compile(r"url\(|image\(|image-set\(|src\(|@import", re.IGNORECASE)

NamedFile = tuple[str, bytes]
"""Name and content of a file."""


class InvalidAddon(CompanionError, ValueError):
    """A file of an add-on that cannot be used."""


@dataclass(frozen=True, slots=True)
class Addons:
    """The contents of all add-ons, by the names of the add-ons. `problems` has a message for each skipped file."""

    themes: dict[str, bytes] = field(default_factory=dict)
    sounds: dict[str, dict[str, NamedFile]] = field(default_factory=dict)
    light_themes: dict[str, LightTheme] = field(default_factory=dict)
    boards: dict[str, Path] = field(default_factory=dict)
    games: dict[str, Game[Any]] = field(default_factory=dict)
    languages: dict[str, Path] = field(default_factory=dict)
    problems: list[Message] = field(default_factory=list)

    def light_theme(self, name: str) -> LightTheme:
        """Return the light theme of this add-on, or the plain theme and add a problem if there is none."""
        if name and name not in self.light_themes:
            hint = suggest_nearest(name, self.light_themes) if self.light_themes else ""
            self.problems.append(
                format_message("Unknown light effects {name}; {near}.", name=name, near=hint)
                if hint
                else format_message("Unknown light effects {name}.", name=name)
            )
        return self.light_themes.get(name, theme.DEFAULT_THEME)

    def report_missing_game(self, game: str) -> None:
        """Add a problem: a game of the journal cannot be resumed."""
        message = format_message("Cannot resume the game {game}: its add-on is missing or has changed.", game=game)
        self.problems.append(message)

    def register(self) -> None:
        """Register games, boards and languages for as long as the program runs."""
        rules.register_games(self.games.values())
        catalog.register_boards(self.boards)
        languages.register_catalogs(self.languages)


def load_addons(folder: Path) -> Addons:
    """Load the add-ons in a folder. Raises nothing; errors are in `problems`."""
    addons = Addons()
    try:
        folders = sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as error:
        addons.problems.append(format_message("Cannot read the add-on folder: {why}.", why=error.strerror or ""))
        return addons
    for addon in folders:
        _load_addon(addons, addon)
    return addons


def _load_addon(addons: Addons, addon: Path) -> None:
    """Load one add-on into `found`."""
    try:
        files = sorted(each.name for each in addon.iterdir())
    except OSError as error:
        addons.problems.append(
            format_message(
                "Cannot read the add-on {pack}: {why}.", pack=_keep_printable(addon.name), why=error.strerror or ""
            )
        )
        return
    known = [name for name in files if name in _READERS or _sound_name(name)]
    if not known:
        addons.problems.append(
            format_message(
                "The add-on {pack} was skipped: it contains no add-on file.", pack=_keep_printable(addon.name)
            )
        )
    for name in sorted(known, key=lambda each: each == "game.py"):  # a game may need the board of the same add-on
        try:
            _check_name(addon.name)
            _READERS.get(name, _add_sound)(addons, addon.name, addon / name)
        except Exception as error:  # whatever is in the file, the program starts
            why = _describe_reason(error)
            message = format_message(
                "The add-on {pack} was loaded without {file}: {why}.",
                pack=_keep_printable(addon.name),
                file=name,
                why=why,
            )
            addons.problems.append(message)


def _check_name(name: str) -> None:
    if not _NAME_PATTERN.fullmatch(name):
        raise InvalidAddon("its folder name may only contain letters, digits, - and _")


def _describe_reason(error: Exception) -> str:
    """Return the end of the message about a file. It stays translatable unless it is very long."""
    if isinstance(error, OSError):
        return error.strerror or ""
    if not isinstance(error, CompanionError):
        return format_message("it failed with {error}", error=type(error).__name__)
    reason = _keep_printable(str(error).rstrip("."))
    return reason if len(reason) <= _MAX_REASON_LENGTH else reason[:_MAX_REASON_LENGTH] + "…"


def _keep_printable(text: str) -> str:
    """Return a text of an add-on without what a terminal would take for commands."""
    return text if text.isprintable() else "".join(filter(str.isprintable, text))


def _read_bytes(file: Path) -> bytes:
    """Return the content of a file. Raises InvalidAddon for a link to a file outside its folder."""
    if not file.resolve().is_relative_to(file.parent.resolve()):
        raise InvalidAddon("the file links outside its folder")
    if not file.is_file() or file.stat().st_size > _MAX_FILE_BYTES:
        raise InvalidAddon("it is not a file of at most {n} MiB", n=_MAX_FILE_BYTES // 2**20)
    return file.read_bytes()


def _read_text(file: Path) -> str:
    content = _read_bytes(file)
    if len(content) > _MAX_TEXT_BYTES:
        raise InvalidAddon("it is a text of more than {n} KiB", n=_MAX_TEXT_BYTES // 2**10)
    try:
        return decode_text(content)
    except UnicodeDecodeError:
        raise InvalidAddon("it is not UTF-8 text") from None


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return parse_toml(_read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise InvalidAddon("it is not valid TOML ({error})", error=error) from None


def _sound_name(name: str) -> str | None:
    stem, dot, end = name.rpartition(".")
    return stem if stem in SOUND_NAMES and dot + end in _SOUND_SUFFIXES else None


def _add_sound(addons: Addons, addon: str, file: Path) -> None:
    content = file.name, _read_bytes(file)
    addons.sounds.setdefault(addon, {})[_sound_name(file.name) or ""] = content


def _add_theme(addons: Addons, addon: str, file: Path) -> None:
    """Add a theme. It may set custom properties only, so it can change colours but not hide or load anything."""
    text = " ".join(_COMMENT_PATTERN.sub("", _read_text(file)).split())  # patterns are slow on many blanks
    if not text:
        raise InvalidAddon("it is empty")
    if _EXTERNAL_PATTERN.search(text):
        raise InvalidAddon("it loads other files")
    blocks = _MEDIA_PATTERN.sub(r"\1", text)
    for _, inside in _BLOCK_PATTERN.findall(blocks):
        for line in inside.split(";"):
            if line.strip() and not _PROPERTY_PATTERN.fullmatch(line):
                raise InvalidAddon(
                    "a theme may only set properties such as --paper, not {line}", line=line.strip()[:40]
                )
    if left := _BLOCK_PATTERN.sub("", blocks).strip():
        raise InvalidAddon("a theme may only set properties in :root, not {line}", line=left.splitlines()[0][:40])
    addons.themes[addon] = text.encode()


def _add_light_theme(addons: Addons, addon: str, file: Path) -> None:
    addons.light_themes[addon] = theme.parse_theme(_read_toml(file))


def _add_board(addons: Addons, addon: str, file: Path) -> None:
    if addon in catalog.list_shipped_boards():
        raise InvalidAddon("a built-in board already has that name")
    _read_toml(file)
    catalog.read_board(addon, file)
    addons.boards[addon] = file


def _add_language(addons: Addons, addon: str, file: Path) -> None:
    _read_text(file)
    languages.MessageCatalog(addon, file)
    addons.languages[addon] = file


def _add_game(addons: Addons, addon: str, file: Path) -> None:
    game = getattr(_run_module(addon, file), "GAME", None)
    if not isinstance(game, Game):
        raise InvalidAddon("it does not define GAME")
    if game.key != addon:
        raise InvalidAddon("its game has the key {key}, which differs from the folder name", key=str(game.key)[:40])
    if any(game.key == each.key for each in rules.GAMES):
        raise InvalidAddon("a built-in game already has that name")
    try:
        for seats in game.seats:
            game.view(game.start(rules.complete_setup(game, Setup(seats, None if game.rolls_for_deal else 0, {}))))
    except Exception as error:  # third-party code must not stop the program
        raise _describe_failure(error, file) from None
    addons.games[addon] = game


def _run_module(addon: str, file: Path) -> ModuleType:
    """Run the module and return it. Compiling it here avoids writing a cache into the folder."""
    text, name = _read_text(file), f"companion_pack_{addon.replace('-', '_')}"
    module = sys.modules[name] = ModuleType(name)  # before it runs, because dataclasses look it up
    try:
        exec(compile(text, str(file), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _describe_failure(error, file) from None
    return module


def _describe_failure(error: BaseException, file: Path) -> InvalidAddon:
    """Return an error with type and line, but without the message, which may contain any file name of this machine."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    frame = error.__traceback__
    while frame is not None:
        line = frame.tb_lineno if frame.tb_frame.f_code.co_filename == str(file) else line
        frame = frame.tb_next
    return InvalidAddon("it failed with {error} in line {line}", error=type(error).__name__, line=line or 0)


_READERS: Mapping[str, Callable[[Addons, str, Path], None]] = {
    "theme.css": _add_theme, "lights.toml": _add_light_theme, "board.toml": _add_board, "words.po": _add_language,
    "game.py": _add_game,
}  # fmt: skip
"""Loaders of the files of an add-on other than sounds."""


ADDONS_FOLDER = "packs"
"""Default folder of add-ons, beside companion.toml."""


def load_configured_addons(toml: Path, settings: Settings) -> Addons:
    """Load the add-ons of these settings. `toml` is their companion.toml, which need not exist."""
    if settings.packs:
        return load_addons(toml.parent / Path(settings.packs).expanduser())
    default_folder = toml.parent / ADDONS_FOLDER
    return load_addons(default_folder) if default_folder.is_dir() else Addons()


def register_addons() -> None:
    """Register the owner's games and boards for a command without a table. Prints problems to standard error."""
    toml = config_home() / "companion.toml"
    try:
        addons = load_configured_addons(toml, read_settings_or_default(toml))
    except SettingsError as error:
        click.echo(f"companion: {error}", err=True)
        return
    for sentence in addons.problems:
        click.echo(f"companion: {sentence}", err=True)
    addons.register()
