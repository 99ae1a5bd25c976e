"""Queues in which clients take turns, so that a flood from one of them does not delay the others.

A client is an address or, because one machine can use every address of it, an IPv6 network.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from waitress.task import ThreadedTaskDispatcher

from companion.http.client_address import client_network

MAX_THREADS_PER_CLIENT = 4
"""Maximum number of threads that answer requests of one client at a time, event streams aside."""

Item = TypeVar("Item")


class TurnQueue(Generic[Item]):
    """Items by client. All without an address are one client."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Item]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def append(self, host: str, item: Item) -> None:
        """Add an item of the client at this address."""
        self._waiting.setdefault(client_network(host), deque()).append(item)

    def counts(self) -> Iterator[tuple[str, int]]:
        """Yield each client and the number of its items."""
        return ((client, len(items)) for client, items in self._waiting.items())

    def popleft(self, may_take: Callable[[str], bool] = lambda _: True) -> Item:
        """Take the item whose turn it is, of a client for which `may_take` is true, and put its client last."""
        return self._take(next(filter(may_take, self._waiting)))

    def pop_busiest(self) -> Item:
        """Take the oldest item of the client that has most."""
        return self._take(max(self._waiting, key=lambda client: len(self._waiting[client])))

    def _take(self, client: str) -> Item:
        items = self._waiting.pop(client)
        item = items.popleft()
        if items:
            self._waiting[client] = items
        return item


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
        """Do not count this request for its client any more: it is answered, or it lasts, such as a stream."""
        self._dispatcher.free_thread(self)


class RequestQueue:
    """Requests by client. Its methods are those of the deque that it replaces; the caller holds the lock."""

    def __init__(self) -> None:
        self._waiting: TurnQueue[RequestTurn] = TurnQueue()
        self._running: Counter[str] = Counter()
        """Number of threads by client."""

    def __len__(self) -> int:
        """Return the number of requests that may be answered now."""
        return sum(min(count, self._free_threads(client)) for client, count in self._waiting.counts())

    def append(self, turn: RequestTurn) -> None:
        self._waiting.append(turn.host, turn)

    def popleft(self) -> RequestTurn:
        """Return the request to be answered next, and put its client behind the others."""
        turn = self._waiting.popleft(lambda client: self._free_threads(client) > 0)
        if turn.host:
            turn.counts = True
            self._running[client_network(turn.host)] += 1
        return turn

    def release(self, turn: RequestTurn) -> None:
        """Give back the thread of a request. May be called twice."""
        if turn.counts:
            self._running[client_network(turn.host)] -= 1
            self._running += Counter()  # removes clients without threads
        turn.counts = False

    def _free_threads(self, client: str) -> int:
        return MAX_THREADS_PER_CLIENT - self._running[client]


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The worker threads of waitress with a `RequestQueue`."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = RequestQueue()

    def free_thread(self, turn: RequestTurn) -> None:
        """Let a waiting request of the same client have the thread."""
        with self.lock:
            self.queue.release(turn)
            self.queue_cv.notify()
