"""Where the files lie that are no Python: one function, for a checkout and for the installed wheel."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `web`, `hardware/boards` or `firmware`."""
    if name == "firmware":
        return _HERE.parent / name
    carried = _HERE / "_share" / name
    return carried if carried.is_dir() else _HERE.parent / name
