"""Stage 1, interpretation: what a seat's two pegs mean in two holes, compared with their known placement. Pure.

In pegs-only a peg ahead is a claim; docs/reference/trace.md#what-pegs-mean-in-pegs-only has the table. In the card
games the pegs confirm a due, and every other placement gets a kind for which there is advice. Times play no part here.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.boards.board import Lane, PegDue, Placement
from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS

MAX_EARLY_CLAIMS = 3
"""Maximum number of early claims, which were only touches of a slow hand, that one claim may correct."""
VerdictKind = Literal["same", "pegged", "undone", "moved"]
"""The kinds of interpretation that are committed."""
MisreadKind = Literal["over", "under", "early", "back", "impossible", "home", "behind", "odd"]
"""The other kinds. They lead to advice or a question only."""


class Interpretation(NamedTuple):
    """What two resting pegs mean.

    `kind` is a verdict or one of these:

    - `over`, `under`: `points` more or fewer than the due.
    - `early`: `points` pegged although nothing is due.
    - `back`: put back to an earlier placement, `points` back.
    - `impossible`: a claim of `points` that no hand can score.
    - `home`: both pegs in the start holes.
    - `behind`: the back peg at home, the front peg `points` behind its home but ahead of the back peg.
    - `odd`: anything else.

    `placement` is the placement that results from a verdict. The peg moved from the hole `origin` to the hole `to`.
    `is_claim`: see `companion.pegs.events.Pegged`.
    """

    kind: VerdictKind | MisreadKind
    points: int = 0
    origin: int = -1
    to: int = -1
    placement: Placement | None = None
    is_claim: bool = False

    @property
    def is_verdict(self) -> bool:
        """Whether the interpretation can be committed."""
        return self.misread_kind is None

    @property
    def misread_kind(self) -> MisreadKind | None:
        """The kind if it is not a verdict, else None."""
        match self.kind:
            case "same" | "pegged" | "undone" | "moved":
                return None
            case kind:
                return kind


@dataclass(frozen=True, slots=True, eq=False)
class SeatContext:
    """What is known about a seat: its lane, its placement and its due.

    - `past_placements`: its earlier placements, oldest first; the last one is from before its last claim.
    - `pegs_are_score`: the pegs alone are the score (pegs-only).
    - `is_won`: a seat has reached the target.
    - `may_claim`: the seat may claim points now by moving its peg.
    - `is_claiming`: its peg was lifted before it could answer what is due now, so it goes to a claim.
    - `is_hasty`: the front peg was lifted again within `MAX_TOUCH_MS`, so its claim may have been only a touch.
    - `players_count`: the players count by moving pegs, so that the rules have counted such a claim.
    """

    lane: Lane
    placement: Placement
    past_placements: tuple[Placement, ...]
    due: PegDue | None
    pegs_are_score: bool
    is_won: bool = False
    may_claim: bool = False
    is_claiming: bool = False
    is_hasty: bool = False
    players_count: bool = False


@lru_cache(maxsize=4096)
def interpret_pegs(context: SeatContext, holes: frozenset[int]) -> Interpretation:
    """Return what the seat's pegs in these two holes mean."""
    homes = context.placement.holes
    if holes == homes:
        return _interpret_unmoved(context) or Interpretation("same", placement=context.placement)
    found = _interpret_due(context, holes) if context.due is not None else None  # what is due is read first
    if found is None and context.is_claiming:
        found = _interpret_claim_of_count(context, holes)
    if found is None:
        found = _interpret_claim(context, holes) if context.pegs_are_score else _interpret_unexpected(context, holes)
    new, gone = sorted(holes - homes), sorted(homes - holes)
    if len(new) == 1:
        origin, to = gone[0], new[0]
    elif found.placement is not None:
        origin, to = context.placement.front, found.placement.front
    else:
        origin, to = gone[-1], new[-1]
    return Interpretation(found.kind, found.points, origin, to, found.placement, found.is_claim)


