"""Fixtures: a mock of NetworkManager with a Wi-Fi device, and a served table."""

import os
from pathlib import Path

import pytest

from tests.server.conftest import serving, table, watcher  # noqa: F401 - fixtures
from tests.support.network_manager import DBUS_DAEMON, DBUSMOCK, MockNetworkManager


@pytest.fixture
def mock(monkeypatch):
    """Return a mock of NetworkManager; skipped without python3-dbusmock, in CI a failure."""
    if not (DBUS_DAEMON and Path(DBUSMOCK).exists()) and os.environ.get("CI") != "true":
        pytest.skip("needs dbus-daemon and python3-dbusmock: make system")
    made = MockNetworkManager()
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", made.address)
    yield made
    made.close()
