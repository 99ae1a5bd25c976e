"""From the table to its snapshot: all an outsider may know, of one moment. Pure."""

from companion.codec import plain
from companion.snapshot import Snapshot
from companion.table.core import Core


def snapshot(core: Core, *, number: int, run: str, moves: int) -> Snapshot:
    """The snapshot `number` of this run."""
    return Snapshot(
        number=number,
        run=run,
        moves=moves,
        settings=core.settings.public(),
        view=view(core),
        last=core.last,
        advice=core.course.advice(),
        devices=core.devices,
        notices=core.notices,
        marks=core.marks,
        dice=core.dice,
        **core.plan.told,
        **core.course.pegs()._asdict(),
    )


def view(core: Core) -> dict[str, object]:
    """The game's own fields; for the page the dealer is asked in `cut`, `crib` and `between`, nobody in `over`."""
    state = core.past.state
    shown: dict[str, object] = plain(core.plan.game.view(state))
    if "turn" in shown and state.phase in ("cut", "crib", "between", "over"):
        shown["turn"] = None if state.phase == "over" else shown.get("dealer")
    if fallen := core.plan.game.racing(state).fallen:
        shown["knocked_out"] = sorted(fallen)
    if core.lying:
        shown["crib" if state.phase == "crib" else "lying"] = plain(core.lying)
    return shown
