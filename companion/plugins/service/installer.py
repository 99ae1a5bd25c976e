"""Steps to install, update, roll back and remove the service. Each step may be repeated after a failure.

Each version is a folder below /opt/companion with its own virtual environment; `current` links to the running version
and `previous` to the one before. A version is linked only when all of its files are on the disk with a manifest, and
/opt/companion/launch starts the newest complete one: a power cut at any moment leaves a version that runs
(docs/decisions/0053-switch-versions-only-when-they-are-on-the-disk.md). Games are in /var/lib/companion; no step
deletes them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from string import Template

from companion.common.errors import CompanionError
from companion.common.files import count_free_bytes
from companion.common.process import read_health
from companion.plugins.service import launcher
from companion.settings import read_settings_or_default

ANSWER_TIMEOUT_S = 90.0
"""Seconds a Pi may take from the start of the service to its first page."""


def run_command(*command: str) -> str:
    """Return the output of a command. Raises CompanionError with its last line if it fails or does not exist."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompanionError(f"Cannot run {command[0]}: {error.strerror}.") from error
    if done.returncode:
        step = " ".join([Path(command[0]).name, *(word for word in command[1:3] if not word.startswith("--"))])
        raise CompanionError(f"{step} failed: {_find_reason(done.stderr.strip() or done.stdout.strip())}")
    return done.stdout


def _find_reason(output: str) -> str:
    """Return the line of a failed command's output that says why: pip's last one may be a hint for something else."""
    if needed := next((packages for sign, packages in _NEEDED.items() if sign in output), ""):
        return f"a part of Debian is missing. Run sudo apt-get install {needed}, then the command again."
    lines = output.splitlines() or ["it printed nothing"]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")] or lines[-1:]
    is_offline = any(sign in output for sign in _OFFLINE_SIGNS)
    if is_offline and any(sign in error for sign in (*_OFFLINE_SIGNS, *_NOT_FOUND_SIGNS) for error in errors):
        return "the packages could not be downloaded. Check the network, then run the command again."
    return errors[0]


_NEEDED = {"gcc'": "gcc python3-dev", "Python.h": "gcc python3-dev", "ensurepip": "python3-venv"}
"""Packages of Debian by a part of what pip and venv print without them."""
_OFFLINE_SIGNS = (
    "connection broken by",
    "ConnectionError",
    "ConnectTimeoutError",
    "Read timed out",
    "Max retries exceeded",
)
"""Parts of pip's output without a network, or with a bad one."""
_NOT_FOUND_SIGNS = ("Could not find a version", "No matching distribution")
"""Parts of pip's last lines then: it takes an index that does not answer for an empty one."""


def wait_for_page(settings: Path) -> bool:
    """Return whether the service answers within `ANSWER_TIMEOUT_S` on the host and port of these settings."""
    loaded = read_settings_or_default(settings)
    host = loaded.host if loaded.host not in ("0.0.0.0", "::", "") else "127.0.0.1"
    end = time.monotonic() + ANSWER_TIMEOUT_S
    while time.monotonic() < end:
        with suppress(OSError, ValueError):
            if read_health(host, loaded.port, tls=bool(loaded.certificate or loaded.tls == "on")):
                return True
        time.sleep(0.5)
    return False


@dataclass(frozen=True, slots=True)
class HostMachine:
    """The machine to install on: its root folder, the user id, and functions to run commands and to wait for the page.

    Tests replace them.
    """

    root: Path
    uid: int
    run: Callable[..., str] = run_command
    wait_for_page: Callable[[Path], bool] = wait_for_page
    sync: Callable[[], None] = os.sync
    count_free_bytes: Callable[[Path], int] = count_free_bytes

    def path_of(self, name: str) -> Path:
        """Return the path of this absolute name below the root."""
        return self.root / name.lstrip("/")

    def write_file(self, name: str, text: str, mode: int = 0o644) -> None:
        """Write a file completely or not at all. Raises CompanionError."""
        with self._replace(name) as new_path:
            new_path.write_text(text, "utf-8")
            new_path.chmod(mode)
            self.sync()

    def write_link(self, name: str, target: str) -> None:
        """Write a link, or leave the old one. Raises CompanionError."""
        with self._replace(name) as new_path:
            new_path.unlink(missing_ok=True)
            new_path.symlink_to(target)

    @contextmanager
    def _replace(self, name: str) -> Iterator[Path]:
        """Yield a path to write to, and put what is written there in place."""
        path = self.path_of(name)
        new_path = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            yield new_path
            new_path.replace(path)
            self.sync()
        except OSError as error:
            raise CompanionError(f"{path} cannot be written: {error.strerror}.") from error


