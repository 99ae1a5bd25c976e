"""The queue of requests that wait for a worker thread: addresses and networks take turns, with a few threads each.

Threads share one processor at a time. Without this, a flood of short requests of one address would delay the others
even while there are threads left.
"""

from collections import Counter
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from companion.http.client_address import client_network
from companion.http.wsgi.turn_queue import TurnQueue

MAX_THREADS_PER_ADDRESS = 4
"""Maximum number of threads that answer requests of one address at a time, event streams aside."""
MAX_THREADS_PER_NETWORK = 6
"""The same for all addresses of an IPv6 network."""


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
        self._waiting: TurnQueue[RequestTurn] = TurnQueue()
        self._running: Counter[str] = Counter()
        """Number of threads by address and by network. An IPv4 address is its own network."""

    def __len__(self) -> int:
        """Return the number of requests that may be answered now."""
        return sum(
            min(self._free_threads(network), sum(min(count, self._free_threads(host)) for host, count in hosts))
            for network, hosts in self._waiting.counts()
        )

    def append(self, turn: RequestTurn) -> None:
        """Add a request."""
        self._waiting.append(turn.host, turn)

    def popleft(self) -> RequestTurn:
        """Return the request to be answered next, and put its address behind the others."""
        turn = self._waiting.popleft(lambda *names: all(map(self._free_threads, names)))
        if turn.host:
            turn.counts = True
            self._running.update({turn.host, client_network(turn.host)})
        return turn

    def release(self, turn: RequestTurn) -> None:
        """Give back the thread of a request. May be called twice."""
        if turn.counts:
            self._running.subtract({turn.host, client_network(turn.host)})
            self._running += Counter()  # removes addresses without threads
        turn.counts = False

    def _free_threads(self, name: str) -> int:
        most = MAX_THREADS_PER_NETWORK if "/" in name else MAX_THREADS_PER_ADDRESS
        return most - self._running[name]


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
