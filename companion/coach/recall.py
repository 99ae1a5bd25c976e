"""A game of two as its moves tell it: who held what when, and so what each was asked. Pure.

The moves show the hands and the crib, not who laid which card of the crib away. Where a player's phone has kept the
hand that was dealt, that is known too. docs/explanation/how-the-coach-plays.md#review tells what follows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from companion.coach.advice import Answer
from companion.rules.cards import Card
from companion.rules.cribbage import State
from companion.rules.moves import Correct, Misdeal, Move, Next, Play, Starter
from companion.rules.rows import put
from companion.rules.terms import Terms

Cards = tuple[Card, ...]


class Taken(NamedTuple):
    """A move that stands: its number in the history, and the table before and after it."""

    n: int
    move: Move | None
    before: State
    after: State


class Turn(NamedTuple):
    """A card that was played, and the table before it."""

    n: int
    seat: int
    card: Card
    before: State


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. `hands` are by seat, None where not all of one is known; `dealt` are those with what was laid away."""

    number: int
    n: int
    dealer: int
    scores: tuple[int, ...]
    starter: Card
    terms: Terms
    hands: tuple[Cards | None, ...] = (None, None)
    crib: Cards = ()
    turns: tuple[Turn, ...] = ()
    dealt: Mapping[int, Cards] = field(default_factory=dict)
    read: Mapping[Card, Card] = field(default_factory=dict)
    """Cards that were read wrong, and what they were."""
    missed: tuple[int, int] = (0, 0)
    """Points that were there and were not claimed, by seat."""

    def thrown(self, seat: int) -> Cards | None:
        """The two cards that a seat laid away; None where nobody knows."""
        own, theirs = self._laid_away(seat), self._laid_away(1 - seat)
        if own is None and theirs is not None and self.crib:
            return tuple(card for card in self.crib if card not in theirs)
        return own

    def _laid_away(self, seat: int) -> Cards | None:
        whole, kept = self.dealt.get(seat), self.hands[seat]
        return None if whole is None or kept is None else tuple(card for card in whole if card not in kept)


class Whole(NamedTuple):
    """A seat, and a hand that it once held, as dealt or without what was laid away: known from that seat's own phone.

    It was known when the table's move `at` was the newest (None: that was not told), before the cut or after it.
    """

    seat: int
    cards: Cards
    at: int | None = None
    was_cut: bool = False

    def is_of(self, starter: int, following: float, before: float) -> bool:
        """Whether it was held in the deal whose starter is the move of this number; those beside it are the others'."""
        if self.at is None:
            return True
        return starter <= self.at < following if self.was_cut else before <= self.at < starter


def deals(taken: Iterable[Taken], wholes: Iterable[tuple[Any, ...]] = ()) -> list[Deal]:
    """The deals of a game that were played, in order. Hands of `wholes`, each the fields of a `Whole`, that were
    never played are left aside."""
    found: list[Deal] = []
    for each in taken:
        if isinstance(each.move, Starter):
            state = each.before
            found.append(Deal(len(found) + 1, each.n, state.dealer, state.scores, each.move.card, state.terms))
        elif isinstance(each.move, Misdeal) and found:
            found.pop()
        elif found:
            found[-1] = _after(found[-1], each)
    known, cuts = [Whole(*each) for each in wholes], [-1, *(deal.n for deal in found), inf]
    return [
        _filled(deal, [each for each in known if each.is_of(deal.n, cuts[place + 2], cuts[place])])
        for place, deal in enumerate(found)
    ]


def _after(deal: Deal, taken: Taken) -> Deal:
    n, move, before, after = taken
    if isinstance(move, Play):
        deal = replace(deal, turns=(*deal.turns, Turn(n, move.seat, move.card, before)))
    elif isinstance(move, Correct):
        starter = move.to if deal.starter == move.card else deal.starter
        deal = replace(deal, starter=starter, read={**deal.read, move.card: move.to})
    claim = after.deal.claims.counted
    if claim is not None and claim is not before.deal.claims.counted:
        one, other = deal.missed
        deal = replace(deal, missed=(one + claim.missed, other) if claim.seat == 0 else (one, other + claim.missed))
    if isinstance(move, Next):  # the deal is another's
        return deal
    return replace(deal, hands=after.deal.hands or deal.hands, crib=after.deal.crib)


def _filled(deal: Deal, wholes: Sequence[Whole]) -> Deal:
    """The deal with what phones knew of it: hands that were not played to the end, and those before the crib."""
    for seat, whole, _, _ in wholes:
        played = {deal.read.get(turn.card, turn.card) for turn in deal.turns if turn.seat == seat}
        shown = {*(deal.hands[seat] or ()), *played}
        if not shown or not shown <= set(whole) or deal.starter in whole:
            continue
        if len(whole) == deal.terms.size:
            deal = replace(deal, hands=put(deal.hands, seat, deal.hands[seat] or whole))
        elif not deal.crib or set(whole) - shown <= set(deal.crib):
            deal = replace(deal, dealt={**deal.dealt, seat: whole})
    return deal


def game_of(terms: Terms) -> str:
    """The key of the game, as the coach's book has it."""
    return "five-card" if terms.is_five_card else "six-card"


def laying(deal: Deal, seat: int, thrown: Cards) -> Answer:
    """What a seat was asked before the cut, if these two were among its cards: a question of `companion advise`."""
    kept = deal.hands[seat]
    assert kept is not None
    return {
        "ask": "discard", "game": game_of(deal.terms), "hand": _texts(sorted((*kept, *thrown))),
        "dealer": seat == deal.dealer, "scores": _seen(deal.scores, seat), "target": deal.terms.target,
    }  # fmt: skip


def playing(deal: Deal, turn: Turn) -> Answer | None:
    """What a seat was asked when it played a card; None where not all that it held is known."""
    seat, state = turn.seat, turn.before
    kept, laid = deal.hands[seat], state.deal.laid
    if kept is None or laid is None:
        return None
    series, own, other = (tuple(deal.read.get(c, c) for c in row)
                          for row in (laid.series, laid.played[seat], laid.played[1 - seat]))  # fmt: skip
    thrown = deal.thrown(seat)
    return {
        "ask": "play", "game": game_of(deal.terms),
        "hand": _texts(c for c in kept if c not in own), "kept": _texts(kept),
        "discarded": None if thrown is None else _texts(thrown), "starter": str(deal.starter),
        "dealer": seat == deal.dealer, "series": _texts(series), "count": sum(c.value for c in series),
        "played": [_texts(own), _texts(other)], "gone": [each in laid.gone for each in (seat, 1 - seat)],
        "scores": _seen(state.scores, seat), "target": deal.terms.target,
    }  # fmt: skip


def _seen(scores: Sequence[int], seat: int) -> list[int]:
    return [scores[seat], scores[1 - seat]]


def _texts(cards: Iterable[Any]) -> list[str]:
    return [str(card) for card in cards]
