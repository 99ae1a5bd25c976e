"""Stage 6, questions: texts and answers, the advice that lights the way back, what a confirmation settles. Pure.

A question first offers its likely answers, each a move that one tap makes; then moving the pegs back; and last, if all
pegs rest, taking the board as it stands, or if one is missing, that it is in its hole.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.boards.board import Placement, holes_of, union_bits
from companion.common.snapshot import Advice, AnswerChoice
from companion.common.values import replace
from companion.i18n import format_message
from companion.pegs.events import Unclear
from companion.pegs.interpretation import SeatContext, choose_placement, placement_penalty
from companion.pegs.levels import MAX_PAST_PLACEMENTS, PegFacts, TrustedLevels, past_before
from companion.pegs.problems import (
    PROBLEM_TYPES,
    Problem,
    ProblemContext,
    ProblemKey,
    hole_name,
    problem_sentence,
    seat_name,
    supposed_hole,
)


class OpenQuestion(NamedTuple):
    """An open question. `dead_hole`: the hole that its last answer names, in which no sensor reports the peg."""

    key: ProblemKey
    seats: tuple[int, ...]
    unclear: Unclear
    dead_hole: int | None = None


def create_question(trusted: TrustedLevels, problem: Problem) -> Unclear:
    context, row = ProblemContext(trusted, problem), PROBLEM_TYPES[problem.key.kind]
    gone = context.empty_holes
    choices = list(row.choices(context))
    if problem.key.kind in ("set_up", "homewards"):
        choices.append(AnswerChoice(format_message("Put two pegs of each player in the start holes."), None))
    elif problem.key.kind == "surplus":
        none_there = format_message("No peg is in {hole}.", hole=hole_name(trusted, problem.key.holes[0]))
        return Unclear(
            problem.key.seat,
            problem_sentence(context),
            problem.key.holes,
            (*choices, AnswerChoice(none_there, {"type": "take_board"})),
        )
    elif len(gone) == 1:
        choices.append(
            AnswerChoice(format_message("Put the peg back in {hole}.", hole=hole_name(trusted, gone[0])), None)
        )
    else:
        choices.append(AnswerChoice(format_message("Put the pegs back where the lights show."), None))
    if row.all_pegs_rest:
        choices.append(AnswerChoice(format_message("Take the board as it stands."), _take_board_move(trusted, problem)))
    elif problem.key.kind == "out" and (hole := supposed_hole(trusted, problem.key.seat)) is not None:
        said = format_message("The peg is in {hole}.", hole=hole_name(trusted, hole))
        choices.append(AnswerChoice(said, {"type": "take_board"}))
    return Unclear(
        problem.key.seat, problem_sentence(context), tuple(sorted({*problem.key.holes, *gone})), tuple(choices)
    )


def _take_board_move(trusted: TrustedLevels, problem: Problem) -> Mapping[str, Any]:
    """Return the move that takes the board as it stands. If the players count, it adjusts the scores to the pegs."""
    facts = trusted.facts
    placements = placements_as_they_stand(trusted, problem)
    if not facts.players_count:
        return {"type": "take_board"}
    adjusts = []
    for seat, placement in enumerate(placements):
        due = facts.due_of(seat)
        score = (facts.placements[seat].front_points if facts.placements else 0) + (due.points if due else 0)
        if placement.front_points != score:
            adjusts.append({"seat": seat, "points": placement.front_points - score})
    if not adjusts:
        return {"type": "take_board"}
    first, *others = adjusts
    return {"type": "adjust", **first, **({"also": others} if others else {})}


def advise_on_problem(
    trusted: TrustedLevels, problem: Problem, strays: Iterable[int], reasons: Mapping[int, str]
) -> Iterable[Advice]:
    """Yield the advice about a problem that has been noticed. `reasons`: by seat, the reason of its due."""
    context, seat, kind = ProblemContext(trusted, problem), problem.key.seat, problem.key.kind
    if kind == "set_up":
        yield from _advise_set_up(trusted)
        return
    said, advice = problem_sentence(context), PROBLEM_TYPES[kind].advice
    if kind == "early" and context.other:
        advice = "other_pegged"
    if (
        kind in ("over", "under")
        and context.due is not None
        and problem.interpretation is not None
        and seat is not None
    ):
        here, there = _hole_id(trusted, problem.interpretation.to), _hole_id(trusted, context.due.place)
        said = problem_sentence(context, reasons.get(seat, ""))
        yield Advice(
            advice, seat, said, points=context.due.points, by=context.points, hole=here, lift=here, place=there
        )
        return
    empty, extra = list(context.empty_holes), list(_find_extra_pegs(trusted, problem, strays))
    while empty and extra:  # pair holes that should be empty with holes that should hold a peg, nearest pairs first
        lift, place = min(((e, h) for e in extra for h in empty), key=lambda pair: _squared_distance(trusted, *pair))
        extra.remove(lift)
        empty.remove(place)
        here = _hole_id(trusted, lift)
        yield Advice(advice, seat, said, hole=here, lift=here, place=_hole_id(trusted, place))
    for place in empty:
        yield Advice("put_back", seat, said, hole=_hole_id(trusted, place), place=_hole_id(trusted, place))
    for lift in extra:
        yield Advice("take_off", seat, said, hole=_hole_id(trusted, lift), lift=_hole_id(trusted, lift))


def _find_extra_pegs(trusted: TrustedLevels, problem: Problem, strays: Iterable[int]) -> tuple[int, ...]:
    """Return the taken holes of this problem that should be empty."""
    lanes = trusted.facts.race_board.lanes
    if problem.key.kind == "homewards":
        return holes_of(trusted.taken_bits & ~trusted.facts.race_board.start_bits)
    own = union_bits(lanes[seat].bits for seat in problem.seats)
    held = tuple(h for h in problem.key.holes if not own >> h & 1)
    return held + tuple(h for h in holes_of(trusted.taken_bits & ~trusted.home_bits & own) if h not in strays)


def _squared_distance(trusted: TrustedLevels, one: int, other: int) -> float:
    holes = trusted.facts.race_board.board.holes
    a, b = holes[one], holes[other]
    return (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2


def _advise_set_up(trusted: TrustedLevels) -> Iterable[Advice]:
    for seat, lane in enumerate(trusted.facts.race_board.lanes):
        for hole in lane.route.start:
            if not trusted.taken_bits >> hole & 1:
                said = format_message("Put both of {name}'s pegs in the start holes.", name=seat_name(trusted, seat))
                yield Advice("set_up", seat, said, hole=_hole_id(trusted, hole), place=_hole_id(trusted, hole))
    for hole in holes_of(trusted.taken_bits & ~trusted.facts.race_board.start_bits):
        said = format_message("No peg belongs in {hole} before the game.", hole=hole_name(trusted, hole))
        yield Advice("take_off", None, said, hole=_hole_id(trusted, hole), lift=_hole_id(trusted, hole))


def _hole_id(trusted: TrustedLevels, hole: int) -> str:
    return trusted.facts.race_board.board.holes[hole].id


def is_answered(facts: PegFacts, asked: OpenQuestion, points: tuple[int, ...]) -> bool:
    """Return whether these scores answer a question.

    They do unless it is about the points that a seat may have pegged, and the score of this seat is unchanged.
    """
    kind, seat, _ = asked.key
    if kind not in ("early", "surplus") or seat is None or facts.placements is None:
        return True
    due = facts.due_of(seat)
    return points[seat] != facts.placements[seat].front_points + (due.points if due else 0)


def is_claimed(facts: PegFacts, problem: Problem, points: tuple[int, ...]) -> bool:
    """Return whether these scores make the peg on a wrong track one of that track's own players."""
    lanes = enumerate(zip(facts.race_board.lanes, facts.placements or (), strict=False))
    return any(
        seat not in problem.seats
        and points[seat] > placement.front_points
        and lane.hole_at(points[seat]) in problem.key.holes
        for seat, (lane, placement) in lanes
    )


