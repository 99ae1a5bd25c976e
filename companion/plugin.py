"""Plugins: features beside the core, each in a package of its own that registers itself. The contract and the loader.

A plugin is a `Plugin` object that an entry point of the group `companion.plugins` names, so a bundled plugin and one of
another distribution are loaded alike::

    [project.entry-points."companion.plugins"]
    chime = "chime:PLUGIN"

The module of the object must import little, because it is loaded with every start; commands and services import the
rest when they are called. The core imports no plugin. docs/how-to/write-a-plugin.md has an example.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from flask import Flask

    from companion.http.permissions import Permissions
    from companion.opponent.private_hands import PrivateHands
    from companion.settings import Settings
    from companion.table.game_switcher import GameSwitcher
    from companion.table.setup import RemoteTable

ENTRY_POINT_GROUP = "companion.plugins"


class Closeable(Protocol):
    """Something that a plugin has started."""

    def close(self) -> None:
        """End it. Called once, before the table is closed."""


class MenuEntry(NamedTuple):
    """A page that the menu of the first page offers to players. The fields are keys of `/api/constants`.

    It is offered in these `games`. `plain_only`: only while pegs are not read and the companion plays no seat.
    """

    path: str
    name: str
    games: Sequence[str]
    plain_only: bool = False


@dataclass(kw_only=True)
class Host:
    """The running table as a plugin sees it.

    `journal` is the path of the journal; a plugin keeps its own files beside it, with another suffix. `app` takes
    routes until the pages are served; `add_pages` adds pages by address, and `add_menu_entry` names one in the menu.
    `page_url(host)` is the address of the first page at this name of the machine, once the pages are served;
    `has_visitors()` is whether another machine shows one.
    `invitation` is the link for another table, which `companion play` prints.
    """

    switcher: "GameSwitcher"
    hands: "PrivateHands"
    add_pages: Callable[[Mapping[str, str]], None]
    settings: "Settings"
    journal: Path
    app: "Flask"
    permissions: "Permissions"
    page_url: Callable[[str], str]
    has_visitors: Callable[[], bool]
    invitation: str = ""

    @property
    def constants(self) -> dict[str, Any]:
        """What `/api/constants` has for the pages beside the core's own names and numbers."""
        constants: dict[str, Any] = self.app.extensions["page_constants"]
        return constants

    def add_menu_entry(self, entry: MenuEntry) -> None:
        self.constants.setdefault("menu", []).append(entry._asdict())


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check: its name, whether it passed, a sentence, and how to fix it (empty if it passed)."""

    name: str
    ok: bool
    say: str
    fix: str = ""


def _start_nothing(_: Host) -> Iterable[Closeable]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """A feature that registers itself.

    - `name`: as in the documentation and in `companion doctor`.
    - `commands`: by name, where the click command is, as "module:attribute"; "boards parts" is a subcommand.
    - `settings`: by name, the tables of companion.toml that belong to it: a frozen dataclass with its defaults, whose
      fields are made by the functions of `companion.settings`; `Settings.section` returns what the file says.
    - `card_readers`: by the scheme of a device URL, the function that opens such a reader, as "module:function".
    - `checks`: where the functions are that check this machine for `companion doctor`, as "module:function". Each is
      called with the settings and returns a `CheckResult`.
    - `start(host)`: called once before the pages are served. Yields what must be closed. Raises SettingsError.
    - `find_remote_table(settings)`: returns the other table of a remote game, or None. Raises SettingsError.
    """

    name: str
    commands: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    card_readers: Mapping[str, str] = field(default_factory=dict)
    checks: Sequence[str] = ()
    start: Callable[[Host], Iterable[Closeable]] = _start_nothing
    find_remote_table: "Callable[[Settings], RemoteTable | None]" = lambda _: None


@dataclass(frozen=True, kw_only=True)
class InstalledPlugin:
    """A plugin as it was found: its distribution's version, and the plugin, or why it cannot be loaded."""

    name: str
    version: str
    plugin: Plugin | None = None
    fault: str = ""


@cache
def find_plugins() -> tuple[InstalledPlugin, ...]:
    """Return all installed plugins, by name. One that cannot be loaded has a `fault`; the table runs without it."""
    return tuple(sorted((_load_plugin(point) for point in _list_entry_points()), key=lambda p: p.name))


def _list_entry_points() -> Iterable[EntryPoint]:
    """Return the entry points of all plugins, also of a checkout that is not installed: it installs the service."""
    points = entry_points(group=ENTRY_POINT_GROUP)
    project = Path(__file__).parents[1] / "pyproject.toml"
    if any(point.value.startswith("companion.plugins.") for point in points) or not project.exists():
        return points
    bundled = tomllib.loads(project.read_text("utf-8"))["project"]["entry-points"][ENTRY_POINT_GROUP]
    return [*points, *(EntryPoint(name, value, ENTRY_POINT_GROUP) for name, value in bundled.items())]


def _load_plugin(point: EntryPoint) -> InstalledPlugin:
    version = point.dist.version if point.dist else ""
    try:
        plugin = point.load()
    except Exception as error:  # a stranger's module may raise anything
        return InstalledPlugin(name=point.name, version=version, fault=f"{type(error).__name__}: {error}")
    if not isinstance(plugin, Plugin):
        return InstalledPlugin(name=point.name, version=version, fault="It is not a companion.plugin.Plugin.")
    return InstalledPlugin(name=plugin.name, version=version, plugin=plugin)


def load_plugins() -> tuple[Plugin, ...]:
    return tuple(installed.plugin for installed in find_plugins() if installed.plugin is not None)


def list_commands(group: str = "") -> Mapping[str, str]:
    """Return where the commands of all plugins are, by name; those of a `group` of commands such as "boards"."""
    prefix = f"{group} " if group else ""
    commands = {name: place for plugin in load_plugins() for name, place in plugin.commands.items()}
    return {
        name.removeprefix(prefix): place
        for name, place in commands.items()
        if name.startswith(prefix) and " " not in name.removeprefix(prefix)
    }


def list_sections() -> Mapping[str, Any]:
    """Return the tables of companion.toml that plugins have declared, with their defaults, by name."""
    return {name: default for plugin in load_plugins() for name, default in plugin.settings.items()}


def list_card_readers() -> Mapping[str, str]:
    """Return what opens the card readers of all plugins, by the scheme of their URL."""
    return {scheme: place for plugin in load_plugins() for scheme, place in plugin.card_readers.items()}


def load_object(place: str) -> Any:
    """Return the command or function at "module:attribute"."""
    module, attribute = place.split(":")
    return getattr(import_module(module), attribute)
