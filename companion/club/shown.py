"""What the room's page shows, in one answer: read from the store once, for however many phones ask."""

import threading
import time
from typing import Any

from flask import Response

from companion.club import room
from companion.club.events import Events
from companion.club.store import Store
from companion.codec import dumps
from companion.server.answer import Text
from companion.words.catalogue import Catalogue

FRESH_S = 0.25
"""An answer is good for so long: forty phones cost the store what two do."""
RESULTS = 12
REFUSED = 20
"""Of results and refusals the page shows the newest."""
_MOST_KEPT = 20


class Shown:
    """For any thread."""

    def __init__(self, store: Store, events: Events) -> None:
        self._store, self._events = store, events
        self._lock = threading.Lock()
        self._kept: dict[tuple[int | None, Catalogue | None], tuple[float, Text]] = {}

    def answer(self, event: int | None, language: Catalogue | None) -> Response:
        """The room with this event, or the newest; 304 where the phone has it. Raises IllegalMove for no such event."""
        with self._lock:
            since_s, text = self._kept.get((event, language), (0.0, None))
            if text is None or time.monotonic() - since_s > FRESH_S:
                told = self._told(event)
                text = Text(dumps(language.value(told) if language else told).encode())
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.clear()
                self._kept[event, language] = time.monotonic(), text
        return text.answer()

    def _told(self, event: int | None) -> dict[str, Any]:
        events, health = self._events.listed(), room.health(self._store)
        if event is None and events:
            event = events[0]["id"]
        everybody = {"event": None, "standings": room.everybody(self._store) if event is None else [], "games": []}
        return {
            "tables": room.tables(self._store),
            "results": room.results(self._store, most=RESULTS),
            "health": health | {"refused": health["refused"][:REFUSED], "amiss": len(health["refused"])},
            "events": events,
            **(everybody if event is None else self._events.told(event)),
        }
