"""Cribbage to a target, deal after deal: what six-card and five-card cribbage share. Pure.

`companion.rules.deal_moves` says what a deal counts; here the counts become scores, and the game ends inside them the
instant a side reaches the target (docs/reference/games/six-card.md, docs/reference/games/five-card.md).
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import say
from companion.rules import deal_moves, recount
from companion.rules.cards import Card
from companion.rules.deal import FIRST, Deal
from companion.rules.deal_moves import Dealt
from companion.rules.engine import Award, Game, Setup, Step, plus, put
from companion.rules.match_terms import DEFAULT, Scores, Terms, adjusted, outcome, settle, terms
from companion.rules.moves import Adjust, Claim, Crib, Go, Hand, Misdeal, Move, Muggins, Next, Play, Starter

THREE_FOR_LAST = 3
"""What the pone of five-card cribbage takes once a game: the deal is worth that much more there."""

STOPPED: dict[str, Any] = {"count": 0, "series": (), "gone": ()}
"""What is shown of the play when the game has ended inside a series: there is none any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The table as it stands. `held` are the scores that a misdeal goes back to.

    An adjustment counts in `held` too, which may so lie beyond what a score can be: only a misdeal bounds it.
    """

    terms: Terms = DEFAULT
    deal: Deal = FIRST
    scores: Scores = (0, 0)
    held: Scores = (0, 0)
    winner: int | None = None

    @property
    def phase(self) -> str:
        """Of the deal; `between` when it has been counted, `over` when a side has won."""
        if self.winner is not None:
            return "over"
        return "between" if self.deal.phase == "counted" else self.deal.phase

    @property
    def dealer(self) -> int:
        """Who deals; in `between` already who deals next."""
        return (self.deal.dealer + (self.phase == "between")) % self.terms.seats

    @property
    def turn(self) -> int | None:
        """The seat asked for a card, a go, a hand or a claim, else None."""
        return self.deal.turn if self.winner is None else None


def begin(terms: Terms, dealer: int) -> State:
    """The first cut of a game. In five-card cribbage the pone has taken three for last."""
    scores = (0,) * terms.sides
    if terms.is_five_card:
        scores = put(scores, terms.side((dealer + 1) % terms.seats), THREE_FOR_LAST)
    return State(terms=terms, deal=Deal(dealer), scores=scores, held=scores)


def _starter(state: State, move: Starter) -> Step[State]:
    step = _score(state, deal_moves.cut(state.terms, state.dealer, move.card))
    return Step(replace(step.state, held=state.scores), step.awards)


def _play(state: State, move: Play) -> Step[State]:
    return _score(state, deal_moves.lay(state.terms, state.deal, move.seat, move.card))


def _go(state: State, move: Go) -> Step[State]:
    return _score(state, deal_moves.go(state.terms, state.deal, move.seat))


def _hand(state: State, move: Hand) -> Step[State]:
    return _score(state, deal_moves.hand(state.terms, state.deal, move.seat, move.cards))


def _crib(state: State, move: Crib) -> Step[State]:
    return _score(state, deal_moves.crib(state.terms, state.deal, move.cards))


def _claim(state: State, move: Claim) -> Step[State]:
    score = state.scores[state.terms.side(move.seat)]
    return _score(state, deal_moves.claim(state.terms, state.deal, move.seat, move.points, score))


def _muggins(state: State, move: Muggins) -> Step[State]:
    return _score(state, deal_moves.muggins(state.terms, state.deal, move.seat, move.points))


def _misdeal(state: State, _: Misdeal) -> Step[State]:
    held = tuple(max(0, min(state.terms.target - 1, score)) for score in state.held)
    return Step(replace(state, deal=Deal(state.deal.dealer), scores=held))


def _next(state: State, _: Next) -> Step[State]:
    return Step(replace(state, deal=Deal(state.dealer)))


def _new_game(state: State, _: Next) -> Step[State]:
    """Two players: the loser deals, or the winner by option. Three and four: the deal goes on clockwise."""
    winner, terms = state.winner, state.terms
    assert winner is not None
    left = (state.deal.dealer + 1) % terms.seats
    dealer = left if terms.seats > 2 else winner if terms.winner_deals else 1 - winner
    after = begin(terms, dealer)
    given = [Award(side, points, "three for last") for side, points in enumerate(after.scores) if points]
    return Step(after, tuple(given))


def _adjust(state: State, move: Adjust) -> Step[State]:
    """A score put right. It stays through a misdeal; in a finished game the winner stays."""
    terms = state.terms
    scores = adjusted(terms, state.scores, move.seat, move.points)
    side = terms.side(move.seat)
    held = plus(state.held, side, move.points)
    winner = side if state.winner is None and scores[side] == terms.target else state.winner
    after = replace(state, deal=state.deal.shut(), scores=scores, held=held, winner=winner)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _score(state: State, after: Dealt) -> Step[State]:
    """The state after a move of the deal, which may end the game."""
    scores, awards, winner = settle(state.terms, state.scores, after.counts)
    # Written out, not `replace`: every card comes through here.
    made = State(terms=state.terms, deal=after.deal, scores=scores, held=state.held, winner=winner)
    return Step(made, awards, after.notes)


def view(state: State) -> dict[str, Any]:
    """What everybody may know: docs/reference/http.md#fields-of-the-card-games."""
    told = state.deal.view(state.terms) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn,
        "scores": state.scores, "winner": state.winner,
    }  # fmt: skip
    if state.terms.is_five_card:
        told["hands"] = [whole or () for whole in state.deal.hands]
    return told if state.winner is None else told | STOPPED | outcome(state.terms, state.scores, state.winner)


