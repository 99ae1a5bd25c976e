"""Brokers, and who listens to them."""

from brokers import broker, listens

__all__ = ["broker", "listens"]
