"""The cards of a game that two tables play: dealt to both phones, laid away, cut and turned up, move by move.

Keys and cards that nobody else may know are kept in a file for this table's owner alone, durable before anything that
depends on them is told: a program started again goes on with the same cards.
"""

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import say
from companion.opponent.private_hands import Hands
from companion.protocol.json_codec import write_move
from companion.remote.deal_protocol import Deal, DealLetter, as_kept, begun, from_kept, joined, read, write
from companion.remote.move_log import Log
from companion.rules.cards import Card
from companion.rules.moves import Crib, Hand, Move, Starter, Undo
from companion.table import inputs
from companion.table.remote_game import GUEST, HOST, ask, own_seat
from companion.table.state import Core, Happened
from companion.table.table import Table

TAKEN_BACK_S = 5.0
"""After something was taken back nothing is turned up for so long: perhaps more will be taken back."""
MOST = 4
"""So many deals are kept: an undo may lead back to an earlier one."""
_CHANCE = SystemRandom()


class Dealing:
    """The dealer of a table's phones (`Hands.dealer`). Any thread may call `dealt` and `keep`, one thread the rest."""

    def __init__(self, table: Table, hands: Hands, path: Path) -> None:
        """`path` is the file of what only this table may know."""
        self._table, self._hands, self._path = table, hands, path
        self._one = threading.RLock()
        self._deals = _restored(path)
        self._deal: Deal | None = None
        self._other: DealLetter | None = None
        self._crib = False
        self._letter: tuple[Any, str] = None, ""
        self._undone: tuple[int, float] = (0, 0.0)
        self._remembered = ("", 0)
        hands.dealer = self

    def dealt(self, seat: int) -> Sequence[Card] | None:
        """What a phone at this seat holds now: nothing before the cards are dealt. None for the other's seat."""
        with self._one:
            if seat != own_seat(self._table.core.plan):
                return None
            return (self._deal.kept or self._deal.hand) if self._deal else ()

    def keep(self, seat: int, cards: Sequence[Card]) -> None:
        """The person lays away what is not among these. Raises IllegalMove."""
        with self._one:
            deal, state = self._deal, self._table.core.past.state
            if seat != own_seat(self._table.core.plan):
                raise IllegalMove("That seat plays at the other table.")
            if deal is None or not deal.hand:
                raise IllegalMove("The cards have not been dealt yet: that takes both tables.")
            if state.phase != "cut":
                raise IllegalMove("What was laid away stays there: the starter has been cut.")
            size = state.terms.size
            if len(set(cards)) != size or not set(cards) <= set(deal.hand):
                raise IllegalMove("Keep {size} of the cards that you were dealt.", size=size)
            deal.kept = tuple(cards)
            self._write()

    def heard(self, payload: bytes) -> None:
        """What the other table tells of the deal. Raises BadMove for what is no such letter."""
        with self._one:
            self._other = read(payload) if payload else None

    def turn(self, run: str, log: Log) -> None:
        """Deal, cut and turn up, as far as both tables are. Raises BadMove where the other does not deal fairly."""
        core = self._table.core
        known: list[tuple[int, Sequence[Card]]] = []
        with self._one:
            self._deal = self._present(core, run, log.deal) if run else None
            deal, other = self._deal, self._told_of(run, log.deal)
            if deal is None:
                return
            self._crib = core.past.state.phase in ("crib", "between")
            is_cut, had = core.past.state.phase != "cut", deal.hand
            if other:
                deal.look(other)
            if deal.is_cut and not is_cut:
                deal.kept = ()  # the cut was taken back: others may be laid away
            if (deal.is_cut, had) != (is_cut, deal.hand):
                deal.is_cut = is_cut
                self._write()
                known += [(deal.seat, each) for each in (deal.hand, deal.kept if is_cut else ()) if each]
            if other and other.thrown and self._crib:
                known += self._of_other(core, deal, other)
            move = self._move(core, deal, other) if other and self._is_time(core, log) else None
        for seat, cards in known:  # not under our lock: it takes the table's
            self._hands.remember(seat, cards)
        if move is not None:
            self._make(core, move)

    def letter(self) -> str:
        """What the other table is to know of the deal now; empty where there is none."""
        with self._one:
            if (deal := self._deal) is None:
                return ""
            other = self._told_of(deal.run, deal.number)
            about = (deal.run, deal.mark, deal.kept, self._crib, other)
            if self._letter[0] != about:
                self._letter = about, write(deal.told(other, is_crib=self._crib))
            return self._letter[1]

    def state(self) -> str:
        """What is waited for, a sentence; empty where nothing is."""
        with self._one:
            if self._table.core.past.state.phase != "cut":
                return ""
            if self._deal is None or not self._deal.hand:
                return say("The two tables shuffle and deal.")
            other = self._told_of(self._deal.run, self._deal.number)
            if self._deal.kept and not (other and other.kept):
                return say("The other player is still laying away.")
            return ""

    def _present(self, core: Core, run: str, number: int) -> Deal | None:
        """The deal that lies on the table, begun where none does; None where its cards are not known here."""
        found = self._deals.get((run, number))
        seat, is_open = own_seat(core.plan), core.past.state.phase == "cut"
        other = self._told_of(run, number)
        if seat == GUEST and is_open and other and (found is None or found.of != other.mark):
            found = joined(other, _size(core), _CHANCE)
        elif seat == HOST and is_open and found is None:
            found = begun(run, number, _size(core), _CHANCE)
        if found is not None and self._deals.get((run, number)) is not found:
            self._write({**self._deals, (run, number): found})
        return found

    def _told_of(self, run: str, number: int) -> DealLetter | None:
        """What the other has told of this deal."""
        other = self._other
        return other if other is not None and (other.run, other.deal) == (run, number) else None

    def _move(self, core: Core, deal: Deal, other: DealLetter) -> Move | None:
        """What the cards make happen now: the host cuts and turns the crib up, each shows its own hand."""
        state = core.past.state
        if state.phase == "show" and state.turn == deal.seat and deal.kept:
            return Hand(deal.seat, deal.kept)
        if deal.seat != HOST:
            return None
        if state.phase == "cut":
            found = deal.cut(other)
            return None if found is None else Starter(found)
        if state.phase == "crib" and len(other.thrown) == len(deal.thrown) == 2:
            return Crib((*deal.thrown, *other.thrown))
        return None

    def _make(self, core: Core, move: Move) -> None:
        def react(now: Core, now_ms: int) -> Happened:
            if now.past is not core.past:
                return Happened(now)
            if own_seat(now.plan) == HOST:
                return inputs.ordered(now, move, "board", now_ms)
            return Happened(now) if now.waiting else ask(now, (move,), "board")

        try:
            self._table.asked({"move": write_move(move)}, react)
        except JournalError:
            raise
        except CompanionError as error:
            raise BadMove(str(error)) from error

    def _is_time(self, core: Core, log: Log) -> bool:
        """Whether nothing was taken back just now."""
        last = log.made[-1].move["type"] if log.made else ""
        if last != Undo.kind:
            return not core.waiting
        if self._undone[0] != log.count:
            self._undone = log.count, time.monotonic()
        return time.monotonic() - self._undone[1] > TAKEN_BACK_S

    def _of_other(self, core: Core, deal: Deal, other: DealLetter) -> list[tuple[int, Sequence[Card]]]:
        """What the other was dealt and kept, once: the review of the game needs it. The crib has told it."""
        seat = GUEST if deal.seat == HOST else HOST
        played = tuple(core.plan.game.view(core.past.state)["played"][seat])
        if len(played) + len(other.thrown) != deal.size or self._remembered == (deal.run, deal.number):
            return []
        self._remembered = deal.run, deal.number
        return [(seat, (*played, *other.thrown)), (seat, played)]

    def _write(self, deals: Mapping[tuple[str, int], Deal] | None = None) -> None:
        """Keep these, or those there are, for the owner alone, durable at return. Raises IllegalMove."""
        newest = dict([*(deals or self._deals).items()][-MOST:])
        made = self._path.with_name(f"{self._path.name}.new")
        try:
            with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump([as_kept(each) for each in newest.values()], out)
                out.flush()
                os.fsync(out.fileno())
            made.replace(self._path)
            self._deals = newest
        except OSError as error:
            raise IllegalMove("Your cards cannot be kept: {why}.", why=error.strerror) from error


def _size(core: Core) -> int:
    """How many cards each is dealt."""
    return core.plan.game.dealt(core.past.state)[0]


def _restored(path: Path) -> dict[tuple[str, int], Deal]:
    found: dict[tuple[str, int], Deal] = {}
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, CompanionError):
        told: Any = json.loads(path.read_text("utf-8"))
        for each in told:
            deal = from_kept(each)
            found[deal.run, deal.number] = deal
    return found
