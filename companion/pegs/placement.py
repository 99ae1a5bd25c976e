"""Changes of the known placement: by a verdict, a new game or the confirmation of a player. Pure."""

from collections.abc import Mapping
from typing import Any

from companion.boards.board import Placement, bits_of, holes_of
from companion.pegs.events import PegEvent, Pegged, Started, Trusted, Undone
from companion.pegs.interpretation import KnownSeat, choose_placement, known_seat, placement_penalty
from companion.pegs.levels import PegFacts
from companion.pegs.pipeline import emptied_at_once
from companion.pegs.problems import Problem, supposed_hole
from companion.pegs.sensor_trust import TrustedLevels
from companion.pegs.thresholds import PACE_SAMPLE_ACTS
from companion.pegs.timing import PegVerdict

MAX_PAST_PLACEMENTS = 500
"""Maximum number of earlier placements kept for each seat, more than any game has."""

PlacementChange = tuple[PegFacts, tuple[PegEvent, ...]]
"""The changed facts and the events that report the change."""


def commit_verdict(facts: PegFacts, verdict: PegVerdict) -> PlacementChange:
    """Make a seat's verdict the known placement."""
    assert facts.placements is not None
    found, seat = verdict.interpretation, verdict.seat
    assert found.placement is not None
    before, past = facts.placements[seat], facts.past_placements[seat]
    if found.kind == "pegged":
        past = (*past[-MAX_PAST_PLACEMENTS:], before)
    elif found.kind == "undone":
        past = _past_before(past, found.placement)
    facts = facts.replace(
        placements=_with_seat_value(facts.placements, seat, found.placement),
        past_placements=_with_seat_value(facts.past_placements, seat, past),
        certain_ms=_with_seat_value(facts.certain_ms, seat, verdict.at_ms),
        hand_paces=_with_seat_value(
            facts.hand_paces, seat, (*facts.hand_paces[seat], verdict.pace)[-PACE_SAMPLE_ACTS:]
        ),
        left_home_ms={key: ms for key, ms in facts.left_home_ms.items() if key[0] != seat},
        dues=tuple([due for due in facts.dues if due.seat != seat]),
        levels=facts.levels.with_explained_holes(before.holes | found.placement.holes),
    )
    if found.kind == "moved":
        return facts, ()
    if found.kind == "pegged":
        return facts, (Pegged(seat, found.points, found.origin, found.to, found.is_claim),)
    return facts, (Undone(seat, found.points, found.origin, found.to),)


def begin_game(facts: PegFacts, now_ms: int) -> PlacementChange:
    """Begin a game: all pegs rest in the start holes."""
    lanes = facts.race_board.lanes
    events: list[PegEvent] = [] if facts.placements is None else _undo_before_new_game(facts, facts.placements)
    events.append(Started(tuple(range(len(lanes)))))
    full = facts.quarantined_bits & facts.race_board.start_bits & facts.levels.bits
    events += map(Trusted, holes_of(full))  # a stray in a start hole was a peg that came home early
    facts = facts.replace(
        placements=tuple(one.start_placement for one in lanes),
        past_placements=((),) * len(lanes),
        certain_ms=(now_ms,) * len(lanes),
        left_home_ms={},
        quarantine={hole: ms for hole, ms in facts.quarantine.items() if not full >> hole & 1},
        levels=facts.levels.with_explained_holes(facts.levels.changes),
    )
    return facts, tuple(events)


def _undo_before_new_game(facts: PegFacts, placements: tuple[Placement, ...]) -> list[PegEvent]:
    """Return the `Undone` that precedes the new game if only one seat's pegs were away and had been at the start."""
    lanes = facts.race_board.lanes
    away = [seat for seat, one in enumerate(lanes) if placements[seat] != one.start_placement]
    if facts.is_won or len(away) != 1 or lanes[away[0]].start_placement not in facts.past_placements[away[0]]:
        return []
    placement, begin = placements[away[0]], lanes[away[0]].start_placement
    origin, to = placement.holes - begin.holes, begin.holes - placement.holes
    if len(to) > 1:
        origin, to = frozenset((placement.front,)), frozenset((begin.front,))
    return [Undone(away[0], placement.front_points, min(origin), min(to))]


