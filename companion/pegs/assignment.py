"""Second stage of a reading: whose peg rests in which hole, by the cheapest stories of the acts that led there. Pure.

Pegs look alike; only history tells them apart. A story is a sequence of acts (lift, put, touch; another hand's; a
sensor's fault): it gives every new peg to a seat whose peg was out when the hole filled, or to nobody. What tells
against it is its cost. Where each seat has a lane of its own there is seldom more than one story; where seats share a
lane there may be several, and only what all the cheapest ones say is trusted.
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
"""Where more holes than this fill at one instant, and more than pegs are out, a row of sensors has failed."""
MAX_NEW_PEGS = 6
"""With more new pegs than this the board has been knocked over, and no story is told."""

COST_UNOWNED = 10_000
"""The cost of a taken hole that is nobody's."""
COST_ILLEGAL = 100
"""The cost of one seat's pegs that rest where no move puts them."""
COST_FLICKERED = 1
"""The cost of a new hole that came and went by itself before any peg was lifted that could be in it."""
COST_NO_ASSIGNMENT = 100 * COST_UNOWNED
"""The cost of having no story at all."""


class Assignment(NamedTuple):
    """One way to explain which holes are taken.

    `places`: by the seats' index in their group, the holes that each one's pegs rest in; fewer than two where a peg is
    in somebody's hand. `strays`: the taken holes that are nobody's.
    """

    seat_holes: tuple[frozenset[int], ...]
    strays: frozenset[int]


@dataclass(frozen=True, slots=True)
class RestingPegs:
    """A seat whose two pegs rest in the same holes by all likely stories, and what that means.

    `index` is the seat's place in its group. `begun_ms` is when the hand began its next act, by lifting the other
    peg; None while it has not.
    """

    index: int
    seat: int
    holes: frozenset[int]
    interpretation: Interpretation
    next_act_ms: int | None = None


