"""Brokers, and who listens to them."""

import pytest
from brokers import broker, listens

from companion.reporting import reporter

__all__ = ["broker", "listens"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """No page waits here: reporting begins at once."""
    monkeypatch.setattr(reporter, "START_S", 0)