def this_machine() -> HostMachine:
    return HostMachine(Path("/"), os.geteuid())


INSTALL_DIR = "/opt/companion"
CURRENT_LINK = f"{INSTALL_DIR}/current"
PREVIOUS_LINK = f"{INSTALL_DIR}/previous"
LAUNCHER_FILE = f"{INSTALL_DIR}/launch"
SOURCE_FILE = f"{INSTALL_DIR}/source"
UNIT_FILE = "/etc/systemd/system/companion.service"
CLUB_UNIT_FILE = "/etc/systemd/system/companion-club.service"
POLKIT_RULES_FILE = "/etc/polkit-1/rules.d/60-companion.rules"
UDEV_RULES_FILE = "/etc/udev/rules.d/60-companion.rules"
SETTINGS_FILE = "/etc/companion/companion.toml"
COMMAND_LINK = "/usr/local/bin/companion"
STATE_DIR = "/var/lib/companion"
MAX_VERSIONS_KEPT = 3
"""Versions that stay on disk."""
MIN_FREE_BYTES = 200_000_000
"""Room for a first version, whose files take about half of it, and for what pip needs meanwhile."""

EXTRAS = ("camera", "club", "drawings", "flash", "keyboard", "mqtt", "pi", "pi5", "wifi")
"""Extra packages that an installation may have, each pinned in a file of its own."""

DEVICE_GROUPS = ("dialout", "gpio", "spi", "input", "video")
"""Groups that may open a Pi's serial ports, pins, SPI, keyboard-like scanners and cameras."""

WHEEL_REQUIREMENTS = "companion/_share/requirements/"
"""Folder of a wheel with its pinned packages."""

SERVICE_USER = "companion"

CLUB_STATE_DIR = "/var/lib/companion-club"
CLUB_COMMAND = (
    "/opt/companion/launch club --config /etc/companion/club.toml "
    f"--store sqlite:///{CLUB_STATE_DIR}/club.sqlite3 --key {CLUB_STATE_DIR}/club.key"
)

SYSTEM_FILES = Path(__file__).with_name("system")
UDEV_RULES = (SYSTEM_FILES / "udev.rules").read_text("utf-8")
DEFAULT_SETTINGS = (SYSTEM_FILES / "companion.toml").read_text("utf-8")

POWER_ACTIONS = ("login1.power-off", "login1.power-off-multiple-sessions")
"""What a button that is held needs, also while somebody is logged in."""
WIFI_ACTIONS = (
    "NetworkManager.network-control", "NetworkManager.settings.modify.system", "NetworkManager.wifi.share.protected",
    "NetworkManager.wifi.scan",
)  # fmt: skip
"""What it takes to open a Wi-Fi of its own, join the one that a player has chosen, and remember it."""


def format_polkit_rules(extras: str) -> str:
    """Return what the service may do: shut down, and with the extra `wifi` change the Wi-Fi."""
    actions = POWER_ACTIONS + (WIFI_ACTIONS if "wifi" in extras.split(",") else ())
    allowed = json.dumps([f"org.freedesktop.{name}" for name in actions])
    return Template((SYSTEM_FILES / "polkit.rules").read_text("utf-8")).substitute(actions=allowed)


def format_unit(groups: Iterable[str]) -> str:
    """Return the systemd unit. `groups` must exist on the system, otherwise systemd does not start the service."""
    return Template((SYSTEM_FILES / "companion.service").read_text("utf-8")).substitute(groups=" ".join(groups))


def format_club_unit() -> str:
    """Return the systemd unit of the archive of a club: that of a board with another program and folder."""
    values = {
        "Description=": "The archive of a cribbage club",
        "StateDirectory=": CLUB_STATE_DIR.rpartition("/")[2],
        "Environment=": f"HOME={CLUB_STATE_DIR}",
        "ExecStart=": CLUB_COMMAND,
    }
    lines = format_unit(()).split("\n")
    return "\n".join(next((key + values[key] for key in values if line.startswith(key)), line) for line in lines)


def write_manifest(folder: Path, sync: Callable[[], None]) -> None:
    """Write the manifest of a version. Files and manifest are on the disk when this returns. Raises OSError.

    `sync` waits until everything written before is on the disk (`os.sync`).
    """
    lines = [_describe_file(folder, path) for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file()]
    sync()
    (folder / launcher.MANIFEST_NAME).write_text("\n".join([*lines, "end"]) + "\n", "utf-8")
    sync()


