"""What a house is told: Home Assistant's discovery, how the table stands now, and what was last earned. Pure.

All of it is of the snapshot, which everybody at the table sees. docs/how-to/home-assistant.md is the house's side.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.codec import dumps, plain
from companion.reporting.address import topic
from companion.snapshot import Snapshot

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
