"""Compare scores with pegs: the dues, the advice, and the moves that pegs imply. Pure.

Rules do not know pegs and the peg reader does not know rules; both meet here. docs/reference/http.md describes dues and
advice. Except in `derive_moves`, a seat is the index among the racing seats.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.boards.board import Lane
from companion.boards.catalog import Hole
from companion.common.constants import IMPOSSIBLE_HAND_SCORES
from companion.common.snapshot import Advice, AdviceKind
from companion.i18n import Message, format_message, gettext_noop
from companion.pegs import reader
from companion.pegs.events import PegEvent, Pegged, Started, Undone
from companion.pegs.levels import PegFacts
from companion.pegs.reader import PegDue, PegReader, Placement
from companion.rules import narration
from companion.rules.engine import CORRECTION_REASONS, Award, History
from companion.rules.moves import Adjust, AdjustmentPart, Claim, Move, Next, Peg, Undo
from companion.table.courses.course import RecentAwards
from companion.table.setup import TablePlan


def compute_dues(
    facts: PegFacts,
    scores: Sequence[int],
    by_front: Collection[int] = (),
    find_steps: Callable[[int, int], tuple[int, ...]] = lambda *_: (),
) -> tuple[PegDue, ...]:
    """Return what each side has still to peg, at most one due per side; nothing before the pegs are set up.

    Going ahead, the sides of `by_front` move their front peg, all others the back one. If the hole is occupied, the
    peg waits in a free start hole of its side; without a free one, or if it waits there already, it stays, and `lift`
    equals `place`.
    `find_steps(side, points)` returns the movements that earned the points.
    """
    found = []
    for side, (placement, score) in enumerate(zip(facts.placements or (), scores, strict=False)):
        if score != placement.front_points:
            lift, place = _due_holes(facts, side, score, front=side in by_front)
            if _is_hole_taken(facts, side, place, lift):
                lane = facts.race_board.lanes[side]
                free = [hole for hole in lane.route.start if hole not in placement.holes]
                place = free[0] if free and not is_waiting_in_start(lane, placement) else lift
            points = score - placement.front_points
            found.append(PegDue(side, points, lift, place, find_steps(side, points)))
    return tuple(found)


def _due_holes(facts: PegFacts, side: int, score: int, *, front: bool = False) -> tuple[int, int]:
    """Return the hole of the peg to move for a score, and the hole where it belongs, occupied or not."""
    assert facts.placements is not None
    placement, lane = facts.placements[side], facts.race_board.lanes[side]
    if score > placement.front_points:
        return placement.front if front or is_waiting_in_start(lane, placement) else placement.back, lane.hole_at(score)
    if score == 0 and placement.holes == lane.start_placement.holes:
        return placement.front, placement.front  # already home
    earlier = next((past for past in reversed(facts.past_placements[side]) if past.front_points == score), None)
    if earlier is not None and placement.back == earlier.front:
        return placement.front, earlier.back
    if placement.back_points < score or (score == 0 and placement.back_points < 0):
        return placement.front, lane.hole_at(score)
    behind = (lane.hole_at(p) for p in range(score - 1, -2, -1)) if score else reversed(lane.route.start)
    return placement.back, next(h for h in behind if not _is_hole_taken(facts, side, h, placement.back))


def is_waiting_in_start(lane: Lane, placement: Placement) -> bool:
    """Return whether the front peg waits in a start hole because its own hole was occupied. It moves next."""
    return (
        placement.front in lane.route.start
        and placement.front_points > 0
        and lane.hole_at(placement.front_points) != placement.front
    )


def _is_hole_taken(facts: PegFacts, side: int, hole: int, lift: int) -> bool:
    """Return whether the hole holds another side's peg or this side's other peg."""
    assert facts.placements is not None
    own = facts.placements[side].holes - {lift}
    return hole in own or any(hole in s.holes for i, s in enumerate(facts.placements) if i != side)


def find_owed_awards(recent_awards: RecentAwards, side: int, sides: int, points: int) -> tuple[Award, ...]:
    """Return the last awards of a side that add up to `points`, oldest first; empty if they do not add up."""
    found: list[Award] = []
    for award in (award for awards in reversed(recent_awards) for award in reversed(awards)):
        if points <= 0:
            break
        if award.seat % sides == side:
            found.append(award)
            points -= award.points
    return tuple(reversed(found)) if points == 0 else ()


def build_advice(
    peg_reader: PegReader, names: Sequence[str], owed: Mapping[int, Sequence[Award]]
) -> tuple[Advice, ...]:
    """Return the problems that the peg reader sees, and the next peg of each side that owes points without a problem.

    `owed` are the awards that add up to the due of each side, where they are known.
    """
    reasons = {seat: f" ({narration.describe_count(awards)})" for seat, awards in owed.items() if _are_counted(awards)}
    problems = reader.list_advice(peg_reader, reasons)
    seats = {each.seat for each in problems}
    facts = peg_reader.facts
    return problems + tuple(
        _next_peg_advice(facts, due, names[due.seat]) for due in facts.dues if due.seat not in seats
    )


def _are_counted(awards: Sequence[Award]) -> bool:
    """Return whether all of these points were counted, none of them by an adjustment or a correction."""
    return bool(awards) and not any(award.reason in CORRECTION_REASONS for award in awards)


def _next_peg_advice(facts: PegFacts, due: PegDue, name: str) -> Advice:
    """Return which peg of a side moves where: "Red: back peg to 4."."""
    assert facts.placements is not None
    placement = facts.placements[due.seat]
    holes = facts.race_board.board.holes
    lift, place = holes[due.lift], holes[due.place]
    peg = "back" if due.lift == placement.back else "front"
    kind: AdviceKind = "peg_forward" if due.points > 0 else "peg_back"
    shared = place.seat is None and place.number > 0
    where = _describe_lit_hole(facts, due) if shared else _describe_numbered_hole(due, place)
    sentence = format_message("{name}: back peg {where}.", name=name, where=where)
    if peg == "front":
        sentence = format_message("{name}: front peg {where}.", name=name, where=where)
    if due.place != _due_holes(facts, due.seat, placement.front_points + due.points)[1]:
        kind = "waiting"
        sentence = format_message("{name}'s hole is taken: the peg waits in the start until the next score.", name=name)
    return Advice(kind, due.seat, sentence, points=due.points, lift=lift.id, place=place.id)


def _describe_numbered_hole(due: PegDue, place: Hole) -> Message:
    """Describe a hole of a lane that only one side uses: "to 4", "back to the start"."""
    if place.number <= 0:
        return format_message("back to the start") if due.points < 0 else format_message("to the start")
    return format_message(gettext_noop("back to {n}") if due.points < 0 else gettext_noop("to {n}"), n=place.number)


def _describe_lit_hole(facts: PegFacts, due: PegDue) -> Message:
    """Describe a hole of a shared lane: "to the lit hole, 5 ahead of the front peg".

    Each seat counts from its own start there, so the hole's number would mislead. A back peg that goes ahead is given
    its distance from the front peg, any other peg its distance from where it stands.
    """
    assert facts.placements is not None
    placement, index = facts.placements[due.seat], facts.race_board.lanes[due.seat].first_lap_points
    start = placement.front if due.points > 0 else due.lift
    if due.place not in index:  # an answer has placed the peg outside this side's lane
        return format_message("to the lit hole")
    lap, place = len(facts.race_board.lanes[due.seat].route.way), index[due.place]
    if start not in index:
        return format_message("to the lit hole, {n} from the start", n=place)
    if due.points < 0:
        return format_message("to the lit hole, {n} back", n=(index[start] - place) % lap)
    ahead = (place - index[start]) % lap
    if due.lift == placement.back:
        return format_message("to the lit hole, {n} ahead of the front peg", n=ahead)
    return format_message("to the lit hole, {n} ahead", n=ahead)


def derive_moves(
    plan: TablePlan, past: History[Any], event: PegEvent, placements: Mapping[int, Placement], later: Sequence[PegEvent]
) -> tuple[Move, ...]:
    """Return the moves that an event implies, by seat. The rules may still refuse them.

    `stands` are the placements after the `later` events of the same moment. In pegs-only the pegs are the score. Where
    the players count, a peg moved ahead is its side's claim. In all other games pegs only confirm the rules' score.
    """
    pegs_only = plan.game.peg_role == "score"
    if isinstance(event, Started):
        return _restart_moves(past) if pegs_only else ()
    if not isinstance(event, Pegged | Undone) or event.seat not in placements:
        return ()
    if isinstance(event, Pegged) and event.is_claim:
        claimants = plan.game.find_claimants(past.state, event.points)  # partners share pegs
        return tuple([Claim(seat, event.points) for seat in claimants if seat % plan.sides == event.seat][:1])
    points = placements[event.seat].front_points - past.state.scores[event.seat]
    for each in later:
        if isinstance(each, Pegged | Undone) and each.seat == event.seat:
            points -= each.points if isinstance(each, Pegged) else -each.points
    if isinstance(event, Undone):
        return _undo_moves(past, event.seat, points) if pegs_only else ()
    if points <= 0 or not pegs_only:
        return ()
    # The rest of a claim that was recognised too early may be a number that no single hand can score.
    return (Adjust(event.seat, points) if points in IMPOSSIBLE_HAND_SCORES else Peg(event.seat, points),)


def adjust_to_pegs(scores: Sequence[int], placements: Mapping[int, Placement]) -> tuple[Adjust, ...]:
    """Return one adjustment that sets all scores to the pegs' points; empty if none differs."""
    differences = {seat: placement.front_points - scores[seat] for seat, placement in placements.items()}
    parts = [AdjustmentPart(seat, points) for seat, points in differences.items() if points]
    return (Adjust(parts[0].seat, parts[0].points, tuple(parts[1:])),) if parts else ()


def _restart_moves(past: History[Any]) -> tuple[Move, ...]:
    """Return the moves for pegs that are all back in the start holes: a new game, or the present one restarted."""
    if past.state.phase == "over":
        return (Next(),)
    return tuple(Adjust(side, -score) for side, score in enumerate(past.state.scores) if score)


def _undo_moves(past: History[Any], seat: int, points: int) -> tuple[Move, ...]:
    """Return the moves for a peg that went back: an undo if that leads to the same scores, else an adjustment."""
    if points == 0:
        return ()
    wanted = tuple(s + points if side == seat else s for side, s in enumerate(past.state.scores))
    before = past.parent
    return (Undo(),) if before is not None and before.state.scores == wanted else (Adjust(seat, points),)
