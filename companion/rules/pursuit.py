"""Pursuit cribbage for two to five, each for himself, on a loop of 30 holes a player: rules.md 6, interfaces.md 3.

Whoever lands on or passes another's back peg knocks that player out; the others start again on a smaller loop, and
the last one left wins the match. Scores have no bound: a distance is 30 for each living seat between, laps count.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from companion.errors import IllegalMove
from companion.rules import deal, play, show
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step
from companion.rules.moves import Adjust, Crib, Go, Misdeal, Next, Play, Starter
from companion.rules.play import Laid, Renege
from companion.rules.terms import DEFAULT, Scores, Terms, adjusted, terms

SIDE = 30
"""The holes between two neighbours' starts."""

ENDLESS = 10**12
"""No score reaches this: it is a knock-out that ends a loop."""

Counts = Iterable[tuple[Award, ...]]
"""Peg movements in order: the awards of each, all of one seat. No awards move no peg."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `scores` are the front pegs and `back` the back ones, by seat.

    `alive` are the seats still in the match, clockwise. `fallen` are those knocked out just now, by clockwise
    distance: until the next loop begins their scores stand, and the first of them would deal a new match. `held`
    and `held_back` are what a misdeal goes back to.
    """

    terms: Terms = DEFAULT
    by_front: bool = False
    phase: str = "cut"
    dealer: int = 0
    alive: tuple[int, ...] = (0, 1)
    fallen: tuple[int, ...] = ()
    scores: Scores = (0, 0)
    back: Scores = (0, 0)
    held: Scores = (0, 0)
    held_back: Scores = (0, 0)
    starter: Card | None = None
    laid: Laid | None = None
    crib: tuple[Card, ...] = ()
    winner: int | None = None

    @property
    def turn(self) -> int | None:
        """The seat asked for a card or a go, else None."""
        return deal.turn(self)


def start(setup: Setup) -> State:
    """The first cut of a match: everybody in the start holes."""
    agreed = replace(terms(setup, GAME.sides(setup.seats)), target=ENDLESS)
    by_front = setup.options.get("capture_peg") == "front"
    return _match(agreed, setup.dealer or 0, by_front=by_front)


def _match(terms: Terms, dealer: int, *, by_front: bool) -> State:
    none, everybody = (0,) * terms.seats, tuple(range(terms.seats))
    return State(
        terms=terms, by_front=by_front, dealer=dealer, alive=everybody,
        scores=none, back=none, held=none, held_back=none,
    )  # fmt: skip


def _starter(state: State, move: Starter) -> Step[State]:
    seats = state.terms.seats
    out = tuple(seat for seat in range(seats) if seat not in state.alive)
    laid = play.begin(seats, _left(state), out=out)
    heels = deal.heels(state.dealer, move.card)
    begun = replace(state, phase="play", held=state.scores, held_back=state.back, starter=move.card, laid=laid)
    return _peg(begun, (heels,))


def _play(state: State, move: Play) -> Step[State]:
    _living(state, move.seat)
    before = deal.asked(state, move.seat)
    deal.unseen(state, move.card)
    laid, scored, last = play.lay(before, move.seat, move.card)
    whole = laid.played[move.seat]
    reneges = play.reneges(laid, move.seat, whole) if len(whole) == laid.size else ()
    notes = {"reneges": reneges} if reneges else {}
    counts = ((*scored, *last), _penalty(state, reneges))
    if laid.turn is not None:
        return _peg(state, counts, notes, laid=laid)
    order = (seat for seat in show.order(state.dealer, state.terms.seats) if seat in state.alive)
    return _peg(state, chain(counts, deal.hands(state.starter, laid, order)), notes, laid=laid, phase="crib")


def _go(state: State, move: Go) -> Step[State]:
    _living(state, move.seat)
    laid, last = play.say_go(deal.asked(state, move.seat), move.seat)
    return _peg(state, (last,), laid=laid)


def _crib(state: State, move: Crib) -> Step[State]:
    shown = deal.crib(state, move.cards)
    step = _peg(state, (shown,), crib=move.cards, phase="between")
    if step.state.fallen:
        return step
    return Step(replace(step.state, dealer=_left(state)), step.awards)


def _misdeal(state: State, _: Misdeal) -> Step[State]:
    return Step(
        replace(state, phase="cut", scores=state.held, back=state.held_back, starter=None, laid=None),
    )


def _next(state: State, _: Next) -> Step[State]:
    """The next deal; after a knock-out everybody left starts at 0, on the smaller loop."""
    after = replace(state, phase="cut", fallen=(), starter=None, laid=None, crib=())
    if not state.fallen:
        return Step(after)
    none = (0,) * state.terms.seats
    return Step(replace(after, scores=none, back=none))


