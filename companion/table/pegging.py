"""What the pegs make of the table: conclusions become lights and moves, and the watcher learns what is due. Pure."""

from companion.board.events import Event, Pegged, Started, Undone
from companion.board.markers import marks
from companion.board.race import pegs
from companion.board.shape.lanes import holes_of
from companion.codec import write_move
from companion.errors import IllegalMove
from companion.rules.engine import Award
from companion.rules.moves import Move
from companion.snapshot import Mark
from companion.table import diamond, loops, pegmoves, referee
from companion.table.core import Core, Happened, dump, refused, resumed, ruled
from companion.table.journal import Entry

RIGHT_MS = 1500
"""How long a peg that was set right is lit green."""
WON_MS = 8000
"""How long the winner's lane celebrates."""


def levels(core: Core, bits: int, now_ms: int) -> Happened:
    """The sensors report all holes."""
    if core.markers is not None:
        return _marked(core, marks.see(core.markers, bits, now_ms), now_ms)
    if core.plan.lit is not None:  # nobody pegs: what stands on the board means nothing
        return Happened(core)
    loop, shown = loops.lifted(core.loop, bits)
    watch, events = pegs.see(core.watch, shown, now_ms)
    if watch is core.watch and loop is core.loop:
        return Happened(core)
    done = heard(core.but(loop=loop, watch=watch), events, now_ms)
    if not events and loop is core.loop and watch.stands is core.watch.stands:
        return done._replace(core=_without_old_marks(done.core, now_ms))  # nothing new can be due
    return done.then(settled(done.core, now_ms))


def ticked(core: Core, now_ms: int) -> Happened:
    """Time has passed: what falls due by `now_ms` is concluded."""
    if core.markers is not None:
        return _marked(core, marks.tick(core.markers, now_ms), now_ms)
    if core.plan.lit is not None:
        return Happened(_without_old_marks(core, now_ms))
    watch, events = pegs.tick(core.watch, now_ms)
    done = heard(core.but(watch=watch), events, now_ms)
    return done.then(settled(done.core, now_ms))


def taken_up(core: Core, now_ms: int) -> Happened:
    """A table goes on from its journal, which does not say what was pegged of all that was scored in it."""
    done = ticked(core, now_ms)
    return done._replace(core=_owing(done.core))


def deadline(core: Core) -> int | None:
    """When `ticked` would next conclude something. Nothing while the sensors are away or mean nothing."""
    sensors = core.devices.get("sensors")
    if (sensors is not None and not sensors.ok) or core.plan.lit is not None:
        return None
    return marks.deadline(core.markers) if core.markers is not None else pegs.deadline(core.watch)


def settled(core: Core, now_ms: int) -> Happened:
    """Rules and pegs compared anew until nothing more follows; the watcher learns what is due."""
    done = Happened(_expecting(core))
    for _ in range(8):  # each round pegs something that was due: it ends
        now = done.core
        loop = loops.evened(now.loop, now.watch, points(now))
        found = referee.dues(now.watch, points(now), loops.by_front(now.plan, loop))
        counting = frozenset(
            loop.seats.index(seat % core.plan.sides) for seat in core.plan.game.claimants(now.past.state)
        )
        done = done._replace(core=now.but(loop=loop))
        if found == done.core.dues and counting == done.core.watch.facts.counting:
            break
        watch, events = pegs.expect(done.core.watch, found, now_ms, counting)
        done = done.then(heard(done.core.but(watch=watch, dues=found), events, now_ms))
    return done._replace(core=_without_old_marks(_unpegged(done.core), now_ms))


def anew(core: Core, now_ms: int) -> Happened:
    """The pegs read anew from where they were last known, as after a restart."""
    return settled(resumed(core, dump(core)).but(dues=()), now_ms)


def followed(core: Core, now_ms: int) -> Happened:
    """Where a move has ended a loop, or taken its end back, other pegs race elsewhere."""
    loop, watch, events = loops.follow(core.plan, core.settings, core.past.state, core.loop, core.watch, now_ms)
    if watch is core.watch:
        return Happened(core)
    return heard(core.but(loop=loop, watch=watch, dues=()), events, now_ms)


