"""'Round the Bases, baseball cribbage for two, or four as partners: docs/reference/games/bases.md.

A hand is a hand of six-card cribbage without a target (`BaseballState.hand`). The difference between batter and fielder
moves the runners (`companion.rules.baseball.diamond`) by a table of spaces that a board file can change.
"""

from dataclasses import replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import format_message, format_plural, gettext_noop
from companion.rules import cribbage, recount
from companion.rules.baseball import diamond, markers
from companion.rules.baseball.diamond import BaseballState, DiceDue, Spaces, close_window, move_runners, score_runs
from companion.rules.cards import JACK, Card
from companion.rules.engine import COUNTING_OPTIONS, NO_TARGET, Award, Game, Option, Setup, Step, add_at, apply
from companion.rules.match_terms import MatchTerms, create_terms
from companion.rules.moves import (
    Adjust,
    Claim,
    CountCrib,
    Crib,
    Go,
    Misdeal,
    Move,
    Muggins,
    Next,
    Play,
    Roll,
    Starter,
    Steal,
)

BASE_NAMES = (gettext_noop("first"), gettext_noop("second"), gettext_noop("third"))


def start(setup: Setup) -> BaseballState:
    """Return the state before the first cut, or the first dice without a dealer. Raises BoardError for bad spaces."""
    match_terms = replace(create_terms(setup, GAME.count_sides(setup.seats)), target=NO_TARGET)
    own, preset = setup.spaces, setup.options.get("preset", "standard")
    table = diamond.parse_spaces(own) if own else diamond.load_preset(preset, setup.board)
    return _create_state(match_terms, table, int(setup.options.get("innings", "3")), setup.dealer)


def _create_state(terms: MatchTerms, table: Spaces, innings: int, dealer: int | None) -> BaseballState:
    phase = "roll" if dealer is None else "cut"
    return BaseballState(
        terms=terms, spaces=table, innings=innings, hand=cribbage.create_state(terms, 0), phase=phase, dealer=dealer
    )


def _cut_starter(state: BaseballState, move: Starter) -> Step[BaseballState]:
    """Cut the starter. A jack is a home run and ends the hand; the same batter deals again."""
    assert state.dealer is not None
    fresh = cribbage.create_state(state.terms, state.dealer)
    state = replace(state, hand=fresh, hand_dealer=state.dealer, steals_tried=frozenset(), before_run=None)
    if move.card.rank == JACK:
        return Step(score_runs(state, diamond.score_home_run(state.field), "cut"))
    return _apply_hand_move(state, move)


def _apply_hand_move(state: BaseballState, move: Move) -> Step[BaseballState]:
    """Make a move of the hand by the rules of six-card cribbage; once the hand is counted, the runners move."""
    step = apply(cribbage.SIX_CARD, state.hand, move)
    after = replace(state, hand=step.state, phase=step.state.phase, field=replace(state.field, plays=()))
    if after.phase == "between":
        after = move_runners(after)
        if after.hand.deal.claims.window is not None:
            after = replace(after, before_run=state)
    return Step(after, step.awards, step.notes)


def _call_muggins(state: BaseballState, move: Muggins) -> Step[BaseballState]:
    """Call muggins. After the crib's claim the runners have moved already; they then move again with the new points."""
    if state.before_run is None:
        return _apply_hand_move(state, move)
    step = apply(cribbage.SIX_CARD, state.hand, move)
    return Step(move_runners(replace(state.before_run, hand=step.state)), step.awards)


def _begin_next_hand(state: BaseballState, _: Next) -> Step[BaseballState]:
    hand = apply(cribbage.SIX_CARD, state.hand, Next()).state
    return Step(replace(state, hand=hand, phase="cut", field=replace(state.field, plays=()), before_run=None))


def _begin_new_game(state: BaseballState, _: Next) -> Step[BaseballState]:
    """Begin a new game, for which dice decide who bats first."""
    return Step(_create_state(state.terms, state.spaces, state.innings, None))


