"""The queue of requests that wait for a worker thread: the addresses take turns, each with a few threads at most.

Threads share one processor at a time. Without this, a flood of short requests of one address would delay the others
even while there are threads left.
"""

from collections import Counter, deque
from typing import Any

from waitress.task import ThreadedTaskDispatcher

MAX_THREADS_PER_ADDRESS = 4
"""Maximum number of threads that answer requests of one address at a time, event streams aside."""


class RequestTurn:
    """A request in the queue, and while it is answered."""

    def __init__(self, channel: Any, host: str, dispatcher: "FairDispatcher") -> None:
        """`channel` is the connection, `host` its address; an empty one has no limit."""
        self.host, self.counts = host, False
        self._channel, self._dispatcher = channel, dispatcher

    def service(self) -> None:
        """Answer the request. Called by a worker thread."""
        self._channel.turn = self
        try:
            self._channel.service()
        finally:
            self.free_thread()

    def cancel(self) -> None:
        """Close the connection. Called when the server ends."""
        self._channel.cancel()

    def free_thread(self) -> None:
        """Do not count this request for its address any more: it is answered, or it lasts, such as a stream."""
        self._dispatcher.free_thread(self)


class RequestQueue:
    """Requests by address. Its methods are those of the deque that it replaces; the caller holds the lock."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[RequestTurn]] = {}
        self._running: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return the number of requests that may be answered now."""
        return sum(min(len(turns), self._free_threads(host)) for host, turns in self._waiting.items())

    def append(self, turn: RequestTurn) -> None:
        """Add a request."""
        self._waiting.setdefault(turn.host, deque()).append(turn)

    def popleft(self) -> RequestTurn:
        """Return the request to be answered next, and put its address behind the others."""
        host = next(host for host in self._waiting if self._free_threads(host))
        turns = self._waiting.pop(host)
        turn = turns.popleft()
        if turns:
            self._waiting[host] = turns
        turn.counts = bool(host)
        self._running[host] += turn.counts
        return turn

    def release(self, turn: RequestTurn) -> None:
        """Give back the thread of a request. May be called twice."""
        self._running[turn.host] -= turn.counts
        turn.counts = False
        self._running += Counter()  # removes addresses without threads

    def _free_threads(self, host: str) -> int:
        return MAX_THREADS_PER_ADDRESS - self._running[host]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The worker threads of waitress with a `RequestQueue`."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = RequestQueue()

    def free_thread(self, turn: RequestTurn) -> None:
        """Let a waiting request of the same address have the thread."""
        with self.lock:
            self.queue.release(turn)
            self.queue_cv.notify()
