"""Libraries that Debian packages, because the package index has no wheel of them for every machine and Python."""

import shlex
import sys
from pathlib import Path


def system_package_command(package: str) -> str:
    """Return the line to type that makes this package of the system usable by this program.

    For a virtual environment without access to the system's packages, the line also gives it access.
    """
    install = f"sudo apt-get install {package}"
    if _sees_system_packages():
        return install
    return f"{install} && python3 -m venv --system-site-packages {shlex.quote(sys.prefix)}"


def _sees_system_packages() -> bool:
    """Return whether modules are also looked for in the packages of the Python that made this environment."""
    base = (Path(each) for each in sys.path if each.startswith(sys.base_prefix) and not each.startswith(sys.prefix))
    return sys.prefix == sys.base_prefix or any(each.name in ("dist-packages", "site-packages") for each in base)
