"""Second stage of a reading: whose peg rests in which hole, by the cheapest stories of the acts that led there. Pure.

Pegs look alike; only history tells them apart. A story is a sequence of acts (lift, put, touch; another hand's; a
sensor's fault): it gives every new peg to a seat whose peg was out when the hole filled, or to nobody. What tells
against it is its cost. Where each seat has a lane of its own there is seldom more than one story; where seats share a
lane there may be several, and only what all the cheapest ones say is believed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.boards.board import holes_of
from companion.common.frozen import replace
from companion.pegs.interpretation import Meaning, is_likely, known, meaning
from companion.pegs.sensor_trust import Believed, overtaken
from companion.pegs.thresholds import BEGUN_MS, LATE_MS

HANDS = 2
"""Where more holes than this fill at one instant, and more than pegs are out, a row of sensors has failed."""
SPOTS = 6
"""With more new pegs than this the board has been knocked over, and no story is told."""

NOBODYS = 10_000
"""The cost of a taken hole that is nobody's."""
ODD = 100
"""The cost of one seat's pegs that rest where no move puts them."""
FLICKERED = 1
"""The cost of a new hole that came and went by itself before any peg was lifted that could be in it."""
UNTOLD = 100 * NOBODYS
"""The cost of having no story at all."""


class Story(NamedTuple):
    """One way to explain which holes are taken.

    `places`: by the seats' index in their group, the holes that each one's pegs rest in; fewer than two where a peg is
    in somebody's hand. `strays`: the taken holes that are nobody's.
    """

    places: tuple[frozenset[int], ...]
    strays: frozenset[int]


@dataclass(frozen=True, slots=True)
class Resting:
    """A seat whose two pegs rest in the same holes by all likely stories, and what that means.

    `index` is the seat's place in its group. `begun_ms` is when the hand began its next act, by lifting the other
    peg; None while it has not.
    """

    index: int
    seat: int
    holes: frozenset[int]
    meaning: Meaning
    begun_ms: int | None = None


def explain(believed: Believed) -> tuple["Group", ...]:
    """The seats that share a lane, group by group, with their likely stories.

    A group whose pegs all rest at home is left out, unless some peg stands in its due's own hole already. That happens
    on a loop, where one hole stands for many points.
    """
    differ, gone = believed.taken ^ believed.homes, believed.gone
    done = {due.seat for due in believed.facts.dues if due.lift == due.place}
    return tuple(
        [
            Group(believed, seats, bits)
            for seats, bits in believed.facts.groups
            if differ & bits or any(gone[seat] or seat in done for seat in seats)
        ]
    )


