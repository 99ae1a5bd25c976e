"""Packs: folders outside the checkout that bring a language, a theme, sounds, light effects, a board or a game.

A pack is one folder, and its name is the name of whatever lies in it; docs/how-to/make-a-pack.md tells the files. One
that cannot be used is left out with a sentence, and everything else goes on. A game is a program and runs with our
rights (docs/explanation/threats.md); all else is data, and is checked here.
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
from companion.common.constants import near
from companion.common.errors import CompanionError, SettingsError
from companion.common.paths import config_home
from companion.display import theme as look
from companion.display.theme import Look
from companion.i18n import Sentence, say
from companion.i18n import catalog as languages
from companion.rules.engine import Game, Setup
from companion.settings import Settings, read_or_default

SOUNDS = ("right", "wrong", "go", "capture", "home-run", "win")
"""What a page sounds: `web/audio/chimes.js` has notes for each that a pack lacks."""
_ENDS = (".wav", ".ogg", ".mp3")
_LARGEST = 2 * 2**20
"""No file of a pack is larger, in bytes: a phone must load a sound before it is heard."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_PROPERTY = re.compile(r"\s*--[\w-]+\s*:[^{}\\;]*")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLOCK = re.compile(r"\s*(:root|\.four)\s*\{([^{}]*)\}")
_DARK = re.compile(r"\s*@media\s*\(prefers-color-scheme:\s*(?:dark|light)\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_OUTSIDE = re.compile(r"url\(|image\(|image-set\(|src\(|@import", re.IGNORECASE)

File = tuple[str, bytes]
"""Its name, and what is in it."""


class Unfit(CompanionError, ValueError):
    """What is wrong with a file of a pack."""


@dataclass(frozen=True, slots=True)
class Packs:
    """What was found, by the names of the packs; `amiss` has a sentence for each file that was left out."""

    themes: dict[str, bytes] = field(default_factory=dict)
    sounds: dict[str, dict[str, File]] = field(default_factory=dict)
    looks: dict[str, Look] = field(default_factory=dict)
    boards: dict[str, Path] = field(default_factory=dict)
    games: dict[str, Game[Any]] = field(default_factory=dict)
    languages: dict[str, Path] = field(default_factory=dict)
    amiss: list[Sentence] = field(default_factory=list)

    def look(self, name: str) -> Look:
        """How the lights look, by the pack of this name; plain where it is none, which is told."""
        if name and name not in self.looks:
            self.amiss.append(say("There are no light effects {name}: {near}.", name=name, near=near(name, self.looks))
                              if self.looks else say("There are no light effects {name}.", name=name))  # fmt: skip
        return self.looks.get(name, look.PLAIN)

    def miss(self, game: str) -> None:
        """Tell of a game of the journal that cannot be gone on with."""
        told = say("The game {game} cannot be gone on with, for its pack is missing or has changed.", game=game)
        self.amiss.append(told)

    def bring(self) -> None:
        """Make games, boards and languages known to the program, for as long as it runs."""
        rules.bring(self.games.values())
        catalog.bring(self.boards)
        languages.bring(self.languages)


def read(folder: Path) -> Packs:
    """The packs in a folder. Raises nothing: what is wrong is told in `amiss`."""
    found = Packs()
    try:
        packs = sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as error:
        found.amiss.append(say("The folder of packs cannot be read: {why}.", why=error.strerror or ""))
        return found
    for pack in packs:
        _open(found, pack)
    return found


def _open(found: Packs, pack: Path) -> None:
    """Add what lies in one pack."""
    try:
        files = sorted(each.name for each in pack.iterdir())
    except OSError as error:
        found.amiss.append(say("The pack {pack} cannot be read: {why}.", pack=pack.name, why=error.strerror or ""))
        return
    known = [name for name in files if name in _READERS or _sound(name)]
    if not known:
        found.amiss.append(say("The pack {pack} is left out: no file in it is one of a pack.", pack=pack.name))
    for name in sorted(known, key=lambda each: each == "game.py"):  # a game may have its board in the same pack
        try:
            if not _NAME.fullmatch(pack.name):
                raise Unfit("the folder's name may have letters, digits, - and _")
            _READERS.get(name, _add_sound)(found, pack.name, pack / name)
        except (CompanionError, OSError) as error:
            why = error.strerror or "" if isinstance(error, OSError) else str(error).rstrip(".")
            told = say("The pack {pack} goes without its {file}: {why}.", pack=pack.name, file=name, why=why)
            found.amiss.append(told)


def _bytes(file: Path) -> bytes:
    """What is in a file of a pack. Raises Unfit for one that leads out of it, as a link in a download may."""
    if not file.resolve().is_relative_to(file.parent.resolve()):
        raise Unfit("it leads out of its folder")
    if not file.is_file() or file.stat().st_size > _LARGEST:
        raise Unfit("it is no file of at most {n} MiB", n=_LARGEST // 2**20)
    return file.read_bytes()


def _text(file: Path) -> str:
    try:
        return _bytes(file).decode()
    except UnicodeDecodeError:
        raise Unfit("it is no text in UTF-8") from None


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise Unfit("it is no TOML ({error})", error=error) from None


def _sound(name: str) -> str | None:
    """The sound that a file of this name is, if it is one."""
    stem, dot, end = name.rpartition(".")
    return stem if stem in SOUNDS and dot + end in _ENDS else None


def _add_sound(found: Packs, pack: str, file: Path) -> None:
    made = file.name, _bytes(file)
    found.sounds.setdefault(pack, {})[_sound(file.name) or ""] = made


def _add_theme(found: Packs, pack: str, file: Path) -> None:
    """Custom properties and nothing else: a theme changes colours, it hides nothing and asks nobody."""
    text = _CSS_COMMENT.sub("", _text(file))
    if _OUTSIDE.search(text):
        raise Unfit("it asks for other files")
    blocks = _DARK.sub(r"\1", text)
    for _, inside in _BLOCK.findall(blocks):
        for line in inside.split(";"):
            if line.strip() and not _PROPERTY.fullmatch(line):
                raise Unfit("a theme has only properties such as --paper, not {line}", line=line.strip()[:40])
    if left := _BLOCK.sub("", blocks).strip():
        raise Unfit("a theme has only properties in :root, not {line}", line=left.splitlines()[0][:40])
    found.themes[pack] = text.encode()


def _add_look(found: Packs, pack: str, file: Path) -> None:
    found.looks[pack] = look.read(_toml(file))


def _add_board(found: Packs, pack: str, file: Path) -> None:
    if pack in catalog.shipped():
        raise Unfit("a board of that name comes with the companion")
    _toml(file)
    catalog.read(pack, file)
    found.boards[pack] = file


def _add_language(found: Packs, pack: str, file: Path) -> None:
    _text(file)
    languages.Catalogue(pack, file)
    found.languages[pack] = file


def _add_game(found: Packs, pack: str, file: Path) -> None:
    game = getattr(_run(pack, file), "GAME", None)
    if not isinstance(game, Game):
        raise Unfit("it has no GAME")
    if game.key != pack:
        raise Unfit("its game has the key {key}, which is not the folder's name", key=str(game.key)[:40])
    if any(game.key == each.key for each in rules.GAMES):
        raise Unfit("a game of that name comes with the companion")
    try:
        for seats in game.seats:
            game.view(game.start(rules.settled(game, Setup(seats, None if game.rolls_for_deal else 0, {}))))
    except Exception as error:  # the code is a stranger's: whatever it does, the evening goes on
        raise _failed(error, file) from None
    found.games[pack] = game


def _run(pack: str, file: Path) -> ModuleType:
    """The module, run. It is compiled by us, so that nothing is written into the folder."""
    text, name = _text(file), f"companion_pack_{pack.replace('-', '_')}"
    module = sys.modules[name] = ModuleType(name)  # known before it runs: dataclasses look there
    try:
        exec(compile(text, str(file), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _failed(error, file) from None
    return module


def _failed(error: BaseException, file: Path) -> Unfit:
    """Where a stranger's program failed; without its words, which may name any file of this machine."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    at = error.__traceback__
    while at is not None:
        line = at.tb_lineno if at.tb_frame.f_code.co_filename == str(file) else line
        at = at.tb_next
    return Unfit("it fails with {error} in line {line}", error=type(error).__name__, line=line or 0)


_READERS: Mapping[str, Callable[[Packs, str, Path], None]] = {
    "theme.css": _add_theme, "lights.toml": _add_look, "board.toml": _add_board, "words.po": _add_language,
    "game.py": _add_game,
}  # fmt: skip
"""The files of a pack that are no sounds."""


FOLDER = "packs"
"""Where packs lie when companion.toml says nothing of them, beside it."""


def packs_of(toml: Path, settings: Settings) -> Packs:
    """The packs of these settings, which were read from this companion.toml, if it is there."""
    if settings.packs:
        return read(toml.parent / Path(settings.packs).expanduser())
    usual = toml.parent / FOLDER
    return read(usual) if usual.is_dir() else Packs()


def bring_packs() -> None:
    """Have the owner's games and boards known to a command that has no table; what is amiss with them is told aside."""
    toml = config_home() / "companion.toml"
    try:
        packs = packs_of(toml, read_or_default(toml))
    except SettingsError as error:
        click.echo(f"companion: {error}", err=True)
        return
    for sentence in packs.amiss:
        click.echo(f"companion: {sentence}", err=True)
    packs.bring()
