"""Health of the program: `/api/health`."""

from importlib.metadata import PackageNotFoundError, version

from flask import Response

from companion.http.responses import json_response
from companion.table.table import Table


def health_response(table: Table) -> Response:
    """Return the state of the journal and of each device; 503 while moves cannot be written.

    Moves that were lost earlier are reported with 200.
    """
    devices = {name: {"ok": each.ok, "say": each.say} for name, each in table.snapshot.devices.items()}
    trouble = table.trouble
    journal = trouble or table.journal.damage or ""
    body = {
        "ok": not journal and all(each["ok"] for each in devices.values()),
        "journal": {"ok": not journal, "say": journal},
        "devices": devices,
        "version": running_version(),
    }
    return json_response(body, 503 if trouble else 200)


def running_version() -> str:
    """Return the version of this program, "unknown" if it is not installed."""
    try:
        return version("cribbage-companion")
    except PackageNotFoundError:
        return "unknown"
