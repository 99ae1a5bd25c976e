"""Where the pegs are known to stand, and how that changes: by a verdict, a new game or a person's word. Pure."""

from collections.abc import Mapping
from typing import Any

from companion.boards.board import Stand, holes_of
from companion.pegs.events import Event, Pegged, Started, Trusted, Undone
from companion.pegs.interpretation import known, standing, unlikely
from companion.pegs.levels import Facts
from companion.pegs.pipeline import at_once
from companion.pegs.problems import Trouble
from companion.pegs.sensor_trust import Believed
from companion.pegs.thresholds import PACE_ACTS
from companion.pegs.timing import Verdict

PAST = 500
"""This many earlier placements of a seat are kept: more than any game has."""

Told = tuple[Facts, tuple[Event, ...]]
"""The facts changed, and the events that tell it."""


def commit(facts: Facts, verdict: Verdict) -> Told:
    """A seat's verdict becomes the known placement."""
    assert facts.stands is not None
    found, seat = verdict.meaning, verdict.seat
    assert found.stand is not None
    before, past = facts.stands[seat], facts.past[seat]
    if found.kind == "pegged":
        past = (*past[-PAST:], before)
    elif found.kind == "undone":
        past = _before(past, found.stand)
    facts = facts.replace(
        stands=_with(facts.stands, seat, found.stand),
        past=_with(facts.past, seat, past),
        calm_ms=_with(facts.calm_ms, seat, verdict.at_ms),
        paces=_with(facts.paces, seat, (*facts.paces[seat], verdict.touch_ms)[-PACE_ACTS:]),
        left={key: ms for key, ms in facts.left.items() if key[0] != seat},
        dues=tuple([due for due in facts.dues if due.seat != seat]),
        levels=facts.levels.explained(before.holes | found.stand.holes),
    )
    if found.kind == "moved":
        return facts, ()
    event = Pegged if found.kind == "pegged" else Undone
    return facts, (event(seat, found.points, found.origin, found.to),)


def begin(facts: Facts, now_ms: int) -> Told:
    """All pegs rest in the start holes: a game begins."""
    lanes = facts.ground.lanes
    events: list[Event] = [] if facts.stands is None else _corrected(facts, facts.stands)
    events.append(Started(tuple(range(len(lanes)))))
    full = facts.doubted & facts.ground.start & facts.levels.bits
    events += map(Trusted, holes_of(full))  # what seemed nobody's peg there had come home early
    facts = facts.replace(
        stands=tuple(one.start for one in lanes),
        past=((),) * len(lanes),
        calm_ms=(now_ms,) * len(lanes),
        left={},
        doubts={hole: ms for hole, ms in facts.doubts.items() if not full >> hole & 1},
        levels=facts.levels.explained(facts.levels.changes),
    )
    return facts, tuple(events)


def _corrected(facts: Facts, stands: tuple[Stand, ...]) -> list[Event]:
    """The undo to tell before the new game: if only one seat's pegs were away, and had stood at the start before."""
    lanes = facts.ground.lanes
    away = [seat for seat, one in enumerate(lanes) if stands[seat] != one.start]
    if facts.won or len(away) != 1 or lanes[away[0]].start not in facts.past[away[0]]:
        return []
    stand, begin = stands[away[0]], lanes[away[0]].start
    origin, to = stand.holes - begin.holes, begin.holes - stand.holes
    if len(to) > 1:
        origin, to = frozenset((stand.front,)), frozenset((begin.front,))
    return [Undone(away[0], stand.front_points, *origin, *to)]


