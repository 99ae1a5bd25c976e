"""Stage 6, texts about a problem: the question with its answers, and the advice that lights the way back. Pure.

A question first offers its likely answers, each a move that one tap makes; then moving the pegs back; and last, if all
pegs rest, taking the board as it stands, or if one is missing, that it is in its hole.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.boards.board import holes_of, union_bits
from companion.common.snapshot import Advice, AnswerChoice
from companion.i18n import format_message
from companion.pegs.events import Unclear
from companion.pegs.placement import placements_as_they_stand
from companion.pegs.problems import (
    PROBLEM_TYPES,
    Problem,
    ProblemContext,
    hole_name,
    problem_sentence,
    seat_name,
    supposed_hole,
)
from companion.pegs.sensor_trust import TrustedLevels


def create_question(trusted: TrustedLevels, problem: Problem) -> Unclear:
    """Return the question about a problem."""
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
