"""Third stage of a reading: what a seat's two resting pegs mean, against where they were known to stand. Pure.

In pegs-only a peg ahead is a claim, by the table in docs/reference/trace.md#what-pegs-mean-in-pegs-only. In the card
games pegs confirm what is due, and anything else is named, so that it can be lit and put right. Knows no times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.boards.board import Lane, PegDue, Stand
from companion.common.constants import IMPOSSIBLE, MOST
from companion.common.frozen import replace
from companion.pegs.levels import Facts

TOO_SOON = 3
"""At most this many touches of a slow hand are taken for its claim too soon, before the claim ends."""
Verdict = Literal["same", "pegged", "undone", "moved"]
"""The kinds of meaning that are committed."""
Misread = Literal["over", "under", "early", "back", "impossible", "home", "behind", "odd"]
"""All other kinds: nothing follows from them but advice or a question."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What two resting pegs mean. `kind` is a verdict, or a `Misread`:

    `over` `under` (by so many `points`, against a due) · `early` (`points` pegged where nothing is due) ·
    `back` (put back to an earlier state: `points` back) · `impossible` (a claim of `points` no hand can have) ·
    `home` (both in the start holes) · `behind` (the back peg is at home, the front peg `points` behind its home, but
    ahead of the back one) · `odd` (none of these). `stand` is the placement that a verdict makes. The peg that moved
    left the hole `origin` and rests in the hole `to`.
    """

    kind: Verdict | Misread
    points: int = 0
    origin: int = -1
    to: int = -1
    stand: Stand | None = None

    @property
    def is_verdict(self) -> bool:
        """It can be committed."""
        return self.misread is None

    @property
    def misread(self) -> Misread | None:
        """The kind, if it is no verdict; else None."""
        match self.kind:
            case "same" | "pegged" | "undone" | "moved":
                return None
            case kind:
                return kind


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a seat: its lane, its placement, and what is due of it.

    `past`: its earlier placements, oldest first; the last is where its pegs stood before its last claim. `claims`: the
    pegs alone are the score (pegs-only). `won`: some seat has reached the target. `counts`: the seat may claim points
    now, by moving its peg. `hasty`: the front peg was lifted again within `LONGEST_TOUCH_MS`, so that its claim may
    have been only a slow hand's touch.
    """

    lane: Lane
    stand: Stand
    past: tuple[Stand, ...]
    due: PegDue | None
    claims: bool
    won: bool = False
    counts: bool = False
    hasty: bool = False


def known(facts: Facts, seat: int) -> Known:
    """What is known of a seat once its pegs were set up."""
    assert facts.stands is not None
    counts, lane = seat in facts.counting, facts.ground.lanes[seat]
    stand = facts.stands[seat]
    hasty = facts.levels.changes[stand.front].held_ms > 0
    return Known(lane, stand, facts.past[seat], facts.due(seat), facts.claims, facts.won, counts, hasty)


def meaning(known: Known, holes: frozenset[int]) -> Meaning:
    """What the seat's pegs in these two holes mean."""
    homes = known.stand.holes
    if holes == homes:
        return _done_already(known) or Meaning("same", stand=known.stand)
    found = _due(known, holes) if known.due is not None else None
    if found is None:
        found = _claim(known, holes) if known.claims else _unasked(known, holes)
    new, gone = sorted(holes - homes), sorted(homes - holes)
    if len(new) == 1:
        return replace(found, origin=gone[0], to=new[0])
    if found.stand is not None:
        return replace(found, origin=known.stand.front, to=found.stand.front)
    return replace(found, origin=gone[-1], to=new[-1])


def _done_already(known: Known) -> Meaning | None:
    """What pegs mean that have not moved, where the due's peg stands in its due's own hole already; else None.

    That happens on a loop, where one hole stands for many points.
    """
    due, stand = known.due, known.stand
    if due is None or due.lift != due.place:
        return None
    score = stand.front_points + due.points
    if score == 0 and stand.holes == known.lane.start.holes:
        return Meaning("undone", -due.points, due.lift, known.lane.route.start[0], known.lane.start)
    if due.points < 0 and due.lift == stand.back:
        return _moved_behind(known, due)
    if known.lane.hole(score) != due.place:
        return None  # the peg waits where it is, because its own hole is taken
    kept, points = (stand.back, stand.back_points) if due.lift == stand.front else (stand.front, stand.front_points)
    after = Stand(kept, due.place, points, score)
    return Meaning("pegged" if due.points > 0 else "undone", abs(due.points), due.lift, due.place, after)


