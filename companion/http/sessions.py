"""Browser sessions of the players' phones, saved beside the journal.

Each session has a cookie of its own, so that it can be ended alone. Only the hash of the cookie is saved: reading the
file does not make anyone a player. The file also has the id that names the cookie.
"""

import hashlib
import json
import re
import secrets
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.common.files import write_private_file

MAX_SESSIONS = 100
"""Maximum number of sessions. A new one replaces the one that was not seen for longest."""

_ID_BYTES = 8
_ID_PATTERN = re.compile(r"[0-9a-f]{16}")
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_BROWSERS = ("Edg", "Firefox", "Chrome", "Safari")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A browser that has opened the join link. Times are ISO 8601 in UTC. The fields are keys of the file."""

    id: int
    name: str
    joined: str
    seen: str
    mark: str
    """The hash of its cookie, see `browser_mark`."""


class SessionStore:
    """All sessions. Any thread may call it."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` is the file of the sessions; None keeps them in memory only."""
        self._path = path
        self._lock = threading.Lock()
        self.id, sessions = _load_file(path) if path else ("", [])
        """Names the players' cookie of this table or club. Saved with the first session."""
        self._sessions = {each.mark: each for each in sessions}
        if not self.id:
            self.id = secrets.token_hex(_ID_BYTES)
            if self._sessions:  # of a version without id
                self._save_sessions()

    def open_session(self, value: str, agent: str) -> str:
        """Return the cookie for a browser that opens the join link: its present one if that is known, else a new one.

        `value` is its present cookie, `agent` its `User-Agent`.
        """
        if self.find_session(value):
            return value
        value = secrets.token_urlsafe(24)
        now, mark = _utc_now(), browser_mark(value)
        with self._lock:
            number = max((each.id for each in self._sessions.values()), default=0) + 1
            if len(self._sessions) >= MAX_SESSIONS:
                del self._sessions[min(self._sessions.values(), key=lambda each: each.seen).mark]
            self._sessions[mark] = BrowserSession(number, _browser_name(agent), now, now, mark)
            self._save_sessions()
        return value

    def find_session(self, value: str) -> BrowserSession | None:
        """Return the session of this cookie and update the time it was seen; None if there is none."""
        mark = browser_mark(value)
        with self._lock:
            found = self._sessions.get(mark)
            if found:
                found = self._sessions[mark] = replace(found, seen=_utc_now())
            return found

    def end_session(self, number: int) -> bool:
        """End the session with this id. Return False if there is none."""
        with self._lock:
            found = next((each for each in self._sessions.values() if each.id == number), None)
            if found:
                del self._sessions[found.mark]
                self._save_sessions()
            return found is not None

    def end_other_sessions(self, own: str) -> None:
        """End all sessions but the one of this cookie."""
        mine = browser_mark(own)
        with self._lock:
            self._sessions = {mark: each for mark, each in self._sessions.items() if mark == mine}
            self._save_sessions()

    def list_sessions(self, own: str) -> list[dict[str, Any]]:
        """Return all sessions as JSON, newest first; `you` is true for the one of the cookie `own`."""
        mine = browser_mark(own)
        with self._lock:
            sessions = sorted(self._sessions.values(), key=lambda each: -each.id)
        return [{k: v for k, v in asdict(s).items() if k != "mark"} | {"you": s.mark == mine} for s in sessions]

    def _save_sessions(self) -> None:
        if self._path is None:
            return
        with suppress(OSError):  # with a full disk, the phone must join again after the next start
            content = {"id": self.id, "phones": [asdict(each) for each in self._sessions.values()]}
            write_private_file(self._path, json.dumps(content))


def _load_file(path: Path) -> tuple[str, list[BrowserSession]]:
    """Return id and sessions of a file; none if it is damaged. Older versions wrote a list, without id."""
    try:
        content = json.loads(path.read_text("utf-8"))
        store_id, phones = ("", content) if isinstance(content, list) else (content["id"], content["phones"])
        sessions = [BrowserSession(**each) for each in phones]
        is_valid = not store_id or _ID_PATTERN.fullmatch(store_id)
    except (OSError, LookupError, ValueError, TypeError):
        return "", []
    return (store_id, [each for each in sessions if _is_valid(each)]) if is_valid else ("", [])


def _is_valid(session: BrowserSession) -> bool:
    texts = (session.name, session.joined, session.seen, session.mark)
    return type(session.id) is int and all(isinstance(text, str) for text in texts)


def browser_mark(value: str) -> str:
    """Return the SHA-256 of a cookie, by which the program knows the browser."""
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _browser_name(agent: str) -> str:
    """Return a name for people, such as "Firefox on Android", from a `User-Agent`."""
    system = next((each for each in _SYSTEMS if each in agent), "")
    browser = next((each for each in _BROWSERS if re.search(rf"\b{each}\w*/", agent)), "")
    names = {"Edg": "Edge", "Macintosh": "Mac", "CrOS": "Chromebook"}
    words = [names.get(each, each) for each in (browser, system) if each]
    return " on ".join(words) or "A program"