def settle(facts: Facts, believed: Believed, trouble: Trouble, points: tuple[int, ...] | None) -> Facts:
    """The facts with a trouble settled by a person's word: the likely story that fits these scores best is true.

    Without `points` the board is taken as it stands. Where several seats are concerned, those whose scores the story
    does not fit keep their known placement, and their pegs are read on. A peg in the hand is taken to be at its home.
    Nothing changes if two pegs would then be known to stand in one hole.
    """
    if facts.stands is None:
        stands = set_up(believed)
        fits = points is None or points == tuple([stand.front_points for stand in stands])
        return _taken_up(facts, stands) if fits else facts
    before, best = facts, _best(believed, trouble, points)
    for seat, stand in best.items():
        fits = points is None or len(trouble.seats) == 1 or stand.front_points == points[seat]
        if fits and facts.stands and stand != facts.stands[seat]:
            facts = _placed(facts, seat, stand)
    return before if _shared(facts) > _shared(before) else facts


def _best(believed: Believed, trouble: Trouble, points: tuple[int, ...] | None) -> Mapping[int, Stand]:
    """By seat, where its pegs lie by the story that fits the scores best, or without scores by the likeliest."""
    lying = [] if points is None else [_lying(believed, trouble)]
    if points is None or trouble.key.kind == "scattered":
        lying.append(_everywhere(believed, trouble))
    told = [_standing(believed, trouble, places, points) for places in trouble.places or lying]
    if points is None:
        facts = believed.facts
        return min(told, key=lambda found: sum(unlikely(known(facts, seat), s) for seat, s in found.items()))
    return min(told, key=lambda found: sum(abs(s.front_points - points[seat]) for seat, s in found.items()))


def as_they_stand(believed: Believed, trouble: Trouble) -> tuple[Stand, ...]:
    """Every seat's placement if the board is taken as it stands."""
    return settle(believed.facts, believed, trouble, None).stands or ()


def set_up(believed: Believed) -> tuple[Stand, ...]:
    """The placement of pegs on a board that was taken up in the middle of a game: each lane's two furthest pegs.

    A seat whose start holes are both taken, or with fewer than two pegs on its lane, stands in its start holes.
    """
    facts, used, found = believed.facts, 0, []
    for lane in facts.ground.lanes:
        lap = min(lane.target, len(lane.route.way))
        holes = holes_of(believed.taken & lane.bits & ~used)
        points = sorted([(lane.points(h, -1, lap)[0], h) for h in holes])[-2:]
        if lane.begin & believed.taken == lane.begin or len(points) < 2:
            found.append(lane.start)
            used |= lane.begin
        else:
            (behind, back), (ahead, front) = points
            found.append(Stand(back, front, behind, ahead))
            used |= 1 << back | 1 << front
    return tuple(found)


def _taken_up(facts: Facts, stands: tuple[Stand, ...]) -> Facts:
    """A game begins, with its pegs where they stand."""
    calm_ms = (facts.now_ms,) * len(stands)
    return facts.replace(stands=stands, calm_ms=calm_ms, left={}, levels=facts.levels.explained(facts.levels.changes))


def _placed(facts: Facts, seat: int, stand: Stand) -> Facts:
    assert facts.stands is not None
    past = _before(facts.past[seat], stand)
    if stand.front_points > facts.stands[seat].front_points:
        past = (*facts.past[seat][-PAST:], facts.stands[seat])
    return facts.replace(
        stands=_with(facts.stands, seat, stand),
        past=_with(facts.past, seat, past),
        calm_ms=_with(facts.calm_ms, seat, facts.now_ms),
        dues=tuple([due for due in facts.dues if due.seat != seat]),  # it was reckoned from where the pegs stood
    )


def _shared(facts: Facts) -> int:
    """How many pegs are known to stand in a hole that is known to hold another."""
    homes = [hole for one in facts.stands or () for hole in one.holes]
    return len(homes) - len(frozenset(homes))


def _standing(
    believed: Believed, trouble: Trouble, places: tuple[frozenset[int], ...], points: tuple[int, ...] | None
) -> dict[int, Stand]:
    """The placements that resting pegs make for these scores, or without them the likeliest."""
    found = {}
    for seat, holes in zip(trouble.seats, places, strict=True):
        seats = known(believed.facts, seat)
        score = None if points is None else points[seat]
        found[seat] = standing(seats, holes, score) if len(holes) == 2 else seats.stand
    return found


