"""Calls made one after the other by a thread of their own: who brings news never waits for who takes it."""

import logging
import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any

_LOG = logging.getLogger(__name__)


class Passing:
    """A thread that makes calls in the order in which they were passed to it. Any thread may pass one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"companion {name}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def call(self, function: Callable[..., object], *args: Any) -> None:
        """Have it called, after all that was passed before. Never blocks."""
        self._calls.put(partial(function, *args))

    def close(self) -> None:
        """Make the calls already passed, and stop. May be called twice, before `start` too, and from the thread."""
        self._calls.put(None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:  # one call that fails must not keep the next ones waiting for ever
                _LOG.exception("%s", self._name)