def settle_problem(
    facts: PegFacts,
    trusted: TrustedLevels,
    problem: Problem,
    points: tuple[int, ...] | None,
    dead_hole: int | None = None,
) -> PegFacts:
    """Settle a problem by a player's confirmation: accept the likely assignment that fits these scores best.

    `points`: the scores by seat; None takes the board as it stands. If several seats are concerned, those whose scores
    do not fit keep their known placement and are read further. A peg in the hand counts as at home. `dead_hole`: where
    a missing peg is, if the players were asked about it. Returns the facts unchanged if two pegs would be known to
    stand in one hole.
    """
    if facts.placements is None:
        placements = infer_placements(trusted)
        fits = points is None or points == tuple([placement.front_points for placement in placements])
        return _begin_with_placements(facts, placements) if fits else facts
    if problem.key.kind == "out":
        return _settle_missing_peg(facts, trusted, problem.seats[0], points, dead_hole)
    if problem.key.kind == "wrong_peg" and points is None:
        stuck = {due.lift: facts.now_ms for due in facts.dues if due.place in problem.key.holes}
        return facts.replace(quarantine={**facts.quarantine, **stuck})  # the due's own peg is there
    before, best = facts, _choose_placements(trusted, problem, points)
    for seat, placement in best.items():
        fits = points is None or len(problem.seats) == 1 or placement.front_points == points[seat]
        if fits and facts.placements and placement != facts.placements[seat]:
            facts = _with_placement(facts, seat, placement)
    return before if _count_shared_holes(facts) > _count_shared_holes(before) else facts


def _settle_missing_peg(
    facts: PegFacts, trusted: TrustedLevels, seat: int, points: tuple[int, ...] | None, hole: int | None
) -> PegFacts:
    """Suppose a missing peg in this hole, else in that of its due or at home, or where these scores put it."""
    assert facts.placements is not None
    known, kept = known_seat(trusted.facts, seat), facts.placements[seat].holes
    now = supposed_hole(trusted, seat)
    hole = now if now is None or hole is None else hole  # None: both pegs are missing, or neither is
    if points is not None:
        is_claim = facts.players_count and points[seat] > known.placement.front_points
        hole = known.lane.hole_at(points[seat]) if hole is not None and is_claim else None
    if hole is None or trusted.taken_bits >> hole & 1:
        return facts
    if hole not in kept:
        kept = kept - frozenset(trusted.empty_homes[seat]) | {hole}
        if len(kept) < 2:
            return facts  # the other peg is missing too
        facts = _with_placement(facts, seat, choose_placement(known, kept, _score_after(known, points, seat)))
    left = {key: ms for key, ms in facts.left_home_ms.items() if key != (seat, hole)}
    return facts.replace(quarantine={**facts.quarantine, hole: facts.now_ms}, left_home_ms=left)


def _score_after(known: KnownSeat, points: tuple[int, ...] | None, seat: int) -> int:
    if points is not None:
        return points[seat]
    return known.placement.front_points + (known.due.points if known.due is not None else 0)


def _choose_placements(
    trusted: TrustedLevels, problem: Problem, points: tuple[int, ...] | None
) -> Mapping[int, Placement]:
    """Return the placements, by seat, of the assignment that fits the scores best; without scores, of the likeliest."""
    lying = [] if points is None else [_find_resting_holes(trusted, problem)]
    if points is None or problem.key.kind == "scattered":
        lying.append(_distribute_pegs(trusted, problem))
    choices = [_placements_for_scores(trusted, problem, places, points) for places in problem.candidate_holes or lying]
    if points is None:
        facts = trusted.facts
        return min(
            choices, key=lambda found: sum(placement_penalty(known_seat(facts, seat), s) for seat, s in found.items())
        )
    return min(choices, key=lambda found: sum(abs(s.front_points - points[seat]) for seat, s in found.items()))