def _moved_behind(known: Known, due: PegDue) -> Meaning:
    """The back peg has been put out of the way: behind the score to which the front peg must go back next."""
    stand = known.stand
    behind = _points(known.lane, due.place, stand.front_points + due.points - 1)
    return Meaning("moved", stand=Stand(due.place, stand.front, behind, stand.front_points))


def is_likely(known: Known, hole: int) -> bool:
    """Whether a peg of the seat can rest in this hole while the other one is still out: some verdict has it there."""
    stand, due = known.stand, known.due
    if hole in stand.holes:
        return True
    if due is not None and hole in (due.place, known.lane.hole(stand.front_points + due.points)):
        return True
    before = any(hole in s.holes for s in known.past)
    if not known.claims:
        if known.counts and due is None and known.lane.points(hole, stand.front_points + 1, stand.front_points + MOST):
            return True
        return before and due is not None and due.points <= 0
    return before or bool(known.lane.points(hole, stand.back_points + 1, stand.front_points + MOST))


def _due(known: Known, holes: frozenset[int]) -> Meaning | None:
    """What pegs mean that have done what is due; None where they have not.

    A peg in the due's own hole has, however far that is and whichever peg it is.
    """
    due, stand = known.due, known.stand
    assert due is not None
    score = stand.front_points + due.points
    if due.points > 0:
        for kept, points in ((stand.front, stand.front_points), (stand.back, stand.back_points)):
            for place in (due.place, known.lane.hole(score)):  # a peg told to wait may find its score's hole free
                if kept != place and holes == {kept, place}:
                    return Meaning("pegged", due.points, stand=Stand(kept, place, points, score))
        return _in_two_steps(known, holes, score)
    if due.lift == stand.back and holes == {due.place, stand.front}:
        return _moved_behind(known, due)
    for before in reversed(known.past):
        if before.front_points == score and before.holes == holes:
            return Meaning("undone", -due.points, stand=before)
    return _lowered(known, holes, score)


def _in_two_steps(known: Known, holes: frozenset[int], score: int) -> Meaning | None:
    """A due made of two scores, pegged one by one, each with the back peg: both pegs are ahead of where they were."""
    due, stand = known.due, known.stand
    assert due is not None
    others = holes - {due.place}
    if due.place not in holes or len(others) != 1 or holes & stand.holes:
        return None
    (other,) = others
    behind = known.lane.points(other, stand.front_points + 1, score - 1)
    return Meaning("pegged", due.points, stand=Stand(other, due.place, behind[-1], score)) if behind else None


def _lowered(known: Known, holes: frozenset[int], score: int) -> Meaning | None:
    """A negative due that no earlier placement fits: one peg is in the score's hole, the other one behind it."""
    due, stand = known.due, known.stand
    assert due is not None
    place = known.lane.hole(score) if due.lift == stand.back else due.place
    others = holes - {place}
    if place not in holes or len(others) != 1:
        return None
    (other,) = others
    if other == stand.back and stand.back_points < score:
        return Meaning("undone", -due.points, stand=Stand(other, place, stand.back_points, score))
    if other == stand.back and stand.back_points == score:
        behind = _points(known.lane, place, score - 1)
        return Meaning("undone", -due.points, stand=Stand(place, other, behind, score))
    if other == due.place and due.lift == stand.back:
        behind = _points(known.lane, other, score - 1)
        return Meaning("undone", -due.points, stand=Stand(other, place, behind, score))
    return None


def _claim(known: Known, holes: frozenset[int]) -> Meaning:
    """The table of docs/reference/trace.md#what-pegs-mean-in-pegs-only, in its order."""
    stand, past = known.stand, known.past
    last = past[-1] if past else None
    if last is not None and last.holes == holes and last.front_points < stand.front_points:
        return Meaning("undone", stand.front_points - last.front_points, stand=last)
    ahead = None if known.won else _ahead(known, holes, stand.front_points + MOST)
    if ahead is not None:
        points = ahead.front_points - stand.front_points
        legal = [points]
        if known.hasty and ahead.back == stand.back:  # its last claims were perhaps but touches of this one
            legal += [ahead.front_points - before.front_points for before in past[-TOO_SOON:]]
        impossible = all(each in IMPOSSIBLE or each > MOST for each in legal)
        return Meaning("impossible" if impossible else "pegged", points, stand=ahead)
    if known.won and holes == known.lane.start.holes:
        return Meaning("home")
    for older in reversed(past[:-1]):
        if older.holes == holes:
            return _to_older(stand, older)
    between = _between(known, holes)
    if between is not None:
        return Meaning("undone", stand.front_points - between.front_points, stand=between)
    return _too_far(known, holes)


