"""What is found of an infringement that players call, or that a refused move is. Pure.

`infringements.toml` has the rows that use these functions. Each takes the `Case` of the move `Infringement`
and returns a `Finding`, or None if that cannot have happened now.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from companion.rules import claims, deal_moves, play
from companion.rules.cards import JACK, Card
from companion.rules.engine import History, add_at, advance
from companion.rules.moves import (
    Adjust,
    Claim,
    Correct,
    CountCrib,
    Crib,
    Go,
    Infringement,
    Misdeal,
    Move,
    Muggins,
    Next,
    Play,
    Rule,
    Starter,
    Undo,
)
from companion.rules.play import MAX_COUNT
from companion.rules.ruling_rows import Case, Finding

PENALTY = 2
"""Points for the opponent after most infringements."""

WRONG_NUMBER_PENALTY = 10
"""Holes back for a player who hides that the number of cards was wrong."""

_Find = Callable[[Case], Finding | None]
_Seats = Callable[[Any, int], bool]

BEFORE_STARTER = ("cut", "between")


def is_anyone(_: Any, __: int) -> bool:
    return True


def is_dealer(state: Any, seat: int) -> bool:
    return bool(seat == state.dealer)


def is_crib_hidden(state: Any, _: int) -> bool:
    return not state.deal.crib


def is_pone_at_cut(state: Any, seat: int) -> bool:
    """Return whether the seat cuts the starter, and no card was played."""
    return not is_dealer(state, seat) and _is_unplayed(state)


def _has_begun(state: Any) -> bool:
    return state.deal.play is not None and any(state.deal.play.played)


def _is_unplayed(state: Any) -> bool:
    """Return whether the starter was cut and no card played, or the starter is still to come."""
    return state.phase in BEFORE_STARTER or (state.phase == "play" and not _has_begun(state))


def find_penalty(*phases: str, by: _Seats = is_anyone) -> _Find:
    """Return a function that gives the opponent `PENALTY` points for an infringement in one of these phases."""

    def find(case: Case) -> Finding | None:
        seat = case.move.seat
        if case.state.phase not in phases or not by(case.state, seat):
            return None
        return Finding(seat, PENALTY, (Adjust(case.opponent_of(seat), PENALTY),))

    return find


def is_played_on(state: Any, _: int) -> bool:
    """Return whether two players play or count their hands."""
    return bool(state.terms.seats == 2 and state.phase in ("play", "show", "claim") and not _are_hands_counted(state))


def _are_hands_counted(state: Any) -> bool:
    pending = state.deal.claims.pending
    return state.phase in ("crib", "between") or (pending is not None and pending.kind == "crib")


def is_redealt(state: Any, _: int) -> bool:
    """Return whether the starter is still to be cut, so that the cards can be dealt again."""
    return state.phase in BEFORE_STARTER


def is_dealer_dealing(state: Any, seat: int) -> bool:
    """Return whether the seat deals, and the starter is still to be cut."""
    return is_dealer(state, seat) and is_redealt(state, seat)


def is_dealer_at_cut(state: Any, seat: int) -> bool:
    """Return whether the seat deals, and no card was played."""
    return is_dealer(state, seat) and _is_unplayed(state)


def find_without_penalty(is_possible: _Seats) -> _Find:
    """Return a function that only says what follows."""
    return lambda case: Finding(case.move.seat, 0) if is_possible(case.state, case.move.seat) else None


def find_hidden_number(case: Case) -> Finding | None:
    """Find a player who hides a wrong number of cards."""
    if case.state.phase not in BEFORE_STARTER:
        return None
    seat, back = case.move.seat, _limit_to_score(case, WRONG_NUMBER_PENALTY)
    return Finding(seat, back, _take_back(seat, back), back=back)


def _limit_to_score(case: Case, points: int) -> int:
    """Return the points that the player can lose: no score falls below 0."""
    return max(0, min(points, int(case.state.scores[case.terms.side_of(case.move.seat)])))


def _take_back(seat: int, points: int) -> tuple[Move, ...]:
    return (Adjust(seat, -points),) if points else ()


def find_dead_hand(case: Case) -> Finding | None:
    """Find a player with too many cards, once all hands are counted."""
    if case.terms.seats != 2 or not _has_begun(case.state) or not _are_hands_counted(case.state):
        return None
    points = _count_earned(case)
    return Finding(case.move.seat, points, _take_back(case.move.seat, points))


def find_crib_as_hand(case: Case) -> Finding | None:
    """Find a dealer who took the crib for the hand. The points pegged with it are taken back."""
    state, seat = case.state, case.move.seat
    if case.terms.seats != 2 or seat != state.dealer or state.phase not in ("cut", "play"):
        return None
    earned = _count_earned(case)
    return Finding(seat, PENALTY, (*_take_back(seat, earned), Adjust(case.opponent_of(seat), PENALTY)), back=earned)


def find_crib_side(case: Case) -> Finding | None:
    """Find a crib on the wrong side after each has played a card: it and the next deal change hands (rule 5.1d)."""
    state, seat = case.state, case.move.seat
    if case.terms.seats != 2 or seat != state.dealer or not _have_both_played(state):
        return None
    deal = deal_moves.pass_crib(case.terms, state.deal)
    return None if deal is None else Finding(seat, 0, accepted=replace(state, deal=deal))


def is_crib_to_be_moved(state: Any, seat: int) -> bool:
    """Return whether two players' crib, if it lies on the wrong side, is only moved to the dealer's."""
    is_early = state.phase == "cut" or (state.phase == "play" and not _have_both_played(state))
    return bool(state.terms.seats == 2 and is_dealer(state, seat) and is_early)


def _have_both_played(state: Any) -> bool:
    return state.phase != "between" and state.deal.play is not None and all(state.deal.play.played)


_NOT_EARNED = ("his heels", "renege", "overclaim", "muggins", "adjust", "false claim")


def _count_earned(case: Case) -> int:
    """Return what the seat earned in the play and with the hand of this deal, not with the crib."""
    seat, points, past = case.move.seat, 0, case.past.parent
    while past is not None and past.parent is not None and not isinstance(past.move, Next | Starter | Misdeal):
        if not isinstance(past.move, Crib | CountCrib) and not _counts_crib(past):
            points += sum(
                award.points for award in past.awards if award.seat == seat and award.reason not in _NOT_EARNED
            )
        past = past.parent
    return _limit_to_score(case, points)


def _counts_crib(past: History[Any]) -> bool:
    assert past.parent is not None
    return isinstance(past.move, Claim) and bool(past.parent.state.deal.crib)


def find_wrong_starter(case: Case) -> Finding | None:
    """Find a starter that must be cut again: both the call and the cut are undone."""
    if case.move.seat != case.state.dealer or case.past.parent is None:
        return None
    return Finding(case.move.seat, 0, (Undo(), Undo())) if isinstance(case.past.parent.move, Starter) else None


def find_late_heels(case: Case) -> Finding | None:
    """Find his heels that were not pegged before the dealer's first card."""
    seat = case.move.seat
    if case.state.phase == "over":
        return _find_late_winning_heels(case)
    if not _may_rule_on_heels(case, cards_played=1) or case.state.scores[case.terms.side_of(seat)] < PENALTY:
        return None
    return Finding(seat, PENALTY, (Adjust(seat, -PENALTY),))


