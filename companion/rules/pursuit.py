"""Pursuit cribbage for two to five on a loop of 30 holes for each player: docs/reference/games/pursuit.md. Pure.

A player who lands on or passes another player's back peg knocks that player out; the others start again on a smaller
loop, and the last one left wins the match. Scores have no limit: a distance is 30 for each living seat between, and
laps count.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import format_message
from companion.rules import cribbage, deal_moves, recount
from companion.rules.cards import Card
from companion.rules.claims import AwardGroup
from companion.rules.deal_moves import FIRST_DEAL, Deal, DealStep
from companion.rules.engine import (
    COUNTING_OPTIONS,
    NO_TARGET,
    Award,
    Game,
    Option,
    RaceStatus,
    Setup,
    Step,
    add_at,
    replace_at,
)
from companion.rules.match_terms import DEFAULT_TERMS, MatchTerms, Scores, adjust_score, create_terms
from companion.rules.moves import Adjust, Claim, CountCrib, Crib, Go, Misdeal, Move, Muggins, Next, Play, Starter

HOLES_PER_PLAYER = 30
"""Holes between the starts of two neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PursuitState:
    """The state of a match. `scores` are the front pegs and `back` the back pegs, by seat.

    `alive` are the seats still in the match, clockwise. `knocked_out` are those just knocked out, by clockwise
    distance; until the next loop begins their scores stand, and the first of them would deal a new match.
    `scores_at_cut` and `back_at_cut` are restored by a misdeal. `loops` counts the loops that ended with a knock-out.
    """

    terms: MatchTerms = DEFAULT_TERMS
    captures_front_peg: bool = False
    deal: Deal = FIRST_DEAL
    dealer: int = 0
    alive: tuple[int, ...] = (0, 1)
    knocked_out: tuple[int, ...] = ()
    scores: Scores = (0, 0)
    back: Scores = (0, 0)
    scores_at_cut: Scores = (0, 0)
    back_at_cut: Scores = (0, 0)
    loops: int = 0
    winner: int | None = None

    @property
    def phase(self) -> str:
        """The phase of the deal; `between` once it was counted or a player is out, `over` once one player is left."""
        if self.winner is not None:
            return "over"
        return "between" if self.knocked_out or self.deal.phase == "counted" else self.deal.phase

    @property
    def turn(self) -> int | None:
        """The seat that must play a card, say go or claim; None if no seat must."""
        return None if self.knocked_out else self.deal.turn


def start(setup: Setup) -> PursuitState:
    """Return the state before the first cut, with all pegs in their start holes."""
    agreed = replace(create_terms(setup, GAME.count_sides(setup.seats)), target=NO_TARGET)
    by_front = setup.options.get("capture_peg") == "front"
    return _create_match(agreed, setup.dealer or 0, by_front=by_front)


def _create_match(terms: MatchTerms, dealer: int, *, by_front: bool) -> PursuitState:
    none, everybody = (0,) * terms.seats, tuple(range(terms.seats))
    return PursuitState(
        terms=terms, captures_front_peg=by_front, deal=Deal(dealer), dealer=dealer, alive=everybody,
        scores=none, back=none, scores_at_cut=none, back_at_cut=none,
    )  # fmt: skip


def _cut_starter(state: PursuitState, move: Starter) -> Step[PursuitState]:
    state = _create_next_deal(state)
    out = tuple(seat for seat in range(state.terms.seats) if seat not in state.alive)
    state_at_cut = replace(state, scores_at_cut=state.scores, back_at_cut=state.back)
    return _peg_awards(state_at_cut, deal_moves.cut_starter(state.terms, state.dealer, move.card, seats_out=out))


def _make_deal_move(state: PursuitState, move: Move) -> Step[PursuitState]:
    if isinstance(move, Play | Go | Claim | Muggins):  # the crib belongs to no seat
        _require_alive(state, move.seat)
    after = deal_moves.apply_move(state.terms, state.deal, move, state.scores)
    if isinstance(move, Play) and not state.terms.is_manual:
        after = after._replace(award_groups=_merge_first_two(after.award_groups))
    return _peg_awards(state, after)


def _merge_first_two(counts: Iterable[AwardGroup]) -> Iterator[AwardGroup]:
    """Merge the first two groups, because a card and its last-card point are one movement."""
    groups = iter(counts)
    yield (*next(groups), *next(groups))
    yield from groups


def _void_deal(state: PursuitState, _: Misdeal) -> Step[PursuitState]:
    held = tuple(max(0, score) for score in state.scores_at_cut)
    return Step(replace(state, deal=Deal(state.dealer), scores=held, back=state.back_at_cut))


def _begin_next_deal(state: PursuitState, _: Next) -> Step[PursuitState]:
    return Step(_create_next_deal(state))


def _create_next_deal(state: PursuitState) -> PursuitState:
    """Return the state at the next deal; after a knock-out the players left start at 0 on the smaller loop."""
    after = replace(state, deal=Deal(state.dealer), knocked_out=())
    if not state.knocked_out:
        return after
    none = (0,) * state.terms.seats
    return replace(after, scores=none, back=none)


def _begin_new_match(state: PursuitState, _: Next) -> Step[PursuitState]:
    """Begin a new match with all players. The player knocked out last deals; of several, the first clockwise."""
    fresh = _create_match(state.terms, state.knocked_out[0], by_front=state.captures_front_peg)
    return Step(replace(fresh, loops=state.loops))


