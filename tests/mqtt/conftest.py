"""Brokers, and who listens to them."""

import pytest
from brokers import broker, listens

from companion.mqtt import publisher

__all__ = ["broker", "listens"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """No page waits here: reporting begins at once."""
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)