class Group:
    """The seats that share a lane, read together. `index` in its methods is a seat's place in `seats`.

    `told`: the likely stories. `swapped`: by these one seat's peg rests in another's home, and without that some pegs
    would be odd. `resting`: the seats whose two pegs rest in the same holes by all these stories. `away`: the seats
    whose pegs do not both rest at home. `strays`: the holes that are nobody's by all of them. `touches`: by index, the
    holes that a hand has touched; `timing` fills them in, to look for them only once.
    """

    def __init__(self, believed: Believed, seats: tuple[int, ...], bits: int) -> None:
        self.believed, self.seats, self.bits, self.swapped = believed, seats, bits, False
        self._meant = dict[tuple[int, frozenset[int]], Meaning]()
        self.touches = dict[int, list[int]]()
        self._likely_holes = dict[tuple[int, int], bool]()
        self._heard = dict[int, tuple[tuple[Story, ...], bool]]()
        self.knowns = [known(believed.facts, seat) for seat in seats]
        self._left_ms = [
            {hole: believed.left_ms(seat, hole) for hole in k.stand.holes}
            for seat, k in zip(seats, self.knowns, strict=True)
        ]
        homes, begun = tuple([k.stand.holes for k in self.knowns]), self._begun()
        if begun is not None:
            self.told, self.resting = begun
        else:
            taken = believed.taken & bits
            if taken == believed.homes & bits and not any(believed.gone[seat] for seat in seats):
                self.told = (Story(homes, frozenset()),)
            else:
                self.told, self.swapped = self.stories_of(taken)
            self.resting = tuple(self._resting())
        home = {rest.seat for rest in self.resting if rest.holes == homes[rest.index]}
        self.away = [seat for seat in seats if seat not in home]
        self.strays = sorted(frozenset.intersection(*(s.strays for s in self.told))) if self.told else []

    def _resting(self) -> Iterable[Resting]:
        for index, seat in enumerate(self.seats):
            places = self.places(index)
            if len(places) == 1 and len(holes := next(iter(places))) == 2:
                yield Resting(index, seat, holes, self.meaning(index, holes))

    def _begun(self) -> tuple[tuple[Story, ...], tuple[Resting, ...]] | None:
        """What rested before one seat began its next act: the story, and the resting pegs. None where no hand has.

        It has where both pegs of one seat have left their homes, and no other seat's: the first was put where that is
        a verdict, and had rested there for `BEGUN_MS` when the second was lifted. Holes that filled later belong to
        the next act.
        """
        away = [index for index, seat in enumerate(self.seats) if self.believed.gone[seat]]
        if len(away) != 1 or len(self.believed.gone[self.seats[away[0]]]) != 2:
            return None
        mover, levels = away[0], self.believed.facts.levels
        left = sorted((self.left_ms(mover, home), home) for home in self.believed.gone[self.seats[mover]])
        (first_ms, _), (begun_ms, kept) = left
        new = holes_of(self.believed.taken & self.bits & ~self.believed.homes)
        put = [h for h in new if first_ms - LATE_MS <= levels.changes[h].filled_ms <= begun_ms - BEGUN_MS]
        if len(put) != 1:
            return None
        holes = frozenset((put[0], kept))
        found = self.meaning(mover, holes)
        if not found.is_verdict:
            return None
        places = tuple([holes if index == mover else k.stand.holes for index, k in enumerate(self.knowns)])
        strays = frozenset([h for h in new if levels.changes[h].filled_ms < first_ms - LATE_MS])
        resting = [
            Resting(index, seat, places[index], self.meaning(index, places[index]))
            for index, seat in enumerate(self.seats)
        ]
        resting[mover] = replace(resting[mover], begun_ms=begun_ms)
        return (Story(places, strays),), tuple(resting)

    def stories_of(self, taken: int) -> tuple[tuple[Story, ...], bool]:
        """The likely stories of these taken holes, and whether they are `swapped`."""
        if taken not in self._heard:
            self._heard[taken] = self._likely(taken)
        return self._heard[taken]

    def _likely(self, taken: int) -> tuple[tuple[Story, ...], bool]:
        """The cheapest stories, and whether they are `swapped`.

        First a home that filled again is taken to hold its own peg. Where that leaves some pegs odd, the seat's other
        peg is tried in it; where it leaves them odd, or in their hole too early, another seat's.
        """
        if len(self.seats) == 1:
            return self._cheapest(taken, refilled=True)[0], False
        told, cost = self._cheapest(taken)
        if cost >= ODD:
            instead, less = self._cheapest(taken, refilled=True)
            told, cost = (instead, less) if less < cost else (told, cost)
        odd = cost >= ODD
        if odd or any(map(self._is_early, told)):
            instead, less = self._cheapest(taken, swapped=True)
            if less < cost or (less == cost and not odd):
                return instead, odd
        return told, False

    def _is_early(self, story: Story) -> bool:
        """Whether some peg fills a hole before it has left its home: it is another's peg, or a sensor is late."""
        levels = self.believed.facts.levels
        for index, (seat, places) in enumerate(zip(self.knowns, story.places, strict=True)):
            filled = sorted([levels.changes[h].filled_ms for h in places - seat.stand.holes])
            left = sorted([self.left_ms(index, h) for h in seat.stand.holes - places])
            if any(f < out for f, out in zip(filled, left, strict=False)):
                return True
        return False

    def _cheapest(self, taken: int, *, swapped: bool = False, refilled: bool = False) -> tuple[tuple[Story, ...], int]:
        """The cheapest stories, and what they cost.

        A home that filled again holds its own peg; with `refilled` perhaps the seat's other one, with `swapped`
        perhaps another seat's.
        """
        told = _Scene(self, taken, refilled=refilled).stories(swapped=swapped)
        costs = [self._cost(story) for story in told]
        least = min(costs, default=UNTOLD)
        return tuple([story for story, cost in zip(told, costs, strict=True) if cost == least]), least

    def _cost(self, story: Story) -> int:
        cost, changes = NOBODYS * len(story.strays), self.believed.facts.levels.changes
        for index, (seat, places) in enumerate(zip(self.knowns, story.places, strict=True)):
            if not self.is_legal(index, places):
                cost += ODD
            for hole in places - seat.stand.holes:
                if changes[hole].own:  # else it cannot have flickered
                    left_ms = min(self.left_ms(index, gone) for gone in seat.stand.holes - places)
                    cost += FLICKERED * self.believed.flickered(hole, left_ms)
        return cost

    def left_ms(self, index: int, hole: int) -> int:
        """When a seat's peg left its home."""
        return self._left_ms[index][hole]

    def is_odd(self, story: Story) -> bool:
        """Whether some seat's pegs rest where no move puts them."""
        return not all(self.is_legal(index, places) for index, places in enumerate(story.places))

    def is_legal(self, index: int, holes: frozenset[int]) -> bool:
        """Whether two resting pegs make a verdict, or one alone can become a part of one."""
        if len(holes) == 2:
            return self.meaning(index, holes).is_verdict
        return all(self._is_likely(index, hole) for hole in holes)

    def _is_likely(self, index: int, hole: int) -> bool:
        found = self._likely_holes.get((index, hole))
        if found is None:
            found = self._likely_holes[index, hole] = is_likely(self.knowns[index], hole)
        return found

    def meaning(self, index: int, holes: frozenset[int]) -> Meaning:
        """What a seat's two pegs in these holes mean."""
        found = self._meant.get((index, holes))
        if found is None:
            found = self._meant[index, holes] = meaning(self.knowns[index], holes)
        return found

    def places(self, index: int) -> frozenset[frozenset[int]]:
        """Where the stories say that a seat's pegs rest."""
        return frozenset([story.places[index] for story in self.told])

    def out(self) -> Iterable[tuple[int, int]]:
        """The seats with a peg in the hand, and when the first one left its home."""
        resting = {rest.seat for rest in self.resting}
        for index, seat in enumerate(self.seats):
            gone = self.believed.gone[seat]
            if gone and seat not in resting:
                yield seat, min(self.left_ms(index, h) for h in gone)


