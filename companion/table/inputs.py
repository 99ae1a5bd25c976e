"""What phones, cards, buttons and devices make of the table. Pure; time and chance are arguments."""

from companion.common.errors import BadCard, IllegalMove
from companion.common.frozen import replace
from companion.common.snapshot import Device
from companion.journal.journal import Entry
from companion.rules.cards import Card, card
from companion.rules.moves import Adjust, Claim, Correct, Go, Move, Peg, TakeBoard, Undo
from companion.table import dice, remote_game
from companion.table.dice import Throw
from companion.table.state import Core, DeviceTold, Happened, Seen, acted, heard, made, refused, settled

LONGEST_NAMED = 24
"""A code that is no card is named up to so many letters: its owner puts it into the deck."""

UNSEEN_MS = 10**12
"""Lost sensors are believed no sooner than this: whatever rested when they went has not been seen to rest on."""


def moved(core: Core, move: Move, by: str, now_ms: int) -> Happened:
    """A person makes a move. Raises IllegalMove, with nothing changed."""
    if isinstance(move, Undo) and core.waiting:
        return remote_game.ask_no_more(core, by)
    if core.plan.afar is None:
        return ordered(core, move, by, now_ms)
    if not isinstance(move, TakeBoard):
        remote_game.check_seat(move, remote_game.own_seat(core.plan))
    return remote_game.asked(core, ordered(core, move, by, now_ms), by)


def ordered(core: Core, move: Move, by: str, now_ms: int) -> Happened:
    """A move whose turn in the order of all moves has come. Raises IllegalMove, with nothing changed."""
    if isinstance(move, Undo) and core.lying:
        return Happened(replace(core, lying=core.lying[:-1]), (Entry("uncard", by, None),))
    if isinstance(move, Correct) and not {move.card, move.to}.isdisjoint(core.lying):
        return _laid_anew(core, move, by)
    if isinstance(move, TakeBoard):
        return _board_taken(core, move, by, now_ms)
    done = made(core, move, by, now_ms)
    if isinstance(move, Adjust | Peg | Claim | Undo):
        done = done.then(heard(done.core, done.core.course.adopt(done.core.past.state, now_ms), now_ms))
    return done.then(settled(done.core, now_ms))


def _board_taken(core: Core, move: TakeBoard, by: str, now_ms: int) -> Happened:
    """The pegs' places become the known ones. It is no move of the rules, but scores that pegs tell may follow."""
    done = heard(core, core.course.take_board(now_ms), now_ms)
    for following in done.core.course.moves(move, done.core.past):
        done = done.then(made(done.core, following, by, now_ms))
    return done.then(settled(done.core, now_ms))


def _laid_anew(core: Core, move: Correct, by: str) -> Happened:
    """A card that lies was read wrong: it is taken up with those after it, and they are laid again. No move is made."""
    if move.to in core.lying:
        raise IllegalMove("The {name} has already been seen in this deal.", name=move.to.name)
    at = core.lying.index(move.card)
    laid, entries = core.lying[:at], [Entry("uncard", by, None)] * (len(core.lying) - at)
    for each in (move.to, *core.lying[at + 1 :]):
        core.plan.game.scan(core.past.state, laid, each)
        laid, entries = (*laid, each), [*entries, Entry("card", by, str(each))]
    return Happened(replace(core, lying=laid), tuple(entries))


def tapped(core: Core, found: Card, now_ms: int) -> Happened:
    """A card is tapped on a page. Raises IllegalMove where it can be nothing now."""
    first = acted(core, now_ms)
    return first.then(_shown(first.core, found, "phone", now_ms))


