"""One deal as a value, from the cut to its last count: whose turn it is, which cards are known, what may be told. Pure.

The companion is not the dealer: it learns a card when it is turned up. The cards of the play are the hands, as far
as they go; the crib is turned up afterwards. `companion.rules.deal_moves` makes the moves.
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.rules import claims as claiming
from companion.rules import narration, play, scoring
from companion.rules.cards import Card
from companion.rules.claims import NOTHING, Claims
from companion.rules.match_terms import Terms
from companion.rules.play import Laid


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. `phase` is cut, play, show, claim, crib or counted. `laid` is None until the starter is cut.

    `hands` are, by seat, the whole hands that are known; `counted` is how many have been, in show order.
    """

    dealer: int
    phase: str = "cut"
    starter: Card | None = None
    laid: Laid | None = None
    hands: tuple[tuple[Card, ...] | None, ...] = ()
    crib: tuple[Card, ...] = ()
    counted: int = 0
    claims: Claims = NOTHING

    @property
    def turn(self) -> int | None:
        """The seat asked for a card, a go, a hand or a claim, else None."""
        if self.phase == "play" and self.laid is not None:
            return self.laid.turn
        if self.phase == "claim" and self.claims.pending is not None:
            return self.claims.pending.seat
        if self.phase == "show":
            return next(seat for seat in self.order if self.hands[seat] is None)
        return None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that hold cards, as they count: from the dealer's left, the dealer last."""
        out = self.laid.out if self.laid is not None else ()
        return tuple(seat for seat in scoring.order(self.dealer, len(self.hands)) if seat not in out)

    @property
    def claimants(self) -> tuple[int, ...]:
        """The seats that may claim now."""
        if self.claims.pending is not None:
            return (self.claims.pending.seat,)
        return tuple(seat for seat, truth in enumerate(self.claims.open) if truth is not None)

    def opponent(self, seat: int) -> int:
        """Who gains by a seat's fault: the next clockwise, never its partner."""
        order = self.order
        return order[(order.index(seat) + 1) % len(order)]

    def knows(self, card: Card) -> bool:
        """Whether the card has turned up before the crib: as the starter, in the play, in a hand."""
        shown = any(whole is not None and card in whole for whole in self.hands)
        return shown or card == self.starter or (self.laid is not None and self.laid.knows(card))

    def shut(self) -> "Deal":
        """The deal after a move that is none of its own: the window of the last claim has closed."""
        return replace(self, claims=claiming.shut(self.claims)) if self.claims.call else self

    def view(self, terms: Terms) -> dict[str, Any]:
        """What everybody may know; no truth that a player has still to claim. See docs/reference/http.md.

        Where the players count: whose `window` is open, and the last claim `counted` whose window has closed.
        """
        laid = self.laid or play.begin(terms.seats, 0)
        told = {
            "phase": self.phase, "dealer": self.dealer, "turn": self.turn, "count": laid.count, "series": laid.series,
            "starter": self.starter, "gone": laid.gone, "played": laid.played, "crib": self.crib,
        }  # fmt: skip
        if terms.manual:
            call = self.claims.call
            told["window"] = None if call is None or call.claimed is None else call.seat
            told["counted"] = _counted(terms, self.claims.counted)
        return told


def _counted(terms: Terms, claim: claiming.Counted | None) -> dict[str, Any] | None:
    """A claim told, and all of it in a sentence."""
    if claim is None:
        return None
    told = {"seat": claim.seat, "claimed": claim.claimed, "awards": claim.awards, "missed": claim.missed}
    return told | {"say": narration.claimed(terms.names[claim.seat], claim.claimed, claim.awards)}


FIRST = Deal(0)
"""Seat 0 deals."""
