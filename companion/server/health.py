"""How the program is, for whoever watches over it: well, or what is not."""

from importlib.metadata import PackageNotFoundError, version

from flask import Response

from companion.server.answer import json_answer
from companion.table.table import Table


def health(table: Table) -> Response:
    """200 with what is well and what is not; 503 while no move can be kept."""
    devices = {name: {"ok": each.ok, "say": each.say} for name, each in table.snapshot.devices.items()}
    kept = not table.trouble
    told = {
        "ok": kept and all(each["ok"] for each in devices.values()),
        "journal": {"ok": kept, "say": table.trouble},
        "devices": devices,
        "version": _version(),
    }
    return json_answer(told, 200 if kept else 503)


def _version() -> str:
    try:
        return version("companion")
    except PackageNotFoundError:  # run from its folder, without having been installed
        return "unknown"
