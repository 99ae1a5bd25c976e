"""Rulings that players call, because neither cards nor pegs show what happened, and rulings on refused moves. Pure.

Each is a row like those of `companion.rules.rulings`, for the move `Infringement` with its name. The sources of the
numbers are in docs/reference/rulings.md; `companion.rules.infringement_findings` finds what follows.
"""

from functools import partial

from companion.i18n import gettext_noop
from companion.rules.infringement_findings import (
    ANY_PHASE,
    BEFORE_CRIB,
    BEFORE_STARTER,
    COUNTING,
    find_claimed_game,
    find_crib_as_hand,
    find_crib_side,
    find_dead_hand,
    find_dealer_led,
    find_few_heels,
    find_hidden_number,
    find_late_heels,
    find_lead_to_follow,
    find_many_heels,
    find_missed_in_play,
    find_penalty,
    find_renege_dead,
    find_renege_played,
    find_unearned,
    find_unearned_game,
    find_without_penalty,
    find_wrong_go,
    find_wrong_starter,
    is_above_31,
    is_counting_early,
    is_crib_hidden,
    is_crib_to_be_moved,
    is_dealer,
    is_dealer_at_cut,
    is_dealer_dealing,
    is_played_on,
    is_playing,
    is_pone_at_cut,
    is_redealt,
)
from companion.rules.moves import Infringement
from companion.rules.ruling_rows import RulingRow

MAX_CARD_POINTS = 14
"""Most points of one card in the play: four equal ones, and 15 or 31."""

_called_row = partial(RulingRow, kinds=(Infringement,))

