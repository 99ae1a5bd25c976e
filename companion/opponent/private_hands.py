"""Private hands: a phone may be bound to a seat and may save the hand dealt there.

See docs/reference/http.md#a-seat-of-ones-own. A hand is shown only to the browser that entered it. Seats and hands are
saved in a file that only its owner may read, so that they survive a restart.
"""

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from companion.common.errors import BadCard, CompanionError, IllegalMove, JournalError
from companion.common.files import write_private_file
from companion.http.sessions import MAX_SESSIONS
from companion.rules.cards import Card, parse_card
from companion.rules.moves import Correct, Misdeal, Next, Starter
from companion.table.resume import count_deals_since
from companion.table.state import TableCore, visible_cards
from companion.table.table import Table

_MAX_REVIEW_HANDS = 400
"""Number of hands of a table remembered for its review, enough for some games."""
_COUNT_MOVES = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move'"


KnownHand = tuple[int, tuple[Card, ...], int, bool]
"""A seat, its hand, the number of moves at that time, and whether the starter had been cut."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """The seat and the hand of a browser. The fields are keys of the file, except that `deal` is only the game there.

    `deal` is the game and the number of the deal in which the hand was entered, `entry` the last journal entry at that
    time. `is_early`: the cards of the deal before still lay on the table.
    """

    seat: int
    cards: tuple[Card, ...] = ()
    deal: tuple[int | None, int] = (None, 0)
    entry: int = 0
    is_early: bool = False


class HandDealer(Protocol):
    """Deals cards to phones, if no real pack is dealt."""

    def cards_for(self, seat: int) -> Sequence[Card] | None:
        """Return the cards that a phone at this seat holds; None if none are dealt there."""

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep these cards and discard the others. Raises IllegalMove."""


class PrivateHands:
    """The seats and hands of the browsers, by `browser_mark`. `dealer` deals them, if there is one.

    Any thread may call it.
    """

    dealer: HandDealer | None = None

    def __init__(self, table: Table, path: Path | None = None) -> None:
        """`path` is the file of the seats and hands; None keeps them in memory only."""
        self._table, self._path = table, path
        self._lock = threading.Lock()
        self._hands = _load_hands(table, path) if path else {}
        self._known: dict[int, list[KnownHand]] = {}
        self._shown_deals: dict[int, tuple[int | None, int]] = {}

    def bind_seat(self, mark: str, seat: int | None) -> None:
        """Bind a browser to a seat, None for no seat. It loses its hand if it had another seat.

        Raises JournalError if that cannot be saved.
        """
        with self._lock:
            if (self._hands[mark].seat if mark in self._hands else None) != seat:
                self._save_hand(mark, None if seat is None else SeatHand(seat))

    def seat_of(self, mark: str) -> int | None:
        hand = self._hands.get(mark)
        return hand.seat if hand and hand.seat < len(self._table.snapshot.players) else None

    def has_phone(self, seat: int) -> bool:
        """Return whether a phone in this seat has received dealt cards in this deal or the one before."""
        _, (game, deal), _ = self._current_deal()
        shown_game, shown_deal = self._shown_deals.get(seat, (None, -1))
        return shown_game == game and shown_deal >= deal - 1

    def enter_hand(self, mark: str, cards: Sequence[Card]) -> None:
        """Save the hand of this browser's seat in place of the last one. Raises IllegalMove or JournalError."""
        seat, (core, deal, entry) = self.seat_of(mark), self._current_deal()
        if seat is None:
            raise IllegalMove("Take a seat first, then enter your hand.")
        _check_hand(core, seat, cards)
        if self.dealer is not None:
            self.dealer.keep_cards(seat, cards)
        with self._lock:
            self._save_hand(mark, SeatHand(seat, tuple(cards), deal, entry, _is_between_deals(core)))
        self.remember_hand(seat, cards)

    def remember_hand(self, seat: int, cards: Sequence[Card]) -> None:
        """Remember a hand for reviews of the present game, which do not reveal it before the deal is counted."""
        with self._table.locked():
            game, phase = self._table.journal.game_id or 0, self._table.core.past.state.phase
            known = self._known.setdefault(game, [])
            if not any(hand[:2] == (seat, tuple(cards)) for hand in known):
                with suppress(JournalError):
                    ((moves,),) = self._table.journal.query(_COUNT_MOVES, game)
                    known.append((seat, tuple(cards), moves, phase not in ("cut", "between", "over")))
            del known[:-_MAX_REVIEW_HANDS]

    def known_hands(self, table: int) -> list[KnownHand]:
        """Return the hands remembered for a table, newest last."""
        with self._table.locked():
            return list(self._known.get(table, ()))

    def remaining_hand(self, mark: str) -> list[Card] | None:
        """Return the cards left in this browser's hand; None if it has no seat."""
        if self.seat_of(mark) is None:
            return None
        core, deal, _ = self._current_deal()
        dealt = self.dealer.cards_for(self._hands[mark].seat) if self.dealer else None
        with self._lock:
            hand = self._hands[mark]
            if dealt is not None:
                self._shown_deals[hand.seat] = deal
                hand = SeatHand(hand.seat, tuple(dealt), deal)
            elif hand.deal != deal:
                hand = self._hands[mark] = replace(hand, cards=(), deal=deal)
        if hand.is_early or not hand.cards:
            return list(hand.cards)
        seen = visible_cards(core)
        return [card for card in _corrected_cards(core, hand) if card not in seen]

    def _current_deal(self) -> tuple[TableCore, tuple[int | None, int], int]:
        """Return the state of the table, the game and the number of its deal, and the last entry of the journal."""
        with self._table.locked():
            core, journal = self._table.core, self._table.journal
            return core, (journal.game_id, core.deal_count), journal.last_entry_id

    def _save_hand(self, mark: str, hand: SeatHand | None) -> None:
        """Save the hand of a browser, None for none. Raises JournalError, and nothing changes. Call under the lock."""
        others = {browser: saved for browser, saved in self._hands.items() if browser != mark}
        hands = dict([*others.items(), *([(mark, hand)] if hand else [])][-MAX_SESSIONS:])
        try:
            if self._path:
                write_private_file(
                    self._path, json.dumps({browser: _hand_to_json(hands[browser]) for browser in hands})
                )
        except OSError as error:
            raise JournalError(
                "Your seat and cards could not be saved ({why}). Free some disk space and try again.",
                why=error.strerror,
            ) from error
        self._hands = hands


