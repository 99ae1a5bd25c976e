"""The best play of the own cards against an opponent who follows the rollout policy, for a known set of hands. Pure.

The player does not see the opponent's hand: after each card or go of the opponent, it only knows that the hand is one
of those that would have done the same. So all hands that look alike meet the same card, the best one on average.

States, hands and goes are numbers, as in `rollout`.
"""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from companion.coach.cribbage.ranks import (
    HAND_SIZES,
    HANDS_WITHOUT,
    HAS_NO_CHOICE,
    NO_STATE,
    OPTIONS,
    RANK_COUNT,
    ROW_LENGTHS,
    load_graph,
)
from companion.coach.cribbage.rollout import (
    NO_CARD,
    OTHER_GO,
    OWN_GO,
    ScoredPoints,
    add_up_scores,
    choose_rank,
    find_choice_row,
    finish_play,
    store_choice,
)
from companion.coach.cribbage.win_chance import RaceEnding

MAX_PLAY_BYTES = 10 * 2**20
"""Size of the stored plays. Beyond half of it, those that were not used for longest are dropped before a search."""
MAX_ENDS = 40_000
"""Maximum number of different plays to the end. A place takes two bytes, so 65,535 are possible."""
_ROW_OVERHEAD_BYTES, _ANSWERS_OVERHEAD_BYTES = 170, 2000
"""Memory of a row besides its entries."""

Sums = tuple[float, float, float]
"""Sums over hands, each times its weight: points, own less the opponent's; chance to win; value in a match."""


PossibleHand = tuple[int, int, float]
"""What is left of a possible hand of the opponent, the points of the whole hand, and its weight."""


class Position(NamedTuple):
    """What both players see. 0 is the player who decides."""

    mine: int
    at: int
    gone: int
    last: int


class Answer(NamedTuple):
    """What the opponent shows until the player's turn, what both score, and the position then.

    `shown` has ranks, and `NO_CARD` for go.
    """

    shown: tuple[int, ...]
    scores: ScoredPoints
    one: int
    two: int
    at: int
    gone: int
    last: int


class _AnswerRow:
    """The answers of the hands in one position. An entry for each hand: 1 for the first answer; 0 is unknown."""

    def __init__(self, length: int) -> None:
        self.entries = array("H", bytes(2 * length))
        self.answers: list[Answer] = []
        self._entry_by_shown: dict[tuple[int, ...], int] = {}

    def add(self, hand: int, answer: Answer) -> int:
        """Store the answer of a hand, and return its entry. Hands that show the same have the same one."""
        entry = self._entry_by_shown.get(answer.shown)
        if entry is None:
            self.answers.append(answer)
            entry = self._entry_by_shown[answer.shown] = len(self.answers)
        self.entries[hand] = entry
        return entry


