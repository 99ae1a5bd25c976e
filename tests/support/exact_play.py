"""The exact value of each card against all hands that the coach thinks possible, by the rules and without the search.

The opponent plays by the rollout policy, and the player as well as possible, without seeing the hand.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.coach.cribbage import play as coach_play
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.cribbage.ranks import points_with_starters, ranks_of, state_after
from companion.coach.cribbage.rollout import choose_card
from companion.rules import play
from companion.rules.cards import PACK, Card
from companion.rules.engine import Award


class Hand(NamedTuple):
    """A possible hand of the opponent: the cards left, the points of the whole, and its weight."""

    left: tuple[Card, ...]
    points: int
    weight: float


class ExactPlay:
    """The values of one question."""

    def __init__(self, turn: PlayQuestion, laid: play.PlayProgress) -> None:
        self._turn, self._laid = turn, laid
        self._seat = int(not turn.dealer)
        self._ending = coach_play.race_endings(turn)[0]
        held = coach_play.find_opponent_hands(turn)
        self._hands = [
            Hand(_find_cards(rest, turn), points_with_starters(whole)[turn.starter.rank], weight)
            for whole, rest, weight in held
        ]

    def evaluate_cards(self) -> dict[Card, float]:
        """Return the chance to win of each playable card."""
        total = sum(hand.weight for hand in self._hands)
        fitting = [card for card in self._turn.held if card.value + self._laid.count <= play.MAX_COUNT]
        return {
            card: self._play_own(self._laid, card, self._turn.held, self._hands, (0, 0)) / total for card in fitting
        }

    def _play_own(
        self, laid: play.PlayProgress, card: Card, mine: tuple[Card, ...], hands: list[Hand], won: tuple[int, int]
    ) -> float:
        laid, scored, last = play.play_card(laid, self._seat, card)
        left = tuple(each for each in mine if each != card)
        return self._go_on(laid, left, hands, won, (*scored, *last))

    def _go_on(
        self,
        laid: play.PlayProgress,
        mine: tuple[Card, ...],
        hands: list[Hand],
        won: tuple[int, int],
        awards: Sequence[Award],
    ) -> float:
        own, other = won
        for award in awards:
            own, other = (own + award.points, other) if award.seat == self._seat else (own, other + award.points)
            if self._turn.scores[0] + own >= self._turn.target or self._turn.scores[1] + other >= self._turn.target:
                return self._end(hands, (own, other))
        if laid.turn is None:
            return self._end(hands, (own, other))
        if laid.turn == self._seat:
            return self._own_turn(laid, mine, hands, (own, other))
        return self._other_turn(laid, mine, hands, (own, other))

    def _end(self, hands: list[Hand], won: tuple[int, int]) -> float:
        own, other = (score + more for score, more in zip(self._turn.scores, won, strict=True))
        return sum(hand.weight * self._ending.win_chance(own, other, hand.points) for hand in hands)

    def _own_turn(
        self, laid: play.PlayProgress, mine: tuple[Card, ...], hands: list[Hand], won: tuple[int, int]
    ) -> float:
        fitting = {card.rank: card for card in mine if card.value + laid.count <= play.MAX_COUNT}
        if not fitting:
            laid, last = play.say_go(laid, self._seat)
            return self._go_on(laid, mine, hands, won, last)
        return max(self._play_own(laid, card, mine, hands, won) for card in fitting.values())

    def _other_turn(
        self, laid: play.PlayProgress, mine: tuple[Card, ...], hands: list[Hand], won: tuple[int, int]
    ) -> float:
        at = state_after(ranks_of_series(laid))
        others = 0 if self._seat in laid.gone else len(mine)
        answers: dict[Card | None, list[Hand]] = {}
        for hand in hands:
            held = ranks_of(hand.left)
            chosen = choose_card(at, held, others)
            rank = sum(held) - sum(chosen[2]) if chosen else None
            card = next((each for each in hand.left if each.rank == rank), None)
            left = tuple(each for each in hand.left if each != card)
            answers.setdefault(card, []).append(hand._replace(left=left))
        total = 0.0
        for card, alike in answers.items():
            if card is None:
                then, last = play.say_go(laid, 1 - self._seat)
                total += self._go_on(then, mine, alike, won, last)
            else:
                then, scored, last = play.play_card(laid, 1 - self._seat, card)
                total += self._go_on(then, mine, alike, won, (*scored, *last))
        return total


def ranks_of_series(laid: play.PlayProgress) -> tuple[int, ...]:
    """Return the ranks of the series in the order played."""
    return tuple(card.rank for card in laid.series)


def _find_cards(ranks: Sequence[int], turn: PlayQuestion) -> tuple[Card, ...]:
    """Return unseen cards of these ranks, always the same for the same rank: hands that look alike must be alike."""
    known = {*turn.kept, *(turn.discarded or ()), turn.starter, *turn.played[1]}
    unseen = [card for card in PACK if card not in known]
    found: list[Card] = []
    for rank in ranks:
        found.append(next(card for card in unseen if card.rank == rank and card not in found))
    return tuple(found)
