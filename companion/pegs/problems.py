"""Stage 5, problems with pegs: a table with a row for each kind: its sentence, delays and likely answers. Pure.

The delays count from the last change of the holes involved. All kinds as players see them:
docs/explanation/reading-pegs.md#what-is-seen-lit-said-and-how-one-gets-back.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.boards.board import holes_of
from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS, SEAT_NAMES
from companion.common.snapshot import AdviceKind, AnswerChoice
from companion.i18n import Message, format_message, format_plural, gettext_noop, join_with_and
from companion.pegs.interpretation import Interpretation, MisreadKind, is_likely_hole
from companion.pegs.levels import TrustedLevels

ProblemKind = (
    MisreadKind
    | Literal["out", "both_out", "wrong_track", "wrong_peg", "whose", "row", "surplus"]
    | Literal["scattered", "empty", "set_up", "homewards"]
)
"""The kinds of problems: resting pegs without a verdict, pegs that are missing or misplaced, the whole board."""
WaitKind = Literal["at once", "quiet", "doubt", "long out", "missing", "set up", "never"]


class ProblemKey(NamedTuple):
    """Identifies a problem, which is noticed once and asked about once. `seat` is None if several are concerned."""

    kind: ProblemKind
    seat: int | None
    holes: tuple[int, ...]


class Problem(NamedTuple):
    """Pegs that cannot be interpreted. `seats` are the seats concerned.

    From `notice_ms` on there is advice, from `ask_ms` on the players are asked (never if None). `candidate_holes`: for
    each likely assignment, the holes of the pegs of each of these seats.
    """

    key: ProblemKey
    seats: tuple[int, ...]
    notice_ms: int
    ask_ms: int | None
    interpretation: Interpretation | None = None
    candidate_holes: tuple[tuple[frozenset[int], ...], ...] = ()


class ProblemContext:
    """A problem together with the trusted levels, as far as its texts need it.

    `empty_holes`: the homes that should hold a peg and do not; before a game, and on the way to a new one, the empty
    start holes.
    """

    def __init__(self, trusted: TrustedLevels, problem: Problem) -> None:
        facts, (kind, seat, holes), found = trusted.facts, problem.key, problem.interpretation
        self.trusted, self.kind, self.seat, self.holes = trusted, kind, seat, holes
        self.points = found.points if found is not None else 0
        self.due = None if seat is None else facts.due_of(seat)
        self.seats = problem.seats
        self.names = [seat_name(trusted, each) for each in problem.seats]
        others = [d.seat for d in facts.dues if d.seat != seat and d.points == self.points]
        self.other = seat_name(trusted, others[0]) if others else None
        if facts.placements is None or kind == "homewards":
            self.empty_holes = holes_of(facts.race_board.start_bits & ~trusted.taken_bits)
        else:
            self.empty_holes = tuple(
                [h for s in problem.seats for h in trusted.empty_homes[s] if not trusted.taken_bits >> h & 1]
            )
        self._to = found.to if found is not None else -1

    def format_text(self, sentence: str, why: str = "") -> Message:
        """Return a sentence of the table with its placeholders filled in. `why` is the count of a due, in brackets."""
        owed = self.due.points if self.due is not None and self.due.points > 0 else 0
        won, unscored = format_message("the game is won"), format_message("no hand scores that")
        return format_message(
            sentence,
            why=why,
            name=self.names[0],
            names=join_with_and(self.names),
            points=self.points,
            ago=format_plural("{n} point", "{n} points", self.points),
            hole=hole_name(self.trusted, self._named_hole()) if self.holes else "",
            to=hole_name(self.trusted, self._to),
            owed=format_plural(", and {n} is due", ", and {n} are due", owed) if owed else "",
            pegged=owed + (self.points if self.kind == "over" else -self.points),
            due=owed,
            but=self._due_clause(),
            never=won if self.trusted.is_won else unscored,
            unsure=ambiguity_sentence(self.names),
        )

    def _named_hole(self) -> int:
        """Return the hole of the sentence: of a missing peg the one where it belongs, which may be its due's."""
        hole = supposed_hole(self.trusted, self.seat) if self.kind == "out" else None
        return self.holes[0] if hole is None else hole

    def _due_clause(self) -> Message:
        if self.other is None:
            return format_message("and nothing is due")
        return format_plural("but {other}'s {n} is due", "but {other}'s {n} are due", self.points, other=self.other)

    def adjust_choice(self, sentence: str, points: int) -> AnswerChoice:
        """Return the answer that changes the seat's score by `points`."""
        return AnswerChoice(self.format_text(sentence), {"type": "adjust", "seat": self.seat, "points": points})


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A row of the table.

    - `sentence`: the text about the problem, to be filled in by `ProblemContext.format_text`.
    - `advice`: the kind of its advice (docs/reference/http.md).
    - `choices`: the likely answers, likeliest first. An answer without a move is given by moving pegs.
    - `all_pegs_rest`: all pegs are in holes, so the board can be taken as it stands.
    """

    sentence: str
    notice_after: WaitKind
    ask_after: WaitKind
    advice: AdviceKind = "put_back"
    choices: Callable[[ProblemContext], Iterable[AnswerChoice]] = lambda _: ()
    all_pegs_rest: bool = True


def _undo_or_subtract(context: ProblemContext) -> Iterable[AnswerChoice]:
    yield AnswerChoice(format_message("Undo the last move."), {"type": "undo"})  # perhaps another seat's
    yield context.adjust_choice(gettext_noop("Take {points} from {name}'s score."), -context.points)


def _subtract_if_nothing_due(context: ProblemContext) -> Iterable[AnswerChoice]:
    if context.due is None:
        yield context.adjust_choice(gettext_noop("Take {points} from {name}'s score."), -context.points)


def _add_points(context: ProblemContext) -> Iterable[AnswerChoice]:
    yield context.adjust_choice(gettext_noop("Give {name} {points}."), context.points)


def _add_points_anyway(context: ProblemContext) -> Iterable[AnswerChoice]:
    yield context.adjust_choice(gettext_noop("Give {name} {points} anyway."), context.points)


def supposed_hole(trusted: TrustedLevels, seat: int | None) -> int | None:
    """Return the hole with a dead sensor in which a seat's only missing peg is; None if more are missing, or none.

    It is the hole of the seat's due if the due's peg is out, else the home that is empty. If both are, and one peg has
    come to rest, it is the home of the peg that was not to move: of two pegs the back one moves.
    """
    if seat is None or trusted.facts.placements is None:
        return None
    gone, due, placement = list(trusted.empty_homes[seat]), trusted.facts.due_of(seat), trusted.facts.placements[seat]
    context = trusted.seat_contexts[seat]
    new = holes_of(trusted.taken_bits & ~trusted.home_bits & context.lane.bits)
    if len(gone) == 2 and sum(is_likely_hole(context, hole) for hole in new) == 1:
        gone.remove(placement.back if due is None else due.lift)
    if len(gone) != 1:
        return None
    is_out = due is not None and due.lift in gone and not trusted.taken_bits >> due.place & 1
    return due.place if due is not None and is_out else gone[0]


def _peg_same_number(context: ProblemContext) -> Iterable[AnswerChoice]:
    """Offer the claim of the same number on the seat's own track, which a peg on the wrong track may have meant."""
    facts = context.trusted.facts
    if context.seat is None or facts.placements is None or not facts.pegs_are_score:
        return
    lane, front = facts.race_board.lanes[context.seat], facts.placements[context.seat].front_points
    points = min(facts.race_board.board.holes[context.holes[0]].number, lane.target) - front
    if 0 < points <= MAX_HAND_POINTS and points not in IMPOSSIBLE_HAND_SCORES:
        move = {"type": "peg", "seat": context.seat, "points": points}
        yield AnswerChoice(
            format_message("{name} pegs {points}, to {to}.", name=context.names[0], points=points, to=front + points),
            move,
        )


