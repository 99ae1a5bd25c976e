"""Pegs against cards: what is due, and what is advised. Pure; the one place that knows scores and pegs both.

Rules know no pegs and pegs know no rules: here the rules' scores meet where the pegs are known to stand.
Dues and advice are those of interfaces.md 8.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.board.race import pegs
from companion.board.race.pegs import PegDue, Stand, Watch
from companion.board.shape import lanes
from companion.board.shape.lanes import Lane
from companion.board.shape.layout import Board, Hole, Route
from companion.errors import BadMove
from companion.rules import saying
from companion.rules.engine import Award
from companion.rules.moves import Move, Peg
from companion.snapshot import Advice, Due
from companion.table.plan import Plan


def dues(watch: Watch, scores: Sequence[int], by_front: Collection[int] = ()) -> tuple[PegDue, ...]:
    """What each side has not yet pegged, at most one due a side; none before the pegs are set up.

    The sides of `by_front` move the front peg ahead (pursuit, adjusted), all others the back one. One hole wide: if
    the hole is taken, the peg waits in a start hole of its own (rules.md 6); where none is free, the due's `lift` is
    its `place`.
    """
    found = []
    for side, (stand, score) in enumerate(zip(watch.stands or (), scores, strict=False)):
        if score != stand.front_points:
            lift, place = _way(watch, side, score, front=side in by_front)
            if _taken(watch, side, place, lift):
                place = next((h for h in watch.routes[side].start if h not in stand.holes), lift)
            found.append(PegDue(side, score - stand.front_points, lift, place))
    return tuple(found)


def _way(watch: Watch, side: int, score: int, *, front: bool = False) -> tuple[int, int]:
    """Which peg is to be moved for a score, and where, wherever others stand."""
    assert watch.stands is not None
    stand, lane = watch.stands[side], watch.ground.lanes[side]
    if score > stand.front_points:
        return stand.front if front or waits(lane, stand) else stand.back, lane.hole(score)
    if score == 0 and stand.holes == lane.start.holes:
        return stand.front, stand.front  # home already, from whatever it waited or stood there with
    earlier = pegs.earlier(watch, side, score)
    if earlier is not None and stand.back == earlier.front:
        return stand.front, earlier.back
    if stand.back_points < score or (score == 0 and stand.back_points < 0):
        return stand.front, lane.hole(score)
    behind = (lane.hole(p) for p in range(score - 1, -2, -1)) if score else reversed(lane.route.start)
    return stand.back, next(h for h in behind if not _taken(watch, side, h, stand.back))


def waits(lane: Lane, stand: Stand) -> bool:
    """Whether the front peg waits in the start pair for its hole was taken; the next move is its own."""
    return stand.front in lane.route.start and stand.front_points > 0 and lane.hole(stand.front_points) != stand.front


def _taken(watch: Watch, side: int, hole: int, lift: int) -> bool:
    """Whether a peg stands there: another side's, or the one of this side's that is not lifted."""
    assert watch.stands is not None
    own = watch.stands[side].holes - {lift}
    return hole in own or any(hole in s.holes for i, s in enumerate(watch.stands) if i != side)


def shown_dues(board: Board, found: Sequence[PegDue], seats: Sequence[int]) -> tuple[Due, ...]:
    """The dues with the ids of their holes. `seats` are those who race, by their place."""
    ids = [hole.id for hole in board.holes]
    return tuple(Due(seats[d.seat], d.points, ids[d.lift], ids[d.place]) for d in found if d.lift != d.place)


def advice(
    board: Board, watch: Watch, found: Sequence[PegDue], names: Sequence[str], awards: Sequence[Sequence[Award]]
) -> tuple[Advice, ...]:
    """What the watcher sees amiss, and for each due of a seat not amiss where its peg goes.

    `names`, and in `awards` all that each is owed since the pegs stood, are, like all seats here, by the place among
    those who race.
    """
    amiss = tuple(_with_reason(a, found, names, awards) for a in pegs.advice(watch))
    seats = {a.seat for a in amiss}
    return amiss + tuple(_next_peg(board, watch, d, names[d.seat]) for d in found if d.seat not in seats)


def _next_peg(board: Board, watch: Watch, due: PegDue, name: str) -> Advice:
    assert watch.stands is not None
    stand = watch.stands[due.seat]
    lift, place = board.holes[due.lift], board.holes[due.place]
    peg = "back" if due.lift == stand.back else "front"
    kind = "peg_forward" if due.points > 0 else "peg_back"
    shared = place.seat is None and place.number > 0
    say = f"{name}: {peg} peg {_lit(watch, due) if shared else _numbered(due, place)}."
    if due.place != _way(watch, due.seat, stand.front_points + due.points)[1]:
        kind, say = "waiting", f"{name}'s hole is taken: the peg waits in the start until the next score."
    return Advice(kind, due.seat, say, points=due.points, lift=lift.id, place=place.id)


def _numbered(due: PegDue, place: Hole) -> str:
    """On a lane of one's own: "to 4", "back to the start"."""
    return f"{'back ' if due.points < 0 else ''}to {place.number if place.number > 0 else 'the start'}"


