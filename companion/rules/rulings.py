"""What the tournament rules say of a move: one table of rulings, for six-card and five-card cribbage. Pure.

The source is the rule book of the American Cribbage Congress; `rule` is its number. A ruling belongs to the last move
and ends with the next one. The players carry it out or waive it with the move `rule`. Two penalties the game has
already given by its options, for a renege and a false claim of the game: these are taken back if they are waived.
docs/reference/rulings.md lists which rules are seen and which are not. The rows that players call, and those of refused
moves, are in `infringements.toml`.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from companion.i18n import Message, format_message, format_plural, gettext_noop
from companion.rules import claims
from companion.rules import infringement_findings as findings
from companion.rules.cards import JACK
from companion.rules.engine import Game, History, JudgeCall, Ruling
from companion.rules.moves import UNPEGGED_HEELS, Adjust, Claim, Go, Hand, Infringement, Move, Muggins, Play, Undo
from companion.rules.ruling_rows import THE_OPPONENT, Case, Finding, RulingRow


def _find_renege(case: Case) -> Finding | None:
    cards = [award for award in case.past.awards if award.reason == "renege"]
    return Finding(case.move.seat, 2 * len(cards), waived=case.replay_friendly()) if cards else None


def _find_false_claim(case: Case) -> Finding | None:
    truth = case.true_points()
    if not truth < case.holes_left <= case.move.points:
        return None
    missing = case.holes_left - truth
    back = min(claims.FALSE_CLAIM_PENALTY, case.terms.target - missing)
    return Finding(case.move.seat, missing, waived=case.replay_friendly(), back=back)


def _find_overpegging(case: Case) -> Finding | None:
    excess = min(case.move.points, case.holes_left) - case.true_points()
    if excess <= 0:
        return None
    given = sum(award.points for award in case.past.awards if award.reason == "overclaim")
    other = case.opponent_of(case.move.seat)
    return Finding(case.move.seat, excess, (Adjust(other, excess - given),) if excess > given else ())


def _find_failed_peg_out(case: Case) -> Finding | None:
    missing = case.holes_left - case.move.points
    if case.terms.has_muggins or missing <= 0 or case.true_points() < case.holes_left:
        return None
    return Finding(case.move.seat, missing, (Adjust(case.move.seat, missing),))


def _find_underpegging(case: Case) -> Finding | None:
    missed = min(case.true_points(), case.holes_left) - case.move.points
    return Finding(case.move.seat, missed) if missed > 0 and not case.terms.has_muggins else None


def _find_forfeit(case: Case) -> Finding | None:
    """Find points of the player's card before this one that were never claimed."""
    if not case.terms.is_manual or case.terms.has_muggins or isinstance(case.move, Hand):
        return None
    missed = sum(award.points for award in case.before.deal.claims.unclaimed[case.move.seat] or ())
    return Finding(case.move.seat, missed) if missed else None


def _find_unpegged_heels(case: Case) -> Finding | None:
    deal, seat = case.state.deal, case.move.seat
    is_first_card = seat == deal.dealer and len(deal.play.played[seat]) == 1
    if case.seen != UNPEGGED_HEELS or deal.starter.rank != JACK or not is_first_card:
        return None
    return Finding(seat, 2, (Adjust(seat, -2),))


def _find_late_points(*rules: str) -> Callable[[Case], Finding | None]:
    """Return a function that finds a player who takes points after they were lost by one of these rules."""

    def find(case: Case) -> Finding | None:
        if case.move.also or case.move.points <= 0 or case.past.parent is None:
            return None
        lost = find_ruling(case.game, case.past.parent)
        if lost is None or lost.rule not in rules or lost.side != case.terms.side_of(case.move.seat):
            return None
        return Finding(case.move.seat, case.move.points, (Undo(),))

    return find


def _find_wrong_muggins(case: Case) -> Finding | None:
    """Find a call of more than was missed; the holes to the game hole limit it too."""
    window, called = case.before.deal.claims.window, case.move.points
    missed = max(0, sum(award.points for award in window.truth) - (window.claimed_points or 0))
    holes = case.terms.target - case.before.scores[case.terms.side_of(window.seat)]
    entitled = min(called, missed, holes)
    if entitled == called or not entitled:
        return None
    return Finding(case.move.seat, entitled, (Undo(), Muggins(case.move.seat, entitled)))


def _find_empty_muggins(case: Case) -> Finding | None:
    window = case.before.deal.claims.window
    missed = sum(award.points for award in window.truth) - (window.claimed_points or 0)
    return Finding(case.move.seat, case.move.points) if missed <= 0 else None