def possible_claim(trusted: TrustedLevels, seat: int, hole: int) -> int:
    """Return the points that the seat claims if its back peg is in this hole; 0 if no hand can score them.

    They are negative if its last claim, which has just been read, may have led to this hole, with another sensor stuck
    further on.
    """
    facts = trusted.facts
    if facts.placements is None or facts.due_of(seat) is not None:
        return 0
    lane, front = facts.race_board.lanes[seat], facts.placements[seat].front_points
    filled_ms, past = facts.levels.changes[hole].filled_ms, facts.past_placements[seat]
    if past and filled_ms <= facts.certain_ms[seat] + facts.settings.missing_ms:
        behind = lane.points_at(hole, past[-1].front_points + 1, front - 1)
        if behind:
            return behind[-1] - front
    if trusted.is_won:
        return 0
    claims = [points - front for points in lane.points_at(hole, front + 1, front + MAX_HAND_POINTS)]
    return next((points for points in claims if points not in IMPOSSIBLE_HAND_SCORES), 0)


def _answer_wrong_track(context: ProblemContext) -> Iterable[AnswerChoice]:
    """Offer the same number on the seat's own track, and what the track's players claim if a home's sensor sticks."""
    yield from _peg_same_number(context)
    facts, hole = context.trusted.facts, context.holes[0]
    for seats, bits in context.trusted.lane_groups if facts.players_count else ():
        if bits >> hole & 1 and not any(context.trusted.empty_homes[seat] for seat in seats):
            yield from _claims_in_hole(context, seats)


