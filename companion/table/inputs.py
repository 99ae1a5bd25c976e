"""What a move, a card, a button or a device makes of the table. Pure; time and chance are arguments."""

from companion.board.markers import marks
from companion.board.race import pegs
from companion.codec import write_move
from companion.errors import BadCard, IllegalMove
from companion.rules.cards import Card, card
from companion.rules.moves import Adjust, Also, Claim, Go, Move, Next, Peg, Roll, Starter, TakeBoard, Undo
from companion.snapshot import Device
from companion.table import diamond
from companion.table import dice as cup
from companion.table.core import Core, DeviceTold, Happened, Seen, refused, ruled
from companion.table.journal import Entry
from companion.table.pegging import followed, heard, points, resting_ms, settled, with_win

LONGEST_NAMED = 24
"""A code that is no card is named up to so many letters: its owner puts it into the deck."""


def moved(core: Core, move: Move, by: str, now_ms: int) -> Happened:
    """A move is made. Raises IllegalMove, with nothing changed."""
    if isinstance(move, Undo) and core.lying:
        return Happened(core.but(lying=core.lying[:-1]), (Entry("uncard", by, None),))
    if isinstance(move, TakeBoard):
        return _take_board(core, by, now_ms)
    after = _with_runs(_with_dice(core, ruled(core, move, by), move, by, now_ms), move, now_ms)
    done = Happened(after, (Entry("move", by, write_move(move)),), after.awards).then(followed(after, now_ms))
    after = done.core
    if by != "board" and isinstance(move, Adjust | Peg | Claim | Undo) and after.watch.question is not None:
        watch, events = pegs.adopt(after.watch, now_ms, points(after))
        done = done.then(heard(after.but(watch=watch), events, now_ms))
    return done.then(settled(with_win(core, done.core, now_ms), now_ms))


def _take_board(core: Core, by: str, now_ms: int) -> Happened:
    """The pegs' places become the known ones: where the players count they are the scores, else the rest is due."""
    if core.markers is not None or core.plan.lit is not None:
        raise IllegalMove("There are no pegs here to take as they stand.")
    watch, events = pegs.take_board(core.watch, now_ms)
    if watch.stands == core.watch.stands and core.watch.question is None:
        raise IllegalMove("The pegs stand where they are known to stand.")
    done = heard(core.but(watch=watch), events, now_ms)
    shown = zip(core.loop.seats, watch.stands or (), points(done.core), strict=False)
    differ = [(seat, stand.front_points - score) for seat, stand, score in shown if stand.front_points != score]
    if not watch.facts.counted or not differ:
        return done.then(settled(done.core, now_ms))
    (seat, first), *others = differ
    return done.then(moved(done.core, Adjust(seat, first, tuple(Also(*each) for each in others)), by, now_ms))


def put_card(core: Core, found: Card, by: str, now_ms: int, reader: int | None = None) -> Happened:
    """A card is shown: by a reader or by a tap. Raises IllegalMove where it can be nothing now."""
    first = Happened(core)
    turn = core.plan.game.view(core.past.state).get("turn")
    if reader is not None and core.past.state.phase == "play" and turn not in (None, reader):
        first = _implied_go(core, turn, by, now_ms)
    core = first.core
    move = core.plan.game.scan(core.past.state, core.lying, found)
    if move is None:
        kept = core.but(lying=(*core.lying, found))
        return first.then(Happened(kept, (Entry("card", by, str(found)),)))
    return first.then(moved(core, move, by, now_ms))


def _implied_go(core: Core, turn: int, by: str, now_ms: int) -> Happened:
    """The other seat's reader shows a card: the seat whose turn it was has said go, where that is possible."""
    try:
        return moved(core, Go(turn), by, now_ms)
    except IllegalMove:
        return Happened(core)


def scanned(core: Core, code: str, reader: int | None, now_ms: int) -> Happened:
    """A reader sees a code. What cannot be taken is a notice; the card that stays on the reader is nothing new."""
    seen = core.seen.get(reader)
    same = seen is not None and seen.code == code and now_ms - seen.ms < core.settings.repeat_ms
    core = core.but(seen={**core.seen, reader: Seen(code, now_ms)})
    if same:
        return Happened(core)
    try:
        return put_card(core, card(code), "cards", now_ms, reader)
    except BadCard as error:
        named = code.isascii() and code.isalnum() and len(code) <= LONGEST_NAMED
        return refused(core, "cards", BadCard(f"The code {code} is no card of this deck.") if named else error)
    except IllegalMove as error:
        return refused(core, "cards", error)


def pressed(core: Core, button: str, now_ms: int, throw: cup.Throw = (1, 1)) -> Happened:
    """A button is pressed: `undo`, `go:N`, or `dice`, which fall as `throw` says."""
    buttons: dict[str, Move] = {"undo": Undo(), **{f"go:{seat}": Go(seat) for seat in range(core.plan.setup.seats)}}
    if button == "dice":
        view = core.plan.game.view(core.past.state)
        roll = cup.roll(view, throw)
        if roll is None:  # no dice are due: the button is a plain dice cup
            return Happened(core.but(dice=cup.shown(view, throw, now_ms, tumble=True)))
        buttons["dice"] = roll
    if button not in buttons:
        return refused(core, "buttons", IllegalMove("There is no such button on this table."))
    try:
        return moved(core, buttons[button], "buttons", now_ms)
    except IllegalMove as error:
        return refused(core, "buttons", error)


def _with_dice(before: Core, after: Core, move: Move, by: str, now_ms: int) -> Core:
    """The board's dice show what was rolled; those of a button tumble first. They go dark when play goes on."""
    if isinstance(move, Roll):
        view = before.plan.game.view(before.past.state)
        return after.but(dice=cup.shown(view, move.dice, now_ms, tumble=by == "buttons"))
    return after.but(dice=None) if isinstance(move, Starter | Next | Undo) else after


def _with_runs(core: Core, move: Move, now_ms: int) -> Core:
    """What runners did is lit on their way, once the dice that decided it have stopped. Undone, it ends."""
    if core.markers is None or isinstance(move, Adjust):
        return core
    plays = () if isinstance(move, Undo) else core.plan.game.view(core.past.state)["plays"]
    if not plays and not isinstance(move, Undo):
        return core
    marks = tuple(mark for mark in core.marks if not mark.way)
    return core.but(marks=marks + diamond.runs(core.plan.board, plays, resting_ms(core, now_ms)))


def device(core: Core, name: str, now_ms: int, *, ok: bool, say: str, url: str = "") -> Happened:
    """A device is lost or found."""
    known = core.devices.get(name)
    state = Device(known.url if known else url, ok, say)
    told = () if known is not None and known.ok == ok else (DeviceTold("found" if ok else "lost", name),)
    if told and ok and name == "sensors":
        seen = None if core.markers is None else marks.found(core.markers, now_ms)
        core = core.but(watch=pegs.found(core.watch, now_ms), markers=seen)
    return Happened(core.but(devices={**core.devices, name: state}), (), told)