def placements_as_they_stand(trusted: TrustedLevels, problem: Problem) -> tuple[Placement, ...]:
    """Return every seat's placement if the board is taken as it stands."""
    return settle_problem(trusted.facts, trusted, problem, None).placements or ()


def infer_placements(trusted: TrustedLevels) -> tuple[Placement, ...]:
    """Return the placements of a board that is taken up in the middle of a game: the two furthest pegs of each lane.

    A seat whose start holes are both taken, or with fewer than two pegs on its lane, is placed in its start holes.
    """
    facts, used, found = trusted.facts, 0, []
    for lane in facts.race_board.lanes:
        lap = min(lane.target, len(lane.route.way))
        holes = holes_of(trusted.taken_bits & lane.bits & ~used)
        points = sorted([(lane.points_at(h, -1, lap)[0], h) for h in holes])[-2:]
        if lane.start_bits & trusted.taken_bits == lane.start_bits or len(points) < 2:
            found.append(lane.start_placement)
            used |= lane.start_bits
        else:
            (behind, back), (ahead, front) = points
            found.append(Placement(back, front, behind, ahead))
            used |= 1 << back | 1 << front
    return tuple(found)


def _begin_with_placements(facts: PegFacts, placements: tuple[Placement, ...]) -> PegFacts:
    """Begin a game with the pegs at these placements."""
    calm_ms = (facts.now_ms,) * len(placements)
    return facts.replace(
        placements=placements,
        certain_ms=calm_ms,
        left_home_ms={},
        levels=facts.levels.with_explained_holes(facts.levels.changes),
    )


def _with_placement(facts: PegFacts, seat: int, placement: Placement) -> PegFacts:
    assert facts.placements is not None
    past = _past_before(facts.past_placements[seat], placement)
    if placement.front_points > facts.placements[seat].front_points:
        past = (*facts.past_placements[seat][-MAX_PAST_PLACEMENTS:], facts.placements[seat])
    return facts.replace(
        placements=_with_seat_value(facts.placements, seat, placement),
        past_placements=_with_seat_value(facts.past_placements, seat, past),
        certain_ms=_with_seat_value(facts.certain_ms, seat, facts.now_ms),
        dues=tuple([due for due in facts.dues if due.seat != seat]),  # it was computed from the former placement
    )


def _count_shared_holes(facts: PegFacts) -> int:
    """Count the pegs that are known to stand in a hole that is known to hold another peg."""
    homes = [hole for one in facts.placements or () for hole in one.holes]
    return len(homes) - len(frozenset(homes))


def _placements_for_scores(
    trusted: TrustedLevels, problem: Problem, places: tuple[frozenset[int], ...], points: tuple[int, ...] | None
) -> dict[int, Placement]:
    """Return the placements of resting pegs that fit these scores best, or without scores the likeliest."""
    found = {}
    for seat, holes in zip(problem.seats, places, strict=True):
        seats = known_seat(trusted.facts, seat)
        score = None if points is None else points[seat]
        found[seat] = choose_placement(seats, holes, score) if len(holes) == 2 else seats.placement
    return found


def _find_resting_holes(trusted: TrustedLevels, problem: Problem) -> tuple[frozenset[int], ...]:
    """Return where the pegs of the seats concerned rest: at home, and for the first seat also on a wrong track."""
    placements, taken = trusted.facts.placements or (), trusted.taken_bits
    kept = [frozenset(h for h in placements[s].holes if taken >> h & 1) for s in problem.seats]
    held = frozenset(h for h in problem.key.holes if taken >> h & 1)
    others = frozenset(h for s, one in enumerate(placements) if s != problem.seats[0] for h in one.holes)
    return (kept[0] | held - others, *kept[1:])