def _attempt_steal(state: BaseballState, move: Steal) -> Step[BaseballState]:
    side, base = state.terms.side_of(move.seat), move.base
    if side != state.batting:
        assert state.batting is not None
        raise IllegalMove("Only the side at bat can steal, and {who} bats.", who=state.terms.seat_names[state.batting])
    if not 1 <= base <= 3 or not state.field.bases[base - 1]:
        raise IllegalMove("There is no runner on that base.")
    if base < 3 and state.field.bases[base]:
        raise IllegalMove(
            "The runner on {base} base cannot steal: there is a runner on {next_base} base.",
            base=format_message(BASE_NAMES[base - 1]),
            next_base=format_message(BASE_NAMES[base]),
        )
    if base in state.steals_tried:
        raise IllegalMove(
            "The runner on {base} base has already tried to steal and may try again after the next hand.",
            base=format_message(BASE_NAMES[base - 1]),
        )
    return Step(replace(close_window(state), phase="roll", field=diamond.start_steal(state.field, base)))


def _roll_dice(state: BaseballState, move: Roll) -> Step[BaseballState]:
    due = state.due
    assert due is not None
    state.terms.side_of(move.seat)
    if move.seat != state.turn:
        assert state.turn is not None
        raise IllegalMove("It is {who}'s turn to roll.", who=state.terms.seat_names[state.turn])
    if len(move.dice) != due.dice or not all(1 <= die <= 6 for die in move.dice):
        raise IllegalMove(format_message("Roll one die.") if due.dice == 1 else format_message("Roll two dice."))
    state = close_window(state)
    if due.why == "bat":
        return Step(_roll_for_bat(state, move.dice[0]))
    if due.why == "pickle":
        return Step(_roll_in_pickle(state, due, move.dice[0]))
    return Step(_resolve_runner(state, safe=due.number in move.dice))


def _roll_for_bat(state: BaseballState, die: int) -> BaseballState:
    """Roll one die each, seat 0 first; the higher bats first."""
    if not state.rolled:
        return replace(state, rolled=(die,))
    first = state.rolled[0]
    if first == die:
        return replace(state, rolled=())
    return replace(state, rolled=(), phase="cut", dealer=0 if first > die else 1)


def _roll_in_pickle(state: BaseballState, due: DiceDue, die: int) -> BaseballState:
    """Roll one die each until exactly one side has the number."""
    if not state.rolled:
        return replace(state, rolled=(die,), field=replace(state.field, plays=()))
    batter, fielder = state.rolled[0] == due.number, die == due.number
    if batter == fielder:
        return replace(state, rolled=())
    return _resolve_runner(replace(state, rolled=()), safe=batter)


def _resolve_runner(state: BaseballState, *, safe: bool) -> BaseballState:
    runner = state.field.due_runner
    assert runner is not None
    field = diamond.resolve_due_runner(state.field, safe=safe, needed=state.runs_needed)
    if runner.is_stealing:
        spent = (state.steals_tried - {runner.origin}) | ({runner.to} if safe else set())
        state = replace(state, steals_tried=spent)
    return score_runs(state, field, "between")


