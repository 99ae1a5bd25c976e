"""Stage 3, assignment: which seat's peg rests in which hole, found as the cheapest explanation of the levels. Pure.

All pegs look alike, so only the order of changes shows them apart. An assignment gives every newly taken hole to a
seat whose peg was out when the hole filled, or declares it a stray. Its cost counts what is unlikely about it; the
cheapest assignments are the likely ones. With one lane for each seat there is nearly always one. Seats that share a
lane may have several, and only what all of them agree on is used.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from companion.boards.board import holes_of
from companion.pegs.interpretation import Interpretation, interpret_pegs, is_likely_hole
from companion.pegs.levels import TrustedLevels, find_overtaken_homes
from companion.pegs.thresholds import MIN_ACT_REST_MS, SENSOR_LAG_MS

MAX_PEGS_AT_ONCE = 2
"""Maximum number of holes that hands fill at one instant. More holes, and more than pegs out, are a failed row."""
MAX_NEW_PEGS = 6
"""Maximum number of new pegs on a lane. With more, the board was knocked over and no assignment is made."""
MAX_ASSIGNMENTS_CACHED = 64

COST_UNOWNED = 10_000
"""Cost of each taken hole that belongs to no seat."""
COST_ILLEGAL = 100
"""Cost of each seat whose pegs rest where no legal move puts them."""
COST_FLICKERED = 1
"""Cost of each new hole that flickered or filled before the peg that could be in it was lifted."""
COST_NO_ASSIGNMENT = 100 * COST_UNOWNED
"""Cost if there is no assignment at all."""


class Assignment(NamedTuple):
    """One explanation of the taken holes of a lane.

    `seat_holes`: by index of the seat in its group, the holes of its pegs; fewer than two if a peg is in a hand.
    `strays`: the taken holes that belong to no seat.
    """

    seat_holes: tuple[frozenset[int], ...]
    strays: frozenset[int]


class RestingPegs(NamedTuple):
    """A seat whose two pegs rest in the same holes by all likely assignments, with the interpretation.

    `lane_index`: of the seat in its group. `next_act_ms`: when the hand began its next act by lifting the other peg, or
    when an input ended a claim while the other peg was not seen; else None.
    """

    lane_index: int
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
            for seats, bits in trusted.lane_groups
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
    """

    def __init__(self, trusted: TrustedLevels, seats: tuple[int, ...], bits: int) -> None:
        self.trusted, self.seats, self.bits, self.is_swapped = trusted, seats, bits, False
        self._seat_costs = dict[tuple[int, frozenset[int]], int]()
        self.contexts = [trusted.seat_contexts[seat] for seat in seats]
        self._left_ms = [trusted.left_times(seat) for seat in seats]
        homes, begun = tuple([k.placement.holes for k in self.contexts]), self._find_finished_act()
        if begun is not None:
            self.assignments, self.resting_pegs = begun
        else:
            taken = trusted.taken_bits & bits
            if taken == trusted.home_bits & bits and not any(trusted.empty_homes[seat] for seat in seats):
                self.assignments = (Assignment(homes, frozenset()),)
            else:
                self.assignments, self.is_swapped = self.likely_assignments(taken)
            self.resting_pegs = tuple(self._find_resting_pegs())
        home = {rest.seat for rest in self.resting_pegs if rest.holes == homes[rest.lane_index]}
        self.away_seats = [seat for seat in seats if seat not in home]
        self.strays = sorted(frozenset.intersection(*(s.strays for s in self.assignments))) if self.assignments else []

    def _find_resting_pegs(self) -> Iterable[RestingPegs]:
        for index, seat in enumerate(self.seats):
            places = self.possible_holes(index)
            if len(places) == 1 and len(holes := next(iter(places))) == 2:
                yield RestingPegs(index, seat, holes, interpret_pegs(self.contexts[index], holes))

    def _find_finished_act(self) -> tuple[tuple[Assignment, ...], tuple[RestingPegs, ...]] | None:
        """Return the assignment and the resting pegs from before a seat began its next act, or None if no seat has.

        A seat has begun its next act if only its pegs are out, both have left their homes, the first one was put where
        that is a verdict, and it had rested there for `MIN_ACT_REST_MS` when the second one was lifted. Holes that
        filled later belong to the next act.

        If the seat may claim, an input ends the act, too, even if the other peg left its home before. That one is then
        assumed to be the front peg: in a hand, or in its home, whose sensor has died.
        """
        away = [index for index, seat in enumerate(self.seats) if self.trusted.empty_homes[seat]]
        if len(away) != 1 or len(self.trusted.empty_homes[self.seats[away[0]]]) != 2:
            return None
        mover, levels = away[0], self.trusted.facts.levels
        left = sorted((self.left_ms(mover, home), home) for home in self.trusted.empty_homes[self.seats[mover]])
        (first_ms, _), (ended_ms, kept) = left
        new, context = holes_of(self.trusted.taken_bits & self.bits & ~self.trusted.home_bits), self.contexts[mover]
        has_claimed = context.is_claiming and len(new) == 1
        if has_claimed and levels.changes[new[0]].filled_ms > ended_ms - MIN_ACT_REST_MS:
            ended_ms, kept = self.trusted.facts.input_ms, context.placement.front
        put = [h for h in new if first_ms - SENSOR_LAG_MS <= levels.changes[h].filled_ms <= ended_ms - MIN_ACT_REST_MS]
        if len(put) != 1:
            return None
        holes = frozenset((put[0], kept))
        found = interpret_pegs(context, holes)
        if not found.is_verdict:
            return None
        places = tuple([holes if index == mover else k.placement.holes for index, k in enumerate(self.contexts)])
        strays = frozenset([h for h in new if levels.changes[h].filled_ms < first_ms - SENSOR_LAG_MS])
        resting_pegs = [
            RestingPegs(index, seat, places[index], interpret_pegs(self.contexts[index], places[index]))
            for index, seat in enumerate(self.seats)
        ]
        resting_pegs[mover] = resting_pegs[mover]._replace(next_act_ms=ended_ms)
        return (Assignment(places, strays),), tuple(resting_pegs)

    def likely_assignments(self, taken: int) -> tuple[tuple[Assignment, ...], bool]:
        """Return the likely assignments of these taken holes, and whether they are swapped (see `is_swapped`).

        They are cached until a placement changes: after a touch the levels are often what they were before it.
        """
        facts = self.trusted.facts
        if facts.quarantine or any(taken >> hole & 1 for hole in self.trusted.unattended_holes):
            return self._search_assignments(taken)  # whether a sensor flickers also depends on the time
        left_ms = [ms for homes in self._left_ms for ms in homes.values()]
        filled_ms = [facts.levels.changes[hole].filled_ms for hole in holes_of(taken)]
        key = (taken, *self.contexts, *left_ms, *filled_ms, facts.certain_ms, *facts.left_home_ms.items())
        cache = self.trusted.context.assignments
        found = cache.get(key)
        if found is None:
            if len(cache) >= MAX_ASSIGNMENTS_CACHED:
                cache.clear()
            found = cache[key] = self._search_assignments(taken)
        return found

    def _search_assignments(self, taken: int) -> tuple[tuple[Assignment, ...], bool]:
        """Return the cheapest assignments, and whether they are swapped.

        A home that was filled again is first assumed to hold its own peg. If pegs are illegal then, the seat's other
        peg is tried in it. If pegs are still illegal, or were in their hole too early, another seat's peg is tried.
        """
        search = _AssignmentSearch(self, taken)
        if len(self.seats) == 1:
            return self._cheapest_assignments(search, refilled=True)[0], False
        found, cost = self._cheapest_assignments(search)
        if cost >= COST_ILLEGAL and search.has_refilled_homes:
            instead, less = self._cheapest_assignments(search, refilled=True)
            found, cost = (instead, less) if less < cost else (found, cost)
        is_illegal = cost >= COST_ILLEGAL
        if search.swappable_homes and (is_illegal or any(map(self._is_too_early, found))):
            instead, less = self._cheapest_assignments(search, swapped=True)
            if less < cost or (less == cost and not is_illegal):
                return instead, is_illegal
        return found, False

    def _is_too_early(self, assignment: Assignment) -> bool:
        """Return whether a peg fills a hole before it has left its home, so that it is another peg or a sensor lags."""
        levels = self.trusted.facts.levels
        for index, (seat, places) in enumerate(zip(self.contexts, assignment.seat_holes, strict=True)):
            filled = sorted([levels.changes[h].filled_ms for h in places - seat.placement.holes])
            left = sorted([self.left_ms(index, h) for h in seat.placement.holes - places])
            if any(f < out for f, out in zip(filled, left, strict=False)):
                return True
        return False

    def _cheapest_assignments(
        self, search: "_AssignmentSearch", *, swapped: bool = False, refilled: bool = False
    ) -> tuple[tuple[Assignment, ...], int]:
        """Return the cheapest assignments and their cost.

        A home that was filled again holds its own peg; with `refilled` also the seat's other peg is tried, with
        `swapped` also the pegs of other seats.
        """
        costs, found = self._seat_costs, list[tuple[int, tuple[frozenset[int], ...]]]()
        for seat_holes in search.find_assignments(swapped=swapped, refilled=refilled):
            for seat in enumerate(seat_holes):
                if seat not in costs:
                    costs[seat] = self._seat_cost(*seat)
            found.append((sum([costs[seat] for seat in enumerate(seat_holes)]), seat_holes))
        if not found:
            return (), COST_NO_ASSIGNMENT
        least = min([cost for cost, _ in found])
        best = [seat_holes for cost, seat_holes in found if cost == least]
        if len(best) > 1:
            best.sort(key=lambda seat_holes: [sorted(holes) for holes in seat_holes])
        new = frozenset(search.new_holes)
        assignments = tuple([Assignment(seat_holes, new.difference(*seat_holes)) for seat_holes in best])
        return assignments, least + COST_UNOWNED * len(assignments[0].strays)

    def _seat_cost(self, index: int, places: frozenset[int]) -> int:
        """Return the cost of a seat's pegs in these holes."""
        homes = self.contexts[index].placement.holes
        cost = 0 if self.is_legal(index, places) else COST_ILLEGAL
        new = places - homes
        if new and (len(self.seats) == 1 or not new.isdisjoint(self.trusted.unattended_holes)):
            left_ms = min([self._left_ms[index][gone] for gone in homes - places])
            for hole in new:
                cost += COST_FLICKERED * (self.trusted.has_flickered(hole, left_ms) or self.is_too_early(hole, left_ms))
        return cost

    def is_too_early(self, hole: int, left_ms: int) -> bool:
        """Return whether a hole of a single seat's lane filled before a peg of the seat had left its home.

        Then a sensor lags, or the sensor of this hole sticks. `left_ms`: when the peg that is not at home left it.
        """
        facts = self.trusted.facts
        if len(self.seats) > 1 or facts.levels.changes[hole].filled_ms >= left_ms:
            return False
        others = [ms for (seat, _), ms in facts.left_home_ms.items() if seat == self.seats[0]]  # filled again since
        return facts.levels.changes[hole].filled_ms < min([left_ms, *others])

    def left_ms(self, index: int, hole: int) -> int:
        """Return when a seat's peg left its home."""
        return self._left_ms[index][hole]

    def is_illegal(self, assignment: Assignment) -> bool:
        """Return whether a seat's pegs rest where no legal move puts them."""
        return not all(self.is_legal(index, places) for index, places in enumerate(assignment.seat_holes))

    def is_legal(self, index: int, holes: frozenset[int]) -> bool:
        """Return whether two resting pegs are a verdict, or one peg alone can become part of one."""
        if len(holes) == 2:
            return interpret_pegs(self.contexts[index], holes).is_verdict
        context = self.contexts[index]
        return all(is_likely_hole(context, hole) for hole in holes)

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

    By index of the seat: `fixed_homes` are the homes that hold their own peg, `left_times` the times at which its other
    pegs left, `seat_holes` the fixed homes and the `pegs_given` holes given to it so far. `fills` are the holes to
    give, in the order in which they filled, each with the seats that it can be given to and how many pegs of these were
    out then. A home that was left and filled again, and may hold the seat's other peg, is in `fixed_homes`, and given
    to its own seat. `new_holes` are the taken holes other than fixed homes.
    """

    def __init__(self, group: LaneGroup, taken: int) -> None:
        facts = group.trusted.facts
        self.group, self.taken, self.levels = group, taken, facts.levels
        self.placements = tuple([k.placement for k in group.contexts])
        self.certain_ms = tuple([facts.certain_ms[seat] for seat in group.seats])
        self.kept_homes = [frozenset([h for h in s.holes if taken >> h & 1]) for s in self.placements]
        if len(self.placements) > 1:
            self.kept_homes = [
                kept - find_overtaken_homes(self.placements, self.certain_ms, seat)
                for seat, kept in enumerate(self.kept_homes)
            ]

    @property
    def has_refilled_homes(self) -> bool:
        """Whether a home was left and filled again."""
        return any(map(self._find_refilled_homes, self.group.seats, self.kept_homes))

    def _find_refilled_homes(self, seat: int, kept: frozenset[int]) -> list[int]:
        left = self.group.trusted.facts.left_home_ms
        return sorted([h for h in kept if (seat, h) in left]) if left else []

    def find_assignments(self, *, swapped: bool, refilled: bool) -> Iterable[tuple[frozenset[int], ...]]:
        """Return the holes of each seat by all assignments with the fewest strays.

        Returns none if there are more than `MAX_NEW_PEGS` new holes.
        """
        self.fixed_homes = [kept - self.swappable_homes for kept in self.kept_homes] if swapped else self.kept_homes
        again = [
            self._find_refilled_homes(seat, kept) if refilled else []
            for seat, kept in zip(self.group.seats, self.fixed_homes, strict=True)
        ]
        self.left_times = [
            sorted([self.group.left_ms(index, h) for h in (*(placement.holes - kept), *own)])
            for index, (placement, kept, own) in enumerate(zip(self.placements, self.fixed_homes, again, strict=True))
        ]
        everyones = frozenset[int]().union(*self.fixed_homes)
        self.new_holes = [h for h in holes_of(self.taken) if h not in everyones]
        new_holes = self._select_hand_filled(self.new_holes, sum(map(len, again)))
        if len(new_holes) > MAX_NEW_PEGS:
            return ()
        if not new_holes:
            return (tuple(self.fixed_homes),)
        lanes = [seat.lane.bits for seat in self.group.contexts]
        fills = [(hole, [i for i, lane in enumerate(lanes) if lane >> hole & 1], False) for hole in new_holes]
        fills += [(hole, [index], True) for index, homes in enumerate(again) for hole in homes]
        fills.sort(key=lambda fill: self.levels.changes[fill[0]].filled_ms)
        self.fills = [(hole, self._count_pegs_out(hole, seats), is_home) for hole, seats, is_home in fills]
        self.seat_holes, self.pegs_given = list(self.fixed_homes), [0] * len(lanes)
        self.best, self.fewest_strays = set[tuple[frozenset[int], ...]](), MAX_NEW_PEGS
        self._assign_next_hole(0, 0)
        return self.best

    def _count_pegs_out(self, hole: int, seats: Iterable[int]) -> list[tuple[int, int]]:
        """Return for each of these seats how many of its pegs were out when the hole filled."""
        until_ms = self.levels.changes[hole].filled_ms + SENSOR_LAG_MS
        return [(index, bisect_right(self.left_times[index], until_ms)) for index in seats]

    def _select_hand_filled(self, new: list[int], again: int) -> list[int]:
        """Return the new holes that a hand can have filled: after a peg was lifted, and not a row at one instant."""
        first = min((ms[0] for ms in self.left_times if ms), default=None)
        if first is None:
            return []
        pegs = sum(map(len, self.left_times)) - again
        single = exclude_simultaneous(max(pegs, MAX_PEGS_AT_ONCE), self.group.trusted, new)
        return [h for h in single if self.levels.changes[h].filled_ms + SENSOR_LAG_MS >= first]

    @cached_property
    def swappable_homes(self) -> frozenset[int]:
        """The homes that were left and filled again while another seat's peg was out, so may hold that peg."""
        quarantined = self.group.trusted.quarantined_bits
        refilled = {
            h: seat
            for seat, kept in enumerate(self.kept_homes)
            for h in kept
            if not quarantined >> h & 1 and self.levels.changes[h].filled_ms > self.certain_ms[seat]
        }
        away = {seat for seat, kept in enumerate(self.kept_homes) if len(kept) < 2} | set(refilled.values())
        return frozenset([h for h, seat in refilled.items() if away - {seat}])

    def _assign_next_hole(self, done: int, strays: int) -> None:
        """Give the next hole to each seat whose peg can be there, then make it a stray. `done`: number of holes given.

        Keeps the assignments with the fewest strays.
        """
        if done == len(self.fills):
            if strays < self.fewest_strays:
                self.best.clear()
                self.fewest_strays = strays
            self.best.add(tuple(self.seat_holes))
            return
        hole, seats, is_home = self.fills[done]
        for index, pegs_out in seats:
            if self.pegs_given[index] < pegs_out:
                before = self.seat_holes[index]
                self.seat_holes[index] = before | {hole}
                self.pegs_given[index] += 1
                self._assign_next_hole(done + 1, strays)
                self.pegs_given[index] -= 1
                self.seat_holes[index] = before
        if strays < self.fewest_strays and not is_home:
            self._assign_next_hole(done + 1, strays + 1)


def exclude_simultaneous(many: int, trusted: TrustedLevels, new: Sequence[int]) -> list[int]:
    """Return the new holes without those that filled at the same instant as more than `many` holes in total.

    Quarantined holes are counted, too.
    """
    levels = trusted.facts.levels
    instants = [levels.changes[h].filled_ms for h in {*new, *trusted.facts.quarantine}]
    return [h for h in new if instants.count(levels.changes[h].filled_ms) <= many]
