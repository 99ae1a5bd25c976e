"""What the pegs mean to the rules: the moves that a peg event is. Pure.

In pegs-only the pegs are the score. Where the players count, a peg moved ahead is its side's claim. In all other
games the pegs only confirm what the rules know.
"""

from typing import Any

from companion.board.events import Event, Pegged, Started, Undone
from companion.board.race.pegs import Watch
from companion.rules.engine import Game, History
from companion.rules.moves import Adjust, Claim, Move, Next, Peg, Undo
from companion.table.plan import Plan


def moves(plan: Plan, past: History[Any], watch: Watch, event: Event, sides: tuple[int, ...]) -> tuple[Move, ...]:
    """The moves that this event is; they may still be refused. `sides` are those who race, by their place."""
    pegs_only = plan.game.pegs == "score"
    if watch.stands is not None and isinstance(event, Pegged | Undone):
        side = sides[event.seat]
        points = watch.stands[event.seat].front_points - past.state.scores[side]
        if pegs_only:
            return _pegged(past, event, points)
        seat = claimant(plan.game, past, side, plan.sides)
        return (Claim(seat, points),) if isinstance(event, Pegged) and points > 0 and seat is not None else ()
    return _anew(past) if pegs_only and isinstance(event, Started) else ()


def claimant(game: Game[Any], past: History[Any], side: int, sides: int) -> int | None:
    """Who of a side may claim now: partners share their pegs."""
    return next((seat for seat in game.claimants(past.state) if seat % sides == side), None)


def _pegged(past: History[Any], event: Pegged | Undone, points: int) -> tuple[Move, ...]:
    if isinstance(event, Undone):
        return _taken_back(past, event.seat, points)
    return (Peg(event.seat, points),) if points > 0 else ()


def _anew(past: History[Any]) -> tuple[Move, ...]:
    """All pegs are back in the start holes: a new game, or the one that runs from its start."""
    scores: tuple[int, ...] = past.state.scores
    if past.state.phase == "over":
        return (Next(),)
    return tuple(Adjust(side, -score) for side, score in enumerate(scores) if score)


def _taken_back(past: History[Any], seat: int, points: int) -> tuple[Move, ...]:
    """An undo where that is just what the pegs show, else an adjustment."""
    if points == 0:
        return ()
    wanted = tuple(s + points if side == seat else s for side, s in enumerate(past.state.scores))
    before = past.before
    return (Undo(),) if before is not None and before.state.scores == wanted else (Adjust(seat, points),)