MOVE_RULINGS: tuple[RulingRow, ...] = (
    RulingRow(
        rule="6.3c",
        say=gettext_noop("{who} played before pegging his heels: the {points} are lost."),
        kinds=(Play,),
        find=_find_unpegged_heels,
    ),
    RulingRow(
        rule="7.3",
        say=gettext_noop("{who} said go although a card fitted: {points} for {other}."),
        kinds=(Play, Hand),
        find=_find_renege,
    ),
    RulingRow(
        rule="8.4b",
        caller="either player",
        say=gettext_noop(
            "{who} claimed the game without the points: {points} for {other}, and {who} goes {back} holes back."
        ),
        kinds=(Claim,),
        find=_find_false_claim,
    ),
    RulingRow(
        rule="8.4c",
        say=gettext_noop("{who} pegged too many and goes back: {points} for {other}."),
        kinds=(Claim,),
        find=_find_overpegging,
    ),
    RulingRow(
        rule="8.11",
        caller="either player",
        say=gettext_noop("{who} has the points to win and must peg out."),
        kinds=(Claim,),
        find=_find_failed_peg_out,
    ),
    RulingRow(
        rule="8.3",
        say=gettext_noop("{who} pegged {points} too few, and the peg stays."),
        kinds=(Claim,),
        find=_find_underpegging,
    ),
    RulingRow(
        rule="8.3",
        say=gettext_noop("{who} pegged too few before and may not add {points} now."),
        kinds=(Adjust,),
        find=_find_late_points("8.3"),
    ),
    RulingRow(
        rule="7.2",
        say=gettext_noop("{who} did not peg {points} in time: it is too late now."),
        kinds=(Play, Go),
        find=_find_forfeit,
    ),
    RulingRow(
        rule="7.2",
        say=gettext_noop("{who} did not peg in time and may not add {points} now."),
        kinds=(Adjust,),
        find=_find_late_points("7.2"),
    ),
    RulingRow(
        rule="10.4a",
        say=gettext_noop("{who} called muggins for too much and gets {points}."),
        kinds=(Muggins,),
        find=_find_wrong_muggins,
    ),
    RulingRow(
        rule="10.4a",
        say=gettext_noop("{who} called muggins although nothing was missed: {points} for {other}."),
        kinds=(Muggins,),
        find=_find_empty_muggins,
    ),
)
"""The rulings on moves of the game. The first row that finds something decides."""

_JUDGED_KINDS = (*{kind for row in MOVE_RULINGS for kind in row.kinds}, Infringement)


@cache
def called_rulings() -> tuple[RulingRow, ...]:
    """Return the rows of `infringements.toml`; the first that finds something decides. Cached."""
    text = files("companion.rules").joinpath("infringements.toml").read_text("utf-8")
    return tuple(map(_read_row, tomllib.loads(text)["infringements"]))


def _read_row(row: dict[str, Any]) -> RulingRow:
    match row:
        case {"penalty_in": phases}:
            find = findings.find_penalty(*phases, by=getattr(findings, row.pop("by", "is_anyone")))
        case {"no_penalty_if": condition}:
            find = findings.find_without_penalty(getattr(findings, condition))
        case _:
            find = getattr(findings, row["find"])
    texts = {name: row[name] for name in ("rule", "what", "caller", "offer", "say") if name in row}
    points = tuple(row.get("offered_points", (None,)))
    return RulingRow(**texts, kinds=(Infringement,), find=find, offered_points=points)


@cache
def infringement_names() -> tuple[str, ...]:
    """Return the names of all infringements, as in `Infringement.what`."""
    return tuple(dict.fromkeys(row.what for row in called_rulings()))


def find_ruling(game: Game[Any], past: History[Any], seen: str = "") -> Ruling[Any] | None:
    """Return the ruling on the last move; None if it broke no rule that is seen, or in a friendly game.

    `seen` is what only the table saw of the move, as in `Rule`.
    """
    decided = _find_row(game, past, seen)
    if decided is None:
        return None
    row, case, finding = decided
    side, say = case.terms.side_of(finding.seat), _format_sentence(case, row, finding)
    return Ruling(row.rule, side, say, finding.moves, finding.waived, finding.accepted)


def _find_row(game: Game[Any], past: History[Any], seen: str = "") -> tuple[RulingRow, Case, Finding] | None:
    """Return the row that decides on the last move, with what it found; None if there is no ruling."""
    move, state = past.move, past.state
    if not state.terms.policy.is_tournament or not isinstance(move, _JUDGED_KINDS) or past.parent is None:
        return None
    case = Case(game, past, past.parent.state, state, move, seen)
    for row in called_rulings() if isinstance(move, Infringement) else MOVE_RULINGS:
        if isinstance(move, row.kinds) and row.what == getattr(move, "what", ""):
            finding = row.find(case)
            if finding is not None:
                return row, case, finding
    return None


def find_refused_move(past: History[Any], move: Move) -> Infringement | None:
    """Return the infringement that a refused move is, if the rules penalise it; None in a friendly game."""
    return findings.find_refused_infringement(past, move) if past.state.terms.policy.is_tournament else None


def list_calls(game: Game[Any], past: History[Any], caller: int | None = None) -> Iterator[JudgeCall]:
    """Yield what can be called now: the number of the rule, its text and the move.

    `caller` is the seat that calls, or None if it is not known: a player cannot call the own side for what only the
    opponent may call.
    """
    terms = past.state.terms
    names = terms.seat_names
    for row in called_rulings():
        for seat, points in product(range(len(names) if row.offer else 0), row.offered_points):
            if caller is not None and row.caller == THE_OPPONENT and terms.side_of(caller) == terms.side_of(seat):
                continue
            move = Infringement(seat, row.what, points)
            decided = _find_row(game, History(past.state, past, move))
            if decided is not None and decided[0] is row:  # several rows may be for one move
                other = names[(seat + 1) % len(names)]
                say = format_message(row.offer, who=names[seat], other=other, points=_format_points(points or 0))
                yield row.rule, say, move


def _format_points(points: int) -> Message:
    return format_plural("{n} point", "{n} points", points)


def _format_sentence(case: Case, row: RulingRow, finding: Finding) -> Message:
    names = case.terms.seat_names
    arguments: Mapping[str, Any] = {
        "who": names[finding.seat],
        "other": names[case.opponent_of(finding.seat)] if "{other}" in row.say else "",
        "points": _format_points(finding.points),
        "back": finding.back,
    }
    return format_message(row.say, **arguments)
