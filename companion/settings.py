"""What an owner may set: companion.toml, then `--set`, then flags. Pure values; reading the file is the only I/O.

An unknown key is an error that names the nearest known one; docs/reference/settings.md has a line for each.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from companion.common.constants import near
from companion.common.errors import SettingsError


def _number(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high)})


def _choice(*values: str) -> Any:
    return field(default=values[0], metadata={"values": values})


def _several() -> Any:
    return field(default=(), metadata={"several": True})


def _name(default: str) -> Any:
    return field(default=default, metadata={"name": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The table `[report]`: the brokers that are told what is played, and as whom. Off without `brokers`.

    `board` is empty where the machine's own name is meant.
    """

    brokers: tuple[str, ...] = _several()
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    without_tls: str = _choice("off", "on")
    club: str = _name("home")
    board: str = _name("")
    home_assistant: str = _choice("on", "off", "remove")
    buttons: str = _choice("off", "on")
    webhooks: tuple[str, ...] = _several()
    webhook_secret_file: str = ""
    wled: tuple[str, ...] = _several()


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """The table `[remote]`: the board of who plays far away. One of the two is named, or none.

    `invite`: this table begins the games; `join`: that one does. The broker is that of `[report]`.
    """

    invite: str = _name("")
    join: str = _name("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Times in milliseconds, current in milliamperes, devices as URLs."""

    quiet_ms: int = _number(400, 20, 5000)
    doubt_ms: int = _number(1500, 100, 60_000)
    missing_ms: int = _number(10_000, 500, 600_000)
    repeat_ms: int = _number(1500, 0, 60_000)
    limit_ma: int = _number(2000, 100, 20_000)
    backups: int = _number(7, 1, 1000)
    sensors: str = "sim:"
    lights: str = "sim:"
    cards: str = "sim:"
    buttons: str = "sim:"
    buzzer: str = "none:"
    deck: str = ""
    packs: str = ""
    effects: str = ""
    host: str = "0.0.0.0"
    port: int = _number(8123, 0, 65_535)
    tls: str = _choice("off", "on")
    certificate: str = ""
    certificate_key: str = ""
    proxy: str = ""
    announce: str = _choice("on", "off")
    report: Report = field(default=Report())
    remote: Remote = field(default=Remote())

    @property
    def reads_pegs(self) -> bool:
        """Whether there are hole sensors: `none:` is a plain board, which nobody reads."""
        return not self.sensors.startswith("none:")

    def public(self) -> dict[str, int]:
        """The settings a snapshot shows."""
        return {"quiet_ms": self.quiet_ms, "repeat_ms": self.repeat_ms}


def changed(settings: Settings, given: Mapping[str, object]) -> Settings:
    """`settings` with the given values, texts or numbers, `report.club` for one of a table. Raises SettingsError."""
    for key, value in given.items():
        settings = _set(settings, key, value, key)
    return settings


def read_pairs(pairs: Iterable[str], what: str) -> dict[str, str]:
    """Each `KEY=VALUE` of the command line; `what` it is, as in "A setting". Raises SettingsError."""
    given = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SettingsError(f"{what} is written KEY=VALUE, not {pair!r}.")
        given[key.strip()] = value.strip()
    return given


def read(path: Path, usual: Settings = Settings()) -> Settings:
    """The usual settings with what a TOML file has. Raises SettingsError naming the file."""
    try:
        return changed(usual, tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        raise SettingsError(f"The settings {path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The settings {path} are no TOML: {error}.") from error
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def read_or_default(path: Path, usual: Settings = Settings()) -> Settings:
    """As `read`; the usual settings where there is no such file."""
    return read(path, usual) if _is_there(path) else usual


MODEL = Path("/proc/device-tree/model")
"""Where Linux says what machine this is, if it is a small one."""


def usual() -> Settings:
    """The settings of this machine before anybody sets any: on a Raspberry Pi no device is there until it is named."""
    try:
        is_pi = MODEL.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        is_pi = False
    return Settings(sensors="none:", lights="none:", cards="none:", buttons="none:") if is_pi else Settings()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # in a folder that this user may not look into
        return False


def _set(settings: Any, key: str, value: object, whole: str) -> Any:
    """`settings` with one value; `whole` is its key with the names of the tables that it is in."""
    known = {f.name: f for f in fields(settings)}
    first, dot, rest = key.partition(".")
    table = whole.removesuffix(key)
    if first not in known or (dot and not is_dataclass(getattr(settings, first))):
        raise SettingsError(f"There is no setting {whole!r}; {near(key, map(repr, known))}.")
    held = getattr(settings, first)
    if dot:
        return replace(settings, **{first: _set(held, rest, value, whole)})
    if not is_dataclass(held):
        return replace(settings, **{key: _checked(known[key], table + key, value)})
    if not isinstance(value, Mapping):
        raise SettingsError(f"The setting {whole!r} is a table: write [{whole}], and its settings below.")
    for each, one in value.items():
        held = _set(held, each, one, f"{whole}.{each}")
    return replace(settings, **{key: held})


def _checked(field: Any, key: str, value: object) -> Any:
    if "several" in field.metadata:
        return _list(key, value)
    if "range" in field.metadata:
        return _whole(field, key, value)
    if not isinstance(value, str):
        raise SettingsError(f"The setting {key!r} is a text, such as {field.default!r}.")
    allowed = field.metadata.get("values", (value,))
    if value not in allowed:
        raise SettingsError(f"The setting {key!r} is one of {', '.join(allowed)}.")
    if "name" in field.metadata and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", value):
        raise SettingsError(f"The setting {key!r} is a name of up to 64 letters, digits, - and _, without blanks.")
    return value


def _list(key: str, value: object) -> tuple[str, ...]:
    """Several texts: a list in the file, parted by commas on the command line."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise SettingsError(f"The setting {key!r} is a list of texts.")
    return tuple(part.strip() for part in parts if part.strip())


def _whole(field: Any, key: str, value: object) -> int:
    low, high = field.metadata["range"]
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        raise SettingsError(f"The setting {key!r} is a whole number from {low} to {high}.")
    return number
