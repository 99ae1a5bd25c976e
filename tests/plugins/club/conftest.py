"""Fixtures: a database of each kind, brokers, and a subscriber."""

import contextlib

import pytest

from companion.plugins.club.database import Database
from tests.support.brokers import POSTGRES_BIN, broker, run_postgres, subscribe

__all__ = ["broker", "subscribe"]
TABLES = (
    "board", "run", "move", "won", "refused", "event", "entrant", "pairing", "result", "event_board", "tournament",
    "scorecard", "qualifier", "playoff", "duplicate_move",
)  # fmt: skip


@pytest.fixture(scope="session")
def postgres():
    """Return the URL of a PostgreSQL server of our own; skip the test if it is not installed."""
    if POSTGRES_BIN is None:
        pytest.skip("postgresql is not installed")
    with run_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    """Return an empty database of either kind."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/club.sqlite3"
    else:
        url = request.getfixturevalue("postgres")
        with contextlib.closing(Database(url)) as old:
            for name in TABLES:
                old.query(f"DELETE FROM {name}")
    with contextlib.closing(Database(url)) as made:
        yield made
