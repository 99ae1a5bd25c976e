"""What the companion player says: what it waits for, which of its cards to turn over, what is wrong. Pure.

With a real pack, its cards lie face down in a row in the order in which they were scanned. Only the companion knows
them, so it names a card by its place among the face-down cards, counted from the left.
"""

from companion.i18n import Message, format_message, format_plural, join_messages
from companion.opponent.pack import Pack
from companion.rules.moves import Play
from companion.table.state import TableCore


def choose_prompt(pack: Pack, core: TableCore, *, has_phone: bool) -> str:
    """Return what the companion says now, empty if the page says it all.

    `has_phone`: a phone in the person's seat shows the cards, so there is no need to ask for one.
    """
    state = core.past.state
    if state.phase == "cut":
        return _cut_prompt(pack, core, has_phone=has_phone)
    if state.phase == "play":
        return find_problem(pack, core) or _turn_over_prompt(pack, core)
    if pack.real and state.phase == "between":
        return _crib_prompt(pack, core)
    return ""


def has_just_played(core: TableCore, seat: int) -> bool:
    """Return whether the last move was a card of this seat."""
    return isinstance(core.past.move, Play) and core.past.move.seat == seat


def find_problem(pack: Pack, core: TableCore) -> str:
    """Return why the companion cannot play its cards, and what to do; empty if it can."""
    deal = core.past.state.deal
    mine, yours = deal.play.played[pack.companion_seat], deal.play.played[pack.person_seat]
    if pack.companion_seat not in pack.kept or (not pack.real and deal.starter != pack.starter):
        return format_message("This starter was cut before I had my cards, or from another pack. Press Undo.")
    foreign = next((card for card in mine if card not in pack.kept[pack.companion_seat]), None)
    if foreign is not None:
        return format_message(
            "The {card} is not one of my cards. Press Undo: I play my cards myself.", card=foreign.name
        )
    own = (*pack.dealt[pack.companion_seat],) if pack.real else ()
    double = next((each for each in (deal.starter, *yours) if each in own), None)
    if double is not None:
        return format_message(
            "The {card} is one of my face-down cards. Press Undo, then scan the right card.", card=double.name
        )
    not_dealt = next(
        (card for card in yours if not pack.real and card not in pack.kept.get(pack.person_seat, ())), None
    )
    if not_dealt is not None:
        return format_message(
            "You don't have the {card}. Press Undo, then play one of your cards on your phone.", card=not_dealt.name
        )
    return ""


def _cut_prompt(pack: Pack, core: TableCore, *, has_phone: bool) -> Message | str:
    size = core.past.state.terms.hand_size + 2
    scanned, kept = len(pack.dealt[pack.companion_seat]), pack.kept.get(pack.companion_seat)
    if not pack.real:
        if has_phone or pack.person_seat in pack.kept:
            return ""
        discard = format_message("I have dealt. Take your seat on your phone and discard two cards to the crib.")
        reader = core.devices.get("cards")
        if reader is None or reader.url == "none:":
            return discard
        return join_messages(
            [discard, format_message("Or deal your own pack: scan my {n} cards, face down.", n=size)], " "
        )
    if scanned < size:
        return format_plural(
            "I have {n} card. Scan the next and put it face down on its right: {more} to go.",
            "I have {n} cards. Scan the next and put it face down on their right: {more} to go.",
            scanned,
            more=size - scanned,
        )
    if kept is None:
        return ""
    one, other = (place for place, each in enumerate(pack.dealt[pack.companion_seat], 1) if each not in kept)
    return format_message(
        "Discard my cards {one} and {other}, counted from the left, and two of yours to the crib. "
        "Then cut and scan the starter.",
        one=one,
        other=other,
    )


def _turn_over_prompt(pack: Pack, core: TableCore) -> Message | str:
    """With a real pack, ask people to turn over the card that the companion has played."""
    if not pack.real or not has_just_played(core, pack.companion_seat):
        return ""
    *before, played = core.past.state.deal.play.played[pack.companion_seat]
    face_down = [card for card in pack.kept[pack.companion_seat] if card not in before]
    if len(face_down) == 1:
        return format_message("I play my last card. Turn it over.")
    return format_message(
        "I play my face-down card {n}, counted from the left. Turn it over.", n=face_down.index(played) + 1
    )


def _crib_prompt(pack: Pack, core: TableCore) -> Message | str:
    crib = core.past.state.deal.crib
    missing = [card for card in pack.discarded_by(pack.companion_seat) if card not in crib]
    if not crib or not missing:
        return ""
    return format_message(
        "I discarded the {card}, but it is not in the crib. Check the crib and correct the card.", card=missing[0].name
    )
