"""Six-card cribbage for two, three (each for himself) and four (partners): rules.md 3 and 5, interfaces.md 3.

The companion is not the dealer: it learns a card when it is turned up. The cards of the play are the hands, so
they are counted on the line of the last card; the crib is turned up afterwards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from companion.rules import deal, play, show
from companion.rules.cards import Card
from companion.rules.engine import Award, Game, Setup, Step
from companion.rules.moves import Adjust, Crib, Go, Misdeal, Next, Play, Starter
from companion.rules.play import Laid, Renege
from companion.rules.terms import DEFAULT, Scores, Terms, adjusted, outcome, settle, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `held` are the scores a misdeal goes back to; `laid` is None until the starter is cut.

    After the deal `laid`, `starter` and `crib` stay to be seen until the next. In `between`, `dealer` is the next.
    """

    terms: Terms = DEFAULT
    phase: str = "cut"
    dealer: int = 0
    scores: Scores = (0, 0)
    held: Scores = (0, 0)
    starter: Card | None = None
    laid: Laid | None = None
    crib: tuple[Card, ...] = ()
    winner: int | None = None

    @property
    def turn(self) -> int | None:
        """The seat asked for a card or a go, else None."""
        return deal.turn(self)


def start(setup: Setup) -> State:
    """The first cut of the first game."""
    sides = GAME.sides(setup.seats)
    return State(terms=terms(setup, sides), dealer=setup.dealer or 0, scores=(0,) * sides, held=(0,) * sides)


def _starter(state: State, move: Starter) -> Step[State]:
    seats = state.terms.seats
    laid = play.begin(seats, (state.dealer + 1) % seats)
    heels = deal.heels(state.dealer, move.card)
    return _score(state, (heels,), phase="play", held=state.scores, starter=move.card, laid=laid)


def _play(state: State, move: Play) -> Step[State]:
    before = deal.asked(state, move.seat)
    deal.unseen(state, move.card)
    laid, scored, last = play.lay(before, move.seat, move.card)
    whole = laid.played[move.seat]
    reneges = play.reneges(laid, move.seat, whole) if len(whole) == laid.size else ()
    notes = {"reneges": reneges} if reneges else {}
    counts = (scored, last, _penalties(state.terms, reneges))
    if laid.turn is not None:
        return _score(state, counts, notes, laid=laid)
    shown = deal.hands(state.starter, laid, show.order(state.dealer, state.terms.seats))
    return _score(state, chain(counts, shown), notes, laid=laid, phase="crib")


def _go(state: State, move: Go) -> Step[State]:
    laid, last = play.say_go(deal.asked(state, move.seat), move.seat)
    return _score(state, (last,), laid=laid)


def _crib(state: State, move: Crib) -> Step[State]:
    step = _score(state, (deal.crib(state, move.cards),), crib=move.cards, phase="between")
    if step.state.winner is not None:
        return step
    return Step(replace(step.state, dealer=_left(state)), step.awards)


def _misdeal(state: State, _: Misdeal) -> Step[State]:
    return Step(replace(state, phase="cut", scores=state.held, starter=None, laid=None))


def _next(state: State, _: Next) -> Step[State]:
    return Step(replace(state, phase="cut", starter=None, laid=None, crib=()))


def _next_starter(state: State, move: Starter) -> Step[State]:
    return _starter(_next(state, Next()).state, move)


def _new_game(state: State, _: Next) -> Step[State]:
    """Two players: the loser deals, or the winner by option. Three and four: the deal goes on clockwise."""
    winner, terms = state.winner, state.terms
    assert winner is not None
    dealer = _left(state) if terms.seats > 2 else winner if terms.winner_deals else 1 - winner
    nothing = (0,) * terms.sides
    return Step(State(terms=terms, dealer=dealer, scores=nothing, held=nothing))


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right. It stays through a misdeal; in a finished game the winner stays."""
    terms = state.terms
    scores = adjusted(terms, state.scores, move.seat, move.points)
    side = terms.side(move.seat)
    held = list(state.held)
    held[side] = max(0, min(terms.target - 1, held[side] + move.points))
    after = replace(state, scores=scores, held=tuple(held))
    if state.winner is None and scores[side] == terms.target:
        # Between deals `dealer` is already the next; in a finished game it is who dealt last.
        dealer = (state.dealer - 1) % terms.seats if state.phase == "between" else state.dealer
        after = replace(after, phase="over", winner=side, dealer=dealer)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _score(
    state: State, counts: Iterable[tuple[Award, ...]], notes: dict[str, Any] | None = None, **changes: Any
) -> Step[State]:
    """The state with these changes and what is counted, which may end the game."""
    scores, awards, winner = settle(state.terms, state.scores, counts)
    if winner is not None:
        changes["phase"] = "over"
    return Step(replace(state, scores=scores, winner=winner, **changes), awards, notes or {})


def _penalties(terms: Terms, reneges: tuple[Renege, ...]) -> tuple[Award, ...]:
    """Tournament: two for each card that could have been played, to the next seat clockwise, an opponent's."""
    if not terms.tournament:
        return ()
    return tuple(Award((r.seat + 1) % terms.seats, 2, "renege", (r.card,)) for r in reneges)


def _left(state: State) -> int:
    return (state.dealer + 1) % state.terms.seats


def view(state: State) -> dict[str, Any]:
    """What everybody may know: interfaces.md 3 and 8."""
    told = deal.view(state)
    return told if state.winner is None else told | outcome(state.terms, state.scores, state.winner)


GAME = Game(
    key="six-card",
    title="Six-card cribbage",
    seats=(2, 3, 4),
    options={
        "target": ("121", "61"),
        "counting": ("auto",),
        "policy": ("friendly", "tournament"),
        "first_deal": ("loser", "winner"),
        "game_points": ("1,2,4", "2,3,3"),
    },
    start=start,
    table={
        "cut": {Starter: _starter, Adjust: _adjust},
        "play": {Play: _play, Go: _go, Misdeal: _misdeal, Adjust: _adjust},
        "crib": {Crib: _crib, Misdeal: _misdeal, Adjust: _adjust},
        "between": {Next: _next, Starter: _next_starter, Adjust: _adjust},
        "over": {Next: _new_game, Adjust: _adjust},
    },
    view=view,
    scan=deal.scan,
)
