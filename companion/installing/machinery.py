"""What an installation asks of the machine: commands, and whether the pages answer. A test gives others."""

import os
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError
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
