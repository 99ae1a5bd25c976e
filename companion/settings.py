"""Settings: companion.toml, then `--set`, then flags. Reading the file is the only I/O.

An unknown key is an error that suggests the nearest known one. docs/reference/settings.md lists all settings.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from companion.common.constants import suggest_nearest
from companion.common.errors import SettingsError
from companion.common.files import read_toml
from companion.plugin import find_plugins, list_sections


def number_field(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high)})


def choice_field(*values: str) -> Any:
    """Return the field of one of these values, the default first."""
    return field(default=values[0], metadata={"values": values})


def list_field() -> Any:
    """Return the field of a list of texts; on the command line they are separated by commas."""
    return field(default=(), metadata={"several": True})


def name_field(default: str) -> Any:
    """Return the field of a name of up to 64 letters, digits, - and _."""
    return field(default=default, metadata={"name": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Times in milliseconds, current in milliamperes, devices as URLs."""

    quiet_ms: int = number_field(400, 20, 5000)
    doubt_ms: int = number_field(1500, 100, 60_000)
    missing_ms: int = number_field(10_000, 500, 600_000)
    repeat_ms: int = number_field(1500, 0, 60_000)
    limit_ma: int = number_field(2000, 100, 20_000)
    backups: int = number_field(7, 1, 1000)
    sensors: str = "sim:"
    lights: str = "sim:"
    cards: str = "sim:"
    buttons: str = "sim:"
    buzzer: str = "none:"
    language: str = name_field("en")
    deck: str = ""
    packs: str = ""
    effects: str = ""
    host: str = "0.0.0.0"
    hosts: tuple[str, ...] = list_field()
    port: int = number_field(8123, 0, 65_535)
    tls: str = choice_field("off", "on")
    certificate: str = ""
    certificate_key: str = ""
    proxy: str = ""
    announce: str = choice_field("on", "off")
    hotspot: str = choice_field("off", "on")
    sections: tuple[tuple[str, Any], ...] = ()
    """The tables of plugins that differ from their defaults, by name: see `section`."""

    @property
    def reads_pegs(self) -> bool:
        """Whether there are hole sensors. `none:` means a board without sensors."""
        return not self.sensors.startswith("none:")

    def section(self, name: str) -> Any:
        """Return the settings of a table that a plugin has declared (`Plugin.settings`)."""
        return dict(self.sections).get(name) or list_sections()[name]

    def public_values(self) -> dict[str, int]:
        """Return the settings that a snapshot contains."""
        return {"quiet_ms": self.quiet_ms, "repeat_ms": self.repeat_ms}


def apply_values(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Return `settings` with these values by key, such as `report.club` for one in a table. Raises SettingsError."""
    for key, value in values.items():
        settings = _set_value(settings, key, value, key)
    return settings


def parse_pairs(pairs: Iterable[str], what: str) -> dict[str, str]:
    """Parse `KEY=VALUE` arguments. `what` names them in the message, such as "A setting". Raises SettingsError."""
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SettingsError(f"{what} must be written KEY=VALUE, not {pair!r}.")
        values[key.strip()] = value.strip()
    return values


def read_settings(path: Path, default: Settings = Settings()) -> Settings:
    """Return the default settings with the values of a TOML file. Raises SettingsError naming the file."""
    try:
        return apply_values(default, read_toml(path))
    except OSError as error:
        raise SettingsError(f"Cannot read the settings {path}: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings {path} are not valid TOML: {error}.") from error
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def read_settings_or_default(path: Path, default: Settings = Settings()) -> Settings:
    """Return the settings of the file as `read_settings` does, or the default settings if the file does not exist."""
    return read_settings(path, default) if _file_exists(path) else default


MODEL_PATH = Path("/proc/device-tree/model")
"""File with the name of the machine's model, on a Raspberry Pi and similar computers."""


def default_settings() -> Settings:
    """Return the default settings of this machine: simulated devices, or no devices on a Raspberry Pi."""
    try:
        is_pi = MODEL_PATH.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        is_pi = False
    return Settings(sensors="none:", lights="none:", cards="none:", buttons="none:") if is_pi else Settings()


def _file_exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # in a folder without permission
        return False


def _set_value(settings: Any, key: str, value: object, full_key: str) -> Any:
    """Return `settings` with one value changed. `full_key` is the key including the name of its table."""
    sections = list_sections() if isinstance(settings, Settings) else {}
    known = {f.name: f for f in fields(settings) if f.name != "sections"} | dict.fromkeys(sections)
    first, dot, rest = key.partition(".")
    if first not in known or (dot and first not in sections):
        if isinstance(value, Mapping) and any(plugin.fault for plugin in find_plugins()):
            return settings  # perhaps the table of a plugin that cannot be loaded: the table runs without it
        raise SettingsError(f"Unknown setting {full_key!r}; {suggest_nearest(key, map(repr, known))}.")
    if first not in sections:
        return replace(settings, **{key: _check_value(known[key], full_key, value)})
    entries = {rest: value} if dot else value
    if not isinstance(entries, Mapping):
        raise SettingsError(f"The setting {full_key!r} is a table. Write [{full_key}] and its settings below.")
    section = settings.section(first)
    for name, entry in entries.items():
        section = _set_value(section, name, entry, f"{first}.{name}")
    return replace(settings, sections=tuple((dict(settings.sections) | {first: section}).items()))


def _check_value(field: Any, key: str, value: object) -> Any:
    if "several" in field.metadata:
        return _parse_list(key, value)
    if "range" in field.metadata:
        return _parse_number(field, key, value)
    if not isinstance(value, str):
        raise SettingsError(f"The setting {key!r} must be a text, such as {field.default!r}.")
    allowed = field.metadata.get("values", (value,))
    if value not in allowed:
        raise SettingsError(f"The setting {key!r} must be one of {', '.join(allowed)}.")
    if "name" in field.metadata and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", value):
        raise SettingsError(f"The setting {key!r} must be a name of up to 64 letters, digits, - and _.")
    return value


def _parse_list(key: str, value: object) -> tuple[str, ...]:
    """Return a list of texts: a list in the file, or separated by commas on the command line."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise SettingsError(f"The setting {key!r} must be a list of texts.")
    return tuple(part.strip() for part in parts if part.strip())


def _parse_number(field: Any, key: str, value: object) -> int:
    low, high = field.metadata["range"]
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        raise SettingsError(f"The setting {key!r} must be a whole number from {low} to {high}.")
    return number
