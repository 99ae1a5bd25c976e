"""Compute what is derived from a state, such as a sentence or a light, so that a fault in it refuses no legal move."""

import logging
from collections.abc import Callable
from typing import TypeVar

_LOG = logging.getLogger(__name__)
T = TypeVar("T")


def derive(what: str, compute: Callable[[], T], fallback: T, evidence: object = None) -> T:
    """Return `compute()`, or `fallback` if it raises; then `what` and its `evidence` are logged with the traceback.

    The rules alone decide which moves are legal. A player whose card is refused because a sentence about it cannot be
    built is stuck for ever, since the same card fails again.
    """
    try:
        return compute()
    except Exception:
        _LOG.exception("Could not derive the %s; evidence: %r", what, evidence)
        return fallback
