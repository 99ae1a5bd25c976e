"""The steps of installing, updating, putting back and removing. Each may be repeated, and takes up where one failed.

A version is a folder of its own below /opt/companion, with its own Python packages; `current` points to the one that
runs and `previous` to the one before. What was played lies in /var/lib/companion, and no step here removes it.
"""

import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.common.errors import CompanionError
from companion.install import templates
from companion.settings import read_or_default

ANSWERS_S = 90.0
"""How long a Pi may take from the start of the service to its first page."""


def ran(*command: str) -> str:
    """What a command said. Raises CompanionError with its last line where it failed, or does not exist."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompanionError(f"{command[0]} cannot be run here: {error.strerror}.") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise CompanionError(f"{' '.join(command[:3])} failed: {last}")
    return done.stdout


def answers(settings: Path) -> bool:
    """Whether the pages of the service answer within `ANSWERS_S`, on the port of these settings."""
    given = read_or_default(settings)
    host = given.host if given.host not in ("0.0.0.0", "::", "") else "127.0.0.1"
    until = time.monotonic() + ANSWERS_S
    while time.monotonic() < until:
        with suppress(OSError, ValueError), _asked(host, given.port, tls=bool(given.certificate)) as told:
            if told.status == 200:
                return True
        time.sleep(0.5)
    return False


def _asked(host: str, port: int, *, tls: bool):  # type: ignore[no-untyped-def]  # whatever urlopen gives
    import ssl  # noqa: PLC0415 - only for a service with a certificate, whose name is not 127.0.0.1

    address = f"http{'s' if tls else ''}://{host}:{port}/api/health"
    return urllib.request.urlopen(address, timeout=3, context=ssl._create_unverified_context() if tls else None)


@dataclass(frozen=True, slots=True)
class Machinery:
    """A root folder, whoever runs commands below it, and whoever knows whether a service answers."""

    root: Path
    uid: int
    run: Callable[..., str] = ran
    answers: Callable[[Path], bool] = answers

    def path(self, name: str) -> Path:
        """The file of this absolute name, below the root."""
        return self.root / name.lstrip("/")

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        """Write a file whole or not at all. Raises CompanionError."""
        path = self.path(name)
        fresh = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(text, "utf-8")
            fresh.chmod(mode)
            fresh.replace(path)
        except OSError as error:
            raise CompanionError(f"{path} cannot be written: {error.strerror}.") from error


def this_machinery() -> Machinery:
    """The machine this program runs on."""
    return Machinery(Path("/"), os.geteuid())


HOME = "/opt/companion"
CURRENT = f"{HOME}/current"
PREVIOUS = f"{HOME}/previous"
SOURCE = f"{HOME}/source"
UNIT = "/etc/systemd/system/companion.service"
RULES = "/etc/udev/rules.d/60-companion.rules"
SETTINGS = "/etc/companion/companion.toml"
COMMAND = "/usr/local/bin/companion"
STATE = "/var/lib/companion"
KEPT = 3
"""Versions that stay on the disk."""

Say = Callable[[str], object]


class Installation:
    """The service on a machine. Every method raises CompanionError with what to do."""

    def __init__(self, machinery: Machinery, say: Say) -> None:
        self._machinery = machinery
        self._run = machinery.run
        self._path = machinery.path
        self._say = say

    @property
    def there(self) -> bool:
        """Whether there is a service."""
        return self._path(UNIT).exists()

    def check_there(self) -> None:
        """Raise CompanionError where there is no service."""
        if not self.there:
            raise CompanionError("There is no service here: companion service install makes one.")

    def install(self, source: Path, extras: str = "") -> None:
        """Have the program of `source`, a checkout or a wheel, run as a service, now and after every start."""
        self._root_only("install")
        self._user()
        self._machinery.write(RULES, templates.RULES)
        if not self._path(SETTINGS).exists():
            self._machinery.write(SETTINGS, templates.SETTINGS)
        self._release(source, extras)
        self._machinery.write(SOURCE, f"{source.resolve()}\n{extras}\n")
        self._link(COMMAND, f"{CURRENT}/bin/companion")
        self._machinery.write(UNIT, templates.unit(self._groups()))
        self._quietly("udevadm", "control", "--reload")
        self._quietly("udevadm", "trigger")
        self._run("systemctl", "daemon-reload")
        self._run("systemctl", "enable", "companion")
        self._start("It is installed, but does not answer: companion service logs says why.")

    def update(self, source: Path | None) -> None:
        """Run the newer program of `source`, by default of where it was installed from; else the one before again."""
        self._root_only("update")
        self.check_there()
        kept = self._path(SOURCE).read_text("utf-8").splitlines() if self._path(SOURCE).exists() else []
        if source is None and not kept:
            raise CompanionError("Where it was installed from is not known: name it with --from.")
        extras = kept[1] if len(kept) > 1 else ""
        before = self._resolved(CURRENT)
        self._release(source or Path(kept[0]), extras)
        try:
            self._start("The new version does not answer.")
        except CompanionError as error:
            if before is None:
                raise
            self._point(before, self._resolved(CURRENT))
            self._start("Neither version answers: companion service logs says why.")
            raise CompanionError(f"{error} The one before runs again, and nothing is lost.") from error
        if source is not None:
            self._machinery.write(SOURCE, f"{source.resolve()}\n{extras}\n")

    def rollback(self) -> None:
        """Run the version before again; a second time, the newer one."""
        self._root_only("rollback")
        self.check_there()
        before = self._resolved(PREVIOUS)
        if before is None:
            raise CompanionError("There is no version before this one.")
        self._point(before, self._resolved(CURRENT))
        self._start("The version before does not answer: companion service logs says why.")

    def remove(self) -> None:
        """No service any more. What was played and the settings stay."""
        self._root_only("remove")
        self.check_there()
        self._quietly("systemctl", "disable", "--now", "companion")
        for name in (UNIT, RULES, COMMAND):
            self._path(name).unlink(missing_ok=True)
        shutil.rmtree(self._path(HOME), ignore_errors=True)
        self._run("systemctl", "daemon-reload")
        self._say(f"The service is gone. {STATE} and {SETTINGS} are as they were.")

    def status(self) -> str:
        """How it is, in lines. Raises CompanionError where there is none."""
        self.check_there()
        told = self._run(
            "systemctl", "show", "companion", "--property=ActiveState,SubState,NRestarts,ActiveEnterTimestamp"
        )
        found = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
        running = self._resolved(CURRENT)
        return "\n".join(
            (
                f"state     {found.get('ActiveState', 'unknown')} ({found.get('SubState', 'unknown')})",
                f"since     {found.get('ActiveEnterTimestamp') or 'never'}",
                f"restarts  {found.get('NRestarts', '0')}",
                f"version   {running.name if running else 'none'}",
                f"settings  {SETTINGS}",
                f"journal   {STATE}/journal.sqlite3",
            )
        )

    def _root_only(self, step: str) -> None:
        if self._machinery.uid != 0:
            raise CompanionError(f"To {step} takes root: type the same again, with sudo before it.")

    def _user(self) -> None:
        if f"\n{templates.USER}:" not in "\n" + self._path("/etc/passwd").read_text("utf-8"):
            self._say(f"A user of its own: {templates.USER}")
            self._run("useradd", "--system", "--home-dir", STATE, "--shell", "/usr/sbin/nologin", templates.USER)

    def _groups(self) -> list[str]:
        listed = {line.split(":")[0] for line in self._path("/etc/group").read_text("utf-8").splitlines()}
        return [group for group in templates.GROUPS if group in listed]

    def _release(self, source: Path, extras: str) -> None:
        """Put a version beside the others, and point to it."""
        if not (source / "pyproject.toml").exists() and source.suffix != ".whl":
            raise CompanionError(f"{source} is no checkout and no wheel: name one with --from.")
        folder = self._next()
        self._say(f"A Python environment in {HOME}/{folder.name}; on a Pi this takes some minutes")
        wanted = f"{source.resolve()}[{extras}]" if extras else str(source.resolve())
        pinned = source / "constraints.txt"
        try:
            # With the system's packages, for lgpio: pip has none for every Pi.
            self._run("python3", "-m", "venv", "--system-site-packages", str(folder))
            pip = (str(folder / "bin/pip"), "install", "--quiet", "--disable-pip-version-check")
            self._run(*pip, *(("--constraint", str(pinned)) if pinned.exists() else ()), wanted)
        except CompanionError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._point(folder, self._resolved(CURRENT))
        self._tidy()

    def _next(self) -> Path:
        numbers = [int(path.name[1:]) for path in self._releases()]
        return self._path(f"{HOME}/v{max(numbers, default=0) + 1}")

    def _releases(self) -> list[Path]:
        found = [path for path in self._path(HOME).glob("v*") if path.name[1:].isdecimal()]
        return sorted(found, key=lambda path: int(path.name[1:]))

    def _tidy(self) -> None:
        used = {self._resolved(CURRENT), self._resolved(PREVIOUS)}
        for old in self._releases()[:-KEPT]:
            if old not in used:
                shutil.rmtree(old, ignore_errors=True)

    def _point(self, current: Path, previous: Path | None) -> None:
        if previous is not None and previous != current:
            self._link(PREVIOUS, f"{HOME}/{previous.name}")
        self._link(CURRENT, f"{HOME}/{current.name}")

    def _link(self, name: str, target: str) -> None:
        path = self._path(name)
        fresh = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(target)
            fresh.replace(path)
        except OSError as error:
            raise CompanionError(f"{path} cannot be written: {error.strerror}.") from error

    def _resolved(self, name: str) -> Path | None:
        """The version that a link points to, None where there is none."""
        path = self._path(name)
        if not path.is_symlink():
            return None
        version = self._path(HOME) / path.readlink().name
        return version if version.is_dir() else None

    def _start(self, otherwise: str) -> None:
        self._run("systemctl", "restart", "companion")
        self._say("Started; waiting for its page")
        if not self._machinery.answers(self._path(SETTINGS)):
            raise CompanionError(otherwise)

    def _quietly(self, *command: str) -> None:
        """A command whose failure is no reason to stop: a machine in a container has no udev, for one."""
        try:
            self._run(*command)
        except CompanionError as error:
            self._say(f"({error})")
