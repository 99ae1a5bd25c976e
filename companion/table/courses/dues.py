"""Pegs against cards: what is due, what is advised, and which moves of the game the pegs have made. Pure.

Rules know no pegs and pegs know no rules: here the scores are compared with where the pegs are known to stand. Dues
and advice are described in docs/reference/http.md. A seat is, but for `moves`, the place among those who race.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.boards.board import Lane
from companion.boards.catalog import Hole
from companion.common.constants import IMPOSSIBLE
from companion.common.snapshot import Advice, AdviceKind
from companion.i18n import Sentence, phrase, say
from companion.pegs import reader
from companion.pegs.events import Event, Pegged, Started, Undone
from companion.pegs.levels import Facts
from companion.pegs.reader import PegDue, Stand, Watch
from companion.rules import narration
from companion.rules.engine import PUT_RIGHT, Award, History
from companion.rules.moves import Adjust, Also, Claim, Move, Next, Peg, Undo
from companion.table.courses.course import Counted
from companion.table.setup import Plan


def dues(facts: Facts, scores: Sequence[int], by_front: Collection[int] = ()) -> tuple[PegDue, ...]:
    """What each side has still to peg, at most one due a side; nothing before the pegs have been set up.

    Going ahead, the sides of `by_front` move their front peg, all others the back one. Where the due's hole is taken,
    the peg waits in a free start hole of its side; where that has none, the peg stays: `lift` and `place` are one hole.
    """
    found = []
    for side, (stand, score) in enumerate(zip(facts.stands or (), scores, strict=False)):
        if score != stand.front_points:
            lift, place = _way(facts, side, score, front=side in by_front)
            if _taken(facts, side, place, lift):
                place = next((h for h in facts.ground.lanes[side].route.start if h not in stand.holes), lift)
            found.append(PegDue(side, score - stand.front_points, lift, place))
    return tuple(found)


def _way(facts: Facts, side: int, score: int, *, front: bool = False) -> tuple[int, int]:
    """The hole of the peg to be moved for a score, and the hole it belongs in, taken or not."""
    assert facts.stands is not None
    stand, lane = facts.stands[side], facts.ground.lanes[side]
    if score > stand.front_points:
        return stand.front if front or waits(lane, stand) else stand.back, lane.hole(score)
    if score == 0 and stand.holes == lane.start.holes:
        return stand.front, stand.front  # home already, from whatever it waited or stood there with
    earlier = next((past for past in reversed(facts.past[side]) if past.front_points == score), None)
    if earlier is not None and stand.back == earlier.front:
        return stand.front, earlier.back
    if stand.back_points < score or (score == 0 and stand.back_points < 0):
        return stand.front, lane.hole(score)
    behind = (lane.hole(p) for p in range(score - 1, -2, -1)) if score else reversed(lane.route.start)
    return stand.back, next(h for h in behind if not _taken(facts, side, h, stand.back))


def waits(lane: Lane, stand: Stand) -> bool:
    """Whether the front peg waits in a start hole because its own was taken. It will be the next to be moved."""
    return stand.front in lane.route.start and stand.front_points > 0 and lane.hole(stand.front_points) != stand.front


def _taken(facts: Facts, side: int, hole: int, lift: int) -> bool:
    """Whether the hole holds another side's peg, or this side's other peg."""
    assert facts.stands is not None
    own = facts.stands[side].holes - {lift}
    return hole in own or any(hole in s.holes for i, s in enumerate(facts.stands) if i != side)


def owed(counted: Counted, side: int, sides: int, points: int) -> tuple[Award, ...]:
    """The last awards of a side that add up to these points, oldest first; none where they do not add up."""
    found: list[Award] = []
    for award in (award for awards in reversed(counted) for award in reversed(awards)):
        if points <= 0:
            break
        if award.seat % sides == side:
            found.append(award)
            points -= award.points
    return tuple(reversed(found)) if points == 0 else ()


def advice(watch: Watch, names: Sequence[str], owed: Mapping[int, Sequence[Award]]) -> tuple[Advice, ...]:
    """What the watcher sees amiss; and where the peg goes of each side that owes points, if nothing is amiss with it.

    `owed` are the awards that add up to what each side has to peg, where they are known.
    """
    reasons = {seat: f" ({narration.count(awards)})" for seat, awards in owed.items() if _are_counted(awards)}
    amiss = reader.advice(watch, reasons)
    seats = {each.seat for each in amiss}
    facts = watch.facts
    return amiss + tuple(_next_peg(facts, due, names[due.seat]) for due in facts.dues if due.seat not in seats)


def _are_counted(awards: Sequence[Award]) -> bool:
    """Whether all of these points were counted, and none given by an adjustment or a correction."""
    return bool(awards) and not any(award.reason in PUT_RIGHT for award in awards)


def _next_peg(facts: Facts, due: PegDue, name: str) -> Advice:
    """Which peg of a side goes where: "Red: back peg to 4."."""
    assert facts.stands is not None
    stand = facts.stands[due.seat]
    holes = facts.ground.board.holes
    lift, place = holes[due.lift], holes[due.place]
    peg = "back" if due.lift == stand.back else "front"
    kind: AdviceKind = "peg_forward" if due.points > 0 else "peg_back"
    shared = place.seat is None and place.number > 0
    where = _lit(facts, due) if shared else _numbered(due, place)
    told = say("{name}: back peg {where}.", name=name, where=where)
    if peg == "front":
        told = say("{name}: front peg {where}.", name=name, where=where)
    if due.place != _way(facts, due.seat, stand.front_points + due.points)[1]:
        kind = "waiting"
        told = say("{name}'s hole is taken: the peg waits in the start until the next score.", name=name)
    return Advice(kind, due.seat, told, points=due.points, lift=lift.id, place=place.id)


def _numbered(due: PegDue, place: Hole) -> Sentence:
    """The hole on a lane of one's own: "to 4", "back to the start"."""
    if place.number <= 0:
        return say("back to the start") if due.points < 0 else say("to the start")
    return say(phrase("back to {n}") if due.points < 0 else phrase("to {n}"), n=place.number)


