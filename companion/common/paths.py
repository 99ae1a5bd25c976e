"""Folders of the user's journal and settings, also under sudo, and of bundled data files.

Under sudo, HOME is root's. The home of the user who ran sudo is used instead, and files that root creates there are
given to that user.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.common.errors import CompanionError


def data_home() -> Path:
    """Return the folder of the journal. Raises CompanionError if the home folder is unknown."""
    return _find_home("XDG_DATA_HOME", ".local/share")


def config_home() -> Path:
    """Return the folder of companion.toml, which need not exist."""
    with suppress(CompanionError):
        return _find_home("XDG_CONFIG_HOME", ".config")
    return Path("/etc/companion")


def restore_owner(folder: Path, environ: Mapping[str, str] = os.environ) -> None:
    """Under sudo, make the user the owner of this folder in their home and of root's files in it."""
    user = _find_sudo_user(environ)
    if user is None:
        return
    home, uid, gid = user
    with suppress(OSError):
        folder = folder.resolve()
        above = [each for each in folder.parents if home in each.parents]
        for path in (*above, folder, *folder.iterdir()) if home in folder.parents else ():
            if path.lstat().st_uid == 0:
                os.chown(path, uid, gid, follow_symlinks=False)


def _find_home(variable: str, subfolder: str) -> Path:
    user = _find_sudo_user(os.environ)
    if user is not None:
        return user[0] / subfolder / "companion"
    try:
        return Path(os.environ.get(variable) or Path.home() / subfolder) / "companion"
    except RuntimeError as error:  # no HOME, and an unknown user
        raise CompanionError("The home folder is unknown. Pass the journal with --journal, or set HOME.") from error


def _find_sudo_user(environ: Mapping[str, str]) -> tuple[Path, int, int] | None:
    """Return home, user id and group id of the user who ran sudo; None without sudo or for root."""
    if os.geteuid() != 0 or environ.get("SUDO_USER", "root") == "root":
        return None
    try:
        import pwd  # noqa: PLC0415 - missing on some systems

        user = pwd.getpwnam(environ["SUDO_USER"])
    except (ImportError, KeyError):
        return None
    return Path(user.pw_dir), user.pw_uid, user.pw_gid


_HERE = Path(__file__).resolve().parents[1]


def resource_folder(name: str) -> Path:
    """Return the folder `web`, `hardware/boards` or `firmware`, of a checkout or of the installed wheel."""
    if name == "firmware":
        return _HERE.parent / name
    bundled = _HERE / "_share" / name
    return bundled if bundled.is_dir() else _HERE.parent / name
