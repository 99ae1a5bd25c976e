"""Six-card and five-card cribbage: deal after deal to a target. Pure.

`companion.rules.deal_moves` counts a deal; this module adds its awards to the scores, and ends the game as soon as a
side reaches the target (docs/reference/games/six-card.md, docs/reference/games/five-card.md).
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules import deal_moves, recount, rulings
from companion.rules.cards import Card
from companion.rules.deal_moves import FIRST_DEAL, Deal, DealStep
from companion.rules.engine import CRIBBAGE_OPTIONS, Award, Game, Setup, Step, add_at, replace_at, target_option
from companion.rules.match_terms import (
    DEFAULT_TERMS,
    MatchTerms,
    Scores,
    add_up_awards,
    adjust_score,
    create_terms,
    describe_outcome,
)
from companion.rules.moves import Adjust, Claim, CountCrib, Crib, Go, Hand, Misdeal, Move, Muggins, Next, Play, Starter

THREE_FOR_LAST = 3
"""Points of the pone at the start of five-card cribbage, because the deal is worth more there."""

FINISHED_PLAY_VIEW: dict[str, Any] = {"count": 0, "series": (), "gone": ()}
"""View fields that replace those of the play when the game ends inside a series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageState:
    """The state of a game. `scores_at_cut` are the scores that a misdeal restores.

    An adjustment changes `scores_at_cut` too, which may leave the range of a score; a misdeal limits it again.
    """

    terms: MatchTerms = DEFAULT_TERMS
    deal: Deal = FIRST_DEAL
    scores: Scores = (0, 0)
    scores_at_cut: Scores = (0, 0)
    winner: int | None = None

    @property
    def phase(self) -> str:
        """The phase of the deal; `between` once it was counted, `over` once a side has won."""
        if self.winner is not None:
            return "over"
        return "between" if self.deal.phase == "counted" else self.deal.phase

    @property
    def dealer(self) -> int:
        """The dealer; in `between` already the next one."""
        return (self.deal.dealer + (self.phase == "between")) % self.terms.seats

    @property
    def turn(self) -> int | None:
        """The seat that must play a card, say go, show a hand or claim; None if no seat must."""
        return self.deal.turn if self.winner is None else None


def create_state(terms: MatchTerms, dealer: int) -> CribbageState:
    """Return the state before the first cut. In five-card cribbage the pone has three for last."""
    scores = (0,) * terms.sides
    if terms.is_five_card:
        scores = replace_at(scores, terms.side_of((dealer + 1) % terms.seats), THREE_FOR_LAST)
    return CribbageState(terms=terms, deal=Deal(dealer), scores=scores, scores_at_cut=scores)


def _cut_starter(state: CribbageState, move: Starter) -> Step[CribbageState]:
    step = _apply_deal_step(state, deal_moves.cut_starter(state.terms, state.dealer, move.card))
    return Step(replace(step.state, scores_at_cut=state.scores), step.awards)


def _make_deal_move(state: CribbageState, move: Move) -> Step[CribbageState]:
    return _apply_deal_step(state, deal_moves.apply_move(state.terms, state.deal, move, state.scores))


def _void_deal(state: CribbageState, _: Misdeal) -> Step[CribbageState]:
    held = tuple(max(0, min(state.terms.target - 1, score)) for score in state.scores_at_cut)
    return Step(replace(state, deal=Deal(state.deal.dealer), scores=held))


def _begin_next_deal(state: CribbageState, _: Next) -> Step[CribbageState]:
    return Step(replace(state, deal=Deal(state.dealer)))


def _begin_new_game(state: CribbageState, _: Next) -> Step[CribbageState]:
    """Begin the next game. Of two players the loser deals, or the winner by option; of more, the next clockwise."""
    winner, terms = state.winner, state.terms
    assert winner is not None
    left = (state.deal.dealer + 1) % terms.seats
    dealer = left if terms.seats > 2 else winner if terms.winner_deals else 1 - winner
    after = create_state(terms, dealer)
    awards = [Award(side, points, "three for last") for side, points in enumerate(after.scores) if points]
    return Step(after, tuple(awards))


