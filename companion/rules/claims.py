"""Where the players count (counting=manual): what a claim earns, what muggins earns, and who may claim what now. Pure.

The companion knows the truth and keeps it to itself until the claim is made and, with muggins, until its window has
closed (docs/reference/counting.md).
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.common.constants import MOST
from companion.common.errors import IllegalMove
from companion.rules.engine import Award, put
from companion.rules.match_terms import Policy, Terms
from companion.rules.scoring import is_possible

Count = tuple[Award, ...]
"""What is counted at once: a card, a hand, the crib."""

FALSE_CLAIM = 15
"""How far back goes who claims the game falsely in a tournament."""


class Verdict(NamedTuple):
    """What a claim earns its own side, and the other side. `false`: it was a false claim of the game."""

    own: int
    opponent: int
    false: bool = False


def resolve(claim: int, truth: int, score: int, target: int, policy: Policy) -> Verdict:
    """What a claim of `claim` points earns where `truth` is right: docs/reference/counting.md#what-a-claim-earns.

    `score` is the claimant's before it. Own points come first: where they win, the opponent's are not given.
    """
    if claim <= truth:
        return Verdict(claim, 0)
    if policy.tournament and score + truth < target <= score + claim:
        # The holes claimed are counted to the game hole, for no peg goes further.
        return Verdict(max(truth - FALSE_CLAIM, -score), target - score - truth, false=True)
    return Verdict(truth, {"correct": 0, "two": 2, "excess": claim - truth}[policy.overclaim])


class Pending(NamedTuple):
    """A claim that must be said, 0 too: for the card that ended the play, a hand or the crib (`kind`)."""

    kind: str
    seat: int
    truth: Count


class Call(NamedTuple):
    """What may be called with muggins now. `claimed` is None where the points were not claimed at all."""

    seat: int
    truth: Count
    claimed: int | None


@dataclass(frozen=True, slots=True)
class Counted:
    """A claim after its window has closed: what was claimed, what was there and what was missed."""

    seat: int
    claimed: int
    awards: Count
    missed: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What may be claimed and called. `open` is by seat: what its latest card earned, None where nothing is open."""

    open: tuple[Count | None, ...] = ()
    pending: Pending | None = None
    call: Call | None = None
    counted: Counted | None = None


NOTHING = Claims()
"""Nothing to claim; so it stays where the companion counts."""


def begun(seats: int) -> Claims:
    """The claims at the start of a deal that the players count."""
    return Claims((None,) * seats)


def shut(claims: Claims) -> Claims:
    """Any move shuts the window of the claim before it, and its truth may be told."""
    call = claims.call
    if call is None:
        return claims
    if call.claimed is None:
        return replace(claims, call=None)
    return replace(claims, call=None, counted=_told(call.seat, call.claimed, call.truth))


def earned(claims: Claims, seat: int, truth: Count, *, anew: bool, muggins: bool) -> Claims:
    """`seat` has earned `truth` in the play: by its new card, or (`anew` false) by another's go."""
    before = None if anew else claims.open[seat]
    claims = lapsed(claims, seat) if anew else claims
    whole = (before or ()) + truth
    opened = put(claims.open, seat, whole)
    return replace(claims, open=opened, call=Call(seat, whole, None) if muggins and truth else None)


def lapsed(claims: Claims, seat: int) -> Claims:
    """`seat` plays or says go again: what it has not claimed is claimed as 0."""
    left = claims.open[seat]
    opened = put(claims.open, seat, None)
    return replace(claims, open=opened, counted=_told(seat, 0, left) if left else claims.counted)


def claimed(terms: Terms, claims: Claims, seat: int, points: int) -> tuple[Claims, Count]:
    """The claims after this one, and the truth it is held against. Raises IllegalMove."""
    pending = claims.pending
    if pending is not None and seat != pending.seat:
        raise IllegalMove("It is {who}'s turn to claim.", who=terms.names[pending.seat])
    truth = pending.truth if pending is not None else claims.open[seat]
    if truth is None:
        raise IllegalMove("{who} has nothing to claim now.", who=terms.names[seat])
    if points < 0:
        raise IllegalMove("A claim cannot be below 0.")
    if pending is not None and pending.kind != "play" and not is_possible(points):
        raise IllegalMove("No hand is worth {points}.", points=points)
    opened = claims.open if pending is not None else put(claims.open, seat, None)
    if terms.muggins:
        return replace(claims, open=opened, pending=None, call=Call(seat, truth, points)), truth
    return replace(claims, open=opened, pending=None, counted=_told(seat, points, truth)), truth


def awards(seat: int, opponent: int, verdict: Verdict) -> tuple[Count, ...]:
    """The awards of a claim: the claimant's first, then the other side's, which gets the overclaim."""
    own = "false claim" if verdict.false else "claim"
    found = ((seat, verdict.own, own), (opponent, verdict.opponent, "overclaim"))
    return tuple((Award(who, points, reason),) for who, points, reason in found if points)


def called(terms: Terms, claims: Claims, seat: int, points: int) -> tuple[Claims, Award]:
    """The claims after a call of muggins, and what it earns: up to the rest the caller, beyond it the other side.

    See docs/reference/counting.md#muggins. Raises IllegalMove where nothing can be called, or not by `seat`.
    """
    call = claims.call
    if not terms.muggins:
        raise IllegalMove("Muggins is not played at this table.")
    if call is None:
        raise IllegalMove("There is nothing to call: muggins follows at once on a claim or on points not claimed.")
    if terms.side(seat) == terms.side(call.seat):
        raise IllegalMove("{who} cannot call muggins on its own side.", who=terms.names[seat])
    if not 1 <= points <= MOST:
        raise IllegalMove("Muggins is for 1 to {most} points.", most=MOST)
    told = _told(call.seat, call.claimed or 0, call.truth)
    award = Award(seat if points <= told.missed else call.seat, points, "muggins")
    opened, pending = claims.open, claims.pending
    if call.claimed is None:
        opened = put(opened, call.seat, None)
        pending = None
    return Claims(opened, pending, None, told), award


def _told(seat: int, points: int, truth: Count) -> Counted:
    return Counted(seat, points, truth, max(0, sum(award.points for award in truth) - points))
