"""Pursuit with three and more: which card to lay away and to play, so that another is caught first. Pure.

Each chases the next one clockwise and is chased by the one before. Whoever is caught is out and the others begin
anew, so what counts is not to be the first to be caught. For each card that fits the deal is finished some dozen times
between quick players, with hands for the others drawn from the unseen cards; the draw follows from the question, so
that the same question has the same answer. docs/explanation/how-the-coach-plays.md#pursuit tells it all.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import shake_256
from math import exp
from typing import NamedTuple

from companion.coach.cribbage import rollout, tables
from companion.coach.cribbage.expected_values import shown
from companion.coach.cribbage.play_states import START, Place, reached
from companion.coach.cribbage.ranks import PAIRS, Ranks, of, with_starters
from companion.coach.pursuit_two import Pegs
from companion.rules.cards import PACK, Card
from companion.rules.play import LIMIT
from companion.rules.pursuit import SIDE

DEALS = 40
"""So often a deal is finished for each card that fits."""
NEAR = 12.0
"""A chaser that is so many holes nearer is e times as likely to be the first to catch."""
FLED = 0.9
"""The hole from which a player is caught lies so far between back and front peg: most score again before."""
DEALS_NEXT = 3.0
"""Who deals next is as good as so many holes farther on. These three were fitted: `tests/arena/making/hunts.py`."""
CRIB = 5
"""What a crib brings its dealer, about."""


class Loop(NamedTuple):
    """The front and back pegs of the living, clockwise from oneself; and who deals, counted so."""

    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    dealer: int
    by_front: bool = False


class Choice(NamedTuple):
    """A card, to throw or to play, and the chance to win the match."""

    card: Card
    win: float


class Turn(NamedTuple):
    """All that a player knows whose turn it is. By seat, clockwise from oneself: cards played, and who said go."""

    held: tuple[Card, ...]
    thrown: tuple[Card, ...]
    starter: Card
    series: tuple[Card, ...]
    played: tuple[tuple[Card, ...], ...]
    gone: tuple[bool, ...]


def worth(fronts: Sequence[int], backs: Sequence[int], dealer: int, *, by_front: bool) -> float:
    """One's chance to win the match before a deal: another is caught first, and then all left are alike."""
    count = len(fronts)
    ahead = [front + DEALS_NEXT * (seat == dealer) for seat, front in enumerate(fronts)]
    caught = []
    for seat in range(count):
        mark = fronts[seat] if by_front else backs[seat] + FLED * (fronts[seat] - backs[seat])
        caught.append(exp((ahead[seat - 1] - mark) / NEAR))
    return (1 - caught[0] / sum(caught)) / (count - 1)


def discards(held: Sequence[Card], loop: Loop) -> list[Choice]:
    """Each card to lay away of five, the best first: by one's own points, and by whose crib it is."""
    known = tables.of("six-card")
    who = tables.DEALER if loop.dealer == 0 else tables.PONE
    even = worth(*loop[:2], loop.dealer, by_front=loop.by_front)
    mine, cribs = _more(loop, 0) - even, _more(loop, loop.dealer) - even
    starters = [card for card in PACK if card not in held]
    found = []
    for card in held:
        kept = tuple(each for each in held if each != card)
        by_starter = shown(kept)
        points = (
            sum(by_starter[each] for each in starters) / len(starters) + known.pegging[who][known.place_of[of(kept)]]
        )
        found.append(Choice(card, even + mine * points + cribs * _crib(card.rank)))
    return sorted(found, key=lambda choice: (-choice.win, choice.card))


def _more(loop: Loop, seat: int) -> float:
    """What it is worth if this seat had a point more."""
    fronts, backs = list(loop.fronts), list(loop.backs)
    fronts[seat] += 1
    backs[seat] += 1
    return worth(fronts, backs, loop.dealer, by_front=loop.by_front)


@cache
def _crib(rank: int) -> float:
    """The mean crib in which a card of this rank lies, whatever lies beside it."""
    rows = [
        worth for pair, worth in zip(PAIRS, tables.of("six-card").cribs[tables.DEALER], strict=True) if rank in pair
    ]
    return sum(rows) / len(rows)


def plays(turn: Turn, loop: Loop) -> list[Choice]:
    """Every card that fits, the best first."""
    at = reached(tuple(card.rank for card in turn.series))
    ranks = sorted({card.rank for card in turn.held if at.step(card.rank)})
    won = dict.fromkeys(ranks, 0.0)
    if len(ranks) > 1:
        for n in range(DEALS):
            others = _drawn(turn, f"{turn} {loop} {n}")
            for rank in ranks:
                won[rank] += _Deal(turn, loop, others).played(at, rank) / DEALS
    found = [Choice(card, won[card.rank]) for card in turn.held if card.rank in won]
    return sorted(found, key=lambda choice: (-choice.win, choice.card))


