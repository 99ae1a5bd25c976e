"""A thread that works until it is closed."""

import threading
from abc import abstractmethod


class Worker:
    """Base class of what works in a thread of its own until it is closed.

    A subclass defines `_run`, which returns soon after `closing` is set, and starts the thread at the end of its
    `__init__` or lets its owner start it. If `_run` waits for anything else than `closing`, `_wake` ends that wait::

        class DiskMonitor(Worker):
            def __init__(self, folder: Path) -> None:
                super().__init__("disk monitor")
                self._folder = folder
                self.start()

            def _run(self) -> None:
                while not self.closing.wait(1):
                    check(self._folder)

    :param name: name of the thread.
    :param join_timeout_s: longest time in s that `close` waits for the thread.
    """

    def __init__(self, name: str, *, join_timeout_s: float = 2.0) -> None:
        self.closing = threading.Event()
        self._join_timeout_s = join_timeout_s
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait for the thread. May be called twice, before `start`, and from the thread itself."""
        self.closing.set()
        self._wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(self._join_timeout_s)

    @abstractmethod
    def _run(self) -> None:
        """Work until `closing` is set."""

    def _wake(self) -> None:
        """End a wait of `_run`. Called by the thread that closes, after `closing` has been set."""
