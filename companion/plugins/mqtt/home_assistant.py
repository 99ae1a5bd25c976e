"""Home Assistant over MQTT: discovery, the state of the table, awards, and buttons that it may press.

Everything published comes from the snapshot, which everyone at the table sees. docs/how-to/home-assistant.md describes
the setup.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.common.errors import CompanionError
from companion.common.snapshot import Snapshot
from companion.plugins.mqtt import DEFAULT_CLUB, ReportSettings
from companion.plugins.mqtt.broker_url import board_name, board_topic
from companion.protocol.json_codec import dump_json, to_json_value
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.plugins.mqtt.connection import MqttConnection, ReceivedMessage

UPDATE_INTERVAL_S = 0.2
"""Shortest interval in s between two publications of the state."""
STATUS_TOPIC = "homeassistant/status"
"""Home Assistant publishes `online` here when it has started; the state is then published again."""
AWARD_REASONS = (
    "his heels", "fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs", "last card",
    "three for last", "muggins", "overclaim", "renege", "false claim", "adjust", "claim", "pegged", "line", "plus",
    "cross", "zigzag", "correct",
)  # fmt: skip
"""Every reason of an award."""
PRESSABLE_BUTTONS = ("undo", "dice")
"""The buttons that Home Assistant may press if the settings allow it."""
WRONG_PEG_ADVICE = ("over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "put_back", "take_off")
"""Kinds of advice that mean that a peg is in a wrong hole."""


def config_topic(club: str, board: str) -> str:
    """Return the discovery topic of a board. An empty retained payload there removes the board.

    It contains the club, if one is set: boards of two clubs may have the same name.
    """
    return "/".join(("homeassistant/device", *([] if club == DEFAULT_CLUB else [club]), board, "config"))


def discovery_payload(club: str, board: str, snapshot: Snapshot, *, pressable: bool) -> str:
    """Return the discovery payload, from which Home Assistant creates a device."""
    identifier_prefix = f"cribbage-{club}-{board}"
    entity_prefix = board.lower().replace("-", "_")
    online, now, award, press = (board_topic(club, board, name) for name in ("online", "now", "award", "press"))
    wrong_template = "{{ 'ON' if value_json.pegs_wrong else 'OFF' }}"
    entities: list[tuple[str, str, str, dict[str, Any]]] = [
        *((f"score_{side}", "sensor", f"Score {name}", {
            "icon": "mdi:cards-playing", "state_topic": now, "value_template": f"{{{{ value_json.scores[{side}] }}}}",
        }) for side, name in enumerate(_side_names(snapshot))),
        *((key, "sensor", key.capitalize(), {"state_topic": now, "value_template": f"{{{{ value_json.{key} }}}}"})
          for key in ("turn", "count", "winner", "phase", "said")),
        ("pegs_wrong", "binary_sensor", "Pegs wrong", {
            "device_class": "problem", "state_topic": now, "value_template": wrong_template,
        }),
        ("award", "event", "Award", {"event_types": AWARD_REASONS, "state_topic": award}),
        ("connected", "binary_sensor", "Connected", {
            "device_class": "connectivity", "payload_on": "1", "payload_off": "0", "state_topic": online,
            "availability": [],
        }),
        *((key, "button", key.capitalize(), {"command_topic": press, "payload_press": key})
          for key in PRESSABLE_BUTTONS if pressable),
    ]  # fmt: skip
    components = {
        key: {
            "platform": platform,
            "unique_id": f"{identifier_prefix}-{key}",
            "default_entity_id": f"{platform}.{entity_prefix}_{key}",
            "object_id": f"{entity_prefix}_{key}",  # before Home Assistant 2025.10
            "name": name,
            **more,
        }
        for key, platform, name, more in entities
    }
    payload = {
        "device": {
            "identifiers": [identifier_prefix], "name": f"Cribbage {board}", "manufacturer": "cribbage companion",
        },
        "origin": {"name": "cribbage companion"},
        "availability": [{"topic": online, "payload_available": "1", "payload_not_available": "0"}],
        "components": components,
    }  # fmt: skip
    return dump_json(to_json_value(payload))


def state_payload(snapshot: Snapshot) -> str:
    view, names = snapshot.view, [player["name"] for player in snapshot.players]
    turn, winner, sides = view.get("turn"), view.get("winner"), _side_names(snapshot)
    last_said = (snapshot.last or {}).get("said") or [""]
    return dump_json(
        {
            "game": snapshot.game["title"],
            "phase": view["phase"],
            "scores": to_json_value(view["scores"]),
            "turn": names[turn] if isinstance(turn, int) else "",
            "count": view.get("count", 0),
            "winner": sides[winner] if isinstance(winner, int) and winner < len(sides) else "",
            "pegs_wrong": snapshot.question is not None
            or any(advice.kind in WRONG_PEG_ADVICE for advice in snapshot.advice),
            "said": " ".join(map(str, last_said))[:250],
        }
    )


def award_payload(snapshot: Snapshot) -> str:
    """Return the payload of the last award of the last move, or "" if it earned nothing."""
    last: Mapping[str, Any] = snapshot.last or {}
    awards: Sequence[Any] = to_json_value(last.get("awards") or [])
    if not awards:
        return ""
    newest = awards[-1]
    seat = newest["seat"]
    total = sum(award["points"] for award in awards if award["seat"] == seat)
    name = snapshot.players[seat]["name"] if seat < len(snapshot.players) else ""
    return dump_json(
        {"event_type": newest["reason"], "seat": seat, "name": name, "points": newest["points"], "total": total}
    )


def _side_names(snapshot: Snapshot) -> list[str]:
    """Return the name of each side: the names of its players."""
    sides = len(snapshot.view["scores"])
    names_by_side = [[player["name"] for player in snapshot.players if player["side"] == side] for side in range(sides)]
    return [" & ".join(names) or f"side {side + 1}" for side, names in enumerate(names_by_side)]


class HomeAssistantSession:
    """The Home Assistant part of one MQTT session. Used by the publisher's thread only."""

    def __init__(self, connection: "MqttConnection", table: Table, report: ReportSettings) -> None:
        """Subscribe to Home Assistant or, if the setting is `remove`, remove the board from it."""
        self._connection, self._table, self._report = connection, table, report
        self._club, self._board = report.club, board_name(report)
        self._published: dict[str, str] = {}
        self._moves, self._next_s = table.subscribe_to_moves(), 0.0
        self._press = board_topic(self._club, self._board, "press")
        if report.home_assistant == "remove":
            connection.publish(config_topic(self._club, self._board), "", is_retained=True)
        elif report.home_assistant == "on":
            connection.subscribe(STATUS_TOPIC, *([self._press] if report.buttons == "on" else []))

    def on_message(self, message: "ReceivedMessage") -> bool:
        """Handle a message. Returns whether it was for Home Assistant."""
        if message.topic == STATUS_TOPIC:
            if message.payload == b"online":
                self._published.clear()
            return True
        if message.topic != self._press:
            return False
        pressed = message.payload.decode(errors="replace")
        if pressed in PRESSABLE_BUTTONS and not message.is_retained and self._report.buttons == "on":
            with suppress(CompanionError):
                self._table.on_press(pressed)
        return True

    def publish_changes(self) -> None:
        """Publish every award since the last call and, at intervals, the present state."""
        if self._report.home_assistant != "on":
            return
        if not self._published or time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + UPDATE_INTERVAL_S
            snapshot: Snapshot = self._table.snapshot
            pressable = self._report.buttons == "on"
            self._publish_retained(
                config_topic(self._club, self._board),
                discovery_payload(self._club, self._board, snapshot, pressable=pressable),
            )
            self._publish_retained(board_topic(self._club, self._board, "now"), state_payload(snapshot))
        for after_move in self._moves.take_snapshots():
            if award := award_payload(after_move):
                self._connection.publish(board_topic(self._club, self._board, "award"), award)

    def _publish_retained(self, topic: str, text: str) -> None:
        if self._published.get(topic) != text:
            self._connection.publish(topic, text, is_retained=True)
            self._published[topic] = text