def scan(state: State, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now. Raises IllegalMove where it can be nothing."""
    if state.winner is not None:
        raise IllegalMove("The game is over: no card is awaited.")
    return deal_moves.scan(state.terms, state.deal, lying, card)


def claimants(state: State) -> tuple[int, ...]:
    """The seats that may claim now."""
    return () if state.winner is not None else state.deal.claimants


def dealt_to(terms: Terms) -> tuple[int, ...]:
    """How many cards each seat is dealt."""
    return (6 if terms.seats == 2 and not terms.is_five_card else 5,) * terms.seats


COUNTING = {
    "counting": ("auto", "manual"),
    "muggins": ("off", "on"),
    "overclaim": ("correct", "two", "excess"),
    "policy": ("friendly", "tournament"),
}
"""The options of every game that can be counted by its players."""

COUNTING_SAYS = {
    "counting": say("The companion counts every card and hand, or the players count and peg it themselves."),
    "muggins": say("Whether points that a player missed may be called by the other side."),
    "overclaim": say("What a claim of too much gives the other side: nothing, two points, or the points too many."),
    "policy": say("In a tournament a renege and a false claim of the game cost points."),
}
"""What each of them decides, in a sentence."""

OPTIONS = COUNTING | {"first_deal": ("loser", "winner"), "game_points": ("1,2,4", "2,3,3"), "hints": ("off", "on")}

SAYS = COUNTING_SAYS | {
    "target": say("How many points win."),
    "first_deal": say("Who deals first in the next game of two."),
    "game_points": say("What a game, a skunk and a double skunk are worth."),
    "hints": say("Whether the coach may be asked while a game is on: for a hint, and what was missed."),
}

Row = dict[type[Move], Any]

_ALWAYS: Row = {Adjust: _adjust}
_CLAIMS: Row = {Claim: _claim, Muggins: _muggins, Misdeal: _misdeal, **_ALWAYS}
TABLE: dict[str, Row] = {
    "cut": {Starter: _starter, **_ALWAYS},
    "play": {Play: _play, Go: _go, **_CLAIMS},
    "claim": _CLAIMS,
    "crib": {Crib: _crib, Muggins: _muggins, Misdeal: _misdeal, **_ALWAYS},
    "between": {Next: _next, Starter: _starter, Muggins: _muggins, **_ALWAYS},
    "over": {Next: _new_game, **_ALWAYS},
}
SHOW: dict[str, Row] = {"show": {Hand: _hand, Muggins: _muggins, Misdeal: _misdeal, **_ALWAYS}}
"""Where the play need not show the hands."""


def start_five_card(setup: Setup) -> State:
    """The first cut of the first game; the pone's three for last are in the scores."""
    return begin(terms(setup, FIVE_CARD.sides(setup.seats), size=3), setup.dealer or 0)


FIVE_CARD = Game(
    key="five-card",
    title=say("Five-card cribbage"),
    seats=(2,),
    options={"target": ("61",), **OPTIONS},
    say=say("The old game of five cards, one series of play and three for last, to 61."),
    says=SAYS,
    start=start_five_card,
    table=TABLE | SHOW,
    view=view,
    scan=scan,
    claimants=claimants,
    dealt=lambda state: dealt_to(state.terms),
    correct=recount.of_deal,
)


def start_six_card(setup: Setup) -> State:
    """The first cut of the first game."""
    return begin(terms(setup, SIX_CARD.sides(setup.seats)), setup.dealer or 0)


SIX_CARD = Game(
    key="six-card",
    title=say("Six-card cribbage"),
    seats=(2, 3, 4),
    options={"target": ("121", "61"), **OPTIONS},
    say=say("The game most people know: six cards each, two to the crib, first to 121 or 61."),
    says=SAYS,
    start=start_six_card,
    table=TABLE,
    view=view,
    scan=scan,
    claimants=claimants,
    dealt=lambda state: dealt_to(state.terms),
    correct=recount.of_deal,
)
