"""Stage 2, assignment: which seat's peg rests in which hole, found as the cheapest explanation of the levels. Pure.

All pegs look alike, so only the order of changes shows them apart. An assignment gives every newly taken hole to a
seat whose peg was out when the hole filled, or declares it a stray. Its cost counts what is unlikely about it; the
cheapest assignments are the likely ones. With one lane for each seat there is nearly always one. Seats that share a
lane may have several, and only what all of them agree on is used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.boards.board import holes_of
from companion.common.frozen import replace
from companion.pegs.interpretation import Interpretation, interpret_pegs, is_likely_hole, known_seat
from companion.pegs.sensor_trust import TrustedLevels, find_overtaken_homes
from companion.pegs.thresholds import MIN_ACT_REST_MS, SENSOR_LAG_MS

MAX_PEGS_AT_ONCE = 2
"""Maximum number of holes that hands fill at one instant. More holes, and more than pegs out, are a failed row."""
MAX_NEW_PEGS = 6
"""Maximum number of new pegs on a lane. With more, the board was knocked over and no assignment is made."""

COST_UNOWNED = 10_000
"""Cost of each taken hole that belongs to no seat."""
COST_ILLEGAL = 100
"""Cost of each seat whose pegs rest where no legal move puts them."""
COST_FLICKERED = 1
"""Cost of each new hole that flickered before the peg that could be in it was lifted."""
COST_NO_ASSIGNMENT = 100 * COST_UNOWNED
"""Cost if there is no assignment at all."""


class Assignment(NamedTuple):
    """One explanation of the taken holes of a lane.

    `seat_holes`: by index of the seat in its group, the holes of its pegs; fewer than two if a peg is in a hand.
    `strays`: the taken holes that belong to no seat.
    """

    seat_holes: tuple[frozenset[int], ...]
    strays: frozenset[int]


@dataclass(frozen=True, slots=True)
class RestingPegs:
    """A seat whose two pegs rest in the same holes by all likely assignments, with the interpretation.

    `index`: of the seat in its group. `next_act_ms`: when the hand began its next act by lifting the other peg, or
    None.
    """

    index: int
    seat: int
    holes: frozenset[int]
    interpretation: Interpretation
    next_act_ms: int | None = None


def assign_pegs(trusted: TrustedLevels) -> tuple["LaneGroup", ...]:
    """Return the groups of seats that share a lane, with their likely assignments.

    A group whose pegs all rest at home is left out, unless a peg already stands in the hole of its due. That happens on
    a loop, where a hole stands for several numbers of points.
    """
    differ, gone = trusted.taken_bits ^ trusted.home_bits, trusted.empty_homes
    done = {due.seat for due in trusted.facts.dues if due.lift == due.place}
    return tuple(
        [
            LaneGroup(trusted, seats, bits)
            for seats, bits in trusted.facts.lane_groups
            if differ & bits or any(gone[seat] or seat in done for seat in seats)
        ]
    )


class LaneGroup:
    """The seats that share a lane, read together. `index` in the methods is the position of a seat in `seats`.

    - `assignments`: the likely assignments.
    - `is_swapped`: by these, a peg of one seat rests in the home of another; otherwise some pegs would be illegal.
    - `resting_pegs`: the seats whose two pegs rest in the same holes by all likely assignments.
    - `away_seats`: the seats that do not have both pegs at home.
    - `strays`: the holes that are strays in all likely assignments.
    - `touched_holes`: by index, the holes that a hand has touched; a cache that `companion.pegs.timing` fills.
    """

    def __init__(self, trusted: TrustedLevels, seats: tuple[int, ...], bits: int) -> None:
        self.trusted, self.seats, self.bits, self.is_swapped = trusted, seats, bits, False
        self._interpretations = dict[tuple[int, frozenset[int]], Interpretation]()
        self.touched_holes = dict[int, list[int]]()
        self._likely_holes = dict[tuple[int, int], bool]()
        self._assignment_cache = dict[int, tuple[tuple[Assignment, ...], bool]]()
        self.known_seats = [known_seat(trusted.facts, seat) for seat in seats]
        self._left_ms = [
            {hole: trusted.left_ms(seat, hole) for hole in k.placement.holes}
            for seat, k in zip(seats, self.known_seats, strict=True)
        ]
        homes, begun = tuple([k.placement.holes for k in self.known_seats]), self._find_finished_act()
        if begun is not None:
            self.assignments, self.resting_pegs = begun
        else:
            taken = trusted.taken_bits & bits
            if taken == trusted.home_bits & bits and not any(trusted.empty_homes[seat] for seat in seats):
                self.assignments = (Assignment(homes, frozenset()),)
            else:
                self.assignments, self.is_swapped = self.likely_assignments(taken)
            self.resting_pegs = tuple(self._find_resting_pegs())
        home = {rest.seat for rest in self.resting_pegs if rest.holes == homes[rest.index]}
        self.away_seats = [seat for seat in seats if seat not in home]
        self.strays = sorted(frozenset.intersection(*(s.strays for s in self.assignments))) if self.assignments else []

    def _find_resting_pegs(self) -> Iterable[RestingPegs]:
        for index, seat in enumerate(self.seats):
            places = self.possible_holes(index)
            if len(places) == 1 and len(holes := next(iter(places))) == 2:
                yield RestingPegs(index, seat, holes, self.interpret_pegs(index, holes))

    def _find_finished_act(self) -> tuple[tuple[Assignment, ...], tuple[RestingPegs, ...]] | None:
        """Return the assignment and the resting pegs from before a seat began its next act, or None if no seat has.

        A seat has begun its next act if only its pegs are out, both have left their homes, the first one was put where
        that is a verdict, and it had rested there for `MIN_ACT_REST_MS` when the second one was lifted. Holes that
        filled later belong to the next act.
        """
        away = [index for index, seat in enumerate(self.seats) if self.trusted.empty_homes[seat]]
        if len(away) != 1 or len(self.trusted.empty_homes[self.seats[away[0]]]) != 2:
            return None
        mover, levels = away[0], self.trusted.facts.levels
        left = sorted((self.left_ms(mover, home), home) for home in self.trusted.empty_homes[self.seats[mover]])
        (first_ms, _), (begun_ms, kept) = left
        new = holes_of(self.trusted.taken_bits & self.bits & ~self.trusted.home_bits)
        put = [h for h in new if first_ms - SENSOR_LAG_MS <= levels.changes[h].filled_ms <= begun_ms - MIN_ACT_REST_MS]
        if len(put) != 1:
            return None
        holes = frozenset((put[0], kept))
        found = self.interpret_pegs(mover, holes)
        if not found.is_verdict:
            return None
        places = tuple([holes if index == mover else k.placement.holes for index, k in enumerate(self.known_seats)])
        strays = frozenset([h for h in new if levels.changes[h].filled_ms < first_ms - SENSOR_LAG_MS])
        resting_pegs = [
            RestingPegs(index, seat, places[index], self.interpret_pegs(index, places[index]))
            for index, seat in enumerate(self.seats)
        ]
        resting_pegs[mover] = replace(resting_pegs[mover], next_act_ms=begun_ms)
        return (Assignment(places, strays),), tuple(resting_pegs)

    def likely_assignments(self, taken: int) -> tuple[tuple[Assignment, ...], bool]:
        """Return the likely assignments of these taken holes, and whether they are swapped (see `is_swapped`)."""
        if taken not in self._assignment_cache:
            self._assignment_cache[taken] = self._search_assignments(taken)
        return self._assignment_cache[taken]

    def _search_assignments(self, taken: int) -> tuple[tuple[Assignment, ...], bool]:
        """Return the cheapest assignments, and whether they are swapped.

        A home that was filled again is first assumed to hold its own peg. If pegs are illegal then, the seat's other
        peg is tried in it. If pegs are still illegal, or were in their hole too early, another seat's peg is tried.
        """
        if len(self.seats) == 1:
            return self._cheapest_assignments(taken, refilled=True)[0], False
        found, cost = self._cheapest_assignments(taken)
        if cost >= COST_ILLEGAL:
            instead, less = self._cheapest_assignments(taken, refilled=True)
            found, cost = (instead, less) if less < cost else (found, cost)
        is_illegal = cost >= COST_ILLEGAL
        if is_illegal or any(map(self._is_too_early, found)):
            instead, less = self._cheapest_assignments(taken, swapped=True)
            if less < cost or (less == cost and not is_illegal):
                return instead, is_illegal
        return found, False

    def _is_too_early(self, assignment: Assignment) -> bool:
        """Return whether a peg fills a hole before it has left its home, so that it is another peg or a sensor lags."""
        levels = self.trusted.facts.levels
        for index, (seat, places) in enumerate(zip(self.known_seats, assignment.seat_holes, strict=True)):
            filled = sorted([levels.changes[h].filled_ms for h in places - seat.placement.holes])
            left = sorted([self.left_ms(index, h) for h in seat.placement.holes - places])
            if any(f < out for f, out in zip(filled, left, strict=False)):
                return True
        return False

    def _cheapest_assignments(
        self, taken: int, *, swapped: bool = False, refilled: bool = False
    ) -> tuple[tuple[Assignment, ...], int]:
        """Return the cheapest assignments and their cost.

        A home that was filled again holds its own peg; with `refilled` also the seat's other peg is tried, with
        `swapped` also the pegs of other seats.
        """
        assignments = _AssignmentSearch(self, taken, refilled=refilled).find_assignments(swapped=swapped)
        costs = [self._assignment_cost(assignment) for assignment in assignments]
        least = min(costs, default=COST_NO_ASSIGNMENT)
        return tuple([assignment for assignment, cost in zip(assignments, costs, strict=True) if cost == least]), least

    def _assignment_cost(self, assignment: Assignment) -> int:
        cost, changes = COST_UNOWNED * len(assignment.strays), self.trusted.facts.levels.changes
        for index, (seat, places) in enumerate(zip(self.known_seats, assignment.seat_holes, strict=True)):
            if not self.is_legal(index, places):
                cost += COST_ILLEGAL
            for hole in places - seat.placement.holes:
                if changes[hole].unattended_times:  # otherwise it cannot have flickered
                    left_ms = min(self.left_ms(index, gone) for gone in seat.placement.holes - places)
                    cost += COST_FLICKERED * self.trusted.has_flickered(hole, left_ms)
        return cost

    def left_ms(self, index: int, hole: int) -> int:
        """Return when a seat's peg left its home."""
        return self._left_ms[index][hole]

    def is_illegal(self, assignment: Assignment) -> bool:
        """Return whether a seat's pegs rest where no legal move puts them."""
        return not all(self.is_legal(index, places) for index, places in enumerate(assignment.seat_holes))

    def is_legal(self, index: int, holes: frozenset[int]) -> bool:
        """Return whether two resting pegs are a verdict, or one peg alone can become part of one."""
        if len(holes) == 2:
            return self.interpret_pegs(index, holes).is_verdict
        return all(self._is_likely_hole(index, hole) for hole in holes)

    def _is_likely_hole(self, index: int, hole: int) -> bool:
        found = self._likely_holes.get((index, hole))
        if found is None:
            found = self._likely_holes[index, hole] = is_likely_hole(self.known_seats[index], hole)
        return found

    def interpret_pegs(self, index: int, holes: frozenset[int]) -> Interpretation:
        """Return what a seat's two pegs in these holes mean (cached)."""
        found = self._interpretations.get((index, holes))
        if found is None:
            found = self._interpretations[index, holes] = interpret_pegs(self.known_seats[index], holes)
        return found

    def possible_holes(self, index: int) -> frozenset[frozenset[int]]:
        """Return the sets of holes in which a seat's pegs rest by the likely assignments."""
        return frozenset([assignment.seat_holes[index] for assignment in self.assignments])

    def find_pegs_out(self) -> Iterable[tuple[int, int]]:
        """Yield the seats with a peg in the hand, and when the first one left its home."""
        resting = {rest.seat for rest in self.resting_pegs}
        for index, seat in enumerate(self.seats):
            gone = self.trusted.empty_homes[seat]
            if gone and seat not in resting:
                yield seat, min(self.left_ms(index, h) for h in gone)


