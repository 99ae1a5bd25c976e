"""What the companion says as a player: what it waits for, which of its cards to turn up, what is amiss. Pure.

Of a real pack its cards lie face down in a row, in the order in which they were put to the reader. Nobody but the
companion knows them, so it names a card by its place among those that still lie face down, counted from the left.
"""

from companion.i18n import Message, format_message, format_plural, join_messages
from companion.opponent.pack import COMPANION_SEAT, Pack
from companion.rules.moves import Play
from companion.table.state import TableCore


def choose_prompt(pack: Pack, core: TableCore) -> str:
    """What there is to say now; empty where the page says all of it."""
    state = core.past.state
    if state.phase == "cut":
        return _cut_prompt(pack, core)
    if state.phase == "play":
        return find_problem(pack, core) or _turn_up_prompt(pack, core)
    if pack.real and state.phase == "between":
        return _crib_prompt(pack, core)
    return ""


def has_just_played(core: TableCore) -> bool:
    """Whether the last move was a card of the companion's."""
    return isinstance(core.past.move, Play) and core.past.move.seat == COMPANION_SEAT


def find_problem(pack: Pack, core: TableCore) -> str:
    """Why the companion cannot play on with its cards, and what to do; empty where it can."""
    deal = core.past.state.deal
    mine, yours = deal.play.played[COMPANION_SEAT], deal.play.played[1 - COMPANION_SEAT]
    if COMPANION_SEAT not in pack.kept or (not pack.real and deal.starter != pack.starter):
        return format_message(
            "This starter was cut before I had my cards, or from another pack than mine. Take it back with Undo."
        )
    strange = next((each for each in mine if each not in pack.kept[COMPANION_SEAT]), None)
    if strange is not None:
        return format_message(
            "The {card} is none of my cards. Take it back with Undo: I play my own.", card=strange.name
        )
    own = (*pack.dealt[COMPANION_SEAT],) if pack.real else ()
    doubled = next((each for each in (deal.starter, *yours) if each in own), None)
    if doubled is not None:
        return format_message("The {card} lies before me face down. Take it back with Undo, and put the right card to the reader.",
                   card=doubled.name)  # fmt: skip
    wrong = next((each for each in yours if not pack.real and each not in pack.kept.get(1 - COMPANION_SEAT, ())), None)
    if wrong is not None:
        return format_message("I did not deal you the {card}. Take it back with Undo, and play one of your cards on your phone.",
                   card=wrong.name)  # fmt: skip
    return ""


def _cut_prompt(pack: Pack, core: TableCore) -> Message | str:
    size = core.past.state.terms.hand_size + 2
    lie, kept = len(pack.dealt[COMPANION_SEAT]), pack.kept.get(COMPANION_SEAT)
    if not pack.real:
        if 1 - COMPANION_SEAT in pack.kept:
            return ""
        told = format_message("I have dealt. Take your seat on your phone, and lay two of your cards away there.")
        reader = core.devices.get("cards")
        if reader is None or reader.url == "none:":
            return told
        return join_messages(
            [told, format_message("Or deal a pack of your own: put my {n} cards to the reader, face down.", n=size)],
            " ",
        )
    if lie < size:
        return format_plural(
            "{n} of my cards lies face down. Put the next to the reader, then on its right: {more} to come.",
            "{n} of my cards lie face down. Put the next to the reader, then on their right: {more} to come.",
            lie,
            more=size - lie,
        )
    if kept is None:
        return ""
    one, other = (place for place, each in enumerate(pack.dealt[COMPANION_SEAT], 1) if each not in kept)
    return format_message(
        "Lay my cards {one} and {other}, counted from the left, into the crib face down, and two of yours. "
        "Then cut, and put the starter to the reader.",
        one=one,
        other=other,
    )


def _turn_up_prompt(pack: Pack, core: TableCore) -> Message | str:
    """Of a real pack somebody turns up the card that the companion has played."""
    if not pack.real or not has_just_played(core):
        return ""
    *before, played = core.past.state.deal.play.played[COMPANION_SEAT]
    row = [each for each in pack.kept[COMPANION_SEAT] if each not in before]
    if len(row) == 1:
        return format_message("I play my last card: turn it up.")
    return format_message(
        "I play card {n} of those that lie face down, counted from the left: turn it up.", n=row.index(played) + 1
    )


def _crib_prompt(pack: Pack, core: TableCore) -> Message | str:
    crib = core.past.state.deal.crib
    missing = [each for each in pack.discarded_by(COMPANION_SEAT) if each not in crib]
    if not crib or not missing:
        return ""
    return format_message("I laid away the {card}, and it is not in the crib: look what lies there, and correct it.",
               card=missing[0].name)  # fmt: skip