def _adjust_score(state: BaseballState, move: Adjust) -> Step[BaseballState]:
    """Correct the runs. The side batting last wins if this puts it ahead; a finished game keeps its winner."""
    side = state.terms.side_of(move.seat)
    if state.scores[side] + move.points < 0:
        name, runs = state.terms.seat_names[side], state.scores[side]
        had = format_plural("{n} run", "{n} runs", runs)
        raise IllegalMove("{name} has only {runs}: a score cannot go below 0.", name=name, runs=had)
    field = replace(state.field, plays=())
    after = replace(close_window(state), scores=add_at(state.scores, side, move.points), field=field)
    if state.winner is None and after.runs_needed is not None and after.runs_needed <= 0:
        after = replace(after, phase="over", winner=after.batting)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def view(state: BaseballState) -> dict[str, Any]:
    """Return the public fields (docs/reference/games/bases.md#for-other-programs)."""
    field, due = state.field, state.due
    return cribbage.view(state.hand) | (cribbage.FINISHED_PLAY_VIEW if state.winner is not None else {}) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn, "scores": state.scores,
        "winner": state.winner, "points": state.hand.scores, "inning": state.inning,
        "half": "bottom" if state.bottom else "top", "batting": state.batting, "outs": field.outs,
        "bases": field.bases,
        "plays": [{"from": run.origin, "to": run.to, "result": run.result} for run in field.plays],
        "due": due and {"for": due.why, "number": due.number, "dice": due.dice, "from": due.origin},
        "rolled": state.rolled, "steals": _find_legal_steals(state), "runners": markers.runner_spaces(state),
    }  # fmt: skip


def _find_legal_steals(state: BaseballState) -> list[int]:
    if state.phase != "between":
        return []
    taken = (*state.field.bases, False)
    return [base for base in (3, 2, 1) if taken[base - 1] and not taken[base] and base not in state.steals_tried]


def interpret_scan(state: BaseballState, lying: tuple[Card, ...], card: Card) -> Move | None:
    """Return the move of a scanned card, as in six-card cribbage. Raises IllegalMove while dice are due."""
    if state.phase == "roll":
        raise IllegalMove("Roll the dice first: no card is needed now.")
    if state.phase in ("cut", "between"):
        return Starter(card)
    if state.phase == "over":
        raise IllegalMove("The game is over: no card is needed.")
    return cribbage.interpret_scan(state.hand, lying, card)


_MoveTable = dict[type[Move], Any]
_ADJUST_MOVES: _MoveTable = {Adjust: _adjust_score}
_CLAIM_MOVES: _MoveTable = {Claim: _apply_hand_move, Muggins: _call_muggins, Misdeal: _apply_hand_move, **_ADJUST_MOVES}

GAME = Game(
    key="bases",
    title=format_message("'Round the Bases"),
    seats=(2, 4),
    options={
        "innings": Option(
            format_message("Innings"),
            format_message("How many innings a game has before extra innings."),
            {str(n): format_plural("{n} inning", "{n} innings", n) for n in (3, 1, 2, 4, 5, 6, 7, 8, 9)},
        ),
        "preset": Option(
            format_message("Spaces"),
            format_message("The effect of the spaces between the bases: harsh has more outs."),
            {"standard": format_message("standard"), "harsh": format_message("harsh")},
            has_unclear_values=True,
        ),
        **COUNTING_OPTIONS,
    },
    description=format_message("Baseball: the points of your hands move runners around the diamond."),
    target=NO_TARGET,
    board="bases",
    rolls_for_deal=True,
    peg_role="mark",
    marker_layout=markers.MARKER_LAYOUT,
    start=start,
    moves_by_phase={
        "cut": {Starter: _cut_starter, **_ADJUST_MOVES},
        "play": {Play: _apply_hand_move, Go: _apply_hand_move, **_CLAIM_MOVES},
        "claim": _CLAIM_MOVES,
        "crib": {
            Crib: _apply_hand_move,
            CountCrib: _apply_hand_move,
            Muggins: _call_muggins,
            Misdeal: _apply_hand_move,
            **_ADJUST_MOVES,
        },
        "roll": {Roll: _roll_dice, Muggins: _call_muggins, **_ADJUST_MOVES},
        "between": {
            Next: _begin_next_hand,
            Starter: _cut_starter,
            Steal: _attempt_steal,
            Muggins: _call_muggins,
            **_ADJUST_MOVES,
        },
        "over": {Next: _begin_new_game, **_ADJUST_MOVES},
    },
    view=view,
    interpret_scan=interpret_scan,
    count_cards_dealt=lambda state: cribbage.count_cards_dealt(state.terms),
    recount=recount.recount_deal,
)