def settle_problem(
    facts: PegFacts,
    trusted: TrustedLevels,
    problem: Problem,
    points: tuple[int, ...] | None,
    dead_hole: int | None = None,
) -> PegFacts:
    """Settle a problem by a player's confirmation: accept the likely assignment that fits these scores best.

    `points`: the scores by seat; None takes the board as it stands. If several seats are concerned, those whose scores
    do not fit keep their known placement and are read further. A peg in the hand counts as at home. `dead_hole`: where
    a missing peg is, if the players were asked about it. Returns the facts unchanged if two pegs would be known to
    stand in one hole.
    """
    if facts.placements is None:
        placements = infer_placements(trusted)
        fits = points is None or points == tuple([placement.front_points for placement in placements])
        return _begin_with_placements(facts, placements) if fits else facts
    if problem.key.kind == "out":
        return _settle_missing_peg(facts, trusted, problem.seats[0], points, dead_hole)
    if problem.key.kind == "wrong_peg" and points is None:
        stuck = {due.lift: facts.now_ms for due in facts.dues if due.place in problem.key.holes}
        return replace(facts, quarantine={**facts.quarantine, **stuck})  # the due's own peg is there
    before, best = facts, _choose_placements(trusted, problem, points)
    for seat, placement in best.items():
        fits = points is None or len(problem.seats) == 1 or placement.front_points == points[seat]
        if fits and facts.placements and placement != facts.placements[seat]:
            facts = _with_placement(facts, seat, placement)
    return before if _count_shared_holes(facts) > _count_shared_holes(before) else facts