def _find_late_winning_heels(case: Case) -> Finding | None:
    """Find his heels that won the game with the cut, but were not pegged in time: the game goes on without them."""
    cut, side = case.past.parent, case.terms.side_of(case.move.seat)
    if (
        cut is None
        or cut.parent is None
        or not isinstance(cut.move, Starter)
        or not is_dealer(case.state, case.move.seat)
    ):
        return None
    points = case.state.scores[side] - cut.parent.state.scores[side]
    scores = add_at(case.state.scores, side, -points)
    return Finding(case.move.seat, points, accepted=replace(case.state, scores=scores, winner=None))


def find_few_heels(case: Case) -> Finding | None:
    """Find a dealer who pegged only one of the two points of his heels."""
    seat = case.move.seat
    return Finding(seat, 1, (Adjust(seat, -1),)) if _may_rule_on_heels(case, cards_played=0) else None


def find_many_heels(case: Case) -> Finding | None:
    """Find a dealer who pegged this many points more than the two of his heels."""
    seat, points = case.move.seat, case.move.points
    if not points or points < 1 or not _may_rule_on_heels(case, cards_played=0):
        return None
    holes = case.terms.target - case.state.scores[case.terms.side_of(seat)]
    return Finding(seat, points, (Adjust(case.opponent_of(seat), points),)) if points < holes else None


def _may_rule_on_heels(case: Case, *, cards_played: int) -> bool:
    """Return whether the seat's heels were cut, it has played this many cards since, and nothing was ruled on since."""
    deal, seat, past = case.state.deal, case.move.seat, case.past.parent
    if case.state.phase != "play" or seat != deal.dealer or deal.starter.rank != JACK:
        return False
    if len(deal.play.played[seat]) != cards_played:
        return False
    while past is not None and not isinstance(past.move, Starter):
        if isinstance(past.move, Rule) and past.move.accept:
            return False  # it may have been this one
        past = past.parent
    return True


