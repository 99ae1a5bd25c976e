"""Brokers and subscribers."""

import contextlib

import pytest

from companion.plugins.mqtt import publisher
from companion.settings import Settings
from tests.support.brokers import broker, subscribe
from tests.support.tables import open_table

__all__ = ["broker", "subscribe"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Start publishing at once, because no page has to load first."""
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)


@pytest.fixture
def table(tmp_path):
    """Return a table of pegs-only without sensors."""
    plain = Settings(sensors="none:")
    with contextlib.closing(open_table(tmp_path, "pegs-only", settings=plain)) as made:
        yield made
