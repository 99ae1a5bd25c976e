"""Brokers and subscribers."""

import pytest

from companion.mqtt import publisher
from tests.support.brokers import broker, listens

__all__ = ["broker", "listens"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Start publishing at once, because no page has to load first."""
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)