def check_manifest(folder: Path) -> str:
    """Return what differs from the manifest, hashes included; empty if nothing does."""
    if damage := launcher.find_damage(folder):
        return damage
    for line in (folder / launcher.MANIFEST_NAME).read_text("utf-8").splitlines()[:-1]:
        _, digest, name = line.split(" ", 2)
        if digest != _hash_file(folder / name):
            return f"{name} has changed"
    return ""


def _describe_file(folder: Path, path: Path) -> str:
    size = -1 if path.is_symlink() else path.stat().st_size
    return f"{size} {_hash_file(path)} {path.relative_to(folder).as_posix()}"


def _hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, or of the target of a link."""
    content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return hashlib.sha256(content).hexdigest()


PrintLine = Callable[[str], object]


class Installer:
    """Installs and manages the service on a machine. Every method raises CompanionError with what to do next."""

    def __init__(self, machine: HostMachine, print_line: PrintLine) -> None:
        self._machine = machine
        self._run = machine.run
        self._path = machine.path_of
        self._print_line = print_line

    @property
    def is_installed(self) -> bool:
        return self._path(UNIT_FILE).exists()

    def check_installed(self) -> None:
        if not self.is_installed:
            raise CompanionError("The service is not installed. To install it, run companion service install.")

    def install(self, source: Path | None, extras: str = "", wheels: Path | None = None) -> None:
        """Install `source`, a checkout or a wheel, as a service, and start it now and at boot.

        Without `source` it is that of the present installation. With `wheels`, a folder of them, pip takes all packages
        from there and needs no internet.
        The extras of the present installation stay. With the extra `club` there is also a service for the archive of a
        club, which starts once it is enabled.
        """
        self._require_root("install")
        saved, saved_extras = self._read_source()
        extras = _join_extras(saved_extras, extras)
        origin = _format_source(source) or saved
        if not origin:
            raise CompanionError("This program does not run from a checkout. Pass one, or a wheel, with --from.")
        self._create_user()
        self._machine.write_file(UDEV_RULES_FILE, UDEV_RULES)
        if not self._path(SETTINGS_FILE).exists():
            self._machine.write_file(SETTINGS_FILE, DEFAULT_SETTINGS)
        self._install_version(origin, extras, wheels)
        self._machine.write_file(SOURCE_FILE, f"{origin}\n{extras}\n")
        self._run_optional("udevadm", "control", "--reload")
        self._run_optional("udevadm", "trigger")
        self._write_entry_points(extras)
        self._run("systemctl", "enable", "companion")
        self._machine.sync()  # or a power cut might undo the start at boot
        self._start_service("The service is installed but does not answer. See companion service logs.")

    def update(self, source: Path | None) -> None:
        """Install and start the version of `source`, by default the source of the installation.

        If the new version does not answer, the previous one is started again.
        """
        self._require_root("update")
        self.check_installed()
        saved, extras = self._read_source()
        origin = _format_source(source) or saved
        if not origin:
            raise CompanionError("The source of the installation is unknown. Give it with --from.")
        before = self._linked_version(CURRENT_LINK)
        try:
            self._install_version(origin, extras)
        except CompanionError as error:
            failure = str(error).rstrip(".")
            raise CompanionError(f"{failure}. The version that runs now goes on, unchanged.") from error
        self._write_entry_points(extras)
        try:
            self._start_service("The new version does not answer.")
        except CompanionError as error:
            if before is None:
                raise
            self._switch_version(before, self._linked_version(CURRENT_LINK))
            self._start_service("Neither version answers. See companion service logs.")
            raise CompanionError(f"{error} The previous version runs again, and no data is lost.") from error
        if source is not None:
            self._machine.write_file(SOURCE_FILE, f"{origin}\n{extras}\n")

    def rollback(self) -> None:
        """Start the previous version. A second call returns to the newer one."""
        self._require_root("rollback")
        self.check_installed()
        before = self._linked_version(PREVIOUS_LINK)
        if before is None:
            raise CompanionError("There is no previous version.")
        if damage := check_manifest(before):
            raise CompanionError(f"The previous version {before.name} is damaged: {damage}. The present one goes on.")
        self._switch_version(before, self._linked_version(CURRENT_LINK))
        self._start_service("The previous version does not answer. See companion service logs.")

    def remove(self) -> None:
        self._require_root("remove")
        self.check_installed()
        self._run_optional("systemctl", "disable", "--now", "companion")
        if self._path(CLUB_UNIT_FILE).exists():
            self._run_optional("systemctl", "disable", "--now", "companion-club")
        for name in (UNIT_FILE, CLUB_UNIT_FILE, UDEV_RULES_FILE, POLKIT_RULES_FILE, COMMAND_LINK):
            self._path(name).unlink(missing_ok=True)
        shutil.rmtree(self._path(INSTALL_DIR), ignore_errors=True)
        self._run("systemctl", "daemon-reload")
        self._machine.sync()
        self._print_line(f"The service is removed. {STATE_DIR} and {SETTINGS_FILE} are unchanged.")

    def status(self) -> str:
        self.check_installed()
        properties = "--property=ActiveState,SubState,NRestarts,ActiveEnterTimestamp"
        output = self._run("systemctl", "show", "companion", properties)
        values = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
        return f"""\
