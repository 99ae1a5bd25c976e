"""A seat of one's own: a phone may be bound to a seat, and may keep the hand that was dealt there. Nobody else sees it.

A hand is known to this module alone, by the cookie of the browser that entered it. It is written down nowhere, and
forgotten when the program ends (docs/reference/http.md#a-seat-of-ones-own).
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.common.errors import BadCard, IllegalMove, JournalError
from companion.i18n import say
from companion.rules.cards import Card, card
from companion.rules.moves import Correct, Misdeal, Next, Starter
from companion.server.auth.permissions import Rights
from companion.server.auth.sessions import marked
from companion.server.responses import json_answer
from companion.server.routes.games import sent_object
from companion.table.state import Core, shown_cards
from companion.table.table import Table

_REVIEWED = 400
"""So many hands of a table are remembered for its review: some games' worth."""
_MOVES = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move'"


Known = tuple[int, tuple[Card, ...], int, bool]
"""A seat, its hand, how many moves its table had then, and whether the starter had been cut."""


@dataclass(frozen=True, slots=True)
class Own:
    """What a browser has: its seat, and the hand entered there in the deal of this number of this game.

    `early`: the hand was entered while another deal still lay open, which is none of its matter.
    """

    seat: int
    cards: tuple[Card, ...] = ()
    deal: tuple[int | None, int] = (None, 0)
    early: bool = False


class Dealer(Protocol):
    """Who deals, where nobody has a pack in the hand."""

    def dealt(self, seat: int) -> Sequence[Card] | None:
        """What a phone at this seat holds; None where no cards are dealt there."""

    def keep(self, seat: int, cards: Sequence[Card]) -> None:
        """What is kept of it; the rest is laid away. Raises IllegalMove."""


