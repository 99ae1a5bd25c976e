"""The event stream: each listener gets the present snapshot at once, then the newest whenever there is one."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock

from companion.common.snapshot import Snapshot
from companion.i18n.catalog import Catalogue
from companion.protocol.json_codec import dumps, snapshot_json
from companion.table.table import Table

MOST_STREAMS = 64
"""Beyond these the page polls: every stream holds a thread."""

MOST_FROM_ONE = 60
"""Streams of one address, behind which there may be a whole club: some are left for the others."""

KEEP_ALIVE_S = 12.0
LOOK_S = 2.0
"""How often a quiet stream looks whether its listener is still there."""

_LOG = logging.getLogger(__name__)


class Encoded:
    """Snapshots as JSON text, each made once for all who ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: Snapshot | None = None
        self._texts: dict[Catalogue | None, str] = {}

    def __call__(self, snapshot: Snapshot, language: Catalogue | None = None) -> str:
        """The JSON of this snapshot, its sentences in this language."""
        with self._lock:
            if snapshot is not self._of:
                self._of, self._texts = snapshot, {}
            if language not in self._texts:
                told = snapshot_json(snapshot)
                self._texts[language] = dumps(language.value(told) if language else told)
            return self._texts[language]


class Streams:
    """The open event streams, never more than `MOST_STREAMS`."""

    def __init__(self, table: Table, encoded: Encoded) -> None:
        self._table, self._encoded = table, encoded
        self._lock = Lock()
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Take a place for a listener at this address; False when there is none. Give it back with `leave`."""
        with self._lock:
            if self._open.total() >= MOST_STREAMS or self._open[address] >= MOST_FROM_ONE:
                return False
            self._open[address] += 1
            return True

    def leave(self, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._open[address] -= 1
            self._open += Counter()  # forgets those who have none

    def events(self, gone: Callable[[], bool], language: Catalogue | None = None) -> Iterator[bytes]:
        """What one listener is sent, until it is gone or the table closes. After a fault it may come again."""
        yield b"retry: 1000\n\n"
        try:
            yield from self._newest(gone, language)
        except Exception:
            _LOG.exception("A stream has stumbled.")

    def _newest(self, gone: Callable[[], bool], language: Catalogue | None) -> Iterator[bytes]:
        listener = self._table.listen()
        said = time.monotonic()
        while not self._table.closed and not gone():
            snapshot = listener.newest(LOOK_S)
            if snapshot is not None:
                yield f"id: {snapshot.number}\ndata: {self._encoded(snapshot, language)}\n\n".encode()
            elif time.monotonic() - said > KEEP_ALIVE_S - LOOK_S:
                yield b": still here\n\n"
            else:
                continue
            said = time.monotonic()