def find_dealer_led(case: Case) -> Finding | None:
    """Find a dealer who led: before any card, or after one card of each was played on it, which is all undone."""
    if is_dealer_leading(case.state, case.move.seat):
        return Finding(case.move.seat, 0)
    if case.state.phase != "play" or case.move.seat != case.state.dealer or case.state.deal.play.cards_played > 2:
        return None
    past, moves_since = case.past.parent, 1
    while past is not None and not isinstance(past.move, Starter | Correct | None):
        called = past.parent
        if isinstance(past.move, Rule) and called is not None and _is_lead_let_stand(called.move):
            # The call itself, the moves since, the answer and its call.
            return Finding(case.move.seat, 0, (Undo(),) * (moves_since + 2))
        past, moves_since = called, moves_since + 1
    return None


def _is_lead_let_stand(move: Move | None) -> bool:
    return isinstance(move, Infringement) and move.what == "dealer-led-on"


def find_lead_to_follow(case: Case) -> Finding | None:
    """Find a dealer who led, and a play that went on: the companion follows, and the dealer's card is the first."""
    state, seat = case.state, case.move.seat
    if case.terms.seats != 2 or not is_dealer_leading(state, seat):
        return None
    led = replace(state, deal=replace(state.deal, play=replace(state.deal.play, turn=seat)))
    return Finding(seat, 0, accepted=led)


def find_missed_in_play(case: Case) -> Finding | None:
    """Find points of the play that the seat missed, with muggins, after the next move has been made (rule 10.4b).

    They can be called until the seat pegs again or the pone's hand is pegged. The call must name their number, which
    the companion has shown already.
    """
    state, seat = case.state, case.move.seat
    if not case.terms.is_manual or not case.terms.has_muggins or state.phase not in ("play", "claim", "show"):
        return None
    window, past = state.deal.claims.window, case.past.parent
    if window is not None and window.seat == seat:
        return None  # muggins itself can be called
    while past is not None and past.parent is not None and not isinstance(past.move, Starter | Correct):
        if isinstance(past.move, Muggins | Rule | Adjust) or _counts_hand(past):
            return None
        missed = _count_missed(past, seat)
        if missed is not None:
            points = missed if missed and missed == case.move.points else 0
            return Finding(seat, points, (Adjust(case.opponent_of(seat), points),)) if points else None
        past = past.parent
    return None


def _counts_hand(past: History[Any]) -> bool:
    assert past.parent is not None
    pending = past.parent.state.deal.claims.pending
    return isinstance(past.move, Claim) and pending is not None and pending.kind == "hand"


def _count_missed(past: History[Any], seat: int) -> int | None:
    """Return how many points of the play the seat missed with this move; None if it is not about points of the seat."""
    assert past.parent is not None
    move, claimed = past.move, past.parent.state.deal.claims
    if not isinstance(move, Claim | Play | Go) or move.seat != seat:
        return None
    truth = claimed.pending.truth if claimed.pending is not None else claimed.unclaimed[seat]
    claimed_points = move.points if isinstance(move, Claim) else 0
    if not truth and not claimed_points:
        return None
    return int(max(0, sum(award.points for award in truth or ()) - claimed_points))


def find_wrong_go(case: Case) -> Finding | None:
    """Find a go that was said by mistake, if nothing has happened since."""
    past = case.past.parent
    if past is None or not isinstance(past.move, Go) or past.move.seat != case.move.seat:
        return None
    return None if past.awards else Finding(case.move.seat, 0, (Undo(), Undo()))


class _SeenRenege(NamedTuple):
    """A card just played that fitted when its player said go: how many moves come after the go, and its history."""

    card: Card
    moves_since: int
    said: History[Any]


def find_renege_played(case: Case) -> Finding | None:
    """Find a renege at the card that shows it. The go and all that followed is taken back, so that a card is played.

    The move names two points for each card that fitted, because the companion does not know the rest of the hand. A
    hand that is known is judged by the game itself.
    """
    found, seat = _find_seen_renege(case), case.move.seat
    if found is None:
        return None
    points = case.move.points or PENALTY
    moves = (*(Undo(),) * (found.moves_since + 1), Adjust(case.opponent_of(seat), points))
    return Finding(seat, points, moves)


