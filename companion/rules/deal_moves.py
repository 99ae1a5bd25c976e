"""One deal as a value, and its moves from the cut to the last count: docs/reference/games/six-card.md. Pure.

The players deal; the companion learns a card when it is turned up. Each function returns the deal after the move and
the groups of awards that it counts, in order. The groups are lazy: one that is not consumed is not computed. Scores and
the end of the game are up to the game.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from companion.common.errors import IllegalMove
from companion.rules import claims as claiming
from companion.rules import narration, play, scoring
from companion.rules.cards import JACK, Card
from companion.rules.claims import NO_CLAIMS, AwardGroup, ClaimState, PendingClaim
from companion.rules.engine import Award, replace_at
from companion.rules.match_terms import MatchTerms, Scores
from companion.rules.moves import Claim, CountCrib, Crib, Go, Hand, Move, Muggins, Play, Starter
from companion.rules.play import PlayProgress, Renege


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


_CRIB_SIZE = 4


class DealStep(NamedTuple):
    """The deal after a move, the award groups that it counts, and the notes for the answer to this move."""

    deal: Deal
    award_groups: Iterable[AwardGroup] = ()
    notes: dict[str, Any] = {}  # noqa: RUF012 - never changed


def cut_starter(terms: MatchTerms, dealer: int, starter: Card, *, seats_out: tuple[int, ...] = ()) -> DealStep:
    """Cut the starter; a jack gives the dealer two points. The seats in `out` hold no cards (pursuit)."""
    leader = next(seat for seat in scoring.counting_order(dealer, terms.seats) if seat not in seats_out)
    progress = play.begin_play(
        terms.seats, leader, hand_size=terms.hand_size, is_single_series=terms.is_five_card, seats_out=seats_out
    )
    claims = claiming.start_claims(terms.seats) if terms.is_manual else NO_CLAIMS
    heels = (Award(dealer, 2, "his heels", (starter,)),) if starter.rank == JACK else ()
    return DealStep(Deal(dealer, "play", starter, progress, (None,) * terms.seats, (), 0, claims), (heels,))


def apply_move(terms: MatchTerms, deal: Deal, move: Move, scores: Scores) -> DealStep:
    """Make a move of the deal after the cut; `scores` limit a claim. Raises IllegalMove."""
    match move:
        case Play():
            return play_card(terms, deal, move.seat, move.card)
        case Go():
            return say_go(terms, deal, move.seat)
        case Hand():
            return show_hand(terms, deal, move.seat, move.cards)
        case Crib():
            step = show_crib(terms, deal, move.cards)
        case CountCrib():
            step = count_crib(terms, deal, move.points)
        case Claim():
            step = make_claim(terms, deal, move.seat, move.points, scores[terms.side_of(move.seat)])
        case _:
            assert isinstance(move, Muggins)
            step = call_muggins(terms, deal, move.seat, move.points)
    return step


def play_card(terms: MatchTerms, deal: Deal, seat: int, card: Card) -> DealStep:
    """Play a card. Raises IllegalMove out of turn, for a card seen before, or for a count over 31."""
    before = _require_turn(terms, deal, seat)
    _require_unseen(deal, card)
    progress, scored, last = play.play_card(before, seat, card)
    own = progress.played[seat]
    hands = deal.hands if len(own) < progress.hand_size else replace_at(deal.hands, seat, own)
    # A constructor call is faster than `replace`, and this is the most frequent step.
    after = Deal(deal.dealer, deal.phase, deal.starter, progress, hands, deal.crib, deal.hands_counted, deal.claims)
    penalties, notes = _find_reneges(terms, after, seat)
    if terms.is_manual:
        return _add_unclaimed_points(terms, after, seat, scored + last, is_new_card=True)._replace(
            award_groups=(penalties,), notes=notes
        )
    if progress.turn is not None:
        return DealStep(after, (scored, last, penalties), notes)
    after, counts, _ = _count_hands(terms, after)
    return DealStep(after, chain((scored, last, penalties), counts), notes)


def say_go(terms: MatchTerms, deal: Deal, seat: int) -> DealStep:
    """Say go. Raises IllegalMove out of turn, or at a count at which every card fits."""
    progress, last = play.say_go(_require_turn(terms, deal, seat), seat)
    after = replace(deal, play=progress)
    if terms.is_manual:
        claims = claiming.expire_claim(claiming.close_window(after.claims), seat)
        return _add_unclaimed_points(terms, replace(after, claims=claims), progress.last_seat, last, is_new_card=False)
    if progress.turn is not None:
        return DealStep(after, (last,))
    after, counts, _ = _count_hands(terms, after)
    return DealStep(after, chain((last,), counts))


def show_hand(terms: MatchTerms, deal: Deal, seat: int, cards: tuple[Card, ...]) -> DealStep:
    """Show a hand that the play did not show whole. Raises IllegalMove if it cannot be this seat's hand."""
    terms.side_of(seat)
    assert deal.play is not None
    if deal.hands[seat] is not None:
        raise IllegalMove("{who}'s hand is already known.", who=terms.seat_names[seat])
    whole = _complete_hand(terms, deal, deal.play.played[seat], cards)
    hands = replace_at(deal.hands, seat, whole)
    after = replace(deal, hands=hands, claims=claiming.close_window(deal.claims))
    penalties, notes = _find_reneges(terms, after, seat)
    after, counts, _ = _count_hands(terms, after)
    return DealStep(after, chain((penalties,), counts), notes)


