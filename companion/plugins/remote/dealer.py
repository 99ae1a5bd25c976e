"""Deal the cards of a remote game to the phones: hands, discards, starter and crib, move by move.

Seeds and secret cards are in `PrivateValues`, written before anything that depends on them is published. The moves of
the game have a hash after each: equal hashes mean equal games so far.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from random import Random, SystemRandom
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.common.files import PrivateValues
from companion.common.values import replace
from companion.i18n import format_message, join_messages
from companion.opponent.private_hands import PrivateHands
from companion.plugins.remote.deal import DealStatement, RemoteDeal, ShownCards, deal_from_json
from companion.plugins.remote.messages import MAX_DEALS_STATED, GameStateMessage, MoveLog
from companion.protocol.json_codec import dump_json, write_move
from companion.rules.cards import Card, parse_card
from companion.rules.moves import Crib, Hand, Move, Next, Starter, Undo
from companion.table import inputs
from companion.table.remote_game import HOST_SEAT, find_own_seat, request_moves
from companion.table.state import TableCore, Transition
from companion.table.table import Table

UNDO_PAUSE_S = 5.0
"""Seconds after an undo without automatic moves, because more undos may follow."""

_LOG = logging.getLogger(__name__)


class RemoteDealer:
    """Dealer for a table's phones (`PrivateHands.dealer`).

    Any thread may call `cards_for` and `keep_cards`; only the session's thread calls the other methods. `peer` is the
    other table's last message.
    """

    def __init__(self, table: Table, hands: PrivateHands, saved: PrivateValues, chance: Random | None = None) -> None:
        """`chance` draws the seeds; secure unless a test gives its own."""
        self._chance = chance or SystemRandom()
        self._table, self._hands, self._saved = table, hands, saved
        self._lock = threading.RLock()
        self._deals: dict[tuple[str, int], RemoteDeal] = {}
        with suppress(TypeError, AttributeError):
            self._deals = {deal.key: deal for deal in map(deal_from_json, saved.load("deals") or ())}
        self._current: tuple[str, int] = "", 0
        self.peer = GameStateMessage()
        self._last_undo: tuple[int, float] = (0, 0.0)
        hands.dealer = self

    @property
    def deal(self) -> RemoteDeal | None:
        """The current deal; None before its cards are drawn."""
        return self._deals.get(self._current)

    def cards_for(self, seat: int) -> Sequence[Card] | None:
        """Return what a phone at this seat holds, empty before the deal; None for the other table's seat."""
        if seat != find_own_seat(self._table.core.plan):
            return None
        return _parse_cards(deal.kept or deal.hand) if (deal := self.deal) else ()

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep these cards and discard the rest. Raises IllegalMove."""
        with self._lock:
            deal, state, texts = self.deal, self._table.core.past.state, tuple(map(str, cards))
            if seat != find_own_seat(self._table.core.plan):
                raise IllegalMove("That player sits at the other table.")
            if deal is None or not deal.hand:
                raise IllegalMove("The cards have not been dealt yet. Both tables must be connected.")
            if state.phase != "cut" or (deal.kept and {*deal.kept} != {*texts}):
                raise IllegalMove("You have already discarded.")
            size = state.terms.hand_size
            if len(set(cards)) != size or not set(texts) <= set(deal.hand):
                raise IllegalMove("Keep {size} of the cards that you were dealt.", size=size)
            self._save_deals(replace(deal, kept=texts))
        self._hands.remember_hand(seat, _parse_cards(deal.hand))

    def check_dealt_move(self, core: TableCore, run: str, log: MoveLog, move: Move) -> None:
        """Raise IllegalMove for a starter or a crib that the host cannot have got from this deal."""
        deal, is_dealt = self._deals.get((run, log.deals.current)), True
        if isinstance(move, Starter):
            is_dealt = deal is not None and core.past.state.phase == "cut" and deal.may_start(str(move.card))
        elif isinstance(move, Crib):
            is_dealt = deal is not None and set(deal.discard) <= set(map(str, move.cards))
        if not is_dealt:
            raise IllegalMove("The tables did not deal these cards.")

    def advance_deal(self, run: str, log: MoveLog) -> None:
        """Deal, cut, show and check cards as far as both tables are ready. Raises BadMove for a false statement."""
        with self._table.locked():
            if self._table.journal.game_id != log.game:
                return
            log.read_new_moves()
            core = self._table.core
        peer, self._current = self.peer, (run, log.deals.current)
        is_current = (peer.run, peer.count, peer.mark) == (run, log.count, log.mark_after(log.count))
        with self._lock:
            if run and core.past.state.phase == "cut":
                self._begin_deal(core, log)
            self._end_deals(core, log)
            for stated in peer.deals:
                if known := self._deals.get((stated.run, stated.number)):
                    self._save_deals(known.receive(stated, is_current=is_current and known.key == self._current))
            self._check_deals()
            deal = self.deal
        stated_now = next((stated for stated in peer.deals if deal and (stated.run, stated.number) == deal.key), None)
        if deal and stated_now and is_current and self._may_move(core, log):
            for move in self._due_moves(core, deal, stated_now):
                self._make_move(core, move)

    def state_deals(self) -> tuple[DealStatement, ...]:
        """Return what this table states: of the current deal, and of those that are over."""
        is_crib = self._table.core.past.state.phase in ("crib", "between", "over")
        with self._lock:
            stated = [deal for deal in self._deals.values() if deal.key == self._current or deal.shown is not None]
            return tuple(deal.state_deal(is_crib=is_crib and deal.key == self._current) for deal in stated)

    def status_sentence(self) -> str:
        """Return what a recent deal was false in, and what this one waits for; empty if neither.

        The notice of a false deal alone could be pushed out by others, which the other table can cause.
        """
        false = [_describe_fraud(deal.verdict) for deal in self._deals.values() if deal.verdict]
        return join_messages([sentence for sentence in (*false[-1:], self._progress_sentence()) if sentence], " ")

    def _progress_sentence(self) -> str:
        deal, core = self.deal, self._table.core
        phase = core.past.state.phase
        if deal and deal.shown is not None and phase in ("cut", "play"):
            return format_message("A move was taken back after the cards of this deal had been shown.")
        if phase in ("cut", "between", "over") and self._unchecked_deals():
            return format_message("Waiting for the other table to show its shuffle of the last deal.")
        if phase == "cut":
            if deal is None or not deal.hand:
                return format_message("Both tables are shuffling and dealing.")
            return format_message("The other player is still choosing cards for the crib.") if deal.kept else ""
        if deal is None and self._current[0] and phase not in ("between", "over"):
            return format_message("The cards of this deal are no longer known, so it cannot be checked.")
        played = _shown_cards(core, core.past.state, deal.seat)[1] if deal else ()
        wrong = [card for card in played if deal and card not in deal.kept]
        return format_message("Correct the {card}: you were not dealt it.", card=wrong[0]) if wrong else ""

    def _begin_deal(self, core: TableCore, log: MoveLog) -> None:
        """Draw a seed, once per deal, and not before the other table has shown that of the last deal of the game."""
        (run, number), deal, state = self._current, self.deal, core.past.state
        if deal and deal.cuts != log.cuts:  # the cut was taken back: both players choose their discards again
            self._save_deals(replace(deal, cuts=log.cuts, kept=(), peer_discard="", peer_cut=""))
        if deal is None and not any(deal.run == run for deal in self._unchecked_deals()):
            seat, seed = find_own_seat(core.plan), self._chance.randbytes(32).hex()
            size = core.plan.game.count_cards_dealt(state)[seat]
            deal = RemoteDeal(run=run, number=number, seat=seat, dealer=state.dealer, size=size, seed=seed)
            self._save_deals(replace(deal, cuts=log.cuts))

    def _end_deals(self, core: TableCore, log: MoveLog) -> None:
        """Record what the finished deal has shown. Deals that were abandoned before it are over too."""
        state, (run, number) = core.past.state, self._current
        if state.phase not in ("between", "over"):
            ended = None if log.deals.finished is None else self._deals.get((run, log.deals.finished))
            if ended is None or ended.shown is not None:
                return
            number, past = ended.number, core.past
            while past.parent is not None and not isinstance(past.move, Next):
                past = past.parent
            state = past.parent.state if past.parent else state
        for deal in [deal for deal in self._deals.values() if deal.run == run and deal.number <= number]:
            shown = _shown_cards(core, state, 1 - deal.seat) if deal.number == number else ("", (), ())
            if deal.shown is None or (deal.number == number and deal.shown != shown):
                self._save_deals(replace(deal, shown=shown, verdict=None))

    def _check_deals(self) -> None:
        """Check the deals of which both seeds are known. A false deal is reported once; its evidence is in the log."""
        for deal in self._unchecked_deals():
            if deal.peer_seed and deal.shown:
                fraud, played = deal.find_fraud(), deal.shown[1]
                self._save_deals(replace(deal, verdict=fraud))
                if fraud:
                    _LOG.error("The other table's deal was false: %s %s", fraud, dump_json(asdict(deal)))
                    self._table.add_notice("remote", IllegalMove(_describe_fraud(fraud)))
                for cards in (deal.hand_of(1 - deal.seat), played) if deal.shown[2] else ():  # for the review
                    self._hands.remember_hand(1 - deal.seat, _parse_cards(cards))

    def _unchecked_deals(self) -> list[RemoteDeal]:
        """Return the deals that are over and of which the other table has stated its locks but not its seed."""
        deals = [*self._deals.values()]
        return [deal for deal in deals if deal.shown is not None and deal.verdict is None and deal.peer_locks]

    def _due_moves(self, core: TableCore, deal: RemoteDeal, stated: DealStatement) -> Iterator[Move]:
        """Yield the move that the cards imply now: the host shows starter and crib, each side shows its own hand."""
        state, starter = core.past.state, deal.find_starter() or stated.starter
        if state.phase == "show" and state.turn == deal.seat and deal.kept:
            yield Hand(deal.seat, _parse_cards(deal.kept))
        elif deal.seat == HOST_SEAT and state.phase == "cut" and deal.peer_cut and deal.may_start(starter):
            yield Starter(parse_card(starter))
        elif deal.seat == HOST_SEAT and state.phase == "crib" and len(stated.crib) == len(deal.discard) == 2:
            yield Crib(_parse_cards((*deal.discard, *stated.crib)))

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

    def _save_deals(self, deal: RemoteDeal) -> None:
        """Save this deal among the newest, durable on return. Raises NotSaved with nothing changed."""
        if deal != self._deals.get(deal.key):
            newest = [*{**self._deals, deal.key: deal}.values()][-MAX_DEALS_STATED:]
            self._saved.save({"deals": [asdict(deal) for deal in newest]})
            unchecked, self._deals = self._unchecked_deals(), {deal.key: deal for deal in newest}
            if any(deal.key not in self._deals for deal in unchecked):
                self._table.add_notice("remote", IllegalMove("The other table never showed the shuffle of a deal."))


def _describe_fraud(why: str) -> str:
    return format_message("A deal of the other table was false. {why}", why=why)


def _shown_cards(core: TableCore, state: Any, seat: int) -> ShownCards:
    """Return the starter, the cards of this seat and the crib, as far as the deal has shown them."""
    view, hand = core.plan.game.view(state), (state.deal.hands or (None, None))[seat]
    starter, played = view["starter"], tuple(map(str, hand or view["played"][seat]))
    return "" if starter is None else str(starter), played, tuple(map(str, view["crib"]))


def _parse_cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, texts))
