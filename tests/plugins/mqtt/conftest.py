"""Brokers and subscribers."""

import contextlib
import time

import pytest

from companion.journal.journal import Journal
from companion.plugins.mqtt import publisher
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.brokers import broker, subscribe

__all__ = ["broker", "subscribe"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Start publishing at once, because no page has to load first."""
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)


@pytest.fixture
def table(tmp_path):
    """Return a table of pegs-only without sensors."""
    journal = Journal(tmp_path / "journal.sqlite3")
    core = create_core(create_plan("pegs-only"), Settings(sensors="none:"))
    journal.begin_game(core.plan.journal_json)
    with contextlib.closing(Table(core, journal, lambda: time.monotonic_ns() // 1_000_000, run="r")) as made:
        yield made