class _AssignmentSearch:
    """An exhaustive search over the few pegs that moved on a lane: all ways to give new holes to pegs that were out.

    By index of the seat: `fixed_homes` are the homes that hold their own peg, `left_times` the times at which the other
    pegs left, `given_holes` the holes given to the seat so far. A home that was left and filled again, and may hold the
    seat's other peg, is in `fixed_homes` and in `given_holes` from the start. `fills` are the holes to give, each as
    (time when it filled, hole), as in `given_holes`.
    """

    def __init__(self, group: LaneGroup, taken: int, *, refilled: bool) -> None:
        facts = group.trusted.facts
        self.group, self.taken, self.levels, self.refilled = group, taken, facts.levels, refilled
        self.placements = tuple([k.placement for k in group.known_seats])
        self.calm_ms = tuple([facts.certain_ms[seat] for seat in group.seats])
        self.fixed_homes = [frozenset([h for h in s.holes if taken >> h & 1]) for s in self.placements]
        if len(self.placements) > 1:
            self.fixed_homes = [
                kept - find_overtaken_homes(self.placements, self.calm_ms, seat)
                for seat, kept in enumerate(self.fixed_homes)
            ]

    def find_assignments(self, *, swapped: bool) -> tuple[Assignment, ...]:
        """Return all assignments with the fewest strays; none if there are more than `MAX_NEW_PEGS` new holes."""
        left, homes = self.group.trusted.facts.left_home_ms, [s.holes for s in self.placements]
        if swapped:
            loose = self._find_swappable_homes()
            self.fixed_homes = [kept - loose for kept in self.fixed_homes]
        again = [
            sorted([h for h in kept if self.refilled and (seat, h) in left])
            for seat, kept in zip(self.group.seats, self.fixed_homes, strict=True)
        ]
        self.left_times = [
            sorted([self.group.left_ms(index, h) for h in (home - self.fixed_homes[index]).union(again[index])])
            for index, home in enumerate(homes)
        ]
        everyones = frozenset[int]().union(*self.fixed_homes)
        new = [h for h in holes_of(self.taken) if h not in everyones]
        new_holes = self._select_hand_filled(new, sum(map(len, again)))
        unowned = frozenset(new).difference(new_holes)
        if len(new_holes) > MAX_NEW_PEGS:
            return ()
        if not new_holes:
            return (Assignment(tuple(self.fixed_homes), unowned),)
        self.fills = self._with_fill_times(new_holes)
        self.given_holes = [self._with_fill_times(holes) for holes in again]
        self.strays, self.best, self.fewest_strays = list[int](), list[Assignment](), MAX_NEW_PEGS
        self._assign_next_hole(0)
        best = {
            Assignment(
                tuple([kept | new for kept, new in zip(self.fixed_homes, s.seat_holes, strict=True)]),
                s.strays | unowned,
            )
            for s in self.best
        }
        return tuple(best) if len(best) == 1 else tuple(sorted(best, key=lambda s: [sorted(p) for p in s.seat_holes]))

    def _with_fill_times(self, holes: Iterable[int]) -> list[tuple[int, int]]:
        """Return each hole as (time when it filled, hole)."""
        return [(self.levels.changes[h].filled_ms, h) for h in holes]

    def _select_hand_filled(self, new: list[int], again: int) -> list[int]:
        """Return the new holes that a hand can have filled: after a peg was lifted, and not a row at one instant."""
        first = min((ms[0] for ms in self.left_times if ms), default=None)
        if first is None:
            return []
        pegs = sum(map(len, self.left_times)) - again
        single = exclude_simultaneous(max(pegs, MAX_PEGS_AT_ONCE), self.group.trusted, new)
        return [h for h in single if self.levels.changes[h].filled_ms + SENSOR_LAG_MS >= first]

    def _find_swappable_homes(self) -> frozenset[int]:
        """Return the homes that were left and filled again while another seat's peg was out, so may hold that peg."""
        quarantined = self.group.trusted.facts.quarantined_bits
        refilled = {
            h: seat
            for seat, kept in enumerate(self.fixed_homes)
            for h in kept
            if not quarantined >> h & 1 and self.levels.changes[h].filled_ms > self.calm_ms[seat]
        }
        away = {seat for seat, kept in enumerate(self.fixed_homes) if len(kept) < 2} | set(refilled.values())
        return frozenset([h for h, seat in refilled.items() if away - {seat}])

    def _assign_next_hole(self, done: int) -> None:
        """Give the next hole to each seat whose peg can be there, then make it a stray. `done`: number of holes given.

        Keeps the assignments with the fewest strays.
        """
        if len(self.strays) > self.fewest_strays:
            return
        if done == len(self.fills):
            self._keep_assignment()
            return
        fill = self.fills[done]
        for seat, out, given in zip(self.group.known_seats, self.left_times, self.given_holes, strict=True):
            if seat.lane.bits >> fill[1] & 1 and len(given) < len(out):
                given.append(fill)
                if _is_in_time(out, given):
                    self._assign_next_hole(done + 1)
                given.pop()
        self.strays.append(fill[1])
        self._assign_next_hole(done + 1)
        self.strays.pop()

    def _keep_assignment(self) -> None:
        if len(self.strays) < self.fewest_strays:
            self.best.clear()
            self.fewest_strays = len(self.strays)
        self.best.append(
            Assignment(tuple([frozenset([h for _, h in one]) for one in self.given_holes]), frozenset(self.strays))
        )


def exclude_simultaneous(many: int, trusted: TrustedLevels, new: Sequence[int]) -> list[int]:
    """Return the new holes without those that filled at the same instant as more than `many` holes in total.

    Quarantined holes are counted, too.
    """
    levels = trusted.facts.levels
    instants = [levels.changes[h].filled_ms for h in {*new, *trusted.facts.quarantine}]
    return [h for h in new if instants.count(levels.changes[h].filled_ms) <= many]


def _is_in_time(out: list[int], given: list[tuple[int, int]]) -> bool:
    """Return whether enough of the seat's pegs were out when each hole filled: one for the first hole, then two."""
    return all(
        filled_ms + SENSOR_LAG_MS >= left_ms for (filled_ms, _), left_ms in zip(sorted(given), out, strict=False)
    )
