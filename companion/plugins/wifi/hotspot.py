"""When to open the machine's own network, when to close it, and how an attempt to join another one ends. Pure.

Times are in milliseconds of a monotonic clock.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

OPEN_AFTER_MS = 60_000
"""Time without a known network after which the own one opens."""
RETRY_AFTER_MS = 300_000
"""Time without visitors after which the own network closes for `OPEN_AFTER_MS`: while it is open, the radio cannot look
for known networks."""
JOIN_TIMEOUT_MS = 45_000
"""Longest time to join a network: it includes a wrong password and a slow router."""

HOTSPOT_ADDRESS = "10.42.0.1"
"""Address of this machine in its own network."""

_NAME_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are hard to confuse on a printed label."""


class Phase(Enum):
    """What the Wi-Fi is doing."""

    CONNECTED = "connected"
    SEARCHING = "searching"
    OPEN = "open"
    JOINING = "joining"


class Action(Enum):
    """What the network manager must do after a step."""

    OPEN = "open"
    CLOSE = "close"
    REOPEN = "reopen"
    """Forget the network that could not be joined, and open the own one again."""


class JoinResult(Enum):
    """State of an attempt to join a network."""

    PENDING = "pending"
    JOINED = "joined"
    FAILED = "failed"


class Observation(NamedTuple):
    """What a look at the network manager shows. `is_connected` ignores the own network."""

    is_connected: bool
    has_visitors: bool = False
    join_result: JoinResult = JoinResult.PENDING


@dataclass(frozen=True, slots=True)
class Hotspot:
    """State of the Wi-Fi. `since_ms` is the start of the phase or, while the own network is open, its last use.

    `network` is the one that is being joined, or that could not be joined if `has_failed`.
    """

    phase: Phase
    since_ms: int
    network: str = ""
    has_failed: bool = False

    def advance(self, seen: Observation, now_ms: int) -> tuple["Hotspot", Action | None]:
        waited_ms = now_ms - self.since_ms
        step: tuple[Hotspot, Action | None] = self, None
        match self.phase:
            case Phase.CONNECTED if not seen.is_connected:
                step = Hotspot(Phase.SEARCHING, now_ms), None
            case Phase.SEARCHING if seen.is_connected:
                step = Hotspot(Phase.CONNECTED, now_ms), None
            case Phase.SEARCHING if waited_ms >= OPEN_AFTER_MS:
                step = replace(self, phase=Phase.OPEN, since_ms=now_ms), Action.OPEN
            case Phase.OPEN if seen.is_connected:
                step = Hotspot(Phase.CONNECTED, now_ms), Action.CLOSE
            case Phase.OPEN if seen.has_visitors:
                step = replace(self, since_ms=now_ms), None
            case Phase.OPEN if waited_ms >= RETRY_AFTER_MS:
                step = replace(self, phase=Phase.SEARCHING, since_ms=now_ms), Action.CLOSE
            case Phase.JOINING if seen.join_result is JoinResult.JOINED:
                step = Hotspot(Phase.CONNECTED, now_ms), None
            case Phase.JOINING if seen.join_result is JoinResult.FAILED or waited_ms >= JOIN_TIMEOUT_MS:
                step = Hotspot(Phase.OPEN, now_ms, self.network, has_failed=True), Action.REOPEN
        return step

    def start_joining(self, network: str, now_ms: int) -> "Hotspot":
        return Hotspot(Phase.JOINING, now_ms, network)

    def fail_to_act(self, now_ms: int) -> "Hotspot":
        """Return the state after an action has failed: search, and open the own network after another minute."""
        return replace(self, phase=Phase.SEARCHING, since_ms=now_ms)


def hotspot_name(choose: Callable[[str], str]) -> str:
    """Return a name for the own network. `choose` returns one character of a text."""
    return "Cribbage-" + "".join(choose(_NAME_ALPHABET) for _ in range(4))


def hotspot_password(choose: Callable[[str], str]) -> str:
    """Return a password for the own network: twelve characters have 59 bits. `choose` must be unpredictable."""
    return "".join(choose(_NAME_ALPHABET) for _ in range(12))


def is_network_name(name: str) -> bool:
    """Return whether a Wi-Fi network may have this name: 1 to 32 bytes."""
    return 1 <= len(name.encode("utf-8", "replace")) <= 32 and name.isprintable()


def is_network_password(password: str) -> bool:
    """Return whether this is a password of WPA, 64 hexadecimal digits of a key, or empty for an open network."""
    return re.fullmatch(r"|[ -~]{8,63}|[0-9A-Fa-f]{64}", password) is not None
