"""Where the journal and the settings of who started the program lie, also where that was by sudo.

Under sudo the home is root's: another journal, other settings, and files that the user could not write afterwards. So
the user's own home is taken, and what root has made in it is given back.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.common.errors import CompanionError


def data_home() -> Path:
    """Where the journal lives. Raises CompanionError where nobody's home is known."""
    return _home("XDG_DATA_HOME", ".local/share")


def config_home() -> Path:
    """Where companion.toml lives, if there is one."""
    with suppress(CompanionError):
        return _home("XDG_CONFIG_HOME", ".config")
    return Path("/etc/companion")


def give_back(folder: Path, around: Mapping[str, str] = os.environ) -> None:
    """Under sudo: this folder in the user's home, and all in it that is root's, become the user's."""
    user = _behind_sudo(around)
    if user is None:
        return
    home, uid, gid = user
    with suppress(OSError):
        folder = folder.resolve()
        above = [each for each in folder.parents if home in each.parents]
        for path in (*above, folder, *folder.iterdir()) if home in folder.parents else ():
            if path.lstat().st_uid == 0:
                os.chown(path, uid, gid, follow_symlinks=False)


def _home(variable: str, below: str) -> Path:
    user = _behind_sudo(os.environ)
    if user is not None:
        return user[0] / below / "companion"
    try:
        return Path(os.environ.get(variable) or Path.home() / below) / "companion"
    except RuntimeError as error:  # no HOME, and a user whom the system does not know
        raise CompanionError("No home folder is known here: name the journal with --journal, or set HOME.") from error


def _behind_sudo(around: Mapping[str, str]) -> tuple[Path, int, int] | None:
    """Home, user and group of who typed sudo; None where nobody did, or root."""
    if os.geteuid() != 0 or around.get("SUDO_USER", "root") == "root":
        return None
    try:
        import pwd  # noqa: PLC0415 - not every system has it

        user = pwd.getpwnam(around["SUDO_USER"])
    except (ImportError, KeyError):
        return None
    return Path(user.pw_dir), user.pw_uid, user.pw_gid


_HERE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The folder `web`, `hardware/boards` or `firmware`."""
    if name == "firmware":
        return _HERE.parent / name
    carried = _HERE / "_share" / name
    return carried if carried.is_dir() else _HERE.parent / name
