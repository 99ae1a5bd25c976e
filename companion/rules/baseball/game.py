"""'Round the Bases, baseball cribbage for two, or four in partnership: docs/reference/games/bases.md.

A hand is a hand of six-card cribbage without a limit (`State.hand`); what it leaves between batter and fielder moves
the runners (`companion.rules.baseball.diamond`), by a table of spaces that an owner may edit.
"""

from dataclasses import replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import say, say_many
from companion.rules import cribbage, recount
from companion.rules.baseball import diamond, markers, spaces
from companion.rules.baseball.innings import Due, State, ran, run, shut
from companion.rules.baseball.spaces import Spaces
from companion.rules.cards import JACK, Card
from companion.rules.engine import ENDLESS, Award, Game, Setup, Step, apply, plus
from companion.rules.match_terms import Terms, terms
from companion.rules.moves import Adjust, Claim, Crib, Go, Misdeal, Move, Muggins, Next, Play, Roll, Starter, Steal

BASES = ("first", "second", "third")


def start(setup: Setup) -> State:
    """The first cut, or the first dice where no dealer is named. Raises BoardError where the spaces cannot be read."""
    told = replace(terms(setup, GAME.sides(setup.seats)), target=ENDLESS)
    own, preset = setup.spaces, setup.options.get("preset", "standard")
    table = spaces.read(own) if own else spaces.preset(preset, setup.board)
    return _begin(told, table, int(setup.options.get("innings", "3")), setup.dealer)


def _begin(terms: Terms, table: Spaces, innings: int, dealer: int | None) -> State:
    phase = "roll" if dealer is None else "cut"
    return State(terms=terms, spaces=table, innings=innings, hand=cribbage.begin(terms, 0), phase=phase, dealer=dealer)


def _starter(state: State, move: Starter) -> Step[State]:
    """The starter is cut: a jack is a home run and no hand at all, and the same batter deals again."""
    assert state.dealer is not None
    fresh = cribbage.begin(state.terms, state.dealer)
    state = replace(state, hand=fresh, dealt=state.dealer, tried=frozenset(), unrun=None)
    if move.card.rank == JACK:
        return Step(ran(state, diamond.homer(state.field), "cut"))
    return _of_the_hand(state, move)


def _of_the_hand(state: State, move: Move) -> Step[State]:
    """A move of the hand, by the rules of six-card cribbage; once it is counted the runners move."""
    step = apply(cribbage.SIX_CARD, state.hand, move)
    after = replace(state, hand=step.state, phase=step.state.phase, field=replace(state.field, plays=()))
    if after.phase == "between":
        after = run(after)
        if after.hand.deal.claims.call is not None:
            after = replace(after, unrun=state)
    return Step(after, step.awards, step.notes)


def _muggins(state: State, move: Muggins) -> Step[State]:
    """After the crib's claim the runners have moved: what is called then moves them anew."""
    if state.unrun is None:
        return _of_the_hand(state, move)
    step = apply(cribbage.SIX_CARD, state.hand, move)
    return Step(run(replace(state.unrun, hand=step.state)), step.awards)


def _next(state: State, _: Next) -> Step[State]:
    hand = apply(cribbage.SIX_CARD, state.hand, Next()).state
    return Step(replace(state, hand=hand, phase="cut", field=replace(state.field, plays=()), unrun=None))


def _new_game(state: State, _: Next) -> Step[State]:
    """Whoever began the last game, the dice say who bats first in the next."""
    return Step(_begin(state.terms, state.spaces, state.innings, None))


def _steal(state: State, move: Steal) -> Step[State]:
    side, base = state.terms.side(move.seat), move.base
    if side != state.batting:
        assert state.batting is not None
        raise IllegalMove("Only the side at bat can steal, and {who} bats.", who=state.terms.names[state.batting])
    if not 1 <= base <= 3 or not state.field.bases[base - 1]:
        raise IllegalMove("There is no runner on that base.")
    if base < 3 and state.field.bases[base]:
        raise IllegalMove(
            "There is a runner on {bases} base: the one on {bases2} cannot steal it.",
            bases=BASES[base],
            bases2=BASES[base - 1],
        )
    if base in state.tried:
        raise IllegalMove(
            "The runner on {bases} base has tried: he may again after the next hand.", bases=BASES[base - 1]
        )
    return Step(replace(shut(state), phase="roll", field=diamond.steal(state.field, base)))


def _roll(state: State, move: Roll) -> Step[State]:
    due = state.due
    assert due is not None
    state.terms.side(move.seat)
    if move.seat != state.turn:
        assert state.turn is not None
        raise IllegalMove("It is {who}'s roll.", who=state.terms.names[state.turn])
    if len(move.dice) != due.dice or not all(1 <= die <= 6 for die in move.dice):
        raise IllegalMove(say("One die is to be rolled.") if due.dice == 1 else say("Two dice are to be rolled."))
    state = shut(state)
    if due.why == "bat":
        return Step(_bat(state, move.dice[0]))
    if due.why == "pickle":
        return Step(_pickle(state, due, move.dice[0]))
    return Step(_judged(state, safe=due.number in move.dice))