def _adjust_score(state: CribbageState, move: Adjust) -> Step[CribbageState]:
    """Correct a score. A misdeal keeps the correction; a finished game keeps its winner."""
    terms = state.terms
    scores = adjust_score(terms, state.scores, move.seat, move.points)
    side = terms.side_of(move.seat)
    held = add_at(state.scores_at_cut, side, move.points)
    winner = side if state.winner is None and scores[side] == terms.target else state.winner
    after = replace(state, deal=state.deal.close_window(), scores=scores, scores_at_cut=held, winner=winner)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _apply_deal_step(state: CribbageState, after: DealStep) -> Step[CribbageState]:
    """Return the step after a move of the deal, which may end the game."""
    scores, awards, winner = add_up_awards(state.terms, state.scores, after.award_groups)
    # A constructor call is faster than `replace`, and every card comes through here.
    made = CribbageState(
        terms=state.terms, deal=after.deal, scores=scores, scores_at_cut=state.scores_at_cut, winner=winner
    )
    return Step(made, awards, after.notes)


def view(state: CribbageState) -> dict[str, Any]:
    """Return the public fields: docs/reference/http.md#the-snapshot."""
    fields = state.deal.view(state.terms) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn,
        "scores": state.scores, "winner": state.winner,
    }  # fmt: skip
    if state.terms.is_five_card:
        fields["hands"] = [whole or () for whole in state.deal.hands]
    return (
        fields
        if state.winner is None
        else fields | FINISHED_PLAY_VIEW | describe_outcome(state.terms, state.scores, state.winner)
    )


def interpret_scan(state: CribbageState, lying: tuple[Card, ...], card: Card) -> Move | None:
    """Return the move of a scanned card, or None while it joins the cards `lying`. Raises IllegalMove."""
    if state.winner is not None:
        raise IllegalMove("The game is over: no card is needed.")
    return deal_moves.interpret_scan(state.terms, state.deal, lying, card)


def find_claimants(state: CribbageState, points: int | None = None) -> tuple[int, ...]:
    """Return the seats that may claim now, likeliest first for a claim of `points`."""
    return () if state.winner is not None else state.deal.order_claimants(points)


def count_cards_dealt(terms: MatchTerms) -> tuple[int, ...]:
    return (6 if terms.seats == 2 and not terms.is_five_card else 5,) * terms.seats


MoveTable = dict[type[Move], Any]

_ADJUST_MOVES: MoveTable = {Adjust: _adjust_score}
_CLAIM_MOVES: MoveTable = {Claim: _make_deal_move, Muggins: _make_deal_move, Misdeal: _void_deal, **_ADJUST_MOVES}
MOVES_BY_PHASE: dict[str, MoveTable] = {
    "cut": {Starter: _cut_starter, **_ADJUST_MOVES},
    "play": {Play: _make_deal_move, Go: _make_deal_move, **_CLAIM_MOVES},
    "claim": _CLAIM_MOVES,
    "crib": {
        Crib: _make_deal_move,
        CountCrib: _make_deal_move,
        Muggins: _make_deal_move,
        Misdeal: _void_deal,
        **_ADJUST_MOVES,
    },
    "between": {Next: _begin_next_deal, Starter: _cut_starter, Muggins: _make_deal_move, **_ADJUST_MOVES},
    "over": {Next: _begin_new_game, **_ADJUST_MOVES},
}


def start(setup: Setup, hand_size: int = 4) -> CribbageState:
    """Return the state before the first cut; in five-card the pone's three for last are in the scores."""
    return create_state(create_terms(setup, SIX_CARD.count_sides(setup.seats), hand_size=hand_size), setup.dealer or 0)


SIX_CARD = Game(
    key="six-card",
    title=format_message("Six-card cribbage"),
    seats=(2, 3, 4),
    options={"target": target_option("121", "61"), **CRIBBAGE_OPTIONS},
    description=format_message("The game that most people know: six cards each, two to the crib, first to 121 or 61."),
    start=start,
    moves_by_phase=MOVES_BY_PHASE,
    view=view,
    interpret_scan=interpret_scan,
    find_claimants=find_claimants,
    count_cards_dealt=lambda state: count_cards_dealt(state.terms),
    recount=recount.recount_deal,
    judge=rulings.find_ruling,
    find_refused_move=rulings.find_refused_move,
    list_calls=rulings.list_calls,
)
FIVE_CARD = replace(
    SIX_CARD,
    key="five-card",
    title=format_message("Five-card cribbage"),
    seats=(2,),
    options={"target": target_option("61"), **CRIBBAGE_OPTIONS},
    description=format_message(
        "The original game: five cards each, one series of play, three points for the non-dealer, to 61."
    ),
    start=partial(start, hand_size=3),
    moves_by_phase={
        **MOVES_BY_PHASE,
        # the play may not show all hands
        "show": {Hand: _make_deal_move, Muggins: _make_deal_move, Misdeal: _void_deal, **_ADJUST_MOVES},
    },
)