def _claim_surplus_peg(context: ProblemContext) -> Iterable[AnswerChoice]:
    """Offer the claims of a peg that has come although no hole has emptied, because the sensor of its home sticks."""
    yield from _claims_in_hole(context, context.seats)
    yield AnswerChoice(
        format_message("Take the peg out of {hole}.", hole=hole_name(context.trusted, context.holes[0])), None
    )


def _claims_in_hole(context: ProblemContext, seats: Iterable[int]) -> Iterable[AnswerChoice]:
    """Yield the claim of each of these seats with which a peg stands in the hole of the problem."""
    facts = context.trusted.facts
    for seat in seats:
        hole, placements, name = context.holes[0], facts.placements, seat_name(context.trusted, seat)
        points = possible_claim(context.trusted, seat, hole)
        if points < 0:
            yield AnswerChoice(
                format_message("Take {points} from {name}'s score.", points=-points, name=name),
                {"type": "adjust", "seat": seat, "points": points},
            )
        elif points and placements:
            is_shared = facts.race_board.board.holes[hole].seat is None
            to = hole_name(context.trusted, hole) if is_shared else placements[seat].front_points + points
            said = format_message("{name} pegs {points}, to {to}.", name=name, points=points, to=to)
            kind = "peg" if facts.pegs_are_score else "claim"
            yield AnswerChoice(said, {"type": kind, "seat": seat, "points": points})


def _claim_beside_due(context: ProblemContext) -> Iterable[AnswerChoice]:
    """Offer the claims that a peg may have made beside a due: of what is beyond it, or of all points pegged."""
    facts, due, seat = context.trusted.facts, context.due, context.seat
    if due is None or seat not in facts.claiming_seats:
        return
    pegged = due.points + (context.points if context.kind == "over" else -context.points)
    claims = {pegged: gettext_noop("{name} claims {n}. The {due} before are still to peg.")}
    if context.kind == "over":
        claims = {context.points: gettext_noop("{name} has pegged the {due}, and claims {n}."), **claims}
    for points, sentence in claims.items():
        if 0 < points <= MAX_HAND_POINTS and points not in IMPOSSIBLE_HAND_SCORES:
            said = format_message(sentence, name=context.names[0], due=due.points, n=points)
            yield AnswerChoice(said, {"type": "claim", "seat": seat, "points": points})


_MISCOUNT = gettext_noop("{name} pegged {pegged}, the count is {due}{why}.")

