"""Pursuit for two: which cards to lay away and to play, to catch and not to be caught. Pure."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from companion.coach.cribbage import discard, opponent_hand, play, rollout, tables
from companion.coach.cribbage.expected_values import shown
from companion.coach.cribbage.play import HANDS, PLAYOUTS, Choice, Turn
from companion.coach.cribbage.play_states import START, Place, reached
from companion.coach.cribbage.ranks import Ranks, of, with_starters
from companion.coach.cribbage.win_chance import Spread, crib_shares, crib_spread, mean, mean_net, moved, pegged, spread
from companion.coach.questions import Dealt
from companion.rules.cards import PACK, Card
from companion.rules.pursuit import SIDE

GAPS = (3, 7, 11, 17, SIDE)
"""Gaps between a front and a back peg up to so many holes are taken for alike."""
CLASS = tuple(next(n for n, most in enumerate(GAPS) if gap <= most) for gap in range(SIDE + 1))
"""By gap, the class."""

Survives = list[list[list[float]]]
"""The dealer's chance before a deal: by how far he is ahead, from -30 on; by his class of gap, and by pone's."""


class Pegs(NamedTuple):
    """Front and back pegs, one's own and the other's, as points. `by_front`: the front peg is the one to be caught."""

    own: int
    other: int
    own_back: int
    other_back: int
    by_front: bool = False

    def scored(self, points: int) -> "Pegs":
        """One has scored: the back peg is now where the front peg was."""
        if not points:
            return self
        front = self.own + points
        return self._replace(own=front, own_back=front if self.by_front else self.own)

    def turned(self) -> "Pegs":
        """The same as the other sees it."""
        return Pegs(self.other, self.own, self.other_back, self.own_back, self.by_front)

    @property
    def caught(self) -> bool:
        """Whether one who has just scored has caught the other."""
        return self.own >= SIDE + self.other_back

    def before_deal(self, *, dealer: bool) -> float:
        """One's chance to survive before a deal."""
        if not dealer:
            return 1 - self.turned().before_deal(dealer=True)
        ahead = max(-SIDE, min(SIDE, self.own - self.other))
        own, other = (max(0, min(SIDE, gap)) for gap in (self.own - self.own_back, self.other - self.other_back))
        return survives()[ahead + SIDE][CLASS[own]][CLASS[other]]


@cache
def survives() -> Survives:
    """The table."""
    text = files("companion.coach").joinpath("tables", "pursuit-survives.json").read_text(encoding="utf-8")
    found: Survives = json.loads(text)["dealer"]
    return found


GAME = "six-card"
"""Hands are dealt, played and counted as there."""
_STEPS = 3
"""The play is taken to end in so many ways, alike likely; each with a last peg of `_LAST` holes for both."""
_LAST = 2
_TRIED = 4
"""So many discards are weighed: those with the most points."""


class Discard(NamedTuple):
    """Two cards to throw, the mean of all points, own less the other's, and the chance to survive."""

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    points: float
    win: float


def discards(held: tuple[Card, ...], pegs: Pegs, *, dealer: bool) -> list[Discard]:
    """Discards of six cards, the best first: of the likeliest only, by points."""
    known, who = tables.of(GAME), tables.DEALER if dealer else tables.PONE
    found = discard.choices(Dealt(GAME, held, dealer, (0, 0), 121))
    best = sorted(found, key=lambda choice: -choice.points)[:_TRIED]
    starters = [card for card in PACK if card not in held]
    weighed = []
    for each in best:
        by_starter = shown(each.kept)
        hand = _shares([by_starter[card] for card in starters])
        usual = crib_shares(known, of(each.thrown), who)
        crib = spread(moved(usual, each.crib - mean(usual)))
        more = each.pegging - mean_net(known, who)
        weighed.append(Discard(each.thrown, each.kept, each.points, _survives(pegs, hand, crib, more, dealer=dealer)))
    return sorted(weighed, key=lambda choice: (-choice.win, -choice.points))


def _survives(pegs: Pegs, hand: Spread, crib: Spread, more: float, *, dealer: bool) -> float:
    """The chance after a play that ends in one of its usual ways, and hands and crib as likely as they are."""
    who = tables.DEALER if dealer else tables.PONE
    theirs = _coarse(1 - who)
    total = 0.0
    for ahead in _plays(who):
        base = round(ahead + more)
        after = pegs.scored(_LAST).turned().scored(_LAST).turned()
        after = after._replace(own=after.own + base, own_back=after.own_back + base)
        if after.caught or after.turned().caught:
            total += float(after.caught) / _STEPS
            continue
        for mine, likely in hand:
            for other, often in theirs:
                total += likely * often * counted(after, mine, other, crib, dealer=dealer) / _STEPS
    return total


def counted(pegs: Pegs, mine: int, other: int, crib: Spread, *, dealer: bool) -> float:
    """One's chance when hands and crib are counted, pone's hand first."""
    if dealer:
        return 1 - _counted(pegs.turned(), other, mine, crib)
    return _counted(pegs, mine, other, crib)


