"""One session's talk with a house: discovery, how the table stands, what was earned, and buttons that it may press."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.common.errors import CompanionError
from companion.common.snapshot import Snapshot
from companion.mqtt.broker_url import board_name, topic
from companion.protocol.json_codec import dumps, plain
from companion.settings import Report
from companion.table.table import Table

STATUS = "homeassistant/status"
"""Where Home Assistant says `online` when it has started, and forgets nothing it is told again."""
REASONS = (
    "his heels", "fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs", "last card",
    "three for last", "muggins", "overclaim", "renege", "false claim", "adjust", "claim", "pegged", "line", "plus",
    "cross", "zigzag", "correct",
)  # fmt: skip
"""Every reason of an award."""
BUTTONS = ("undo", "dice")
"""The buttons that a house may press, where the settings allow it."""
WRONG = ("over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "put_back", "take_off")
"""Kinds of advice that mean that pegs stand wrong."""


def config_topic(board: str) -> str:
    """Where the discovery of a board is kept; an empty payload there removes it."""
    return f"homeassistant/device/{board}/config"


def discovery(club: str, board: str, shown: Snapshot, *, pressable: bool) -> str:
    """What Home Assistant makes a device of."""
    mine = f"cribbage-{club}-{board}"
    names = _sides(shown)

    def part(key: str, platform: str, name: str, **more: Any) -> dict[str, Any]:
        told = {"platform": platform, "unique_id": f"{mine}-{key}", "object_id": f"{board}_{key}".lower(), "name": name}
        if platform in ("sensor", "binary_sensor") and "state_topic" not in more:
            told["state_topic"] = topic(club, board, "now")
        return {**told, **more}

    parts = {
        f"score_{side}": part(f"score_{side}", "sensor", f"Score {name}", icon="mdi:cards-playing",
                              value_template=f"{{{{ value_json.scores[{side}] }}}}")
        for side, name in enumerate(names)
    }  # fmt: skip
    for key, name in (("turn", "Turn"), ("count", "Count"), ("winner", "Winner"), ("phase", "Phase"), ("said", "Said")):
        parts[key] = part(key, "sensor", name, value_template=f"{{{{ value_json.{key} }}}}")
    wrong = "{{ 'ON' if value_json.pegs_wrong else 'OFF' }}"
    parts["pegs_wrong"] = part(
        "pegs_wrong", "binary_sensor", "Pegs wrong", device_class="problem", value_template=wrong
    )
    parts["award"] = part("award", "event", "Award", event_types=REASONS, state_topic=topic(club, board, "award"))
    if pressable:
        for key in BUTTONS:
            press = topic(club, board, "press")
            parts[key] = part(key, "button", key.capitalize(), command_topic=press, payload_press=key)
    there = {"topic": topic(club, board, "online"), "payload_available": "1", "payload_not_available": "0"}
    parts["connected"] = part(
        "connected", "binary_sensor", "Connected", device_class="connectivity", payload_on="1", payload_off="0",
        state_topic=there["topic"], availability=[],
    )  # fmt: skip
    told = {
        "device": {"identifiers": [mine], "name": f"Cribbage {board}", "manufacturer": "cribbage companion"},
        "origin": {"name": "cribbage companion"},
        "availability": [there],
        "components": parts,
    }
    return dumps(plain(told))


def now(shown: Snapshot) -> str:
    """How the table stands."""
    view, names = shown.view, [each["name"] for each in shown.players]
    turn, winner, sides = view.get("turn"), view.get("winner"), _sides(shown)
    said = (shown.last or {}).get("said") or [""]
    return dumps(
        {
            "game": shown.game["title"],
            "phase": view["phase"],
            "scores": plain(view["scores"]),
            "turn": names[turn] if isinstance(turn, int) else "",
            "count": view.get("count", 0),
            "winner": sides[winner] if isinstance(winner, int) and winner < len(sides) else "",
            "pegs_wrong": shown.question is not None or any(each.kind in WRONG for each in shown.advice),
            "said": " ".join(map(str, said))[:250],
        }
    )


def award(shown: Snapshot) -> str:
    """What the last move has earned, its last item; empty where it has earned nothing."""
    last: Mapping[str, Any] = shown.last or {}
    awards: Sequence[Any] = plain(last.get("awards") or [])
    if not awards:
        return ""
    newest = awards[-1]
    seat = newest["seat"]
    total = sum(each["points"] for each in awards if each["seat"] == seat)
    name = shown.players[seat]["name"] if seat < len(shown.players) else ""
    return dumps(
        {"event_type": newest["reason"], "seat": seat, "name": name, "points": newest["points"], "total": total}
    )


def _sides(shown: Snapshot) -> list[str]:
    """What each side is called: by its players."""
    sides = len(shown.view["scores"])
    named = [[each["name"] for each in shown.players if each["side"] == side] for side in range(sides)]
    return [" & ".join(each) or f"side {side + 1}" for side, each in enumerate(named)]


if TYPE_CHECKING:
    from companion.mqtt.connection import Connection, Message

PAUSE_S = 0.2
"""The table is told of at most so often: a house needs the newest only."""


class Household:
    """For the thread that reports, from the begin of a session to its end."""

    def __init__(self, line: "Connection", table: Table, report: Report) -> None:
        """Listen to the house; where it is to forget the board, take back what it was told."""
        self._line, self._table, self._report = line, table, report
        self._club, self._board = report.club, board_name(report)
        self._said: dict[str, str] = {}
        self._moves, self._next_s = table.snapshot.moves, 0.0
        self._press = topic(self._club, self._board, "press")
        if report.home_assistant == "remove":
            line.publish(config_topic(self._board), "", is_kept=True)
        elif report.home_assistant == "on":
            line.subscribe(STATUS, *([self._press] if report.buttons == "on" else []))

    def heard(self, message: "Message") -> bool:
        """Whether it was for the house."""
        if message.topic == STATUS:
            if message.payload == b"online":
                self._said.clear()
            return True
        if message.topic != self._press:
            return False
        pressed = message.payload.decode(errors="replace")
        if pressed in BUTTONS and not message.is_kept and self._report.buttons == "on":
            with suppress(CompanionError):
                self._table.pressed(pressed)
        return True

    def tell(self) -> None:
        """What is new since it was last told."""
        if self._report.home_assistant != "on" or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + PAUSE_S
        shown: Snapshot = self._table.snapshot
        pressable = self._report.buttons == "on"
        self._kept(config_topic(self._board), discovery(self._club, self._board, shown, pressable=pressable))
        self._kept(topic(self._club, self._board, "now"), now(shown))
        if shown.moves > self._moves and (told := award(shown)):
            self._line.publish(topic(self._club, self._board, "award"), told)
        self._moves = shown.moves

    def _kept(self, where: str, text: str) -> None:
        if self._said.get(where) != text:
            self._line.publish(where, text, is_kept=True)
            self._said[where] = text