def _hand_to_json(hand: SeatHand) -> dict[str, Any]:
    return asdict(hand) | {"cards": [str(card) for card in hand.cards], "deal": hand.deal[0]}


def _load_hands(table: Table, path: Path) -> dict[str, SeatHand]:
    """Return the seats and hands of a file, without the cards of earlier deals; none if the file is damaged."""
    core, journal, hands = table.core, table.journal, {}
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, BadCard):
        for mark, saved in json.loads(path.read_text("utf-8")).items():
            hands[mark] = SeatHand(int(saved["seat"]))
            entry, game = int(saved["entry"]), journal.game_id or 0
            with suppress(CompanionError):  # the game cannot be replayed any more
                is_known = saved["deal"] == game and entry <= journal.last_entry_id
                if is_known and not count_deals_since(journal, game, entry):
                    cards = tuple(map(parse_card, saved["cards"]))
                    hands[mark] = SeatHand(hands[mark].seat, cards, (game, core.deal_count), entry, saved["is_early"])
    return hands


def _check_hand(core: TableCore, seat: int, cards: Sequence[Card]) -> None:
    state = core.past.state
    dealt = core.plan.game.count_cards_dealt(state)
    if not dealt:
        raise IllegalMove("There are no hands in {title}.", title=core.plan.game.title)
    if len(cards) > dealt[seat]:
        raise IllegalMove("A hand has at most {dealt} cards here.", dealt=dealt[seat])
    if len(set(cards)) < len(cards):
        raise IllegalMove("The same card was entered twice.")
    if _is_between_deals(core):
        return
    seen = visible_cards(core).difference(core.plan.game.view(state)["played"][seat])
    known = next((card for card in cards if card in seen), None)
    if known is not None:
        raise IllegalMove("The {name} has already been seen in this deal.", name=known.name)


def _corrected_cards(core: TableCore, hand: SeatHand) -> Iterable[Card]:
    """Return the hand with the corrections of cards that this seat has played.

    If the hand has both cards, the wrong one was played, but the hand was entered correctly.
    """
    played = core.plan.game.view(core.past.state)["played"][hand.seat]
    corrections = [
        correction
        for correction in list_corrections(core)
        if correction.to in played and correction.to not in hand.cards
    ]
    corrected = {correction.card: correction.to for correction in corrections}
    return (corrected.get(card, card) for card in hand.cards)


def list_corrections(core: TableCore) -> Iterator[Correct]:
    """Yield the corrections of the present deal that are not undone, newest first."""
    past = core.past
    while past.move is not None and past.parent is not None and not isinstance(past.move, Starter | Next | Misdeal):
        if isinstance(past.move, Correct):
            yield past.move
        past = past.parent


def _is_between_deals(core: TableCore) -> bool:
    """Return whether the cards on the table belong to a deal that is over."""
    return core.past.state.phase in ("between", "over")
