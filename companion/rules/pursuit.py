"""Pursuit cribbage for two to five, each for himself, on a loop of 30 holes a player: docs/reference/games/pursuit.md.

Whoever lands on or passes another's back peg knocks that player out; the others start again on a smaller loop, and
the last one left wins the match. Scores have no bound: a distance is 30 for each living seat between, laps count.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import say
from companion.rules import cribbage, deal_moves, recount
from companion.rules.cards import Card
from companion.rules.claims import Count
from companion.rules.deal import FIRST, Deal
from companion.rules.deal_moves import Dealt
from companion.rules.engine import ENDLESS, Award, Game, Racing, Setup, Step, plus, put
from companion.rules.match_terms import DEFAULT, Scores, Terms, adjusted, terms
from companion.rules.moves import Adjust, Claim, Crib, Go, Misdeal, Move, Muggins, Next, Play, Starter

SIDE = 30
"""The holes between two neighbours' starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `scores` are the front pegs and `back` the back ones, by seat.

    `alive` are the seats still in the match, clockwise. `fallen` are those knocked out just now, by clockwise
    distance: until the next loop begins their scores stand, and the first of them would deal a new match. `held`
    and `held_back` are what a misdeal goes back to. `loops` counts the loops that a knock-out has ended.
    """

    terms: Terms = DEFAULT
    by_front: bool = False
    deal: Deal = FIRST
    dealer: int = 0
    alive: tuple[int, ...] = (0, 1)
    fallen: tuple[int, ...] = ()
    scores: Scores = (0, 0)
    back: Scores = (0, 0)
    held: Scores = (0, 0)
    held_back: Scores = (0, 0)
    loops: int = 0
    winner: int | None = None

    @property
    def phase(self) -> str:
        """Of the deal; `between` when it has been counted or somebody is knocked out, `over` when one is left."""
        if self.winner is not None:
            return "over"
        return "between" if self.fallen or self.deal.phase == "counted" else self.deal.phase

    @property
    def turn(self) -> int | None:
        """The seat asked for a card, a go or a claim, else None."""
        return None if self.fallen else self.deal.turn


def start(setup: Setup) -> State:
    """The first cut of a match: everybody in the start holes."""
    agreed = replace(terms(setup, GAME.sides(setup.seats)), target=ENDLESS)
    by_front = setup.options.get("capture_peg") == "front"
    return _match(agreed, setup.dealer or 0, by_front=by_front)


def _match(terms: Terms, dealer: int, *, by_front: bool) -> State:
    none, everybody = (0,) * terms.seats, tuple(range(terms.seats))
    return State(
        terms=terms, by_front=by_front, deal=Deal(dealer), dealer=dealer, alive=everybody,
        scores=none, back=none, held=none, held_back=none,
    )  # fmt: skip


def _starter(state: State, move: Starter) -> Step[State]:
    state = _next_deal(state)
    out = tuple(seat for seat in range(state.terms.seats) if seat not in state.alive)
    begun = replace(state, held=state.scores, held_back=state.back)
    return _peg(begun, deal_moves.cut(state.terms, state.dealer, move.card, out=out))


def _play(state: State, move: Play) -> Step[State]:
    _living(state, move.seat)
    after = deal_moves.lay(state.terms, state.deal, move.seat, move.card)
    return _peg(state, after._replace(counts=after.counts if state.terms.manual else _as_one(after.counts)))


def _as_one(counts: Iterable[Count]) -> Iterator[Count]:
    """The card and the last-card point on it are one movement."""
    each = iter(counts)
    yield (*next(each), *next(each))
    yield from each


def _go(state: State, move: Go) -> Step[State]:
    _living(state, move.seat)
    return _peg(state, deal_moves.go(state.terms, state.deal, move.seat))


def _crib(state: State, move: Crib) -> Step[State]:
    return _peg(state, deal_moves.crib(state.terms, state.deal, move.cards))


def _claim(state: State, move: Claim) -> Step[State]:
    _living(state, move.seat)
    return _peg(state, deal_moves.claim(state.terms, state.deal, move.seat, move.points, state.scores[move.seat]))


def _muggins(state: State, move: Muggins) -> Step[State]:
    _living(state, move.seat)
    return _peg(state, deal_moves.muggins(state.terms, state.deal, move.seat, move.points))


def _misdeal(state: State, _: Misdeal) -> Step[State]:
    held = tuple(max(0, score) for score in state.held)
    return Step(replace(state, deal=Deal(state.dealer), scores=held, back=state.held_back))


def _next(state: State, _: Next) -> Step[State]:
    return Step(_next_deal(state))


def _next_deal(state: State) -> State:
    """The next deal; after a knock-out everybody left starts at 0, on the smaller loop."""
    after = replace(state, deal=Deal(state.dealer), fallen=())
    if not state.fallen:
        return after
    none = (0,) * state.terms.seats
    return replace(after, scores=none, back=none)


def _new_match(state: State, _: Next) -> Step[State]:
    """Everybody is back. Who was knocked out last deals; of several at once, the first clockwise."""
    fresh = _match(state.terms, state.fallen[0], by_front=state.by_front)
    return Step(replace(fresh, loops=state.loops))


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right: the front peg moves, no back peg does, and nobody is knocked out. A misdeal leaves it."""
    if move.seat not in state.fallen:
        _living(state, move.seat)
    scores = adjusted(state.terms, state.scores, move.seat, move.points)
    held = plus(state.held, move.seat, move.points)
    after = replace(state, deal=state.deal.shut(), scores=scores, held=held)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _peg(state: State, after: Dealt) -> Step[State]:
    """The state after a move of the deal, each movement pegged, up to the one that knocks somebody out."""
    scores, back = state.scores, state.back
    given: list[Award] = []
    for awards in after.counts:
        if not awards:
            continue
        given += awards
        seat = awards[0].seat
        back = put(back, seat, scores[seat])
        scores = plus(scores, seat, sum(award.points for award in awards))
        caught = _caught(state, seat, scores, scores if state.by_front else back)
        if caught:
            fallen = _knock_out(replace(state, deal=after.deal, scores=scores, back=back), seat, caught)
            return Step(fallen, tuple(given), {**after.notes, "knocked_out": sorted(caught)})
    dealer = state.dealer
    if after.deal.phase == "counted" and state.deal.phase != "counted":
        dealer = _clockwise(state, dealer)
    return Step(replace(state, deal=after.deal, dealer=dealer, scores=scores, back=back), tuple(given), after.notes)