CALLED_RULINGS: tuple[RulingRow, ...] = (
    _called_row(
        rule="2.1",
        what="bottom-shuffle",
        offer=gettext_noop("{who} looked at the bottom card after the shuffle"),
        say=gettext_noop("{who} looked at the bottom card: {points} for {other}. Shuffle again."),
        find=find_penalty(*BEFORE_STARTER, by=is_dealer),
    ),
    _called_row(
        rule="3.1",
        what="bottom-first-cut",
        offer=gettext_noop("{who} looked at the bottom card of the cut before the deal"),
        say=gettext_noop("{who} looked at the bottom card of the cut: {points} for {other}."),
        find=find_penalty(*BEFORE_STARTER),
    ),
    _called_row(
        rule="3.3",
        what="no-cut",
        offer=gettext_noop("{who} dealt without offering the cut, and {other} has not taken up the cards"),
        say=gettext_noop("{who} dealt without offering the cut: {points} for {other}. Shuffle, cut and deal again."),
        find=find_penalty(*BEFORE_STARTER, by=is_dealer),
    ),
    _called_row(
        rule="4.3",
        what="card-exposed",
        offer=gettext_noop("A card was turned over while {who} dealt"),
        say=gettext_noop("A card was turned over while {who} dealt: the same dealer deals again. No penalty."),
        find=find_without_penalty(is_dealer_dealing),
    ),
    _called_row(
        rule="4.4",
        what="wrong-deal",
        offer=gettext_noop("{who} was dealt a wrong number of cards"),
        caller="either player",
        say=gettext_noop("{who} was dealt a wrong number of cards: the same dealer deals again."),
        find=find_without_penalty(is_redealt),
    ),
    _called_row(
        rule="4.4",
        what="hidden-number",
        offer=gettext_noop("{who} did not let the cards be counted"),
        say=gettext_noop(
            "{who} did not let the cards be counted and goes {back} holes back. The same dealer deals again."
        ),
        find=find_hidden_number,
    ),
    _called_row(
        rule="4.4",
        what="too-many",
        offer=gettext_noop("{who} has too many cards"),
        caller="either player",
        say=gettext_noop("{who} has too many cards. Play on and count the hands, then call this again."),
        find=find_without_penalty(is_played_on),
    ),
    _called_row(
        rule="4.4",
        what="too-many",
        offer=gettext_noop("{who} had too many cards"),
        caller="either player",
        say=gettext_noop("{who} had too many cards: the {points} from the play and the hand are taken back."),
        find=find_dead_hand,
    ),
    _called_row(
        rule="5.1b",
        what="crib-taken-back",
        offer=gettext_noop("{who} took back a card of the crib"),
        say=gettext_noop("{who} took back a card of the crib: {points} for {other}. The card goes back."),
        find=find_penalty("cut", "play"),
    ),
    _called_row(
        rule="5.1d",
        what="crib-side",
        offer=gettext_noop("{who}'s crib lies on the wrong side of the board"),
        caller="either player",
        say=gettext_noop("The crib is {who}'s and is moved to the right side, unseen. No penalty."),
        find=find_without_penalty(is_crib_to_be_moved),
    ),
    _called_row(
        rule="5.1d",
        what="crib-side",
        offer=gettext_noop("{who}'s crib lies on the wrong side of the board"),
        caller="either player",
        say=gettext_noop("The crib lies on {other}'s side and is now {other}'s. {who} counts first and deals again."),
        find=find_crib_side,
    ),
    _called_row(
        rule="5.2a",
        what="crib-seen",
        offer=gettext_noop("{who} looked at the crib too early"),
        say=gettext_noop("{who} looked at the crib too early: {points} for {other}."),
        find=find_penalty(*BEFORE_CRIB, by=is_crib_hidden),
    ),
    _called_row(
        rule="5.2b",
        what="crib-first",
        offer=gettext_noop("{who} looked at the crib before discarding"),
        say=gettext_noop(
            "{who} looked at the crib before discarding: {points} for {other}, who draws the two discards unseen."
        ),
        find=find_penalty("cut"),
    ),
    _called_row(
        rule="5.2c",
        what="crib-as-hand",
        offer=gettext_noop("{who} took the crib for the hand"),
        say=gettext_noop(
            "{who} took the crib for the hand: {points} for {other}. Points pegged with it are taken back: {back}."
        ),
        find=find_crib_as_hand,
    ),
    _called_row(
        rule="6.1a",
        what="starter-early",
        offer=gettext_noop("The starter was turned before {who} discarded"),
        caller="either player",
        say=gettext_noop("The starter was turned before {who} discarded: discard, shuffle and cut again. No penalty."),
        find=find_wrong_starter,
    ),
    _called_row(
        rule="6.1",
        what="wrong-cutter",
        offer=gettext_noop("{who} cut the starter, and {other} turned it"),
        caller="either player",
        say=gettext_noop("{who} may not cut: shuffle, and {other} cuts the starter. No penalty."),
        find=find_wrong_starter,
    ),
    _called_row(
        rule="6.1b",
        what="bottom-cut",
        offer=gettext_noop("{who} looked at the bottom card when cutting"),
        say=gettext_noop("{who} looked at the bottom card when cutting: {points} for {other}, who may see it too."),
        find=find_penalty(*ANY_PHASE, by=is_pone_at_cut),
    ),
    _called_row(
        rule="6.1c",
        what="starter-in-hand",
        offer=gettext_noop("{who} took the starter into the hand"),
        say=gettext_noop(
            "{who} took the starter into the hand: {points} for {other}, who draws two cards and chooses the starter."
        ),
        find=find_penalty("cut", by=is_dealer),
    ),
    _called_row(
        rule="6.1d",
        what="starter-face-up",
        offer=gettext_noop("The starter lay face up in the pack"),
        caller="either player",
        say=gettext_noop("The starter lay face up in the pack: shuffle and cut again. No penalty."),
        find=find_wrong_starter,
    ),
    _called_row(
        rule="6.2",
        what="two-starters",
        offer=gettext_noop("{who} turned up more than one card"),
        say=gettext_noop("{who} turned up more than one card: the top one is the starter. No penalty."),
        find=find_without_penalty(is_dealer_at_cut),
    ),
    _called_row(
        rule="6.3c",
        what="late-heels",
        offer=gettext_noop("{who} did not peg his heels in time"),
        say=gettext_noop("{who} played before pegging his heels: the {points} are lost."),
        find=find_late_heels,
    ),
    _called_row(
        rule="8.3",
        what="few-heels",
        offer=gettext_noop("{who} pegged only 1 point for his heels"),
        say=gettext_noop("{who} pegged {points} too few, and the peg stays."),
        find=find_few_heels,
    ),
    _called_row(
        rule="8.4c",
        what="many-heels",
        offer=gettext_noop("{who} pegged too many for his heels: {points}"),
        offered_points=(1, 2, 3, 4),
        say=gettext_noop("{who} pegged too many and goes back: {points} for {other}."),
        find=find_many_heels,
    ),
    _called_row(
        rule="7.1b",
        what="dealer-led",
        offer=gettext_noop("{who} played first"),
        caller="either player",
        say=gettext_noop("{who} may not lead: the cards go back and {other} leads. No penalty."),
        find=find_dealer_led,
    ),
    _called_row(
        rule="7.1b",
        what="dealer-led-on",
        offer=gettext_noop("{who} played first, and {other} played on it"),
        caller="either player",
        say=gettext_noop(
            "{who} played first. Enter the cards as they were played: from the third on the order stands."
        ),
        find=find_lead_to_follow,
    ),
    _called_row(
        rule="7.1e",
        what="over-31",
        offer=gettext_noop("{who} played a card above 31"),
        caller="either player",
        say=gettext_noop("{who} takes the card back: it goes above 31. No penalty."),
        find=find_without_penalty(is_above_31),
    ),
    _called_row(
        rule="7.1f",
        what="two-cards",
        offer=gettext_noop("{who} played two cards together"),
        caller="either player",
        say=gettext_noop(
            "{who} played two cards together: the one that fits the announced count stays, the other goes back."
        ),
        find=find_without_penalty(is_playing),
    ),
    _called_row(
        rule="7.3",
        what="wrong-go",
        offer=gettext_noop("{who} said go by mistake"),
        caller="either player",
        say=gettext_noop("{who} said go by mistake and takes it back. No penalty."),
        find=find_wrong_go,
    ),
    _called_row(
        rule="7.3",
        what="renege",
        offer=gettext_noop("{who} said go although a card fitted, which is to be played: {points}"),
        offered_points=(2, 4, 6, 8),
        say=gettext_noop(
            "{who} said go although a card fitted: {points} for {other}. {who} takes the go back and plays."
        ),
        find=find_renege_played,
    ),
    _called_row(
        rule="7.3",
        what="renege-dead",
        offer=gettext_noop("{who} said go although a card fitted, which is dead now: {points}"),
        offered_points=(2, 4, 6, 8),
        say=gettext_noop(
            "{who} said go although a card fitted: {points} for {other}. Go back to the go; the card is dead."
        ),
        find=find_renege_dead,
    ),
    _called_row(
        rule="8.4a",
        what="claimed-game",
        offer=gettext_noop("{who} claimed the game on the scorecard"),
        caller="either player",
        say=gettext_noop(
            "{who} claimed the game without the points: {points} for {other}, and {who} goes {back} holes back."
        ),
        find=find_claimed_game,
    ),
    _called_row(
        rule="8.4b",
        what="unearned",
        caller="either player",
        say=gettext_noop(
            "{who} claimed the game without the points: {points} for {other}, and {who} goes {back} holes back."
        ),
        find=find_unearned_game,
    ),
    _called_row(
        rule="8.4c",
        what="unearned",
        say=gettext_noop("{who} pegged points that were not earned: the peg goes back, and {other} gets {points}."),
        find=find_unearned,
    ),
    _called_row(
        rule="8.8",
        what="opponent-peg",
        offer=gettext_noop("{who} pegged with the other side's peg"),
        say=gettext_noop("{who} pegged with the wrong peg: {points} for {other}. The pegs go back."),
        find=find_penalty(*ANY_PHASE),
    ),
    _called_row(
        rule="9.2c",
        what="counted-first",
        offer=gettext_noop("{who} counted first"),
        say=gettext_noop("{who} counted too early: {other} counts first. No penalty."),
        find=find_without_penalty(is_counting_early),
    ),
    _called_row(
        rule="9.3a",
        what="starter-mixed",
        offer=gettext_noop("{who} mixed the starter with other cards"),
        say=gettext_noop("{who} mixed the starter with other cards: {points} for {other}. It goes back on the pack."),
        find=find_penalty(*COUNTING),
    ),
    _called_row(
        rule="10.4b",
        what="missed-in-play",
        offer=gettext_noop("{who} missed points in the play: muggins for {points}"),
        offered_points=tuple(range(1, MAX_CARD_POINTS + 1)),
        say=gettext_noop("{who} missed {points} in the play: they go to {other}."),
        find=find_missed_in_play,
    ),
)
"""The rows of what is called. Two rows with the same name judge it at different times."""

INFRINGEMENTS = tuple(dict.fromkeys(row.what for row in CALLED_RULINGS))
"""The names of all infringements."""
