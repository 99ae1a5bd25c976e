"""Loops that shrink: whose pegs race on which shape now, and the way there after a knock-out (pursuit). Pure.

In every other game all sides race from the first move to the last, and nothing here happens. The watcher knows those
who race by their place among them; here such a place becomes a seat again. Pegs of a loop that is over are no matter
of the watcher: until they are lifted it is not shown their holes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.board.events import Event, Pegged, Resolved, Started, Unclear, Undone
from companion.board.race import pegs
from companion.board.race.anomalies import start_of
from companion.board.race.pegs import Watch
from companion.board.shape.lanes import bits_of, holes_of
from companion.board.shape.layout import Board
from companion.rules.engine import Award
from companion.settings import Settings
from companion.snapshot import Advice
from companion.table.plan import Plan

KEPT = 8
"""So many loops that are over are remembered, for undo."""


class Left(NamedTuple):
    """A peg of a loop that is over, or of one that was undone, not lifted yet."""

    seat: int
    hole: int


class Ended(NamedTuple):
    """A loop that is over: its number, who raced, and what `pegs.dump` kept of it. Undo may lead back to it."""

    number: int
    seats: tuple[int, ...]
    pegs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loop:
    """Who races now. `earned` are the seats that have scored since their pegs last stood at their score."""

    seats: tuple[int, ...]
    number: int = 0
    left: tuple[Left, ...] = ()
    ended: tuple[Ended, ...] = ()
    earned: frozenset[int] = frozenset()

    @property
    def hidden(self) -> int:
        """The holes that the watcher is not shown: as bits."""
        return bits_of(peg.hole for peg in self.left)


def _number(state: Any) -> int:
    """How many loops a knock-out has ended: none where there are none."""
    return int(getattr(state, "loops", 0))


def fallen(state: Any) -> tuple[int, ...]:
    """The seats just knocked out, until the next loop begins; none where nobody is."""
    return getattr(state, "fallen", ())


def begin(plan: Plan, state: Any) -> Loop:
    """The loop of a state, with no pegs known."""
    return Loop(racing(plan, state), _number(state))


def racing(plan: Plan, state: Any) -> tuple[int, ...]:
    """The seats, or sides, whose pegs race. When a match is over all may set up for the next."""
    everybody = tuple(range(plan.sides)) if plan.lit is None else ()
    return everybody if state.winner is not None else getattr(state, "alive", everybody)


def watch(
    plan: Plan, settings: Settings, seats: tuple[int, ...], stands: tuple[pegs.Stand, ...] | None = None
) -> Watch:
    """A watch over the way of those who race, that has seen nothing yet."""
    return pegs.start(
        plan.board,
        plan.loop(seats),
        plan.target,
        pegs.Settings(settings.quiet_ms, settings.doubt_ms, settings.missing_ms),
        claims=plan.game.pegs == "score",
        counted=plan.setup.options.get("counting") == "manual",
        stands=stands,
    )


def points(plan: Plan, state: Any, loop: Loop) -> tuple[int, ...]:
    """The points the pegs of those who race ought to show: 0 on a new loop, while the scores of the old one stand.

    A score may be more than the target (swap): the peg stops there.
    """
    if fallen(state):
        return (0,) * len(loop.seats)
    return tuple(min(state.scores[seat], plan.target) for seat in loop.seats)


def scored(plan: Plan, loop: Loop, awards: Sequence[Award]) -> Loop:
    """The loop after a move's awards: who has scored moves the back peg."""
    if not plan.game.lap:
        return loop
    earned = loop.earned | {award.seat for award in awards if award.reason != "adjust"}
    return loop if earned == loop.earned else replace(loop, earned=earned)


def evened(loop: Loop, watch: Watch, points: Sequence[int]) -> Loop:
    """The loop without whose pegs stand at their score."""
    stands = zip(loop.seats, watch.stands or (), points, strict=False)
    earned = loop.earned - {seat for seat, stand, score in stands if stand.front_points == score}
    return loop if earned == loop.earned else replace(loop, earned=earned)


