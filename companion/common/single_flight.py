"""A cache for functions that take long: simultaneous calls wait for one result."""

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


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