def _lit(watch: Watch, due: PegDue) -> str:
    """On a lane that several share, where everybody counts from another start and a number is nobody's alone.

    "to the lit hole, 5 ahead of the front peg": the holes are counted from the front peg or, if the peg is moved
    alone or goes back, from where it stands.
    """
    assert watch.stands is not None
    stand, index = watch.stands[due.seat], watch.ground.lanes[due.seat].index
    begin = stand.front if due.points > 0 else due.lift
    lap, place = len(watch.routes[due.seat].way), index[due.place]
    if begin not in index:
        return f"to the lit hole, {place} from the start"
    if due.points < 0:
        return f"to the lit hole, {(index[begin] - place) % lap} back"
    of = " of the front peg" if due.lift == stand.back else ""
    return f"to the lit hole, {(place - index[begin]) % lap} ahead{of}"


def _with_reason(
    found: Advice, due_now: Sequence[PegDue], names: Sequence[str], awards: Sequence[Sequence[Award]]
) -> Advice:
    """An over- or under-pegged seat is told what the count is: "Red pegged 3, the count is 2 (fifteen two)."."""
    due = next((d for d in due_now if d.seat == found.seat and d.points > 0), None)
    if due is None or found.by is None or found.kind not in ("over_pegged", "under_pegged"):
        return found
    pegged = due.points + (found.by if found.kind == "over_pegged" else -found.by)
    counted = awards[due.seat]
    why = f" ({saying.count(counted)})" if sum(a.points for a in counted) == due.points else ""
    return replace(found, say=f"{names[due.seat]} pegged {pegged}, the count is {due.points}{why}.")


def stands_of(plan: Plan, bits: object, scores: Sequence[int], seats: Sequence[int]) -> tuple[Stand, ...]:
    """The placement `[[back, front], …]` of a recording begun mid-game, of the `seats` that race. Raises BadMove.

    It lists every side; who is out may have null. `scores` are by the place among those who race. A peg in a hole of
    its own way counts that hole's points: of a loop, the lap nearest to the score. A front peg in its start hole
    waits there with the score, if the score's own hole is another's.
    """
    pairs = bits if isinstance(bits, list) and len(bits) == plan.sides else []
    racing = [pairs[seat] for seat in seats if pairs]
    if not racing or not all(_is_pair(pair, plan.board) for pair in (*racing, *(p for p in pairs if p is not None))):
        raise BadMove("The pegs of a table are a pair of hole bits, back and front, for each side.")
    taken = {hole for pair in racing for hole in pair}
    ways = zip(plan.loop(tuple(seats)), racing, scores, strict=True)
    return tuple(_stand(plan, way, back, front, score, taken - {back, front}) for way, (back, front), score in ways)


def past_of(plan: Plan, moves: Sequence[Move], stands: Sequence[Stand]) -> tuple[tuple[Stand, ...], ...]:
    """The placements before these `stands` of a pegs-only game, oldest first: each claim lifted the back peg.

    None where the moves are no mere claims, or would have put the pegs elsewhere.
    """
    if not all(isinstance(move, Peg) for move in moves):
        return tuple(() for _ in stands)
    claims = [(move.seat % plan.sides, move.points) for move in moves if isinstance(move, Peg)]
    past = []
    for seat, (route, stand) in enumerate(zip(plan.loop(tuple(range(plan.sides))), stands, strict=True)):
        back, front, before = -1, 0, list[Stand]()
        for points in (points for side, points in claims if side == seat):
            before.append(Stand(route.hole(back, plan.target), route.hole(front, plan.target), back, front))
            back, front = front, front + points
        past.append(tuple(before) if (back, front) == (stand.back_points, stand.front_points) else ())
    return tuple(past)


def _is_pair(pair: object, board: Board) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(type(b) is int and 0 <= b < len(board.holes) for b in pair)


def _stand(plan: Plan, route: Route, back: int, front: int, score: int, taken: Collection[int]) -> Stand:
    way = lanes.lane(route, plan.target)
    last = score + len(route.way) if route.loop else plan.target
    ways = {bit: way.points(bit, -1, last) for bit in (back, front)}
    if not all(ways.values()):
        raise BadMove("A peg of the recording stands in a hole that is not on its side's way.")
    front_points = min(ways[front], key=lambda p: abs(p - score))
    if front in route.start and score > 0 and way.hole(score) in taken:
        front_points = score
    behind = [p for p in ways[back] if p < front_points] or ways[back]
    return Stand(back, front, max(behind), front_points)