def _settle_missing_peg(
    facts: PegFacts, trusted: TrustedLevels, seat: int, points: tuple[int, ...] | None, hole: int | None
) -> PegFacts:
    """Suppose a missing peg in this hole, else in that of its due or at home, or where these scores put it."""
    assert facts.placements is not None
    context, kept = trusted.seat_contexts[seat], facts.placements[seat].holes
    now = supposed_hole(trusted, seat)
    hole = now if now is None or hole is None else hole  # None: both pegs are missing, or neither is
    if points is not None:
        is_claim = facts.players_count and points[seat] > context.placement.front_points
        hole = context.lane.hole_at(points[seat]) if hole is not None and is_claim else None
    if hole is None or trusted.taken_bits >> hole & 1:
        return facts
    if hole not in kept:
        kept = kept - frozenset(trusted.empty_homes[seat]) | {hole}
        if len(kept) < 2:
            return facts  # the other peg is missing too
        facts = _with_placement(facts, seat, choose_placement(context, kept, _score_after(context, points, seat)))
    left = {key: ms for key, ms in facts.left_home_ms.items() if key != (seat, hole)}
    return replace(facts, quarantine={**facts.quarantine, hole: facts.now_ms}, left_home_ms=left)


def _score_after(context: SeatContext, points: tuple[int, ...] | None, seat: int) -> int:
    if points is not None:
        return points[seat]
    return context.placement.front_points + (context.due.points if context.due is not None else 0)


def _choose_placements(
    trusted: TrustedLevels, problem: Problem, points: tuple[int, ...] | None
) -> Mapping[int, Placement]:
    """Return the placements, by seat, of the assignment that fits the scores best; without scores, of the likeliest."""
    lying = [] if points is None else [_find_resting_holes(trusted, problem)]
    if points is None or problem.key.kind == "scattered":
        lying.append(_distribute_pegs(trusted, problem))
    choices = [_placements_for_scores(trusted, problem, places, points) for places in problem.candidate_holes or lying]
    if points is None:
        return min(
            choices,
            key=lambda found: sum(placement_penalty(trusted.seat_contexts[seat], s) for seat, s in found.items()),
        )
    return min(choices, key=lambda found: sum(abs(s.front_points - points[seat]) for seat, s in found.items()))


def placements_as_they_stand(trusted: TrustedLevels, problem: Problem) -> tuple[Placement, ...]:
    """Return every seat's placement if the board is taken as it stands."""
    return settle_problem(trusted.facts, trusted, problem, None).placements or ()