def show_crib(terms: MatchTerms, deal: Deal, cards: tuple[Card, ...]) -> DealStep:
    """Turn up the crib. Raises IllegalMove unless it has four cards, none seen before."""
    if len(cards) != _CRIB_SIZE:
        raise IllegalMove("The crib has four cards, not {len}.", len=len(cards))
    for n, card in enumerate(cards):
        _require_unseen(deal, card, cards[:n])
    assert deal.starter is not None
    after = replace(deal, crib=cards, phase="counted", claims=claiming.close_window(deal.claims))
    shown = scoring.award_hand(deal.dealer, cards, deal.starter, crib=True, is_five_card=terms.is_five_card)
    if not terms.is_manual:
        return DealStep(after, (shown,))
    return DealStep(_await_claim(after, PendingClaim("crib", deal.dealer, shown)))


def count_crib(terms: MatchTerms, deal: Deal, points: int) -> DealStep:
    """Take the points of the crib as said. Raises IllegalMove for an impossible count, and where claims are judged."""
    if terms.is_manual:
        raise IllegalMove("Turn up the four cards of the crib: the claim is judged by them.")
    if points < 0 or not scoring.is_possible_score(points):
        raise IllegalMove("No hand is worth {points}.", points=points)
    return DealStep(replace(deal, phase="counted"), ((Award(deal.dealer, points, "claim"),) if points else (),))


def make_claim(terms: MatchTerms, deal: Deal, seat: int, points: int, score: int) -> DealStep:
    """Claim points for a seat whose side's score is `score`. Raises IllegalMove if it cannot claim them now."""
    if not terms.is_manual:
        raise IllegalMove("The companion counts at this table, so there is nothing to claim.")
    terms.side_of(seat)
    claims, truth = claiming.make_claim(terms, claiming.close_window(deal.claims), seat, points, terms.target - score)
    verdict = claiming.resolve_claim(points, sum(a.points for a in truth), score, terms.target, terms.policy)
    return _continue_after_claim(terms, deal, claims, claiming.claim_awards(seat, deal.find_opponent(seat), verdict))


def call_muggins(terms: MatchTerms, deal: Deal, seat: int, points: int) -> DealStep:
    """Call points that the other side missed. Raises IllegalMove if nothing can be called."""
    terms.side_of(seat)
    claims, award = claiming.call_muggins(terms, deal.claims, seat, points)
    return _continue_after_claim(terms, deal, claims, ((award,),))


def pass_crib(terms: MatchTerms, deal: Deal) -> Deal | None:
    """Return a deal of two players with the crib passed to the other one, who then counts last and has dealt.

    None between the counts of the two hands, because the order of counting would change.
    """
    passed, pending = replace(deal, dealer=1 - deal.dealer), deal.claims.pending
    if pending is None or pending.kind == "play":
        return passed if deal.phase in ("play", "claim", "crib") else None
    if pending.kind != "hand" or deal.hands_counted != 1:
        return None
    return _count_hands(terms, replace(passed, hands_counted=0, claims=replace(deal.claims, pending=None))).deal


def interpret_scan(terms: MatchTerms, deal: Deal, lying: tuple[Card, ...], card: Card) -> Move | None:
    """Return the move of a scanned card, or None while it joins the cards `lying`. Raises IllegalMove."""
    turn = deal.turn
    if deal.phase in ("cut", "counted"):
        return Starter(card)
    if deal.phase == "play" and turn is not None:
        return Play(turn, card)
    if deal.phase == "claim" and turn is not None:
        raise IllegalMove("{who} must claim first: 0 for no points.", who=terms.seat_names[turn])
    _require_unseen(deal, card, lying)
    if deal.phase == "crib":
        return Crib((*lying, card)) if len(lying) == _CRIB_SIZE - 1 else None
    assert deal.play is not None
    assert turn is not None
    whole = (*deal.play.played[turn], *lying, card)
    return Hand(turn, whole) if len(whole) == terms.hand_size else None


