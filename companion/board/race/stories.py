"""Whose peg is in which hole: an exact search over the few pegs that moved. Pure.

Pegs look alike; only history tells them apart. A story gives every new peg to a seat whose peg was out when the
hole filled, or to nobody (a stray). Where each seat has a lane of its own there is seldom more than one story;
where seats share a lane there may be several, and only what all the likely ones say is believed.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.board.race.levels import Levels
from companion.board.shape.lanes import Lane, Stand, holes_of

LATE_MS = 200
"""A hole can hold a peg whose old hole emptied this much later than the new one filled: sensors differ, no more."""
HANDS = 2
"""More holes than this, and than pegs are out, filled at one instant are no hand's doing but a row of sensors."""
SPOTS = 6
"""With more new pegs than this the board has been knocked over, and no story is told."""


class Story(NamedTuple):
    """The holes each seat's pegs rest in (fewer than two: the rest is in somebody's hand), and nobody's holes."""

    places: tuple[frozenset[int], ...]
    strays: frozenset[int]


@dataclass(frozen=True, slots=True)
class Scene:
    """The seats that share a lane, by their index. `taken` are the lane's taken holes.

    `calm_ms` is, by seat, when its pegs were last known for sure: a home filled again since, while another
    seat's peg was out too, may hold that other peg. `left_ms` is when the peg first left its home since then,
    and `again` are the homes left since then: the seat's other peg may have filled them.
    The sensors of the `doubted` holes are not believed.
    """

    lanes: Sequence[Lane]
    stands: Sequence[Stand]
    levels: Levels
    taken: int
    calm_ms: Sequence[int]
    left_ms: Callable[[int, int], int]
    again: Sequence[frozenset[int]]
    doubted: frozenset[int] = frozenset()


def stories(scene: Scene, *, swapped: bool = False) -> tuple[Story, ...]:
    """All the stories with the fewest strays; none where too much has moved.

    A home filled again is taken to hold its own peg; if `swapped`, it may hold another's that was out too.
    """
    homes = [s.holes for s in scene.stands]
    fixed = [frozenset(h for h in home if scene.taken >> h & 1) for home in homes]
    if len(homes) > 1:
        fixed = [kept - overtaken(scene.stands, scene.calm_ms, seat) for seat, kept in enumerate(fixed)]
    if swapped:
        loose = _loose(scene, fixed)
        fixed = [kept - loose for kept in fixed]
    again = [sorted(scene.again[seat] & kept) for seat, kept in enumerate(fixed)]
    out = [
        sorted(scene.left_ms(seat, h) for h in (home - fixed[seat]).union(again[seat]))
        for seat, home in enumerate(homes)
    ]
    everyones = frozenset[int]().union(*fixed)
    new = [h for h in holes_of(scene.taken) if h not in everyones]
    spots = _held(scene, out, new, sum(map(len, again)))
    nobodys = frozenset(new).difference(spots)
    if len(spots) > SPOTS:
        return ()
    if not spots:
        return (Story(tuple(fixed), nobodys),)
    telling = _Telling(scene.lanes, out, _timed(scene.levels, spots), [_timed(scene.levels, holes) for holes in again])
    telling.tell()
    best = {
        Story(tuple(kept | new for kept, new in zip(fixed, story.places, strict=True)), story.strays | nobodys)
        for story in telling.found
    }
    return tuple(sorted(best, key=lambda story: [sorted(p) for p in story.places]))


def _timed(levels: Levels, holes: Iterable[int]) -> list[tuple[int, int]]:
    """The holes, each behind the time when it filled."""
    return [(levels.of(h).down_ms, h) for h in holes]


def _held(scene: Scene, out: list[list[int]], new: list[int], again: int) -> list[int]:
    """The new holes that a hand may have filled: with a peg that was out, and not a whole row at one instant."""
    first = min((ms[0] for ms in out if ms), default=None)
    if first is None:
        return []
    pegs = sum(map(len, out)) - again
    single = at_most(max(pegs, HANDS), scene.levels, new, scene.doubted)
    return [h for h in single if scene.levels.of(h).down_ms + LATE_MS >= first]


def at_most(many: int, levels: Levels, new: Sequence[int], doubted: Collection[int]) -> list[int]:
    """Those of the new holes that filled with at most so many others at one instant, doubted ones among them."""
    instants = [levels.of(h).filled_ms for h in {*new, *doubted}]
    return [h for h in new if instants.count(levels.of(h).filled_ms) <= many]


def overtaken(stands: Sequence[Stand], calm_ms: Sequence[int], seat: int) -> frozenset[int]:
    """The homes of a seat in which another's peg has come to rest since."""
    if max(calm_ms) == calm_ms[seat]:
        return frozenset()
    later = (s.holes for other, s in enumerate(stands) if other != seat and calm_ms[other] > calm_ms[seat])
    return stands[seat].holes & frozenset[int]().union(*later)


def _loose(scene: Scene, fixed: list[frozenset[int]]) -> frozenset[int]:
    """The homes that were left and filled again while another seat's peg was out: they may hold that one."""
    refilled = {
        h: seat
        for seat, kept in enumerate(fixed)
        for h in kept - scene.doubted
        if scene.levels.of(h).filled_ms > scene.calm_ms[seat]
    }
    away = {seat for seat, kept in enumerate(fixed) if len(kept) < 2} | set(refilled.values())
    return frozenset(h for h, seat in refilled.items() if away - {seat})


@dataclass(slots=True)
class _Telling:
    """The search: each spot, a new peg's hole, is given to every seat that it can be, then to nobody.

    `given` are by seat the holes with the time when they filled, `out` when its pegs left, `found` the stories with
    the fewest strays so far.
    """

    lanes: Sequence[Lane]
    out: Sequence[list[int]]
    spots: Sequence[tuple[int, int]]
    given: Sequence[list[tuple[int, int]]]
    strays: list[int] = field(default_factory=list)
    found: list[Story] = field(default_factory=list)
    fewest: int = SPOTS

    def tell(self, done: int = 0) -> None:
        """Go on with the spot after so many."""
        if len(self.strays) > self.fewest:
            return
        if done == len(self.spots):
            self._keep()
            return
        spot = self.spots[done]
        for lane, out, given in zip(self.lanes, self.out, self.given, strict=True):
            if lane.bits >> spot[1] & 1 and len(given) < len(out):
                given.append(spot)
                if _in_time(out, given):
                    self.tell(done + 1)
                given.pop()
        self.strays.append(spot[1])
        self.tell(done + 1)
        self.strays.pop()

    def _keep(self) -> None:
        if len(self.strays) < self.fewest:
            self.found.clear()
            self.fewest = len(self.strays)
        self.found.append(Story(tuple(frozenset(h for _, h in one) for one in self.given), frozenset(self.strays)))


def _in_time(out: list[int], given: list[tuple[int, int]]) -> bool:
    """Each hole filled no earlier than a peg of the seat was out for it."""
    return all(filled_ms + LATE_MS >= left_ms for (filled_ms, _), left_ms in zip(sorted(given), out, strict=False))