def _lit(facts: Facts, due: PegDue) -> Sentence:
    """The hole on a lane that seats share: "to the lit hole, 5 ahead of the front peg".

    There everybody counts from another start, so no number is said. A back peg that goes ahead is told its distance
    from the front peg, any other peg its distance from where it stands.
    """
    assert facts.stands is not None
    stand, index = facts.stands[due.seat], facts.ground.lanes[due.seat].index
    begin = stand.front if due.points > 0 else due.lift
    if due.place not in index:  # a person's word has once put the peg where this side never goes
        return say("to the lit hole")
    lap, place = len(facts.ground.lanes[due.seat].route.way), index[due.place]
    if begin not in index:
        return say("to the lit hole, {n} from the start", n=place)
    if due.points < 0:
        return say("to the lit hole, {n} back", n=(index[begin] - place) % lap)
    ahead = (place - index[begin]) % lap
    if due.lift == stand.back:
        return say("to the lit hole, {n} ahead of the front peg", n=ahead)
    return say("to the lit hole, {n} ahead", n=ahead)


def moves(
    plan: Plan, past: History[Any], event: Event, stands: Mapping[int, Stand], later: Sequence[Event]
) -> tuple[Move, ...]:
    """The moves that an event is; they may still be refused. All goes by seat.

    Where the pegs stand is after the `later` events of the same moment.

    In pegs-only the pegs are the score. Where the players count, a peg moved ahead is its side's claim. In all other
    games the pegs only confirm what the rules know.
    """
    pegs_only = plan.game.pegs == "score"
    if isinstance(event, Started):
        return _anew(past) if pegs_only else ()
    if not isinstance(event, Pegged | Undone) or event.seat not in stands:
        return ()
    points = stands[event.seat].front_points - past.state.scores[event.seat]
    for each in later:
        if isinstance(each, Pegged | Undone) and each.seat == event.seat:
            points -= each.points if isinstance(each, Pegged) else -each.points
    if isinstance(event, Undone):
        return _taken_back(past, event.seat, points) if pegs_only else ()
    claimants = plan.game.claimants(past.state)  # partners share their pegs
    claims = [Claim(seat, points) for seat in claimants if seat % plan.sides == event.seat][:1]
    if points <= 0 or not pegs_only:
        return tuple(claims) if points > 0 else ()
    # A claim that went on, from where it was told too soon, may go on by what no claim of its own may be.
    return (Adjust(event.seat, points) if points in IMPOSSIBLE else Peg(event.seat, points),)


def put_right(scores: Sequence[int], stands: Mapping[int, Stand]) -> tuple[Adjust, ...]:
    """One adjustment that sets all scores to what the pegs say, if any differs."""
    short = {seat: stand.front_points - scores[seat] for seat, stand in stands.items()}
    parts = [Also(seat, points) for seat, points in short.items() if points]
    return (Adjust(parts[0].seat, parts[0].points, tuple(parts[1:])),) if parts else ()


def _anew(past: History[Any]) -> tuple[Move, ...]:
    """All pegs are back in the start holes: the next game begins, or the present one begins again."""
    if past.state.phase == "over":
        return (Next(),)
    return tuple(Adjust(side, -score) for side, score in enumerate(past.state.scores) if score)


def _taken_back(past: History[Any], seat: int, points: int) -> tuple[Move, ...]:
    """A peg has gone back: an undo, if that leads to these scores, else an adjustment."""
    if points == 0:
        return ()
    wanted = tuple(s + points if side == seat else s for side, s in enumerate(past.state.scores))
    before = past.before
    return (Undo(),) if before is not None and before.state.scores == wanted else (Adjust(seat, points),)
