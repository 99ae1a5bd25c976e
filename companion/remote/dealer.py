"""Deal the cards of a remote game to the phones: hands, discards, starter and crib, move by move.

Keys and secret cards are in a file that only its owner can read. It is written before anything that depends on it is
published, so a restarted program continues with the same cards.
"""

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import format_message
from companion.opponent.private_hands import PrivateHands
from companion.protocol.json_codec import write_move
from companion.remote.deal_protocol import (
    DealStateMessage,
    RemoteDeal,
    begin_deal,
    deal_from_json,
    deal_to_json,
    format_deal_message,
    join_deal,
    parse_deal_message,
)
from companion.remote.move_log import MoveLog
from companion.rules.cards import Card
from companion.rules.moves import Crib, Hand, Move, Starter, Undo
from companion.table import inputs
from companion.table.remote_game import GUEST_SEAT, HOST_SEAT, find_own_seat, request_moves
from companion.table.state import TableCore, Transition
from companion.table.table import Table

UNDO_PAUSE_S = 5.0
"""Seconds after an undo without automatic moves, because more undos may follow."""
MAX_DEALS_SAVED = 4
"""Number of deals kept in the file. An undo may return to an earlier one."""


class RemoteDealer:
    """Dealer for a table's phones (`PrivateHands.dealer`).

    Any thread may call `cards_for` and `keep_cards`; only the session's thread calls the other methods.
    """

    def __init__(self, table: Table, hands: PrivateHands, path: Path, chance: Random | None = None) -> None:
        """`path` is the file of this table's secrets. `chance` draws the keys; secure unless a test gives its own."""
        self._chance = chance or SystemRandom()
        self._table, self._hands, self._path = table, hands, path
        self._lock = threading.RLock()
        self._deals = _load_deals(path)
        self._deal: RemoteDeal | None = None
        self._peer: DealStateMessage | None = None
        self._is_crib_shown = False
        self._last_message: tuple[Any, str] = None, ""
        self._last_undo: tuple[int, float] = (0, 0.0)
        self._remembered = ("", 0)
        hands.dealer = self

    def cards_for(self, seat: int) -> Sequence[Card] | None:
        """Return what a phone at this seat holds, empty before the deal; None for the other table's seat."""
        with self._lock:
            if seat != find_own_seat(self._table.core.plan):
                return None
            return (self._deal.kept or self._deal.hand) if self._deal else ()

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep these cards and discard the rest. Raises IllegalMove."""
        with self._lock:
            deal, state = self._deal, self._table.core.past.state
            if seat != find_own_seat(self._table.core.plan):
                raise IllegalMove("That player sits at the other table.")
            if deal is None or not deal.hand:
                raise IllegalMove("The cards have not been dealt yet. Both tables must be connected.")
            if state.phase != "cut":
                raise IllegalMove("You can't change your discard after the cut.")
            size = state.terms.hand_size
            if len(set(cards)) != size or not set(cards) <= set(deal.hand):
                raise IllegalMove("Keep {size} of the cards that you were dealt.", size=size)
            deal.kept = tuple(cards)
            self._save_deals()

    def on_message(self, payload: bytes) -> None:
        """Store the other table's message. Raises BadMove if it is not valid."""
        with self._lock:
            self._peer = parse_deal_message(payload) if payload else None

    def advance_deal(self, run: str, log: MoveLog) -> None:
        """Deal, cut and show cards as far as both tables are ready. Raises BadMove if the other deals invalid cards."""
        core = self._table.core
        hands: list[tuple[int, Sequence[Card]]] = []
        with self._lock:
            self._deal = self._current_deal(core, run, log.deal_number) if run else None
            deal, other = self._deal, self._peer_message(run, log.deal_number)
            if deal is None:
                return
            self._is_crib_shown = core.past.state.phase in ("crib", "between")
            is_cut, old_hand = core.past.state.phase != "cut", deal.hand
            if other:
                deal.read_hand(other)
            if deal.is_cut and not is_cut:
                deal.kept = ()  # the cut was undone: the player may choose again
            if (deal.is_cut, old_hand) != (is_cut, deal.hand):
                deal.is_cut = is_cut
                self._save_deals()
                hands += [(deal.seat, each) for each in (deal.hand, deal.kept if is_cut else ()) if each]
            if other and other.discard and self._is_crib_shown:
                hands += self._peer_hands(core, deal, other)
            move = self._next_move(core, deal, other) if other and self._may_move(core, log) else None
        for seat, cards in hands:  # without our lock, because this takes the table's lock
            self._hands.remember_hand(seat, cards)
        if move is not None:
            self._make_move(core, move)

    def build_message(self) -> str:
        """Return the message for the other table; empty without a deal."""
        with self._lock:
            if (deal := self._deal) is None:
                return ""
            other = self._peer_message(deal.run, deal.number)
            about = (deal.run, deal.pack_mark, deal.kept, self._is_crib_shown, other)
            if self._last_message[0] != about:
                self._last_message = about, format_deal_message(deal.build_message(other, is_crib=self._is_crib_shown))
            return self._last_message[1]

    def status_sentence(self) -> str:
        """Return a sentence on what the deal waits for; empty if nothing."""
        with self._lock:
            if self._table.core.past.state.phase != "cut":
                return ""
            if self._deal is None or not self._deal.hand:
                return format_message("Both tables are shuffling and dealing.")
            other = self._peer_message(self._deal.run, self._deal.number)
            if self._deal.kept and not (other and other.has_discarded):
                return format_message("The other player is still choosing cards for the crib.")
            return ""

    def _current_deal(self, core: TableCore, run: str, number: int) -> RemoteDeal | None:
        """Return the current deal, started if necessary; None if its cards are not known here."""
        found = self._deals.get((run, number))
        seat, is_open = find_own_seat(core.plan), core.past.state.phase == "cut"
        other = self._peer_message(run, number)
        if seat == GUEST_SEAT and is_open and other and (found is None or found.peer_pack_mark != other.pack_mark):
            found = join_deal(other, _hand_size(core), self._chance)
        elif seat == HOST_SEAT and is_open and found is None:
            found = begin_deal(run, number, _hand_size(core), self._chance)
        if found is not None and self._deals.get((run, number)) is not found:
            self._save_deals({**self._deals, (run, number): found})
        return found

    def _peer_message(self, run: str, number: int) -> DealStateMessage | None:
        """Return the other table's message on this deal; None if there is none."""
        other = self._peer
        return other if other is not None and (other.run, other.deal) == (run, number) else None

    def _next_move(self, core: TableCore, deal: RemoteDeal, other: DealStateMessage) -> Move | None:
        """Return the move that the cards imply now; None if there is none.

        The host shows the starter and the crib; each side shows its own hand.
        """
        state = core.past.state
        if state.phase == "show" and state.turn == deal.seat and deal.kept:
            return Hand(deal.seat, deal.kept)
        if deal.seat != HOST_SEAT:
            return None
        if state.phase == "cut":
            found = deal.find_starter(other)
            return None if found is None else Starter(found)
        if state.phase == "crib" and len(other.discard) == len(deal.discard) == 2:
            return Crib((*deal.discard, *other.discard))
        return None

    def _make_move(self, core: TableCore, move: Move) -> None:
        def react(now: TableCore, now_ms: int) -> Transition:
            if now.past is not core.past:
                return Transition(now)
            if find_own_seat(now.plan) == HOST_SEAT:
                return inputs.apply_ordered_move(now, move, "board", now_ms)
            return Transition(now) if now.requested_moves else request_moves(now, (move,), "board")

        try:
            self._table.request({"move": write_move(move)}, react)
        except JournalError:
            raise
        except CompanionError as error:
            raise BadMove(str(error)) from error

    def _may_move(self, core: TableCore, log: MoveLog) -> bool:
        """Return whether no undo was made in the last `UNDO_PAUSE_S`."""
        last = log.moves[-1].move["type"] if log.moves else ""
        if last != Undo.kind:
            return not core.requested_moves
        if self._last_undo[0] != log.count:
            self._last_undo = log.count, time.monotonic()
        return time.monotonic() - self._last_undo[1] > UNDO_PAUSE_S

    def _peer_hands(
        self, core: TableCore, deal: RemoteDeal, other: DealStateMessage
    ) -> list[tuple[int, Sequence[Card]]]:
        """Return the other's hand as dealt and as kept, once per deal, for the review. The crib has revealed it."""
        seat = GUEST_SEAT if deal.seat == HOST_SEAT else HOST_SEAT
        played = tuple(core.plan.game.view(core.past.state)["played"][seat])
        if len(played) + len(other.discard) != deal.size or self._remembered == (deal.run, deal.number):
            return []
        self._remembered = deal.run, deal.number
        return [(seat, (*played, *other.discard)), (seat, played)]

    def _save_deals(self, deals: Mapping[tuple[str, int], RemoteDeal] | None = None) -> None:
        """Save `deals`, or the current ones, in the owner-only file, durable on return. Raises IllegalMove."""
        newest = dict([*(deals or self._deals).items()][-MAX_DEALS_SAVED:])
        new_file = self._path.with_name(f"{self._path.name}.new")
        try:
            with os.fdopen(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump([deal_to_json(each) for each in newest.values()], out)
                out.flush()
                os.fsync(out.fileno())
            new_file.replace(self._path)
            self._deals = newest
        except OSError as error:
            raise IllegalMove("Couldn't save your cards: {why}.", why=error.strerror) from error


def _hand_size(core: TableCore) -> int:
    """Return the number of cards dealt to each player."""
    return core.plan.game.count_cards_dealt(core.past.state)[0]


def _load_deals(path: Path) -> dict[tuple[str, int], RemoteDeal]:
    found: dict[tuple[str, int], RemoteDeal] = {}
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, CompanionError):
        data: Any = json.loads(path.read_text("utf-8"))
        for each in data:
            deal = deal_from_json(each)
            found[deal.run, deal.number] = deal
    return found
