"""'Round the Bases: which cards to lay away and to play, by what the hand's net does to the runners. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.coach import bases, book, discarding, playing
from companion.coach.asking import Dealt
from companion.coach.bases import Field
from companion.coach.ending import crib_spread
from companion.coach.playing import Turn
from companion.coach.ranks import of
from companion.coach.showing import shown
from companion.coach.weighing import convolved, crib_shares, mean, mean_net, moved, pegged
from companion.rules.cards import PACK, Card
from companion.rules.spaces import HOME

GAME = "six-card"
"""Hands are dealt, played and counted as there."""


class Choice(NamedTuple):
    """Two cards to throw; the mean net, the mean runs of the half-inning, one's own chance to win.

    Net and runs are the batting side's, whoever asks.
    """

    thrown: tuple[Card, ...]
    kept: tuple[Card, ...]
    net: float
    runs: float
    win: float


def discards(held: tuple[Card, ...], at: Field, *, batting: bool) -> list[Choice]:
    """All discards of six cards, the best first."""
    known, who = book.of(GAME), book.DEALER if batting else book.PONE
    sign = 1 if batting else -1
    rest = _rest(known, who)
    chances = bases.of(at.spaces)
    wins = _spread(chances.by_net(at), rest, sign)
    runs = _spread(chances.runs_by_net(at, bases.runs_to_come(at.spaces)), rest, sign)
    starters = [card for card in PACK if card not in held and card.rank != 10]  # a jack would void the hand
    found = []
    for each in discarding.choices(Dealt(GAME, held, batting, (0, 0), 121)):
        by_starter = shown(each.kept)
        hand = [0.0] * 30
        for card in starters:
            hand[by_starter[card]] += 1 / len(starters)
        usual = crib_shares(known, of(each.thrown), who)
        crib = moved(usual, each.crib - mean(usual))
        more = sign * (each.pegging - mean_net(known, who))
        if batting:
            nets = moved([0.0, *convolved(hand, crib)], more)
            worth = [_over(nets, rows[_OFF - 1 :]) for rows in (runs, wins)]
        else:
            nets = [0.0] * 60
            for h, p in enumerate(hand):
                for c, q in enumerate(crib):
                    nets[30 + c - h] += p * q
            nets = moved(nets, more)
            worth = [_over(nets, rows[_OFF - 30 :]) for rows in (runs, wins)]
        net = sign * each.points + sum(n * p for n, p in rest.items())
        found.append(Choice(each.thrown, each.kept, net, worth[0], worth[1] if batting else 1 - worth[1]))
    return sorted(found, key=lambda choice: (-choice.win, -sign * choice.net))


_OFF = 70


def _rest(known: book.Book, who: int) -> dict[int, float]:
    """By points: how likely the batter has so many more from the play, less or with the other side's hand."""
    found: dict[int, float] = {}
    for (own, other), share in pegged(known, who).items():
        for points, likely in enumerate(known.shown[1 - who]):
            net = own - other - points if who == book.DEALER else other - own + points
            found[net] = found.get(net, 0.0) + share * likely
    return found


def _spread(worth: Sequence[float], rest: dict[int, float], sign: int) -> list[float]:
    """By what one's own cards bring the batter, from -70: the mean worth, the rest being as it may."""
    del sign
    return [
        sum(share * worth[max(0, min(HOME, own + more))] for more, share in rest.items()) for own in range(-_OFF, _OFF)
    ]


def _over(nets: Sequence[float], worth: Sequence[float]) -> float:
    return sum(share * each for share, each in zip(nets, worth, strict=False))


def plays(turn: Turn, at: Field) -> list[playing.Choice]:
    """Every card that fits, the best first. `turn.scores` are the points of this hand so far; no score wins."""
    return playing.choices(turn, _Ending(turn, bases.of(at.spaces).by_net(at)))


class _Ending:
    """What the points after the play are worth to one side."""

    def __init__(self, turn: Turn, by_net: Sequence[float]) -> None:
        thrown = of(turn.discarded) if turn.discarded else None
        known = of((*turn.kept, *(turn.discarded or ()), turn.starter))
        self._crib = crib_spread(GAME, thrown, turn.starter.rank, known, book.DEALER if turn.dealer else book.PONE)
        self._hand, self._batting, self._by_net = shown(turn.kept)[turn.starter], turn.dealer, by_net
        self._known: dict[int, float] = {}

    def win(self, own: int, other: int, theirs: int) -> float:
        """One's chance to win, with these points after the play and `theirs` in the other hand."""
        ahead = own + self._hand - other - theirs
        if ahead not in self._known:
            net = ahead if self._batting else -ahead
            won = sum(share * self._by_net[max(0, min(HOME, net + crib))] for crib, share in self._crib)
            self._known[ahead] = won if self._batting else 1 - won
        return self._known[ahead]