def _interpret_unmoved(context: SeatContext) -> Interpretation | None:
    """Interpret pegs that have not moved. Returns None if the due's peg is not yet in the hole of its due.

    On a loop it may be there already, because a hole stands for several numbers of points.
    """
    due, placement = context.due, context.placement
    if due is None or due.lift != due.place:
        return None
    score = placement.front_points + due.points
    if score == 0 and placement.holes == context.lane.start_placement.holes:
        return Interpretation(
            "undone", -due.points, due.lift, context.lane.route.start[0], context.lane.start_placement
        )
    if due.points < 0 and due.lift == placement.back:
        return _interpret_moved_aside(context, due)
    is_waiting = min(due.points, placement.front_points) > 0 and due.lift == placement.front in context.lane.route.start
    if context.lane.hole_at(score) != due.place and not is_waiting:
        return None  # the peg stays where it is until its hole is free
    kept, points = (
        (placement.back, placement.back_points)
        if due.lift == placement.front
        else (placement.front, placement.front_points)
    )
    after = Placement(kept, due.place, points, score)
    return Interpretation("pegged" if due.points > 0 else "undone", abs(due.points), due.lift, due.place, after)


def _interpret_moved_aside(context: SeatContext, due: PegDue) -> Interpretation:
    """Interpret a back peg that was put behind the score to which the front peg must go back next."""
    placement = context.placement
    behind = _max_points_at(context.lane, due.place, placement.front_points + due.points - 1)
    return Interpretation("moved", placement=Placement(due.place, placement.front, behind, placement.front_points))


@lru_cache(maxsize=4096)
def is_likely_hole(context: SeatContext, hole: int) -> bool:
    """Return whether a verdict exists with a peg of the seat in this hole, while its other peg is out."""
    placement, due = context.placement, context.due
    if hole in placement.holes:
        return True
    if due is not None and hole in (due.place, context.lane.hole_at(placement.front_points + due.points)):
        return True
    before = any(hole in s.holes for s in context.past_placements)
    if not context.pegs_are_score:
        if context.is_claiming and context.lane.points_at(
            hole, placement.front_points + 1, placement.front_points + MAX_HAND_POINTS
        ):
            return True
        return before and due is not None and due.points <= 0
    return before or bool(
        context.lane.points_at(hole, placement.back_points + 1, placement.front_points + MAX_HAND_POINTS)
    )


def _interpret_due(context: SeatContext, holes: frozenset[int]) -> Interpretation | None:
    """Interpret pegs that have done what is due. Returns None if they have not.

    A peg in the due's hole has done it at any distance, whether it was the back or the front peg.
    """
    due, placement = context.due, context.placement
    assert due is not None
    score = placement.front_points + due.points
    if due.points > 0:
        for kept, points in ((placement.front, placement.front_points), (placement.back, placement.back_points)):
            for place in (due.place, context.lane.hole_at(score)):  # the hole of a waiting peg may have become free
                if kept != place and holes == {kept, place}:
                    return Interpretation("pegged", due.points, placement=Placement(kept, place, points, score))
        return _interpret_two_steps(context, holes, score)
    if due.lift == placement.back and holes == {due.place, placement.front}:
        return _interpret_moved_aside(context, due)
    for before in reversed(context.past_placements):
        if before.front_points == score and before.holes == holes:
            return Interpretation("undone", -due.points, placement=before)
    return _interpret_lowered_score(context, holes, score)


def _interpret_two_steps(context: SeatContext, holes: frozenset[int], score: int) -> Interpretation | None:
    """Interpret a due of two scores that were pegged one by one, each with the back peg, so that both pegs moved."""
    due, placement = context.due, context.placement
    assert due is not None
    others = holes - {due.place}
    if due.place not in holes or len(others) != 1 or holes & placement.holes:
        return None
    (other,) = others
    behind = context.lane.points_at(other, placement.front_points + 1, score - 1)
    return (
        Interpretation("pegged", due.points, placement=Placement(other, due.place, behind[-1], score))
        if behind
        else None
    )