def _adjust_score(state: PursuitState, move: Adjust) -> Step[PursuitState]:
    """Correct a score: only the front peg moves, and no player is knocked out. A misdeal keeps the correction."""
    if move.seat not in state.knocked_out:
        _require_alive(state, move.seat)
    scores = adjust_score(state.terms, state.scores, move.seat, move.points)
    held = add_at(state.scores_at_cut, move.seat, move.points)
    after = replace(state, deal=state.deal.close_window(), scores=scores, scores_at_cut=held)
    return Step(after, (Award(move.seat, move.points, "adjust"),))


def _peg_awards(state: PursuitState, after: DealStep) -> Step[PursuitState]:
    """Return the step after a move of the deal. Each movement is pegged, up to one that knocks a player out."""
    scores, back = state.scores, state.back
    awards_given: list[Award] = []
    for awards in after.award_groups:
        if not awards:
            continue
        awards_given += awards
        seat = awards[0].seat
        back = replace_at(back, seat, scores[seat])
        scores = add_at(scores, seat, sum(award.points for award in awards))
        caught = _find_captured(state, seat, scores, scores if state.captures_front_peg else back)
        if caught:
            fallen = _knock_out(replace(state, deal=after.deal, scores=scores, back=back), seat, caught)
            return Step(fallen, tuple(awards_given), {**after.notes, "knocked_out": sorted(caught)})
    dealer = state.dealer
    if after.deal.phase == "counted" and state.deal.phase != "counted":
        dealer = _next_alive(state, dealer)
    return Step(
        replace(state, deal=after.deal, dealer=dealer, scores=scores, back=back), tuple(awards_given), after.notes
    )


def _find_captured(state: PursuitState, seat: int, scores: Scores, marks: Scores) -> tuple[int, ...]:
    """Return the seats that `seat`, having just scored, has landed on or passed, by clockwise distance."""
    place = state.alive.index(seat)
    others = (*state.alive[place + 1 :], *state.alive[:place])
    return tuple(other for n, other in enumerate(others, 1) if scores[seat] >= HOLES_PER_PLAYER * n + marks[other])


def _knock_out(state: PursuitState, seat: int, caught: tuple[int, ...]) -> PursuitState:
    """Return the state with the `caught` seats knocked out. `seat` deals next, or has won."""
    alive = tuple(player for player in state.alive if player not in caught)
    assert state.deal.play is not None
    progress = replace(state.deal.play, turn=None, series=(), count=0, gone=())
    deal = replace(state.deal.close_window(), phase="counted", play=progress)
    winner = seat if len(alive) == 1 else None
    loops = state.loops + 1
    return replace(state, deal=deal, dealer=seat, alive=alive, knocked_out=caught, loops=loops, winner=winner)


def _require_alive(state: PursuitState, seat: int) -> None:
    """Raise IllegalMove for a seat that does not exist or is out of the match."""
    state.terms.side_of(seat)
    if seat not in state.alive:
        raise IllegalMove("{who} is out until the next match.", who=state.terms.seat_names[seat])


def _next_alive(state: PursuitState, seat: int) -> int:
    return next((player for player in state.alive if player > seat), state.alive[0])


def view(state: PursuitState) -> dict[str, Any]:
    """Return the public fields: docs/reference/games/pursuit.md#for-other-programs. `lap` is the loop of the living."""
    return state.deal.view(state.terms) | {
        "phase": state.phase, "dealer": state.dealer, "turn": state.turn, "scores": state.scores,
        "winner": state.winner, "back": state.back, "alive": state.alive, "lap": HOLES_PER_PLAYER * len(state.alive),
    }  # fmt: skip


def interpret_scan(state: PursuitState, lying: tuple[Card, ...], card: Card) -> Move | None:
    """Return the move of a scanned card, or None while it joins the cards `lying`. Raises IllegalMove."""
    if state.winner is not None:
        raise IllegalMove("The match is over: no card is needed.")
    return deal_moves.interpret_scan(state.terms, state.deal, lying, card)


def find_claimants(state: PursuitState, points: int | None = None) -> tuple[int, ...]:
    """Return the seats that may claim now, likeliest first for a claim of `points`."""
    return () if state.knocked_out else state.deal.order_claimants(points)


def count_cards_dealt(state: PursuitState) -> tuple[int, ...]:
    """Return how many cards each seat is dealt. Of five players the dealer has one fewer and discards none."""
    cards, left = (6 if len(state.alive) == 2 else 5), len(state.alive)
    return tuple(
        0 if seat not in state.alive else cards - (left == 5 and seat == state.dealer)
        for seat in range(state.terms.seats)
    )


_ADJUST_MOVES: cribbage.MoveTable = {Adjust: _adjust_score}
_CLAIM_MOVES: cribbage.MoveTable = {
    Claim: _make_deal_move,
    Muggins: _make_deal_move,
    Misdeal: _void_deal,
    **_ADJUST_MOVES,
}

GAME = Game(
    key="pursuit",
    title=format_message("Pursuit cribbage"),
    seats=(2, 3, 4, 5),
    options={
        **COUNTING_OPTIONS,
        "capture_peg": Option(
            format_message("Knock-out on"),
            format_message("Which peg you must catch to knock a player out."),
            {"back": format_message("the back peg"), "front": format_message("the front peg")},
            has_unclear_values=True,
        ),
    },
    description=format_message("A chase around a loop: a player who lands on or passes your back peg knocks you out."),
    target=NO_TARGET,
    board="pursuit",
    holes_per_player=HOLES_PER_PLAYER,
    start=start,
    moves_by_phase={
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
        "over": {Next: _begin_new_match, **_ADJUST_MOVES},
    },
    view=view,
    interpret_scan=interpret_scan,
    find_claimants=find_claimants,
    count_cards_dealt=count_cards_dealt,
    recount=recount.recount_deal,
    race_status=lambda state: RaceStatus(state.alive, state.loops, state.knocked_out),
    count_sides=lambda seats: seats,
)
