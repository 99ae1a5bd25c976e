"""A game looked back on: each discard and card, the best there was, what it cost; luck parted from skill. Pure.

Each number is one of `companion advise`: an entry carries the question, and the answer to it. What the moves do not
tell is not guessed. Told in docs/explanation/how-the-coach-plays.md#review.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from companion.coach import advise, review_text
from companion.coach.advise import Answer
from companion.coach.cribbage import tables
from companion.common.errors import BadMove
from companion.i18n import Sentence, say_many
from companion.rules.cards import Card, card
from companion.rules.cribbage import State
from companion.rules.engine import put
from companion.rules.match_terms import Terms
from companion.rules.moves import Correct, Misdeal, Move, Next, Play, Starter

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


class Entry(NamedTuple):
    """One choice. `made` and `best` as in an answer of `companion advise`; `ranked` is that answer.

    Where only one card fitted nothing was to be weighed: then `ranked` is empty.
    """

    n: int
    hand: int
    seat: int
    kind: str
    made: list[str] | str
    best: list[str] | str
    points_lost: float
    win_lost: float
    say: Sentence
    asked: Answer
    ranked: list[Answer]


@dataclass(frozen=True, slots=True)
class Review:
    """The entries, the worst first; by side what the cards gave and what the choices cost, in games won."""

    choices: list[Entry]
    luck: list[float]
    skill: list[float]
    missed: list[int]
    unknown: list[Sentence]


def review(
    taken: Sequence[Taken], names: Sequence[str], wholes: Iterable[tuple[Any, ...]] = (), hand: int | None = None
) -> Review:
    """A game of two, or its deal `hand`, from 1. Raises BadMove where there is no such deal."""
    every = deals(taken, wholes)
    chosen = every if hand is None else [deal for deal in every if deal.number == hand]
    if hand is not None and not chosen:
        raise BadMove(f"This game has had {len(every)} deals: there is no deal {hand}.")
    found: list[Entry] = []
    dark = 0
    for deal in chosen:
        entries, unknown = _of_deal(deal, names)
        found += entries
        dark += unknown
    skill = [-sum(each.win_lost for each in found if each.seat == seat) for seat in (0, 1)]
    gained = _chance(every, chosen[-1].number, taken) - _before(chosen[0]) if chosen else 0.0
    luck = gained - skill[0] + skill[1]
    return Review(
        choices=sorted(found, key=lambda each: (-each.win_lost, -each.points_lost, each.n)),
        luck=[luck, -luck],
        skill=skill,
        missed=[sum(deal.missed[seat] for deal in chosen) for seat in (0, 1)],
        unknown=_unknown(dark),
    )


def _of_deal(deal: Deal, names: Sequence[str]) -> tuple[list[Entry], int]:
    """The entries of a deal, and how many choices cannot be told."""
    found: list[Entry] = []
    dark = 0
    for seat in (1 - deal.dealer, deal.dealer):
        entry = _laying(deal, seat, names) if deal.turns and deal.hands[seat] else None
        dark += entry is None
        found += [entry] if entry else []
    for turn in deal.turns:
        asked = playing(deal, turn)
        if asked is None:
            dark += 1
        else:
            made = str(deal.read.get(turn.card, turn.card))
            found.append(_entry(turn.n, deal, turn.seat, made, asked, names))
    return found, dark


def _laying(deal: Deal, seat: int, names: Sequence[str]) -> Entry | None:
    """What a seat laid away; None where nobody knows which of the crib's four cards were its own."""
    thrown = deal.thrown(seat)
    if thrown is None:
        return None
    asked = laying(deal, seat, thrown)
    return _entry(deal.n, deal, seat, [str(each) for each in sorted(thrown)], asked, names)


def _entry(n: int, deal: Deal, seat: int, made: list[str] | str, asked: Answer, names: Sequence[str]) -> Entry:
    kind = asked["ask"]
    field = "discard" if kind == "discard" else "play"
    only = _alone(asked) if kind == "play" else []
    ranked = only or advise.answer(asked)["choices"]
    best = ranked[0]
    own = next(each for each in ranked if _same(each[field], made))
    if own["win"] == best["win"] and own["points"] == best["points"]:  # a card of the same rank, as good
        best = own
    points, win = best["points"] - own["points"], best["win"] - own["win"]
    told = review_text.told(asked, own, best, names[seat], is_only=bool(only))
    return Entry(
        n,
        deal.number,
        seat,
        kind,
        made,
        best[field],
        round(points, 9),
        round(win, 9),
        told,
        asked,
        [] if only else ranked,
    )


def _alone(asked: Answer) -> list[Answer]:
    """Where only one card fits, nothing needs to be weighed: nothing where there is a choice."""
    fitting = [each for each in asked["hand"] if card(each).value + asked["count"] <= 31]
    return [{"play": fitting[0], "points": 0.0, "win": 0.0}] if len(fitting) == 1 else []


def _same(one: Any, other: Any) -> bool:
    return set(one) == set(other) if isinstance(one, list) else bool(one == other)


def _before(deal: Deal) -> float:
    """Seat 0's chance to win before a deal."""
    return _at(deal.scores, deal.dealer, deal.terms)


def _chance(every: Sequence[Deal], number: int, taken: Sequence[Taken]) -> float:
    """Seat 0's chance to win after the deal of this number: the game's result, or before the next deal."""
    if number < len(every):
        return _before(every[number])
    end = taken[-1].after
    if end.winner is not None:
        return float(end.winner == 0)
    if end.phase in ("between", "cut"):
        return _at(end.scores, end.dealer, end.terms)
    return _before(every[-1])  # the deal is not over: what it brings is not known yet


def _at(scores: Sequence[int], dealer: int, terms: Terms) -> float:
    wins = tables.of(game_of(terms)).wins(terms.target)
    dealers = wins[scores[dealer]][scores[1 - dealer]]
    return dealers if dealer == 0 else 1 - dealers


def _unknown(dark: int) -> list[Sentence]:
    if not dark:
        return []
    return [
        say_many(
            "{n} choice cannot be told: the cards played do not show who laid what away, or who still held what.",
            "{n} choices cannot be told: the cards played do not show who laid what away, or who still held what.",
            dark,
        )
    ]