PROBLEM_TYPES: dict[ProblemKind, ProblemType] = {
    "over": ProblemType(_MISCOUNT, "quiet", "never", "over_pegged", _claim_beside_due),
    "under": ProblemType(_MISCOUNT, "quiet", "never", "under_pegged", _claim_beside_due),
    "early": ProblemType(gettext_noop("{name} pegged {points}, {but}."), "quiet", "doubt", choices=_add_points),
    "back": ProblemType(
        gettext_noop("{name}'s pegs are back where they were {ago} ago."), "quiet", "doubt", choices=_undo_or_subtract
    ),
    "impossible": ProblemType(
        gettext_noop("{name} pegged {points}, and {never}."), "quiet", "doubt", choices=_add_points_anyway
    ),
    "home": ProblemType(
        gettext_noop("{name}'s pegs are back at the start. Put the other pegs back too to start a new game."),
        "quiet", "doubt",
    ),
    "behind": ProblemType(
        gettext_noop("{name}'s peg is behind its front peg, in {to}{owed}."),
        "quiet", "doubt", choices=_subtract_if_nothing_due,
    ),
    "odd": ProblemType(gettext_noop("{name}'s pegs are in holes that no move leads to{owed}."), "quiet", "doubt"),
    "out": ProblemType(
        gettext_noop("One of {name}'s pegs is out. It belongs in {hole}."), "long out", "missing", all_pegs_rest=False
    ),
    "both_out": ProblemType(gettext_noop("Both of {name}'s pegs are out."), "doubt", "missing", all_pegs_rest=False),
    "wrong_track": ProblemType(
        gettext_noop("One of {name}'s pegs may be on the wrong track, in {hole}."),
        "quiet", "doubt", "wrong_track", _answer_wrong_track,
    ),
    "wrong_peg": ProblemType(
        gettext_noop("Another player's peg may be in {hole}, where {name}'s was due."), "quiet", "doubt", "wrong_peg"
    ),
    "whose": ProblemType(gettext_noop("{unsure}"), "quiet", "doubt", "ask"),
    "surplus": ProblemType(
        gettext_noop("There is a peg in {hole}, but no peg has left its hole."),
        "doubt", "doubt", choices=_claim_surplus_peg,
    ),
    "row": ProblemType(
        gettext_noop(
            "Pegs of {names} disappeared at the same moment. "
            "Put them back. If they are in place, a row of sensors has failed."
        ),
        "long out", "missing", all_pegs_rest=False,
    ),
    "scattered": ProblemType(
        gettext_noop("The pegs have moved. Put them back where the lights show."), "doubt", "doubt"
    ),
    "empty": ProblemType(
        gettext_noop("All pegs are out, or the board is not responding."), "doubt", "missing", all_pegs_rest=False
    ),
    "set_up": ProblemType(gettext_noop("Not all pegs are in their start holes."), "at once", "doubt"),
    "homewards": ProblemType(
        gettext_noop("The game is won. For a new game, put two pegs of each player in the start holes."),
        "set up", "set up",
    ),
}  # fmt: skip
"""All problems by kind."""


def problem_sentence(context: ProblemContext, why: str = "") -> str:
    """Return the sentence about a problem. `why` is the count of its due, in brackets."""
    if context.kind == "wrong_track" and context.seat is None:
        return context.format_text(gettext_noop("No peg belongs in {hole}."))
    return context.format_text(PROBLEM_TYPES[context.kind].sentence, why)


def seat_name(trusted: TrustedLevels, seat: int) -> Message:
    """Return the name of a seat, the colour of its pegs. It stays the same when others have left the race."""
    return SEAT_NAMES[trusted.facts.race_board.lanes[seat].route.seat]


def hole_name(trusted: TrustedLevels, hole: int) -> Message:
    """Return the name of a hole for players: "Red 12", "Red's start".

    On a shared lane it is "the lit hole", because each seat counts from another start.
    """
    found = trusted.facts.race_board.board.holes[hole]
    if found.number <= 0:
        return start_name(found.track, shared=found.seat is None)
    if found.seat is None:
        return format_message("the lit hole")
    return format_message("{track} {number}", track=format_message(found.track.capitalize()), number=found.number)


def start_name(track: str, *, shared: bool) -> Message:
    """Return the name of a pair of start holes: "Red's start", "the start at the upper left corner"."""
    if not shared:
        return format_message("{name}'s start", name=format_message(track.capitalize()))
    if track in _START_NAMES:
        return format_message(_START_NAMES[track])
    return format_message("the start at the {track}", track=track)


_START_NAMES = {
    "circle-left": gettext_noop("the start left of the circle"),
    "circle-right": gettext_noop("the start right of the circle"),
    "upper-left": gettext_noop("the start at the upper left corner"),
    "upper-right": gettext_noop("the start at the upper right corner"),
    "lower-left": gettext_noop("the start at the lower left corner"),
    "lower-right": gettext_noop("the start at the lower right corner"),
}


def ambiguity_sentence(names: Sequence[str]) -> Message:
    """Return the sentence that a peg may be in several holes, or that the pegs of several seats are ambiguous."""
    if len(names) == 1:
        return format_message(
            "{name}'s peg may be in any of several holes. The sensors cannot tell which.", name=names[0]
        )
    if len(names) == 2:
        return format_message(
            "{names} both moved, and the sensors cannot tell whose peg is whose.", names=join_with_and(names)
        )
    return format_message(
        "{names} all moved, and the sensors cannot tell whose peg is whose.", names=join_with_and(names)
    )