def by_front(plan: Plan, loop: Loop) -> frozenset[int]:
    """Of those who race, by place, who moves the front peg: in pursuit an adjustment moves no back peg."""
    if not plan.game.lap:
        return frozenset()
    return frozenset(n for n, seat in enumerate(loop.seats) if seat not in loop.earned)


def lifted(loop: Loop, bits: int) -> tuple[Loop, int]:
    """Pegs of an old loop that have been lifted are forgotten; and the holes that the watcher is shown."""
    if not loop.left:
        return loop, bits
    still = tuple(peg for peg in loop.left if bits >> peg.hole & 1)
    if len(still) < len(loop.left):
        loop = replace(loop, left=still)
    return loop, bits & ~loop.hidden


def follow(
    plan: Plan, settings: Settings, state: Any, loop: Loop, old: Watch, now_ms: int
) -> tuple[Loop, Watch, tuple[Event, ...]]:
    """The loop and the watch after a move: the same, the next loop's after a knock-out, or an earlier one's by undo."""
    number = _number(state)
    if number == loop.number:
        return loop, old, ()
    seats, bits = racing(plan, state), old.facts.levels.bits | loop.hidden
    fresh = watch(plan, settings, seats)
    if number < loop.number:
        back = next((ended for ended in loop.ended if ended.number == number), None)
        fresh = pegs.restore(fresh, back.pegs) if back else fresh
        earlier = tuple(ended for ended in loop.ended if ended.number < number)
        after = Loop(seats, number, _beyond(loop, old, fresh, bits), earlier)
    else:
        ended = (*loop.ended, Ended(loop.number, loop.seats, pegs.dump(old)))[-KEPT:]
        after = Loop(seats, number, _left(loop, old, fresh, bits, seats), ended)
    fresh, events = pegs.see(pegs.take_over(fresh, old, now_ms), bits & ~after.hidden, now_ms)
    return after, fresh, (Resolved(),) * len(old.open) + events


def _beyond(loop: Loop, old: Watch, fresh: Watch, bits: int) -> tuple[Left, ...]:
    """The pegs that an undo leaves where the loop that goes on has none."""
    owners = {hole: seat for seat, route in zip(loop.seats, old.routes, strict=True) for hole in route.start}
    standing = zip(loop.seats, old.stands or (), strict=False)
    owners |= {hole: seat for seat, stand in standing for hole in stand.holes}
    owners |= {peg.hole: peg.seat for peg in loop.left}
    return tuple(Left(owners[hole], hole) for hole in holes_of(bits & ~fresh.homes) if hole in owners)


def _left(loop: Loop, old: Watch, fresh: Watch, bits: int, seats: tuple[int, ...]) -> tuple[Left, ...]:
    """The pegs on the board that are not where their seat starts the next loop."""
    standing = zip(loop.seats, old.stands or (), strict=False)
    found = [*loop.left, *(Left(seat, hole) for seat, stand in standing for hole in (stand.back, stand.front))]
    starts = dict(zip(seats, (route.start for route in fresh.routes), strict=True))
    return tuple(peg for peg in found if bits >> peg.hole & 1 and peg.hole not in starts.get(peg.seat, ()))


def advice(
    board: Board, loop: Loop, watch: Watch, state: Any, names: Sequence[str], known: Sequence[Advice]
) -> tuple[Advice, ...]:
    """What is `known` to be amiss in the race; and which pegs come off, and where those left start the next loop."""
    if not loop.number and not loop.left:  # all race, and their places are their seats
        return tuple(known)
    found = [a if a.seat is None else replace(a, seat=loop.seats[a.seat]) for a in known]
    lying = {seat: [board.holes[peg.hole].id for peg in loop.left if peg.seat == seat] for seat in range(len(names))}
    ways: list[Advice] = []
    if watch.stands is None:
        found = [a for a in found if a.kind != "set_up"]
        if state.winner is None:
            ways = list(_set_up(board, loop, watch, names, lying))
    return (*_take_off(state, names, lying), *ways, *found)