def _distribute_pegs(trusted: TrustedLevels, problem: Problem) -> tuple[frozenset[int], ...]:
    """Return where the pegs of the seats concerned rest: at home, else on their own lane, else in any other hole."""
    placements, lanes = trusted.facts.placements or (), trusted.facts.race_board.lanes
    kept = [{h for h in placements[s].holes if trusted.taken_bits >> h & 1} for s in problem.seats]
    new = list(holes_of(trusted.taken_bits & ~trusted.home_bits & ~trusted.facts.quarantined_bits))
    for own in (True, False):
        for seat, holes in zip(problem.seats, kept, strict=True):
            for hole in [h for h in new if lanes[seat].bits >> h & 1 or not own][-2:]:
                if len(holes) < 2:
                    holes.add(hole)
                    new.remove(hole)
    return tuple(frozenset(holes) for holes in kept)


def record_left_homes(trusted: TrustedLevels, emptied: int, now_ms: int) -> Mapping[tuple[int, int], int]:
    """Return `PegFacts.left_home_ms` after these holes (bits) have emptied.

    The first leaving of a home counts, because the home may have been touched again on the way. If a peg has rested
    there for the quiet time, its own peg came back, and the last leaving counts. On a shared lane it may be another's.
    """
    facts = trusted.facts
    emptied &= trusted.home_bits & ~facts.quarantined_bits
    if facts.placements is None or not emptied:
        return facts.left_home_ms
    own = {seat for seats, _ in facts.lane_groups if len(seats) == 1 for seat in seats}
    rested_ms = now_ms - facts.settings.quiet_ms
    return {
        **facts.left_home_ms,
        **{
            (seat, hole): now_ms
            for seat, placement in enumerate(facts.placements)
            for hole in holes_of(bits_of(placement.holes) & emptied)
            if (seat, hole) not in facts.left_home_ms or (seat in own and trusted.unchanged_since_ms(hole) <= rested_ms)
        },
    }


def record_certain_lanes(trusted: TrustedLevels) -> PegFacts:
    """Record that the placements on lanes with all pegs at home, and no others, are certain now.

    A seat alone on its lane needs this only after a peg has left its home.
    """
    facts = trusted.facts
    if facts.placements is None or not facts.left_home_ms:
        return facts
    calm, gone = list(facts.certain_ms), facts.left_home_ms
    for seats, bits in facts.lane_groups:
        if len(seats) == 1 and not any(seat == seats[0] for seat, _ in gone):
            continue
        home = trusted.home_bits & bits
        if trusted.taken_bits & bits == home and home.bit_count() == 2 * len(seats):
            for seat in seats:
                calm[seat] = facts.now_ms
            gone = {key: ms for key, ms in gone.items() if key[0] not in seats}
    return facts if gone is facts.left_home_ms else facts.replace(certain_ms=tuple(calm), left_home_ms=gone)


def is_knocked_over(trusted: TrustedLevels) -> bool:
    """Return whether the board was knocked over: two seats lost both pegs at once, which hands do not do.

    This ends when all homes hold a peg again, also because an assignment that explains all pegs was accepted.
    """
    if trusted.facts.placements is None:
        return False
    if trusted.facts.is_knocked_over:
        return trusted.taken_bits & trusted.home_bits != trusted.home_bits
    lost = [h for gone in trusted.empty_homes if len(gone) == 2 for h in gone]
    return len(lost) >= 4 and emptied_at_once(trusted, lost)


def _past_before(past: tuple[Placement, ...], placement: Placement) -> tuple[Placement, ...]:
    """Return the earlier placements that remain when pegs go back to this one; if it is new, those of lower score."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].holes == placement.holes:
            return past[:index]
    return tuple(s for s in past if s.front_points < placement.front_points)


def _with_seat_value(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
