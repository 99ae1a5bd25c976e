"""From the table to its snapshot: all an outsider may know, of one moment. Pure."""

from collections.abc import Collection

from companion.codec import plain
from companion.rules.engine import ENDLESS, seat_names
from companion.snapshot import Advice, Choice, Mark, Pegs, Question, Snapshot
from companion.table import diamond, loops, referee
from companion.table.core import Core
from companion.table.pegging import RIGHT_MS
from companion.table.plan import Plan


def snapshot(core: Core, *, number: int, run: str, moves: int) -> Snapshot:
    """The snapshot `number` of this run."""
    plan, board = core.plan, core.plan.board
    return Snapshot(
        number=number,
        run=run,
        moves=moves,
        game=_game(plan),
        board=plan.board.name,
        settings=core.settings.public(),
        players=plan.players(),
        view=view(core),
        last=core.last,
        pegs=tuple(
            Pegs(seat, board.holes[stand.front].id, board.holes[stand.back].id)
            for seat, stand in zip(core.loop.seats, core.watch.stands or (), strict=False)
        ),
        dues=referee.shown_dues(board, core.dues, core.loop.seats),
        advice=advice(core),
        question=_question(core),
        devices=core.devices,
        notices=core.notices,
        marks=core.marks + _greens(core),
        dice=core.dice,
        markers=None if core.markers is None else diamond.standing(core.markers),
        quarantined=tuple(board.holes[bit].id for bit in sorted(_quarantined(core))),
        lit=_lit(core),
    )


def _greens(core: Core) -> tuple[Mark, ...]:
    """A peg that has been in its due's own hole for a moment is lit green; should it go on, it is due again."""
    holes, until_ms = core.plan.board.holes, core.watch.facts.now_ms + RIGHT_MS
    return tuple(Mark("right", holes[bit].id, until_ms) for bit in sorted(core.watch.green))


def _game(plan: Plan) -> dict[str, object]:
    return {
        "key": plan.game.key,
        "title": plan.game.title,
        "seats": plan.setup.seats,
        "sides": plan.sides,
        "target": None if plan.target == ENDLESS else plan.target,
        "options": dict(plan.setup.options),
    }


def _quarantined(core: Core) -> Collection[int]:
    """The holes that are not believed."""
    return core.watch.quarantined if core.markers is None else core.markers.doubts.holes


def _lit(core: Core) -> tuple[str, ...]:
    """The way as far as the score goes, where nobody pegs it."""
    way, target = core.plan.lit, core.plan.target
    if way is None:
        return ()
    score = min(core.past.state.scores[0], target)
    return tuple(core.plan.board.holes[way.hole(points, target)].id for points in range(1, score + 1))


def advice(core: Core) -> tuple[Advice, ...]:
    """Rules and pegs compared."""
    names = seat_names(core.plan.setup.seats, core.plan.sides)[: core.plan.sides]
    if core.markers is not None:
        return diamond.advice(core.markers, names)
    board, loop = core.plan.board, core.loop
    racing = [names[seat] for seat in loop.seats]
    counted = [tuple(a for a in core.owed if a.seat % core.plan.sides == seat) for seat in loop.seats]
    known = referee.advice(board, core.watch, core.dues, racing, counted)
    return loops.advice(board, loop, core.watch, core.past.state, names, known)


def view(core: Core) -> dict[str, object]:
    """The game's own fields; for the page the dealer is asked in `cut`, `crib` and `between`, nobody in `over`."""
    state = core.past.state
    shown: dict[str, object] = plain(core.plan.game.view(state))
    if "turn" in shown and state.phase in ("cut", "crib", "between", "over"):
        shown["turn"] = None if state.phase == "over" else shown.get("dealer")
    if fallen := loops.fallen(state):
        shown["knocked_out"] = sorted(fallen)
    if core.lying:
        shown["crib" if state.phase == "crib" else "lying"] = plain(core.lying)
    return shown


def _question(core: Core) -> Question | None:
    if core.watch.question is None:
        return None
    asked = loops.asked(core.watch.question, core.loop)
    holes = tuple(core.plan.board.holes[bit].id for bit in asked.holes)
    return Question(asked.why, tuple(Choice(c.say, c.move) for c in asked.choices), asked.seat, holes)
