"""Pegs that race along lanes: the course of most games. Pure.

The watcher (`companion.pegs.reader`) says where the pegs stand, the rules say the scores, and the referee compares
them. The watcher knows those who race by their place among them; everybody else knows them by their seat, and on a
board where nobody is ever knocked out these are the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

from companion.boards.board import bits_of
from companion.common.errors import BoardError, IllegalMove
from companion.common.frozen import replace
from companion.common.snapshot import Advice, Due, Pegs, Question
from companion.pegs import reader as pegs
from companion.pegs.events import Event, Pegged, Resolved, Started, Unclear, Undone
from companion.pegs.levels import Facts
from companion.pegs.reader import Watch
from companion.rules.engine import PUT_RIGHT, Award, History
from companion.rules.moves import Move, TakeBoard
from companion.settings import Settings
from companion.table.courses import dues as referee
from companion.table.courses import pursuit_loops, race_dump
from companion.table.courses.course import Counted, Course, Heard, Shown
from companion.table.courses.pursuit_loops import Loop
from companion.table.setup import Plan, check_way


@dataclass(frozen=True, kw_only=True)
class Race(Course):
    """The course of a race.

    `bits` are the taken holes as last reported, with pegs of other loops. `state` and `counted` are what the rules
    said last. `told` is what the watcher last learned its dues from; as long as that is the same, no due is another.
    """

    plan: Plan
    settings: Settings
    loop: Loop
    watch: Watch
    bits: int
    state: Any
    counted: Counted = ()
    told: tuple[Any, ...] = ()

    @property
    def placement(self) -> object:
        """Where the pegs are known to stand, which holes are not believed, and the pegs of other loops."""
        if self.facts.stands is None and not self.facts.doubted and not self.loop.number:
            return None
        return self.facts.stands, self.facts.doubted, self.loop

    @property
    def facts(self) -> Facts:
        """What the watcher knows of the pegs."""
        return self.watch.facts

    def see(self, bits: int, now_ms: int) -> Heard:
        loop, shown = self.loop, bits
        if loop.left:
            loop = loop.without(loop.hidden & ~bits)
            shown = bits & ~loop.hidden
        watch, events = pegs.see(self.watch, shown, now_ms)
        if bits == self.bits:
            return self._heard(watch, events)
        return replace(self, bits=bits, loop=loop)._heard(watch, events)

    def tick(self, now_ms: int) -> Heard:
        return self._heard(*pegs.tick(self.watch, now_ms))

    def deadline(self) -> int | None:
        return pegs.deadline(self.watch)

    def found(self, now_ms: int) -> Course:
        return replace(self, watch=pegs.found(self.watch, now_ms))

    def expect(self, past: History[Any], counted: Counted, now_ms: int) -> Heard:
        """The watcher learns what is due. After a knock-out, and when one is undone, other seats race elsewhere."""
        state = past.state
        told = (state, counted, self.facts.stands)
        if self.told and all(map(is_, told, self.told)):
            return Heard(self)
        if self._has_ended(state):
            return self._on_another_loop(state, now_ms)
        said = replace(self, state=state, counted=counted, told=told)
        dues = referee.dues(self.facts, said.points, said._by_front())
        counting = frozenset(self.loop.seats.index(s % self.plan.sides) for s in self.plan.game.claimants(state))
        if dues == self.facts.dues and counting == self.facts.counting:
            return Heard(said)
        return said._heard(*pegs.expect(self.watch, dues, now_ms, counting))

    def adopt(self, state: Any, now_ms: int) -> Heard:
        if not self.watch.open or self._has_ended(state):
            return Heard(self)
        said = replace(self, state=state)
        return said._heard(*pegs.adopt(self.watch, now_ms, said.points))

    def act(self, now_ms: int) -> Heard:
        return self._heard(*pegs.act(self.watch, now_ms))

    def take_board(self, now_ms: int) -> Heard:
        watch, events = pegs.take_board(self.watch, now_ms)
        if not self.watch.taken or (not events and watch.facts.stands == self.facts.stands):
            raise IllegalMove("No peg rests anywhere else than where it is known to stand.")
        return self._heard(watch, events)

    def moves(self, event: Event | TakeBoard, past: History[Any], later: Sequence[Event] = ()) -> tuple[Move, ...]:
        """The moves that an event is: none once a claim has just ended this loop, where more was pegged on it."""
        if self._has_ended(past.state):
            return ()
        stands = dict(zip(self.loop.seats, self.facts.stands or (), strict=False))
        if isinstance(event, TakeBoard):
            return referee.put_right(past.state.scores, stands) if self.facts.counted else ()
        return referee.moves(self.plan, past, event, stands, later)

    def goal(self, state: Any) -> int | None:
        """The hole of the winner's score on the loop that is just over."""
        if self.facts.stands is None or state.winner not in self.loop.seats:
            return None
        lane = self.facts.ground.lanes[self.loop.seats.index(state.winner)]
        return lane.hole(min(state.scores[state.winner], self.plan.target))

    def advice(self) -> tuple[Advice, ...]:
        loop, names = self.loop, self.plan.names
        racing = [names[seat] for seat in loop.seats]
        owed = {due.seat: self._owed(due.seat, due.points) for due in self.facts.dues}
        found = referee.advice(self.watch, racing, owed)
        if not loop.number and not loop.left:
            return found
        found = tuple(a if a.seat is None else replace(a, seat=loop.seats[a.seat]) for a in found)
        if self.facts.stands is None:
            found = tuple(a for a in found if a.kind != "set_up")
        alive = self.plan.game.racing(self.state).alive or ()
        return pursuit_loops.advice(self.plan.board, loop, self.watch, alive, self.state.winner, names) + found

    def pegs(self) -> Shown:
        holes, seats = self.plan.board.holes, self.loop.seats
        standing = zip(seats, self.facts.stands or (), strict=False)
        return Shown(
            pegs=tuple(Pegs(seat, holes[stand.front].id, holes[stand.back].id) for seat, stand in standing),
            dues=tuple(
                Due(seats[due.seat], due.points, holes[due.lift].id, holes[due.place].id)
                for due in self.facts.dues
                if due.lift != due.place
            ),
            question=self._question(),
            quarantined=tuple(holes[bit].id for bit in sorted(self.facts.doubts)),
            green=tuple(holes[bit].id for bit in self.watch.green),
        )

    def resting(self) -> int:
        lying = [peg.seat for peg in self.loop.left]
        starts = [lane.route.start for lane in self.facts.ground.lanes]
        places = starts if self.facts.stands is None else [(one.front, one.back) for one in self.facts.stands]
        standing = zip(self.loop.seats, places, strict=True)
        return self.loop.hidden | bits_of(h for seat, two in standing for h in two[: max(0, 2 - lying.count(seat))])

    def dump(self) -> dict[str, Any]:
        kept = pegs.dump(self.watch)
        return kept | ({"loop": self.loop.dump()} if self.loop.number or self.loop.left else {})

    def restore(self, past: History[Any], saved: Mapping[str, Any] | None) -> Course:
        fresh = begin(self.plan, self.settings, past.state)
        if saved is None:
            return fresh
        if isinstance(saved, Mapping) and "pegs" in saved:
            lanes = tuple(lane.route for lane in fresh.facts.ground.lanes)
            saved = race_dump.placed(self.plan, saved["pegs"], lanes, fresh.points, past)
        race_dump.check(saved, len(self.plan.board.holes))
        kept = saved.get("loop", (0, (), ()))
        if kept[0] != fresh.loop.number or len(saved["past"]) != len(fresh.loop.seats):
            return fresh  # of another loop than the moves lead to
        again = replace(
            fresh, loop=pursuit_loops.restored(fresh.loop.seats, kept), watch=pegs.restore(fresh.watch, saved)
        )
        return replace(again, bits=again.resting())

    @property
    def points(self) -> tuple[int, ...]:
        """The points that the pegs ought to show, of those who race.

        After a knock-out they start the next loop at 0 while the scores of the last one still stand. Where a score may
        go beyond the target (swap), the peg stops at the target.
        """
        if self.plan.game.racing(self.state).fallen:
            return (0,) * len(self.loop.seats)
        return tuple(min(self.state.scores[seat], self.plan.target) for seat in self.loop.seats)

    def _heard(self, watch: Watch, events: tuple[Event, ...]) -> Heard:
        if watch is self.watch and not events:
            return Heard(self)
        right = tuple(event.to for event in events if isinstance(event, Pegged | Undone))
        after = replace(self, watch=watch)
        return Heard(after, tuple(after._seated(event) for event in events), right)

    def _has_ended(self, state: Any) -> bool:
        """Whether this state belongs to another loop than the one raced on, or others race there now."""
        return self.plan.game.racing(state).loops != self.loop.number or racing(self.plan, state) != self.loop.seats

    def _on_another_loop(self, state: Any, now_ms: int) -> Heard:
        old, seats = self.watch, racing(self.plan, state)
        fresh = _watch(self.plan, self.settings, seats)
        number = self.plan.game.racing(state).loops
        loop, fresh = pursuit_loops.followed(self.loop, old, fresh, seats, number, self.bits)
        fresh = pegs.take_over(fresh, old, now_ms)
        after = replace(self, loop=loop, watch=fresh, state=state, told=())
        heard = after._heard(*pegs.see(fresh, self.bits & ~loop.hidden, now_ms))
        return heard._replace(events=(Resolved(),) * len(old.open) + heard.events)

    def _owed(self, place: int, points: int) -> tuple[Award, ...]:
        return referee.owed(self.counted, self.loop.seats[place], self.plan.sides, points)

    def _by_front(self) -> frozenset[int]:
        """The places of those who move the front peg ahead: in pursuit what puts a score right leaves the back peg."""
        if not self.plan.game.lap or self.facts.stands is None:
            return frozenset()
        stands = zip(self.points, self.facts.stands, strict=True)
        lacking = enumerate(score - stand.front_points for score, stand in stands)
        owed = {place: self._owed(place, points) for place, points in lacking if points > 0}
        return frozenset(p for p, awards in owed.items() if awards and all(a.reason in PUT_RIGHT for a in awards))

    def _seated(self, event: Event) -> Event:
        """An event with seats in place of places among those who race."""
        seats = self.loop.seats
        match event:
            case Started(places):
                return Started(tuple(seats[place] for place in places))
            case Pegged() | Undone():
                return replace(event, seat=seats[event.seat])
            case Unclear():
                return self._asked(event)
            case _:
                return event

    def _question(self) -> Question | None:
        if not self.watch.open:
            return None
        asked = self._asked(self.watch.open[-1].unclear)
        holes = tuple(self.plan.board.holes[bit].id for bit in asked.holes)
        return Question(asked.why, asked.choices, asked.seat, holes)

    def _asked(self, question: Unclear) -> Unclear:
        """A question with seats in place of places among those who race."""
        seat = None if question.seat is None else self.loop.seats[question.seat]
        choices = tuple(replace(choice, move=self._move(choice.move)) for choice in question.choices)
        return replace(question, seat=seat, choices=choices)

    def _move(self, move: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The move of an answer with seats in place of places among those who race."""
        if move is None:
            return None
        seated = {**move, "seat": self.loop.seats[move["seat"]]} if "seat" in move else dict(move)
        also = [{**each, "seat": self.loop.seats[each["seat"]]} for each in move.get("also", ())]
        return seated | ({"also": also} if also else {})


def begin(plan: Plan, settings: Settings, state: Any) -> Race:
    """The course of a new game. Raises BoardError for a board without a way for everybody."""
    if len(plan.routes) < plan.sides:
        raise BoardError(
            "The board {board_name} has no routes for {seats} players.",
            board_name=plan.board_name,
            seats=plan.setup.seats,
        )
    if plan.game.lap:
        pursuit_loops.check(plan)
    else:
        check_way(plan, plan.routes[0])
    loop = Loop(racing(plan, state), plan.game.racing(state).loops)
    watch = _watch(plan, settings, loop.seats)
    return Race(plan=plan, settings=settings, loop=loop, watch=watch, bits=watch.homes, state=state)


def racing(plan: Plan, state: Any) -> tuple[int, ...]:
    """The seats or sides whose pegs race: those still in the match; when it is over, everybody, for the next one."""
    alive = plan.game.racing(state).alive
    return tuple(range(plan.sides)) if alive is None or state.winner is not None else alive


def _watch(plan: Plan, settings: Settings, seats: tuple[int, ...]) -> Watch:
    """A watch over the ways of those who race, that has seen nothing yet."""
    return pegs.start(
        plan.board,
        pursuit_loops.ways(plan, seats),
        plan.target,
        pegs.Settings(settings.quiet_ms, settings.doubt_ms, settings.missing_ms),
        claims=plan.game.pegs == "score",
        counted=plan.setup.options.get("counting") == "manual",
    )
