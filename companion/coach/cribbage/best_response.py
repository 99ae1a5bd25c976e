"""The best play of the own cards against an opponent who follows the rollout policy, for a known set of hands. Pure.

The player does not see the opponent's hand: after each card or go of the opponent, it only knows that the hand is one
of those that would have done the same. So all hands that look alike meet the same card, the best one on average.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from companion.coach.cribbage import rollout
from companion.coach.cribbage.play_states import START, PlayState, get_state, list_options
from companion.coach.cribbage.ranks import Ranks

GO = -1
"""What the opponent shows by saying go, among the ranks that it plays."""

Sums = tuple[float, float, float]
"""Sums over hands, each times its weight: points, own less the opponent's; chance to win; value in a match."""

Gone = tuple[bool, bool]
NOBODY: Gone = (False, False)
NO_NEEDS = (1000, 1000)


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
    gone: Gone
    last: int
    one: int = 0
    """Points of the player since the search began."""
    two: int = 0
    """Points of the opponent."""


class Answer(NamedTuple):
    """What the opponent shows until the player's turn, None if the play is over; and the position then.

    `state` is its number. `one` and `two` are the points scored on the way.
    """

    shown: tuple[int, ...] | None
    state: int
    gone: Gone
    last: int
    one: int
    two: int
    rest: Ranks


class _PlayCache:
    """What happens to each of the opponent's hands: answers, and plays to the end if no choice is left.

    Both depend on no score, so they are kept for later decisions.
    """

    def __init__(self, max_hands: int) -> None:
        self._max_hands = max_hands
        self._hand_count = 0
        self._ends: dict[tuple[Ranks, int, Gone, int], dict[Ranks, tuple[int, int]]] = {}
        self._answers: dict[tuple[int, int, Gone, int], dict[Ranks, Answer]] = {}

    def find_ends(self, mine: Ranks, at: PlayState, gone: Gone, last: int) -> dict[Ranks, tuple[int, int]]:
        """Return the known points of both by the opponent's hand, who is on turn. The caller adds what is missing."""
        key = (mine, at.number, gone, last)
        return self._ends.get(key) or self._ends.setdefault(key, {})

    def find_answers(self, count: int, at: PlayState, gone: Gone, last: int) -> dict[Ranks, Answer]:
        """Return the known answers by hand, if the player has `count` cards. The caller adds what is missing."""
        key = (count, at.number, gone, last)
        return self._answers.get(key) or self._answers.setdefault(key, {})

    def make_room(self, hands: int) -> None:
        """Count new hands, and drop all others if there is no room for them."""
        self._hand_count += hands
        if self._hand_count > self._max_hands:
            self._ends.clear()
            self._answers.clear()
            self._hand_count = hands


_CACHE = _PlayCache(max_hands=30_000)


