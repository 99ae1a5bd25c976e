"""A seat of one's own: a phone may be bound to a seat, and may keep the hand that was dealt there. Nobody else sees it.

A hand is known to this module alone, by the cookie of the browser that entered it. It is written down nowhere, and
forgotten when the program ends (docs/reference/http.md#a-seat-of-ones-own).
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from companion.common.errors import IllegalMove, JournalError
from companion.rules.cards import Card
from companion.rules.moves import Correct, Misdeal, Next, Starter
from companion.table.state import TableCore, visible_cards
from companion.table.table import Table

_MAX_REVIEW_HANDS = 400
"""So many hands of a table are remembered for its review: some games' worth."""
_COUNT_MOVES = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move'"


KnownHand = tuple[int, tuple[Card, ...], int, bool]
"""A seat, its hand, how many moves its table had then, and whether the starter had been cut."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """What a browser has: its seat, and the hand entered there in the deal of this number of this game.

    `early`: the hand was entered while another deal still lay open, which is none of its matter.
    """

    seat: int
    cards: tuple[Card, ...] = ()
    deal: tuple[int | None, int] = (None, 0)
    is_early: bool = False


class HandDealer(Protocol):
    """Who deals, where nobody has a pack in the hand."""

    def cards_for(self, seat: int) -> Sequence[Card] | None:
        """What a phone at this seat holds; None where no cards are dealt there."""

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """What is kept of it; the rest is laid away. Raises IllegalMove."""


class PrivateHands:
    """The seats and hands of the browsers, by the mark of their cookie. For any thread.

    `dealer` deals them, where there is one.
    """

    dealer: HandDealer | None = None

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._own: dict[str, SeatHand] = {}
        self._entered: dict[int, list[KnownHand]] = {}

    def bind_seat(self, mark: str, seat: int | None) -> None:
        """Bind a browser to a seat, or to none. Its hand is forgotten where the seat is another."""
        with self._lock:
            if seat is None:
                self._own.pop(mark, None)
            elif mark not in self._own or self._own[mark].seat != seat:
                self._own[mark] = SeatHand(seat)

    def seat_of(self, mark: str) -> int | None:
        """The seat of this browser; None where it has none at this table."""
        own = self._own.get(mark)
        return own.seat if own and own.seat < len(self._table.snapshot.players) else None

    def enter_hand(self, mark: str, cards: Sequence[Card]) -> None:
        """Keep the hand of this browser's seat in place of the one before. Raises IllegalMove."""
        seat, (core, deal) = self.seat_of(mark), self._current_deal()
        if seat is None:
            raise IllegalMove("Take a seat first: a hand is entered for one's own seat.")
        _check_hand(core, seat, cards)
        if self.dealer is not None:
            self.dealer.keep_cards(seat, cards)
        with self._lock:
            self._own[mark] = SeatHand(seat, tuple(cards), deal, _is_between_deals(core))
        self.remember_hand(seat, cards)

    def remember_hand(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep a hand for the review of the present table's games, which tells nothing before a deal is counted."""
        with self._table.locked():
            game, phase = self._table.journal.game_id or 0, self._table.core.past.state.phase
            kept = self._entered.setdefault(game, [])
            if not any(each[:2] == (seat, tuple(cards)) for each in kept):
                with suppress(JournalError):
                    ((at,),) = self._table.journal.query(_COUNT_MOVES, game)
                    kept.append((seat, tuple(cards), at, phase not in ("cut", "between", "over")))
            del kept[:-_MAX_REVIEW_HANDS]

    def known_hands(self, table: int) -> list[KnownHand]:
        """The hands that were known at a table, the newest last."""
        with self._table.locked():
            return list(self._entered.get(table, ()))

    def remaining_hand(self, mark: str) -> list[Card] | None:
        """What is left of this browser's hand; None where it has no seat."""
        if self.seat_of(mark) is None:
            return None
        core, deal = self._current_deal()
        dealt = self.dealer.cards_for(self._own[mark].seat) if self.dealer else None
        with self._lock:
            own = self._own[mark]
            if dealt is not None:
                own = SeatHand(own.seat, tuple(dealt), deal)
            elif own.deal != deal:
                own = self._own[mark] = replace(own, cards=(), deal=deal)
        if own.is_early:
            return list(own.cards)
        seen = visible_cards(core)
        return [each for each in _corrected_cards(core, own) if each not in seen]

    def _current_deal(self) -> tuple[TableCore, tuple[int | None, int]]:
        """The table, and which deal it is."""
        with self._table.locked():
            core = self._table.core
            return core, (self._table.journal.game_id, core.deal_count)


def _check_hand(core: TableCore, seat: int, cards: Sequence[Card]) -> None:
    state = core.past.state
    dealt = core.plan.game.count_cards_dealt(state)
    if not dealt:
        raise IllegalMove("{title} deals no hands.", title=core.plan.game.title)
    if len(cards) > dealt[seat]:
        raise IllegalMove("At most {dealt} cards are dealt to a seat here.", dealt=dealt[seat])
    if len(set(cards)) < len(cards):
        raise IllegalMove("A card is there twice.")
    if _is_between_deals(core):
        return
    seen = visible_cards(core).difference(core.plan.game.view(state)["played"][seat])
    twice = next((each for each in cards if each in seen), None)
    if twice is not None:
        raise IllegalMove("The {name} has already been seen in this deal.", name=twice.name)


def _corrected_cards(core: TableCore, own: SeatHand) -> Iterable[Card]:
    """The hand, with what was put right of the cards that this seat has played.

    Who held both has played the one for the other: then nothing was entered wrong.
    """
    played = core.plan.game.view(core.past.state)["played"][own.seat]
    right = {each.card: each.to for each in list_corrections(core) if each.to in played and each.to not in own.cards}
    return (right.get(each, each) for each in own.cards)


def list_corrections(core: TableCore) -> Iterator[Correct]:
    """The corrections of the present deal that stand, the newest first."""
    past = core.past
    while past.move is not None and past.previous is not None and not isinstance(past.move, Starter | Next | Misdeal):
        if isinstance(past.move, Correct):
            yield past.move
        past = past.previous


def _is_between_deals(core: TableCore) -> bool:
    """Whether what lies open belongs to a deal that is over."""
    return core.past.state.phase in ("between", "over")