def _bat(state: State, die: int) -> State:
    """One die each, seat 0 first; high bats."""
    if not state.rolled:
        return replace(state, rolled=(die,))
    first = state.rolled[0]
    if first == die:
        return replace(state, rolled=())
    return replace(state, rolled=(), phase="cut", dealer=0 if first > die else 1)


def _pickle(state: State, due: Due, die: int) -> State:
    """Both roll, until exactly one has the number."""
    if not state.rolled:
        return replace(state, rolled=(die,), field=replace(state.field, plays=()))
    batter, fielder = state.rolled[0] == due.number, die == due.number
    if batter == fielder:
        return replace(state, rolled=())
    return _judged(replace(state, rolled=()), safe=batter)


def _judged(state: State, *, safe: bool) -> State:
    runner = state.field.due
    assert runner is not None
    field = diamond.judged(state.field, safe=safe, needed=state.needed)
    if runner.steals:
        spent = (state.tried - {runner.origin}) | ({runner.to} if safe else set())
        state = replace(state, tried=spent)
    return ran(state, field, "between")


def _adjust(state: State, move: Adjust) -> Step[State]:
    """Runs put right. A side batting last that so goes ahead has won; in a finished game the winner stays."""
    side = state.terms.side(move.seat)
    if state.scores[side] + move.points < 0:
        name, runs = state.terms.names[side], state.scores[side]
        had = say_many("{n} run", "{n} runs", runs)
        raise IllegalMove("{name} has only {runs}: no score can be below 0.", name=name, runs=had)
    field = replace(state.field, plays=())
    after = replace(shut(state), scores=plus(state.scores, side, move.points), field=field)
    if state.winner is None and after.needed is not None and after.needed <= 0:
        after = replace(after, phase="over", winner=after.batting)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def view(state: State) -> dict[str, Any]:
    """What everybody may know (docs/reference/games/bases.md#for-other-programs); `steals`: where one may begin."""
    field, due = state.field, state.due
    return cribbage.view(state.hand) | (cribbage.STOPPED if state.winner is not None else {}) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn, "scores": state.scores,
        "winner": state.winner, "points": state.hand.scores, "inning": state.inning,
        "half": "bottom" if state.bottom else "top", "batting": state.batting, "outs": field.outs,
        "bases": field.bases,
        "plays": [{"from": run.origin, "to": run.to, "result": run.result} for run in field.plays],
        "due": due and {"for": due.why, "number": due.number, "dice": due.dice, "from": due.origin},
        "rolled": state.rolled, "steals": _steals(state), "runners": markers.runners(state),
    }  # fmt: skip


def _steals(state: State) -> list[int]:
    if state.phase != "between":
        return []
    taken = (*state.field.bases, False)
    return [base for base in (3, 2, 1) if taken[base - 1] and not taken[base] and base not in state.tried]


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now: as in six-card cribbage. Raises IllegalMove while dice are due and after the end."""
    if state.phase == "roll":
        raise IllegalMove("The dice are to be rolled: no card is awaited.")
    if state.phase in ("cut", "between"):
        return Starter(card)
    if state.phase == "over":
        raise IllegalMove("The game is over: no card is awaited.")
    return cribbage.scan(state.hand, lying, card)


_Row = dict[type[Move], Any]
_ALWAYS: _Row = {Adjust: _adjust}
_CLAIMS: _Row = {Claim: _of_the_hand, Muggins: _muggins, Misdeal: _of_the_hand, **_ALWAYS}

GAME = Game(
    key="bases",
    title=say("'Round the Bases"),
    seats=(2, 4),
    options={
        "innings": ("3", "1", "2", "4", "5", "6", "7", "8", "9"),
        "preset": ("standard", "harsh"),
        **cribbage.COUNTING,
    },
    say=say("Baseball: what a hand is worth moves runners round the diamond."),
    says={
        "innings": say("How many innings are played before extra innings."),
        "preset": say("What the spaces between the bases do: harsh has more outs."),
        **cribbage.COUNTING_SAYS,
    },
    target=ENDLESS,
    board="bases",
    rolls_for_deal=True,
    pegs="mark",
    marking=markers.MARKING,
    start=start,
    table={
        "cut": {Starter: _starter, **_ALWAYS},
        "play": {Play: _of_the_hand, Go: _of_the_hand, **_CLAIMS},
        "claim": _CLAIMS,
        "crib": {Crib: _of_the_hand, Muggins: _muggins, Misdeal: _of_the_hand, **_ALWAYS},
        "roll": {Roll: _roll, Muggins: _muggins, **_ALWAYS},
        "between": {Next: _next, Starter: _starter, Steal: _steal, Muggins: _muggins, **_ALWAYS},
        "over": {Next: _new_game, **_ALWAYS},
    },
    view=view,
    scan=scan,
    dealt=lambda state: cribbage.dealt_to(state.terms),
    correct=recount.of_deal,
)