class BestResponse:
    """The search. `main` is the place in `Sums` of what is maximised."""

    def __init__(self, scores: tuple[int, int], target: int, endings: Sequence[PlayEnding], main: int = 1) -> None:
        """Prepare for a play that begins with these scores, the player's own first."""
        self._own, self._other = scores
        self._needs = (target - scores[0], target - scores[1])
        self._endings = endings
        self._main = main
        self._values: dict[tuple[int, int, int], tuple[float, float]] = {}

    def evaluate_card(self, position: Position, rank: int, hands: Sequence[PossibleHand]) -> Sums | None:
        """Return the sums if the player plays this rank now, and the best cards after it; None if it is too high."""
        step = position.at.step(rank)
        if step is None:
            return None
        rest = next(rest for each, rest, _ in list_options(position.mine) if each == rank)
        gone = NOBODY if step[1] is START else position.gone
        return self._sum_after(rest, step[1], gone, 0, position.one + step[0], position.two, hands)

    def evaluate_go(self, position: Position, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the player now says go."""
        mine, at, gone, last, one, two = position
        return self._sum_after(mine, at, (True, gone[1]), last, one, two, hands)

    def _evaluate_turn(
        self, mine: Ranks, at: PlayState, gone: Gone, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums of the best card, or of go."""
        best, main = None, self._main
        for rank, rest, _ in list_options(mine):
            step = at.step(rank)
            if step is not None:
                scored, then = step
                after_gone = NOBODY if then is START else gone
                if one + scored < self._needs[0] and (not rest or rest[0] == rest[-1]):  # no choice is left
                    sums = self._sum_last_cards(rest, then, after_gone, 0, one + scored, two, hands)
                else:
                    sums = self._sum_after(rest, then, after_gone, 0, one + scored, two, hands)
                if best is None or sums[main] > best[main] or (sums[main] == best[main] and sums[0] > best[0]):
                    best = sums
        return best or self._sum_after(mine, at, (True, gone[1]), last, one, two, hands)

    def _sum_after(
        self, mine: Ranks, at: PlayState, gone: Gone, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums from the opponent's turn on."""
        if one >= self._needs[0]:
            return self._sum_ends(one, two, hands)
        if not mine or mine[0] == mine[-1]:  # no choice is left
            return self._sum_last_cards(mine, at, gone, last, one, two, hands)
        total = (0.0, 0.0, 0.0)
        others = hands
        if gone == NOBODY:
            others, need, count = [], self._needs[1] - two, len(mine)
            choices = at.choices[count]
            groups: dict[int, list[PossibleHand]] = {}
            for hand in hands:
                rest, points, weight = hand
                chosen = choices.get(rest)
                if chosen is None:
                    chosen = rollout.choose_card(at, rest, count)
                if chosen and chosen[1] is not START and chosen[0] < need:
                    if chosen[3] in groups:
                        groups[chosen[3]].append((chosen[2], points, weight))
                    else:
                        groups[chosen[3]] = [(chosen[2], points, weight)]
                else:
                    others.append(hand)
            for rank, alike in groups.items():
                scored, then = at.step(rank) or (0, START)
                total = _add_sums(total, self._evaluate_turn(mine, then, NOBODY, 1, one, two + scored, alike))
        return _add_sums(total, self._sum_answers(mine, at, gone, last, one, two, others)) if others else total

    def _sum_answers(
        self, mine: Ranks, at: PlayState, gone: Gone, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums where the opponent's answer may be more than a card, or end the play or the game."""
        needs = (self._needs[0] - one, self._needs[1] - two)
        known = _CACHE.find_answers(len(mine), at, gone, last)
        total = (0.0, 0.0, 0.0)
        groups: dict[tuple[int, ...], tuple[Answer, list[PossibleHand]]] = {}
        size = len(known)
        for rest, points, weight in hands:
            answer = known.get(rest)
            if answer is None:
                answer = known[rest] = _play_on(len(mine), at, gone, last, rest)
            if answer.one >= needs[0] or answer.two >= needs[1]:
                answer = _play_on(len(mine), at, gone, last, rest, needs)
            if answer.shown is None:
                end = self._sum_ends(one + answer.one, two + answer.two, [(rest, points, weight)])
                total = _add_sums(total, end)
            else:
                groups.setdefault(answer.shown, (answer, []))[1].append((answer.rest, points, weight))
        _CACHE.make_room(len(known) - size)
        for answer, alike in groups.values():
            then = (get_state(answer.state), answer.gone, answer.last, one + answer.one, two + answer.two)
            total = _add_sums(total, self._evaluate_turn(mine, *then, alike))
        return total

    def _sum_last_cards(
        self, mine: Ranks, at: PlayState, gone: Gone, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums if the player has no choice any more."""
        known = _CACHE.find_ends(mine, at, gone, last)
        values, added = self._values, 0
        needs = one_needs, two_needs = self._needs[0] - one, self._needs[1] - two
        net = won = matched = 0.0
        for rest, points, weight in hands:
            ends = known.get(rest)
            if ends is None:
                ends = known[rest] = rollout.finish_play(mine, rest, at, gone, 1, last, NO_NEEDS)
                added += 1
            more, lost = ends
            if more >= one_needs or lost >= two_needs:
                more, lost = rollout.finish_play(mine, rest, at, gone, 1, last, needs)
            key = (one + more, two + lost, points)
            value = values.get(key)
            if value is None:
                value = values[key] = self._value_of(key)
            net += weight * (key[0] - key[1])
            won += weight * value[0]
            matched += weight * value[1]
        if added:
            _CACHE.make_room(added)
        return net, won, matched

    def _sum_ends(self, one: int, two: int, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the play ends with these points against each of the hands."""
        net = won = matched = 0.0
        for _, points, weight in hands:
            win, match = self._value_of((one, two, points))
            net += weight * (one - two)
            won += weight * win
            matched += weight * match
        return net, won, matched

    def _value_of(self, key: tuple[int, int, int]) -> tuple[float, float]:
        """Return the chance to win and the value in a match after these points of both, and the opponent's hand."""
        one, two, points = key
        values = [ending.win_chance(self._own + one, self._other + two, points) for ending in self._endings]
        return values[0], values[1] if len(values) > 1 else 0.0


def _add_sums(total: Sums, more: Sums) -> Sums:
    return total[0] + more[0], total[1] + more[1], total[2] + more[2]


def _play_on(
    count: int, at: PlayState, gone: Gone, last: int, rest: Ranks, needs: tuple[int, int] = NO_NEEDS
) -> Answer:
    """Return the opponent's answer, if the player has `count` cards left. It ends early if one has what both need."""
    mine_gone, theirs_gone = gone
    shown: tuple[int, ...] = ()
    one = two = 0
    turn = 1
    while True:
        if turn and rest and not theirs_gone:
            others = 0 if mine_gone else count
            chosen = at.choices[others].get(rest)
            if chosen is None:
                chosen = rollout.choose_card(at, rest, others)
            if chosen:
                scored, at, rest, rank = chosen
                shown = (*shown, rank)
                two += scored
                last = 1
                if at is START:
                    mine_gone = theirs_gone = False
                if two >= needs[1]:
                    return Answer(None, at.number, (mine_gone, theirs_gone), last, one, two, rest)
            else:
                theirs_gone = True
                shown = (*shown, GO)
        if not mine_gone:
            return Answer(shown, at.number, (mine_gone, theirs_gone), last, one, two, rest)
        if rest and not theirs_gone:
            turn = 1
            continue
        if at is not START:  # neither can play
            one, two = (one, two + 1) if last else (one + 1, two)
            if one >= needs[0] or two >= needs[1]:
                return Answer(None, at.number, (mine_gone, theirs_gone), last, one, two, rest)
        at, mine_gone, theirs_gone, turn = START, False, False, 1 - last
        if not turn:
            return Answer(shown, at.number, NOBODY, last, one, two, rest)
