"""Sounds of the buzzer for a new snapshot: right, wrong or won. Pure.

Sounds only repeat what the lights show, for players who look elsewhere.
"""

from typing import Literal

from companion.common.snapshot import Snapshot

Sound = Literal["right", "wrong", "win"]

_WRONG_KINDS = frozenset({"over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged"})
"""The kinds of advice that are lit red."""


def choose_sound(before: Snapshot | None, now: Snapshot) -> Sound | None:
    """Return the sound for the snapshot `now` after `before`; None for silence, also for the first snapshot."""
    if before is None or before.run != now.run:
        return None
    if now.view.get("winner") is not None and before.view.get("winner") is None:
        return "win"
    if _find_wrong_advice(now) - _find_wrong_advice(before):
        return "wrong"
    is_right = any(effect.kind == "right" and effect not in before.light_effects for effect in now.light_effects)
    return "right" if is_right or set(now.green_holes) - set(before.green_holes) else None


def _find_wrong_advice(shown: Snapshot) -> set[tuple[str, int | None, str | None]]:
    return {(each.kind, each.seat, each.hole) for each in shown.advice if each.kind in _WRONG_KINDS}
