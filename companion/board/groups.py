"""The seats that share a lane, read together: what their pegs mean, and what fits no one story. Pure.

On most boards each seat has a lane of its own and a group is one seat. On a single lane only what all the likely
stories say is a verdict.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.board.lanes import Stand, bits_of, mask_of
from companion.board.levels import NEVER, steps
from companion.board.meanings import MOST, Known, is_likely, meaning
from companion.board.quiet import COUNTING_MS, latest, quiet, touched
from companion.board.stories import LATE_MS, Scene, Story, stories
from companion.board.watch import Key, Trouble, Verdict, Watch

Cost = tuple[int, int, int]
"""What tells against a story: strays, seats whose pegs rest where nothing legal puts them, holes that flickered."""
HANDLED = 5
"""A home that has changed more often than this of late is no counting hand's doing: it tells nothing."""
NOTHING_ODD: Cost = (0, 0, 99)
TOO_ODD: Cost = (99, 99, 99)


@dataclass(slots=True)
class Group:
    """The seats that share a lane, read together."""

    watch: Watch
    seats: tuple[int, ...]
    mask: int
    told: tuple[Story, ...] = ()
    knowns: tuple[Known, ...] = ()
    swapped: bool = False
    resting: tuple[tuple[int, Known, frozenset[int]], ...] = ()
    """The seats whose two pegs all stories find in the same holes."""
    _meant: dict[tuple[int, frozenset[int]], bool] = field(default_factory=dict)
    _heard: dict[int, tuple[tuple[Story, ...], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        watch = self.watch
        assert watch.stands is not None
        self.knowns = tuple(self._known(watch, watch.stands[s], s) for s in self.seats)
        taken, homes = watch.taken & self.mask, watch.homes & self.mask
        if taken == homes and not any(map(watch.gone, self.seats)):
            self.told = (Story(tuple(k.stand.holes for k in self.knowns), frozenset()),)
        else:
            self.told, self.swapped = self._told(taken)
        self.resting = tuple(self._resting())

    @staticmethod
    def _known(watch: Watch, stand: Stand, seat: int) -> Known:
        claims, counts = watch.claims, seat in watch.counting
        return Known(watch.ground.lanes[seat], stand, watch.past[seat], watch.due(seat), claims, watch.won, counts)

    def _told(self, taken: int) -> tuple[tuple[Story, ...], bool]:
        """The likely stories of these taken holes, and whether in them a home holds another seat's peg."""
        if taken not in self._heard:
            self._heard[taken] = self._likely(taken)
        return self._heard[taken]

    def _likely(self, taken: int) -> tuple[tuple[Story, ...], bool]:
        shared = len(self.seats) > 1
        told, cost = self._cheapest(taken, refilled=not shared)
        if shared and cost > NOTHING_ODD:
            instead, less = self._cheapest(taken, refilled=True)
            if less < cost:
                told, cost = instead, less
        odd = cost > NOTHING_ODD
        if shared and (odd or any(map(self._is_early, told))):
            instead, less = self._cheapest(taken, swapped=True)
            if less < cost or (less == cost and not odd):
                return instead, odd
        return told, False

    def _is_early(self, story: Story) -> bool:
        """A hole of the story filled before its peg had left: so it is another's peg, or a sensor is late."""
        for index, (known, places) in enumerate(zip(self.knowns, story.places, strict=True)):
            filled = sorted(self.watch.levels.of(h).filled_ms for h in places - known.stand.holes)
            left = sorted(self._left_ms(index, h) for h in known.stand.holes - places)
            if any(f < out for f, out in zip(filled, left, strict=False)):
                return True
        return False

    def _cheapest(self, taken: int, *, swapped: bool = False, refilled: bool = False) -> tuple[tuple[Story, ...], Cost]:
        """The stories that the least tells against, and what does.

        A home filled again holds its own peg; if `refilled` perhaps the seat's other one, if `swapped` anybody's.
        """
        lanes, stands = [k.lane for k in self.knowns], [k.stand for k in self.knowns]
        calm_ms = [self.watch.calm_ms[s] for s in self.seats]
        watch = self.watch
        again = [
            frozenset(h for h in k.stand.holes if refilled and (s, h) in watch.left)
            for s, k in zip(self.seats, self.knowns, strict=True)
        ]
        scene = Scene(lanes, stands, watch.levels, taken, calm_ms, self._left_ms, again, watch.quarantined)
        told = stories(scene, swapped=swapped)
        costs = [self._cost(story) for story in told]
        least = min(costs, default=TOO_ODD)
        return tuple(story for story, cost in zip(told, costs, strict=True) if cost == least), least

    def _cost(self, story: Story) -> Cost:
        flickers = sum(
            self.watch.flickered(h, min(self._left_ms(index, gone) for gone in known.stand.holes - places))
            for index, (known, places) in enumerate(zip(self.knowns, story.places, strict=True))
            for h in places - known.stand.holes
        )
        return (len(story.strays), self._odd(story), flickers)

    def _left_ms(self, index: int, hole: int) -> int:
        return self.watch.left_ms(self.seats[index], hole)

    def _odd(self, story: Story) -> int:
        """How many seats' pegs rest where nothing legal puts them."""
        return sum(not self._legal(index, places) for index, places in enumerate(story.places))

    def _legal(self, index: int, holes: frozenset[int]) -> bool:
        """Two resting pegs make a verdict, one alone can become a part of one."""
        found = self._meant.get((index, holes))
        if found is None:
            known = self.knowns[index]
            if len(holes) == 2:
                found = meaning(known, holes).is_verdict
            else:
                found = all(is_likely(known, hole) for hole in holes)
            self._meant[index, holes] = found
        return found

    @property
    def strays(self) -> tuple[int, ...]:
        """The holes that no story gives to anybody."""
        if not self.told:
            return ()
        return tuple(sorted(frozenset.intersection(*(story.strays for story in self.told))))

    def places(self, index: int) -> frozenset[frozenset[int]]:
        """Where the stories say that a seat's pegs rest."""
        return frozenset(story.places[index] for story in self.told)

    def _resting(self) -> Iterable[tuple[int, Known, frozenset[int]]]:
        for index, (seat, known) in enumerate(zip(self.seats, self.knowns, strict=True)):
            places = self.places(index)
            if len(places) == 1 and len(next(iter(places))) == 2:
                yield seat, known, next(iter(places))

    def verdicts(self) -> Iterable[Verdict]:
        """What can be committed, and when."""
        for seat, known, holes in self.resting:
            found = meaning(known, holes)
            if found.is_verdict and found.kind != "same" and not self._came_to_be_unseen(known, holes):
                at_ms = self._alone(seat, holes, quiet(self.watch, known, found, holes))
                if self.swapped:
                    at_ms = max(at_ms, self._still_ms() + self.watch.settings.doubt_ms)
                if known.due is None or found.to != known.due.place:
                    at_ms = max(at_ms, self._passed_ms(known, holes))
                yield Verdict(at_ms, seat, found)

    def _came_to_be_unseen(self, known: Known, holes: frozenset[int]) -> bool:
        """The new hole filled while the sensors were away, and with this seat's peg there another's pegs are odd."""
        new = [self.watch.levels.of(h).filled_ms for h in holes - known.stand.holes]
        unseen = len(self.seats) > 1 and bool(new) and max(new) <= self.watch.sight_ms
        return unseen and any(self._odd(story) for story in self.told)

    def _passed_ms(self, known: Known, holes: frozenset[int]) -> int:
        """Until when a hole just filled, and legal to nobody else, may be this peg's next: sensors may be late."""
        down_ms = max(self.watch.levels.of(h).filled_ms for h in holes)
        story = self.told[0]
        odd = (
            p - k.stand.holes
            for i, (k, p) in enumerate(zip(self.knowns, story.places, strict=True))
            if p != holes and not self._legal(i, p)
        )
        filled = (self.watch.levels.of(h).filled_ms for h in story.strays.union(*odd) if is_likely(known, h))
        return max((ms + LATE_MS + 1 for ms in filled if ms > down_ms), default=NEVER)

    def _alone(self, seat: int, holes: frozenset[int], at_ms: int) -> int:
        """When a seat's place is certain: another's hole that tells whose it is must be quiet too."""
        if len(self.seats) == 1:
            return at_ms
        index = self.seats.index(seat)
        due = self.knowns[index].due
        expected = due is not None and due.place in holes
        if not expected and (self._filled_before(index, holes) or self._may_count(index, holes)):
            rest_ms = self.watch.settings.quiet_ms + COUNTING_MS
            at_ms = max(at_ms, latest(self.watch, holes | self.knowns[index].stand.holes) + rest_ms)
        taken = self.watch.taken & self.mask
        others = [h for h in bits_of(taken & ~mask_of(self.knowns[index].stand.holes)) if h not in holes]
        rest_ms = self.watch.settings.quiet_ms + (COUNTING_MS if self._counts() else 0)
        flaps = [h for h in others if self.watch.homes >> h & 1 and steps(self.watch.levels.of(h).flips) > HANDLED]
        restless = [h for h in others if self.watch.changed(h) + rest_ms > at_ms and h not in flaps]
        told, _ = self._told(taken & ~mask_of(restless))
        if all(story.places[index] == holes for story in told):
            return at_ms
        return latest(self.watch, restless) + rest_ms

    def _filled_before(self, index: int, holes: frozenset[int]) -> bool:
        """The seat's new hole filled before its peg left, and another's peg was out: sensors differ, or it is that one.

        A peg that is still counting touches holes that no claim of its own would reach.
        """
        stand = self.knowns[index].stand
        filled_ms = max((self.watch.levels.of(h).filled_ms for h in holes - stand.holes), default=NEVER)
        left_ms = min((self._left_ms(index, h) for h in stand.holes - holes), default=NEVER)
        others = [s for s in self.seats if s != self.seats[index]]
        return filled_ms < left_ms and any(
            self.watch.left_ms(s, h) <= filled_ms for s in others for h in self.watch.gone(s)
        )

    def _may_count(self, index: int, holes: frozenset[int]) -> bool:
        """Another seat's peg is in a hand that counts, and comes by here, though it could claim no such hole."""
        new = holes - self.knowns[index].stand.holes
        for other, known in enumerate(self.knowns):
            stand, out = known.stand, other != index and self.watch.gone(self.seats[other])
            if out and any(known.lane.points(h, stand.back_points + 1, stand.front_points + MOST) for h in new):
                return self._counts()
        return False

    def _counts(self) -> bool:
        """A peg has touched and left holes of the lane since one was lifted: what rests now may be another touch."""
        for index, known in enumerate(self.knowns):
            gone = [self._left_ms(index, h) for h in self.watch.gone(self.seats[index])]
            if gone and next(iter(touched(self.watch, known, min(gone))), None) is not None:
                return True
        return False

    def _still_ms(self) -> int:
        """Since when nothing on the lane has changed: what one seat's peg does in another's home is slow to believe."""
        holes = {h for story in self.told for places in story.places for h in places}
        return latest(self.watch, holes.union(*(known.stand.holes for known in self.knowns)))

    def settled(self) -> Iterable[tuple[int, int]]:
        """The seats at home."""
        for seat, known, holes in self.resting:
            if holes == known.stand.holes:
                yield seat, latest(self.watch, holes) + self.watch.settings.quiet_ms

    def troubles(self) -> Iterable[Trouble]:
        """What fits no one story."""
        if not self.told:
            yield self._scattered()
            return
        resting = {seat: (known, holes) for seat, known, holes in self.resting}
        for index, (seat, known) in enumerate(zip(self.seats, self.knowns, strict=True)):
            if seat in resting:
                yield from self._odd_one(seat, *resting[seat])
            elif any(len(places) < 2 for places in self.places(index)):
                yield from self._in_hand(seat, known)
        unsure = [s for i, s in enumerate(self.seats) if len(self.places(i)) > 1]
        if unsure and all(len(places) == 2 for story in self.told for places in story.places):
            yield self._whose(tuple(unsure))

    def _odd_one(self, seat: int, known: Known, holes: frozenset[int]) -> Iterable[Trouble]:
        found, settings = meaning(known, holes), self.watch.settings
        if found.is_verdict:
            return
        rest_ms = latest(self.watch, holes | known.stand.holes)
        notice_ms = quiet(self.watch, known, found, holes)
        ask_ms: int | None = max(notice_ms, rest_ms + settings.doubt_ms)
        if found.kind in ("over", "under"):
            ask_ms = None  # the advice says it all, and the due stands
        yield Trouble(Key(found.kind, seat, tuple(sorted(holes))), (seat,), notice_ms, ask_ms, found, ((holes,),))

    def _in_hand(self, seat: int, known: Known) -> Iterable[Trouble]:
        gone = self.watch.gone(seat)
        if not gone:
            return  # another's peg may stand in for this seat's: it is that one that is out
        since_ms = max(self.watch.sight_ms, *self._left(known, gone))
        ask_ms = since_ms + self.watch.settings.missing_ms
        if len(gone) == 2 and all(not places for places in self.places(self.seats.index(seat))):
            yield Trouble(Key("both_out", seat, gone), (seat,), since_ms + self.watch.settings.doubt_ms, ask_ms)
        else:
            yield Trouble(Key("out", seat, gone), (seat,), ask_ms, ask_ms)

    def _left(self, known: Known, gone: tuple[int, ...]) -> Iterable[int]:
        """When the pegs in hand last left a hole, their own or one that they touched."""
        first = min(self.watch.levels.of(h).emptied_ms for h in gone)
        yield from (self.watch.levels.of(h).emptied_ms for h in gone)
        yield from (self.watch.levels.of(h).emptied_ms for h in touched(self.watch, known, first))

    def _whose(self, unsure: tuple[int, ...]) -> Trouble:
        holes = tuple(sorted({h for s in unsure for p in self.places(self.seats.index(s)) for h in p}))
        homes = [h for s in unsure for h in self.knowns[self.seats.index(s)].stand.holes]
        since_ms = latest(self.watch, (*holes, *homes))
        settings, indices = self.watch.settings, [self.seats.index(s) for s in unsure]
        places = tuple(tuple(story.places[i] for i in indices) for story in self.told)
        key, notice_ms, ask_ms = Key("whose", None, holes), since_ms + settings.quiet_ms, since_ms + settings.doubt_ms
        return Trouble(key, unsure, notice_ms, ask_ms, places=places)

    def _scattered(self) -> Trouble:
        homes = [h for known in self.knowns for h in known.stand.holes]
        since_ms = latest(self.watch, (*homes, *bits_of(self.watch.taken & self.mask)))
        doubt_ms = since_ms + self.watch.settings.doubt_ms
        return Trouble(Key("scattered", None, tuple(sorted(homes))), self.seats, doubt_ms, doubt_ms)

    def gone(self) -> Iterable[tuple[int, int]]:
        """The seats with a peg out, and when the first one left its home."""
        resting = {seat for seat, _, _ in self.resting}
        for seat in self.seats:
            gone = self.watch.gone(seat)
            if gone and seat not in resting:
                yield seat, min(self.watch.left_ms(seat, h) for h in gone)