def _caught(state: State, seat: int, scores: Scores, marks: Scores) -> tuple[int, ...]:
    """Whom `seat`, having just scored, has landed on or passed, by clockwise distance."""
    place = state.alive.index(seat)
    others = (*state.alive[place + 1 :], *state.alive[:place])
    return tuple(other for n, other in enumerate(others, 1) if scores[seat] >= SIDE * n + marks[other])


def _knock_out(state: State, seat: int, caught: tuple[int, ...]) -> State:
    """The round is over: `caught` are out, and who knocked them out deals next, or has won."""
    alive = tuple(each for each in state.alive if each not in caught)
    assert state.deal.laid is not None
    laid = replace(state.deal.laid, turn=None, series=(), count=0, gone=())
    deal = replace(state.deal.shut(), phase="counted", laid=laid)
    winner = seat if len(alive) == 1 else None
    loops = state.loops + 1
    return replace(state, deal=deal, dealer=seat, alive=alive, fallen=caught, loops=loops, winner=winner)


def _living(state: State, seat: int) -> None:
    """Raise IllegalMove for a seat that is not at the table, or is out of the match."""
    state.terms.side(seat)
    if seat not in state.alive:
        raise IllegalMove("{who} has been knocked out and plays again in the next match.", who=state.terms.names[seat])


def _clockwise(state: State, seat: int) -> int:
    """The next living seat clockwise."""
    return next((each for each in state.alive if each > seat), state.alive[0])


def view(state: State) -> dict[str, Any]:
    """What everybody may know (docs/reference/games/pursuit.md#for-other-programs). A lap is the loop of the living."""
    return state.deal.view(state.terms) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn, "scores": state.scores,
        "winner": state.winner, "back": state.back, "alive": state.alive, "lap": SIDE * len(state.alive),
    }  # fmt: skip


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now. Raises IllegalMove where it can be nothing."""
    if state.winner is not None:
        raise IllegalMove("The match is over: no card is awaited.")
    return deal_moves.scan(state.terms, state.deal, lying, card)


def claimants(state: State) -> tuple[int, ...]:
    """The seats that may claim now."""
    return () if state.fallen else state.deal.claimants


def dealt_to(state: State) -> tuple[int, ...]:
    """How many cards each seat is dealt: of five the dealer one fewer, who lays nothing away; none to who is out."""
    cards, left = (6 if len(state.alive) == 2 else 5), len(state.alive)
    return tuple(
        0 if seat not in state.alive else cards - (left == 5 and seat == state.dealer)
        for seat in range(state.terms.seats)
    )


_ALWAYS: cribbage.Row = {Adjust: _adjust}
_CLAIMS: cribbage.Row = {Claim: _claim, Muggins: _muggins, Misdeal: _misdeal, **_ALWAYS}

GAME = Game(
    key="pursuit",
    title=say("Pursuit cribbage"),
    seats=(2, 3, 4, 5),
    options={**cribbage.COUNTING, "capture_peg": ("back", "front")},
    say=say("A chase round a loop: who lands on or passes your back peg knocks you out."),
    says=cribbage.COUNTING_SAYS | {"capture_peg": say("Which peg of the others is to be caught.")},
    target=ENDLESS,
    board="pursuit",
    lap=SIDE,
    start=start,
    table={
        "cut": {Starter: _starter, **_ALWAYS},
        "play": {Play: _play, Go: _go, **_CLAIMS},
        "claim": _CLAIMS,
        "crib": {Crib: _crib, Muggins: _muggins, Misdeal: _misdeal, **_ALWAYS},
        "between": {Next: _next, Starter: _starter, Muggins: _muggins, **_ALWAYS},
        "over": {Next: _new_match, **_ALWAYS},
    },
    view=view,
    scan=scan,
    claimants=claimants,
    dealt=dealt_to,
    correct=recount.of_deal,
    racing=lambda state: Racing(state.alive, state.loops, state.fallen),
    sides=lambda seats: seats,
)