def _drawn(turn: Turn, seed: str) -> list[Ranks]:
    """Hands for the others, in which no card fits where somebody has said go: the unseen cards in an order by seed."""
    seen = {*turn.held, *turn.thrown, turn.starter, *(card for row in turn.played for card in row)}
    digest = shake_256(seed.encode()).digest(2 * len(PACK))
    left = sorted((card for card in PACK if card not in seen), key=lambda card: digest[2 * card : 2 * card + 2])
    room = LIMIT - sum(card.value for card in turn.series)
    size = len(turn.held) + len(turn.played[0])
    found: list[Ranks] = []
    for row, gone in zip(turn.played[1:], turn.gone[1:], strict=True):
        hand: list[Card] = []
        for _ in range(size - len(row)):
            place = next((n for n, card in enumerate(left) if not gone or card.value > room), 0)
            hand.append(left.pop(place))
        found.append(of(hand))
    return found


class _Deal:
    """A deal from one's own card on: the pegs as they move, and what it came to where somebody is caught."""

    def __init__(self, turn: Turn, loop: Loop, others: Sequence[Ranks]) -> None:
        self._turn, self._loop = turn, loop
        self._fronts, self._backs = list(loop.fronts), list(loop.backs)
        self._hands: list[Ranks] = [of(turn.held), *others]
        self._out: float | None = None

    def played(self, at: Place, rank: int) -> float:
        """One's chance to win the match where this card is played now."""
        step = at.step(rank)
        assert step is not None
        mine = list(self._hands[0])
        mine.remove(rank)
        whole = [of(row) + hand for row, hand in zip(self._turn.played, self._hands, strict=True)]
        self._hands[0] = tuple(mine)
        self._scored(0, step[0])
        if self._out is None:
            self._finish(step[1])
        if self._out is None:
            self._show(whole)
        if self._out is not None:
            return self._out
        dealer = (self._loop.dealer + 1) % len(self._fronts)
        return worth(self._fronts, self._backs, dealer, by_front=self._loop.by_front)

    def _finish(self, at: Place) -> None:
        """The rest of the play, between quick players."""
        hands, count = self._hands, len(self._hands)
        gone = [False] * count if at is START else list(self._turn.gone)
        seat, last = 1 % count, 0
        while self._out is None and (at is not START or any(hands)):
            able = [
                each % count for each in range(seat, seat + count) if hands[each % count] and not gone[each % count]
            ]
            if not able:
                if at is not START:
                    self._scored(last, 1)
                at, gone, seat = START, [False] * count, last + 1
                continue
            seat = able[0]
            fear = len(hands[able[1]]) if len(able) > 1 else 0
            chosen = at.chosen[fear].get(hands[seat])
            if chosen is None:
                chosen = rollout.choose(at, hands[seat], fear)
            if chosen:
                points, at, hands[seat] = chosen
                last = seat
                self._scored(seat, points)
                if at is START:
                    gone = [False] * count
            else:
                gone[seat] = True
            seat += 1

    def _show(self, whole: Sequence[Ranks]) -> None:
        """Hands are counted from the dealer's left, then the crib."""
        count, dealer, starter = len(whole), self._loop.dealer, self._turn.starter
        for seat in (each % count for each in range(dealer + 1, dealer + 1 + count)):
            points = (
                shown(self._kept())[starter] if seat == 0 else with_starters(tuple(sorted(whole[seat])))[starter.rank]
            )
            self._scored(seat, points)
        self._scored(dealer, CRIB)

    def _kept(self) -> tuple[Card, ...]:
        return (*self._turn.played[0], *self._turn.held)

    def _scored(self, seat: int, points: int) -> None:
        """A peg moves; who is caught by it is out, and what that is worth is known."""
        if not points or self._out is not None:
            return
        fronts, backs, count = self._fronts, self._backs, len(self._fronts)
        backs[seat] = fronts[seat]
        fronts[seat] += points
        marks = fronts if self._loop.by_front else backs
        caught = [
            (seat + far) % count for far in range(1, count) if fronts[seat] >= SIDE * far + marks[(seat + far) % count]
        ]
        if caught:
            self._out = 0.0 if 0 in caught else _left(count - len(caught), is_dealer=seat == 0)


@cache
def _left(count: int, *, is_dealer: bool) -> float:
    """The chance to win with so many at the start of a loop; who has caught the last one deals."""
    if count == 2:
        dealer = Pegs(0, 0, 0, 0).before_deal(dealer=True)
        return dealer if is_dealer else 1 - dealer
    return 1 / count