def assign_pegs(trusted: TrustedLevels) -> tuple["LaneGroup", ...]:
    """The seats that share a lane, group by group, with their likely stories.

    A group whose pegs all rest at home is left out, unless some peg stands in its due's own hole already. That happens
    on a loop, where one hole stands for many points.
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
    """The seats that share a lane, read together. `index` in its methods is a seat's place in `seats`.

    `told`: the likely stories. `swapped`: by these one seat's peg rests in another's home, and without that some pegs
    would be odd. `resting`: the seats whose two pegs rest in the same holes by all these stories. `away`: the seats
    whose pegs do not both rest at home. `strays`: the holes that are nobody's by all of them. `touches`: by index, the
    holes that a hand has touched; `timing` fills them in, to look for them only once.
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
        """What rested before one seat began its next act: the story, and the resting pegs. None where no hand has.

        It has where both pegs of one seat have left their homes, and no other seat's: the first was put where that is
        a verdict, and had rested there for `BEGUN_MS` when the second was lifted. Holes that filled later belong to
        the next act.
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
        """The likely stories of these taken holes, and whether they are `swapped`."""
        if taken not in self._assignment_cache:
            self._assignment_cache[taken] = self._search_assignments(taken)
        return self._assignment_cache[taken]

    def _search_assignments(self, taken: int) -> tuple[tuple[Assignment, ...], bool]:
        """The cheapest stories, and whether they are `swapped`.

        First a home that filled again is taken to hold its own peg. Where that leaves some pegs odd, the seat's other
        peg is tried in it; where it leaves them odd, or in their hole too early, another seat's.
        """
        if len(self.seats) == 1:
            return self._cheapest_assignments(taken, refilled=True)[0], False
        told, cost = self._cheapest_assignments(taken)
        if cost >= COST_ILLEGAL:
            instead, less = self._cheapest_assignments(taken, refilled=True)
            told, cost = (instead, less) if less < cost else (told, cost)
        odd = cost >= COST_ILLEGAL
        if odd or any(map(self._is_too_early, told)):
            instead, less = self._cheapest_assignments(taken, is_swapped=True)
            if less < cost or (less == cost and not odd):
                return instead, odd
        return told, False

    def _is_too_early(self, story: Assignment) -> bool:
        """Whether some peg fills a hole before it has left its home: it is another's peg, or a sensor is late."""
        levels = self.trusted.facts.levels
        for index, (seat, places) in enumerate(zip(self.known_seats, story.seat_holes, strict=True)):
            filled = sorted([levels.changes[h].filled_ms for h in places - seat.placement.holes])
            left = sorted([self.left_ms(index, h) for h in seat.placement.holes - places])
            if any(f < out for f, out in zip(filled, left, strict=False)):
                return True
        return False

    def _cheapest_assignments(
        self, taken: int, *, is_swapped: bool = False, refilled: bool = False
    ) -> tuple[tuple[Assignment, ...], int]:
        """The cheapest stories, and what they cost.

        A home that filled again holds its own peg; with `refilled` perhaps the seat's other one, with `swapped`
        perhaps another seat's.
        """
        assignments = _AssignmentSearch(self, taken, refilled=refilled).find_assignments(swapped=is_swapped)
        costs = [self._assignment_cost(story) for story in assignments]
        least = min(costs, default=COST_NO_ASSIGNMENT)
        return tuple([story for story, cost in zip(assignments, costs, strict=True) if cost == least]), least

    def _assignment_cost(self, story: Assignment) -> int:
        cost, changes = COST_UNOWNED * len(story.strays), self.trusted.facts.levels.changes
        for index, (seat, places) in enumerate(zip(self.known_seats, story.seat_holes, strict=True)):
            if not self.is_legal(index, places):
                cost += COST_ILLEGAL
            for hole in places - seat.placement.holes:
                if changes[hole].unattended_times:  # else it cannot have flickered
                    left_ms = min(self.left_ms(index, gone) for gone in seat.placement.holes - places)
                    cost += COST_FLICKERED * self.trusted.has_flickered(hole, left_ms)
        return cost

    def left_ms(self, index: int, hole: int) -> int:
        """When a seat's peg left its home."""
        return self._left_ms[index][hole]

    def is_illegal(self, story: Assignment) -> bool:
        """Whether some seat's pegs rest where no move puts them."""
        return not all(self.is_legal(index, places) for index, places in enumerate(story.seat_holes))

    def is_legal(self, index: int, holes: frozenset[int]) -> bool:
        """Whether two resting pegs make a verdict, or one alone can become a part of one."""
        if len(holes) == 2:
            return self.interpret_pegs(index, holes).is_verdict
        return all(self._is_likely_hole(index, hole) for hole in holes)

    def _is_likely_hole(self, index: int, hole: int) -> bool:
        found = self._likely_holes.get((index, hole))
        if found is None:
            found = self._likely_holes[index, hole] = is_likely_hole(self.known_seats[index], hole)
        return found

    def interpret_pegs(self, index: int, holes: frozenset[int]) -> Interpretation:
        """What a seat's two pegs in these holes mean."""
        found = self._interpretations.get((index, holes))
        if found is None:
            found = self._interpretations[index, holes] = interpret_pegs(self.known_seats[index], holes)
        return found

    def possible_holes(self, index: int) -> frozenset[frozenset[int]]:
        """Where the stories say that a seat's pegs rest."""
        return frozenset([story.seat_holes[index] for story in self.assignments])

    def find_pegs_out(self) -> Iterable[tuple[int, int]]:
        """The seats with a peg in the hand, and when the first one left its home."""
        resting = {rest.seat for rest in self.resting_pegs}
        for index, seat in enumerate(self.seats):
            gone = self.trusted.empty_homes[seat]
            if gone and seat not in resting:
                yield seat, min(self.left_ms(index, h) for h in gone)


