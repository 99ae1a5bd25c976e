"""The seats that share a lane, read together: where their pegs rest by all the likely stories. Pure.

On most boards each seat has a lane of its own and a group is one seat. On a single lane only what all the likely
stories say is believed. `verdicts` says what follows, `troubles` what fits no story.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from companion.board.race.meanings import Known, Meaning, is_likely, meaning
from companion.board.race.quiet import touched
from companion.board.race.stories import Scene, Story, stories
from companion.board.race.watch import Watch
from companion.board.shape.lanes import Stand

Cost = tuple[int, int, int]
"""What tells against a story: strays, seats whose pegs rest where nothing legal puts them, holes that flickered."""
NOTHING_ODD: Cost = (0, 0, 99)
TOO_ODD: Cost = (99, 99, 99)


@dataclass(frozen=True, slots=True)
class Resting:
    """A seat whose two pegs all stories find in the same holes, and what that means."""

    index: int
    seat: int
    holes: frozenset[int]
    meaning: Meaning


@dataclass(slots=True)
class Group:
    """The seats that share a lane, read together. `index` in its methods is a seat's place in `seats`."""

    watch: Watch
    seats: tuple[int, ...]
    bits: int
    told: tuple[Story, ...] = ()
    knowns: tuple[Known, ...] = ()
    swapped: bool = False
    resting: tuple[Resting, ...] = ()
    _meant: dict[tuple[int, frozenset[int]], Meaning] = field(default_factory=dict)
    _heard: dict[int, tuple[tuple[Story, ...], bool]] = field(default_factory=dict)
    _touches: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        watch = self.watch
        assert watch.stands is not None
        self.knowns = tuple(self._known(watch, watch.stands[s], s) for s in self.seats)
        taken, homes = watch.taken & self.bits, watch.homes & self.bits
        if taken == homes and not any(watch.gone[seat] for seat in self.seats):
            self.told = (Story(tuple(k.stand.holes for k in self.knowns), frozenset()),)
        else:
            self.told, self.swapped = self.stories_of(taken)
        self.resting = tuple(self._resting())

    @staticmethod
    def _known(watch: Watch, stand: Stand, seat: int) -> Known:
        claims, counts = watch.claims, seat in watch.counting
        return Known(watch.ground.lanes[seat], stand, watch.past[seat], watch.due(seat), claims, watch.won, counts)

    def stories_of(self, taken: int) -> tuple[tuple[Story, ...], bool]:
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
            left = sorted(self.left_ms(index, h) for h in known.stand.holes - places)
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
        scene = Scene(lanes, stands, watch.levels, taken, calm_ms, self.left_ms, again, watch.quarantined)
        told, odd = _fewest(stories(scene, swapped=swapped), self.odd)
        told, flickers = _fewest(told, self._flickers)
        return told, (len(told[0].strays), odd, flickers) if told else TOO_ODD

    def _flickers(self, story: Story) -> int:
        """How many of its new holes flickered before a peg was lifted that could be in them."""
        return sum(
            self.watch.flickered(h, min(self.left_ms(index, gone) for gone in known.stand.holes - places))
            for index, (known, places) in enumerate(zip(self.knowns, story.places, strict=True))
            for h in places - known.stand.holes
        )

    def left_ms(self, index: int, hole: int) -> int:
        """When a seat's peg left its home."""
        return self.watch.left_ms(self.seats[index], hole)

    def odd(self, story: Story) -> int:
        """How many seats' pegs rest where nothing legal puts them."""
        return sum(not self.is_legal(index, places) for index, places in enumerate(story.places))

    def is_legal(self, index: int, holes: frozenset[int]) -> bool:
        """Two resting pegs make a verdict, one alone can become a part of one."""
        if len(holes) == 2:
            return self._meaning(index, holes).is_verdict
        return all(is_likely(self.knowns[index], hole) for hole in holes)

    def _meaning(self, index: int, holes: frozenset[int]) -> Meaning:
        found = self._meant.get((index, holes))
        if found is None:
            found = self._meant[index, holes] = meaning(self.knowns[index], holes)
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

    def _resting(self) -> Iterable[Resting]:
        for index, seat in enumerate(self.seats):
            places = self.places(index)
            if len(places) == 1 and len(holes := next(iter(places))) == 2:
                yield Resting(index, seat, holes, self._meaning(index, holes))

    def others_gone(self, index: int) -> Sequence[tuple[int, tuple[int, ...]]]:
        """The other seats whose pegs are out, by their index, with the homes that these have left."""
        gone = ((other, self.watch.gone[seat]) for other, seat in enumerate(self.seats) if other != index)
        return [(other, holes) for other, holes in gone if holes]

    def touches(self, index: int) -> tuple[int, ...]:
        """The holes that a seat's peg, out now, may have touched and left since it was lifted."""
        if index not in self._touches:
            left_ms = min(self.left_ms(index, h) for h in self.watch.gone[self.seats[index]])
            self._touches[index] = tuple(touched(self.watch, self.knowns[index], left_ms))
        return self._touches[index]

    def gone(self) -> Iterable[tuple[int, int]]:
        """The seats with a peg out, and when the first one left its home."""
        resting = {rest.seat for rest in self.resting}
        for seat in self.seats:
            gone = self.watch.gone[seat]
            if gone and seat not in resting:
                yield seat, min(self.watch.left_ms(seat, h) for h in gone)


def _fewest(told: Sequence[Story], count: Callable[[Story], int]) -> tuple[tuple[Story, ...], int]:
    """The stories with the lowest count, and that count."""
    counts = [count(story) for story in told]
    fewest = min(counts, default=0)
    return tuple(story for story, each in zip(told, counts, strict=True) if each == fewest), fewest