def _add_unclaimed_points(
    terms: MatchTerms, deal: Deal, seat: int | None, truth: AwardGroup, *, is_new_card: bool
) -> DealStep:
    """Add points of the play that can still be claimed. Those of its last card must be claimed, even 0."""
    assert deal.play is not None
    claims = deal.claims
    if seat is not None and (truth or is_new_card):
        claims = claiming.add_earned(
            claiming.close_window(claims), seat, truth, is_new_card=is_new_card, has_muggins=terms.has_muggins
        )
    if deal.play.turn is not None:
        return DealStep(replace(deal, claims=claims))
    assert seat is not None
    claims = replace(
        claims, unclaimed=(None,) * terms.seats, window=claims.window and claims.window._replace(truth=truth)
    )
    return DealStep(_await_claim(replace(deal, claims=claims), PendingClaim("play", seat, truth)))


def _await_claim(deal: Deal, pending: PendingClaim) -> Deal:
    return replace(deal, phase="claim", claims=replace(deal.claims, pending=pending))


def _continue_after_claim(terms: MatchTerms, deal: Deal, claims: ClaimState, counts: Iterable[AwardGroup]) -> DealStep:
    """Continue after a claim or a call: with the next hand, if this settled the pending claim."""
    after = replace(deal, claims=claims)
    awaited = deal.claims.pending
    if awaited is None or claims.pending is not None:
        return DealStep(after, counts)
    if awaited.kind == "crib":
        return DealStep(replace(after, phase="counted"), counts)
    after, _, _ = _count_hands(terms, after)
    return DealStep(after, counts)


def _count_hands(terms: MatchTerms, deal: Deal) -> DealStep:
    """Count the known hands in counting order; with manual counting, wait for the next one's claim."""
    order, known = deal.counting_order, deal.hands_counted
    while known < len(order) and deal.hands[order[known]] is not None:
        known += 1
    if terms.is_manual and known > deal.hands_counted:
        seat = order[deal.hands_counted]
        pending = PendingClaim("hand", seat, _count_hand(terms, deal, seat))
        return DealStep(_await_claim(replace(deal, hands_counted=deal.hands_counted + 1), pending))
    counts = (_count_hand(terms, deal, seat) for seat in order[deal.hands_counted : known])
    return DealStep(replace(deal, hands_counted=known, phase="crib" if known == len(order) else "show"), counts)


def _count_hand(terms: MatchTerms, deal: Deal, seat: int) -> AwardGroup:
    whole = deal.hands[seat]
    assert whole is not None
    assert deal.starter is not None
    return scoring.award_hand(seat, whole, deal.starter, is_five_card=terms.is_five_card)


def _find_reneges(terms: MatchTerms, deal: Deal, seat: int) -> tuple[AwardGroup, dict[str, Any]]:
    """Find false goes once a hand is known; in a tournament each such card gives the other side two points."""
    whole, progress = deal.hands[seat], deal.play
    if whole is None or progress is None or not progress.goes:
        return (), {}
    found: tuple[Renege, ...] = play.find_reneges(progress, seat, whole)
    if not found:
        return (), {}
    gains = deal.find_opponent(seat)
    penalties = tuple(Award(gains, 2, "renege", (renege.card,)) for renege in found)
    return penalties if terms.policy.is_tournament else (), {"reneges": found}


def _require_turn(terms: MatchTerms, deal: Deal, seat: int) -> PlayProgress:
    """Return the play. Raises IllegalMove unless it is this seat's turn."""
    terms.side_of(seat)
    assert deal.play is not None
    turn = deal.play.turn
    if seat != turn:
        assert turn is not None
        raise IllegalMove("It is {who}'s turn.", who=terms.seat_names[turn])
    return deal.play


def _require_unseen(deal: Deal, card: Card, also: tuple[Card, ...] = ()) -> None:
    if card in also or deal.has_shown(card):
        raise IllegalMove("The {name} has already been seen in this deal.", name=card.name)


def _complete_hand(
    terms: MatchTerms, deal: Deal, played: tuple[Card, ...], cards: tuple[Card, ...]
) -> tuple[Card, ...]:
    """Return the whole hand, the played cards first and in order. Raises IllegalMove if it cannot be this seat's."""
    if len(cards) != terms.hand_size:
        raise IllegalMove("A hand has {size} cards, not {len}.", size=terms.hand_size, len=len(cards))
    missing = next((card for card in played if card not in cards), None)
    if missing is not None:
        raise IllegalMove("The {name} was played from that hand, but is not among these cards.", name=missing.name)
    held = tuple(card for card in cards if card not in played)
    for n, card in enumerate(held):
        _require_unseen(deal, card, held[:n])
    if len(held) != terms.hand_size - len(played):
        raise IllegalMove("That hand has the same card twice.")
    return (*played, *held)
