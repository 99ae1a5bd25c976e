"""One deal as a value, from the cut to the last count: the turn, the known cards and the public view. Pure.

The players deal; the companion learns a card when it is turned up. It knows the hands as far as they were played, and
the crib once it is turned up. `companion.rules.deal_moves` makes the moves.
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.rules import claims as claiming
from companion.rules import narration, play, scoring
from companion.rules.cards import Card
from companion.rules.claims import NO_CLAIMS, ClaimState
from companion.rules.match_terms import MatchTerms
from companion.rules.play import PlayProgress


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. `phase` is cut, play, show, claim, crib or counted. `play` is None until the starter is cut.

    `hands` holds each seat's whole hand if it is known; `hands_counted` is how many were counted, in counting order.
    """

    dealer: int
    phase: str = "cut"
    starter: Card | None = None
    play: PlayProgress | None = None
    hands: tuple[tuple[Card, ...] | None, ...] = ()
    crib: tuple[Card, ...] = ()
    hands_counted: int = 0
    claims: ClaimState = NO_CLAIMS

    @property
    def turn(self) -> int | None:
        """The seat that must play a card, say go, show a hand or claim; None if no seat must."""
        if self.phase == "play" and self.play is not None:
            return self.play.turn
        if self.phase == "claim" and self.claims.pending is not None:
            return self.claims.pending.seat
        if self.phase == "show":
            return next(seat for seat in self.counting_order if self.hands[seat] is None)
        return None

    @property
    def counting_order(self) -> tuple[int, ...]:
        """The seats that hold cards, in counting order: from the dealer's left, the dealer last."""
        out = self.play.seats_out if self.play is not None else ()
        return tuple(seat for seat in scoring.counting_order(self.dealer, len(self.hands)) if seat not in out)

    @property
    def claimants(self) -> tuple[int, ...]:
        """The seats that may claim now."""
        if self.claims.pending is not None:
            return (self.claims.pending.seat,)
        return tuple(seat for seat, truth in enumerate(self.claims.unclaimed) if truth is not None)

    def order_claimants(self, points: int | None) -> tuple[int, ...]:
        """Return the seats that may claim now, likeliest first for a claim of `points`, whose seat a peg does not show.

        Partners share pegs: it is the one who has earned just these points, else any, else whose card is the newest.
        """
        next_seat, seats = self.turn or 0, len(self.hands)

        def likelihood(seat: int) -> tuple[bool, bool, int]:
            earned = sum(award.points for award in self.claims.unclaimed[seat] or ())
            return earned != points, not earned, (next_seat - seat - 1) % seats

        return self.claimants if len(self.claimants) < 2 else tuple(sorted(self.claimants, key=likelihood))

    def find_opponent(self, seat: int) -> int:
        """Return the seat that gains by a seat's fault: the next clockwise, never its partner."""
        order = self.counting_order
        return order[(order.index(seat) + 1) % len(order)]

    def has_shown(self, card: Card) -> bool:
        """Return whether the card was seen before the crib: as the starter, in the play or in a hand."""
        shown = any(whole is not None and card in whole for whole in self.hands)
        return shown or card == self.starter or (self.play is not None and self.play.has_played(card))

    def close_window(self) -> "Deal":
        """Return the deal with its muggins window closed, after a move that is not part of the deal."""
        return replace(self, claims=claiming.close_window(self.claims)) if self.claims.window else self

    def view(self, terms: MatchTerms) -> dict[str, Any]:
        """Return the public fields; points that can still be claimed stay hidden. See docs/reference/http.md.

        With manual counting: the seat whose muggins `window` is open, and the last claim `counted` whose window has
        closed.
        """
        progress = self.play or play.begin_play(terms.seats, 0)
        fields = {
            "phase": self.phase, "dealer": self.dealer, "turn": self.turn, "count": progress.count,
            "series": progress.series, "starter": self.starter, "gone": progress.gone, "played": progress.played,
            "crib": self.crib,
        }  # fmt: skip
        if terms.is_manual:
            call = self.claims.window
            fields["window"] = None if call is None or call.claimed_points is None else call.seat
            fields["counted"] = _closed_claim_view(terms, self.claims.last_closed)
        return fields


def _closed_claim_view(terms: MatchTerms, claim: claiming.ClosedClaim | None) -> dict[str, Any] | None:
    """Return the JSON fields of a closed claim."""
    if claim is None:
        return None
    fields = {
        "seat": claim.seat,
        "claimed": claim.claimed_points,
        "awards": claim.awards,
        "missed": claim.missed_points,
    }
    return fields | {"say": narration.describe_claim(terms.seat_names[claim.seat], claim.claimed_points, claim.awards)}


FIRST_DEAL = Deal(0)
"""A first deal by seat 0."""
