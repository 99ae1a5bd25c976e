"""The event stream: server-sent events with the newest snapshot."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

from companion.common.snapshot import Snapshot
from companion.http.client_address import client_network
from companion.http.wsgi.server import RESERVED_THREADS, WORKER_THREADS
from companion.i18n.catalog import MessageCatalog
from companion.protocol.json_codec import dump_json, encode_snapshot
from companion.table.table import Table

MAX_STREAMS = WORKER_THREADS - RESERVED_THREADS
"""Maximum number of open streams. Further pages poll."""
MAX_STREAMS_PER_ADDRESS = 60
"""Maximum number of streams to one address, or IPv6 network, which a whole club may share."""

KEEP_ALIVE_INTERVAL_S = 12.0
"""Time without a snapshot after which a comment is sent."""
POLL_INTERVAL_S = 2.0
"""Interval in which an idle stream checks whether its client is still connected, and still what it was."""

_LOG = logging.getLogger(__name__)


class SnapshotEncoder:
    """Encodes snapshots as JSON, once for each language."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._snapshot: Snapshot | None = None
        self._texts: dict[MessageCatalog | None, str] = {}

    def __call__(self, snapshot: Snapshot, language: MessageCatalog | None = None) -> str:
        with self._lock:
            if snapshot is not self._snapshot:
                self._snapshot, self._texts = snapshot, {}
            if language not in self._texts:
                body = encode_snapshot(snapshot)
                self._texts[language] = dump_json(language.translate_value(body) if language else body)
            return self._texts[language]


class EventStreams:
    """The open event streams, at most `MAX_STREAMS`."""

    def __init__(self, table: Table, encode: SnapshotEncoder) -> None:
        self._table, self._encode = table, encode
        self._lock = Lock()
        self._open: Counter[str] = Counter()

    def reserve(self, address: str) -> bool:
        """Reserve a stream for this address, to be given back by `release`. Return False if there is none left."""
        network = client_network(address)
        with self._lock:
            if self._open.total() >= MAX_STREAMS or self._open[network] >= MAX_STREAMS_PER_ADDRESS:
                return False
            self._open[network] += 1
            return True

    def release(self, address: str) -> None:
        """Give a reserved stream back."""
        with self._lock:
            self._open[client_network(address)] -= 1
            self._open += Counter()  # removes addresses without streams

    def has_visitors(self) -> bool:
        """Return whether a stream goes to another machine."""
        with self._lock:
            return any(not network.startswith(("127.", "::/")) for network in self._open)

    def stream_events(self, is_over: Callable[[], bool], language: MessageCatalog | None = None) -> Iterator[bytes]:
        """Yield events until `is_over()` or the table closes. An error ends the stream; the page reconnects."""
        yield b"retry: 1000\n\n"
        try:
            yield from self._newest_snapshots(is_over, language)
        except Exception:
            _LOG.exception("An event stream failed.")

    def _newest_snapshots(self, is_over: Callable[[], bool], language: MessageCatalog | None) -> Iterator[bytes]:
        subscriber = self._table.subscribe()
        last_sent_s = time.monotonic()
        while not self._table.is_closed and not is_over():
            snapshot = subscriber.next_snapshot(POLL_INTERVAL_S)
            if snapshot is not None:
                yield f"id: {snapshot.number}\ndata: {self._encode(snapshot, language)}\n\n".encode()
            elif time.monotonic() - last_sent_s > KEEP_ALIVE_INTERVAL_S - POLL_INTERVAL_S:
                yield b": still here\n\n"
            else:
                continue
            last_sent_s = time.monotonic()
