"""Fixtures: a served table, its player and a watcher."""

from tests.server.conftest import app, player, table, watcher

__all__ = ["app", "player", "table", "watcher"]