def infer_placements(trusted: TrustedLevels) -> tuple[Placement, ...]:
    """Return the placements of a board that is taken up in the middle of a game: the two furthest pegs of each lane.

    A seat whose start holes are both taken, or with fewer than two pegs on its lane, is placed in its start holes.
    """
    facts, used, found = trusted.facts, 0, []
    for lane in facts.race_board.lanes:
        lap = min(lane.target, len(lane.route.way))
        holes = holes_of(trusted.taken_bits & lane.bits & ~used)
        points = sorted([(lane.points_at(h, -1, lap)[0], h) for h in holes])[-2:]
        if lane.start_bits & trusted.taken_bits == lane.start_bits or len(points) < 2:
            found.append(lane.start_placement)
            used |= lane.start_bits
        else:
            (behind, back), (ahead, front) = points
            found.append(Placement(back, front, behind, ahead))
            used |= 1 << back | 1 << front
    return tuple(found)


def _begin_with_placements(facts: PegFacts, placements: tuple[Placement, ...]) -> PegFacts:
    certain_ms = (facts.now_ms,) * len(placements)
    return replace(
        facts,
        placements=placements,
        certain_ms=certain_ms,
        left_home_ms={},
        levels=facts.levels.with_explained_holes(facts.levels.changes),
    )


def _with_placement(facts: PegFacts, seat: int, placement: Placement) -> PegFacts:
    assert facts.placements is not None
    past = past_before(facts.past_placements[seat], placement)
    if placement.front_points > facts.placements[seat].front_points:
        past = (*facts.past_placements[seat][-MAX_PAST_PLACEMENTS:], facts.placements[seat])
    return facts.with_placement(seat, placement, past, facts.now_ms)


def _count_shared_holes(facts: PegFacts) -> int:
    """Count the pegs that are known to stand in a hole that is known to hold another peg."""
    homes = [hole for one in facts.placements or () for hole in one.holes]
    return len(homes) - len(frozenset(homes))


def _placements_for_scores(
    trusted: TrustedLevels, problem: Problem, places: tuple[frozenset[int], ...], points: tuple[int, ...] | None
) -> dict[int, Placement]:
    """Return the placements of resting pegs that fit these scores best, or without scores the likeliest."""
    found = {}
    for seat, holes in zip(problem.seats, places, strict=True):
        seats = trusted.seat_contexts[seat]
        score = None if points is None else points[seat]
        found[seat] = choose_placement(seats, holes, score) if len(holes) == 2 else seats.placement
    return found


def _find_resting_holes(trusted: TrustedLevels, problem: Problem) -> tuple[frozenset[int], ...]:
    """Return where the pegs of the seats concerned rest: at home, and for the first seat also on a wrong track."""
    placements, taken = trusted.facts.placements or (), trusted.taken_bits
    kept = [frozenset(h for h in placements[s].holes if taken >> h & 1) for s in problem.seats]
    held = frozenset(h for h in problem.key.holes if taken >> h & 1)
    others = frozenset(h for s, one in enumerate(placements) if s != problem.seats[0] for h in one.holes)
    return (kept[0] | held - others, *kept[1:])


def _distribute_pegs(trusted: TrustedLevels, problem: Problem) -> tuple[frozenset[int], ...]:
    """Return where the pegs of the seats concerned rest: at home, else on their own lane, else in any other hole."""
    placements, lanes = trusted.facts.placements or (), trusted.facts.race_board.lanes
    kept = [{h for h in placements[s].holes if trusted.taken_bits >> h & 1} for s in problem.seats]
    new = list(holes_of(trusted.taken_bits & ~trusted.home_bits & ~trusted.quarantined_bits))
    for own in (True, False):
        for seat, holes in zip(problem.seats, kept, strict=True):
            for hole in [h for h in new if lanes[seat].bits >> h & 1 or not own][-2:]:
                if len(holes) < 2:
                    holes.add(hole)
                    new.remove(hole)
    return tuple(frozenset(holes) for holes in kept)