def _counted(pegs: Pegs, mine: int, other: int, crib: Spread) -> float:
    """The same for pone."""
    after = pegs.scored(mine)
    if mine and after.caught:
        return 1.0
    theirs = after.turned().scored(other)
    if other and theirs.caught:
        return 0.0
    # Written out, for it is asked some ten thousand times a decision: pone deals next, the crib the dealer's last peg.
    table, reach = survives(), SIDE + theirs.other_back - theirs.own
    ahead, gap = theirs.other - theirs.own + SIDE, CLASS[min(SIDE, theirs.other - theirs.other_back)]
    before = CLASS[min(SIDE, theirs.own - theirs.own_back)]
    total = 0.0
    for points, likely in crib:
        if points < reach:
            last = before if not points else CLASS[0] if pegs.by_front else CLASS[points]
            total += likely * table[max(0, min(2 * SIDE, ahead - points))][gap][last]
    return total


@cache
def _plays(who: int) -> tuple[int, ...]:
    """How far one is ahead after the play, at even steps."""
    ahead: dict[int, float] = {}
    for (own, other), share in pegged(tables.of(GAME), who).items():
        ahead[own - other] = ahead.get(own - other, 0.0) + share
    found, sums = list[int](), 0.0
    for points in sorted(ahead):
        sums += ahead[points]
        while len(found) < _STEPS and sums >= (len(found) + 0.5) / _STEPS:
            found.append(points)
    return tuple(found)


@cache
def _coarse(who: int) -> Spread:
    """Hands of the other side, two neighbours as one."""
    shares = tables.of(GAME).shown[who]
    return tuple((n, sum(shares[n : n + 2])) for n in range(0, len(shares), 2) if sum(shares[n : n + 2]) > 0.004)


def _shares(points: Sequence[int]) -> Spread:
    return tuple((each, points.count(each) / len(points)) for each in sorted(set(points)))


def plays(turn: Turn, pegs: Pegs) -> list[Choice]:
    """Every card that fits, the best first. `turn` is as in six-card; what counts are the pegs."""
    at = reached(tuple(card.rank for card in turn.series))
    ranks = {card.rank for card in turn.held if at.step(card.rank)}
    held = opponent_hand.sample(play.hands(turn), min(HANDS, PLAYOUTS // max(1, len(ranks))))
    thrown = of(turn.discarded) if turn.discarded else None
    known = of((*turn.kept, *(turn.discarded or ()), turn.starter))
    crib = crib_spread(GAME, thrown, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE)
    hand = shown(turn.kept)[turn.starter]
    remembered: dict[tuple[Pegs, int], float] = {}

    def end(after: Pegs, four: Ranks) -> float:
        theirs = with_starters(four)[turn.starter.rank]
        if (after, theirs) not in remembered:
            remembered[after, theirs] = counted(after, hand, theirs, crib, dealer=turn.dealer)
        return remembered[after, theirs]

    worth = {}
    for rank in ranks:
        total = won = weights = 0.0
        for four, rest, weight in held:
            after, out = _finished(turn, pegs, at, rank, rest)
            total += weight * (after.own - after.other)
            won += weight * (out if out is not None else end(after, four))
            weights += weight
        worth[rank] = (total / weights - pegs.own + pegs.other, won / weights)
    found = [Choice(card, *worth[card.rank]) for card in turn.held if card.rank in worth]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def _finished(  # noqa: PLR0912 - the one loop of a play
    turn: Turn, pegs: Pegs, at: Place, rank: int, rest: Ranks
) -> tuple[Pegs, float | None]:
    """The play from that card on between quick players: the pegs, and whether one has caught (1) or been caught (0)."""
    step = at.step(rank)
    assert step is not None
    scored, at = step
    mine = list(of(turn.held))
    mine.remove(rank)
    hands, gone = [tuple(mine), rest], [False, False] if at is START else list(turn.gone)
    pegs = pegs.scored(scored)  # always seen from who laid last
    if scored and pegs.caught:
        return pegs, 1.0
    last, seat = 0, 1
    while hands[0] or hands[1]:
        if hands[seat] and not gone[seat]:
            others = 0 if gone[1 - seat] else len(hands[1 - seat])
            chosen = at.chosen[others].get(hands[seat])
            if chosen is None:
                chosen = rollout.choose(at, hands[seat], others)
            if chosen:
                scored, at, hands[seat] = chosen
                if last != seat:
                    pegs, last = pegs.turned(), seat
                if scored:
                    pegs = pegs.scored(scored)
                    if pegs.caught:
                        break
                if at is START:
                    gone = [False, False]
            else:
                gone[seat] = True
        if any(hands[each] and not gone[each] for each in (0, 1)):
            seat = 1 - seat if hands[1 - seat] and not gone[1 - seat] else seat
            continue
        if at is not START:
            pegs = pegs.scored(1)
            if pegs.caught:
                break
        at, gone, seat = START, [False, False], 1 - last if hands[1 - last] else last
    out = float(last == 0) if pegs.caught else None
    return (pegs if last == 0 else pegs.turned()), out
