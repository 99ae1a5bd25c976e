"""Compute what may fail, copy what is frozen, and cache what takes long."""

import dataclasses
import logging
import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

_LOG = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")
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


def replace(value: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with some fields changed; five times as fast if it has no slots.

    Without slots, values of cached properties are copied too.
    """
    try:
        fields_ = value.__dict__
    except AttributeError:
        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    assert changes.keys() <= value.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    copy = object.__new__(type(value))
    copy.__dict__.update(fields_, **changes)
    return copy


def single_flight_cache(max_results: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache the last results of a function and let one thread compute at a time. Arguments must be hashable."""

    def decorate(compute: Callable[P, R]) -> Callable[P, R]:
        lock, cached = threading.Lock(), lru_cache(max_results)(compute)

        @wraps(compute)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            with lock:
                return cached(*args, **kwargs)  # type: ignore[arg-type]

        return call

    return decorate