def with_win(before: Core, after: Core, now_ms: int) -> Core:
    """A game that is won now celebrates in the winner's hole, where that is known."""
    winner = after.past.state.winner
    if winner is None or before.past.state.winner is not None:
        return after
    hole = (
        loops.won_in(after.plan, after.loop, after.watch, after.past.state)
        if after.markers is None
        else diamond.home(after.plan.board)
    )
    if hole is None:
        return after
    from_ms = resting_ms(after, now_ms)
    mark = Mark("won", after.plan.board.holes[hole].id, from_ms + WON_MS, from_ms)
    return after.but(marks=(*after.marks, mark))


def resting_ms(core: Core, now_ms: int) -> int:
    """When the dice, if any tumble, have come to rest: nothing is lit before that tells how."""
    return now_ms if core.dice is None else max(now_ms, core.dice.stop_ms)


def points(core: Core) -> tuple[int, ...]:
    """What the pegs ought to show."""
    return loops.points(core.plan, core.past.state, core.loop)


def _unpegged(core: Core) -> Core:
    """What has been pegged is no longer owed."""
    behind = {core.loop.seats[due.seat] for due in core.dues}
    owed = tuple(award for award in core.owed if award.seat % core.plan.sides in behind)
    return core if owed == core.owed else core.but(owed=owed)


def _owing(core: Core) -> Core:
    """Owed are the last awards that come to what a side's pegs lack; where none do, its reasons are not known."""
    lacking, last = {core.loop.seats[due.seat]: due.points for due in core.dues}, list[Award]()
    for award in reversed(core.owed):
        side = award.seat % core.plan.sides
        if lacking.get(side, 0) > 0:
            lacking[side] -= award.points
            last.append(award)
    owed = tuple(award for award in reversed(last) if lacking[award.seat % core.plan.sides] == 0)
    return core if owed == core.owed else core.but(owed=owed)


def _expecting(core: Core) -> Core:
    """The markers' board learns where pegs belong now."""
    if core.markers is None:
        return core
    wanted = diamond.wanted(core.plan.board, core.plan.game.view(core.past.state))
    return core.but(markers=marks.expect(core.markers, wanted))


def _marked(core: Core, seen: marks.Seen, now_ms: int) -> Happened:
    """The markers were read: what stands right now is lit, and the first time all do the game has started."""
    if seen.markers is core.markers:
        return Happened(core)
    lit = tuple(Mark("right", core.plan.board.holes[b].id, now_ms + RIGHT_MS) for b in holes_of(seen.right))
    told = (Started(tuple(range(core.plan.sides))),) if seen.started else ()
    return Happened(
        _without_old_marks(core.but(markers=seen.markers, marks=core.marks + lit), now_ms), (), seen.events + told
    )


def _without_old_marks(core: Core, now_ms: int) -> Core:
    marks = tuple(m for m in core.marks if m.until_ms > now_ms)
    return core if len(marks) == len(core.marks) else core.but(marks=marks)


def heard(core: Core, events: tuple[Event, ...], now_ms: int) -> Happened:
    """What the watcher concluded becomes a move, where it is one; everywhere a light."""
    done = Happened(core)
    for event in events:
        done = done.then(Happened(done.core, (), (loops.seated(event, core.loop),)))
        if isinstance(event, Pegged | Undone):
            hole = core.plan.board.holes[event.to].id
            marks = (*done.core.marks, Mark("right", hole, now_ms + RIGHT_MS))
            done = done._replace(core=done.core.but(marks=marks))
        if done.core.loop.number != core.loop.number:
            continue  # a claim has just ended this loop: what was pegged on it too counts for nothing
        for move in pegmoves.moves(core.plan, done.core.past, done.core.watch, event, core.loop.seats):
            done = done.then(_pegged_move(done.core, move, now_ms))
    return done


def _pegged_move(core: Core, move: Move, now_ms: int) -> Happened:
    try:
        after = ruled(core, move, "board")
    except IllegalMove as error:
        return refused(core, "board", error)
    made = Happened(after, (Entry("move", "board", write_move(move)),), after.awards).then(followed(after, now_ms))
    return made._replace(core=with_win(core, made.core, now_ms))