def _next_starter(state: State, move: Starter) -> Step[State]:
    return _starter(_next(state, Next()).state, move)


def _new_match(state: State, _: Next) -> Step[State]:
    """Everybody is back. Who was knocked out last deals; of several at once, the first clockwise."""
    return Step(_match(state.terms, state.fallen[0], by_front=state.by_front))


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right: the front peg moves, no back peg does, and nobody is knocked out. A misdeal leaves it."""
    if move.seat not in state.fallen:
        _living(state, move.seat)
    scores = adjusted(state.terms, state.scores, move.seat, move.points)
    held = _with(state.held, move.seat, max(0, state.held[move.seat] + move.points))
    return Step(replace(state, scores=scores, held=held), (Award(move.seat, move.points, "adjust"),))


def _peg(state: State, counts: Counts, notes: dict[str, Any] | None = None, **changes: Any) -> Step[State]:
    """The state with these changes and each movement pegged, up to the one that knocks somebody out."""
    scores, back = state.scores, state.back
    given: list[Award] = []
    for awards in counts:
        if not awards:
            continue
        given += awards
        seat = awards[0].seat
        back = _with(back, seat, scores[seat])
        scores = _with(scores, seat, scores[seat] + sum(award.points for award in awards))
        caught = _caught(state, seat, scores, scores if state.by_front else back)
        if caught:
            after = replace(state, scores=scores, back=back, **changes)
            return Step(_knock_out(after, seat, caught), tuple(given), {**(notes or {}), "knocked_out": sorted(caught)})
    return Step(replace(state, scores=scores, back=back, **changes), tuple(given), notes or {})


def _caught(state: State, seat: int, scores: Scores, marks: Scores) -> tuple[int, ...]:
    """Whom `seat`, having just scored, has landed on or passed, by clockwise distance."""
    place = state.alive.index(seat)
    others = (*state.alive[place + 1 :], *state.alive[:place])
    return tuple(other for n, other in enumerate(others, 1) if scores[seat] >= SIDE * n + marks[other])


def _knock_out(state: State, seat: int, caught: tuple[int, ...]) -> State:
    """The round is over: `caught` are out, and who knocked them out deals next, or has won."""
    alive = tuple(each for each in state.alive if each not in caught)
    assert state.laid is not None
    laid = replace(state.laid, turn=None, series=(), count=0, gone=())
    won = len(alive) == 1
    phase, winner = ("over", seat) if won else ("between", None)
    return replace(state, phase=phase, dealer=seat, alive=alive, fallen=caught, laid=laid, winner=winner)


def _penalty(state: State, reneges: tuple[Renege, ...]) -> tuple[Award, ...]:
    """Tournament: two for each card that could have been played, to the next living seat clockwise."""
    if not state.terms.tournament or not reneges:
        return ()
    gains = _clockwise(state, reneges[0].seat)
    return tuple(Award(gains, 2, "renege", (renege.card,)) for renege in reneges)


def _living(state: State, seat: int) -> None:
    """Raise IllegalMove for a seat that is not at the table, or is out of the match."""
    state.terms.side(seat)
    if seat not in state.alive:
        raise IllegalMove(f"{state.terms.names[seat]} has been knocked out and plays again in the next match.")


def _left(state: State) -> int:
    return _clockwise(state, state.dealer)


def _clockwise(state: State, seat: int) -> int:
    """The next living seat clockwise."""
    return next((each for each in state.alive if each > seat), state.alive[0])


def _with(values: Scores, seat: int, value: int) -> Scores:
    return (*values[:seat], value, *values[seat + 1 :])


def view(state: State) -> dict[str, Any]:
    """What everybody may know: interfaces.md 3 and 8. A lap is as long as the loop of the living."""
    return deal.view(state) | {"back": state.back, "alive": state.alive, "lap": SIDE * len(state.alive)}


GAME = Game(
    key="pursuit",
    title="Pursuit cribbage",
    seats=(2, 3, 4, 5),
    options={
        "counting": ("auto",),
        "policy": ("friendly", "tournament"),
        "capture_peg": ("back", "front"),
    },
    start=start,
    table={
        "cut": {Starter: _starter, Adjust: _adjust},
        "play": {Play: _play, Go: _go, Misdeal: _misdeal, Adjust: _adjust},
        "crib": {Crib: _crib, Misdeal: _misdeal, Adjust: _adjust},
        "between": {Next: _next, Starter: _next_starter, Adjust: _adjust},
        "over": {Next: _new_match, Adjust: _adjust},
    },
    view=view,
    scan=deal.scan,
    sides=lambda seats: seats,
)