class _AssignmentSearch:
    """A search over the few pegs that moved on one lane: every way to give the new holes to the pegs that were out.

    By index: `fixed` are the homes that hold their own peg, `out` the times when the pegs left that may be elsewhere,
    `given` the holes given to the seat so far, each with the time when it filled. A home that was left and filled
    again, and may hold the seat's other peg, counts as fixed and as given from the start.
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
        """All the stories with the fewest strays; none where more than `SPOTS` new holes are to be given."""
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
        nobodys = frozenset(new).difference(new_holes)
        if len(new_holes) > MAX_NEW_PEGS:
            return ()
        if not new_holes:
            return (Assignment(tuple(self.fixed_homes), nobodys),)
        self.new_holes, self.given_holes = (
            self._with_fill_times(new_holes),
            [self._with_fill_times(holes) for holes in again],
        )
        self.strays, self.best, self.fewest_strays = list[int](), list[Assignment](), MAX_NEW_PEGS
        self._assign_next_hole(0)
        best = {
            Assignment(
                tuple([kept | new for kept, new in zip(self.fixed_homes, s.seat_holes, strict=True)]),
                s.strays | nobodys,
            )
            for s in self.best
        }
        return tuple(best) if len(best) == 1 else tuple(sorted(best, key=lambda s: [sorted(p) for p in s.seat_holes]))

    def _with_fill_times(self, holes: Iterable[int]) -> list[tuple[int, int]]:
        """Each hole with the time when it filled, which comes first."""
        return [(self.levels.changes[h].filled_ms, h) for h in holes]

    def _select_hand_filled(self, new: list[int], again: int) -> list[int]:
        """The new holes that a hand can have filled: after a peg was lifted, and no whole row at one instant."""
        first = min((ms[0] for ms in self.left_times if ms), default=None)
        if first is None:
            return []
        pegs = sum(map(len, self.left_times)) - again
        single = exclude_simultaneous(max(pegs, MAX_PEGS_AT_ONCE), self.group.trusted, new)
        return [h for h in single if self.levels.changes[h].filled_ms + SENSOR_LAG_MS >= first]

    def _find_swappable_homes(self) -> frozenset[int]:
        """The homes that were left and filled again while another seat's peg was out: they may hold that one."""
        doubted = self.group.trusted.facts.quarantined_bits
        refilled = {
            h: seat
            for seat, kept in enumerate(self.fixed_homes)
            for h in kept
            if not doubted >> h & 1 and self.levels.changes[h].filled_ms > self.calm_ms[seat]
        }
        away = {seat for seat, kept in enumerate(self.fixed_homes) if len(kept) < 2} | set(refilled.values())
        return frozenset([h for h, seat in refilled.items() if away - {seat}])

    def _assign_next_hole(self, done: int) -> None:
        """Give the next spot to each seat in turn whose peg can be there, then to nobody. `done`: how many are given.

        Keeps the stories with the fewest strays.
        """
        if len(self.strays) > self.fewest_strays:
            return
        if done == len(self.new_holes):
            self._keep_assignment()
            return
        spot = self.new_holes[done]
        for seat, out, given in zip(self.group.known_seats, self.left_times, self.given_holes, strict=True):
            if seat.lane.bits >> spot[1] & 1 and len(given) < len(out):
                given.append(spot)
                if _is_in_time(out, given):
                    self._assign_next_hole(done + 1)
                given.pop()
        self.strays.append(spot[1])
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
    """Those of the new holes that filled at one instant with no more than `many` holes in all.

    Holes whose sensors are not trusted are counted too.
    """
    levels = trusted.facts.levels
    instants = [levels.changes[h].filled_ms for h in {*new, *trusted.facts.quarantine}]
    return [h for h in new if instants.count(levels.changes[h].filled_ms) <= many]


def _is_in_time(out: list[int], given: list[tuple[int, int]]) -> bool:
    """Whether the seat had a peg out for each hole when it filled: for the first hole one, for the second two."""
    return all(
        filled_ms + SENSOR_LAG_MS >= left_ms for (filled_ms, _), left_ms in zip(sorted(given), out, strict=False)
    )