def _interpret_lowered_score(context: SeatContext, holes: frozenset[int], score: int) -> Interpretation | None:
    """Interpret a negative due that leads to no earlier placement: one peg at the score, the other one behind it."""
    due, placement = context.due, context.placement
    assert due is not None
    place = context.lane.hole_at(score) if due.lift == placement.back else due.place
    others = holes - {place}
    if place not in holes or len(others) != 1:
        return None
    (other,) = others
    if other == placement.back and placement.back_points < score:
        return Interpretation("undone", -due.points, placement=Placement(other, place, placement.back_points, score))
    if other == placement.back and placement.back_points == score:
        behind = _max_points_at(context.lane, place, score - 1)
        return Interpretation("undone", -due.points, placement=Placement(place, other, behind, score))
    is_old_home = any(other in before.holes for before in context.past_placements[-1:])  # the peg went back too far
    if is_old_home or (other == due.place and due.lift == placement.back):
        behind = _max_points_at(context.lane, other, score - 1)
        return Interpretation("undone", -due.points, placement=Placement(other, place, behind, score))
    return None


def _interpret_claim_of_count(context: SeatContext, holes: frozenset[int]) -> Interpretation | None:
    """Interpret pegs that claim what a player has counted. Returns None if no hand can score these points."""
    ahead = (
        None
        if context.is_won
        else _find_placement_ahead(context, holes, context.placement.front_points + MAX_HAND_POINTS)
    )
    points = 0 if ahead is None else ahead.front_points - context.placement.front_points
    if not points or points in IMPOSSIBLE_HAND_SCORES:
        return None
    return Interpretation("pegged", points, placement=ahead, is_claim=True)


def _interpret_claim(context: SeatContext, holes: frozenset[int]) -> Interpretation:
    """Interpret pegs in pegs-only by docs/reference/trace.md#what-pegs-mean-in-pegs-only, row by row."""
    placement, past = context.placement, context.past_placements
    last = past[-1] if past else None
    if last is not None and last.holes == holes and last.front_points < placement.front_points:
        return Interpretation("undone", placement.front_points - last.front_points, placement=last)
    ahead = None if context.is_won else _find_placement_ahead(context, holes, placement.front_points + MAX_HAND_POINTS)
    if ahead is not None:
        points = ahead.front_points - placement.front_points
        legal = [points]
        if context.is_hasty and ahead.back == placement.back:  # its last claims may have been touches of this one
            legal += [ahead.front_points - before.front_points for before in past[-MAX_EARLY_CLAIMS:]]
        impossible = all(each in IMPOSSIBLE_HAND_SCORES or each > MAX_HAND_POINTS for each in legal)
        return Interpretation("impossible" if impossible else "pegged", points, placement=ahead)
    if context.is_won and holes == context.lane.start_placement.holes:
        return Interpretation("home")
    older = next((older for older in reversed(past[:-1]) if older.holes == holes), None)
    if older is not None:
        points = placement.front_points - older.front_points
        return Interpretation("undone", points, placement=older) if points > 0 else Interpretation("odd")
    between = _find_placement_between(context, holes)
    if between is not None:
        return Interpretation("undone", placement.front_points - between.front_points, placement=between)
    return _interpret_too_far(context, holes)


def _interpret_unexpected(context: SeatContext, holes: frozenset[int]) -> Interpretation:
    """Interpret pegs of a card game that have not done what is due."""
    if context.is_won and holes == context.lane.start_placement.holes:
        return Interpretation("home")
    owed = max(0, context.due.points) if context.due is not None else 0
    ahead = _find_placement_ahead(context, holes, context.placement.front_points + owed + MAX_HAND_POINTS)
    if ahead is not None:
        points = ahead.front_points - context.placement.front_points
        if context.due is None:
            return Interpretation("early", points, placement=ahead)
        by = points - context.due.points
        if context.due.points > 0 and by:
            return Interpretation("over" if by > 0 else "under", abs(by), placement=ahead)
    return _interpret_peg_behind(context, holes)


