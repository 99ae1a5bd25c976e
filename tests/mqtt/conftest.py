"""Brokers and subscribers."""

import pytest
from brokers import broker, listens

from companion.mqtt import publisher

__all__ = ["broker", "listens"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Start publishing at once, because no page has to load first."""
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)
