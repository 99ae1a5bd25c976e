"""The moves of one deal, from the cut to its last count: docs/reference/games/six-card.md. Pure.

Every function gives the deal after the move and the counts it makes, in order; the next count is not worked out
unless it is asked for. What they do to the scores, and whether the game ends inside them, is the game's matter.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from companion.common.errors import IllegalMove
from companion.rules import claims as claiming
from companion.rules import play, scoring
from companion.rules.cards import JACK, Card
from companion.rules.claims import NOTHING, Claims, Count, Pending
from companion.rules.deal import Deal
from companion.rules.engine import Award, put
from companion.rules.match_terms import Terms
from companion.rules.moves import Crib, Hand, Move, Play, Starter
from companion.rules.play import Laid, Renege

_CRIB = 4


class Dealt(NamedTuple):
    """A deal after a move, what is counted by it, and notes for the answer to that move alone."""

    deal: Deal
    counts: Iterable[Count] = ()
    notes: dict[str, Any] = {}  # noqa: RUF012 - never changed


def cut(terms: Terms, dealer: int, starter: Card, *, out: tuple[int, ...] = ()) -> Dealt:
    """The starter is cut, and the dealer has two for a jack. The seats that are `out` hold no cards (pursuit)."""
    leader = next(seat for seat in scoring.order(dealer, terms.seats) if seat not in out)
    laid = play.begin(terms.seats, leader, size=terms.size, once=terms.is_five_card, out=out)
    claims = claiming.begun(terms.seats) if terms.manual else NOTHING
    heels = (Award(dealer, 2, "his heels", (starter,)),) if starter.rank == JACK else ()
    return Dealt(Deal(dealer, "play", starter, laid, (None,) * terms.seats, (), 0, claims), (heels,))


def lay(terms: Terms, deal: Deal, seat: int, card: Card) -> Dealt:
    """A card is played. Raises IllegalMove: another's turn, a card seen before, a count over 31."""
    before = _asked(terms, deal, seat)
    _unseen(deal, card)
    laid, scored, last = play.lay(before, seat, card)
    own = laid.played[seat]
    hands = deal.hands if len(own) < laid.size else put(deal.hands, seat, own)
    # Written out, not `replace`: this is the step made most often.
    after = Deal(deal.dealer, deal.phase, deal.starter, laid, hands, deal.crib, deal.counted, deal.claims)
    penalties, notes = _reneged(terms, after, seat)
    if terms.manual:
        return _earned(terms, after, seat, scored + last, anew=True)._replace(counts=(penalties,), notes=notes)
    if laid.turn is not None:
        return Dealt(after, (scored, last, penalties), notes)
    after, counts, _ = _count_hands(terms, after)
    return Dealt(after, chain((scored, last, penalties), counts), notes)


def go(terms: Terms, deal: Deal, seat: int) -> Dealt:
    """A seat says go. Raises IllegalMove: another's turn, or a count at which any card fits."""
    laid, last = play.say_go(_asked(terms, deal, seat), seat)
    after = replace(deal, laid=laid)
    if terms.manual:
        shut = claiming.lapsed(claiming.shut(after.claims), seat)
        return _earned(terms, replace(after, claims=shut), laid.last, last, anew=False)
    if laid.turn is not None:
        return Dealt(after, (last,))
    after, counts, _ = _count_hands(terms, after)
    return Dealt(after, chain((last,), counts))


def hand(terms: Terms, deal: Deal, seat: int, cards: tuple[Card, ...]) -> Dealt:
    """A hand that the play did not show whole is laid open. Raises IllegalMove where it cannot be that hand."""
    terms.side(seat)
    assert deal.laid is not None
    if deal.hands[seat] is not None:
        raise IllegalMove("{who}'s hand is known already.", who=terms.names[seat])
    whole = _whole(terms, deal, deal.laid.played[seat], cards)
    hands = put(deal.hands, seat, whole)
    after = replace(deal, hands=hands, claims=claiming.shut(deal.claims))
    penalties, notes = _reneged(terms, after, seat)
    after, counts, _ = _count_hands(terms, after)
    return Dealt(after, chain((penalties,), counts), notes)


def crib(terms: Terms, deal: Deal, cards: tuple[Card, ...]) -> Dealt:
    """The crib is turned up. Raises IllegalMove: not four cards, or one seen before."""
    if len(cards) != _CRIB:
        raise IllegalMove("The crib has four cards, not {len}.", len=len(cards))
    for n, card in enumerate(cards):
        _unseen(deal, card, cards[:n])
    assert deal.starter is not None
    after = replace(deal, crib=cards, phase="counted", claims=claiming.shut(deal.claims))
    shown = scoring.count(deal.dealer, cards, deal.starter, crib=True, five=terms.is_five_card)
    if not terms.manual:
        return Dealt(after, (shown,))
    return Dealt(_awaited(after, Pending("crib", deal.dealer, shown)))


def claim(terms: Terms, deal: Deal, seat: int, points: int, score: int) -> Dealt:
    """A seat, whose side's score is `score`, claims points. Raises IllegalMove where it cannot claim these now."""
    if not terms.manual:
        raise IllegalMove("The companion counts at this table: there is nothing to claim.")
    terms.side(seat)
    claims, truth = claiming.claimed(terms, claiming.shut(deal.claims), seat, points)
    verdict = claiming.resolve(points, sum(a.points for a in truth), score, terms.target, terms.policy)
    return _gone_on(terms, deal, claims, claiming.awards(seat, deal.opponent(seat), verdict))