def _interpret_peg_behind(context: SeatContext, holes: frozenset[int]) -> Interpretation:
    """Interpret pegs of a card game of which none is ahead of where the front peg was."""
    last, placement = context.past_placements[-1:], context.placement
    if context.players_count and last and holes == {last[0].back, placement.front} and placement.back == last[0].front:
        # Both pegs were out when the claim was read, and its peg was the front one.
        after = Placement(last[0].back, placement.front, last[0].back_points, placement.front_points)
        return Interpretation("moved", placement=after)
    for before in reversed(context.past_placements):
        if before.holes == holes and before.front_points < context.placement.front_points:
            return Interpretation("back", context.placement.front_points - before.front_points, placement=before)
    between = _find_placement_between(context, holes)
    if between is not None:
        return Interpretation("behind", context.placement.front_points - between.front_points, placement=between)
    return Interpretation("odd")


def _find_placement_ahead(context: SeatContext, holes: frozenset[int], furthest: int) -> Placement | None:
    """Return the placement with one peg at home and the other ahead of the front peg by the fewest points, or None."""
    placement = context.placement
    for kept, points in ((placement.front, placement.front_points), (placement.back, placement.back_points)):
        others = holes - {kept}
        if kept in holes and len(others) == 1:
            (hole,) = others
            ahead = context.lane.points_at(hole, placement.front_points + 1, furthest)
            if ahead:
                return Placement(kept, hole, points, ahead[0])
    return None


def _find_placement_between(context: SeatContext, holes: frozenset[int]) -> Placement | None:
    """Return the placement with the back peg at home and the other between the two homes, or None."""
    placement = context.placement
    others = holes - {placement.back}
    if placement.back not in holes or len(others) != 1:
        return None
    (hole,) = others
    between = context.lane.points_at(hole, placement.back_points + 1, placement.front_points - 1)
    return Placement(placement.back, hole, placement.back_points, between[-1]) if between else None


def _interpret_too_far(context: SeatContext, holes: frozenset[int]) -> Interpretation:
    ahead = _find_placement_ahead(context, holes, context.placement.front_points + 2 * MAX_HAND_POINTS)
    if ahead is None:
        return Interpretation("odd")
    return Interpretation("impossible", ahead.front_points - context.placement.front_points, placement=ahead)


def _max_points_at(lane: Lane, hole: int, most: int) -> int:
    """Return the most points, up to `most`, that the hole stands for; -1 if it is not on the lane."""
    return max(lane.points_at(hole, -1, most), default=-1)


def choose_placement(context: SeatContext, holes: frozenset[int], score: int | None) -> Placement:
    """Return the placement of two resting pegs that a player has confirmed.

    It is the placement nearest to `score`, or the likeliest if `score` is None.
    """
    homes = context.placement.holes
    for placement in (context.placement, *reversed(context.past_placements)):
        if placement.holes == holes and (
            score is None or placement.front_points == score or placement is context.placement
        ):
            return placement
    lane, low = context.lane, context.placement.front_points
    readings = []
    for front in holes:
        (back,) = holes - {front}
        for points in lane.points_at(front, 0, max(score or 0, low) + 2 * MAX_HAND_POINTS):
            behind = lane.points_at(back, -1, points - 1)
            if behind:
                readings.append(Placement(back, front, behind[-1], points))
    if readings:
        off = low if score is None else score
        return min(
            readings, key=lambda s: (0 if score is None else abs(s.front_points - off), placement_penalty(context, s))
        )
    front = max(holes - homes)
    (back,) = holes - {front}
    front_points = low if score is None else score
    back_points = context.placement.back_points if back == context.placement.back else min(low, front_points - 1)
    return Placement(back, front, max(back_points, -1), front_points)


BACKWARDS_PENALTY_POINTS = 30
"""Penalty for a peg that went back, in points of the penalty for a peg that went ahead."""


def placement_penalty(context: SeatContext, placement: Placement) -> int:
    """Return how unlikely a placement is if the move was not sensed, in points.

    The penalty is the distance, more if a peg went back, and most if a peg is too far ahead for any claim.
    """
    ahead, behind = (
        placement.front_points - context.placement.front_points,
        context.placement.back_points - placement.back_points,
    )
    furthest = (
        MAX_HAND_POINTS if placement.holes & context.placement.holes else 2 * MAX_HAND_POINTS
    )  # one claim, or two
    return (
        abs(ahead) + max(0, behind) + BACKWARDS_PENALTY_POINTS * ((ahead < 0) + (behind > 0) + 3 * (ahead > furthest))
    )
