"""Manual counting (counting=manual): who may claim points, and what a claim and a call of muggins earn. Pure.

The companion knows the true points but does not reveal them until the claim is made and, with muggins, until its window
has closed (docs/reference/counting.md).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.common.constants import MAX_HAND_POINTS
from companion.common.errors import IllegalMove
from companion.rules.engine import Award, replace_at
from companion.rules.match_terms import MatchTerms, PenaltyPolicy
from companion.rules.scoring import is_possible_score

AwardGroup = tuple[Award, ...]
"""Awards that are counted together: those of a card, a hand or the crib."""

FALSE_CLAIM_PENALTY = 15
"""Points that a player loses for a false claim of the game in a tournament."""


class ClaimResult(NamedTuple):
    """The points that a claim earns for each side. `is_false_claim`: the claim of the game was false."""

    own: int
    opponent: int
    is_false_claim: bool = False


def resolve_claim(claim: int, truth: int, score: int, target: int, policy: PenaltyPolicy) -> ClaimResult:
    """Return what a claim of `claim` points earns where `truth` is right:
    docs/reference/counting.md#what-a-claim-earns.

    `score` is the claimant's score before the claim. The claimant's points are counted first: if they win the game, the
    opponent gets none.
    """
    if claim <= truth:
        return ClaimResult(claim, 0)
    if policy.is_tournament and score + truth < target <= score + claim:
        # Only the holes up to the game hole count, because no peg goes further.
        return ClaimResult(max(truth - FALSE_CLAIM_PENALTY, -score), target - score - truth, is_false_claim=True)
    return ClaimResult(truth, {"correct": 0, "two": 2, "excess": claim - truth}[policy.overclaim])


class PendingClaim(NamedTuple):
    """A claim that must be made, even of 0: for the card that ended the play, a hand or the crib (`kind`)."""

    kind: str
    seat: int
    truth: AwardGroup


class MugginsWindow(NamedTuple):
    """Points that may be called with muggins now. `claimed_points` is None if they were not claimed at all."""

    seat: int
    truth: AwardGroup
    claimed_points: int | None


@dataclass(frozen=True, slots=True)
class ClosedClaim:
    """A claim whose window has closed, with the true awards and the points that were missed."""

    seat: int
    claimed_points: int
    awards: AwardGroup
    missed_points: int


@dataclass(frozen=True, slots=True)
class ClaimState:
    """What may be claimed and called now.

    `unclaimed` has the awards of each seat's latest card; None if there is nothing to claim. `pending` is the claim
    that must be made next, `window` the open muggins window, `last_closed` the last claim whose window has closed.
    """

    unclaimed: tuple[AwardGroup | None, ...] = ()
    pending: PendingClaim | None = None
    window: MugginsWindow | None = None
    last_closed: ClosedClaim | None = None


NO_CLAIMS = ClaimState()
"""The claim state when the companion counts."""


def start_claims(seats: int) -> ClaimState:
    return ClaimState((None,) * seats)


def close_window(claims: ClaimState) -> ClaimState:
    """Close the muggins window, as any move does. The true points of its claim become public."""
    call = claims.window
    if call is None:
        return claims
    if call.claimed_points is None:
        return replace(claims, window=None)
    return replace(claims, window=None, last_closed=_close_claim(call.seat, call.claimed_points, call.truth))


def add_earned(claims: ClaimState, seat: int, truth: AwardGroup, *, is_new_card: bool, has_muggins: bool) -> ClaimState:
    """Add awards that `seat` earned in the play: by a new card, or by another player's go (`is_new_card` false)."""
    previous = None if is_new_card else claims.unclaimed[seat]
    claims = expire_claim(claims, seat) if is_new_card else claims
    whole = (previous or ()) + truth
    opened = replace_at(claims.unclaimed, seat, whole)
    return replace(claims, unclaimed=opened, window=MugginsWindow(seat, whole, None) if has_muggins and truth else None)


def expire_claim(claims: ClaimState, seat: int) -> ClaimState:
    """Expire the unclaimed points of `seat` when it plays or says go again: they count as a claim of 0."""
    left = claims.unclaimed[seat]
    opened = replace_at(claims.unclaimed, seat, None)
    return replace(claims, unclaimed=opened, last_closed=_close_claim(seat, 0, left) if left else claims.last_closed)


def make_claim(
    terms: MatchTerms, claims: ClaimState, seat: int, points: int, holes_left: int
) -> tuple[ClaimState, AwardGroup]:
    """Return the claim state after a claim, and the true awards.

    `holes_left` is how many holes the seat has to go. Raises IllegalMove.
    """
    pending = claims.pending
    if pending is not None and seat != pending.seat:
        raise IllegalMove("It is {who}'s turn to claim.", who=terms.seat_names[pending.seat])
    truth = pending.truth if pending is not None else claims.unclaimed[seat]
    if truth is None:
        raise IllegalMove("{who} has nothing to claim now.", who=terms.seat_names[seat])
    if points < 0:
        raise IllegalMove("A claim cannot be below 0.")
    is_game_claimed = terms.policy.is_tournament and points == holes_left
    if pending is not None and pending.kind != "play" and not is_possible_score(points) and not is_game_claimed:
        raise IllegalMove("No hand is worth {points}.", points=points)
    opened = claims.unclaimed if pending is not None else replace_at(claims.unclaimed, seat, None)
    if terms.has_muggins:
        return replace(claims, unclaimed=opened, pending=None, window=MugginsWindow(seat, truth, points)), truth
    return replace(claims, unclaimed=opened, pending=None, last_closed=_close_claim(seat, points, truth)), truth


def claim_awards(seat: int, opponent: int, verdict: ClaimResult) -> tuple[AwardGroup, ...]:
    """Return the award groups of a claim: the claimant's first, then the other side's for an overclaim."""
    own = "false claim" if verdict.is_false_claim else "claim"
    found = ((seat, verdict.own, own), (opponent, verdict.opponent, "overclaim"))
    return tuple((Award(who, points, reason),) for who, points, reason in found if points)


def call_muggins(terms: MatchTerms, claims: ClaimState, seat: int, points: int) -> tuple[ClaimState, Award]:
    """Return the claim state after a call of muggins, and its award.

    The caller gets up to the points missed; a call of more gives its points to the other side. See
    docs/reference/counting.md#muggins. Raises IllegalMove if nothing can be called, or not by `seat`.
    """
    call = claims.window
    if not terms.has_muggins:
        raise IllegalMove("Muggins is not played at this table.")
    if call is None:
        raise IllegalMove("There is nothing to call: muggins must come right after a claim or unclaimed points.")
    if terms.side_of(seat) == terms.side_of(call.seat):
        raise IllegalMove("{who} cannot call muggins on their own side.", who=terms.seat_names[seat])
    if not 1 <= points <= MAX_HAND_POINTS:
        raise IllegalMove("Call muggins for 1 to {most} points.", most=MAX_HAND_POINTS)
    closed = _close_claim(call.seat, call.claimed_points or 0, call.truth)
    award = Award(seat if points <= closed.missed_points else call.seat, points, "muggins")
    opened, pending = claims.unclaimed, claims.pending
    if call.claimed_points is None:
        opened = replace_at(opened, call.seat, None)
        pending = None
    return ClaimState(opened, pending, None, closed), award


def _close_claim(seat: int, points: int, truth: AwardGroup) -> ClosedClaim:
    return ClosedClaim(seat, points, truth, max(0, sum(award.points for award in truth) - points))