class _Scene:
    """A search over the few pegs that moved on one lane: every way to give the new holes to the pegs that were out.

    By index: `fixed` are the homes that hold their own peg, `out` the times when the pegs left that may be elsewhere,
    `given` the holes given to the seat so far, each with the time when it filled. A home that was left and filled
    again, and may hold the seat's other peg, counts as fixed and as given from the start.
    """

    def __init__(self, group: Group, taken: int, *, refilled: bool) -> None:
        facts = group.believed.facts
        self.group, self.taken, self.levels, self.refilled = group, taken, facts.levels, refilled
        self.stands = tuple([k.stand for k in group.knowns])
        self.calm_ms = tuple([facts.calm_ms[seat] for seat in group.seats])
        self.fixed = [frozenset([h for h in s.holes if taken >> h & 1]) for s in self.stands]
        if len(self.stands) > 1:
            self.fixed = [kept - overtaken(self.stands, self.calm_ms, seat) for seat, kept in enumerate(self.fixed)]

    def stories(self, *, swapped: bool) -> tuple[Story, ...]:
        """All the stories with the fewest strays; none where more than `SPOTS` new holes are to be given."""
        left, homes = self.group.believed.facts.left, [s.holes for s in self.stands]
        if swapped:
            loose = self._loose()
            self.fixed = [kept - loose for kept in self.fixed]
        again = [
            sorted([h for h in kept if self.refilled and (seat, h) in left])
            for seat, kept in zip(self.group.seats, self.fixed, strict=True)
        ]
        self.out = [
            sorted([self.group.left_ms(index, h) for h in (home - self.fixed[index]).union(again[index])])
            for index, home in enumerate(homes)
        ]
        everyones = frozenset[int]().union(*self.fixed)
        new = [h for h in holes_of(self.taken) if h not in everyones]
        spots = self._held(new, sum(map(len, again)))
        nobodys = frozenset(new).difference(spots)
        if len(spots) > SPOTS:
            return ()
        if not spots:
            return (Story(tuple(self.fixed), nobodys),)
        self.spots, self.given = self._timed(spots), [self._timed(holes) for holes in again]
        self.strays, self.found, self.fewest = list[int](), list[Story](), SPOTS
        self._tell(0)
        best = {
            Story(tuple([kept | new for kept, new in zip(self.fixed, s.places, strict=True)]), s.strays | nobodys)
            for s in self.found
        }
        return tuple(best) if len(best) == 1 else tuple(sorted(best, key=lambda s: [sorted(p) for p in s.places]))

    def _timed(self, holes: Iterable[int]) -> list[tuple[int, int]]:
        """Each hole with the time when it filled, which comes first."""
        return [(self.levels.changes[h].filled_ms, h) for h in holes]

    def _held(self, new: list[int], again: int) -> list[int]:
        """The new holes that a hand can have filled: after a peg was lifted, and no whole row at one instant."""
        first = min((ms[0] for ms in self.out if ms), default=None)
        if first is None:
            return []
        pegs = sum(map(len, self.out)) - again
        single = at_most(max(pegs, HANDS), self.group.believed, new)
        return [h for h in single if self.levels.changes[h].filled_ms + LATE_MS >= first]

    def _loose(self) -> frozenset[int]:
        """The homes that were left and filled again while another seat's peg was out: they may hold that one."""
        doubted = self.group.believed.facts.doubted
        refilled = {
            h: seat
            for seat, kept in enumerate(self.fixed)
            for h in kept
            if not doubted >> h & 1 and self.levels.changes[h].filled_ms > self.calm_ms[seat]
        }
        away = {seat for seat, kept in enumerate(self.fixed) if len(kept) < 2} | set(refilled.values())
        return frozenset([h for h, seat in refilled.items() if away - {seat}])

    def _tell(self, done: int) -> None:
        """Give the next spot to each seat in turn whose peg can be there, then to nobody. `done`: how many are given.

        Keeps the stories with the fewest strays.
        """
        if len(self.strays) > self.fewest:
            return
        if done == len(self.spots):
            self._keep()
            return
        spot = self.spots[done]
        for seat, out, given in zip(self.group.knowns, self.out, self.given, strict=True):
            if seat.lane.bits >> spot[1] & 1 and len(given) < len(out):
                given.append(spot)
                if _in_time(out, given):
                    self._tell(done + 1)
                given.pop()
        self.strays.append(spot[1])
        self._tell(done + 1)
        self.strays.pop()

    def _keep(self) -> None:
        if len(self.strays) < self.fewest:
            self.found.clear()
            self.fewest = len(self.strays)
        self.found.append(Story(tuple([frozenset([h for _, h in one]) for one in self.given]), frozenset(self.strays)))


def at_most(many: int, believed: Believed, new: Sequence[int]) -> list[int]:
    """Those of the new holes that filled at one instant with no more than `many` holes in all.

    Holes whose sensors are not believed are counted too.
    """
    levels = believed.facts.levels
    instants = [levels.changes[h].filled_ms for h in {*new, *believed.facts.doubts}]
    return [h for h in new if instants.count(levels.changes[h].filled_ms) <= many]


def _in_time(out: list[int], given: list[tuple[int, int]]) -> bool:
    """Whether the seat had a peg out for each hole when it filled: for the first hole one, for the second two."""
    return all(filled_ms + LATE_MS >= left_ms for (filled_ms, _), left_ms in zip(sorted(given), out, strict=False))
