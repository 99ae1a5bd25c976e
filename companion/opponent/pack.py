"""The cards of one deal against the companion, the file that saves them, and what the companion says of them.

The companion deals from a pack of its own, which is in its memory. Or people deal a real pack (`real`): then the
companion knows only its own cards, which were scanned face down (docs/how-to/play-alone.md). They lie in a row in the
order in which they were scanned, and the companion names one by its place among those still face down, from the left.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.common.files import write_private_file
from companion.i18n import Message, format_message, format_plural, join_messages
from companion.rules.cards import PACK, Card
from companion.rules.moves import Correct, Play
from companion.table.state import TableCore

Cards = tuple[Card, ...]


@dataclass
class Pack:
    """The cards of one deal. The fields are keys of the file.

    `dealt` has the cards dealt to each seat, `kept` those kept after the discard. `starter` is the one that the
    companion will cut, `cut` whether it has done so. The starter and the person's cards of a real pack are unknown.
    """

    table: int
    dealt: tuple[Cards, Cards]
    starter: Card | None
    kept: dict[int, Cards] = field(default_factory=dict)
    cut: bool = False
    real: bool = False
    companion_seat: int = 1

    @property
    def person_seat(self) -> int:
        return 1 - self.companion_seat

    def deal_face_down(self, row: Cards) -> "Pack":
        """Return a real pack of this deal with these cards of the companion."""
        dealt = ((), row) if self.companion_seat else (row, ())
        return Pack(self.table, dealt, None, real=True, companion_seat=self.companion_seat)

    def discarded_by(self, seat: int) -> Cards:
        kept = self.kept.get(seat)
        return tuple(card for card in self.dealt[seat] if card not in kept) if kept else ()

    def with_corrections(self, corrections: Iterable[Correct]) -> "Pack":
        """Return the pack with cards of the companion replaced, or exchanged, that were misread."""
        seat = self.companion_seat
        dealt, kept = self.dealt[seat], self.kept.get(seat)
        for correction in corrections:
            if correction.card in dealt:
                exchange = {correction.card: correction.to, correction.to: correction.card}
                dealt = tuple(exchange.get(card, card) for card in dealt)
                kept = kept and tuple(exchange.get(card, card) for card in kept)
        by_seat = {**self.kept, seat: kept} if kept else self.kept
        both = (self.dealt[0], dealt) if seat else (dealt, self.dealt[1])
        return replace(self, dealt=both, kept=by_seat)


def deal_pack(table: int, companion_seat: int, state: Any, shuffled: Sequence[Card]) -> Pack:
    """Deal to both seats. In a deal under way, each seat gets the cards that it has played and random others."""
    play, size = state.deal.play, state.terms.hand_size
    played = play.played if play else ((), ())
    seen = {*played[0], *played[1], state.deal.starter}
    stock = [card for card in shuffled if card not in seen]
    dealt = tuple((*row, *(stock.pop() for _ in range(size + 2 - len(row)))) for row in played)
    starter = state.deal.starter if play else stock.pop()
    pack = Pack(table, (dealt[0], dealt[1]), starter, companion_seat=companion_seat)
    if play:
        pack.kept = {seat: dealt[seat][:size] for seat in (0, 1)}
    return pack


class DealFile:
    """The file of the last deal, readable by its owner only. If it cannot be written, the deal is in memory only."""

    def __init__(self, path: Path | None) -> None:
        """None: save nothing."""
        self._path = path

    def write_pack(self, pack: Pack) -> None:
        """Save this deal in place of the last one."""
        if self._path is None:
            return
        with suppress(OSError):
            write_private_file(self._path, json.dumps(asdict(pack)))

    def read_pack(self, table: int, starter: Card | None) -> Pack | None:
        """Return the saved deal if it is of this table and has this starter (None: not cut yet), else None."""
        if self._path is None:
            return None
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            pack = _parse_pack(json.loads(self._path.read_text("utf-8")))
            is_same_deal = starter is None or (bool(pack.kept) and (pack.real or starter == pack.starter))
            return pack if pack.table == table and is_same_deal else None
        return None


def _parse_pack(saved: dict[str, Any]) -> Pack:
    one, other = (_parse_cards(row) for row in saved["dealt"])
    kept = {int(seat): _parse_cards(row) for seat, row in saved["kept"].items()}
    starter = None if saved["starter"] is None else _parse_cards([saved["starter"]])[0]
    seat = 0 if saved.get("companion_seat") == 0 else 1
    return Pack(int(saved["table"]), (one, other), starter, kept, bool(saved["cut"]), bool(saved.get("real")), seat)


def _parse_cards(numbers: Iterable[int]) -> Cards:
    return tuple(PACK[number] for number in numbers)


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
    double = next((card for card in (deal.starter, *yours) if card in own), None)
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
    one, other = (place for place, card in enumerate(pack.dealt[pack.companion_seat], 1) if card not in kept)
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