state     {values.get("ActiveState", "unknown")} ({values.get("SubState", "unknown")})
since     {values.get("ActiveEnterTimestamp") or "never"}
restarts  {values.get("NRestarts", "0")}
version   {self._describe_version()}
settings  {SETTINGS_FILE}
journal   {STATE_DIR}/journal.sqlite3"""

    def _describe_version(self) -> str:
        """Return the version that a start takes, and which one it takes the place of."""
        running, _ = launcher.choose_version(self._path(INSTALL_DIR))
        current = self._linked_version(CURRENT_LINK)
        if running is None or current is None or running == current:
            return running.name if running else "none"
        return f"{running.name} ({current.name} is damaged)"

    def _require_root(self, step: str) -> None:
        if self._machine.uid != 0:
            raise CompanionError(f"companion service {step} needs root. Run the same command with sudo.")

    def _create_user(self) -> None:
        if f"\n{SERVICE_USER}:" not in "\n" + self._path("/etc/passwd").read_text("utf-8"):
            self._print_line(f"Creating the user {SERVICE_USER}")
            # The unit names the groups too; here they are for companion doctor.
            groups = ",".join(self._find_groups())
            words = ("--system", "--home-dir", STATE_DIR, "--shell", "/usr/sbin/nologin")
            self._run("useradd", *words, *(("--groups", groups) if groups else ()), SERVICE_USER)

    def _find_groups(self) -> list[str]:
        listed = {line.split(":")[0] for line in self._path("/etc/group").read_text("utf-8").splitlines()}
        return [group for group in DEVICE_GROUPS if group in listed]

    def _read_source(self) -> tuple[str, str]:
        """Return the source and the extras of the present installation; empty where they are unknown."""
        path = self._path(SOURCE_FILE)
        source, _, extras = (path.read_text("utf-8") if path.exists() else "").partition("\n")
        return source, extras.strip()

    def _install_version(self, source: str, extras: str, wheels: Path | None = None) -> None:
        if not (Path(source) / "pyproject.toml").exists() and not source.endswith(".whl"):
            raise CompanionError(f"{source} is neither a checkout nor a wheel. Give one with --from.")
        self._remove_old_versions()  # what an update that was cut has left takes room
        self._check_room()
        folder = self._next_version_folder()
        self._print_line(
            f"Creating a Python environment in {INSTALL_DIR}/{folder.name}; on a Pi this takes some minutes"
        )
        requirement = f"{source}[{extras}]" if extras else source
        try:
            # lgpio comes from the system's packages, because PyPI has no wheel for every Pi.
            self._run("python3", "-m", "venv", "--system-site-packages", str(folder))
            index = ("--no-index", "--find-links", str(wheels)) if wheels else ()
            pip = (str(folder / "bin/pip"), "install", "--quiet", "--disable-pip-version-check", *index)
            pinned = _find_requirements(Path(source), extras, folder)
            if pinned:
                files = (word for path in pinned for word in ("--requirement", str(path)))
                self._run(*pip, "--require-hashes", *files)
            # The pinned packages include those that build the program.
            self._run(*pip, *(("--no-build-isolation",) if pinned else ()), requirement)
            present = self._linked_version(CURRENT_LINK)
            if present is not None and not (present / launcher.MANIFEST_NAME).exists():
                self._complete_version(present)  # installed before there were manifests, and it has run
            self._complete_version(folder)
            self._machine.write_file(LAUNCHER_FILE, Path(launcher.__file__).read_text("utf-8"), 0o755)
        except CompanionError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._switch_version(folder, present)
        self._remove_old_versions()

    def _check_room(self) -> None:
        """Raise CompanionError if a version like the present one does not fit: pip and venv do not say that."""
        present = self._linked_version(CURRENT_LINK)
        files = present.rglob("*") if present else ()
        wanted = max(MIN_FREE_BYTES, sum(path.lstat().st_size for path in files) * 5 // 4)
        free = self._machine.count_free_bytes(self._path(INSTALL_DIR))
        if free < wanted:
            raise CompanionError(
                f"The disk of {INSTALL_DIR} has {free // 10**6} MB left; a version needs {wanted // 10**6} MB. "
                "Free some space: sudo apt-get clean; sudo journalctl --vacuum-size=50M"
            )

    def _write_entry_points(self, extras: str) -> None:
        """Write the command and the units, which start the launcher and not a version."""
        self._machine.write_link(COMMAND_LINK, LAUNCHER_FILE)
        self._machine.write_file(UNIT_FILE, format_unit(self._find_groups()))
        self._machine.write_file(POLKIT_RULES_FILE, format_polkit_rules(extras))
        if "club" in extras.split(","):
            self._machine.write_file(CLUB_UNIT_FILE, format_club_unit())
        self._run("systemctl", "daemon-reload")

    def _complete_version(self, folder: Path) -> None:
        """Bring all files of a version and its manifest to the disk, and read them back. Raises CompanionError."""
        try:
            write_manifest(folder, self._machine.sync)
            damage = check_manifest(folder)
        except OSError as error:
            raise CompanionError(f"{folder} cannot be written: {error.strerror}.") from error
        if damage:
            raise CompanionError(f"Version {folder.name} was not written correctly: {damage}. Check the disk.")

    def _next_version_folder(self) -> Path:
        numbers = [int(path.name[1:]) for path in self._list_versions()]
        return self._path(f"{INSTALL_DIR}/v{max(numbers, default=0) + 1}")

    def _list_versions(self) -> list[Path]:
        folders = [path for path in self._path(INSTALL_DIR).glob("v*") if path.name[1:].isdecimal()]
        return sorted(folders, key=lambda path: int(path.name[1:]))

    def _remove_old_versions(self) -> None:
        """Remove all but the last complete versions. Damaged ones do not count among those, and are removed."""
        used = {self._linked_version(CURRENT_LINK), self._linked_version(PREVIOUS_LINK)}
        complete = [folder for folder in self._list_versions() if not launcher.find_damage(folder)]
        for old in self._list_versions():
            if old not in used and old not in complete[-MAX_VERSIONS_KEPT:]:
                shutil.rmtree(old, ignore_errors=True)

    def _switch_version(self, current: Path, previous: Path | None) -> None:
        if previous is not None and previous != current:
            self._machine.write_link(PREVIOUS_LINK, f"{INSTALL_DIR}/{previous.name}")
        self._machine.write_link(CURRENT_LINK, f"{INSTALL_DIR}/{current.name}")

    def _linked_version(self, name: str) -> Path | None:
        """Return the folder that a link points to; None if there is none."""
        path = self._path(name)
        if not path.is_symlink():
            return None
        version = self._path(INSTALL_DIR) / path.readlink().name
        return version if version.is_dir() else None

    def _start_service(self, otherwise: str) -> None:
        self._run("systemctl", "restart", "companion")
        if self._path(CLUB_UNIT_FILE).exists():
            self._run_optional("systemctl", "try-restart", "companion-club")
        self._print_line("Started. Waiting for the page")
        if not self._machine.wait_for_page(self._path(SETTINGS_FILE)):
            raise CompanionError(otherwise)

    def _run_optional(self, *command: str) -> None:
        """Run a command that may fail: for example, a container has no udev."""
        try:
            self._run(*command)
        except CompanionError as error:
            self._print_line(f"({error})")


def _join_extras(saved: str, added: str) -> str:
    """Return all extras, separated by commas. Raises CompanionError if one that is added does not exist."""
    names = added.replace(",", " ").split()
    if unknown := [name for name in names if name not in EXTRAS]:
        raise CompanionError(f"There is no extra {unknown[0]}. Those that there are: {', '.join(EXTRAS)}.")
    return ",".join(dict.fromkeys([*filter(None, saved.split(",")), *names]))


def _find_requirements(source: Path, extras: str, folder: Path) -> list[Path]:
    """Return the files of pinned packages of a checkout, or of a wheel, from which they are copied to `folder`."""
    names = [f"{name}.txt" for name in ("base", *extras.split(","))]
    if not zipfile.is_zipfile(source):
        return [path for name in names if (path := source / "requirements" / name).exists()]
    (folder / "requirements").mkdir()
    with zipfile.ZipFile(source) as wheel:
        inside = {Path(name).name: name for name in wheel.namelist() if name.startswith(WHEEL_REQUIREMENTS)}
        paths = [folder / "requirements" / name for name in names if name in inside]
        for path in paths:
            path.write_bytes(wheel.read(inside[path.name]))
    return paths


def _format_source(source: Path | None) -> str:
    return str(source.resolve()) if source else ""
