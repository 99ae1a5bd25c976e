"""The event stream: each listener gets the present snapshot at once, then the newest whenever there is one."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

from companion.common.snapshot import Snapshot
from companion.i18n.catalog import MessageCatalog
from companion.protocol.json_codec import dump_json, encode_snapshot
from companion.table.table import Table

MAX_STREAMS = 64
"""Beyond these the page polls: every stream holds a thread."""

MAX_STREAMS_PER_ADDRESS = 60
"""Streams of one address, behind which there may be a whole club: some are left for the others."""

KEEP_ALIVE_INTERVAL_S = 12.0
POLL_INTERVAL_S = 2.0
"""How often a quiet stream looks whether its listener is still there."""

_LOG = logging.getLogger(__name__)


class SnapshotEncoder:
    """Snapshots as JSON text, each made once for all who ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: Snapshot | None = None
        self._texts: dict[MessageCatalog | None, str] = {}

    def __call__(self, snapshot: Snapshot, language: MessageCatalog | None = None) -> str:
        """The JSON of this snapshot, its sentences in this language."""
        with self._lock:
            if snapshot is not self._of:
                self._of, self._texts = snapshot, {}
            if language not in self._texts:
                told = encode_snapshot(snapshot)
                self._texts[language] = dump_json(language.translate_value(told) if language else told)
            return self._texts[language]


class EventStreams:
    """The open event streams, never more than `MOST_STREAMS`."""

    def __init__(self, table: Table, encoded: SnapshotEncoder) -> None:
        self._table, self._encoded = table, encoded
        self._lock = Lock()
        self._open: Counter[str] = Counter()

    def reserve(self, address: str) -> bool:
        """Take a place for a listener at this address; False when there is none. Give it back with `leave`."""
        with self._lock:
            if self._open.total() >= MAX_STREAMS or self._open[address] >= MAX_STREAMS_PER_ADDRESS:
                return False
            self._open[address] += 1
            return True

    def release(self, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._open[address] -= 1
            self._open += Counter()  # forgets those who have none

    def stream_events(self, gone: Callable[[], bool], language: MessageCatalog | None = None) -> Iterator[bytes]:
        """What one listener is sent, until it is gone or the table closes. After a fault it may come again."""
        yield b"retry: 1000\n\n"
        try:
            yield from self._newest_snapshots(gone, language)
        except Exception:
            _LOG.exception("A stream has stumbled.")

    def _newest_snapshots(self, gone: Callable[[], bool], language: MessageCatalog | None) -> Iterator[bytes]:
        listener = self._table.subscribe()
        said = time.monotonic()
        while not self._table.is_closed and not gone():
            snapshot = listener.next_snapshot(POLL_INTERVAL_S)
            if snapshot is not None:
                yield f"id: {snapshot.number}\ndata: {self._encoded(snapshot, language)}\n\n".encode()
            elif time.monotonic() - said > KEEP_ALIVE_INTERVAL_S - POLL_INTERVAL_S:
                yield b": still here\n\n"
            else:
                continue
            said = time.monotonic()
