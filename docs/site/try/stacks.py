"""Threads for Python in a browser, which has none: each thread is a stack that gives way where it would wait.

`install` replaces what `threading`, `queue` and `time` wait with, before the program is imported. A stack that waits is
suspended by the browser (JavaScript promise integration) until its promise is kept by another stack or by a timer, so
the program's threads, conditions and queues work as they are written. Only one stack runs at a time.
"""

import gc
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import js
from pyodide.ffi import create_proxy, run_sync

_running = 1
"""Number of the running stack."""
_last = 1


def _wait(promise: Any) -> None:
    """Give way until this promise is kept."""
    global _running
    mine = _running
    run_sync(promise)
    _running = mine


class Lock:
    """A lock that is handed to the stack that has waited longest."""

    def __init__(self) -> None:
        self._is_held = False
        self._waiting: deque[Any] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; return whether it could be had in this time in s, -1 for however long."""
        if not self._is_held:
            self._is_held = True
            return True
        if not blocking or timeout == 0:
            return False
        place = js.createWait(timeout * 1000)
        self._waiting.append(place)
        _wait(place.promise)
        if place in self._waiting:  # the time is over
            self._waiting.remove(place)
            return False
        return True

    def release(self) -> None:
        """Give the lock back."""
        if not self._is_held:
            raise RuntimeError("release unlocked lock")
        if self._waiting:
            self._waiting.popleft().end()
        else:
            self._is_held = False

    def locked(self) -> bool:
        """Return whether a stack has the lock."""
        return self._is_held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class _Handle:
    """What `threading.Thread` knows of its stack."""

    def __init__(self) -> None:
        self.ident = 0
        self._alive = Lock()

    def start(self, function: Callable[[], object]) -> None:
        self._alive.acquire()
        js.startStack(create_proxy(lambda: run_stack(function, self)))

    def join(self, timeout: float | None = None) -> None:
        if self._alive.acquire(timeout=-1 if timeout is None else timeout):
            self._alive.release()

    def is_done(self) -> bool:
        return not self._alive.locked()

    def end(self) -> None:
        self._alive.release()


def run_stack(function: Callable[..., object], handle: _Handle | None = None) -> None:
    """Run a function as a stack of its own. Called by the browser."""
    global _running, _last
    _running = _last = _last + 1
    if handle:
        handle.ident = _running
    try:
        function()
    finally:
        threading._active.pop(_running, None)  # what `current_thread` has noted of a stack without a handle
        if handle:
            handle.end()


def _start_thread(function: Callable[[], object], handle: _Handle, **_: object) -> None:
    handle.start(function)


def install() -> None:
    """Let the threads of this process be stacks.

    Python's own collection of garbage is switched off: where it happens in the middle of a stack, while others are
    suspended, it destroys memory (Python 3.14.2 of Pyodide 314.0.7). Collect when no stack runs.
    """
    gc.disable()
    replaced = threading.__dict__
    replaced.update(
        Lock=Lock, _allocate_lock=Lock, _CRLock=None, _ThreadHandle=_Handle, _start_joinable_thread=_start_thread,
        get_ident=lambda: _running, _get_ident=lambda: _running,
    )  # fmt: skip
    queue.SimpleQueue = queue._PySimpleQueue
    time.sleep = lambda seconds: _wait(js.createWait(seconds * 1000).promise)
