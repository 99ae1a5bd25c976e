"""How inputs from phones, cards, buttons and devices change the table. Pure: time and dice are arguments."""

from companion.common.errors import BadCard, IllegalMove
from companion.common.snapshot import DeviceStatus
from companion.common.values import replace
from companion.journal.journal import JournalEntry
from companion.rules.cards import Card, parse_card
from companion.rules.moves import Adjust, Claim, Correct, Go, Move, Peg, Rule, TakeBoard, Undo
from companion.table import remote_game, state
from companion.table.state import (
    CardSighting,
    DeviceEvent,
    TableCore,
    Throw,
    Transition,
    add_refusal,
    apply_peg_events,
    find_evidence,
    make_move,
    on_input,
    reconcile,
)

MAX_NAMED_CODE_LENGTH = 24
"""Longest unknown code that a notice quotes, so that its owner can add it to the deck."""

LOST_SENSORS_DELAY_MS = 10**12
"""Delay added when the sensors are lost: until they are back, no peg counts as having rested."""


def on_move(core: TableCore, move: Move, by: str, now_ms: int) -> Transition:
    """Apply a move that a person makes. In a remote game the guest requests it from the host. Raises IllegalMove.

    Where the players count, a claim that a peg has made before the move counts first.
    """
    first = (
        _tell_claims(core, move, now_ms) if core.plan.setup.options.get("counting") == "manual" else Transition(core)
    )
    return first.and_then(_apply_personal_move(first.core, move, by, now_ms))


def _tell_claims(core: TableCore, move: Move, now_ms: int) -> Transition:
    """Make the claims of pegs that rest, but not if the move itself says what these pegs mean.

    That is while a question is open, and if the same side claims by phone what it has pegged.
    """
    if core.course.describe_pegs().question is not None:
        return Transition(core)
    first, sides = on_input(core, now_ms), core.plan.sides
    claims = [entry.body["seat"] % sides for entry in first.entries if entry.body.get("type") == Claim.kind]
    return Transition(core) if isinstance(move, Claim) and move.seat % sides in claims else first


def _apply_personal_move(core: TableCore, move: Move, by: str, now_ms: int) -> Transition:
    if isinstance(move, Undo) and core.requested_moves:
        return remote_game.withdraw_request(core, by)
    if isinstance(move, Rule):
        move = Rule(move.accept, find_evidence(core))
    if core.plan.remote_table is None:
        judged = core.plan.game.find_refused_move(core.past, move)
        return apply_ordered_move(core, judged or move, by, now_ms)
    if not isinstance(move, TakeBoard):
        remote_game.check_move_seat(move, remote_game.find_own_seat(core.plan))
    return remote_game.request_from_host(core, apply_ordered_move(core, move, by, now_ms), by)


def apply_ordered_move(core: TableCore, move: Move, by: str, now_ms: int) -> Transition:
    """Apply a move whose place in the order of all moves is settled. Raises IllegalMove."""
    if isinstance(move, Undo) and core.pending_cards:
        return Transition(replace(core, pending_cards=core.pending_cards[:-1]), (JournalEntry("uncard", by, None),))
    if isinstance(move, Correct) and not {move.card, move.to}.isdisjoint(core.pending_cards):
        return _replace_laid_card(core, move, by)
    if isinstance(move, TakeBoard):
        return _take_board(core, move, by, now_ms)
    done = make_move(core, move, by, now_ms)
    if isinstance(move, Adjust | Peg | Claim | Rule | Undo):
        done = done.and_then(
            apply_peg_events(done.core, done.core.course.adopt_pegs(done.core.past.state, now_ms), now_ms)
        )
    return done.and_then(reconcile(done.core, now_ms))


def _take_board(core: TableCore, move: TakeBoard, by: str, now_ms: int) -> Transition:
    """Accept the pegs as they stand. The rules do not know this move, but changed scores may follow from it."""
    done = apply_peg_events(core, core.course.take_board(now_ms), now_ms)
    for following in done.core.course.derive_moves(move, done.core.past):
        done = done.and_then(make_move(done.core, following, by, now_ms))
    return done.and_then(reconcile(done.core, now_ms))


def _replace_laid_card(core: TableCore, move: Correct, by: str) -> Transition:
    """Replace a misread pending card. It and the later ones are taken back and laid again; no move is made."""
    if move.to in core.pending_cards:
        raise IllegalMove("The {name} has already been seen in this deal.", name=move.to.name)
    at = core.pending_cards.index(move.card)
    pending, entries = core.pending_cards[:at], [JournalEntry("uncard", by, None)] * (len(core.pending_cards) - at)
    for each in (move.to, *core.pending_cards[at + 1 :]):
        core.plan.game.interpret_scan(core.past.state, pending, each)
        pending, entries = (*pending, each), [*entries, JournalEntry("card", by, str(each))]
    return Transition(replace(core, pending_cards=pending), tuple(entries))


def on_card_tap(core: TableCore, found: Card, now_ms: int) -> Transition:
    """Apply a card that was tapped on a page. Raises IllegalMove if the card has no meaning now."""
    first = on_input(core, now_ms)
    return first.and_then(_apply_card(first.core, found, "phone", now_ms))


