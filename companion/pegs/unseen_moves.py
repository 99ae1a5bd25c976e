"""Moves made while the sensors were lost: which pegs of a shared lane went where, judged by the levels alone. Pure.

The order of the changes, which distinguishes pegs that look alike, is unknown then. What is known is what each seat
had to peg, in which steps. A seat's pegs can rest where these steps lead, with any of them pegged together; the levels
decide a seat's placement if it is the same in every way to explain all pegs of the lane.
"""

from collections.abc import Iterator

from companion.boards.board import Lane, PegDue, Placement, bits_of
from companion.pegs.assignment import LaneGroup
from companion.pegs.interpretation import Interpretation
from companion.pegs.levels import NO_TOUCH
from companion.pegs.thresholds import CLAIM_REST_MS
from companion.pegs.timing import PegVerdict

MAX_EXPLANATIONS = 2000
"""Explanations that are tried. With more, the levels decide nothing."""


def find_unseen_verdicts(group: LaneGroup) -> list[PegVerdict] | None:
    """Return the verdicts on pegs that moved while the sensors were lost; None if the lane can be read as usual."""
    if len(group.seats) == 1:
        return None
    trusted, facts = group.trusted, group.trusted.facts
    changes = facts.levels.changes
    is_unseen = any(
        changes[home].emptied_ms == facts.sensors_back_ms for seat in group.seats for home in trusted.empty_homes[seat]
    )
    if not is_unseen or (group.assignments and not any(map(group.is_illegal, group.assignments))):
        return None
    taken = trusted.taken_bits & group.bits
    explanations = _explain_pegs(group, taken, 0) or _explain_pegs(group, taken, 1)
    if not explanations:
        return None
    verdicts = []
    for index, seat in enumerate(group.seats):
        known, placement = group.known_seats[index].placement, explanations[0][index]
        if (
            placement is None
            or placement == known
            or any(explanation[index] != placement for explanation in explanations)
        ):
            continue
        at_ms = trusted.last_change_ms(placement.holes | known.holes) + CLAIM_REST_MS
        points = placement.front_points - known.front_points
        interpretation = Interpretation("pegged", points, known.back, placement.front, placement)
        verdicts.append(PegVerdict(at_ms, seat, interpretation, NO_TOUCH))
    return verdicts


def _explain_pegs(group: LaneGroup, taken: int, missing: int) -> list[tuple[Placement | None, ...]]:
    """Return the placements of all seats that fill exactly these holes, with `missing` pegs in a hand.

    A seat whose peg is in a hand has None. Returns none if there are too many to decide anything.
    """
    choices = [list(_list_choices(group, index)) for index in range(len(group.seats))]
    explanations = list[tuple[Placement | None, ...]]()

    def search(index: int, left: int, hands: int, chosen: tuple[Placement | None, ...]) -> None:
        if len(explanations) > MAX_EXPLANATIONS:
            return
        if index == len(choices):
            if not left and not hands:
                explanations.append(chosen)
            return
        for placement in choices[index]:
            bits = bits_of(placement.holes)
            if bits & left == bits:
                search(index + 1, left & ~bits, hands, (*chosen, placement))
        for hole in {hole for placement in choices[index] for hole in placement.holes} if hands else ():
            if left >> hole & 1:
                search(index + 1, left & ~(1 << hole), hands - 1, (*chosen, None))

    search(0, taken, missing, ())
    return explanations if len(explanations) <= MAX_EXPLANATIONS else []


def _list_choices(group: LaneGroup, index: int) -> Iterator[Placement]:
    """Yield the placements of a seat's pegs: as known, and after any of the steps that it has to peg."""
    seat = group.known_seats[index]
    yield seat.placement
    if seat.due is None or seat.due.points <= 0:
        return
    places = _list_places(seat.lane, seat.placement, seat.due)
    for number, (points, hole) in enumerate(places[1:], 1):
        for behind, kept in ((seat.placement.back_points, seat.placement.back), *places[:number]):
            yield Placement(kept, hole, behind, points)


def _list_places(lane: Lane, placement: Placement, due: PegDue) -> list[tuple[int, int]]:
    """Return where a front peg may stand, in points and holes: at home, and after each step of the due."""
    places = [(placement.front_points, placement.front)]
    for step in due.steps or (due.points,):
        points = places[-1][0] + step
        places.append((points, lane.hole_at(points)))
    return places