def _to_older(stand: Stand, older: Stand) -> Meaning:
    if older.front_points >= stand.front_points:
        return Meaning("odd")
    return Meaning("undone", stand.front_points - older.front_points, stand=older)


def _unasked(known: Known, holes: frozenset[int]) -> Meaning:
    """Pegs of a card game that have not done what is due: compared with the due, else with where they stood before."""
    if known.won and holes == known.lane.start.holes:
        return Meaning("home")
    owed = max(0, known.due.points) if known.due is not None else 0
    ahead = _ahead(known, holes, known.stand.front_points + owed + MOST)
    if ahead is not None:
        points = ahead.front_points - known.stand.front_points
        if known.due is None:
            claimed = known.counts and points not in IMPOSSIBLE
            return Meaning("pegged" if claimed else "early", points, stand=ahead)
        by = points - known.due.points
        if known.due.points > 0 and by:
            return Meaning("over" if by > 0 else "under", abs(by), stand=ahead)
    for before in reversed(known.past):
        if before.holes == holes and before.front_points < known.stand.front_points:
            return Meaning("back", known.stand.front_points - before.front_points, stand=before)
    between = _between(known, holes)
    if between is not None:
        return Meaning("behind", known.stand.front_points - between.front_points, stand=between)
    return Meaning("odd")


def _ahead(known: Known, holes: frozenset[int], furthest: int) -> Stand | None:
    """One peg at home and the other ahead of the front one, by the fewest points."""
    stand = known.stand
    for kept, points in ((stand.front, stand.front_points), (stand.back, stand.back_points)):
        others = holes - {kept}
        if kept in holes and len(others) == 1:
            (hole,) = others
            ahead = known.lane.points(hole, stand.front_points + 1, furthest)
            if ahead:
                return Stand(kept, hole, points, ahead[0])
    return None


def _between(known: Known, holes: frozenset[int]) -> Stand | None:
    """The back peg at home and the other between it and the front one's home."""
    stand = known.stand
    others = holes - {stand.back}
    if stand.back not in holes or len(others) != 1:
        return None
    (hole,) = others
    between = known.lane.points(hole, stand.back_points + 1, stand.front_points - 1)
    return Stand(stand.back, hole, stand.back_points, between[-1]) if between else None


def _too_far(known: Known, holes: frozenset[int]) -> Meaning:
    ahead = _ahead(known, holes, known.stand.front_points + 2 * MOST)
    if ahead is None:
        return Meaning("odd")
    return Meaning("impossible", ahead.front_points - known.stand.front_points, stand=ahead)


def _points(lane: Lane, hole: int, most: int) -> int:
    """The most points, up to `most`, that the hole stands for; -1 where it is none of the lane's."""
    found: Sequence[int] = lane.points(hole, -1, most)
    return found[-1] if found else -1


def standing(known: Known, holes: frozenset[int], score: int | None) -> Stand:
    """The placement that two resting pegs make, where a person has said that they are right.

    The one nearest to this score; without a score the likeliest.
    """
    homes = known.stand.holes
    for stand in (known.stand, *reversed(known.past)):
        if stand.holes == holes and (score is None or stand.front_points == score or stand is known.stand):
            return stand
    lane, low = known.lane, known.stand.front_points
    readings = []
    for front in holes:
        (back,) = holes - {front}
        for points in lane.points(front, 0, max(score or 0, low) + 2 * MOST):
            behind = lane.points(back, -1, points - 1)
            if behind:
                readings.append(Stand(back, front, behind[-1], points))
    if readings:
        off = low if score is None else score
        return min(readings, key=lambda s: (0 if score is None else abs(s.front_points - off), unlikely(known, s)))
    front = max(holes - homes)
    (back,) = holes - {front}
    front_points = low if score is None else score
    back_points = known.stand.back_points if back == known.stand.back else min(low, front_points - 1)
    return Stand(back, front, max(back_points, -1), front_points)


BACKWARDS = 30
"""How many points ahead are as unlikely as a peg that went back: pegs go forward."""


def unlikely(known: Known, stand: Stand) -> int:
    """How unlikely a placement is where nobody saw the pegs move, in points.

    The points between the scores; more for a peg that went back, and most for one too far ahead for any claims.
    """
    ahead, behind = stand.front_points - known.stand.front_points, known.stand.back_points - stand.back_points
    furthest = MOST if stand.holes & known.stand.holes else 2 * MOST  # one claim, or two
    return abs(ahead) + max(0, behind) + BACKWARDS * ((ahead < 0) + (behind > 0) + 3 * (ahead > furthest))