class _PlayCache:
    """What happens to each of the opponent's hands: answers, and plays to the end if no choice is left.

    Both depend on no score, so they are kept for later decisions. `size` is an estimate of their memory in bytes.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.size = self._older_size = 0
        self.ends: list[tuple[int, int, ScoredPoints]] = [(0, 0, ())]
        self._end_by_scores: dict[ScoredPoints, int] = {}
        self._end_rows: dict[int, array[int]] = {}
        self._answer_rows: dict[int, _AnswerRow] = {}
        self._older_end_rows, self._older_answer_rows = self._end_rows, self._answer_rows

    def make_room(self) -> None:
        """Forget the rows that were not used since it last did so, if there are too many."""
        if len(self.ends) > MAX_ENDS:
            self.clear()
        if self.size - self._older_size > MAX_PLAY_BYTES // 2:
            self._older_end_rows, self._older_answer_rows = self._end_rows, self._answer_rows
            self._end_rows, self._answer_rows = {}, {}
            self.size = self._older_size = self.size - self._older_size

    def find_end_row(self, mine: int, at: int, gone: int, last: int, size: int) -> "array[int]":
        """Return the places in `ends` by hand of the opponent, who is on turn with `size` cards; 0 is unknown."""
        key = (((mine << 16 | at) << 2 | gone) << 1 | last) << 3 | size
        row = self._end_rows.get(key)
        if row is None:
            length = ROW_LENGTHS[size]
            row = self._older_end_rows.pop(key, None) or array("H", bytes(2 * length))
            self._end_rows[key] = row
            self.size += 2 * length + _ROW_OVERHEAD_BYTES
        return row

    def find_answers(self, count: int, at: int, gone: int, last: int, size: int) -> _AnswerRow:
        """Return the answers by hand of the opponent, who is on turn with `size` cards, if the player has `count`."""
        key = (((count << 16 | at) << 2 | gone) << 1 | last) << 3 | size
        row = self._answer_rows.get(key)
        if row is None:
            length = ROW_LENGTHS[size]
            row = self._older_answer_rows.pop(key, None) or _AnswerRow(length)
            self._answer_rows[key] = row
            self.size += 2 * length + _ANSWERS_OVERHEAD_BYTES
        return row

    def add_end(self, row: "array[int]", hand: int, scores: ScoredPoints) -> int:
        """Store what both score to the end, and return the place in `ends`."""
        place = self._end_by_scores.get(scores)
        if place is None:
            place = self._end_by_scores[scores] = len(self.ends)
            self.ends.append((*add_up_scores(scores), scores))
        row[hand] = place
        return place


PLAYS = _PlayCache()


class BestResponse:
    """The search. `main` is the place in `Sums` of what is maximised."""

    def __init__(self, scores: tuple[int, int], target: int, endings: Sequence[RaceEnding], main: int = 1) -> None:
        """Prepare for a play that begins with these scores, the player's own first."""
        self._own, self._other = scores
        self._needs = (target - scores[0], target - scores[1])
        self._endings = endings
        self._main = main
        self._values: dict[int, tuple[float, float]] = {}
        self._after, self._earned, _, _ = load_graph()
        PLAYS.make_room()

    def evaluate_card(self, position: Position, rank: int, hands: Sequence[PossibleHand]) -> Sums | None:
        """Return the sums if the player plays this rank now, and the best cards after it; None if it is too high."""
        place = position.at * RANK_COUNT + rank
        at = self._after[place]
        if at == NO_STATE:
            return None
        rest = HANDS_WITHOUT[position.mine][rank]
        return self._sum_after(rest, at, position.gone if at else 0, 0, self._earned[place], 0, hands)

    def evaluate_go(self, position: Position, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the player now says go."""
        mine, at, gone, last = position
        return self._sum_after(mine, at, gone | OWN_GO, last, 0, 0, hands)

    def _evaluate_turn(
        self, mine: int, at: int, gone: int, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums of the best card, or of go. `one` and `two` are the points since the search began."""
        best, main, need, first = None, self._main, self._needs[0], at * RANK_COUNT
        for rank, rest in OPTIONS[mine]:
            then = self._after[first + rank]
            if then != NO_STATE:
                more = one + self._earned[first + rank]
                after_gone = gone if then else 0
                if HAS_NO_CHOICE[rest] and more < need:
                    sums = self._sum_last_cards(rest, then, after_gone, 0, more, two, hands)
                else:
                    sums = self._sum_after(rest, then, after_gone, 0, more, two, hands)
                if best is None or sums[main] > best[main] or (sums[main] == best[main] and sums[0] > best[0]):
                    best = sums
        return best or self._sum_after(mine, at, gone | OWN_GO, last, one, two, hands)

    def _sum_after(
        self, mine: int, at: int, gone: int, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums from the opponent's turn on."""
        if one >= self._needs[0]:
            return self._sum_ends(one, two, hands)
        if HAS_NO_CHOICE[mine]:
            return self._sum_last_cards(mine, at, gone, last, one, two, hands)
        if gone:
            return self._sum_answers(mine, at, gone, last, one, two, hands)
        count, first, need = HAND_SIZES[mine], at * RANK_COUNT, self._needs[1] - two
        row = find_choice_row(at, count, hands[0][0])
        groups: dict[int, list[PossibleHand]] = {}
        for hand in hands:
            entry = row[hand[0]] or store_choice(row, at, hand[0], count)
            if entry in groups:
                groups[entry].append(hand)
            else:
                groups[entry] = [hand]
        net = won = matched = 0.0
        others: list[PossibleHand] = []
        for entry, alike in groups.items():
            place = first + entry - 1
            if entry - 1 != NO_CARD and self._after[place] and self._earned[place] < need:
                left = [(HANDS_WITHOUT[rest][entry - 1], points, weight) for rest, points, weight in alike]
                sums = self._evaluate_turn(mine, self._after[place], 0, 1, one, two + self._earned[place], left)
                net, won, matched = net + sums[0], won + sums[1], matched + sums[2]
            else:
                others += alike
        if others:
            sums = self._sum_answers(mine, at, gone, last, one, two, others)
            net, won, matched = net + sums[0], won + sums[1], matched + sums[2]
        return net, won, matched

    def _sum_answers(
        self, mine: int, at: int, gone: int, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums where the opponent's answer may be more than a card, or end the game."""
        count, needs = HAND_SIZES[mine], (self._needs[0] - one, self._needs[1] - two)
        row = PLAYS.find_answers(count, at, gone, last, HAND_SIZES[hands[0][0]])
        groups: dict[int, list[PossibleHand]] = {}
        for hand in hands:
            entry = row.entries[hand[0]] or row.add(hand[0], _play_on(count, at, gone, last, hand[0]))
            groups.setdefault(entry, []).append(hand)
        net = won = matched = 0.0
        for entry, alike in groups.items():
            shown, scores, more, lost, then, after_gone, after_last = row.answers[entry - 1]
            if more >= needs[0] or lost >= needs[1]:
                more, lost = add_up_scores(scores, needs)
                sums = self._sum_ends(one + more, two + lost, alike)
            else:
                left = [(_remove_shown(rest, shown), points, weight) for rest, points, weight in alike]
                sums = self._evaluate_turn(mine, then, after_gone, after_last, one + more, two + lost, left)
            net, won, matched = net + sums[0], won + sums[1], matched + sums[2]
        return net, won, matched

    def _sum_last_cards(
        self, mine: int, at: int, gone: int, last: int, one: int, two: int, hands: Sequence[PossibleHand]
    ) -> Sums:
        """Return the sums if the player has no choice any more."""
        row, ends, values = PLAYS.find_end_row(mine, at, gone, last, HAND_SIZES[hands[0][0]]), PLAYS.ends, self._values
        one_needs, two_needs = self._needs[0] - one, self._needs[1] - two
        net = won = matched = 0.0
        for rest, points, weight in hands:
            place = row[rest] or PLAYS.add_end(row, rest, finish_play(mine, rest, at, gone, 1, last))
            more, lost, scores = ends[place]
            if more >= one_needs or lost >= two_needs:
                more, lost = add_up_scores(scores, (one_needs, two_needs))
            more += one
            lost += two
            key = more << 16 | lost << 8 | points
            value = values.get(key) or self._find_value(key)
            net += weight * (more - lost)
            won += weight * value[0]
            matched += weight * value[1]
        return net, won, matched

    def _sum_ends(self, one: int, two: int, hands: Sequence[PossibleHand]) -> Sums:
        """Return the sums if the play ends with these points against each of the hands."""
        net = won = matched = 0.0
        for _, points, weight in hands:
            win, match = self._find_value(one << 16 | two << 8 | points)
            net += weight * (one - two)
            won += weight * win
            matched += weight * match
        return net, won, matched

    def _find_value(self, key: int) -> tuple[float, float]:
        """Return the chance to win and the value in a match after these points of both, and the opponent's hand."""
        value = self._values.get(key)
        if value is None:
            one, two, points = key >> 16, key >> 8 & 255, key & 255
            found = [ending.win_chance(self._own + one, self._other + two, points) for ending in self._endings]
            value = self._values[key] = (found[0], found[1] if len(found) > 1 else 0.0)
        return value


def _remove_shown(hand: int, shown: tuple[int, ...]) -> int:
    for rank in shown:
        if rank != NO_CARD:
            hand = HANDS_WITHOUT[hand][rank]
    return hand


def _play_on(count: int, at: int, gone: int, last: int, hand: int) -> Answer:
    """Return the opponent's answer, if the player has `count` cards left."""
    after, earned, _, _ = load_graph()
    shown, scores, turn = list[int](), list[int](), 1

    def answer() -> Answer:
        return Answer(tuple(shown), tuple(scores), *add_up_scores(tuple(scores)), at, gone, last)

    while True:
        if turn and hand and not gone & OTHER_GO:
            rank = choose_rank(at, hand, 0 if gone & OWN_GO else count)
            shown.append(rank)
            if rank != NO_CARD:
                place = at * RANK_COUNT + rank
                if earned[place]:
                    scores.append(-earned[place])
                at, hand, last = after[place], HANDS_WITHOUT[hand][rank], 1
                if not at:
                    gone = 0
            else:
                gone |= OTHER_GO
        if not gone & OWN_GO:
            return answer()
        if hand and not gone & OTHER_GO:
            continue
        if at:  # neither can play
            scores.append(-1 if last else 1)
        at, gone, turn = 0, 0, 1 - last
        if not turn:
            return answer()