def muggins(terms: Terms, deal: Deal, seat: int, points: int) -> Dealt:
    """A seat calls what the other side missed. Raises IllegalMove where nothing can be called."""
    terms.side(seat)
    claims, award = claiming.called(terms, deal.claims, seat, points)
    return _gone_on(terms, deal, claims, ((award,),))


def scan(terms: Terms, deal: Deal, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now, None where it joins those that lie. Raises IllegalMove."""
    turn = deal.turn
    if deal.phase in ("cut", "counted"):
        return Starter(card)
    if deal.phase == "play" and turn is not None:
        return Play(turn, card)
    if deal.phase == "claim" and turn is not None:
        raise IllegalMove("{who} has to claim first: 0 where there is nothing.", who=terms.names[turn])
    _unseen(deal, card, lying)
    if deal.phase == "crib":
        return Crib((*lying, card)) if len(lying) == _CRIB - 1 else None
    assert deal.laid is not None
    assert turn is not None
    whole = (*deal.laid.played[turn], *lying, card)
    return Hand(turn, whole) if len(whole) == terms.size else None


def _earned(terms: Terms, deal: Deal, seat: int | None, truth: Count, *, anew: bool) -> Dealt:
    """Points made in the play that are still to be claimed; those of its end must be, 0 too."""
    assert deal.laid is not None
    claims = deal.claims
    if seat is not None and (truth or anew):
        claims = claiming.earned(claiming.shut(claims), seat, truth, anew=anew, muggins=terms.muggins)
    if deal.laid.turn is not None:
        return Dealt(replace(deal, claims=claims))
    assert seat is not None
    claims = replace(claims, open=(None,) * terms.seats, call=claims.call and claims.call._replace(truth=truth))
    return Dealt(_awaited(replace(deal, claims=claims), Pending("play", seat, truth)))


def _awaited(deal: Deal, pending: Pending) -> Deal:
    return replace(deal, phase="claim", claims=replace(deal.claims, pending=pending))


def _gone_on(terms: Terms, deal: Deal, claims: Claims, counts: Iterable[Count]) -> Dealt:
    """After a claim or a call: on to the next hand, where the claim that was awaited is settled."""
    after = replace(deal, claims=claims)
    awaited = deal.claims.pending
    if awaited is None or claims.pending is not None:
        return Dealt(after, counts)
    if awaited.kind == "crib":
        return Dealt(replace(after, phase="counted"), counts)
    after, _, _ = _count_hands(terms, after)
    return Dealt(after, counts)


def _count_hands(terms: Terms, deal: Deal) -> Dealt:
    """Count the hands that are known, in show order; where the players count, the next one's claim is awaited."""
    order, known = deal.order, deal.counted
    while known < len(order) and deal.hands[order[known]] is not None:
        known += 1
    if terms.manual and known > deal.counted:
        seat = order[deal.counted]
        pending = Pending("hand", seat, _hand_count(terms, deal, seat))
        return Dealt(_awaited(replace(deal, counted=deal.counted + 1), pending))
    counts = (_hand_count(terms, deal, seat) for seat in order[deal.counted : known])
    return Dealt(replace(deal, counted=known, phase="crib" if known == len(order) else "show"), counts)


def _hand_count(terms: Terms, deal: Deal, seat: int) -> Count:
    whole = deal.hands[seat]
    assert whole is not None
    assert deal.starter is not None
    return scoring.count(seat, whole, deal.starter, five=terms.is_five_card)


def _reneged(terms: Terms, deal: Deal, seat: int) -> tuple[Count, dict[str, Any]]:
    """Once a hand is known: the gos that were none, and in a tournament two for each card, to the other side."""
    whole, laid = deal.hands[seat], deal.laid
    if whole is None or laid is None or not laid.goes:
        return (), {}
    found: tuple[Renege, ...] = play.reneges(laid, seat, whole)
    if not found:
        return (), {}
    gains = deal.opponent(seat)
    penalties = tuple(Award(gains, 2, "renege", (renege.card,)) for renege in found)
    return penalties if terms.policy.tournament else (), {"reneges": found}


def _asked(terms: Terms, deal: Deal, seat: int) -> Laid:
    """The play, if it is this seat's turn; else raises IllegalMove."""
    terms.side(seat)
    assert deal.laid is not None
    turn = deal.laid.turn
    if seat != turn:
        assert turn is not None
        raise IllegalMove("It is {who}'s turn.", who=terms.names[turn])
    return deal.laid


def _unseen(deal: Deal, card: Card, also: tuple[Card, ...] = ()) -> None:
    """Raise IllegalMove for a card that has turned up before in this deal."""
    if card in also or deal.knows(card):
        raise IllegalMove("The {name} has already been seen in this deal.", name=card.name)


def _whole(terms: Terms, deal: Deal, played: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """A whole hand, the played cards first, in order. Raises IllegalMove where it cannot be this seat's."""
    if len(cards) != terms.size:
        raise IllegalMove("A hand has {size} cards, not {len}.", size=terms.size, len=len(cards))
    missing = next((card for card in played if card not in cards), None)
    if missing is not None:
        raise IllegalMove("The {name} was played from that hand and is not among these cards.", name=missing.name)
    held = tuple(card for card in cards if card not in played)
    for n, card in enumerate(held):
        _unseen(deal, card, held[:n])
    if len(held) != terms.size - len(played):
        raise IllegalMove("A card is in that hand twice.")
    return (*played, *held)