def _set_up(
    board: Board, loop: Loop, watch: Watch, names: Sequence[str], lying: Mapping[int, list[str]]
) -> Iterator[Advice]:
    """Both pegs of everybody left go to the start of the next loop, to a hole once no old peg stands there."""
    for seat, route in zip(loop.seats, watch.routes, strict=True):
        for hole in route.start:
            if not watch.taken >> hole & 1:
                lift, place = lying[seat].pop() if lying[seat] else None, board.holes[hole]
                say = f"{names[seat]}: both pegs to {start_of(place.track, shared=place.seat is None)}."
                if not loop.hidden >> hole & 1:
                    yield Advice("set_up", seat, say, lift=lift, place=place.id)


def _take_off(state: Any, names: Sequence[str], lying: Mapping[int, list[str]]) -> Iterator[Advice]:
    """Pegs that have no place on this loop. The winner's may stay where they won."""
    for seat, holes in lying.items():
        if seat in state.alive:
            say = f"{names[seat]}: this peg stood there on another loop."
        else:
            say = f"{names[seat]} is out: take this peg off the board."
        for hole in () if seat == state.winner else holes:
            yield Advice("take_off", seat, say, hole=hole, lift=hole)


def won_in(plan: Plan, loop: Loop, watch: Watch, state: Any) -> int | None:
    """The hole of the winner's front peg, if that is known: in pursuit where it stood when the last loop ended."""
    if loop.ended:
        ended = loop.ended[-1]
        return int(ended.pegs["stands"][ended.seats.index(state.winner)][1]) if ended.pegs["stands"] else None
    if plan.lit is not None:
        return plan.lit.hole(plan.target, plan.target)
    if watch.stands is None:
        return None
    winner: int = state.winner
    return plan.routes[winner].hole(min(state.scores[winner], plan.target), plan.target)


def seated(event: Event, loop: Loop) -> Event:
    """An event as others know it: with seats, not places among those who race."""
    match event:
        case Started(seats):
            return Started(tuple(loop.seats[n] for n in seats))
        case Pegged() | Undone():
            return replace(event, seat=loop.seats[event.seat])
        case Unclear():
            return asked(event, loop)
        case _:
            return event


def asked(question: Unclear, loop: Loop) -> Unclear:
    """A question as others know it."""
    if loop.seats == tuple(range(len(loop.seats))):
        return question
    choices = tuple(
        replace(choice, move={**choice.move, "seat": loop.seats[choice.move["seat"]]})
        if choice.move and "seat" in choice.move
        else choice
        for choice in question.choices
    )
    return replace(question, seat=None if question.seat is None else loop.seats[question.seat], choices=choices)


def dump(loop: Loop, watch: Watch) -> dict[str, Any]:
    """What a restart must know, ready for JSON."""
    kept = pegs.dump(watch)
    if loop.earned:
        kept["earned"] = sorted(loop.earned)
    if loop.number or loop.left:
        kept["loop"] = [loop.number, loop.left, loop.ended]
    return kept


def resting(loop: Loop, watch: Watch) -> int:
    """The holes, as bits, of all pegs: where they are known to stand, else at the start or left from another loop."""
    lying = Counter(peg.seat for peg in loop.left)
    starts = [route.start for route in watch.routes]
    places = starts if watch.stands is None else [(stand.front, stand.back) for stand in watch.stands]
    standing = zip(loop.seats, places, strict=True)
    return loop.hidden | bits_of(hole for seat, two in standing for hole in two[: max(0, 2 - lying[seat])])


def restore(
    plan: Plan, settings: Settings, state: Any, folded: Loop, saved: Mapping[str, Any] | None
) -> tuple[Loop, Watch]:
    """The loop of a state, and its watch with what `dump` kept, where that is of the same loop."""
    loop = replace(begin(plan, state), earned=folded.earned)
    fresh = watch(plan, settings, loop.seats)
    number, left, ended = (saved or {}).get("loop", (0, (), ()))
    if saved is None or number != loop.number:
        return loop, fresh
    return (
        replace(
            loop,
            left=tuple(Left(*peg) for peg in left),
            ended=tuple(Ended(n, tuple(seats), pegs) for n, seats, pegs in ended),
            earned=frozenset(saved.get("earned", ())),
        ),
        pegs.restore(fresh, saved),
    )
