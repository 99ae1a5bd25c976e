"""The players' phones: which browsers have joined, each known by a cookie of its own, so that each can be ended alone.

They are kept beside the journal. A value is kept as its hash only: who reads the file is no player by that.
"""

import hashlib
import json
import os
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MAX_SESSIONS = 100
"""Phones that are remembered; one more takes the place of the one unseen for longest."""

_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_BROWSERS = ("Edg", "Firefox", "Chrome", "Safari")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One browser that has joined; times are ISO 8601, UTC."""

    id: int
    name: str
    joined: str
    seen: str
    mark: str
    """The hash of its cookie's value."""


class SessionStore:
    """The phones that have joined. For any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """Kept in this file; with None they are forgotten at the end."""
        self._path = path
        self._lock = threading.Lock()
        self._phones = {each.mark: each for each in _load_sessions(path)} if path else {}

    def open_session(self, value: str, agent: str) -> str:
        """A phone has opened the join link: the value of its cookie, which is the one it has if it is known already."""
        if self.find_session(value):
            return value
        value = secrets.token_urlsafe(24)
        now, mark = _utc_now(), browser_mark(value)
        with self._lock:
            number = max((each.id for each in self._phones.values()), default=0) + 1
            if len(self._phones) >= MAX_SESSIONS:
                del self._phones[min(self._phones.values(), key=lambda each: each.seen).mark]
            self._phones[mark] = BrowserSession(number, _browser_name(agent), now, now, mark)
            self._save_sessions()
        return value

    def find_session(self, value: str) -> BrowserSession | None:
        """The phone with this value, seen just now; None where it is nobody's."""
        mark = browser_mark(value)
        with self._lock:
            found = self._phones.get(mark)
            if found:
                found = self._phones[mark] = replace(found, seen=_utc_now())
            return found

    def end_session(self, number: int) -> bool:
        """Make this phone a watcher's again; False where there is none with this number."""
        with self._lock:
            found = next((each for each in self._phones.values() if each.id == number), None)
            if found:
                del self._phones[found.mark]
                self._save_sessions()
            return found is not None

    def end_other_sessions(self, own: str) -> None:
        """Make all phones watchers' again but the one with this value."""
        mine = browser_mark(own)
        with self._lock:
            self._phones = {mark: each for mark, each in self._phones.items() if mark == mine}
            self._save_sessions()

    def list_sessions(self, own: str) -> list[dict[str, Any]]:
        """All of them, the newest first; `own` is the value of who asks."""
        mine = browser_mark(own)
        with self._lock:
            every = sorted(self._phones.values(), key=lambda each: -each.id)
        return [{k: v for k, v in asdict(p).items() if k != "mark"} | {"you": p.mark == mine} for p in every]

    def _save_sessions(self) -> None:
        if self._path is None:
            return
        new = self._path.with_suffix(".phones.new")
        with suppress(OSError):  # on a full disk who joins now must join again after the next start
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
                json.dump([asdict(each) for each in self._phones.values()], out)
                out.flush()
                os.fsync(out.fileno())
            new.replace(self._path)


def _load_sessions(path: Path) -> Iterator[BrowserSession]:
    """The phones in a file; of what is no such file none, so that nobody is a player by a damage."""
    try:
        found = [BrowserSession(**each) for each in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return
    for each in found:
        texts = (each.name, each.joined, each.seen, each.mark)
        if type(each.id) is int and all(isinstance(text, str) for text in texts):
            yield each


def browser_mark(value: str) -> str:
    """The mark by which the browser with this cookie value is known here: who reads it is no player by that."""
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _browser_name(agent: str) -> str:
    """What a person calls this browser, from its `User-Agent`: "Firefox on Android"."""
    kind = next((each for each in _SYSTEMS if each in agent), "")
    browser = next((each for each in _BROWSERS if re.search(rf"\b{each}\w*/", agent)), "")
    named = {"Edg": "Edge", "Macintosh": "Mac", "CrOS": "Chromebook"}
    words = [named.get(each, each) for each in (browser, kind) if each]
    return " on ".join(words) or "A program"