def _lying(believed: Believed, trouble: Trouble) -> tuple[frozenset[int], ...]:
    """Where the pegs of the seats concerned lie: those at home; and one on a wrong track, which is the first seat's."""
    stands, taken = believed.facts.stands or (), believed.taken
    kept = [frozenset(h for h in stands[s].holes if taken >> h & 1) for s in trouble.seats]
    held = frozenset(h for h in trouble.key.holes if taken >> h & 1)
    others = frozenset(h for s, one in enumerate(stands) if s != trouble.seats[0] for h in one.holes)
    return (kept[0] | held - others, *kept[1:])


def _everywhere(believed: Believed, trouble: Trouble) -> tuple[frozenset[int], ...]:
    """Where the pegs of the seats concerned lie: at home, else on their own lane, else wherever one is left over."""
    stands, lanes = believed.facts.stands or (), believed.facts.ground.lanes
    kept = [{h for h in stands[s].holes if believed.taken >> h & 1} for s in trouble.seats]
    new = list(holes_of(believed.taken & ~believed.homes & ~believed.facts.doubted))
    for own in (True, False):
        for seat, holes in zip(trouble.seats, kept, strict=True):
            for hole in [h for h in new if lanes[seat].bits >> h & 1 or not own][-2:]:
                if len(holes) < 2:
                    holes.add(hole)
                    new.remove(hole)
    return tuple(frozenset(holes) for holes in kept)


def left(believed: Believed, emptied: int, now_ms: int) -> Mapping[tuple[int, int], int]:
    """`Facts.left` after these holes have emptied: by seat and home, when a peg first left it."""
    facts = believed.facts
    emptied &= believed.homes & ~facts.doubted
    if facts.stands is None or not emptied:
        return facts.left
    new = {(s, h): now_ms for s, one in enumerate(facts.stands) for h in one.holes if emptied >> h & 1}
    fresh = {s for s, _ in new if _has_settled(believed, facts.stands[s], s, now_ms)}
    return {**new, **{key: ms for key, ms in facts.left.items() if key[0] not in fresh}}


def _has_settled(believed: Believed, stand: Stand, seat: int, now_ms: int) -> bool:
    """Whether both pegs of a seat with a lane of its own were at home, and quiet, until now."""
    facts = believed.facts
    if not all(len(seats) == 1 for seats, _ in facts.groups if seat in seats):
        return False
    calm_ms = now_ms - facts.settings.quiet_ms
    return all(facts.levels.bits >> h & 1 and believed.since(h) <= calm_ms for h in stand.holes)


def calmed(believed: Believed) -> Facts:
    """The facts. Where a lane has all its pegs at home, and no others, it is certain now where they stand."""
    facts = believed.facts
    if facts.stands is None or not facts.left:
        return facts
    calm, gone = list(facts.calm_ms), facts.left
    for seats, bits in facts.groups:
        home = believed.homes & bits
        if believed.taken & bits == home and home.bit_count() == 2 * len(seats):
            for seat in seats:
                calm[seat] = facts.now_ms
            gone = {key: ms for key, ms in gone.items() if key[0] not in seats}
    return facts if gone is facts.left else facts.replace(calm_ms=tuple(calm), left=gone)


def knocked(believed: Believed) -> bool:
    """Whether the board was knocked over: two seats lost both their pegs at once, which no hands do.

    It is over when all homes hold a peg again. A story that explains all pegs makes their holes their homes.
    """
    if believed.facts.stands is None:
        return False
    if believed.facts.knocked:
        return believed.taken & believed.homes != believed.homes
    lost = [h for gone in believed.gone if len(gone) == 2 for h in gone]
    return len(lost) >= 4 and at_once(believed, lost)


def _before(past: tuple[Stand, ...], stand: Stand) -> tuple[Stand, ...]:
    """The earlier placements that remain when pegs go back to this one; if it is none of them, those of lower score."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].holes == stand.holes:
            return past[:index]
    return tuple(s for s in past if s.front_points < stand.front_points)


def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
