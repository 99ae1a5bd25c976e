"""How the program is, for whoever watches over it: well, or what is not."""

from importlib.metadata import PackageNotFoundError, version

from flask import Response

from companion.server.responses import json_response
from companion.table.table import Table


def health_response(table: Table) -> Response:
    """200 with what is well and what is not; 503 while no move can be kept. Moves lost before are no 503."""
    devices = {name: {"ok": each.ok, "say": each.say} for name, each in table.snapshot.devices.items()}
    trouble = table.trouble
    journal = trouble or table.journal.damage or ""
    told = {
        "ok": not journal and all(each["ok"] for each in devices.values()),
        "journal": {"ok": not journal, "say": journal},
        "devices": devices,
        "version": running_version(),
    }
    return json_response(told, 503 if trouble else 200)


def running_version() -> str:
    """The version of this program."""
    try:
        return version("cribbage-companion")
    except PackageNotFoundError:  # run from its folder, without having been installed
        return "unknown"
