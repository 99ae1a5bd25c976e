"""Rulings that players call, because neither cards nor pegs show what happened, and rulings on refused moves. Pure.

Each is a row like those of `companion.rules.rulings`, for the move `Infringement` with its name. The sources of the
numbers are in docs/reference/rulings.md.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.i18n import gettext_noop
from companion.rules import claims
from companion.rules.cards import JACK
from companion.rules.engine import History
from companion.rules.moves import Adjust, Claim, Crib, Go, Infringement, Misdeal, Move, Next, Rule, Starter, Undo
from companion.rules.ruling_rows import Case, Finding, RulingRow

PENALTY = 2
"""Points for the opponent after most infringements."""

WRONG_NUMBER_PENALTY = 10
"""Holes back for a player who hides that the number of cards was wrong."""

_Find = Callable[[Case], Finding | None]
_Seats = Callable[[Any, int], bool]

_BEFORE_STARTER = ("cut", "between")
_BEFORE_CRIB = ("cut", "play", "show", "claim")
_COUNTING = ("show", "claim", "crib", "between")
_ANY_PHASE = ("cut", "play", "show", "claim", "crib", "between")


def _is_anyone(_: Any, __: int) -> bool:
    return True


def _is_dealer(state: Any, seat: int) -> bool:
    return bool(seat == state.dealer)


def _is_crib_hidden(state: Any, _: int) -> bool:
    return not state.deal.crib


def _is_pone_at_cut(state: Any, seat: int) -> bool:
    return not _is_dealer(state, seat) and _is_unplayed(state)


def _has_begun(state: Any) -> bool:
    """Return whether a card of this deal was played."""
    return state.deal.play is not None and any(state.deal.play.played)


def _is_unplayed(state: Any) -> bool:
    """Return whether the starter was cut and no card played, or the starter is still to come."""
    return state.phase in _BEFORE_STARTER or (state.phase == "play" and not _has_begun(state))


def _find_penalty(*phases: str, by: _Seats = _is_anyone) -> _Find:
    """Return a function that gives the opponent `PENALTY` points for an infringement in one of these phases."""

    def find(case: Case) -> Finding | None:
        seat = case.move.seat
        if case.state.phase not in phases or not by(case.state, seat):
            return None
        return Finding(seat, PENALTY, (Adjust(case.opponent_of(seat), PENALTY),))

    return find


def _play_on(state: Any, _: int) -> bool:
    return bool(state.terms.seats == 2 and state.phase in ("play", "show", "claim"))


def _is_redealt(state: Any, _: int) -> bool:
    return state.phase in _BEFORE_STARTER


def _is_dealer_at_cut(state: Any, seat: int) -> bool:
    return _is_dealer(state, seat) and _is_unplayed(state)


def _find_without_penalty(is_possible: _Seats) -> _Find:
    """Return a function that only says what follows."""
    return lambda case: Finding(case.move.seat, 0) if is_possible(case.state, case.move.seat) else None


def _find_hidden_number(case: Case) -> Finding | None:
    if case.state.phase not in _BEFORE_STARTER:
        return None
    seat, back = case.move.seat, _limit_to_score(case, WRONG_NUMBER_PENALTY)
    return Finding(seat, back, _take_back(seat, back), back=back)


def _limit_to_score(case: Case, points: int) -> int:
    """Return the points that the player can lose: no score falls below 0."""
    return max(0, min(points, int(case.state.scores[case.terms.side_of(case.move.seat)])))


def _take_back(seat: int, points: int) -> tuple[Move, ...]:
    return (Adjust(seat, -points),) if points else ()


def _find_dead_hand(case: Case) -> Finding | None:
    """Find a player with too many cards, once all hands are counted."""
    if case.terms.seats != 2 or not _has_begun(case.state) or case.state.phase not in ("crib", "between"):
        return None
    points = _count_earned(case)
    return Finding(case.move.seat, points, _take_back(case.move.seat, points))


def _find_crib_as_hand(case: Case) -> Finding | None:
    """Find a dealer who took the crib for the hand. The points pegged with it are taken back."""
    state, seat = case.state, case.move.seat
    if case.terms.seats != 2 or seat != state.dealer or state.phase not in ("cut", "play"):
        return None
    earned = _count_earned(case)
    return Finding(seat, PENALTY, (*_take_back(seat, earned), Adjust(case.opponent_of(seat), PENALTY)), back=earned)


_NOT_EARNED = ("his heels", "renege", "overclaim", "muggins", "adjust", "false claim")


def _count_earned(case: Case) -> int:
    """Return what the seat earned in the play and with the hand of this deal, not with the crib."""
    seat, points, past = case.move.seat, 0, case.past.parent
    while past is not None and past.parent is not None and not isinstance(past.move, Next | Starter | Misdeal):
        if not isinstance(past.move, Crib) and not _counts_crib(past):
            points += sum(
                award.points for award in past.awards if award.seat == seat and award.reason not in _NOT_EARNED
            )
        past = past.parent
    return _limit_to_score(case, points)


def _counts_crib(past: History[Any]) -> bool:
    assert past.parent is not None
    return isinstance(past.move, Claim) and bool(past.parent.state.deal.crib)


def _find_wrong_starter(case: Case) -> Finding | None:
    """Find a starter that must be cut again: both the call and the cut are undone."""
    if case.move.seat != case.state.dealer or case.past.parent is None:
        return None
    return Finding(case.move.seat, 0, (Undo(), Undo())) if isinstance(case.past.parent.move, Starter) else None


def _find_late_heels(case: Case) -> Finding | None:
    deal, seat, past = case.state.deal, case.move.seat, case.past.parent
    if case.state.phase != "play" or seat != deal.dealer or deal.starter.rank != JACK:
        return None
    if len(deal.play.played[seat]) != 1 or case.state.scores[case.terms.side_of(seat)] < PENALTY:
        return None
    while past is not None and not isinstance(past.move, Starter):
        if isinstance(past.move, Rule) and past.move.accept:
            return None  # it may have been this one
        past = past.parent
    return Finding(seat, PENALTY, (Adjust(seat, -PENALTY),))


def _find_wrong_go(case: Case) -> Finding | None:
    past = case.past.parent
    if past is None or not isinstance(past.move, Go) or past.move.seat != case.move.seat:
        return None
    return None if past.awards else Finding(case.move.seat, 0, (Undo(), Undo()))


def _find_claimed_game(case: Case) -> Finding | None:
    """Find a game that was claimed without the points, on the scorecard or with the peg that counts games."""
    state, seat = case.state, case.move.seat
    if state.phase == "over":
        return None
    missing = case.terms.target - state.scores[case.terms.side_of(seat)]
    back = _limit_to_score(case, claims.FALSE_CLAIM_PENALTY)
    return Finding(seat, missing, (Adjust(case.opponent_of(seat), missing), *_take_back(seat, back)), back=back)


def _find_unearned(case: Case) -> Finding | None:
    points = case.move.points
    if not _is_unearned(case) or points >= case.holes_left:
        return None
    return Finding(case.move.seat, points, (Adjust(case.opponent_of(case.move.seat), points),))


def _find_unearned_game(case: Case) -> Finding | None:
    return _find_claimed_game(case) if _is_unearned(case) and case.move.points >= case.holes_left else None


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


def _is_dealer_leading(state: Any, seat: int) -> bool:
    return bool(state.phase == "play" and seat == state.dealer and not _has_begun(state))


def _is_playing(state: Any, seat: int) -> bool:
    return bool(state.phase == "play" and seat == state.turn)


def _is_counting_early(state: Any, seat: int) -> bool:
    pending = state.deal.claims.pending
    return bool(state.phase == "claim" and pending.kind == "hand" and seat == state.dealer != pending.seat)


def _is_above_31(state: Any, seat: int) -> bool:
    return _is_playing(state, seat) and state.deal.play.count > 21


_called_row = partial(RulingRow, kinds=(Infringement,))

CALLED_RULINGS: tuple[RulingRow, ...] = (
    _called_row(
        rule="2.1",
        what="bottom-shuffle",
        offer=gettext_noop("{who} looked at the bottom card after the shuffle"),
        seen="the dealer looked at the bottom card after the last shuffle",
        until="the cut of the starter",
        follows="the opponent gets 2 points, and the cards are shuffled again",
        say=gettext_noop("{who} looked at the bottom card: {points} for {other}. Shuffle again."),
        find=_find_penalty(*_BEFORE_STARTER, by=_is_dealer),
    ),
    _called_row(
        rule="4.4",
        what="wrong-deal",
        offer=gettext_noop("{who} was dealt a wrong number of cards"),
        seen="a wrong number of cards was dealt, before the starter is cut",
        caller="either player",
        until="the cut of the starter",
        follows="the same dealer deals again, without penalty",
        say=gettext_noop("{who} was dealt a wrong number of cards: the same dealer deals again."),
        find=_find_without_penalty(_is_redealt),
    ),
    _called_row(
        rule="4.4",
        what="hidden-number",
        offer=gettext_noop("{who} did not let the cards be counted"),
        seen="a player with a wrong number of cards did not let the opponent count them",
        until="the cut of the starter",
        follows="the player goes 10 holes back, not below 0, and the same dealer deals again",
        say=gettext_noop(
            "{who} did not let the cards be counted and goes {back} holes back. The same dealer deals again."
        ),
        find=_find_hidden_number,
    ),
    _called_row(
        rule="4.4",
        what="too-many",
        offer=gettext_noop("{who} has too many cards"),
        seen="a player has too many cards, seen after the starter was cut and before the hands are"
        " counted, with two players",
        caller="either player",
        until="the count of the hands",
        follows="both play on until the hands are counted; then it is called again",
        say=gettext_noop("{who} has too many cards. Play on and count the hands, then call this again."),
        find=_find_without_penalty(_play_on),
    ),
    _called_row(
        rule="4.4",
        what="too-many",
        offer=gettext_noop("{who} had too many cards"),
        seen="a player had too many cards, called after the hands were counted, with two players",
        caller="either player",
        until="the next deal",
        follows="the points of that player from the play and the hand are taken back; a crib counts if it is correct",
        say=gettext_noop("{who} had too many cards: the {points} from the play and the hand are taken back."),
        find=_find_dead_hand,
    ),
    _called_row(
        rule="5.1b",
        what="crib-taken-back",
        offer=gettext_noop("{who} took back a card of the crib"),
        seen="a player took a discarded card back and looked at it",
        until="the show",
        follows="the opponent gets 2 points, and the cards go back to the crib",
        say=gettext_noop("{who} took back a card of the crib: {points} for {other}. The card goes back."),
        find=_find_penalty("cut", "play"),
    ),
    _called_row(
        rule="5.2a",
        what="crib-seen",
        offer=gettext_noop("{who} looked at the crib too early"),
        seen="somebody looked at the crib before its count, or a page turned it up: that move is refused",
        until="the count of the crib",
        follows="the opponent gets 2 points",
        say=gettext_noop("{who} looked at the crib too early: {points} for {other}."),
        find=_find_penalty(*_BEFORE_CRIB, by=_is_crib_hidden),
    ),
    _called_row(
        rule="5.2b",
        what="crib-first",
        offer=gettext_noop("{who} looked at the crib before discarding"),
        seen="a player looked at the crib before discarding to it",
        until="the cut of the starter",
        follows="the opponent gets 2 points and draws the two discards from that hand, unseen",
        say=gettext_noop(
            "{who} looked at the crib before discarding: {points} for {other}, who draws the two discards unseen."
        ),
        find=_find_penalty("cut"),
    ),
    _called_row(
        rule="5.2c",
        what="crib-as-hand",
        offer=gettext_noop("{who} took the crib for the hand"),
        seen="the dealer took the crib for the hand, with two players",
        until="the count of the hands",
        follows="the opponent gets 2 points; what the dealer pegged with the crib is taken back; once"
        " a card was played the dealer plays on with it",
        say=gettext_noop(
            "{who} took the crib for the hand: {points} for {other}. Points pegged with it are taken back: {back}."
        ),
        find=_find_crib_as_hand,
    ),
    _called_row(
        rule="6.1a",
        what="starter-early",
        offer=gettext_noop("The starter was turned before {who} discarded"),
        seen="the starter was turned before the dealer discarded",
        caller="either player",
        until="the first card",
        follows="the cut is undone; after the discard the cards are shuffled and cut again, without penalty",
        say=gettext_noop("The starter was turned before {who} discarded: discard, shuffle and cut again. No penalty."),
        find=_find_wrong_starter,
    ),
    _called_row(
        rule="6.1b",
        what="bottom-cut",
        offer=gettext_noop("{who} looked at the bottom card when cutting"),
        seen="the cutting player looked at the bottom card of the upper part",
        until="the first card",
        follows="the opponent gets 2 points and is shown the card",
        say=gettext_noop("{who} looked at the bottom card when cutting: {points} for {other}, who may see it too."),
        find=_find_penalty(*_ANY_PHASE, by=_is_pone_at_cut),
    ),
    _called_row(
        rule="6.1c",
        what="starter-in-hand",
        offer=gettext_noop("{who} took the starter into the hand"),
        seen="the dealer took the starter into the hand before it was seen",
        until="the cut of the starter",
        follows="the opponent gets 2 points, draws two cards of that hand and chooses one as the starter",
        say=gettext_noop(
            "{who} took the starter into the hand: {points} for {other}, who draws two cards and chooses the starter."
        ),
        find=_find_penalty("cut", by=_is_dealer),
    ),
    _called_row(
        rule="6.1d",
        what="starter-face-up",
        offer=gettext_noop("The starter lay face up in the pack"),
        seen="the card that was cut lay face up in the pack",
        caller="either player",
        until="the first card",
        follows="the cut is undone; the pack is shuffled and cut again, without penalty",
        say=gettext_noop("The starter lay face up in the pack: shuffle and cut again. No penalty."),
        find=_find_wrong_starter,
    ),
    _called_row(
        rule="6.2",
        what="two-starters",
        offer=gettext_noop("{who} turned up more than one card"),
        seen="the dealer turned up more than one card as the starter",
        until="the first card",
        follows="the top card is the starter; both players may see the others; no penalty",
        say=gettext_noop("{who} turned up more than one card: the top one is the starter. No penalty."),
        find=_find_without_penalty(_is_dealer_at_cut),
    ),
    _called_row(
        rule="6.3c",
        what="late-heels",
        offer=gettext_noop("{who} did not peg his heels in time"),
        seen="his heels were not pegged before the dealer's first card",
        until="the dealer's second card",
        follows="the dealer loses the two points",
        say=gettext_noop("{who} played before pegging his heels: the {points} are lost."),
        find=_find_late_heels,
    ),
    _called_row(
        rule="7.1b",
        what="dealer-led",
        offer=gettext_noop("{who} played first"),
        seen="the dealer led the first card, as long as no further cards were played",
        caller="either player",
        until="the first card on the page",
        follows="the cards go back to the hands, and the other player leads; no penalty",
        say=gettext_noop("{who} may not lead: the cards go back and {other} leads. No penalty."),
        find=_find_without_penalty(_is_dealer_leading),
    ),
    _called_row(
        rule="7.1e",
        what="over-31",
        offer=gettext_noop("{who} played a card above 31"),
        seen="a card above 31 was put down, which the page refuses",
        caller="either player",
        follows="the card goes back to the hand; points pegged for it are pegged too many (8.4c)",
        say=gettext_noop("{who} takes the card back: it goes above 31. No penalty."),
        find=_find_without_penalty(_is_above_31),
    ),
    _called_row(
        rule="7.1f",
        what="two-cards",
        offer=gettext_noop("{who} played two cards together"),
        seen="two cards were played together",
        caller="either player",
        follows="the card that fits the announced count is played, or the player chooses one; the "
        "other goes back, without penalty",
        say=gettext_noop(
            "{who} played two cards together: the one that fits the announced count stays, the other goes back."
        ),
        find=_find_without_penalty(_is_playing),
    ),
    _called_row(
        rule="7.3",
        what="wrong-go",
        offer=gettext_noop("{who} said go by mistake"),
        seen="a go was said by mistake, and no card was played and no peg moved since",
        caller="either player",
        until="the next card or peg",
        follows="the go is undone, without penalty",
        say=gettext_noop("{who} said go by mistake and takes it back. No penalty."),
        find=_find_wrong_go,
    ),
    _called_row(
        rule="8.4a",
        what="claimed-game",
        offer=gettext_noop("{who} claimed the game on the scorecard"),
        seen="the game was claimed without the points: on the scorecard, or with the peg that counts games",
        caller="either player",
        until="the end of the game",
        follows="the opponent gets the holes up to the game hole, and the player goes 15 holes back, not below 0",
        say=gettext_noop(
            "{who} claimed the game without the points: {points} for {other}, and {who} goes {back} holes back."
        ),
        find=_find_claimed_game,
    ),
    _called_row(
        rule="8.4b",
        what="unearned",
        seen="a claim into the game hole while that player has nothing to claim; the move is refused",
        caller="either player",
        follows="the opponent gets the holes up to the game hole, and the player goes 15 holes back, not below 0",
        say=gettext_noop(
            "{who} claimed the game without the points: {points} for {other}, and {who} goes {back} holes back."
        ),
        find=_find_unearned_game,
    ),
    _called_row(
        rule="8.4c",
        what="unearned",
        seen="a claim during the play while that player has nothing to claim; the move is refused",
        follows="the peg goes back, and the opponent gets the points",
        say=gettext_noop("{who} pegged points that were not earned: the peg goes back, and {other} gets {points}."),
        find=_find_unearned,
    ),
    _called_row(
        rule="8.8",
        what="opponent-peg",
        offer=gettext_noop("{who} pegged with the other side's peg"),
        seen="a player pegged with the opponent's peg",
        follows="the opponent gets 2 points, and the pegs go back to their holes",
        say=gettext_noop("{who} pegged with the wrong peg: {points} for {other}. The pegs go back."),
        find=_find_penalty(*_ANY_PHASE),
    ),
    _called_row(
        rule="9.2c",
        what="counted-first",
        offer=gettext_noop("{who} counted first"),
        seen="the dealer counted before the other hand was pegged",
        until="the count of the other hand",
        follows="the points are taken back and counted after the other hand; no penalty",
        say=gettext_noop("{who} counted too early: {other} counts first. No penalty."),
        find=_find_without_penalty(_is_counting_early),
    ),
    _called_row(
        rule="9.3a",
        what="starter-mixed",
        offer=gettext_noop("{who} mixed the starter with other cards"),
        seen="a player put the starter into the hand, the crib or the pack before everything is counted",
        until="the next deal",
        follows="the opponent gets 2 points, and the starter goes back to the top of the pack",
        say=gettext_noop("{who} mixed the starter with other cards: {points} for {other}. It goes back on the pack."),
        find=_find_penalty(*_COUNTING),
    ),
)
"""The rows of what is called. Two rows with the same name judge it at different times."""

INFRINGEMENTS = tuple(dict.fromkeys(row.what for row in CALLED_RULINGS))
"""The names of all infringements."""