def on_scan(core: TableCore, code: str, reader: int | None, now_ms: int) -> Transition:
    """Apply a code that a reader saw. Refusals become notices; a card that stays on the reader is ignored.

    `reader` is the seat of the reader, None for a shared one.
    """
    core, is_new = record_sighting(core, code, reader, now_ms)
    if not is_new:
        return Transition(core)
    done = on_input(core, now_ms)
    try:
        found = parse_card(code)
        passed = Transition(done.core) if reader is None else _pass_turn_to(done.core, reader, now_ms)
        return done.and_then(passed).and_then(_apply_card(passed.core, found, "cards", now_ms))
    except BadCard:
        if code.isascii() and code.isprintable() and len(code) <= MAX_NAMED_CODE_LENGTH:
            why = BadCard("The reader sent {code}, which is not a card of this deck.", code=code)
        else:
            why = BadCard("The reader sent a code that is not a card of this deck.")
        return done.and_then(add_refusal(done.core, "cards", why))
    except IllegalMove as error:
        return done.and_then(add_refusal(done.core, "cards", error))


def record_sighting(core: TableCore, code: str, reader: int | None, now_ms: int) -> tuple[TableCore, bool]:
    """Record a sighting. Return the new state, and whether the card is new rather than still on the reader."""
    seen = core.sightings.get(reader)
    is_new = seen is None or seen.code != code or now_ms - seen.ms >= core.settings.repeat_ms
    return replace(core, sightings={**core.sightings, reader: CardSighting(code, now_ms)}), is_new


def remove_card_notices(core: TableCore) -> TableCore:
    """Return the state after a card was accepted: what was said about refused ones no longer matters."""
    return replace(core, notices=tuple(notice for notice in core.notices if notice.source != "cards"))


def _apply_card(core: TableCore, found: Card, by: str, now_ms: int) -> Transition:
    """Make the move that the card means now, or add it to the pending cards. Raises IllegalMove."""
    core = remove_card_notices(core)
    move = core.plan.game.interpret_scan(core.past.state, core.pending_cards, found)
    if move is not None:
        return on_move(core, move, by, now_ms)
    if core.plan.remote_table:
        remote_game.refuse_laid_card()
    return Transition(
        replace(core, pending_cards=(*core.pending_cards, found)), (JournalEntry("card", by, str(found)),)
    )


def _pass_turn_to(core: TableCore, reader: int, now_ms: int) -> Transition:
    """Make the implied go of every seat between the turn and the seat of the reader. Raises IllegalMove.

    With two players, if the player with the turn cannot say go, the card is taken as theirs, scanned at the other
    player's reader.
    """
    done, names = Transition(core), core.plan.names
    for _ in names:
        state = done.core.past.state
        turn = core.plan.game.view(state).get("turn")
        if state.phase != "play" or turn in (None, reader):
            return done
        try:
            done = done.and_then(on_move(done.core, Go(turn), "cards", now_ms))
        except IllegalMove as error:
            if len(names) == 2:
                return done
            raise IllegalMove(
                "It is {turn}'s turn, and {turn} cannot say go. The card on {reader}'s reader does not count.",
                turn=names[turn],
                reader=names[reader],
            ) from error
    raise IllegalMove("{who} cannot play now, so the card on that reader does not count.", who=names[reader])


def on_press(core: TableCore, button: str, now_ms: int, throw: Throw = (1, 1)) -> Transition:
    """Apply a press of a button: `undo`, `go:N` or `dice`. `throw` gives the faces of the dice."""
    done = on_input(core, now_ms)
    core = done.core
    buttons: dict[str, Move] = {"undo": Undo(), **{f"go:{seat}": Go(seat) for seat in range(core.plan.setup.seats)}}
    if button == "dice":
        view = core.plan.game.view(core.past.state)
        roll = state.roll_move(view, throw)
        if roll is None:  # no roll is due: only show the dice
            return done._replace(core=replace(core, dice=state.show_roll(view, throw, now_ms, tumble=True)))
        buttons["dice"] = roll
    if button not in buttons:
        return done.and_then(add_refusal(core, "buttons", IllegalMove("There is no such button on this table.")))
    try:
        return done.and_then(on_move(core, buttons[button], "buttons", now_ms))
    except IllegalMove as error:
        return done.and_then(add_refusal(core, "buttons", error))


def on_device(core: TableCore, name: str, now_ms: int, *, ok: bool, say: str, url: str = "") -> Transition:
    """Apply a change of a device's status. `say` describes a fault, `url` is set at the first report."""
    known = core.devices.get(name)
    state = DeviceStatus(known.url if known else url, ok, say)
    events = () if known is not None and known.ok == ok else (DeviceEvent("found" if ok else "lost", name),)
    if events and name == "sensors":
        core = replace(core, course=core.course.on_sensors_back(now_ms if ok else now_ms + LOST_SENSORS_DELAY_MS))
    return Transition(replace(core, devices={**core.devices, name: state}), (), events)
