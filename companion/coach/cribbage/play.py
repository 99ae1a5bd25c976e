"""The play by search: every card that fits, over the hands that the other may hold, to the end of the deal. Pure.

For each hand the play is finished by two quick players (`quick.finish`), and then hands and crib are counted
(`ending`). The same hands are taken for each card, so that chance hardly enters the comparison. Nothing is drawn at
random: the same question has the same answer. docs/explanation/how-the-coach-plays.md tells it all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Protocol

from companion.coach.cribbage import opponent_hand, rollout, tables
from companion.coach.cribbage.expected_values import shown
from companion.coach.cribbage.opponent_hand import Held
from companion.coach.cribbage.play_states import START, Place, reached
from companion.coach.cribbage.ranks import Ranks, counted, of, with_starters
from companion.coach.cribbage.win_chance import Ending, crib_spread
from companion.rules.cards import Card

PLAYOUTS = 260
"""Plays finished for one decision, over all cards that fit."""
HANDS = 100
"""Hands against which a card is tried at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """All that a player knows whose turn it is. `played`, `gone` and `scores`: one's own, then the other's."""

    game: str
    held: tuple[Card, ...]
    kept: tuple[Card, ...]
    discarded: tuple[Card, ...] | None
    starter: Card
    dealer: bool
    series: tuple[Card, ...]
    played: tuple[tuple[Card, ...], tuple[Card, ...]]
    gone: tuple[bool, bool]
    scores: tuple[int, int]
    target: int


class Choice(NamedTuple):
    """A card, or None for go; the points to come in this play, own less the other's; the chance to win."""

    card: Card | None
    points: float
    win: float


class Endings(Protocol):
    """What it is worth to have played so far: `ending.Ending`, or a game's own."""

    def win(self, own: int, other: int, theirs: int) -> float:
        """One's chance to win, with these scores after the play and `theirs` points in the other hand."""


def choices(turn: Turn, ending: Endings | None = None) -> list[Choice]:
    """Every card that fits, or go, the best first; `ending` where scores are worth what they are not in a race."""
    at = reached(tuple(card.rank for card in turn.series))
    fitting = [card for card in turn.held if at.step(card.rank) and not turn.gone[0]]
    held = opponent_hand.sample(hands(turn), min(HANDS, PLAYOUTS // max(1, len({card.rank for card in fitting}))))
    if ending is None:
        wins = tables.of(turn.game).wins(turn.target)
        ending = Ending(wins, shown(turn.kept)[turn.starter], _crib(turn), dealer=turn.dealer)
    if not fitting:
        return [Choice(None, *_go(turn, at, held, ending))]
    worth = {rank: _worth(turn, at, rank, held, ending) for rank in {card.rank for card in fitting}}
    found = [Choice(card, *worth[card.rank]) for card in fitting]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def _worth(turn: Turn, at: Place, rank: int, held: Sequence[Held], ending: Endings) -> tuple[float, float]:
    step = at.step(rank)
    assert step is not None
    scored, after = step
    mine = list(of(turn.held))
    mine.remove(rank)
    gone = (False, False) if after is START else turn.gone
    return _over(turn, scored, (tuple(mine), after, gone, 1, 0), held, ending)


def _go(turn: Turn, at: Place, held: Sequence[Held], ending: Endings) -> tuple[float, float]:
    last = 0 if turn.series[-1:] and turn.series[-1] in turn.played[0] else 1
    return _over(turn, 0, (of(turn.held), at, (True, turn.gone[1]), 1, last), held, ending)


def _over(
    turn: Turn,
    scored: int,
    start: tuple[Ranks, Place, tuple[bool, bool], int, int],
    held: Sequence[Held],
    ending: Endings,
) -> tuple[float, float]:
    """The mean points and chance to win over all hands, from a place on, `scored` points having been earned."""
    mine, at, gone, next_turn, last = start
    own, other = turn.scores
    own += scored
    if own >= turn.target:
        return float(scored), 1.0
    if at is START and len(turn.kept) == 3:  # five-card: the play is over with the first 31
        mine, held = (), [(hand, (), weight) for hand, _, weight in held]
    needs = (turn.target - own, turn.target - other)
    finish, win, starter, once = rollout.finish, ending.win, turn.starter.rank, len(turn.kept) == 3
    total = won = all_weight = 0.0
    for four, rest, weight in held:
        one, two = finish(mine, rest, at, gone, next_turn, last, needs, once)
        total += weight * (one - two)
        won += weight * win(own + one, other + two, with_starters(four)[starter])
        all_weight += weight
    return scored + total / all_weight, won / all_weight


def hands(turn: Turn) -> list[Held]:
    """What the other may hold, weighed by all that was seen."""
    mine = (*turn.kept, *(turn.discarded or ()), turn.starter)
    unseen = [4 - n for n in counted(of(mine))]
    theirs = [card.rank for card in turn.played[1]]
    who = tables.PONE if turn.dealer else tables.DEALER
    found = opponent_hand.weigh(tuple(sorted(theirs)), unseen, tables.of(turn.game), who)
    decisions = opponent_hand.retell(
        [card.rank for card in turn.played[0]], theirs, of(turn.kept),
        tuple(card.rank for card in turn.series), turn.gone, int(turn.dealer),
    )  # fmt: skip
    return opponent_hand.judge(found, decisions, theirs) or found or _any(theirs, unseen, len(turn.kept))


def _any(theirs: Sequence[int], unseen: Sequence[int], size: int) -> list[Held]:
    """Where they can only hold what no good player keeps: as many unseen cards as they must have, all alike likely."""
    left = [rank for rank, n in enumerate(unseen) for _ in range(n - theirs.count(rank))]
    rests = (
        set(combinations(left, size - len(theirs))) if len(theirs) >= size - 2 else {tuple(left[: size - len(theirs)])}
    )
    return [(tuple(sorted((*theirs, *rest))), tuple(rest), 1.0) for rest in sorted(rests)]


def _crib(turn: Turn) -> tuple[tuple[int, float], ...]:
    thrown = of(turn.discarded) if turn.discarded else None
    known = of((*turn.kept, *(turn.discarded or ()), turn.starter))
    return crib_spread(turn.game, thrown, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE)