def scanned(core: Core, code: str, reader: int | None, now_ms: int) -> Happened:
    """A reader sees a code. What cannot be taken is a notice; the card that stays on the reader is nothing new."""
    core, is_new = sighted(core, code, reader, now_ms)
    if not is_new:
        return Happened(core)
    done = acted(core, now_ms)
    try:
        found = card(code)
        passed = Happened(done.core) if reader is None else _passed_to(done.core, reader, now_ms)
        return done.then(passed).then(_shown(passed.core, found, "cards", now_ms))
    except BadCard as error:
        named = code.isascii() and code.isalnum() and len(code) <= LONGEST_NAMED
        why = BadCard("The code {code} is no card of this deck.", code=code) if named else error
        return done.then(refused(done.core, "cards", why))
    except IllegalMove as error:
        return done.then(refused(done.core, "cards", error))


def sighted(core: Core, code: str, reader: int | None, now_ms: int) -> tuple[Core, bool]:
    """The table after a sighting, and whether it is a new one: what lies on a reader is seen again and again."""
    seen = core.seen.get(reader)
    is_new = seen is None or seen.code != code or now_ms - seen.ms >= core.settings.repeat_ms
    return replace(core, seen={**core.seen, reader: Seen(code, now_ms)}), is_new


def _shown(core: Core, found: Card, by: str, now_ms: int) -> Happened:
    """A card is the move that the game says it is now, or lies with others. Raises IllegalMove."""
    move = core.plan.game.scan(core.past.state, core.lying, found)
    if move is not None:
        return moved(core, move, by, now_ms)
    if core.plan.afar:
        remote_game.check_lying()
    return Happened(replace(core, lying=(*core.lying, found)), (Entry("card", by, str(found)),))


def _passed_to(core: Core, reader: int, now_ms: int) -> Happened:
    """In the play a card on a seat's own reader tells that every seat between has said go. Raises IllegalMove.

    Of two players one has the turn: where they cannot have said go, the card is theirs, put to the other's reader.
    """
    done, names = Happened(core), core.plan.names
    for _ in names:
        state = done.core.past.state
        turn = core.plan.game.view(state).get("turn")
        if state.phase != "play" or turn in (None, reader):
            return done
        try:
            done = done.then(moved(done.core, Go(turn), "cards", now_ms))
        except IllegalMove as error:
            if len(names) == 2:
                return done
            raise IllegalMove(
                "It is {turn}'s turn, who cannot say go: the card on {reader}'s reader is not taken.",
                turn=names[turn],
                reader=names[reader],
            ) from error
    raise IllegalMove("The turn does not come to {who}: the card on that reader is not taken.", who=names[reader])


def pressed(core: Core, button: str, now_ms: int, throw: Throw = (1, 1)) -> Happened:
    """A button is pressed: `undo`, `go:N`, or `dice`, which fall as `throw` says."""
    done = acted(core, now_ms)
    core = done.core
    buttons: dict[str, Move] = {"undo": Undo(), **{f"go:{seat}": Go(seat) for seat in range(core.plan.setup.seats)}}
    if button == "dice":
        view = core.plan.game.view(core.past.state)
        roll = dice.roll(view, throw)
        if roll is None:  # no dice are due: the button is a plain dice cup
            return done._replace(core=replace(core, dice=dice.shown(view, throw, now_ms, tumble=True)))
        buttons["dice"] = roll
    if button not in buttons:
        return done.then(refused(core, "buttons", IllegalMove("There is no such button on this table.")))
    try:
        return done.then(moved(core, buttons[button], "buttons", now_ms))
    except IllegalMove as error:
        return done.then(refused(core, "buttons", error))


def device(core: Core, name: str, now_ms: int, *, ok: bool, say: str, url: str = "") -> Happened:
    """A device is lost or found."""
    known = core.devices.get(name)
    state = Device(known.url if known else url, ok, say)
    told = () if known is not None and known.ok == ok else (DeviceTold("found" if ok else "lost", name),)
    if told and name == "sensors":
        core = replace(core, course=core.course.found(now_ms if ok else now_ms + UNSEEN_MS))
    return Happened(replace(core, devices={**core.devices, name: state}), (), told)
