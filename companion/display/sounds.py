"""What a table's buzzer says of what has just become known: right, wrong, or won. Pure.

It says no more than the lights do, for whoever looks elsewhere; without it nothing is missed.
"""

from typing import Literal

from companion.common.snapshot import Snapshot

Sound = Literal["right", "wrong", "win"]

_WRONG_KINDS = frozenset({"over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged"})
"""The kinds of advice that are lit red."""


def choose_sound(before: Snapshot | None, now: Snapshot) -> Sound | None:
    """What to sound when `now` is seen after `before`; None for nothing, and for the first snapshot of all."""
    if before is None or before.run != now.run:
        return None
    if now.view.get("winner") is not None and before.view.get("winner") is None:
        return "win"
    if _find_wrong_advice(now) - _find_wrong_advice(before):
        return "wrong"
    righted = any(mark.kind == "right" and mark not in before.light_effects for mark in now.light_effects)
    return "right" if righted or set(now.green_holes) - set(before.green_holes) else None


def _find_wrong_advice(shown: Snapshot) -> set[tuple[str, int | None, str | None]]:
    return {(each.kind, each.seat, each.hole) for each in shown.advice if each.kind in _WRONG_KINDS}
