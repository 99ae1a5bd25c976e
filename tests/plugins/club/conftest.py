"""Fixtures: a database of each kind, brokers, and a subscriber."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from companion.plugins.club.database import Database
from tests.support.brokers import broker, free_port, subscribe

__all__ = ["broker", "subscribe"]

BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@pytest.fixture(scope="session")
def postgres():
    """Return the URL of a PostgreSQL server of our own; skip the test if it is not installed."""
    if BIN is None:
        pytest.skip("postgresql is not installed")
    home, port = Path(tempfile.mkdtemp(prefix="postgres-")), free_port()
    as_user = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()  # it refuses to run as root
    if as_user:
        shutil.chown(home, "postgres")

    def run(*words):
        subprocess.run([*as_user, *words], check=True, stdout=subprocess.DEVNULL, cwd="/")

    run(BIN / "initdb", "-D", home / "db", "-U", "club", "-A", "trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home}"
    run(BIN / "pg_ctl", "-D", home / "db", "-w", "-l", home / "log", "-o", options, "start")
    yield f"postgresql://club@127.0.0.1:{port}/postgres"
    run(BIN / "pg_ctl", "-D", home / "db", "-m", "immediate", "stop")
    shutil.rmtree(home)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    """Return an empty database of either kind."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/club.sqlite3"
    else:
        url = request.getfixturevalue("postgres")
        with contextlib.closing(Database(url)) as old:
            for name in (
                "board",
                "run",
                "move",
                "won",
                "refused",
                "event",
                "entrant",
                "pairing",
                "result",
                "event_board",
                "tournament",
                "scorecard",
                "qualifier",
                "playoff",
                "duplicate_move",
            ):
                old.query(f"DELETE FROM {name}")
    with contextlib.closing(Database(url)) as made:
        yield made