class Hands:
    """The seats and hands of the browsers, by the mark of their cookie. For any thread.

    `dealer` deals them, where there is one.
    """

    dealer: Dealer | None = None

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._own: dict[str, Own] = {}
        self._entered: dict[int, list[Known]] = {}

    def sit(self, mark: str, seat: int | None) -> None:
        """Bind a browser to a seat, or to none. Its hand is forgotten where the seat is another."""
        with self._lock:
            if seat is None:
                self._own.pop(mark, None)
            elif mark not in self._own or self._own[mark].seat != seat:
                self._own[mark] = Own(seat)

    def seat(self, mark: str) -> int | None:
        """The seat of this browser; None where it has none at this table."""
        own = self._own.get(mark)
        return own.seat if own and own.seat < len(self._table.snapshot.players) else None

    def enter(self, mark: str, cards: Sequence[Card]) -> None:
        """Keep the hand of this browser's seat in place of the one before. Raises IllegalMove."""
        seat, (core, deal) = self.seat(mark), self._now()
        if seat is None:
            raise IllegalMove("Take a seat first: a hand is entered for one's own seat.")
        _check(core, seat, cards)
        if self.dealer is not None:
            self.dealer.keep(seat, cards)
        with self._lock:
            self._own[mark] = Own(seat, tuple(cards), deal, _is_early(core))
        self.remember(seat, cards)

    def remember(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep a hand for the review of the present table's games, which tells nothing before a deal is counted."""
        with self._table.changed:
            game, phase = self._table.journal.game or 0, self._table.core.past.state.phase
            kept = self._entered.setdefault(game, [])
            if not any(each[:2] == (seat, tuple(cards)) for each in kept):
                with suppress(JournalError):
                    ((at,),) = self._table.journal.read(_MOVES, game)
                    kept.append((seat, tuple(cards), at, phase not in ("cut", "between", "over")))
            del kept[:-_REVIEWED]

    def wholes(self, table: int) -> list[Known]:
        """The hands that were known at a table, the newest last."""
        with self._table.changed:
            return list(self._entered.get(table, ()))

    def hand(self, mark: str) -> list[Card] | None:
        """What is left of this browser's hand; None where it has no seat."""
        if self.seat(mark) is None:
            return None
        core, deal = self._now()
        dealt = self.dealer.dealt(self._own[mark].seat) if self.dealer else None
        with self._lock:
            own = self._own[mark]
            if dealt is not None:
                own = Own(own.seat, tuple(dealt), deal)
            elif own.deal != deal:
                own = self._own[mark] = replace(own, cards=(), deal=deal)
        if own.early:
            return list(own.cards)
        seen = shown_cards(core)
        return [each for each in _put_right(core, own) if each not in seen]

    def _now(self) -> tuple[Core, tuple[int | None, int]]:
        """The table, and which deal it is."""
        with self._table.changed:
            core = self._table.core
            return core, (self._table.journal.game, core.deals)


def _check(core: Core, seat: int, cards: Sequence[Card]) -> None:
    state = core.past.state
    dealt = core.plan.game.dealt(state)
    if not dealt:
        raise IllegalMove("{title} deals no hands.", title=core.plan.game.title)
    if len(cards) > dealt[seat]:
        raise IllegalMove("At most {dealt} cards are dealt to a seat here.", dealt=dealt[seat])
    if len(set(cards)) < len(cards):
        raise IllegalMove("A card is there twice.")
    if _is_early(core):
        return
    seen = shown_cards(core).difference(core.plan.game.view(state)["played"][seat])
    twice = next((each for each in cards if each in seen), None)
    if twice is not None:
        raise IllegalMove("The {name} has already been seen in this deal.", name=twice.name)


def _put_right(core: Core, own: Own) -> Iterable[Card]:
    """The hand, with what was put right of the cards that this seat has played.

    Who held both has played the one for the other: then nothing was entered wrong.
    """
    played = core.plan.game.view(core.past.state)["played"][own.seat]
    right = {each.card: each.to for each in corrections(core) if each.to in played and each.to not in own.cards}
    return (right.get(each, each) for each in own.cards)


def corrections(core: Core) -> Iterator[Correct]:
    """The corrections of the present deal that stand, the newest first."""
    past = core.past
    while past.move is not None and past.before is not None and not isinstance(past.move, Starter | Next | Misdeal):
        if isinstance(past.move, Correct):
            yield past.move
        past = past.before


def _is_early(core: Core) -> bool:
    """Whether what lies open belongs to a deal that is over."""
    return core.past.state.phase in ("between", "over")


def _sent(name: str) -> Any:
    """What was sent under this name. Raises BadRequest."""
    body = sent_object()
    if name not in body:
        raise BadRequest(say("Send a JSON object with {name}.", name=name))
    return body[name]


def _cards(sent: Any) -> list[Card]:
    if not isinstance(sent, list) or not all(isinstance(each, str) for each in sent):
        raise BadRequest(say("The cards must be a list of texts such as 5H."))
    try:
        return [card(each) for each in sent]
    except BadCard as error:
        raise BadRequest(str(error)) from None


def hand_routes(rights: Rights, table: Table, hands: Hands) -> Blueprint:
    """The routes of one's own seat and hand."""
    routes = Blueprint("hands", __name__, url_prefix="/api")

    def mark() -> str:
        return marked(rights.value(request))

    def sat() -> tuple[Response, int]:
        seat = _sent("seat")
        seats = len(table.snapshot.players)
        if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
            raise BadRequest(say("The seat must be a whole number from 0 to {word}, or null for none.", word=seats - 1))
        hands.sit(mark(), seat)
        return json_answer({"seat": seat}), 201

    def seat() -> Response:
        return json_answer({"seat": hands.seat(mark()) if rights.is_player(request) else None})

    def entered() -> tuple[Response, int]:
        hands.enter(mark(), _cards(_sent("cards")))
        return held(), 201

    def held() -> Response:
        found = hands.hand(mark()) if rights.is_player(request) else None
        if found is None:
            raise NotFound(say("This browser has no seat of its own."))
        return json_answer({"cards": [str(each) for each in found]})

    routes.add_url_rule("/seat", "own_seat", seat)
    routes.add_url_rule("/seat", "sit", sat, methods=["POST"])
    routes.add_url_rule("/hand", "hand", held)
    routes.add_url_rule("/hand", "enter_hand", entered, methods=["POST"])
    return routes
