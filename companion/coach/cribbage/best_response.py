"""The best play of the own cards against an opponent who follows the rollout policy, for a known set of hands. Pure.

The player does not see the opponent's hand: after each card or go of the opponent, it only knows that the hand is one
of those that would have done the same. So all hands that look alike meet the same card, the best one on average.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from companion.coach.cribbage import rollout
from companion.coach.cribbage.play_states import START, PlayState
from companion.coach.cribbage.ranks import Ranks

GO = -1
"""What the opponent shows by saying go, among the ranks that it plays."""

Sums = list[float]
"""Sums over hands, each times its weight: points, own less the opponent's, then the value for each ending."""


class PlayEnding(Protocol):
    """Value of the scores after the play: `win_chance.RaceEnding`, or that of another game."""

    def win_chance(self, own: int, other: int, theirs: int) -> float:
        """Return the chance to win with these scores after the play, if the opponent's hand counts `theirs`."""


PossibleHand = tuple[Ranks, int, float]
"""What is left of a possible hand of the opponent, the points of the whole hand, and its weight."""


class Position(NamedTuple):
    """What both players see. `gone` says go in this series, by player; 0 is the player who decides."""

    mine: Ranks
    at: PlayState
    gone: tuple[bool, bool]
    last: int
    one: int = 0
    """Points of the player since the search began."""
    two: int = 0
    """Points of the opponent."""


class BestResponse:
    """The search. `main` is the place in `Sums` of what is maximised."""

    def __init__(self, scores: tuple[int, int], target: int, endings: Sequence[PlayEnding], main: int = 1) -> None:
        """Prepare for a play that begins with these scores, the player's own first."""
        self._own, self._other = scores
        self._needs = (target - scores[0], target - scores[1])
        self._endings = [ending.win_chance for ending in endings]
        self._main = main

    def evaluate_card(self, position: Position, rank: int, hands: Sequence[PossibleHand]) -> Sums | None:
        """Return the sums if the player plays this rank now, and the best cards after it; None if it is too high."""
        step = position.at.step(rank)
        if step is None:
            return None
        scored, after = step
        place = position.mine.index(rank)
        mine = position.mine[:place] + position.mine[place + 1 :]
        one = position.one + scored
        gone = (False, False) if after is START else position.gone
        return self._sum_after(Position(mine, after, gone, 0, one, position.two), hands)

    def evaluate_go(self, position: Position, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the player now says go."""
        return self._sum_after(position._replace(gone=(True, position.gone[1])), hands)

    def _evaluate_turn(self, position: Position, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums of the best card, or of go."""
        found = [sums for rank in set(position.mine) if (sums := self.evaluate_card(position, rank, hands)) is not None]
        if not found:
            return self.evaluate_go(position, hands)
        return max(found, key=lambda sums: sums[self._main]) if len(found) > 1 else found[0]

    def _sum_after(self, position: Position, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums from the opponent's turn on."""
        mine, at, gone, last, one, two = position
        if one >= self._needs[0]:
            return self._sum_ends([(one, two)] * len(hands), hands)
        if not mine or mine[0] == mine[-1]:  # no choice is left
            needs, finish = (self._needs[0] - one, self._needs[1] - two), rollout.finish_play
            ends = [finish(mine, rest, at, gone, 1, last, needs) for rest, _, _ in hands]
            return self._sum_ends([(one + more, two + lost) for more, lost in ends], hands)
        total = [0.0] * (1 + len(self._endings))
        for then, alike in self._group_by_answer(position, hands, total):
            for place, value in enumerate(self._evaluate_turn(then, alike)):
                total[place] += value
        return total

    def _group_by_answer(
        self, position: Position, hands: Sequence[PossibleHand], total: Sums
    ) -> list[tuple[Position, list[PossibleHand]]]:
        """Return the positions on the player's next turn, with the hands that lead there.

        Hands with which the play or the game ends before that are added to `total`.
        """
        mine, at, (mine_gone, theirs_gone), _, one, two = position
        plain: dict[PlayState, list[PossibleHand]] = {}
        others: dict[tuple[int, ...], tuple[Position, list[PossibleHand]]] = {}
        is_simple, count = not mine_gone and not theirs_gone, len(mine)
        choices = at.choices[count]
        for hand in hands:
            rest, points, weight = hand
            if is_simple and rest:
                chosen = choices.get(rest)
                if chosen is None:
                    chosen = rollout.choose_card(at, rest, count)
                if chosen and (then_at := chosen[1]) is not START and two + chosen[0] < self._needs[1]:
                    if then_at in plain:
                        plain[then_at].append((chosen[2], points, weight))
                    else:
                        plain[then_at] = [(chosen[2], points, weight)]
                    continue
            shown, then, left = self._play_on(position, rest)
            if shown is None:
                for place, value in enumerate(self._sum_ends([(then.one, then.two)], [hand])):
                    total[place] += value
            else:
                others.setdefault(shown, (then, []))[1].append((left, points, weight))
        found = list(others.values())
        for then_at, alike in plain.items():
            scored = at.step(then_at.tail[-1])
            assert scored is not None
            found.append((Position(mine, then_at, (False, False), 1, one, two + scored[0]), alike))
        return found

    def _play_on(self, position: Position, rest: Ranks) -> tuple[tuple[int, ...] | None, Position, Ranks]:
        """Play the opponent's cards until the player's turn.

        Returns what the opponent showed, None if the play or the game ended; the position; and the cards left.
        """
        mine, at, (mine_gone, theirs_gone), last, one, two = position
        shown: tuple[int, ...] = ()
        turn = 1
        while True:
            if turn and rest and not theirs_gone:
                others = 0 if mine_gone else len(mine)
                chosen = at.choices[others].get(rest)
                if chosen is None:
                    chosen = rollout.choose_card(at, rest, others)
                if chosen:
                    shown = (*shown, sum(rest) - sum(chosen[2]))
                    scored, at, rest = chosen
                    two += scored
                    last = 1
                    if at is START:
                        mine_gone = theirs_gone = False
                    if two >= self._needs[1]:
                        return None, Position(mine, at, (mine_gone, theirs_gone), last, one, two), rest
                else:
                    theirs_gone = True
                    shown = (*shown, GO)
            if mine and not mine_gone:
                return shown, Position(mine, at, (mine_gone, theirs_gone), last, one, two), rest
            if rest and not theirs_gone:
                turn = 1
                continue
            if at is not START:  # neither can play
                one, two = (one, two + 1) if last else (one + 1, two)
                if one >= self._needs[0] or two >= self._needs[1]:
                    return None, Position(mine, at, (mine_gone, theirs_gone), last, one, two), rest
            at, mine_gone, theirs_gone, turn = START, False, False, 1 - last
            if not turn:
                return shown, Position(mine, at, (False, False), last, one, two), rest

    def _sum_ends(self, ends: Sequence[tuple[int, int]], hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the play ends with these points, own and the opponent's, against each of the hands."""
        own, other = self._own, self._other
        pairs = [(own + one, other + two, points, weight)
                 for (one, two), (_, points, weight) in zip(ends, hands, strict=True)]  # fmt: skip
        net = sum([weight * (mine - theirs) for mine, theirs, _, weight in pairs])
        sums = [net - (own - other) * sum([weight for *_, weight in pairs])]
        for value in self._endings:
            sums.append(sum([weight * value(mine, theirs, points) for mine, theirs, points, weight in pairs]))
        return sums
