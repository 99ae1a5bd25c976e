"""Moves and snapshots as JSON."""