def find_renege_dead(case: Case) -> Finding | None:
    """Find a renege at the card that shows it. All that followed the go is taken back, and the card is dead."""
    found, seat = _find_seen_renege(case), case.move.seat
    if found is None:
        return None
    deal, points = found.said.state.deal, case.move.points or PENALTY
    progress = play.bury_card(deal.play, seat, found.card)
    buried = History(replace(found.said.state, deal=replace(deal, play=progress)))
    moves = (Adjust(case.opponent_of(seat), points),)
    return Finding(seat, points, moves, accepted=advance(case.game, buried, moves[0])[0].state)


def _find_seen_renege(case: Case) -> _SeenRenege | None:
    seat, points, deal = case.move.seat, case.move.points or PENALTY, case.state.deal
    if case.state.phase not in ("play", "claim") or deal.hands[seat] is not None:
        return None
    past, moves_since, card = case.past.parent, 1, None
    while past is not None and not isinstance(past.move, Starter | Correct | None):
        if isinstance(past.move, Play) and card is None:
            if past.move.seat != seat:
                return None  # the opponent has played on
            card = past.move.card
        if isinstance(past.move, Go) and past.move.seat == seat and card is not None:
            go = past.state.deal.play.goes[-1]
            is_possible = points % PENALTY == 0 and points <= PENALTY * (case.terms.hand_size - go.cards_played)
            return _SeenRenege(card, moves_since, past) if is_possible and go.count + card.value <= MAX_COUNT else None
        past, moves_since = past.parent, moves_since + 1
    return None


def find_claimed_game(case: Case) -> Finding | None:
    """Find a game that was claimed without the points, on the scorecard or with the peg that counts games."""
    state, seat = case.state, case.move.seat
    if state.phase == "over":
        return None
    missing = case.terms.target - state.scores[case.terms.side_of(seat)]
    back = _limit_to_score(case, claims.FALSE_CLAIM_PENALTY)
    return Finding(seat, missing, (Adjust(case.opponent_of(seat), missing), *_take_back(seat, back)), back=back)


def find_unearned(case: Case) -> Finding | None:
    """Find points pegged when none were earned."""
    points = case.move.points
    if not _is_unearned(case) or points >= case.holes_left:
        return None
    return Finding(case.move.seat, points, (Adjust(case.opponent_of(case.move.seat), points),))


def find_unearned_game(case: Case) -> Finding | None:
    """Find points pegged into the game hole when none were earned."""
    return find_claimed_game(case) if _is_unearned(case) and case.move.points >= case.holes_left else None


def _is_unearned(case: Case) -> bool:
    """Return whether points are named, and a claim of them would be refused as an infringement."""
    return (
        bool(case.move.points)
        and find_refused_infringement(case.past.parent, Claim(case.move.seat, case.move.points)) is not None
    )


def find_refused_infringement(past: History[Any] | None, move: Move) -> Infringement | None:
    """Return the infringement that a refused move is: an early crib, or points pegged when none were earned."""
    if past is None or past.state.phase == "over":
        return None
    state = past.state
    if isinstance(move, Crib):
        is_early = state.phase in ("play", "show", "claim") and not state.deal.crib
        return Infringement(state.dealer, "crib-seen") if is_early else None
    if not isinstance(move, Claim) or move.points <= 0 or not state.terms.is_manual:
        return None
    if state.phase != "play" or move.seat in state.deal.claimants or _is_late(state, move):
        return None
    return Infringement(move.seat, "unearned", move.points)


def _is_late(state: Any, move: Claim) -> bool:
    """Return whether the seat adds points that it missed before, which is refused without a penalty (rule 8.3)."""
    closed, window = state.deal.claims.last_closed, state.deal.claims.window
    if window is not None and window.seat == move.seat:
        return bool((window.claimed_points or 0) < sum(award.points for award in window.truth))
    return closed is not None and closed.seat == move.seat and closed.missed_points > 0


def is_dealer_leading(state: Any, seat: int) -> bool:
    """Return whether the seat deals, and the first card is still to be played."""
    return bool(state.phase == "play" and seat == state.dealer and not _has_begun(state))


def is_playing(state: Any, seat: int) -> bool:
    """Return whether the seat must play a card or say go."""
    return bool(state.phase == "play" and seat == state.turn)


def is_counting_early(state: Any, seat: int) -> bool:
    """Return whether the seat deals, and another hand must be counted first."""
    pending = state.deal.claims.pending
    return bool(state.phase == "claim" and pending.kind == "hand" and seat == state.dealer != pending.seat)


def is_above_31(state: Any, seat: int) -> bool:
    """Return whether the seat may have put down a card that does not fit."""
    return is_playing(state, seat) and state.deal.play.count > 21
